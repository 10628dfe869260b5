"""Sessions and applications for the tests of the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ctxviz.analysis.bundled import demo
from ctxviz.analysis.settings import Settings
from ctxviz.projection.budget import ContextBudget
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from ctxviz.tui.app import CtxvizApp, Opening
from ctxviz.tui.screens.main import MainScreen

WIDE = (140, 40)
NARROW = (80, 24)


def session_of(items: Sequence[Any], **more: Any) -> Session:
    """A session of these items that was read from nowhere."""
    return Session("made.json", "made.json", "json-list", "JSON list", list(items), **more)


def words(*sizes: int) -> list[str]:
    """String items of these sizes."""
    return ["x" * size for size in sizes]


def app_on(session: Session, *, path: str | None = None, ascii_signs: bool = False, **budget: Any) -> CtxvizApp:
    """The application on a session, with a budget of these numbers."""
    projector = budget.pop("projector", "default")
    settings = Settings(ContextBudget(**budget), projector=projector)
    return still(CtxvizApp(Opening(path or session.path, settings, session=session), ascii_signs=ascii_signs))


def app_on_demo(name: str, *, look: bool = False, **opening: Any) -> CtxvizApp:
    """The application on a bundled session, as `ctxviz demo` opens it."""
    one = demo(name)
    session = load_session(one.path)
    return still(
        CtxvizApp(
            Opening(
                str(one.path),
                opening.get("settings", one.settings),
                look=one.look if look else "",
                select=opening.get("select", one.select),
                session=session,
            ),
            ascii_signs=opening.get("ascii_signs", False),
        )
    )


def still(app: CtxvizApp) -> CtxvizApp:
    """Nothing moves by itself."""
    app.animation_level = "none"
    return app


def main_screen(app: CtxvizApp) -> MainScreen:
    """The main screen, wherever it is in the stack."""
    return next(screen for screen in app.screen_stack if isinstance(screen, MainScreen))
