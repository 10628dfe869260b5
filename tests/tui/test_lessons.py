"""The lessons on the screen, walked to their ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxviz.analysis.settings import Settings
from ctxviz.lessons.answers import filled, right_answers, scenes
from ctxviz.lessons.lesson import Lesson, lesson, lessons
from ctxviz.lessons.progress import done_lessons, progress_path
from ctxviz.tui.app import CtxvizApp, Opening
from ctxviz.tui.screens.lesson import LessonScreen
from ctxviz.tui.screens.lessons import LessonList, LessonsScreen
from ctxviz.tui.widgets.footer import FooterLine
from ctxviz.tui.widgets.items import ItemList
from ctxviz.tui.widgets.lesson import LETTERS, LessonPanel
from ctxviz.tui.widgets.notice import Notice
from tests.tui.opening import NARROW, WIDE, still
from tests.tui.test_screen import text_of


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    return tmp_path


def app_of(one: Lesson | None) -> CtxvizApp:
    return still(CtxvizApp(Opening("lesson", Settings()), first=lambda: LessonScreen(one)))


def lesson_screen(app: CtxvizApp) -> LessonScreen:
    screen = app.screen_stack[0]
    assert isinstance(screen, LessonScreen)
    return screen


def shown(screen: LessonScreen) -> str:
    """The panel's text, its rows joined."""
    return " ".join(text_of(screen.query_one(LessonPanel)).split())


@pytest.mark.parametrize("size", [WIDE, NARROW, (120, 30)])
@pytest.mark.parametrize("one", lessons(), ids=lambda one: str(one.name))
@pytest.mark.parametrize("rightly", [True, False])
async def test_every_lesson_to_its_end(one: Lesson, size: tuple[int, int], rightly: bool) -> None:
    app = app_of(one)
    async with app.run_test(size=size) as pilot:
        screen = lesson_screen(app)
        await pilot.pause()
        for number, step in enumerate(one.steps, start=1):
            before, after = scenes(one, step)
            assert f"step {number} of {len(one.steps)}" in shown(screen)
            assert filled(step.text, before) in shown(screen)
            assert screen.query_one(ItemList).size.height >= 3
            assert screen.examination is not None
            assert screen.examination.settings == step.scene.settings
            if step.ask is not None:
                assert step.ask.question in shown(screen)
                assert all(answer in shown(screen) for answer in step.ask.answers)
                await pilot.press("enter")  # no way on without an answer
                assert f"step {number} of" in shown(screen)
                right = right_answers(step.ask, before, after)[0]
                given = right if rightly else (right + 1) % len(step.ask.answers)
                await pilot.press(LETTERS[given])
                await pilot.pause()
                assert ("Right:" if rightly else "Not quite:") in shown(screen)
                assert step.ask.answers[right] in shown(screen)
                assert step.ask.why_not[given] in shown(screen)
                assert filled(step.reveal_text, after) in shown(screen)
                assert screen.examination.settings == step.reveal.settings
            if step.show is not None:
                assert screen.playback is not None
                assert step.show.item is None or screen.playback.index in (step.show.item, None)
            await pilot.press("enter")
            await pilot.pause()
        assert one.learnt in shown(screen)
        assert done_lessons() == {one.name}
        await pilot.press("enter")
        await pilot.pause()
        if one is lessons()[-1]:
            assert isinstance(app.screen, LessonsScreen)
        else:
            assert lesson_screen(app).lesson is lessons()[lessons().index(one) + 1]


async def test_choosing_and_leaving() -> None:
    app = app_of(None)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, LessonsScreen)
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        screen = lesson_screen(app)
        assert screen.lesson.name == "gate-2"
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, LessonsScreen)
        await pilot.press("escape")
        await pilot.pause()
        assert len(app.screen_stack) == 1
        await pilot.press("q")
    assert app.return_code == 0


async def test_esc_at_the_first_choice_leaves() -> None:
    app = app_of(None)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
    assert app.return_code == 0


async def test_lessons_that_are_done_are_marked() -> None:
    app = app_of(lesson("holes"))
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        await pilot.press("b", "enter", "b", "enter", "escape")
        await pilot.pause()
        assert isinstance(app.screen, LessonsScreen)
        rows = text_of(app.screen.query_one(LessonList)).split("\n")
        assert [row for row in rows if "✓" in row] == [rows[8]]
        assert "Holes" in rows[8]


async def test_back_and_the_controls_between() -> None:
    app = app_of(lesson("gate-1"))
    async with app.run_test(size=WIDE) as pilot:
        screen = lesson_screen(app)
        await pilot.pause()
        await pilot.press("a", "enter", "tab", "I", "I")
        assert screen.settings != screen.opened_with
        screen.query_one(LessonPanel).focus()
        await pilot.press("backspace")
        assert "step 1 of 3" in shown(screen)
        assert screen.settings == screen.lesson.steps[0].scene.settings
        await pilot.press("backspace", "2")
        assert "Right:" in shown(screen)
        await pilot.press("backspace")
        assert "Which of" in shown(screen)


async def test_the_players_keys_work_from_the_lesson() -> None:
    app = app_of(lesson("gate-2"))
    async with app.run_test(size=NARROW) as pilot:
        screen = lesson_screen(app)
        await pilot.pause()
        await pilot.press("c", "enter")
        assert screen.playback is not None
        at = screen.playback.at
        await pilot.press("right")
        assert screen.playback.at == at + 1
        assert "→ ← step" in text_of(screen.query_one(FooterLine))


async def test_progress_that_can_not_be_kept_is_said(state: Path) -> None:
    (state / "ctxviz").write_text("a file where the folder should be")
    app = app_of(lesson("holes"))
    async with app.run_test(size=WIDE) as pilot:
        screen = lesson_screen(app)
        await pilot.pause()
        await pilot.press("b", "enter", "b", "enter")
        assert "is not kept" in " ".join(text_of(screen.query_one(Notice)).replace("Esc close", "").split())


async def test_broken_progress_is_said_and_closed() -> None:
    progress_path().parent.mkdir()
    progress_path().write_text("{")
    app = app_of(lesson("holes"))
    async with app.run_test(size=WIDE) as pilot:
        screen = lesson_screen(app)
        await pilot.pause()
        assert "not a list of lessons" in " ".join(text_of(screen.query_one(Notice)).replace("Esc close", "").split())
        await pilot.press("escape")
        assert app.screen is screen
        assert screen.query_one(Notice).text == ""
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, LessonsScreen)


async def test_signs_of_plain_letters_fit() -> None:
    app = still(
        CtxvizApp(Opening("lesson", Settings()), ascii_signs=True, first=lambda: LessonScreen(lesson("gate-2")))
    )
    async with app.run_test(size=NARROW) as pilot:
        screen = lesson_screen(app)
        await pilot.pause()
        await pilot.press("c")
        assert text_of(screen.query_one(LessonPanel)).isascii()
        assert "4 + 4 = 8 <= 8." in shown(screen)


async def test_the_mouse_answers() -> None:
    app = app_of(lesson("gate-2"))
    async with app.run_test(size=WIDE) as pilot:
        screen = lesson_screen(app)
        await pilot.pause()
        panel = screen.query_one(LessonPanel)
        rows = text_of(panel).split("\n")
        y = next(at for at, row in enumerate(rows) if "#0 and #2" in row)
        await pilot.click(panel, offset=(rows[y].index("#0 and #2") + 1, y))
        await pilot.pause()
        assert "Right:" in shown(screen)
