"""What a projection loses: every finding confirmed by a plain restatement, and nothing missed by it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxviz.analysis.examination import Examination, examine
from ctxviz.analysis.finding import Finding
from ctxviz.analysis.losses import broken_pairs, cut_followers, cut_reasoning, losses
from ctxviz.analysis.settings import PROJECTOR_NAMES, Settings
from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.json_value import Json
from ctxviz.session.item import Kind
from tests.analysis.plain_findings import plain_findings
from tests.export.sessions import examined, session, sized
from tests.projection.plain import plain_kept, plain_rewritten

IDS = st.sampled_from(["a", "b", "c"])
TEXTS = st.integers(0, 40).map("x".__mul__)
CALL: st.SearchStrategy[Any] = st.one_of(
    st.lists(IDS, min_size=1, max_size=3, unique=True).map(
        lambda ids: {"role": "assistant", "tool_calls": [{"id": i, "function": {"name": "f"}} for i in ids]}
    ),
    IDS.map(lambda i: {"type": "function_call", "call_id": i, "id": f"fc_{i}", "name": "f"}),
)
OUTPUT: st.SearchStrategy[Any] = st.one_of(
    st.builds(lambda i, text: {"type": "function_call_output", "call_id": i, "output": text}, IDS, TEXTS),
    st.builds(lambda i, text: {"role": "tool", "tool_call_id": i, "content": text}, IDS, TEXTS),
)
MESSAGE = st.builds(
    lambda role, text: {"role": role, "content": text},
    st.sampled_from(["system", "developer", "user", "assistant"]),
    TEXTS,
)
REASONING = st.builds(lambda text: {"type": "reasoning", "id": "rs_1", "summary": text}, TEXTS)
SESSIONS = st.lists(st.one_of(CALL, OUTPUT, MESSAGE, REASONING), max_size=25)
LIMITS = st.one_of(st.none(), st.integers(0, 26), st.integers(-1, 0))
BUDGETS = st.builds(
    ContextBudget,
    max_items=LIMITS,
    max_approx_chars=st.one_of(st.none(), st.integers(0, 1_500), st.just(0)),
    pinned_prefix_items=LIMITS,
    max_recent_tool_results=st.one_of(st.none(), st.integers(0, 4)),
    trim_old_reasoning=st.booleans(),
)


def found_by(examination: Examination) -> list[Finding]:
    outputs, calls = broken_pairs(examination, ())
    return [*losses(examination), *outputs, *calls]


@given(SESSIONS, BUDGETS, st.sampled_from(PROJECTOR_NAMES))
def test_findings_equal_a_plain_check(items: list[Any], budget: ContextBudget, projector: Any) -> None:
    examination = examine(session(*items), Settings(budget, projector))
    seen = plain_rewritten(items, budget)[0] if projector == "type-aware" else items
    sizes = [len(str_of(item)) for item in seen]
    expected = plain_findings(items, sizes, budget, plain_kept(sizes, budget)[0])
    found = {
        (finding.code, () if finding.code == "over-budget" else tuple(finding.items))
        for finding in found_by(examination)
    }
    assert found == expected


def str_of(item: Any) -> str:
    """The live text of the items above: Java's text of maps, lists and strings."""
    if isinstance(item, dict):
        return "{" + ", ".join(f"{key}={str_of(value)}" for key, value in item.items()) + "}"
    if isinstance(item, list):
        return "[" + ", ".join(map(str_of, item)) + "]"
    return "null" if item is None else str(item)


def codes(examination: Examination) -> dict[str, tuple[int, ...]]:
    return {finding.code: tuple(finding.items) for finding in found_by(examination)}


USER: Json = {"role": "user", "content": "q"}
SYSTEM: Json = {"role": "system", "content": "s"}
ANSWER: Json = {"role": "assistant", "content": "a"}
CALLS: Json = {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "grep"}}]}
RESULT: Json = {"type": "function_call_output", "call_id": "c1", "output": "r"}


