"""Why an item is in or out: the sentences, and that their numbers are the projector's."""

from __future__ import annotations

from array import array
from typing import Any

import pytest
from hypothesis import given

from ctxviz.analysis.comparison import report_changes
from ctxviz.analysis.examination import examine
from ctxviz.analysis.explanation import explain, what_it_is
from ctxviz.analysis.settings import Settings
from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.projection import State
from ctxviz.session.model import Session
from tests.projection.plain import plain_kept
from tests.projection.strategies import BUDGETS, ITEMS, SIZES
from tests.tui.opening import session_of, words


def reason(sizes: list[int], index: int, **budget: int) -> str:
    return explain(examine(session_of(words(*sizes)), Settings(ContextBudget(**budget))), index).sentence  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sizes", "index", "budget", "sentence"),
    [
        ([4, 4], 0, {}, "Kept: no limit is set."),
        ([4, 4], 0, {"pinned_prefix_items": 1}, "Pinned: no limit is set."),
        (
            [4, 4],
            1,
            {"max_items": 2, "max_approx_chars": 9},
            "Kept: 2 items ≤ maxItems 2 and 8 chars ≤ maxApproxChars 9.",
        ),
        (
            [1] * 9,
            3,
            {"max_items": 5, "pinned_prefix_items": 2},
            "Dropped by maxItems: 9 items > 5, which keeps the first 2 and the last 3 (#6–#8)"
            "; it would be kept at maxItems 8.",
        ),
        (
            [1] * 9,
            0,
            {"max_items": 5},
            "Dropped by maxItems: 9 items > 5, which keeps the last 5 (#4–#8); it would be kept at maxItems 9.",
        ),
        (
            [1] * 9,
            8,
            {"max_items": 2, "pinned_prefix_items": 4},
            "Dropped by maxItems: 9 items > 2, which keeps the first 2 and leaves none for the newest"
            "; it would be kept at maxItems 5.",
        ),
        (
            [1] * 9,
            8,
            {"max_items": 0},
            "Dropped by maxItems: 9 items > 0, which keeps nothing; it would be kept at maxItems 1.",
        ),
        ([1] * 9, 8, {"max_items": 4}, "Kept: maxItems 4 keeps the last 4 (#5–#8)."),
        (
            [4, 10, 4],
            1,
            {"max_approx_chars": 8},
            "Dropped by maxApproxChars: 4 used + 10 = 14 > 8, over by 6; then #0 still fitted"
            "; it would fit at maxApproxChars 14.",
        ),
        ([4, 10, 4], 0, {"max_approx_chars": 8}, "Kept: 4 used + 4 = 8 ≤ 8, 0 left."),
        (
            [1, 50, 1, 1],
            1,
            {"max_approx_chars": 10, "pinned_prefix_items": 3},
            "Dropped by maxApproxChars, although it is in the pinned prefix: 1 used + 50 = 51 > 10, over by 41;"
            " then #2 still fitted; it would fit at maxApproxChars 51.",
        ),
        (
            [30, 1, 40],
            2,
            {"max_approx_chars": 10, "pinned_prefix_items": 1},
            "Kept: the newest item is forced in, although 30 used + 40 = 70 > 10, over by 60.",
        ),
        (
            [30, 1, 40],
            0,
            {"max_approx_chars": 10, "pinned_prefix_items": 1},
            "Pinned: the first pinned item is forced in, although 0 used + 30 = 30 > 10, over by 20.",
        ),
        (
            [3, 3],
            1,
            {"max_approx_chars": 0},
            "Dropped by maxApproxChars: a limit of 0 keeps nothing; it would fit at maxApproxChars 1.",
        ),
    ],
)
def test_sentences(sizes: list[int], index: int, budget: dict[str, int], sentence: str) -> None:
    assert reason(sizes, index, **budget) == sentence


