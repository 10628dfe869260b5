"""The heart: one session under one choice of settings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ctxviz.analysis.settings import PROJECTORS, Settings
from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS, KEPT, PINNED, ContextProjection
from ctxviz.projection.report import ContextReport
from ctxviz.projection.type_aware import tool_outputs
from ctxviz.session.model import Session


@dataclass(frozen=True)
class StateCounts:
    """How many items ended how; the five add up to the session's items.

    `cleared` are in the window as placeholders, and not counted as pinned or kept besides.
    """

    pinned: int
    kept: int
    cleared: int
    dropped_by_items: int
    dropped_by_chars: int


@dataclass(frozen=True, eq=False)
class Examination:
    """Everything that the screen and the command line say about a session under `settings`.

    Item numbers are places in `session.items`; `projection.states` has a byte for each of them.
    """

    session: Session
    settings: Settings
    projection: ContextProjection

    @property
    def report(self) -> ContextReport:
        """ai4j's report of the projection."""
        return self.projection.report

    @cached_property
    def counts(self) -> StateCounts:
        """How many items ended how."""
        states, cleared = self.projection.states, self.projection.cleared
        cleared_pinned = sum(states[index] == PINNED for index in cleared)
        cleared_kept = sum(states[index] == KEPT for index in cleared)
        return StateCounts(
            pinned=states.count(PINNED) - cleared_pinned,
            kept=states.count(KEPT) - cleared_kept,
            cleared=cleared_pinned + cleared_kept,
            dropped_by_items=states.count(DROPPED_BY_ITEMS),
            dropped_by_chars=states.count(DROPPED_BY_CHARS),
        )

    @cached_property
    def tool_output_count(self) -> int:
        """How many tool outputs `maxRecentToolResults` chooses from."""
        return len(tool_outputs(self.projection.original))


def examine(session: Session, settings: Settings) -> Examination:
    """Project the session. Pure: the same arguments give the same answer, and nothing else is asked."""
    projector = PROJECTORS[settings.projector]
    return Examination(session, settings, projector.project(session, settings.budget, measure=settings.measure))
