"""Floor 5: the screen. Importing this costs nothing; `run` imports Textual."""

from __future__ import annotations

from ctxviz.analysis.settings import Settings
from ctxviz.session.model import Session
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
    toy: Toy | None = None,
) -> int:
    """Open the debugger on a session and return the exit code: 0, or 2 if it could not be read.

    `path` is a file or a folder to choose from; a `session` that is loaded already is shown at
    once. `conversation` is the id of one of several, `follow` says to show what is added to the file.
    `look` is a sentence shown on opening, `select` the item selected then. A `toy` can be changed on
    the screen; it has no file.
    """
    from ctxviz.tui.app import CtxvizApp, Opening

    if toy is not None:
        session = toy.session()
    opening = Opening(path, settings, format, look, select, session, conversation, follow, toy)
    return CtxvizApp(opening, ascii_signs=ascii_signs).run_to_exit_code()
