"""The trace: replaying it gives the projection, and each step says what the plain rule does there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.projection import UNDECIDED, ContextProjection
from ctxviz.projection.projector import DefaultContextProjector
from ctxviz.projection.trace import Cleared, Decided, GateClosed, GateOpened, GateSkipped, Trace
from ctxviz.projection.type_aware import TypeAwareContextProjector
from tests.projection.plain import plain_walk
from tests.projection.strategies import BUDGETS, ITEMS, SIZES
from tests.projection.test_rule import of_sizes

default, type_aware = DefaultContextProjector(), TypeAwareContextProjector()


def replayed(trace: Trace) -> list[int]:
    """The kept items, by doing what each step says and looking at nothing else."""
    first = next(step for step in trace if not isinstance(step, Cleared))
    assert isinstance(first, (GateSkipped, GateOpened))
    items: list[int] = list(range(first.item_count))
    kept: list[int] | None = None
    for step in trace:
        if isinstance(step, GateOpened) and step.gate == 1:
            items = items[: step.head] + items[len(items) - step.newest :]
        elif isinstance(step, GateOpened):
            kept = []
        elif isinstance(step, Decided) and step.kept:
            assert kept is not None
            kept.append(step.index)
    return items if kept is None else sorted(kept)


def check(projection: ContextProjection, sizes: list[int], budget: ContextBudget) -> None:
    trace = Trace(projection)
    steps = list(trace)
    assert len(steps) == len(trace)
    assert [step for step in steps if isinstance(step, Decided)] == steps[trace.span(2)[0] + 1 : -1]
    assert replayed(trace) == list(projection.kept)

    walk = plain_walk(sizes, budget)
    decided = [step for step in steps if isinstance(step, Decided)]
    assert [(step.index, step.used, step.kept, step.forced) for step in decided] == walk
    assert [step.number for step in decided] == list(range(1, len(walk) + 1))
    for step in decided:
        assert step.kept == (step.forced or step.total <= step.limit)
        assert step.forced == (step.kept and step.total > step.limit)
    for gate in steps:
        if isinstance(gate, GateClosed) and gate.gate == 2:
            assert (gate.item_count, gate.approx_chars) == (
                len(projection.kept),
                sum(sizes[i] for i in projection.kept),
            )
            assert gate.applied == projection.report.character_limit_applied
        if isinstance(gate, (GateOpened, GateSkipped)) and gate.gate == 1:
            assert (gate.item_count, gate.approx_chars) == (len(sizes), sum(sizes))
        if isinstance(gate, GateOpened):
            assert (gate.item_count if gate.gate == 1 else gate.approx_chars) > gate.limit
        if isinstance(gate, GateSkipped):
            assert gate.limit is None or (gate.item_count if gate.gate == 1 else gate.approx_chars) <= gate.limit


@given(SIZES, BUDGETS)
@example([], ContextBudget(max_items=0, max_approx_chars=0))
@example([4, 10, 4], ContextBudget(max_approx_chars=0))
def test_replaying_the_trace_gives_the_projection(sizes: list[int], budget: ContextBudget) -> None:
    check(default.project(of_sizes(sizes), budget), sizes, budget)


@given(ITEMS, BUDGETS)
def test_replaying_the_trace_of_the_type_aware_projector(items: list[Any], budget: ContextBudget) -> None:
    projection = type_aware.project(items, budget)
    check(projection, list(projection.source.sizes), budget)
    tiers = [step for step in Trace(projection) if isinstance(step, Cleared)]
    assert sorted(index for tier in tiers for index in tier.items) == sorted(projection.cleared)
    for tier, note in zip(tiers, projection.report.notes, strict=False):
        assert note.startswith(f"tier{tier.tier} ")
        assert f"cleared {len(tier.items)} " in note
        assert tier.chars_before == sum(projection.original.sizes[i] for i in tier.items)
        assert tier.chars_after == sum(projection.source.sizes[i] for i in tier.items)


@given(SIZES, BUDGETS, st.data())
def test_what_is_known_after_a_step(sizes: list[int], budget: ContextBudget, data: st.DataObject) -> None:
    projection = default.project(of_sizes(sizes), budget)
    trace = Trace(projection)
    at = data.draw(st.integers(0, len(trace) - 1))
    done = list(trace)[: at + 1]
    walked = {step.index: step for step in done if isinstance(step, Decided)}
    gate_1_done = at >= trace.span(1)[1] - 1
    head, tail = projection.selection.head, projection.selection.tail
    states = trace.states(at)
    for index in range(len(sizes)):
        is_cut = head <= index < tail
        settled = at == len(trace) - 1 or index in walked or (gate_1_done and is_cut)
        assert states[index] == (projection.states[index] if settled else UNDECIDED)
    kept = [step for step in walked.values() if step.kept]
    assert trace.used(at) == (
        sum(step.size for step in kept if step.in_prefix),
        sum(step.size for step in kept if not step.in_prefix),
    )
    assert trace.kept(at) == (sum(step.in_prefix for step in kept), sum(not step.in_prefix for step in kept))
    assert sum(trace.weighed(at)) == len(walked)
    assert trace.gate_of(at) == (1 if at < trace.span(1)[1] else 2)


@given(SIZES, BUDGETS)
def test_the_step_about_an_item_is_the_one_that_settles_it(sizes: list[int], budget: ContextBudget) -> None:
    trace = Trace(default.project(of_sizes(sizes), budget))
    for index in range(len(sizes)):
        at = trace.about(index)
        assert trace.states(at)[index] != UNDECIDED
        assert at == 0 or trace.states(at - 1)[index] == UNDECIDED
        step = trace[at]
        assert not isinstance(step, Decided) or step.index == index


def test_a_step_in_the_middle_of_a_million_is_found_without_the_others() -> None:
    count = 1_000_000
    projection = default.project(of_sizes([10] * count), ContextBudget(max_approx_chars=5_000_000))
    trace = Trace(projection)
    assert len(trace) == count + 3
    step = trace[trace.about(count // 2)]
    assert isinstance(step, Decided)
    assert (step.index, step.used, step.kept) == (count // 2, 10 * (count // 2 - 1), True)


def test_steps_are_taken_like_those_of_a_list() -> None:
    trace = Trace(default.project(of_sizes([4, 10, 4]), ContextBudget(max_approx_chars=14)))
    assert trace[-1] == list(trace)[-1]
    assert trace[1:3] == list(trace)[1:3]
    with pytest.raises(IndexError):
        trace[len(trace)]
