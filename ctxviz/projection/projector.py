"""What a projector is, and ai4j's default one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.json_value import Json
from ctxviz.projection.measure import Form, Measure
from ctxviz.projection.projection import ContextProjection
from ctxviz.projection.report import ContextReport
from ctxviz.projection.selection import select
from ctxviz.projection.source import Items, Source, as_source


class ContextProjector(Protocol):
    """Decides which items enter the window: ai4j's interface of this name."""

    def project(
        self, items: Items, budget: ContextBudget | None, *, measure: Measure | Sequence[Form] = "live"
    ) -> ContextProjection:
        """Project the items; they are never altered. A budget of None is no limit at all.

        `measure` is a measure's name or one form an item; a session knows its forms and takes a
        name only.
        """
        ...


class DefaultContextProjector:
    """ai4j's ``DefaultContextProjector`` (commit 6955545): two gates over the items as they are."""

    def project(
        self, items: Items, budget: ContextBudget | None, *, measure: Measure | Sequence[Form] = "live"
    ) -> ContextProjection:
        """Project the items; see `ContextProjector.project`."""
        source = as_source(items, measure)
        return run_gates(source, budget or ContextBudget())


def run_gates(
    source: Source,
    budget: ContextBudget,
    *,
    original: Source | None = None,
    cleared: Mapping[int, Json] | None = None,
    notes: Sequence[str] = (),
) -> ContextProjection:
    """Both gates and the report; `notes` of what was done before come first in it."""
    selection = select(source.index, budget)
    chars = source.index.chars
    count = len(source)
    projected = sum(stop - start for start, stop in selection.runs)
    survivors = selection.head + count - selection.tail
    char_limit_applied = selection.char_gate_ran and projected < survivors
    notes = list(notes)
    if selection.item_gate_ran:
        notes.append(f"maxItems applied: {budget.item_limit}")
    if char_limit_applied:
        notes.append(f"maxApproxChars applied: {budget.char_limit}")
    report = ContextReport(
        source_item_count=count,
        projected_item_count=projected,
        dropped_item_count=count - projected,
        source_approx_chars=chars(0, count),
        projected_approx_chars=sum(chars(start, stop) for start, stop in selection.runs),
        item_limit_applied=selection.item_gate_ran,
        character_limit_applied=char_limit_applied,
        notes=tuple(notes),
    )
    return ContextProjection(source, original or source, budget, selection, report, cleared or {})
