"""The player on the screen: what moves it, what it shows, and that nothing else stays behind."""

from __future__ import annotations

import asyncio
import json
import statistics
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from ctxviz.projection.projection import UNDECIDED
from ctxviz.session.loading import load_session
from ctxviz.tui.app import CtxvizApp
from ctxviz.tui.screens.main import MainScreen
from ctxviz.tui.widgets.heading import ItemsHeading
from ctxviz.tui.widgets.items import ItemList
from ctxviz.tui.widgets.player import PlayerView
from ctxviz.tui.widgets.report import ReportView
from ctxviz.tui.widgets.strip import SessionStrip
from ctxviz.tui.widgets.tally import bar_row, tally
from ctxviz.tui.widgets.title import TitleLine
from tests.benchmarks.measuring import frame_costs, ratio_holds
from tests.tui.opening import NARROW, WIDE, app_on, main_screen, session_of, words
from tests.tui.test_screen import text_of

TWELVE = session_of(words(9, 5, 700, 5, 30, 8, 8, 40, 3, 3, 60, 12))
BUDGET: dict[str, Any] = {"max_items": 10, "max_approx_chars": 120, "pinned_prefix_items": 2}


def player(app: CtxvizApp) -> str:
    return text_of(main_screen(app).query_one(PlayerView))


def place(screen: MainScreen) -> tuple[int, int]:
    assert screen.playback is not None
    return screen.playback.at, len(screen.playback.trace)


async def test_stepping_through_twelve_items_and_back() -> None:
    app = app_on(TWELVE, **BUDGET)
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        await pilot.press("e", "home")
        assert place(screen) == (0, 14)
        assert "○ 12 not yet decided" in text_of(screen.query_one(ItemsHeading))
        assert "explaining" in text_of(screen.query_one(TitleLine))
        assert not screen.query_one("#report", ReportView).display
        assert "12 items  >  10" in player(app)
        await pilot.press(*["right"] * 3)
        playback = screen.playback
        assert playback is not None
        assert playback.index == 0
        assert screen.query_one(ItemList).cursor == 0
        assert playback.states[0] == UNDECIDED
        assert "▸ #0" in player(app)
        assert "◂ deciding" in text_of(screen.query_one(ItemList))
        await pilot.press("end")
        assert place(screen) == (13, 14)
        assert screen.playback is not None
        assert screen.examination is not None
        assert screen.playback.states == screen.examination.projection.states
        await pilot.press(*["left"] * 20)
        assert place(screen) == (0, 14)
        await pilot.press("escape")
        assert screen.playback is None
        assert screen.query_one("#report", ReportView).display
        assert isinstance(screen.focused, ItemList)


async def test_jumping_to_the_selected_item() -> None:
    app = app_on(TWELVE, **BUDGET)
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        screen.query_one(ItemList).cursor = 7
        await pilot.press("e")
        assert screen.playback is not None
        assert screen.playback.index == 7
        await pilot.press("up", "up", "k", "e")  # 4 was weighed too
        assert screen.playback.index == 4
        await pilot.press("up", "e")  # 3 was cut by gate 1
        assert (place(screen)[0], screen.query_one(ItemList).cursor) == (1, 3)
        screen.explain_at(2, 10)
        assert screen.playback.index == 10
        screen.explain_at(1, None)
        assert place(screen)[0] == 1


