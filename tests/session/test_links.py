"""Calls and outputs find one another, over the whole session."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxviz.projection.json_value import Json
from ctxviz.session.item import kind_code
from ctxviz.session.links import NONE, Links, find_links
from tests.session.test_pairing import chat_call, output

USER: Json = {"role": "user", "content": "q"}


def links(items: list[Json]) -> Links:
    return find_links(items, bytes(map(kind_code, items)))


def pairs(items: list[Json]) -> list[tuple[int, int]]:
    found = links(items)
    return list(zip(found.calls, found.outputs, strict=True))


def calls(*ids: str) -> Json:
    return {"role": "assistant", "tool_calls": [{"id": i, "function": {"name": "f", "arguments": "{}"}} for i in ids]}


def test_each_shape() -> None:
    items: list[Json] = [
        chat_call("a", "grep"),
        output("a"),
        {"type": "function_call", "call_id": "b", "id": "fc_1", "name": "sql", "arguments": "{}"},
        {"role": "tool", "tool_call_id": "b", "content": "r"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "bash", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c"}]},
        {"role": "assistant", "function_call": {"name": "old", "arguments": "{}"}},
        {"role": "function", "name": "old", "content": "r"},
    ]
    assert pairs(items) == [(0, 1), (2, 3), (4, 5), (6, 7)]


def test_ids_that_repeat_belong_to_the_nearest_earlier_call() -> None:
    assert pairs([calls("x"), output("x"), calls("x"), output("x"), output("x")]) == [(0, 1), (2, 3), (2, 4)]


def test_what_is_missing() -> None:
    assert pairs([output("x"), calls("x"), USER]) == [(NONE, 0), (1, NONE)]
    assert pairs([{"type": "function_call_output", "output": "r"}]) == [(NONE, 0)]
    assert pairs([{"role": "assistant", "tool_calls": [{"id": "", "name": "f"}]}, output("tool_step_0_0")]) == [
        (NONE, 1),
        (0, NONE),
    ]


def test_several_calls_of_one_item_and_several_results() -> None:
    results: Json = {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "a"}, {"type": "tool_result", "tool_use_id": "b"}],
    }
    found = links([calls("a", "b", "c"), results, USER])
    assert (found.of_call(0), found.of_output(1), found.of_call(2)) == ([1, 1, NONE], [0, 0], [])
    assert (found.partners(0), found.partners(1), found.partners(2)) == ([1], [0], [])


def test_calls_that_the_session_ends_with_are_not_answered_yet() -> None:
    assert pairs([USER, calls("a")]) == []
    assert pairs([USER, calls("a"), calls("b")]) == []
    assert pairs([USER, calls("a"), calls("b"), output("b")]) == [(1, NONE), (2, 3)]


@pytest.mark.parametrize(
    "item",
    [
        {"type": "web_search_call", "id": "ws_1", "status": "completed"},
        {"role": "assistant", "content": [{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}]},
    ],
)
def test_what_the_provider_runs_itself_needs_no_output(item: Json) -> None:
    assert pairs([item, USER]) == []


ANY_ITEM: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(["a", "b", "c"]).map(output),
    st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3).map(lambda ids: calls(*ids)),
    st.just(USER),
)


@given(st.lists(ANY_ITEM, max_size=30))
def test_links_equal_a_plain_search(items: list[Any]) -> None:
    ids = [[call["id"] for call in item.get("tool_calls", [])] for item in items]
    expected = set()
    for index, item in enumerate(items):
        if "call_id" in item:
            expected.add((max((at for at in range(index) if item["call_id"] in ids[at]), default=NONE), index))
    for index in range(len(items)):
        for call_id in ids[index]:
            answered = any((index, at) in expected and items[at]["call_id"] == call_id for at in range(len(items)))
            if not answered and any("tool_calls" not in later for later in items[index:]):
                expected.add((index, NONE))
    assert set(pairs(items)) == expected
    found = links(items)
    for start, stop in ((0, len(items) // 2), (len(items) // 2, len(items))):
        assert [found.calls[at] for at in found.in_calls(start, stop)] == [c for c in found.calls if start <= c < stop]
        assert sorted(found.outputs[at] for at in found.in_outputs(start, stop)) == sorted(
            o for o in found.outputs if start <= o < stop
        )