@pytest.mark.parametrize(
    ("code", "shows", "avoids"),
    [
        ("orphan-output", examined([USER, CALLS, RESULT], 1), examined([USER, CALLS, RESULT], 2)),
        ("orphan-call", examined([CALLS, RESULT, USER], 2, pinned=1), examined([CALLS, RESULT, USER], 3, pinned=1)),
        ("newest-lost", examined([USER, ANSWER], 1, pinned=1), examined([USER, ANSWER], 2, pinned=2)),
        ("no-user", examined([USER, ANSWER], 1), examined([ANSWER, ANSWER], 1)),
        ("empty", examined([USER], 0), examined([], 0)),
        ("pinned-lost", examined(sized(1, 50, 1), None, 10, 2), examined(sized(1, 9, 1), None, 10, 2)),
        ("system-lost", examined([SYSTEM, USER], 1), examined([SYSTEM, USER], 2)),
        ("task-lost", examined([USER, ANSWER, USER], 2), examined([ANSWER, USER, USER], 2)),
        ("over-budget", examined(sized(11), None, 10), examined(sized(10), None, 10)),
        ("hole", examined(sized(4, 10, 4), None, 8), examined(sized(4, 10, 4), None, 14)),
    ],
)
def test_a_session_that_shows_it_and_one_that_just_avoids_it(
    code: str, shows: Examination, avoids: Examination
) -> None:
    assert code in codes(shows)
    assert code not in codes(avoids)


REASON: dict[str, Json] = {"type": "reasoning", "id": "rs_1", "summary": []}
FOLLOWER: Json = {"type": "message", "id": "msg_1", "role": "assistant", "content": "a"}


def test_reasoning_is_torn_from_what_follows_it_at_either_side_of_a_cut() -> None:
    cut = examined([REASON, FOLLOWER, USER, USER], 2, pinned=1)
    assert [(f.code, f.items, f.message) for f in cut_reasoning(cut)] == [
        ("orphan-reasoning", (0,), "what it led to, #1, was dropped by maxItems")
    ]
    assert not list(cut_reasoning(examined([REASON, FOLLOWER, USER, USER], 3, pinned=2)))
    for accepted in ({**REASON, "encrypted_content": "x"}, {**REASON, "id": "other"}):
        assert not list(cut_reasoning(examined([accepted, FOLLOWER, USER, USER], 2, pinned=1)))
    cut = examined([USER, REASON, FOLLOWER], 1)
    assert [(f.code, f.items, f.message) for f in cut_followers(cut)] == [
        ("call-without-reasoning", (2,), "its reasoning #1 was dropped by maxItems")
    ]
    assert not list(cut_followers(examined([USER, REASON, FOLLOWER], 2)))
    assert not list(cut_followers(examined([USER, REASON, ANSWER], 1)))


@pytest.mark.parametrize(
    ("examination", "message"),
    [
        (examined([USER, CALLS, RESULT], 1), "its call #1 was dropped by maxItems"),
        (examined([CALLS, RESULT, USER], 2, pinned=1), "its output #1 was dropped by maxItems"),
        (examined([USER, RESULT]), "it answers no call of the session"),
        (examined([CALLS, USER]), "no output answers it"),
        (
            examined(sized(11), None, 10),
            "11 chars are 1 over maxApproxChars 10, and the report is silent about it: no flag, no note",
        ),
        (examined(sized(3, 11), None, 10), "11 chars are 1 over maxApproxChars 10"),
        (examined([USER], 0), "none of 1 item is in the window"),
        (examined(sized(4, 10, 4), None, 8), "skipped by maxApproxChars, older ones kept"),
        (examined([USER, ANSWER, ANSWER], 2), "the first user message, dropped by maxItems"),
    ],
)
def test_what_is_said(examination: Examination, message: str) -> None:
    assert message in [finding.message for finding in found_by(examination)]


def test_an_item_that_is_not_sent_is_as_good_as_dropped() -> None:
    examination = examined([USER, CALLS, RESULT])
    outputs, calls = broken_pairs(examination, {1})
    assert [(f.items, f.message) for f in outputs] == [((2,), "its call #1 is left out of the request")]
    assert not calls
    assert examination.session.kind(1) is Kind.TOOL_CALL


def test_long_work_can_be_ended() -> None:
    class Ended(Exception):
        pass

    def end() -> None:
        raise Ended

    with pytest.raises(Ended):
        broken_pairs(examined([CALLS, RESULT]), (), end)