def test_what_fitted_after_a_skipped_item_is_listed_nearest_first() -> None:
    assert reason([1, 1, 9, 9], 2, max_approx_chars=11).endswith(
        "then #1 and #0 still fitted; it would fit at maxApproxChars 18."
    )
    assert reason([1, 1, 1, 9, 9], 3, max_approx_chars=12).endswith(
        "then #2, #1 and #0 still fitted; it would fit at maxApproxChars 18."
    )
    assert reason([1] * 6 + [9, 9], 6, max_approx_chars=15).endswith(
        "then #5, #4 and 4 more still fitted; it would fit at maxApproxChars 18."
    )


def test_the_addition_says_whose_characters_are_used() -> None:
    examination = examine(session_of(words(5, 9, 5, 90, 5, 90, 5, 5)), Settings(ContextBudget(None, 30, 1)))
    used = {index: explain(examination, index).sums[0].terms[0].of for index in range(8)}
    assert used[0] == "used: nothing yet"
    assert used[7] == "used: the prefix"
    assert used[5] == "used: the prefix and #6–#7"
    assert used[3] == "used: the prefix and #4, #6–#7"


def test_a_cleared_item_says_what_it_was() -> None:
    call = {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "sql", "arguments": "{}"}}]}
    outputs = [{"type": "function_call_output", "call_id": "a", "output": "0"} for _ in range(3)]
    examination = examine(
        session_of([call, *outputs]), Settings(ContextBudget(max_recent_tool_results=1), projector="type-aware")
    )
    why = explain(examination, 1)
    assert why.clearing is not None
    assert why.clearing.placeholder == "[tool result cleared: sql(a)]"
    assert why.clearing.whole_from == 3
    assert why.clearing.size_after > why.clearing.size_before
    assert why.sentence.startswith("Cleared (older than the last tool output): ")
    assert explain(examination, 3).clearing is None
    assert what_it_is(examination, 0) == "call of sql"
    assert what_it_is(examination, 1) == "tool output of sql"
    counts = examination.counts
    assert (counts.kept, counts.cleared, counts.pinned) == (2, 2, 0)
    assert examination.tool_output_count == 3


@given(SIZES.filter(bool), BUDGETS)
def test_every_sum_is_right_and_decides(sizes: list[int], budget: ContextBudget) -> None:
    session = session_of([""] * len(sizes))
    source = session.source("live")
    source.sizes = array("q", sizes)
    examination = examine(session, Settings(budget))
    kept = set(plain_kept(sizes, budget)[0])
    for index in range(len(sizes)):
        why = explain(examination, index)
        assert (why.decision.state is not State.DROPPED) == (index in kept)
        assert why.sentence.endswith(".")
        assert why.verdict.startswith(why.decision.state.value)
        for total in why.sums:
            assert {"=": total.total == total.limit, "≤": total.total <= total.limit, ">": total.total > total.limit}[
                total.comparison
            ]
        if why.decision.used is not None and budget.max_approx_chars:
            assert why.sums[-1].total == why.decision.used + sizes[index]


@given(ITEMS, BUDGETS)
def test_counts_add_up_and_everything_has_a_reason(items: list[Any], budget: ContextBudget) -> None:
    session: Session = session_of(items)
    for projector in ("default", "type-aware"):
        examination = examine(session, Settings(budget, projector=projector))
        counts = examination.counts
        in_window = counts.pinned + counts.kept + counts.cleared
        assert in_window == examination.report.projected_item_count
        assert counts.dropped_by_items + counts.dropped_by_chars == examination.report.dropped_item_count
        assert all(explain(examination, index).sentence for index in range(len(items)))


def test_changes_are_after_minus_before() -> None:
    session = session_of(words(4, 10, 4))
    before = examine(session, Settings(ContextBudget(max_approx_chars=14)))
    after = examine(session, Settings(ContextBudget(max_approx_chars=8)))
    assert report_changes(before, after) == {"projectedApproxChars": -6}
    unlimited = examine(session, Settings())
    assert report_changes(after, unlimited) == {
        "projectedItemCount": 1,
        "droppedItemCount": -1,
        "projectedApproxChars": 10,
        "characterLimitApplied": -1,
    }
