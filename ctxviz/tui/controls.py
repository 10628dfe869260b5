"""The budget controls as numbers: where they stand, how far they go, what a step is. No drawing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.settings import Settings
from ctxviz.projection.budget import KEYS, ContextBudget

Field = Literal["max_items", "max_approx_chars", "pinned_prefix_items", "max_recent_tool_results"]
"""A number of the budget that has a control, by its Python name."""

GREATEST = 2**31 - 1
"""ai4j's limits are Java ints."""

LARGE_STEP = 10
"""How many steps a large one is."""


@dataclass(frozen=True)
class Control:
    """One control at one moment.

    `value` is None for no limit. `range_end` is the number from which nothing is dropped any
    more, or the value if that is larger. `step` is what one key press moves.
    """

    field: Field
    value: int | None
    range_end: int
    step: int

    @property
    def label(self) -> str:
        """ai4j's name of the number."""
        return KEYS[self.field]

    @property
    def has_no_limit(self) -> bool:
        """Whether "no limit" is a state of this control: the pinned prefix has none."""
        return self.field != "pinned_prefix_items"

    def moved(self, steps: int) -> int | None:
        """The value after so many steps down (negative) or up.

        Up ends at the range's end, where more changes nothing; down begins there if there is no limit.
        """
        if self.value is None:
            return None if steps > 0 else max(self.range_end + steps * self.step, 0)
        if steps > 0:
            return max(self.value, min(self.value + steps * self.step, self.range_end))
        return max(self.value + steps * self.step, 0)

    def at(self, place: float) -> int:
        """The value at a place of the track, 0 its begin and 1 its end."""
        return round(min(max(place, 0.0), 1.0) * self.range_end)

    @property
    def place(self) -> float:
        """Where on its track the value stands, from 0 to 1; the end if there is no limit."""
        if self.value is None or not self.range_end:
            return 1.0
        return self.value / self.range_end


def controls(examination: Examination | None, settings: Settings, items_so_far: int = 0) -> tuple[Control, ...]:
    """The controls in the order of the screen; the type-aware projector has one more.

    `settings` can be newer than the examination's, where that is still to follow. Without an
    examination the session is still being read and its sizes are not known.
    """
    budget = settings.budget
    items, chars, tool_outputs = items_so_far, 0, 0
    if examination is not None:
        report = examination.report
        items, chars = report.source_item_count, report.source_approx_chars
        tool_outputs = examination.tool_output_count if settings.projector == "type-aware" else 0

    def control(field: Field, value: int | None, end: int, step: int = 1) -> Control:
        return Control(field, value, max(end, value or 0), step)

    found = [
        control("max_items", budget.item_limit, items),
        control("max_approx_chars", budget.char_limit, chars, char_step(chars)),
        control("pinned_prefix_items", budget.prefix_items, items),
    ]
    if settings.projector == "type-aware":
        found.append(control("max_recent_tool_results", budget.tool_results, tool_outputs))
    return tuple(found)


def char_step(total: int) -> int:
    """A round step that takes a few hundred presses through the whole: 1, 2 or 5 times a power of ten."""
    target = total / 200
    step = 1
    for factor in (2, 2.5, 2) * 12:
        if step * factor > target:
            break
        step = int(step * factor)
    return step


def with_value(settings: Settings, field: Field, value: int | None) -> Settings:
    """The settings with one number of the budget changed."""
    return replace(settings, budget=_changed(settings.budget, field, value))


def _changed(budget: ContextBudget, field: Field, value: int | None) -> ContextBudget:
    match field:
        case "max_items":
            return replace(budget, max_items=value)
        case "max_approx_chars":
            return replace(budget, max_approx_chars=value)
        case "pinned_prefix_items":
            return replace(budget, pinned_prefix_items=value)
        case "max_recent_tool_results":
            return replace(budget, max_recent_tool_results=value)
