"""The toy on the screen: each edit is seen at once, and can be undone."""

from __future__ import annotations

from typing import Any

import pytest

from ctxviz.analysis.settings import Settings
from ctxviz.projection.budget import ContextBudget
from ctxviz.session.toy import Toy
from ctxviz.tui.app import CtxvizApp, Opening
from ctxviz.tui.screens.keys import KeysScreen, KeysView
from ctxviz.tui.screens.toy import ToyScreen
from ctxviz.tui.widgets.footer import FooterLine
from ctxviz.tui.widgets.items import ItemList
from ctxviz.tui.widgets.notice import Notice
from tests.tui.opening import NARROW, WIDE, still
from tests.tui.test_screen import text_of


def toy_app(*sizes: int, **budget: Any) -> CtxvizApp:
    toy = Toy.of(sizes)
    opening = Opening("toy", Settings(ContextBudget(**budget)), session=toy.session())
    return still(CtxvizApp(opening, first=lambda: ToyScreen(opening, toy)))


def toy_screen(app: CtxvizApp) -> ToyScreen:
    screen = app.screen_stack[0]
    assert isinstance(screen, ToyScreen)
    return screen


def sizes(screen: ToyScreen) -> list[int]:
    return list(screen.toy.sizes)


def kept(screen: ToyScreen) -> tuple[int, ...]:
    assert screen.examination is not None
    return screen.examination.projection.kept


async def test_a_larger_limit_can_keep_less() -> None:
    app = toy_app(4, 10, 4, max_approx_chars=8)
    async with app.run_test(size=WIDE) as pilot:
        screen = toy_screen(app)
        assert kept(screen) == (0, 2)
        await pilot.press("c", "1", "4", "enter")
        assert kept(screen) == (1, 2)
        await pilot.press("1", "8", "enter")
        assert kept(screen) == (0, 1, 2)


async def test_every_edit_and_its_undo() -> None:
    app = toy_app(4, 10, 4, max_approx_chars=8)
    async with app.run_test(size=NARROW) as pilot:
        screen, items = toy_screen(app), toy_screen(app).query_one(ItemList)
        await pilot.press("down", "E", "3", "enter")
        assert (sizes(screen), kept(screen)) == ([4, 3, 4], (1, 2))
        await pilot.press("right_curly_bracket", "left_curly_bracket", "left_curly_bracket")
        assert sizes(screen) == [4, 2, 4]
        await pilot.press("A", "7", "enter")
        assert (sizes(screen), items.cursor) == ([4, 2, 7, 4], 2)
        assert "ctxviz try 4 2 7 4 --max-approx-chars 8" in text_of(screen.query_one(Notice))
        await pilot.press("J")
        assert (sizes(screen), items.cursor) == ([4, 2, 4, 7], 3)
        await pilot.press("K", "shift+up")
        assert (sizes(screen), items.cursor) == ([4, 7, 2, 4], 1)
        await pilot.press("X")
        assert (sizes(screen), items.cursor) == ([4, 2, 4], 1)
        await pilot.press(*["U"] * 20)
        assert sizes(screen) == [4, 10, 4]
        assert "was not changed" in text_of(screen.query_one(Notice))


async def test_an_empty_toy_can_be_filled_again() -> None:
    app = toy_app(5, max_items=3)
    async with app.run_test(size=NARROW) as pilot:
        screen = toy_screen(app)
        await pilot.press("X", "X", "E", "K", "left_curly_bracket", "e")
        assert sizes(screen) == []
        await pilot.press("A", "9", "enter")
        assert (sizes(screen), kept(screen)) == ([9], (0,))
        await pilot.press("R")
        assert sizes(screen) == [5]


async def test_what_can_not_be_typed() -> None:
    app = toy_app(5)
    async with app.run_test(size=NARROW) as pilot:
        screen = toy_screen(app)
        for text in ("", "none", "x", "1000001"):
            await pilot.press("E", *text, "enter", "escape")
            assert sizes(screen) == [5]
        await pilot.press("O")
        assert screen is app.screen


async def test_the_player_follows_an_edit() -> None:
    app = toy_app(4, 10, 4, max_approx_chars=8)
    async with app.run_test(size=WIDE) as pilot:
        screen = toy_screen(app)
        await pilot.press("down", "e")
        assert screen.playback is not None
        assert screen.playback.index == 1
        await pilot.press("X")
        assert screen.playback is not None
        assert screen.playback.examination is screen.examination


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_its_keys_are_listed_here_only(size: tuple[int, int]) -> None:
    app = toy_app(4, 10, 4, max_approx_chars=8)
    async with app.run_test(size=size) as pilot:
        assert text_of(toy_screen(app).query_one(FooterLine)).startswith("  E size")
        await pilot.press("question_mark")
        assert isinstance(app.screen, KeysScreen)
        view = app.screen.query_one(KeysView)
        view.wanted = "add an item"
        await pilot.pause()
        assert "add an item after it" in text_of(view)
        view.wanted = "another session"
        await pilot.pause()
        assert "No key" in text_of(view)
