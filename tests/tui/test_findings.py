"""Findings on the screen: shown everywhere, gone to by key, and following the controls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from ctxviz.analysis.filtering import ItemFilter
from ctxviz.analysis.providers.overrides import rules, rules_path
from ctxviz.session.item import Kind
from ctxviz.session.model import Session
from ctxviz.tui.app import CtxvizApp
from ctxviz.tui.screens.filter import FilterScreen
from ctxviz.tui.screens.main import MainScreen
from ctxviz.tui.screens.reading import ReadingScreen, ReadingText
from ctxviz.tui.widgets.findings import FindingsView
from ctxviz.tui.widgets.items import ItemList
from ctxviz.tui.widgets.notice import Notice
from ctxviz.tui.widgets.strip import SessionStrip
from ctxviz.tui.widgets.tabs import TabBar
from ctxviz.tui.widgets.title import TitleLine
from ctxviz.tui.widgets.why import WhyView
from tests.export.sessions import HOSTILE, RAW
from tests.tui.opening import NARROW, WIDE, app_on, main_screen, session_of
from tests.tui.test_screen import text_of


def call(*ids: str) -> Any:
    made = [{"id": one, "type": "function", "function": {"name": "grep", "arguments": "{}"}} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": made}


def output(call_id: str, text: str = "r") -> Any:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def user(text: str = "q") -> Any:
    return {"role": "user", "content": text}


ITEMS = [
    user(),
    call("a"),
    output("a"),
    user(),
    call("b"),
    output("b", "x" * 900),
    call("c", "d"),
    output("c"),
    output("d"),
]
"""#1 and #2, #4 and #5, #6 and #7 and #8 belong together."""


async def found(app: CtxvizApp, pilot: Pilot[None]) -> MainScreen:
    """The screen, when what is to be found about what it shows is found."""
    screen = main_screen(app)
    for _ in range(300):
        if screen.findings is not None and screen.findings.examination is screen.examination:
            break
        await pilot.pause(0.01)
    await pilot.pause()
    return screen


async def test_findings_follow_the_controls_everywhere() -> None:
    app = app_on(session_of(ITEMS), max_items=7)
    async with app.run_test(size=WIDE) as pilot:
        screen = await found(app, pilot)
        assert "✗ openai-chat 400" in text_of(screen.query_one(TitleLine))
        assert "1 error, 1 warning" in text_of(screen.query_one(TitleLine))
        assert "✗ orphan-output" in text_of(screen.query_one(ItemList))
        assert "▲ task-lost" in text_of(screen.query_one(ItemList))
        screen.query_one(ItemList).cursor = 4
        await pilot.pause()
        assert {"✗", "!"} <= set(text_of(screen.query_one(SessionStrip)))
        assert "Findings ✗1 ▲1" in text_of(screen.query_one(TabBar))
        await pilot.press("I")
        await found(app, pilot)
        assert "400" not in text_of(screen.query_one(TitleLine))
        assert "orphan" not in text_of(screen.query_one(ItemList))
        await pilot.press("I")
        await found(app, pilot)
        assert "✗" not in text_of(screen.query_one(TabBar))


async def test_going_from_finding_to_finding() -> None:
    app = app_on(session_of(ITEMS), max_approx_chars=500, pinned_prefix_items=2)
    async with app.run_test(size=WIDE) as pilot:
        screen, items = await found(app, pilot), main_screen(app).query_one(ItemList)
        assert screen.findings is not None
        places = screen.findings.places
        assert places == sorted(places)
        seen = [items.cursor] if items.cursor in places else []
        for _ in places:
            await pilot.press("f")
            seen.append(items.cursor)
        assert sorted(set(seen)) == places
        await pilot.press("f")
        assert f"No finding after #{places[-1]}" in text_of(screen.query_one(Notice))
        for place in reversed(places[:-1]):
            await pilot.press("F")
            assert items.cursor == place


async def test_the_other_half_of_a_pair() -> None:
    app = app_on(session_of(ITEMS), max_items=7)
    async with app.run_test(size=WIDE) as pilot:
        screen, items = await found(app, pilot), main_screen(app).query_one(ItemList)
        items.cursor = 2
        await pilot.pause()
        assert "its call, dropped" in text_of(items)
        assert "╭" in text_of(items)
        assert "#1  call, ·1 dropped" in text_of(screen.query_one(WhyView))
        await pilot.press("a")
        assert items.cursor == 1
        items.cursor = 6
        await pilot.press("a")
        assert items.cursor == 7
        await pilot.press("a", "a")
        assert items.cursor == 7
        items.cursor = 0
        await pilot.press("a")
        assert "#0 has no other half" in text_of(screen.query_one(Notice))


