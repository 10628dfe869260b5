"""Which files of a folder may hold a session, and which folders are one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxviz.session.errors import SessionError
from ctxviz.session.folder import holds_session, session_files


def names(folder: Path) -> list[str]:
    return sorted(file.path.name for file in session_files(folder))


def test_files_with_a_sessions_ending(tmp_path: Path) -> None:
    sessions = ["a.JSON", "b.jsonl", "c.db", "d.sqlite", "e.eval", "f.zst", "g.json.gz", "h.md", "i.traj"]
    for name in (*sessions, "notes.txt", ".hidden.json", ".aider.chat.history.md"):
        (tmp_path / name).write_text("x")
    (tmp_path / "folder.json").mkdir()
    assert names(tmp_path) == sorted([*sessions, ".aider.chat.history.md"])


def test_all_files_where_none_has_such_an_ending(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "session").write_text("x")
    assert names(tmp_path) == ["notes.txt", "session"]


def test_a_folder_without_a_file(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="a folder without any file in it"):
        session_files(tmp_path)
    with pytest.raises(SessionError, match="no such file"):
        session_files(tmp_path / "none")


def test_a_folder_that_is_a_session(tmp_path: Path) -> None:
    assert not holds_session(tmp_path)
    assert not holds_session(tmp_path, "opencode")
    for name in ("session/p/ses_1.json", "message/ses_1/msg_1.json", "part/msg_1/prt_1.json"):
        file = tmp_path / name
        file.parent.mkdir(parents=True)
        file.write_text('{"id": "x"}')
    assert holds_session(tmp_path)
    assert holds_session(tmp_path, "opencode")
    assert not holds_session(tmp_path, "json-lines")
