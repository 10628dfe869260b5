"""The part of an item that a person reads."""

from __future__ import annotations

from ctxviz.projection.json_value import Json
from ctxviz.projection.scalars import java_scalar

_TEXT_KEYS = ("text", "thinking", "refusal", "reasoning_content", "content", "output", "summary", "arguments", "input")
"""Where the words of an item, a content part, a call or a function stand, in reading order."""


def readable_text(item: Json) -> str:
    """The words of an item, without its structure: texts, tool outputs, arguments of calls.

    Pieces are joined by a line break. Names, ids, types, images and files are no words. Works on
    any shape: what it does not know has no words, and a string item is its own text.
    """
    pieces: list[str] = []
    todo: list[Json] = [item]
    while todo:
        value = todo.pop()
        if isinstance(value, str):
            if value:
                pieces.append(value)
        elif isinstance(value, list):
            todo.extend(reversed(value))
        elif isinstance(value, dict):
            found = [value[key] for key in _TEXT_KEYS if key in value]
            calls = value.get("tool_calls")
            if isinstance(calls, list):
                found += [call.get("function", call) for call in calls if isinstance(call, dict)]
            call = value.get("function_call")
            if isinstance(call, dict):
                found.append(call)
            todo.extend(reversed(found))
        elif isinstance(value, (int, float)) and value is item:
            pieces.append(java_scalar(value))
    return "\n".join(pieces)
