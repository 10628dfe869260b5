"""Outputs find the name of their tool."""

from __future__ import annotations

from ctxviz.projection.json_value import Json
from ctxviz.session.kind import kind_code
from ctxviz.session.pairing import ToolNames


def chat_call(call_id: str, name: str) -> Json:
    return {"role": "assistant", "tool_calls": [{"id": call_id, "function": {"name": name, "arguments": "{}"}}]}


def output(call_id: Json) -> Json:
    return {"type": "function_call_output", "call_id": call_id, "output": "r"}


def tool_names(items: list[Json]) -> dict[int, str]:
    names = ToolNames(items.__getitem__, bytes(map(kind_code, items)))
    return {index: name for index in range(len(items)) if (name := names.get(index)) is not None}


def test_each_shape_of_call() -> None:
    items: list[Json] = [
        chat_call("a", "grep"),
        {"type": "function_call", "call_id": "b", "id": "fc_1", "name": "sql", "arguments": "{}"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "bash", "input": {}}]},
        {"role": "tool", "tool_call_id": "a", "content": "r"},
        output("b"),
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c"}]},
        output("fc_1"),
    ]
    assert tool_names(items) == {3: "grep", 4: "sql", 5: "bash"}


def test_the_nearest_earlier_call_counts() -> None:
    items: list[Json] = [
        output("x"),
        chat_call("x", "first"),
        output("x"),
        chat_call("x", "second"),
        output("x"),
        output("x"),
    ]
    assert tool_names(items) == {2: "first", 4: "second", 5: "second"}


def test_results_of_several_tools_in_one_message() -> None:
    items: list[Json] = [
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "a", "name": "grep", "input": {}},
                {"type": "tool_use", "id": "b", "name": "grep", "input": {}},
                {"type": "tool_use", "id": "c", "name": "ls", "input": {}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call_id} for call_id in "abc"]},
    ]
    assert tool_names(items) == {1: "grep, ls"}


def test_names_that_outputs_carry_and_ids_that_are_none() -> None:
    items: list[Json] = [
        {"role": "function", "name": "f", "content": "r"},
        output(None),
        output(5),
        output(["x"]),
        None,
        "x",
    ]
    assert tool_names(items) == {0: "f"}
