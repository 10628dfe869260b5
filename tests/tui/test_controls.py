"""The controls as numbers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxviz.analysis.examination import examine
from ctxviz.analysis.settings import Settings
from ctxviz.projection.budget import ContextBudget
from ctxviz.tui.controls import Control, Field, char_step, controls, with_value
from ctxviz.tui.numbers import typed_item, typed_limit
from tests.tui.opening import session_of, words


@pytest.mark.parametrize(
    ("total", "step"), [(0, 1), (12, 1), (399, 1), (400, 2), (1_000, 5), (24_275, 100), (158_903_112, 500_000)]
)
def test_a_step_suits_the_size(total: int, step: int) -> None:
    assert char_step(total) == step


@given(st.integers(0, 10**12))
def test_a_step_is_round_and_takes_a_few_hundred_presses(total: int) -> None:
    step = char_step(total)
    assert str(step).rstrip("0") in ("1", "2", "5")
    assert step == 1 or 200 <= total / step <= 500


def test_range_ends_are_where_nothing_is_dropped_any_more() -> None:
    examination = examine(session_of(words(4, 10, 4)), Settings(ContextBudget(max_items=2)))
    items, chars, pinned = controls(examination, examination.settings)
    assert (items.value, items.range_end) == (2, 3)
    assert (chars.value, chars.range_end) == (None, 18)
    assert (pinned.value, pinned.range_end) == (0, 3)


def test_a_larger_value_is_the_end_of_its_range() -> None:
    examination = examine(session_of(words(4)), Settings(ContextBudget(max_items=20)))
    assert controls(examination, examination.settings)[0].range_end == 20


def test_type_aware_has_one_number_more() -> None:
    output = {"type": "function_call_output", "call_id": "a", "output": "x"}
    examination = examine(session_of([output] * 3), Settings(projector="type-aware"))
    assert controls(examination, examination.settings)[3] == Control("max_recent_tool_results", None, 3, 1)


@given(st.none() | st.integers(0, 50), st.integers(0, 50), st.integers(1, 20), st.integers(-30, 30).filter(bool))
def test_moving(value: int | None, end: int, step: int, steps: int) -> None:
    end = max(end, value or 0)
    moved = Control("max_items", value, end, step).moved(steps)
    if value is None:
        assert moved == (None if steps > 0 else max(end + steps * step, 0))
    elif steps > 0:
        assert moved == min(value + steps * step, end)
    else:
        assert moved == max(value + steps * step, 0)


def test_places_on_the_track() -> None:
    control = Control("max_items", 10, 40, 1)
    assert (control.at(-1), control.at(0), control.at(0.5), control.at(1), control.at(2)) == (0, 0, 20, 40, 40)
    assert control.place == 0.25
    assert Control("max_items", None, 40, 1).place == 1
    assert Control("max_items", 0, 0, 1).place == 1


def test_a_value_is_set_in_its_own_field() -> None:
    fields: tuple[Field, ...] = ("max_items", "max_approx_chars", "pinned_prefix_items", "max_recent_tool_results")
    for field in fields:
        values: dict[str, Any] = {field: 7}
        assert with_value(Settings(), field, 7).budget == ContextBudget(**values)


@pytest.mark.parametrize(("text", "value"), [("12", 12), (" 1,200 ", 1200), ("none", None), ("∞", None), ("-3", -3)])
def test_typed_limits(text: str, value: int | None) -> None:
    assert typed_limit(text) == value


@pytest.mark.parametrize("text", ["", "abc", "1.5", "١٢", "--3", "9" * 30])
def test_what_is_no_limit(text: str) -> None:
    with pytest.raises(ValueError, match="no whole number"):
        typed_limit(text)


def test_typed_items() -> None:
    assert [typed_item(text) for text in ("7", "#7", " 1,007", "", "-1", "x", "²")] == [7, 7, 1007, -1, -1, -1, -1]
