"""The rule: fast path and trace against a plain restatement, and what its users do not expect."""

from __future__ import annotations

import random
from array import array
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.measure import approx_chars
from ctxviz.projection.projection import Mark, State
from ctxviz.projection.projector import DefaultContextProjector
from ctxviz.projection.size_index import SizeIndex
from ctxviz.projection.source import Source
from ctxviz.projection.type_aware import TypeAwareContextProjector
from tests.projection.plain import plain_kept, plain_rewritten, plain_walk
from tests.projection.strategies import BUDGETS, ITEMS, SIZES

default = DefaultContextProjector()
type_aware = TypeAwareContextProjector()


def of_sizes(sizes: list[int]) -> Source:
    """A source of items that have these sizes, without writing out their texts."""
    return Source([""] * len(sizes), "live", array("q", sizes))


@given(SIZES, BUDGETS)
@example([4, 10, 4], ContextBudget(max_approx_chars=14))
@example([0, 0, 5, 0], ContextBudget(max_approx_chars=2, pinned_prefix_items=1))
def test_projection_equals_the_plain_rule(sizes: list[int], budget: ContextBudget) -> None:
    projection = default.project(of_sizes(sizes), budget)
    kept, by_items, by_chars = plain_kept(sizes, budget)
    report = projection.report
    assert list(projection.kept) == kept
    assert (report.item_limit_applied, report.character_limit_applied) == (by_items, by_chars)
    assert report.source_item_count == len(sizes)
    assert report.projected_item_count == len(kept)
    assert report.projected_item_count + report.dropped_item_count == len(sizes)
    assert report.source_approx_chars == sum(sizes)
    assert report.projected_approx_chars == sum(sizes[i] for i in kept)
    notes = [f"maxItems applied: {budget.max_items}"] * by_items
    assert list(report.notes) == notes + [f"maxApproxChars applied: {budget.max_approx_chars}"] * by_chars


@given(SIZES, BUDGETS)
def test_decisions_equal_the_plain_walk(sizes: list[int], budget: ContextBudget) -> None:
    projection = default.project(of_sizes(sizes), budget)
    kept = set(projection.kept)
    weighed = {index: (used, keep, forced) for index, used, keep, forced in plain_walk(sizes, budget)}
    for index, size in enumerate(sizes):
        decision = projection.decision(index)
        assert decision.size == size
        assert (decision.state is State.DROPPED) == (index not in kept)
        assert (decision.state is State.PINNED) == (index in kept and index < budget.prefix_items)
        if index in weighed:
            used, keep, forced = weighed[index]
            assert (decision.used, decision.limit) == (used, budget.max_approx_chars)
            assert (decision.gate, decision.forced) == (None if keep else 2, forced)
        elif index in kept:
            assert (decision.gate, decision.used, decision.limit) == (None, None, None)
        elif budget.char_limit == 0 and decision.gate == 2:
            assert decision.limit == 0
        else:
            assert (decision.gate, decision.used, decision.limit) == (1, None, budget.max_items)


@given(SIZES, BUDGETS)
def test_holes_are_what_gate_2_left_behind_an_older_kept_item(sizes: list[int], budget: ContextBudget) -> None:
    projection = default.project(of_sizes(sizes), budget)
    decisions = [projection.decision(index) for index in range(len(sizes))]
    for decision in decisions:
        older_kept = any(d.state is State.KEPT for d in decisions[: decision.index])
        assert (Mark.HOLE in decision.marks) == (decision.gate == 2 and not decision.in_prefix and older_kept)


@given(ITEMS, BUDGETS)
def test_type_aware_equals_the_plain_rule(items: list[Any], budget: ContextBudget) -> None:
    before = repr(items)
    projection = type_aware.project(items, budget)
    rewritten, notes = plain_rewritten(items, budget)
    sizes = [approx_chars(item) for item in rewritten]
    kept, by_items, by_chars = plain_kept(sizes, budget)
    assert repr(items) == before
    assert list(projection.source.sizes) == sizes
    assert list(projection.kept) == kept
    assert projection.items == [rewritten[i] for i in kept]
    assert sorted(projection.cleared) == [i for i, item in enumerate(items) if rewritten[i] is not item]
    assert projection.report.source_approx_chars == sum(sizes)
    assert (projection.report.item_limit_applied, projection.report.character_limit_applied) == (by_items, by_chars)
    assert list(projection.report.notes[: len(notes)]) == notes
    for index in projection.cleared:
        assert Mark.CLEARED in projection.decision(index).marks


