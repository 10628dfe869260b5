"""How the command line opens the screen: what it passes on, and what it refuses before."""

from __future__ import annotations

import os
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from ctxviz.analysis.bundled import demo, demos
from ctxviz.analysis.settings import Settings
from ctxviz.lessons.progress import remember
from ctxviz.projection.budget import ContextBudget
from tests.test_cli import Ran

Screens = list[dict[str, Any]]


class Keyboard(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def screens(monkeypatch: pytest.MonkeyPatch) -> Screens:
    """What the screen was opened with, each time; there is a terminal."""
    opened: Screens = []

    def run(path: str, **given: Any) -> int:
        opened.append({"path": path, **given})
        return 0

    def play(toy: Any, **given: Any) -> int:
        return run("toy", toy=toy, **given)

    def teach(lesson: Any, **given: Any) -> int:
        return run("lesson", lesson=lesson, **given)

    monkeypatch.setattr("ctxviz.tui.run", run)
    monkeypatch.setattr("ctxviz.tui.play", play)
    monkeypatch.setattr("ctxviz.tui.teach", teach)
    monkeypatch.setattr("ctxviz.cli.learn.on_terminal", lambda: True)
    monkeypatch.setattr("ctxviz.cli.commands.on_terminal", lambda: True)
    monkeypatch.setattr("ctxviz.cli.toy.on_terminal", lambda: True)
    monkeypatch.setattr("sys.stdin", Keyboard())
    return opened


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    path = tmp_path / "tiny.json"
    path.write_text('["xxxx", "yyyyyyyyyy", "zzzz"]')
    return str(path)


@pytest.mark.parametrize("command", [[], ["open"]])
def test_open(capsys: pytest.CaptureFixture[str], screens: Screens, tiny: str, command: list[str]) -> None:
    ran = Ran(capsys, *command, tiny)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    (opened,) = screens
    session = opened.pop("session")
    assert len(session) == 3
    assert opened == {
        "path": tiny,
        "settings": Settings(),
        "format": None,
        "look": "",
        "select": None,
        "ascii_signs": False,
        "conversation": None,
        "follow": False,
    }


def test_options_may_stand_before_the_session(capsys: pytest.CaptureFixture[str], screens: Screens, tiny: str) -> None:
    args = ["--max-items", "2", "--projector", "type-aware", "--measure", "resumed", "--from", "json-list", "--ascii"]
    for command in ([*args, tiny], [tiny, *args], ["open", tiny, *args]):
        assert Ran(capsys, *command).code == 0
        opened = screens.pop()
        assert opened["settings"] == Settings(ContextBudget(max_items=2), "type-aware", "resumed")
        assert opened["format"] == "json-list"
        assert opened["ascii_signs"] is True


def test_a_session_with_the_name_of_a_command(
    capsys: pytest.CaptureFixture[str], screens: Screens, tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(tiny).parent
    monkeypatch.chdir(folder)
    Path(tiny).rename("report")
    for args in (["open", "report"], ["--", "report"], ["./report"]):
        assert Ran(capsys, *args).code == 0
        assert len(screens.pop()["session"]) == 3


def test_the_exit_code_is_the_screens(
    capsys: pytest.CaptureFixture[str], screens: Screens, tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ctxviz.tui.run", lambda *_, **__: 2)
    assert Ran(capsys, tiny).code == 2


def test_no_terminal(capsys: pytest.CaptureFixture[str], tiny: str) -> None:
    for args in ([tiny], ["open", tiny], ["demo"], ["nosuch.json"]):
        assert Ran(capsys, *args).error == (
            "standard output is no terminal; for a report without a screen: ctxviz report SESSION"
        )


def test_errors_come_before_the_screen(capsys: pytest.CaptureFixture[str], screens: Screens, tmp_path: Path) -> None:
    missing = tmp_path / "nosuch.json"
    assert Ran(capsys, str(missing)).error == f"{missing}: no such file"
    assert Ran(capsys, f"{tmp_path}/nul\0").error == f"{tmp_path}/nul␀: no such file"
    bad = tmp_path / "bad.json"
    bad.write_text("{not json")
    assert Ran(capsys, str(bad)).error.startswith(f"{bad}: ")
    empty = tmp_path / "empty"
    (empty / "deeper").mkdir(parents=True)
    assert Ran(capsys, str(empty)).error == f"{empty}: a folder without any file in it"
    assert screens == []


def test_no_permission(capsys: pytest.CaptureFixture[str], screens: Screens, tiny: str) -> None:
    for size in (30, 3_000_000):
        os.truncate(tiny, size)
        Path(tiny).chmod(0)
        if os.access(tiny, os.R_OK):
            pytest.skip("root may read anything")
        assert Ran(capsys, tiny).error == f"{tiny}: no permission"
        Path(tiny).chmod(0o600)
    folder = Path(tiny).parent
    folder.chmod(0o300)
    assert Ran(capsys, str(folder)).error.startswith(f"{folder}: ")
    folder.chmod(0o700)
    assert screens == []


def test_a_folder_with_files_is_for_the_screen(capsys: pytest.CaptureFixture[str], screens: Screens, tiny: str) -> None:
    folder = str(Path(tiny).parent)
    assert Ran(capsys, folder).code == 0
    (opened,) = screens
    assert opened["path"] == folder
    assert opened["session"] is None


def test_a_large_file_is_for_the_screen(capsys: pytest.CaptureFixture[str], screens: Screens, tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    large.write_text('["' + "x" * 2_100_000 + '"]')
    assert Ran(capsys, str(large)).code == 0
    assert screens[0]["session"] is None


def test_demo(capsys: pytest.CaptureFixture[str], screens: Screens) -> None:
    assert Ran(capsys, "demo").code == 0
    assert Ran(capsys, "demo", "tool-results").code == 0
    for opened, one in zip(screens, (demos()[0], demo("tool-results")), strict=True):
        assert opened["path"] == str(one.path)
        assert opened["settings"] == one.settings
        assert (opened["look"], opened["select"]) == (one.look, one.select)
        assert opened["session"].path == str(one.path)


def test_options_override_a_demos_settings(capsys: pytest.CaptureFixture[str], screens: Screens) -> None:
    base = demo("tool-results").settings
    assert base.projector == "type-aware"
    assert Ran(capsys, "demo", "tool-results", "--max-approx-chars", "none", "--measure", "content").code == 0
    settings = screens.pop()["settings"]
    assert settings.budget.max_approx_chars is None
    assert settings.budget.max_recent_tool_results == base.budget.max_recent_tool_results
    assert (settings.projector, settings.measure) == ("type-aware", "content")
    assert Ran(capsys, "demo", "tool-results", "--projector", "default").code == 0
    assert screens.pop()["settings"] == Settings(base.budget, "default", base.measure)
    assert Ran(capsys, "demo", "holes", "--max-recent-tool-results", "1").code == 0
    assert screens.pop()["settings"].projector == "type-aware"


def test_a_file_takes_the_place_of_a_demos_budget(
    capsys: pytest.CaptureFixture[str], screens: Screens, tmp_path: Path
) -> None:
    path = tmp_path / "budget.json"
    path.write_text('{"maxItems": 5}')
    assert Ran(capsys, "demo", "holes", "--budget", str(path), "--pinned-prefix-items", "2").code == 0
    assert screens.pop()["settings"].budget == ContextBudget(max_items=5, pinned_prefix_items=2)


def test_stdin_without_any_terminal(
    capsys: pytest.CaptureFixture[str], screens: Screens, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(6, "No such device or address")

    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b'["a"]')))
    monkeypatch.setattr(os, "open", refuse)
    assert Ran(capsys, "-").error == "standard input is no terminal, and there is no other to read keys from"
    assert screens == []


def test_conversation_and_follow(capsys: pytest.CaptureFixture[str], screens: Screens, tmp_path: Path) -> None:
    talks = tmp_path / "talks.json"
    turns = '"conversations": [{"from": "human", "value": "hello"}]'
    talks.write_text(f'[{{"id": "one", {turns}}}, {{"id": "two", {turns}}}]')
    assert Ran(capsys, str(talks), "--follow").code == 0
    assert (screens[0]["session"], screens[0]["conversation"], screens[0]["follow"]) == (None, None, True)
    assert Ran(capsys, str(talks), "--conversation", "two").code == 0
    assert screens[1]["session"].conversation.id == screens[1]["conversation"] == "two"
    assert Ran(capsys, str(talks), "--conversation", "3").error.endswith("there are one, two")
    assert Ran(capsys, "-", "--follow").error == "-: standard input can't be followed; name the file"
    assert len(screens) == 2


def test_try(capsys: pytest.CaptureFixture[str], screens: Screens) -> None:
    for words in (["4", "10", "4", "--max-approx-chars", "8"], [], ["5", "6"], ["1", "--max-items", "0"]):
        assert Ran(capsys, "try", *words).code == 0
    assert [(one["toy"].sizes, one["settings"].budget) for one in screens] == [
        ((4, 10, 4), ContextBudget(max_approx_chars=8)),
        ((4, 10, 4), ContextBudget(max_approx_chars=9)),
        ((5, 6), ContextBudget(max_approx_chars=5)),
        ((1,), ContextBudget(max_items=0)),
    ]


@pytest.mark.parametrize("sizes", [["x"], ["--", "-1"], ["100001"], ["1"] * 201])
def test_try_with_what_is_no_size(capsys: pytest.CaptureFixture[str], sizes: list[str]) -> None:
    ran = Ran(capsys, "try", *sizes)
    assert ran.code == 2
    assert "Error" in ran.err


def test_learn(capsys: pytest.CaptureFixture[str], screens: Screens) -> None:
    assert Ran(capsys, "learn").code == 0
    assert Ran(capsys, "learn", "gate-2").code == 0
    assert [one["lesson"] and one["lesson"].name for one in screens] == [None, "gate-2"]
    ran = Ran(capsys, "learn", "gate-3")
    assert ran.code == 2
    assert "no lesson is called gate-3: there are budget, gate-1" in ran.err


def test_progress_is_listed_and_forgotten(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert remember(frozenset({"gate-1"})) == ""
    listed = Ran(capsys, "learn", "--list")
    assert listed.code == 0
    assert len(listed.out.splitlines()) == 10
    assert [line.split()[0] for line in listed.out.splitlines() if line.endswith("done")] == ["gate-1"]
    assert Ran(capsys, "learn", "--reset").code == 0
    assert "done" not in Ran(capsys, "learn", "--list").out
    assert Ran(capsys, "learn", "--reset").code == 0
