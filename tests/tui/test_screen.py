"""The real application, driven by keys and mouse; what is asserted is its state."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widget import Widget

from ctxviz.analysis.bundled import demos
from ctxviz.analysis.settings import Settings
from ctxviz.projection.budget import ContextBudget
from ctxviz.tui.app import CtxvizApp, Opening
from ctxviz.tui.paint import LinesView, Panel
from ctxviz.tui.screens.folder import FolderScreen
from ctxviz.tui.screens.keys import KeysScreen, KeysView
from ctxviz.tui.screens.main import MainScreen
from ctxviz.tui.screens.palette import ChoiceList, PaletteScreen
from ctxviz.tui.screens.prompt import Prompt, PromptHint
from ctxviz.tui.screens.reading import ReadingScreen, ReadingText
from ctxviz.tui.widgets.budget import Budget
from ctxviz.tui.widgets.footer import FooterLine
from ctxviz.tui.widgets.items import ItemList
from ctxviz.tui.widgets.notice import Notice
from ctxviz.tui.widgets.report import ReportView
from ctxviz.tui.widgets.strip import SessionStrip
from ctxviz.tui.widgets.tabs import TabBar
from ctxviz.tui.widgets.why import WhyView
from tests.tui.opening import NARROW, WIDE, app_on, app_on_demo, main_screen, session_of, still, words


def budget_of(app: CtxvizApp) -> ContextBudget:
    return main_screen(app).settings.budget


def is_main(app: CtxvizApp) -> bool:
    """Whether nothing is open above the main screen."""
    return isinstance(app.screen, MainScreen)


def projector_of(app: CtxvizApp) -> str:
    return main_screen(app).settings.projector


def drawn(app: CtxvizApp) -> list[str]:
    """Every line that is on the screen."""
    widgets = [widget for widget in app.screen.walk_children(Widget) if widget.is_attached]
    return [
        "".join(part.text for part in widget.render_line(y)) for widget in widgets for y in range(widget.size.height)
    ]


def kept(app: CtxvizApp) -> tuple[int, ...]:
    examination = main_screen(app).examination
    assert examination is not None
    return examination.projection.kept


def text_of(panel: Panel | LinesView) -> str:
    return "\n".join(panel.render_line(y).text.rstrip() for y in range(panel.size.height))


def row_with(panel: Panel, text: str) -> int:
    return next(y for y in range(panel.size.height) if text in panel.render_line(y).text)


async def typed(pilot: Pilot[None], text: str) -> None:
    for letter in text:
        await pilot.press(letter)
    await pilot.press("enter")
    await pilot.pause()


async def test_letters_move_the_three_numbers_by_one_step() -> None:
    app = app_on(session_of(words(*[30] * 20)), max_items=10, max_approx_chars=300, pinned_prefix_items=2)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("i", "i", "I", "C", "P", "P", "p")
        assert budget_of(app) == ContextBudget(max_items=9, max_approx_chars=302, pinned_prefix_items=3)
        assert kept(app) == (0, 1, 2, 14, 15, 16, 17, 18, 19)
        await pilot.press("c")
        assert budget_of(app).max_approx_chars == 300
        await pilot.press("r")
        assert budget_of(app) == ContextBudget(max_items=10, max_approx_chars=300, pinned_prefix_items=2)


async def test_keys_in_budget() -> None:
    app = app_on(session_of(words(*[10] * 40)), max_items=20)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("tab", "left", "left", "right", "pagedown")
        assert budget_of(app).max_items == 9
        await pilot.press("pageup", "pageup")
        assert budget_of(app).max_items == 29
        await pilot.press("home")
        assert budget_of(app).max_items == 0
        assert kept(app) == ()
        await pilot.press("end", "down", "down", "right")
        assert budget_of(app) == ContextBudget(max_items=40, pinned_prefix_items=1)
        await pilot.press("down", "up", "home")
        assert budget_of(app).max_approx_chars == 0


async def test_keys_faster_than_the_screen_lose_no_step() -> None:
    app = app_on(session_of(words(*[10] * 40)), max_items=20)
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        screen._last_cost = 1.0  # as if an examination took a second: they are put together
        for _ in range(5):
            screen.action_step("max_items", -1)
        assert screen.settings.budget.max_items == 15
        await pilot.pause()
        assert len(kept(app)) == 15


async def test_a_number_is_typed_from_anywhere() -> None:
    app = app_on(session_of(words(*[10] * 40)))
    async with app.run_test(size=WIDE) as pilot:
        await typed(pilot, "12")
        assert budget_of(app).max_items == 12
        await pilot.press("p")
        await typed(pilot, "3")
        assert budget_of(app) == ContextBudget(max_items=12, pinned_prefix_items=3)
        await pilot.press("c", "9", "x", "enter")
        assert isinstance(app.screen, Prompt)
        assert "no whole number" in app.screen.query_one(PromptHint).wrong
        await pilot.press("escape")
        assert not isinstance(app.screen, Prompt)
        before = budget_of(app)
        await pilot.press("1", "escape")
        assert budget_of(app) == before
        await pilot.press("5", "backspace")
        await typed(pilot, "none")
        assert budget_of(app).max_approx_chars is None


async def test_unlimited_and_back() -> None:
    app = app_on(session_of(words(*[10] * 40)), max_items=7)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("u")
        assert budget_of(app).max_items is None
        await pilot.press("u")
        assert budget_of(app).max_items == 7
        await pilot.press("p", "u")
        assert budget_of(app) == ContextBudget(max_items=7, pinned_prefix_items=0)
        await pilot.press("c", "u", "i")
        assert budget_of(app).max_approx_chars is None
        assert budget_of(app).max_items == 6


async def test_the_mouse_on_the_controls() -> None:
    app = app_on(session_of(words(*[10] * 40)), max_items=20)
    async with app.run_test(size=WIDE) as pilot:
        budget = app.screen.query_one(Budget)
        bar = row_with(budget, "█")
        width = len(budget.render_line(bar).text.rstrip()) - 2 - 7
        await pilot.click(Budget, offset=(2, bar))
        assert budget_of(app).max_items == 0
        await pilot.mouse_down(Budget, offset=(4, bar))
        for x in range(5, 20):
            await pilot.hover(Budget, offset=(x, bar))
        await pilot.mouse_up(Budget, offset=(19, bar))
        dragged = budget_of(app).max_items
        assert dragged == round(40 * 17 / (width - 1))
        previous = main_screen(app).previous
        assert previous is not None
        assert previous.settings.budget.max_items == 0  # a drag is one change, from its start
        await pilot.click(Budget, offset=(budget.size.width - 3, row_with(budget, "maxItems")))
        assert budget_of(app).max_items is None
        await pilot.click(Budget, offset=(5, row_with(budget, "pinnedPrefixItems")))
        assert main_screen(app).active == "pinned_prefix_items"
        pinned_bar = row_with(budget, "pinnedPrefixItems") + 1
        await pilot._post_mouse_events([events.MouseScrollUp], Budget, offset=(5, pinned_bar))  # pilots have no wheel
        await pilot.pause()
        assert budget_of(app).pinned_prefix_items == 1


async def test_projector_and_measure_are_switched_by_key_and_click() -> None:
    app = app_on_demo("tool-results")
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        assert projector_of(app) == "type-aware"
        budget = screen.query_one(Budget)
        assert "maxRecentToolResults" in text_of(budget)
        await pilot.press("y", "Y", "Y", "T")
        assert (budget_of(app).max_recent_tool_results, budget_of(app).trim_old_reasoning) == (3, False)
        await pilot.press("t")
        assert projector_of(app) == "default"
        assert "maxRecentToolResults" not in text_of(budget)
        await pilot.press("Y")
        assert "type-aware projector only" in screen.query_one(Notice).text
        await pilot.press("s")
        assert main_screen(app).settings.measure == "resumed"
        row = budget.render_line(1).text
        await pilot.click(Budget, offset=(row.index("content"), 1))
        assert main_screen(app).settings.measure == "content"
        await pilot.click(Budget, offset=(row.index("type-aware"), 1))
        assert projector_of(app) == "type-aware"


async def test_colours_reasons_and_report_follow() -> None:
    app = app_on(session_of(words(4, 10, 4)), max_approx_chars=8)
    async with app.run_test(size=WIDE) as pilot:
        items, report = app.screen.query_one(ItemList), app.screen.query_one("#report", ReportView)
        why = app.screen.query_one(WhyView)
        assert [items.render_line(y).text[2:4] for y in range(3)] == ["● ", "·2", "● "]
        await pilot.press("j")
        assert "hole" in items.render_line(1).text
        assert "dropped by maxApproxChars" in why.render_line(1).text
        await pilot.press("C", "c")
        await typed(pilot, "14")
        assert [items.render_line(y).text[2:4] for y in range(3)] == ["·2", "● ", "● "]
        assert "kept: it fits" in why.render_line(1).text
        shown = text_of(report)
        assert "since last change" in shown
        assert "+6" in shown.splitlines()[5]
        strip = app.screen.query_one(SessionStrip).render_line(0).text
        assert strip.strip()[0] == "▂"
        assert strip.strip()[-1] == "▆"


async def test_moving_in_the_list() -> None:
    app = app_on(session_of(words(*range(1, 101))), max_items=50, pinned_prefix_items=10)
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        await pilot.press("j", "down", "k")
        assert screen.selected == 1
        await pilot.press("d")
        assert screen.selected == 10
        await pilot.press("D")
        assert screen.selected == 10
        assert "No dropped item before #10" in screen.query_one(Notice).text
        await pilot.press("escape", "end")
        assert screen.selected == 99
        assert not screen.query_one(Notice).text
        await pilot.press("D", "g")
        assert screen.selected == 59
        await typed(pilot, "#77")
        assert screen.selected == 77
        await pilot.press("g", "1", "0", "0", "enter")
        assert isinstance(app.screen, Prompt)
        await pilot.press("escape", "home", "pagedown")
        assert screen.selected == screen.query_one(ItemList).size.height - 1


async def test_a_budget_that_moves_never_scrolls_the_list() -> None:
    app = app_on(session_of(words(*[10] * 200)), max_items=100)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("g", "8", "0", "enter")
        items = app.screen.query_one(ItemList)
        top = items.scroll_offset.y
        await pilot.press("i", "i", "P", "c", "u")
        assert (items.cursor, items.scroll_offset.y) == (80, top)


async def test_finding_text() -> None:
    texts = [{"role": "user", "content": f"number {n}" + (" Needle" if n in (20, 60) else "")} for n in range(80)]
    app = app_on(session_of(texts))
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)

        async def found() -> int:
            await app.workers.wait_for_complete()
            await pilot.pause()
            return screen.selected

        await pilot.press("slash")
        await typed(pilot, "needle")
        assert await found() == 20
        await pilot.press("n")
        assert await found() == 60
        await pilot.press("n")
        assert await found() == 20
        await pilot.press("N")
        assert await found() == 60
        await pilot.press("slash")
        await pilot.press(*["backspace"] * 6)
        await typed(pilot, "absent")
        await found()
        assert "in no item" in screen.query_one(Notice).text


async def test_an_item_is_read_in_full() -> None:
    long = "\n".join(f"line {n} of a long output" for n in range(2_000))
    output = {"role": "tool", "tool_call_id": "a", "content": long}
    app = app_on(session_of([{"role": "user", "content": "hi"}, output]))
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("end", "enter")
        assert isinstance(app.screen, ReadingScreen)
        reading = app.screen.query_one(ReadingText)
        assert reading.count == 2_000
        await pilot.press("end")
        assert "line 1999" in reading.render_line(reading.size.height - 1).text
        await pilot.press("right")
        assert reading.render_line(0).text.strip() == "{"
        await pilot.press("right")
        assert "{role=tool, tool_call_id=a, content=line 0" in reading.render_line(0).text
        await pilot.press("escape")
        assert is_main(app)


async def test_the_strip_is_the_scrollbar() -> None:
    app = app_on(session_of(words(*[10] * 1_000)))
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        await pilot.click(SessionStrip, offset=(2, 1))
        assert screen.selected == 3
        await pilot.click(SessionStrip, offset=(137, 0))
        assert screen.selected == 996
        items = screen.query_one(ItemList)
        first, end = screen.query_one(SessionStrip).visible_items
        assert (first, end) == (items.scroll_offset.y, items.scroll_offset.y + items.size.height)
        await pilot.click(ItemList, offset=(20, 3))
        assert screen.selected == items.scroll_offset.y + 3
        await pilot.click(ItemList, offset=(20, 5), times=2)
        assert isinstance(app.screen, ReadingScreen)


async def test_tab_goes_round_and_tabs_change() -> None:
    app = app_on_demo("first-steps")
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        seen = []
        for _ in range(4):
            seen.append(type(app.focused).__name__)
            await pilot.press("tab")
        assert seen == ["ItemList", "Budget", "TabBar", "ItemList"]
        await pilot.press("right_parenthesis")
        assert screen.tab == "Content"
        await pilot.press("left_parenthesis")
        assert screen.tab == "Why"
        await pilot.click(TabBar, offset=(10, 0))
        assert screen.tab == "Content"
        await pilot.press("w")
        assert not screen.query_one("#report").display


async def test_one_column() -> None:
    app = app_on_demo("first-steps")
    async with app.run_test(size=NARROW) as pilot:
        screen = main_screen(app)
        assert screen.has_class("-narrow")
        assert screen.query_one(ItemList).size.height == 9
        assert screen.tab == "Report"
        assert screen.query_one(TabBar).tabs == ("Report", "Why", "Content", "Findings")
        shown = text_of(screen.query_one(Budget))
        assert all(name in shown for name in ("maxItems", "maxApproxChars", "pinnedPrefixItems", "◆ 2", "●", "·1 4"))
        report = screen.query_one("#page-report", ReportView)
        assert report.display
        assert all(
            name in text_of(report)
            for name in ("sourceItemCount", "projectedItemCount", "droppedItemCount", "sourceApproxChars",
                         "projectedApproxChars", "itemLimitApplied", "characterLimitApplied", "notes")
        )  # fmt: skip
        await pilot.resize_terminal(*WIDE)
        await pilot.pause()
        assert screen.has_class("-wide")
        assert screen.tab == "Why"


@pytest.mark.parametrize("size", [(59, 17), (40, 10), (20, 6), (10, 4), (3, 2), (1, 1), (300, 90)])
async def test_no_size_is_too_small_or_too_large(size: tuple[int, int]) -> None:
    app = app_on_demo("tool-results", look=True)
    async with app.run_test(size=size) as pilot:
        await pilot.press("j", "i", "tab", "left", "d", "question_mark", "escape", "ctrl+p", "escape", "5", "escape")
        await pilot.press("enter", "escape", "right_parenthesis")
        assert is_main(app)


async def test_an_empty_session_says_so() -> None:
    app = app_on(session_of([], nothing="The file is whole: a JSON list that is empty."), max_items=20)
    async with app.run_test(size=WIDE) as pilot:
        view = app.screen.query_one("EmptyView")
        assert view.display
        assert isinstance(view, Panel)
        assert "This session has no items." in text_of(view)
        assert "a JSON list that is empty" in text_of(view)
        await pilot.press("j", "d", "g", "enter", "i", "slash")
        await pilot.press("escape")
        assert budget_of(app).max_items == 19


@pytest.mark.parametrize("name", [one.name for one in demos()])
async def test_what_to_look_at_is_read_whole_at_80_x_24(name: str) -> None:
    app = app_on_demo(name, look=True)
    async with app.run_test(size=NARROW):
        notice = app.screen.query_one(Notice)
        shown = text_of(notice).replace("Esc close", "").split()
        assert shown == notice.text.split()


async def test_a_long_notice_ends_in_one_ellipsis() -> None:
    app = app_on(session_of(words(1), warnings=("line 3: " + "word, " * 90,)))
    async with app.run_test(size=NARROW):
        last = text_of(app.screen.query_one(Notice)).splitlines()[-1]
        assert last.endswith("…")
        assert not last.endswith("……")


async def test_warnings_are_seen_and_listed() -> None:
    app = app_on(session_of(words(1), warnings=("line 3: not JSON: skipped", "line 9: not JSON: skipped")))
    async with app.run_test(size=WIDE) as pilot:
        screen = main_screen(app)
        assert "line 3: not JSON: skipped" in screen.query_one(Notice).text
        assert "2 warnings" in screen.query_one("TitleLine").render_line(0).text
        await pilot.press("exclamation_mark")
        assert isinstance(app.screen, ReadingScreen)
        assert "line 9" in app.screen.query_one(ReadingText).render_line(1).text


async def test_keys_are_listed_and_narrowed() -> None:
    app = app_on_demo("first-steps")
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("question_mark")
        assert isinstance(app.screen, KeysScreen)
        view = app.screen.query_one(KeysView)
        all_rows = view.count
        await pilot.press("slash")
        await typed(pilot, "measure")
        assert view.count < all_rows
        await pilot.press("escape")
        assert view.count == all_rows
        await pilot.press("escape")
        assert is_main(app)


async def test_every_command_of_the_palette_runs() -> None:
    app = app_on_demo("first-steps")
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("ctrl+p")
        assert isinstance(app.screen, PaletteScreen)
        await typed(pilot, "lower maxit")
        assert budget_of(app).max_items == 7
        await pilot.press("ctrl+p")
        names = [choice.name for choice in app.screen.choices]
        effects = [choice.effect() for choice in app.screen.choices]
        assert any(effect.startswith("7 to 6: 6 items, ") for effect in effects)
        await pilot.press("escape")
        for name in names:
            if name == "Quit":
                continue
            await pilot.press("ctrl+p")
            choices = app.screen.query_one(ChoiceList)
            choices.cursor = names.index(name)
            await pilot.press("enter")
            await pilot.pause()
            while not is_main(app):
                await pilot.press("escape")
                await pilot.pause()


async def test_dark_and_light() -> None:
    app = app_on_demo("first-steps")
    async with app.run_test(size=WIDE) as pilot:
        assert app.theme == "ctxviz-dark"
        await pilot.press("f2")
        assert app.theme == "ctxviz-light"
        await pilot.press("f2")
        assert app.theme == "ctxviz-dark"


async def test_the_footer_shows_what_matters_and_can_be_clicked() -> None:
    app = app_on_demo("first-steps")
    async with app.run_test(size=WIDE) as pilot:
        footer = app.screen.query_one(FooterLine)
        row = footer.render_line(0).text
        assert all(pair in row for pair in ("i I items", "c C chars", "p P pinned", "d D dropped", "? keys"))
        await pilot.click(FooterLine, offset=(row.index("? keys"), 0))
        await pilot.pause()
        assert isinstance(app.screen, KeysScreen)


async def test_session_text_never_acts_on_the_terminal() -> None:
    hostile = "\x1b[31mred\x1b]0;title\x07 [bold]x[/bold] \u202eevil\u2066 \ud83d \x00 [/nonsense"
    app = app_on(session_of([{"role": "user", "content": hostile}, hostile, {"role": hostile, hostile: hostile}]))
    async with app.run_test(size=WIDE) as pilot:
        for key in ("right_parenthesis", "j", "enter"):
            await pilot.press(key)
            await pilot.pause()
            assert not set("\x1b\x07\x00\u202e\u2066\ud83d") & set("".join(drawn(app)))
        items = main_screen(app).query_one(ItemList)
        assert "[bold]x[/bold]" in items.render_line(0).text


async def test_loading_shows_progress_and_then_the_session(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(f'"item {n}"' for n in range(5_000)))
    app = still(CtxvizApp(Opening(str(path), Settings(ContextBudget(max_items=10)))))
    async with app.run_test(size=WIDE) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert len(kept(app)) == 10
        path.write_text('["only one"]')
        await pilot.press("R")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert kept(app) == (0,)
        path.write_bytes(b"\x00\x01\x02")
        await pilot.press("R")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert kept(app) == (0,)
        assert str(path) in main_screen(app).query_one(Notice).text


async def test_a_session_that_cannot_be_read_ends_with_one_line(tmp_path: Path) -> None:
    app = still(CtxvizApp(Opening(str(tmp_path / "absent.json"), Settings())))
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause(0.2)
    assert app.return_code == 2
    assert app.last_words == f"ctxviz: {tmp_path / 'absent.json'}: no such file"


async def test_a_folder_lists_its_sessions(tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text('["a", "bb"]')
    (tmp_path / "bad.json").write_text("no json at all")
    (tmp_path / "cut.json").write_text('{"messages": [{"role": "user", "content": "hi"}, {"role": ')
    app = still(CtxvizApp(Opening(str(tmp_path), Settings())))
    async with app.run_test(size=WIDE) as pilot:
        assert isinstance(app.screen, FolderScreen)
        await app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press("s")
        rows = [app.screen.query_one("#files").render_line(y).text for y in range(3)]
        assert "not readable" in rows[0]
        assert rows[1].split()[:2] == ["▲", "cut.json"]
        assert rows[2].split()[:3] == ["good.json", "2", "3"]
        assert "1 unreadable, 1 with warnings" in app.screen.query_one("FolderTitle").render_line(0).text
        await pilot.press("enter")
        assert isinstance(app.screen, FolderScreen)
        await pilot.press("slash")
        await typed(pilot, "good")
        await pilot.press("enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert kept(app) == (0, 1)
        await pilot.press("O")
        await pilot.pause()
        assert isinstance(app.screen, FolderScreen)
        assert len(app.screen_stack) == 1


async def test_another_session_is_opened_in_place_of_this_one(tmp_path: Path) -> None:
    for name, items in (("first.json", '["a", "bb"]'), ("second.json", '["ccc"]')):
        (tmp_path / name).write_text(items)
    path = str(tmp_path / "first.json")
    app = app_on(session_of(["a", "bb"]), path=path, max_items=9)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("i", "O")
        await pilot.pause()
        assert isinstance(app.screen, FolderScreen)
        await pilot.press("escape")
        assert is_main(app)
        await pilot.press("O", "slash")
        await typed(pilot, "second")
        await pilot.press("enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert is_main(app)
        assert kept(app) == (0,)
        assert budget_of(app).max_items == 9
        assert "second.json" in app.screen.query_one("TitleLine").render_line(0).text


@pytest.mark.parametrize("screen", ["", "question_mark", "ctrl+c"])
async def test_q_quits(screen: str) -> None:
    app = app_on_demo("first-steps")
    async with app.run_test(size=WIDE) as pilot:
        if screen == "question_mark":
            await pilot.press(screen, "q")
            assert is_main(app)
        await pilot.press("q")
        await pilot.pause()
    assert app.return_code == 0


async def test_ascii_signs_only() -> None:
    items = [{"role": "user", "content": "plain"}, *words(*[30] * 60)]
    app = app_on(session_of(items), ascii_signs=True, max_items=30, max_approx_chars=600, pinned_prefix_items=2)
    async with app.run_test(size=WIDE) as pilot:
        for keys in ((), ("question_mark",), ("escape", "ctrl+p"), ("escape", "5"), ("escape", "end", "enter")):
            await pilot.press(*keys)
            await pilot.pause()
            assert "".join(drawn(app)).isascii()
