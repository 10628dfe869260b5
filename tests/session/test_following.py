"""A file that grows is read on, and one that changes otherwise is read again."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from ctxviz.session.errors import SessionError
from ctxviz.session.following import Follower, appended
from ctxviz.session.loading import load_session
from tests.session.saving import dumps


def message(at: int) -> dict[str, Any]:
    return {"role": "user", "content": f"日本 {at}"}


def add(file: Path, *written: str) -> None:
    with file.open("a", encoding="utf-8") as out:
        out.write("".join(written))
    # Some file systems tell the time in steps.
    os.utime(file, ns=(file.stat().st_atime_ns, file.stat().st_mtime_ns + 1_000_000))


def test_lines_are_appended(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    add(file, *(dumps(message(at)) + "\n" for at in range(50)))
    session = load_session(file)
    assert appended(session) is None
    add(file, dumps(message(50)) + "\n", "bad\n", dumps(message(51)) * 2 + "\n", "\n", dumps(message(52)) + "\n")
    grown, again = appended(session), load_session(file)
    assert grown is not None
    assert (list(grown.items), grown.warnings, grown.kinds) == (list(again.items), again.warnings, again.kinds)
    assert grown.source("live").sizes == again.source("live").sizes
    assert grown.census is not None
    assert again.census is not None
    assert grown.census.asides() == again.census.asides()
    assert [grown.census.place(at) for at in range(54)] == [again.census.place(at) for at in range(54)]
    assert len(session) == 50


@pytest.mark.parametrize("change", ["unfinished", "rewritten", "shorter"])
def test_what_is_not_simply_appended_is_read_again(tmp_path: Path, change: str) -> None:
    file = tmp_path / "s.jsonl"
    add(file, *(dumps(message(at)) + "\n" for at in range(5)), "{" * (change == "unfinished"))
    session = load_session(file)
    if change == "unfinished":
        add(file, '"role":"user","content":"whole now"}\n')
    else:
        texts = [f"other {at}" for at in range(9 if change == "rewritten" else 2)]
        file.write_text("".join(dumps({"role": "user", "content": text}) + "\n" for text in texts), encoding="utf-8")
    assert appended(session) is None


def test_a_follower(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    add(file, dumps(message(0)) + "\n" + dumps(message(1)) + "\n")
    follower = Follower(str(file), None, None)
    assert follower.next() is None
    for count in (3, 4, 5):
        add(file, dumps(message(count)) + "\n")
        session = follower.next()
        assert session is not None
        assert len(session) == count
        assert follower.next() is None
    file.unlink()
    with pytest.raises(SessionError):
        follower.next()
    assert follower.next() is None
    add(file, dumps([message(0)]))
    session = follower.next()
    assert session is not None
    assert len(session) == 1


def test_a_database_that_is_written_to(tmp_path: Path) -> None:
    file = tmp_path / "s.db"
    writer = sqlite3.connect(file)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("CREATE TABLE agent_messages (id INTEGER PRIMARY KEY, session_id TEXT, message_data TEXT)")

    def write(text: str) -> None:
        row = ("s", dumps({"role": "user", "content": text}))
        writer.execute("INSERT INTO agent_messages (session_id, message_data) VALUES (?, ?)", row)
        writer.commit()

    write("first")
    follower = Follower(str(file), None, None)
    write("second")
    session = follower.next()
    assert session is not None
    assert [item["content"] for item in session.items] == ["first", "second"]  # type: ignore[index, call-overload]
    writer.close()