async def test_playing(monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_on(TWELVE, **BUDGET)
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        await pilot.press("e", "home", *["plus"] * 6, "space")
        assert screen.speed == 20
        assert screen.playing
        assert "pause" in player(app)
        for _ in range(200):
            if not screen.playing:
                break
            await pilot.pause(0.02)
        assert place(screen) == (13, 14)
        await pilot.press("space")  # from the last step it begins anew
        assert screen.playing
        assert place(screen)[0] < 13
        await pilot.press("minus", "left")
        assert not screen.playing
        assert screen.speed == 10
        await pilot.press("space", "escape")
        assert not screen.playing


async def test_another_budget_keeps_the_item() -> None:
    app = app_on(TWELVE, **BUDGET)
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        screen.query_one(ItemList).cursor = 7
        await pilot.press("e", "C", "C", "P")
        assert screen.playback is not None
        assert screen.playback.index == 7
        assert screen.playback.examination is screen.examination


@pytest.mark.parametrize(
    ("sizes", "budget", "shown"),
    [
        ([5], {}, "maxItems is not set"),
        ([5], {"max_approx_chars": 0}, "a limit of 0"),
        ([5] * 3, {"max_items": 0}, "a limit of 0"),
        ([40], {"max_approx_chars": 10}, "no flag, no note"),
    ],
)
@pytest.mark.parametrize("size", [WIDE, (120, 30), NARROW])
async def test_the_ends_of_the_rule(sizes: list[int], budget: Any, shown: str, size: tuple[int, int]) -> None:
    app = app_on(session_of(words(*sizes)), **budget)
    async with app.run_test(size=size) as pilot:
        await pilot.press("e", "home")
        seen = player(app)
        for _ in range(len(main_screen(app).playback.trace)):  # type: ignore[union-attr]
            await pilot.press("right")
            seen += player(app)
        assert shown in seen


async def test_nothing_to_explain() -> None:
    app = app_on(session_of([]))
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("e")
        assert main_screen(app).playback is None


@pytest.mark.parametrize("size", [WIDE, (120, 30), (100, 50), NARROW, (60, 18), (40, 10), (20, 5), (1, 1)])
@pytest.mark.parametrize("ascii_signs", [False, True])
async def test_every_size_of_terminal(size: tuple[int, int], ascii_signs: bool) -> None:
    app = app_on(TWELVE, ascii_signs=ascii_signs, **BUDGET)
    async with app.run_test(size=size) as pilot:
        await pilot.press("e", "home", "right", "right", "right", "right")
        if size[0] >= 60:
            assert "step" in player(app)
        if ascii_signs:
            assert player(app).isascii()
        await pilot.press("tab", "q")


async def test_the_mouse() -> None:
    app = app_on(TWELVE, **BUDGET)
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        await pilot.press("e", "home")
        view = screen.query_one(PlayerView)
        rows = player(app).split("\n")
        transport = next(at for at, row in enumerate(rows) if "play" in row)
        await click(pilot, view, rows[transport].index("⇥"), transport)
        assert place(screen) == (13, 14)
        steps = next(at for at, row in enumerate(player(app).split("\n")) if "Steps" in row)
        await click(pilot, view, 5, steps + 3)
        assert place(screen) == (11, 14)
        await click(pilot, view, rows[transport].index("⇤"), transport)
        assert place(screen) == (0, 14)


async def test_dragging_the_seek_bar() -> None:
    app = app_on(TWELVE, **BUDGET)
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        await pilot.press("e", "home")
        view = screen.query_one(PlayerView)
        rows = player(app).split("\n")
        y = next(at for at, row in enumerate(rows) if "play" in row)
        begin, end = rows[y].index("█"), rows[y].rindex("─")
        await pilot.mouse_down(view, offset=((begin + end) // 2, y))
        await pilot.pause()
        assert place(screen) == (6, 14)
        await pilot.hover(view, offset=(end, y + 3))  # off the bar it still follows
        await pilot.pause()
        assert place(screen) == (13, 14)
        await pilot.mouse_up(view, offset=(end, y + 3))
        await pilot.hover(view, offset=(begin, y))
        await pilot.pause()
        assert place(screen) == (13, 14)


async def test_no_part_moves_from_step_to_step() -> None:
    for size in (WIDE, (120, 30), NARROW):
        app = app_on(TWELVE, **BUDGET)
        async with app.run_test(size=size) as pilot:
            await pilot.press("e", "home")
            found = set()
            for _ in range(14):
                rows = player(app).split("\n")
                found.add(tuple(at for at, row in enumerate(rows) if "┃" in row or "gate 1" in row or "Steps" in row))
                await pilot.press("right")
            assert len(found) == 1


@pytest.mark.parametrize(
    ("sizes", "limit", "bars"),
    [
        # The toy: #2 fits, #1 goes beyond the limit, #0 fills it.
        ([4, 10, 4], 8, ["▚▚▚───┃─────", "███▚▚▚┃▚▚▚▚▚", "███▚▚▚┃─────", "██████┃─────"]),
        # The newest is forced.
        ([1, 10], 5, ["▚▚▚▚▚▚┃▚▚▚▚▚", "██████┃████▚"]),
    ],
)
async def test_the_bar(sizes: list[int], limit: int, bars: list[str]) -> None:
    app = app_on(session_of(words(*sizes)), max_approx_chars=limit)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("e", "home", "right", "right")
        view = main_screen(app).query_one(PlayerView)
        for bar in bars:
            assert view.playback is not None
            one = tally(view.playback)
            assert one is not None
            assert "".join(segment.text for segment in bar_row(view, one, 12).segments).strip() == bar
            await pilot.press("right")


async def test_the_list_scrolls_by_a_row() -> None:
    app = app_on(session_of(words(*[5] * 200)), max_approx_chars=700)
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        items = screen.query_one(ItemList)
        await pilot.press("e", "home", "right", "right")
        assert items.cursor == 199
        tops = []
        for _ in range(60):
            await pilot.press("right")
            tops.append(items.scroll_offset.y)
        assert {before - after for before, after in pairwise(tops)} == {0, 1}
        assert items.scroll_offset.y == items.cursor


async def test_the_keys_work_from_the_list_too() -> None:
    app = app_on(TWELVE, **BUDGET)
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        await pilot.press("left", "space", "plus")  # closed, they do nothing
        assert (screen.playback, screen.playing, screen.speed) == (None, False, 2)
        await pilot.press("e", "home")
        screen.query_one(ItemList).focus()
        await pilot.press("right", "right", "plus")
        assert (place(screen)[0], screen.speed) == (2, 5)
        await pilot.press("space")
        assert screen.playing
        await pilot.press("question_mark")  # what covers the screen stops it
        assert not screen.playing
        await pilot.press("escape", "e")
        assert isinstance(screen.focused, PlayerView)


async def test_the_session_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    path.write_text(json.dumps(words(9, 5, 7, 5)))
    app = app_on(load_session(path), path=str(path), max_approx_chars=14)
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        await pilot.press("e", "end", "space")
        path.write_text(json.dumps(words(9, 5)))
        await pilot.press("R")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert screen.playback is not None
        assert screen.playback.examination is screen.examination
        assert len(screen.playback.states) == 2
        path.write_text("[]")
        await pilot.press("R")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert screen.playback is None
        assert not screen.playing


async def test_what_is_cleared_is_a_step() -> None:
    outputs: list[Any] = [{"type": "function_call_output", "call_id": "c", "output": "x" * 90} for _ in range(3)]
    app = app_on(session_of(outputs), projector="type-aware", max_recent_tool_results=1, max_approx_chars=180)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("e", "home")
        assert "2 old tool results cleared" in player(app)
        assert main_screen(app).query_one(ItemList).cursor == 0
        await pilot.press("end")
        assert "1 item enters the window" in player(app)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_wide_tab_stays_wide(size: tuple[int, int]) -> None:
    app = app_on(TWELVE, **BUDGET)
    async with app.run_test(size=size) as pilot:
        before = main_screen(app).place
        await pilot.press("e", "w", "right", "w", "escape")
        assert main_screen(app).place == before


async def click(pilot: Pilot[Any], view: PlayerView, x: int, y: int) -> None:
    await pilot.click(view, offset=(x, y))
    await pilot.pause()


async def test_ten_thousand_items() -> None:
    sizes = [17 * at % 400 for at in range(10_000)]
    app = app_on(session_of(words(*sizes)), max_items=9_000, max_approx_chars=300_000, pinned_prefix_items=5)
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        screen.query_one(ItemList).cursor = 6_000
        await pilot.press("e")
        assert screen.playback is not None
        assert screen.playback.index == 6_000
        await pilot.press("home", "end", "pageup", "left")
        assert place(screen) == (9_004 - 12, 9_004)
        assert "○ 11" in text_of(screen.query_one(ItemsHeading))
        assert "▃" in text_of(screen.query_one(SessionStrip))


STEP_KEYS = ("e", "right", "right", "end", "left", "left") * 4


def test_a_step_in_ten_times_the_items_costs_less_than_three_times_the_work() -> None:
    def median_step(count: int) -> float:
        return statistics.median(asyncio.run(frame_costs(count, STEP_KEYS)))

    assert ratio_holds(lambda: median_step(100_000) / median_step(10_000), 3)
