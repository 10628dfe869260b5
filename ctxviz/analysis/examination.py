"""The heart: one session under one choice of settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ctxviz.analysis.settings import PROJECTORS, Settings
from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS, KEPT, PINNED, ContextProjection
from ctxviz.projection.report import ContextReport
from ctxviz.projection.selection import Run
from ctxviz.projection.type_aware import knows, tool_outputs
from ctxviz.session.kind import KINDS, Kind
from ctxviz.session.model import Session

if TYPE_CHECKING:
    from ctxviz.analysis.findings import Findings


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


@dataclass(frozen=True, eq=False, repr=False)
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
    def findings(self) -> Findings:
        """What is wrong or surprising about the projection; looked for when it is first asked for."""
        from ctxviz.analysis.findings import find

        return find(self)

    @cached_property
    def next_plateaus(self) -> list[tuple[int, Sequence[Run]]]:
        """The values of `maxApproxChars` above the present one that change what is kept: see `reach`."""
        from ctxviz.analysis.reach import next_plateaus

        return next_plateaus(self.projection.source.index, self.settings.budget)

    @property
    def tool_output_count(self) -> int:
        """How many tool outputs `maxRecentToolResults` chooses from.

        Of a long session at most so many, until a projection has gone over all its items.
        """
        original = self.projection.original
        if len(self.session) > _MANY_ITEMS and not knows(original):
            return self.session.kinds.count(KINDS.index(Kind.TOOL_OUTPUT))
        return len(tool_outputs(original))


def takes_long(session: Session, settings: Settings) -> bool:
    """Whether an examination goes over all items of a long session: under settings of which nothing is known yet."""
    if len(session) <= _MANY_ITEMS:
        return False
    is_known = session.is_measured(settings.measure)
    return not is_known or (settings.projector == "type-aware" and not knows(session.source(settings.measure)))


_MANY_ITEMS = 5_000


def examine(session: Session, settings: Settings) -> Examination:
    """Project the session. Pure: the same arguments give the same answer, and nothing else is asked."""
    projector = PROJECTORS[settings.projector]
    return Examination(session, settings, projector.project(session, settings.budget, measure=settings.measure))
