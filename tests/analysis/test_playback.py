"""What each step of a trace says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from ctxviz.analysis.examination import examine
from ctxviz.analysis.playback import Playback
from ctxviz.analysis.settings import Settings
from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.json_value import Json
from ctxviz.projection.projection import UNDECIDED
from tests.export.sessions import examined, session, sized
from tests.projection.strategies import BUDGETS, SIZES


def said(*sizes: int, **budget: Any) -> list[str]:
    """The steps of a list of sizes, each as its sum and what follows from it."""
    playback = Playback.of(examine(session(*sized(*sizes)), Settings(ContextBudget(**budget))))
    lines = []
    for at in range(len(playback.trace)):
        told = playback.to(at).telling()
        compared = "" if told.limit is None else f" {'>' if told.is_over else '≤'} {told.limit}"
        numbers = " + ".join(str(number) for number, _ in told.terms)
        lines.append(f"{told.title}: {numbers}{compared}, {told.outcome}: {told.verdict}{told.rest}")
    return lines


def test_the_toy() -> None:
    assert said(4, 10, 4, max_approx_chars=8) == [
        "Gate 1: , : maxItems is not set: everything passes",
        "Gate 2 opens: 18 > 8, 10 too many: weigh one by one: 3 backwards",
        "Decision: 0 + 4 ≤ 8, fits, 4 left: keep #2",
        "Decision: 4 + 10 > 8, does not fit, by 6: skip #1, and go on with older ones",
        "Decision: 4 + 4 ≤ 8, fits, 0 left: keep #0",
        "Gate 2 is done: 8 ≤ 8, 0 left: 2 items enter the window",
    ]


def test_both_gates() -> None:
    steps = said(9, 5, 5, 5, 30, max_items=4, max_approx_chars=8, pinned_prefix_items=2)
    assert steps == [
        "Gate 1 opens: 5 > 4, 1 too many: keep the first 2 and the last 2",
        "Gate 1 is done: 4 ≤ 4, all that passes: cut #2, 1 item, whatever their size",
        "Gate 2 opens: 49 > 8, 41 too many: weigh one by one: 2 forwards, 2 backwards",
        "Decision: 0 + 9 > 8, does not fit, by 1: keep #0, forced, as the first pinned item",
        "Decision: 9 + 5 > 8, does not fit, by 6: skip #1",
        "Decision: 9 + 30 > 8, does not fit, by 31: keep #4, forced, as the newest item",
        "Decision: 39 + 5 > 8, does not fit, by 36: skip #3",
        "Gate 2 is done: 39 > 8, over by 31: 2 items enter the window",
    ]


@pytest.mark.parametrize(
    ("sizes", "budget", "line"),
    [
        ([4], {}, "Gate 2: , : maxApproxChars is not set: everything passes"),
        ([4], {"max_items": 3}, "Gate 1: 1 ≤ 3, within the limit: nothing to do: everything passes"),
        ([4], {"max_items": 0}, "Gate 1 opens: 1 > 0, 1 too many: a limit of 0 keeps nothing"),
        ([4], {"max_approx_chars": 0}, "Gate 2 opens: 4 > 0, 4 too many: a limit of 0 keeps nothing"),
        (
            [40],
            {"max_approx_chars": 10},
            "Gate 2 is done: 40 > 10, over by 30: 1 item enters the window, no flag, no note",
        ),
        (
            [4, 4],
            {"max_items": 1, "pinned_prefix_items": 1},
            "Gate 1 opens: 2 > 1, 1 too many: keep the first 1 and none of the newest",
        ),
    ],
)
def test_a_step_by_itself(sizes: list[int], budget: dict[str, Any], line: str) -> None:
    assert line in said(*sizes, **budget)


def test_what_is_cleared_before_the_gates() -> None:
    outputs: list[Json] = [{"type": "function_call_output", "call_id": "c", "output": "x" * 90} for _ in range(3)]
    examination = examined([*outputs, {"role": "user", "content": "q"}], tool_results=1, projector="type-aware")
    told = Playback.of(examination).telling()
    assert (told.title, told.verdict + told.rest) == ("Tier 1", "2 old tool results cleared before the gates")
    assert "→" in told.outcome


def test_the_most_that_is_held_against_the_limit() -> None:
    examination = examine(session(*sized(4, 10, 4)), Settings(ContextBudget(max_approx_chars=8)))
    assert Playback.of(examination).most_chars == 14
    long = examine(session(*sized(*[4, 10] * 600)), Settings(ContextBudget(max_approx_chars=8)))
    assert Playback.of(long).most_chars == 10  # too many steps: what is in the window
    assert Playback.of(examine(session(), Settings(ContextBudget()))).most_chars == 0


@given(SIZES, BUDGETS)
def test_while_an_item_is_weighed_it_is_undecided(sizes: list[int], budget: ContextBudget) -> None:
    playback = Playback.of(examine(session(*sized(*sizes[:40])), Settings(budget)))
    for at in range(len(playback.trace)):
        here = playback.to(at)
        assert here.telling().verdict
        assert sum(here.counts.values()) == len(sizes[:40])
        if here.index is not None:
            assert here.states[here.index] == UNDECIDED
            assert here.shown_item(0) == here.index
    assert playback.to(10**9).states == playback.examination.projection.states
    assert playback.to(-5).at == 0
