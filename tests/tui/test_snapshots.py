"""Pictures of the screen. Each was accepted by eye; none is ever updated by a machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from ctxviz.analysis.settings import Settings
from ctxviz.lessons.lesson import lesson
from ctxviz.projection.budget import ContextBudget
from ctxviz.session.folder import SessionFile, session_files
from ctxviz.session.loading import Progress
from ctxviz.tui.app import CtxvizApp, Opening
from ctxviz.tui.keys import COMMANDS
from ctxviz.tui.screens import folder
from ctxviz.tui.screens.conversations import ConversationsScreen
from ctxviz.tui.screens.palette import PaletteCount
from ctxviz.tui.widgets import files
from ctxviz.tui.widgets.budget import Budget
from ctxviz.tui.workers import Loader
from tests.tui.opening import NARROW, WIDE, app_on, app_on_demo, session_of, still
from tests.tui.test_lessons import app_of
from tests.tui.test_toy import toy_app

MIDDLE = (120, 36)


def test_wide_dark(snap_compare: Any) -> None:
    assert snap_compare(app_on_demo("holes", look=True), terminal_size=WIDE, press=["tab", "down", "C"])


def test_wide_light(snap_compare: Any) -> None:
    assert snap_compare(app_on_demo("holes"), terminal_size=WIDE, press=["f2", "tab", "down", "C"])


def test_no_color(snap_compare: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(app_on_demo("holes"), terminal_size=WIDE, press=["tab", "down", "C"])


def test_one_column_report(snap_compare: Any) -> None:
    assert snap_compare(app_on_demo("first-steps"), terminal_size=NARROW, press=["i"])


def test_one_column_why(snap_compare: Any) -> None:
    assert snap_compare(app_on_demo("huge-output"), terminal_size=NARROW, press=["tab", "down", "right_parenthesis"])


def test_type_aware(snap_compare: Any) -> None:
    assert snap_compare(app_on_demo("tool-results"), terminal_size=WIDE, press=["Y"])


def test_content_of_other_scripts(snap_compare: Any) -> None:
    assert snap_compare(app_on_demo("not-english"), terminal_size=MIDDLE, press=["right_parenthesis"])


def test_ascii(snap_compare: Any) -> None:
    assert snap_compare(app_on_demo("lost-pin", ascii_signs=True), terminal_size=MIDDLE, press=["c"])


def test_tiny(snap_compare: Any) -> None:
    assert snap_compare(app_on_demo("first-steps"), terminal_size=(50, 14))


def test_empty(snap_compare: Any) -> None:
    nothing = "The file is whole: an ai4j snapshot whose memory.items is empty. It was saved before the first message."
    app = app_on(session_of([], nothing=nothing), max_items=20, pinned_prefix_items=2)
    assert snap_compare(app, terminal_size=MIDDLE)


def test_warnings(snap_compare: Any) -> None:
    warnings = ("line 3, column 8: not JSON: skipped", "line 9: not JSON: skipped")
    assert snap_compare(app_on(session_of(["one", "two", None, 4], warnings=warnings)), terminal_size=MIDDLE)


def test_keys(snap_compare: Any) -> None:
    assert snap_compare(app_on_demo("first-steps"), terminal_size=WIDE, press=["question_mark"])


def test_palette(snap_compare: Any) -> None:
    async def open_palette(pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+p", *"items")
        count = pilot.app.screen.query_one(PaletteCount)
        # All commands but the list itself, and those of records and conversations, which this session has not.
        for _ in range(200):
            if count.text.endswith(f" of {len(COMMANDS) - 3}") and not count.text.startswith(f"{len(COMMANDS) - 3} "):
                break
            await pilot.pause(0.01)
        await pilot.pause(0.05)

    assert snap_compare(app_on_demo("first-steps"), terminal_size=WIDE, run_before=open_palette)


def test_findings(snap_compare: Any) -> None:
    press = ["tab", "tab", "right_parenthesis", "right_parenthesis", "down"]
    assert snap_compare(app_on_demo("orphan-output"), terminal_size=WIDE, press=press)


def test_findings_in_one_column(snap_compare: Any) -> None:
    press = ["f", "left_parenthesis"]
    assert snap_compare(app_on_demo("holes"), terminal_size=NARROW, press=press)


def test_explain(snap_compare: Any) -> None:
    assert snap_compare(app_on_demo("holes"), terminal_size=WIDE, press=["e"])


def test_explain_in_one_column(snap_compare: Any) -> None:
    assert snap_compare(app_on_demo("lost-pin"), terminal_size=NARROW, press=["e"])


def test_explain_a_gate_in_ascii(snap_compare: Any) -> None:
    assert snap_compare(app_on_demo("first-steps", ascii_signs=True), terminal_size=MIDDLE, press=["e", "home"])


def test_show_only(snap_compare: Any) -> None:
    assert snap_compare(app_on_demo("holes"), terminal_size=MIDDLE, press=["ampersand", "space", "down"])


def test_toy(snap_compare: Any) -> None:
    assert snap_compare(toy_app(4, 10, 4, max_approx_chars=8), terminal_size=NARROW, press=["down", "E"])


def test_lesson(snap_compare: Any) -> None:
    assert snap_compare(app_of(lesson("gate-2")), terminal_size=NARROW, press=["b"])


def test_lessons(snap_compare: Any) -> None:
    assert snap_compare(app_of(None), terminal_size=NARROW, press=["down"])


def test_typing_a_number(snap_compare: Any) -> None:
    assert snap_compare(app_on_demo("first-steps"), terminal_size=MIDDLE, press=["c", "1", "8", "0", "0"])


def test_an_item_in_full(snap_compare: Any) -> None:
    assert snap_compare(app_on_demo("huge-output"), terminal_size=MIDDLE, press=["enter", "pagedown"])


def test_loading(snap_compare: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    first: list[Any] = [
        {"role": "user", "content": f"Question {number}: what happened at the gateway?"} for number in range(60)
    ]

    def read(self: Loader, path: str, format: str | None, conversation: str | None) -> None:
        self.post_message(self.Read(Progress(412_000_000, 1_090_000_000, 381_204, first, "JSON Lines")))

    monkeypatch.setattr(Loader, "read", read)
    settings = Settings(ContextBudget(max_items=20, pinned_prefix_items=2))
    app = still(CtxvizApp(Opening("trace-2026-11.jsonl", settings)))
    assert snap_compare(app, terminal_size=MIDDLE)


def test_folder(snap_compare: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {
        "incident-37.json": ('{"messages": 3}', 60),
        "release-bot.json": ('["a", "bb", "ccc"]', 90_000),
        "support.json": ('{"messages": [{"role": "user", "content": "hi"}, {"role": ', 300_000),
    }
    (tmp_path / "sessions").mkdir()
    for name, (text, _) in texts.items():
        (tmp_path / "sessions" / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    now = 2_000_000_000.0
    monkeypatch.setattr(files, "time", lambda: now)

    def dated(path: Path) -> list[SessionFile]:
        found = [
            SessionFile(file.path, file.size_bytes, now - texts[file.path.name][1]) for file in session_files(path)
        ]
        return sorted(found, key=lambda file: -file.changed)

    monkeypatch.setattr(folder, "session_files", dated)

    async def wait(pilot: Pilot[None]) -> None:
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()

    app = still(CtxvizApp(Opening("sessions", Settings())))
    assert snap_compare(app, terminal_size=MIDDLE, run_before=wait)


async def test_snapshots_show_a_focused_budget() -> None:
    """What the pictures rely on: Tab leads from the list to Budget."""
    app = app_on_demo("holes")
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("tab")
        assert isinstance(app.focused, Budget)


def _transcript(tmp_path: Path) -> Path:
    records: list[dict[str, Any]] = [{"type": "summary", "summary": "a repair", "leafUuid": "u1"}]
    for at in range(40):
        role = "assistant" if at % 2 else "user"
        records.append(
            {
                "type": role,
                "uuid": f"u{at}",
                "parentUuid": f"u{at - 1}" if at else None,
                "sessionId": "s",
                "isSidechain": 10 < at < 24,
                "message": {"role": role, "content": f"message {at} of the repair"},
            }
        )
    file = tmp_path / "repair.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records) + "{torn\n", encoding="utf-8")
    return file


def test_records_set_aside(snap_compare: Any, tmp_path: Path) -> None:
    app = CtxvizApp(Opening(str(_transcript(tmp_path)), Settings()))
    keys = ["S", "down", "home", "space"]
    assert snap_compare(still(app), terminal_size=MIDDLE, press=keys)


def test_conversations(snap_compare: Any, tmp_path: Path) -> None:
    turns = [
        [{"from": "human", "value": f"question {at}, and what follows"}, {"from": "gpt", "value": "a"}]
        for at in range(9)
    ]
    file = tmp_path / "many.json"
    file.write_text(json.dumps([{"id": f"talk_{at}", "conversations": one} for at, one in enumerate(turns)]))
    app = CtxvizApp(Opening(str(file), Settings()))

    async def wait(pilot: Pilot[None]) -> None:
        while not isinstance(pilot.app.screen, ConversationsScreen):
            await pilot.pause(0.01)
        await pilot.pause()

    assert snap_compare(still(app), terminal_size=MIDDLE, run_before=wait)
