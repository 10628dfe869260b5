"""The session along a row of cells."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from ctxviz.analysis.strip import Axis, cell_states
from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS, KEPT, PINNED, ContextProjection
from ctxviz.projection.projector import DefaultContextProjector
from ctxviz.projection.size_index import SizeIndex
from ctxviz.projection.source import Source
from tests.projection.strategies import BUDGETS

SIZES = st.lists(st.integers(0, 40), max_size=60)


def projected(sizes: list[int], budget: ContextBudget) -> ContextProjection:
    return DefaultContextProjector().project(Source([""] * len(sizes), "live", array("q", sizes)), budget)


def test_each_item_takes_the_share_of_its_characters() -> None:
    projection = projected([10, 30, 10], ContextBudget(max_items=2, pinned_prefix_items=1))
    assert cell_states(projection, 5) == [PINNED, DROPPED_BY_ITEMS, DROPPED_BY_ITEMS, DROPPED_BY_ITEMS, KEPT]


def test_items_without_characters_share_alike() -> None:
    projection = projected([0, 0, 0, 0], ContextBudget(max_items=2))
    assert cell_states(projection, 4) == [DROPPED_BY_ITEMS, DROPPED_BY_ITEMS, KEPT, KEPT]


def test_a_tie_goes_to_in_the_window() -> None:
    assert cell_states(projected([10, 10], ContextBudget(max_items=1)), 1) == [KEPT]


def test_nothing_to_show() -> None:
    assert cell_states(projected([], ContextBudget()), 9) == []
    assert cell_states(projected([4], ContextBudget()), 0) == []


@given(SIZES, BUDGETS, st.integers(1, 30))
def test_a_cell_shows_the_state_with_most_characters(sizes: list[int], budget: ContextBudget, width: int) -> None:
    projection = projected(sizes, budget)
    shown = cell_states(projection, width)
    spans = sizes if any(sizes) else [1] * len(sizes)
    total = sum(spans)
    assert len(shown) == (width if sizes else 0)
    for cell, state in enumerate(shown):
        weights = dict.fromkeys((PINNED, KEPT, DROPPED_BY_CHARS, DROPPED_BY_ITEMS), 0)
        begin = 0
        for index, span in enumerate(spans):
            low, high = max(begin * width, cell * total), min((begin + span) * width, (cell + 1) * total)
            weights[projection.states[index]] += max(high - low, 0)
            begin += span
        assert weights[state] == max(weights.values())
        if state in (DROPPED_BY_CHARS, DROPPED_BY_ITEMS):
            assert weights[state] > max(weights[PINNED], weights[KEPT])


@given(SIZES.filter(bool), st.integers(1, 200))
def test_cells_and_items_agree(sizes: list[int], width: int) -> None:
    axis = Axis(SizeIndex(sizes), width)
    cells = [axis.cell(item) for item in range(len(sizes) + 1)]
    assert cells == sorted(cells)
    assert cells[0] == 0
    assert cells[-1] == width - 1
    for cell in range(-2, width + 2):
        item = axis.item(cell)
        assert 0 <= item < len(sizes)
        assert axis.cell(item) <= min(max(cell, 0), width - 1)
    items = [axis.item(cell) for cell in range(width)]
    assert items == sorted(items)