def test_long_lists_and_sizes_made_to_break_up_the_runs() -> None:
    """Beyond 256 runs the walk is a plain loop; hypothesis' lists are too short to get there."""
    chance = random.Random(7)
    for _ in range(150):
        count = chance.choice([500, 3_000, 9_000])
        greatest = chance.choice([2, 50, 4_000])
        sizes = [chance.choice([0, 1, chance.randint(0, greatest), greatest]) for _ in range(count)]
        budget = ContextBudget(
            max_items=chance.choice([None, chance.randint(0, count)]),
            max_approx_chars=chance.randint(0, sum(sizes) + 5),
            pinned_prefix_items=chance.choice([0, 3, chance.randint(0, count)]),
        )
        assert list(default.project(of_sizes(sizes), budget).kept) == plain_kept(sizes, budget)[0]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=5_000), st.data())
def test_size_index_finds_the_next_that_fits(sizes: list[int], data: st.DataObject) -> None:
    index = SizeIndex(sizes)
    start = data.draw(st.integers(0, len(sizes)))
    stop = data.draw(st.integers(start, len(sizes)))
    room = data.draw(st.integers(0, 12))
    fits = [i for i in range(start, stop) if sizes[i] <= room]
    assert index.next_fitting(start, stop, room) == (fits[0] if fits else stop)
    assert index.last_fitting(start, stop, room) == (fits[-1] if fits else start - 1)


def test_no_budget_is_no_limit() -> None:
    assert default.project(["a", "b"], None).kept == (0, 1)
    assert type_aware.project(["a", "b"], None).kept == (0, 1)


@pytest.mark.parametrize(
    ("sizes", "budget", "lost"),
    [
        ([1, 1, 1, 1], ContextBudget(max_items=2, pinned_prefix_items=3), 2),
        ([1, 1], ContextBudget(max_items=0, pinned_prefix_items=2), 0),
        ([1, 50, 1, 1], ContextBudget(max_approx_chars=10, pinned_prefix_items=3), 1),
        ([1, 1], ContextBudget(max_approx_chars=0, pinned_prefix_items=2), 0),
    ],
)
def test_a_pinned_item_can_be_lost(sizes: list[int], budget: ContextBudget, lost: int) -> None:
    decision = default.project(of_sizes(sizes), budget).decision(lost)
    assert decision.in_prefix
    assert decision.state is State.DROPPED


def test_later_pinned_items_stay_when_one_is_lost() -> None:
    projection = default.project(of_sizes([1, 50, 1, 1]), ContextBudget(max_approx_chars=10, pinned_prefix_items=3))
    assert projection.kept == (0, 2, 3)


def test_a_larger_char_limit_can_keep_less() -> None:
    def kept(limit: int) -> tuple[int, ...]:
        return default.project(of_sizes([4, 10, 4]), ContextBudget(max_approx_chars=limit)).kept

    assert (kept(8), kept(14), kept(18)) == ((0, 2), (1, 2), (0, 1, 2))


def test_the_prefix_can_leave_no_room_for_the_newest() -> None:
    projection = default.project(of_sizes([1, 1, 1]), ContextBudget(max_items=2, pinned_prefix_items=2))
    assert projection.kept == (0, 1)


def test_the_result_can_exceed_the_limit() -> None:
    projection = default.project(of_sizes([30, 1, 40]), ContextBudget(max_approx_chars=10, pinned_prefix_items=1))
    assert projection.kept == (0, 2)
    assert projection.report.projected_approx_chars == 70
    assert projection.decision(0).marks == (Mark.FORCED,)
    assert projection.decision(2).marks == (Mark.FORCED,)


def test_a_silent_overflow() -> None:
    report = default.project(of_sizes([40]), ContextBudget(max_approx_chars=10)).report
    assert report.projected_approx_chars == 40
    assert report.character_limit_applied is False
    assert report.notes == ()


def test_provider_objects_are_no_maps_for_the_type_aware_projector() -> None:
    reasoning: Any = {"id": "r", "summary": [], "type": "reasoning"}
    budget = ContextBudget(trim_old_reasoning=True)
    assert type_aware.project([reasoning], budget, measure=["provider"]).items == [reasoning]
    assert type_aware.project([reasoning], budget, measure=["stored"]).items == [
        {"id": "r", "type": "reasoning", "output": "[reasoning cleared]"}
    ]


def test_a_budget_reads_and_writes_ai4js_keys() -> None:
    fields: dict[str, Any] = {"maxItems": 3, "maxApproxChars": None, "trimOldReasoning": True}
    budget = ContextBudget.from_dict(fields)
    assert budget == ContextBudget(max_items=3, trim_old_reasoning=True)
    assert ContextBudget.from_dict(budget.to_dict()) == budget
    for wrong in ({"max_items": 3}, {"maxItems": "3"}, {"maxItems": True}, {"trimOldReasoning": 1}, {"maxItems": 1.5}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            ContextBudget.from_dict(wrong)
