"""The tool calls that an item makes, and those that it answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ctxviz.projection.json_value import Json
from ctxviz.session.compact_json import compact_json
from ctxviz.session.kind import Kind, is_call_by_type, kind_of


@dataclass(frozen=True)
class ToolCall:
    """One call of a tool.

    `call_id` is what its output answers to: OpenAI's Responses' `call_id` (never the item's own
    `id`), else the call's `id`; None if it has none that is a string. `arguments` is JSON text
    as the model wrote it, or raw text of a custom tool, "" if there are none.
    """

    name: str | None
    call_id: str | None
    arguments: str


@dataclass(frozen=True)
class RawCall:
    """A call whose arguments are left as the item holds them, JSON text or a JSON value.

    `by_server` says that the provider runs it itself (OpenAI's Responses, Anthropic): no output of
    it has to follow.
    """

    name: str | None
    call_id: str | None
    arguments: Json
    by_server: bool = False


_ARGUMENT_KEYS = ("arguments", "input", "args", "action", "operation", "code", "queries")
"""Where calls keep what they ask for; the last ones are of OpenAI's built-in tools."""

_RUN_BY_SERVER = {
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "mcp_call",
    "tool_search_call",
}


def calls_of(item: Json) -> tuple[ToolCall, ...]:
    """The calls that the item makes, in order."""
    return tuple(ToolCall(call.name, call.call_id, _arguments_text(call.arguments)) for call in raw_calls(item))


def raw_calls(item: Json) -> Iterator[RawCall]:
    """The calls that the item makes, with their arguments untouched."""
    if not isinstance(item, dict) or kind_of(item) is not Kind.TOOL_CALL:
        return
    if is_call_by_type(item):
        yield _call_item(item)
        return
    calls = item.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict):
            yield _chat_call(call)
    function = item.get("function_call")
    if isinstance(function, dict):
        yield RawCall(_text(function.get("name")), None, function.get("arguments"))
    content = item.get("content")
    for block in content if isinstance(content, list) else []:
        if isinstance(block, dict) and isinstance(kind := block.get("type"), str) and kind.endswith("tool_use"):
            yield RawCall(_text(block.get("name")), _text(block.get("id")), block.get("input"), kind != "tool_use")


def answered_ids(item: Json) -> tuple[str, ...]:
    """The call ids that a tool output answers: several where Anthropic's results share a message.

    Empty for what is no tool output and for one without an id.
    """
    if not isinstance(item, dict) or kind_of(item) is not Kind.TOOL_OUTPUT:
        return ()
    for key in ("call_id", "tool_call_id", "tool_use_id"):
        call_id = item.get(key)
        if isinstance(call_id, str):
            return (call_id,)
    content = item.get("content")
    blocks = content if isinstance(content, list) else []
    ids = (block.get("tool_use_id") for block in blocks if _is_result(block) and isinstance(block, dict))
    return tuple(call_id for call_id in ids if isinstance(call_id, str))


def own_name(item: Json) -> str | None:
    """The tool's name where an output carries it itself (Chat's `name`)."""
    return _text(item.get("name")) if isinstance(item, dict) and kind_of(item) is Kind.TOOL_OUTPUT else None


def _is_result(block: Json) -> bool:
    kind = block.get("type") if isinstance(block, dict) else None
    return isinstance(kind, str) and kind.endswith("tool_result")


def _call_item(item: dict[str, Json]) -> RawCall:
    """A call that is an item of its own (Responses), or a bare `tool_use` block."""
    type_name = item.get("type")
    name = _text(item.get("name"))
    if name is None and isinstance(type_name, str):
        # Built-in tools have no name but that of the item: web_search_call, computer_call.
        name = type_name.removesuffix("_call")
    id_key = "id" if type_name == "tool_use" else "call_id"
    return RawCall(name, _text(item.get(id_key)), _first(item), type_name in _RUN_BY_SERVER)


def _chat_call(call: dict[str, Json]) -> RawCall:
    inner = next((value for key in ("function", "custom") if isinstance(value := call.get(key), dict)), call)
    name = _text(inner.get("name")) or _text(call.get("name")) or _text(call.get("function"))
    call_id = _text(call.get("id"))
    arguments = _first(inner)
    return RawCall(name, call_id, _first(call) if arguments is None and inner is not call else arguments)


def _first(call: dict[str, Json]) -> Json:
    return next((call[key] for key in _ARGUMENT_KEYS if call.get(key) is not None), None)


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value else None


def _arguments_text(arguments: Json) -> str:
    if isinstance(arguments, str):
        return arguments
    return "" if arguments is None else compact_json(arguments)
