"""What an item is, on any JSON value."""

from __future__ import annotations

from enum import StrEnum

from ctxviz.projection.json_value import Json


class Kind(StrEnum):
    """What an item is; its values are the words of the screen and of reports.

    A developer message is `system`. An assistant message with calls is a `tool-call`, with text
    or without. A user message of Anthropic's that holds a tool result is a `tool-output`.
    """

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL_CALL = "tool-call"
    TOOL_OUTPUT = "tool-output"
    REASONING = "reasoning"
    OTHER = "other"


KINDS: tuple[Kind, ...] = tuple(Kind)

_SYSTEM, _USER, _ASSISTANT, _TOOL_CALL, _TOOL_OUTPUT, _REASONING, _OTHER = range(len(KINDS))

_CODE_OF_ROLE = {
    "system": _SYSTEM,
    "developer": _SYSTEM,
    "user": _USER,
    "assistant": _ASSISTANT,
    "tool": _TOOL_OUTPUT,
    "function": _TOOL_OUTPUT,
}
_CODE_OF_TYPE = {
    "function_call": _TOOL_CALL,
    "function_call_output": _TOOL_OUTPUT,
    "reasoning": _REASONING,
    # Outputs of OpenAI's Responses whose names do not end like the others'.
    "tool_search_output": _TOOL_OUTPUT,
    "program_output": _TOOL_OUTPUT,
    # Anthropic's blocks, where a list holds them bare.
    "tool_use": _TOOL_CALL,
    "tool_result": _TOOL_OUTPUT,
}


def kind_of(item: Json) -> Kind:
    """What the item is; a bare string, a number, null or an unknown map is `OTHER`."""
    return KINDS[kind_code(item)]


def kind_code(item: Json) -> int:
    """The kind's place in `KINDS`; never raises, whatever the types inside."""
    if not isinstance(item, dict):
        return _OTHER
    type_name = item.get("type")
    if type_name != "message" and isinstance(type_name, str):
        code = _CODE_OF_TYPE.get(type_name) or _code_of_ending(type_name)
        if code:
            return code
    role = item.get("role")
    code = _CODE_OF_ROLE.get(role, _OTHER) if isinstance(role, str) else _OTHER
    if code == _ASSISTANT:
        return _TOOL_CALL if _has_calls(item) else _code_of_blocks(item.get("content"))
    if code == _USER and _has_block(item.get("content"), "tool_result"):
        return _TOOL_OUTPUT
    return code


def is_call_by_type(item: dict[str, Json]) -> bool:
    """Whether the item's `type` makes it a call: then it is one call, not a message with calls."""
    type_name = item.get("type")
    if not isinstance(type_name, str):
        return False
    return (_CODE_OF_TYPE.get(type_name) or _code_of_ending(type_name)) == _TOOL_CALL


def _code_of_ending(type_name: str) -> int:
    """The code of a call or an output whose type has a regular name; 0, which no such item has, for others."""
    return _TOOL_OUTPUT if type_name.endswith("_call_output") else _TOOL_CALL if type_name.endswith("_call") else 0


def _has_calls(message: dict[str, Json]) -> bool:
    if "tool_calls" in message:
        calls = message["tool_calls"]
        if isinstance(calls, list) and any(isinstance(call, dict) for call in calls):
            return True
    if "function_call" in message and isinstance(message["function_call"], dict):
        return True
    return _has_block(message.get("content"), "tool_use")


def _has_block(content: Json, ending: str) -> bool:
    """Whether a content list has a block whose type ends so: Anthropic's own tools have longer names."""
    if isinstance(content, list):
        for block in content:
            if isinstance(block, dict) and isinstance(kind := block.get("type"), str) and kind.endswith(ending):
                return True
    return False


def _code_of_blocks(content: Json) -> int:
    """The code of an assistant message without calls: thoughts and nothing else, a server tool's result, or words."""
    if not isinstance(content, list) or not content:
        return _ASSISTANT
    first = content[0]
    kind = first.get("type") if isinstance(first, dict) else None
    if kind in ("thinking", "redacted_thinking"):
        is_thought = all(
            isinstance(block, dict) and block.get("type") in ("thinking", "redacted_thinking") for block in content
        )
        return _REASONING if is_thought else _ASSISTANT
    return _TOOL_OUTPUT if isinstance(kind, str) and kind.endswith("tool_result") else _ASSISTANT


def is_item(value: Json) -> bool:
    """Whether an object is an item by itself: it has a role, or a type that items have."""
    if not isinstance(value, dict):
        return False
    type_name = value.get("type")
    if isinstance(value.get("role"), str) or (isinstance(type_name, str) and type_name in _OTHER_ITEM_TYPES):
        return True
    return kind_of(value) is not Kind.OTHER


_OTHER_ITEM_TYPES = {
    "message",
    "item_reference",
    "compaction",
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_approval_response",
}
