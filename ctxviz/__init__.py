"""An interactive visual debugger for context-window projection.

The names below are the public surface; they are imported when first used, so that
``ctxviz --version`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxviz.projection.budget import ContextBudget
    from ctxviz.projection.measure import approx_chars
    from ctxviz.projection.projection import ContextProjection
    from ctxviz.projection.projector import ContextProjector, DefaultContextProjector
    from ctxviz.projection.report import ContextReport
    from ctxviz.projection.type_aware import TypeAwareContextProjector
    from ctxviz.session.errors import SessionError
    from ctxviz.session.loading import load_session
    from ctxviz.session.model import Session

__version__ = "0.1.0"

__all__ = [
    "ContextBudget",
    "ContextProjection",
    "ContextProjector",
    "ContextReport",
    "DefaultContextProjector",
    "Session",
    "SessionError",
    "TypeAwareContextProjector",
    "approx_chars",
    "load_session",
]

_HOME = {
    "ContextBudget": "ctxviz.projection.budget",
    "ContextProjection": "ctxviz.projection.projection",
    "ContextProjector": "ctxviz.projection.projector",
    "ContextReport": "ctxviz.projection.report",
    "DefaultContextProjector": "ctxviz.projection.projector",
    "Session": "ctxviz.session.model",
    "SessionError": "ctxviz.session.errors",
    "TypeAwareContextProjector": "ctxviz.projection.type_aware",
    "approx_chars": "ctxviz.projection.measure",
    "load_session": "ctxviz.session.loading",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
