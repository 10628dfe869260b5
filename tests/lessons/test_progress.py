"""Which lessons are done is kept, and a broken or missing file is no harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxviz.lessons.progress import Progress, done_lessons, forget, progress_path, read_progress, remember


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    return tmp_path


def test_progress_is_kept() -> None:
    assert done_lessons() == frozenset()
    assert remember(frozenset({"a", "b"})) == ""
    assert done_lessons() == {"a", "b"}
    assert forget() == ""
    assert done_lessons() == frozenset()
    assert forget() == ""


@pytest.mark.parametrize("text", ["", "{", "[]", '{"done": 3}', '{"done": [1, "a"]}', "[" * 100_000])
def test_a_broken_file_is_no_progress(text: str) -> None:
    progress_path().parent.mkdir(parents=True)
    progress_path().write_text(text)
    progress = read_progress()
    assert progress.done == frozenset()
    assert progress.problem.startswith(f"{progress_path()}: ")
    assert "\n" not in progress.problem
    assert remember(frozenset({"b"})) == ""
    assert read_progress() == Progress(frozenset({"b"}))


def test_a_file_that_can_not_be_opened_is_said() -> None:
    progress_path().mkdir(parents=True)
    assert "no lesson is marked as done" in read_progress().problem
    assert "\n" not in forget()
    assert forget() != ""


def test_what_can_not_be_written_is_said(state: Path) -> None:
    (state / "ctxviz").write_text("a file where the folder should be")
    assert "progress is not kept" in remember(frozenset({"a"}))
    assert "\n" not in remember(frozenset({"a"}))
