"""Floor 5: the screen. Importing this costs nothing; `run` imports Textual."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxviz.analysis.settings import Settings
from ctxviz.session.model import Session

if TYPE_CHECKING:
    from ctxviz.lessons.lesson import Lesson
    from ctxviz.session.toy import Toy


def run(
    path: str,
    *,
    settings: Settings,
    format: str | None = None,
    look: str = "",
    select: int | None = None,
    ascii_signs: bool = False,
    session: Session | None = None,
    conversation: str | None = None,
    follow: bool = False,
) -> int:
    """Open the debugger on a session and return the exit code: 0, or 2 if it could not be read.

    `path` is a file or a folder to choose from; a `session` that is loaded already is shown at
    once. `conversation` is the id of one of several, `follow` says to show what is added to the file.
    `look` is a sentence shown on opening, `select` the item selected then.
    """
    from ctxviz.tui.app import CtxvizApp, Opening

    opening = Opening(path, settings, format, look, select, session, conversation, follow)
    return CtxvizApp(opening, ascii_signs=ascii_signs).run_to_exit_code()


def play(toy: Toy, *, settings: Settings, ascii_signs: bool = False) -> int:
    """Open a toy, which can be changed on the screen, and return the exit code."""
    from ctxviz.tui.app import CtxvizApp, Opening
    from ctxviz.tui.screens.toy import ToyScreen

    opening = Opening("toy", settings, session=toy.session())
    return CtxvizApp(opening, ascii_signs=ascii_signs, first=lambda: ToyScreen(opening, toy)).run_to_exit_code()


def teach(lesson: Lesson | None, *, ascii_signs: bool = False) -> int:
    """Open a lesson, or the list of them if it is None, and return the exit code."""
    from ctxviz.tui.app import CtxvizApp, Opening
    from ctxviz.tui.screens.lesson import LessonScreen

    opening = Opening("lesson", Settings())
    return CtxvizApp(opening, ascii_signs=ascii_signs, first=lambda: LessonScreen(lesson)).run_to_exit_code()