async def test_the_list_shows_some_items_only() -> None:
    app = app_on(session_of(ITEMS), max_items=7)
    async with app.run_test(size=WIDE) as pilot:
        screen, items = await found(app, pilot), main_screen(app).query_one(ItemList)
        await pilot.press("ampersand")
        assert isinstance(app.screen, FilterScreen)
        await pilot.press("home", "down", "space", "enter")  # what maxItems dropped
        await pilot.pause()
        assert list(items.listed) == [0, 1]
        assert "2 of 9 items: dropped by maxItems" in text_of(screen.query_one(Notice))
        await pilot.press("i")
        await found(app, pilot)
        assert list(items.listed) == [0, 1, 2]
        await pilot.press("f", "f", "end")
        assert not screen.filter or items.cursor in items.listed
        screen.filter = ItemFilter(kinds=frozenset({Kind.TOOL_OUTPUT}))
        await pilot.pause()
        assert list(items.listed) == [2, 5, 7, 8]
        await pilot.press("home", "j", "j")
        assert items.cursor == 7
        await pilot.press("g", "3", "enter")
        assert items.cursor == 3
        assert not screen.filter
        assert "All items are shown again" in text_of(screen.query_one(Notice))
        screen.filter = ItemFilter(findings=frozenset({"error"}))
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        assert len(items.listed) == 9


async def test_a_filter_that_lets_nothing_through() -> None:
    app = app_on(session_of(ITEMS))
    async with app.run_test(size=NARROW) as pilot:
        screen = await found(app, pilot)
        screen.filter = ItemFilter(findings=frozenset({"hole"}))
        await pilot.pause()
        assert list(screen.query_one(ItemList).listed) == []
        await pilot.press("j", "k", "end", "home", "pagedown", "enter", "d", "f", "a", "e", "escape", "ampersand", "x")
        await pilot.pause()
        assert len(screen.query_one(ItemList).listed) == 9


async def test_the_findings_tab() -> None:
    app = app_on(session_of(ITEMS), max_items=7)
    async with app.run_test(size=WIDE) as pilot:
        screen = await found(app, pilot)
        await pilot.press("tab", "tab", "right", "right")
        view = screen.query_one(FindingsView)
        text = text_of(view)
        assert "✗ 400   openai-chat" in text
        assert "✗ mistral" in text
        assert "its call #1 was dropped by maxItems" in text
        await pilot.press("enter")
        assert screen.query_one(ItemList).cursor == 2
        await pilot.press("down", "enter")
        assert screen.query_one(ItemList).cursor == 0
        await pilot.press("end", "home", "pagedown", "pageup")
        assert view.chosen == 0


async def test_another_providers_rules() -> None:
    app = app_on(session_of(ITEMS), max_items=7)
    async with app.run_test(size=WIDE) as pilot:
        screen = await found(app, pilot)
        await pilot.press("v")
        await found(app, pilot)
        assert "openai-responses 400" in text_of(screen.query_one(TitleLine))
        await screen.run_action("provider('glm')")
        await found(app, pilot)
        assert screen.settings.provider == "glm"
        assert "400" not in text_of(screen.query_one(TitleLine))
        assert "▲ orphan-output" in text_of(screen.query_one(ItemList))


async def test_what_is_sent() -> None:
    items: list[Any] = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]},
        {"type": "reasoning", "id": "rs_1", "summary": []},
    ]
    session = Session("made.json", "made.json", "ai4j-memory", "ai4j memory", items)
    app = app_on(session)
    async with app.run_test(size=WIDE) as pilot:
        await found(app, pilot)
        await pilot.press("v", "v", "V")
        await found(app, pilot)
        await pilot.pause(0.1)
        screen = app.screen
        assert isinstance(screen, ReadingScreen)
        assert "text=hello" in text_of(screen.query_one(ReadingText)) or '"content": "hello"' in text_of(
            screen.query_one(ReadingText)
        )
        await pilot.press("right")
        await pilot.pause(0.1)
        assert "#1" in text_of(screen.query_one(ReadingText))


async def test_a_broken_file_of_rules_is_said_and_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    rules_path().parent.mkdir()
    rules_path().write_text("rule = 3")
    rules.cache_clear()
    app = app_on(session_of(ITEMS), max_items=7)
    async with app.run_test(size=WIDE) as pilot:
        screen = await found(app, pilot)
        assert "The built-in rules are gone by" in " ".join(text_of(screen.query_one(Notice)).split())
        assert "openai-chat 400" in text_of(screen.query_one(TitleLine))
    rules.cache_clear()


async def test_a_long_session_is_looked_at_apart() -> None:
    app = app_on(session_of(ITEMS * 1_000), max_items=8_990)
    async with app.run_test(size=NARROW) as pilot:
        screen = await found(app, pilot)
        assert screen.findings is not None
        assert len(screen.findings) > 1
        await pilot.press("i", "I", "i")
        await found(app, pilot)
        await pilot.press("i", "q")
    assert app.return_code == 0


async def test_hostile_ids_reach_no_terminal() -> None:
    app = app_on(session_of([user(), call(HOSTILE), output(HOSTILE), output(HOSTILE), output(HOSTILE * 9)]))
    async with app.run_test(size=WIDE) as pilot:
        screen = await found(app, pilot)
        await pilot.press("right_parenthesis", "right_parenthesis")
        await pilot.pause()
        shown = text_of(screen.query_one(FindingsView)) + text_of(screen.query_one(ItemList))
        assert "duplicate-call-id" in shown
        assert not any(character in shown for character in RAW)
