"""Grok CLI's chat history: flat lines whose type is the role."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.plain import plain_content
from ctxviz.session.formats.shapes import output
from ctxviz.session.opened import Opened
from ctxviz.session.records import Records

NAME = "grok-cli"
TITLE = "Grok CLI"
KNOWN_BY = "lines of type system, user, assistant, reasoning and tool_result with content"
READS = "each line as an item"
LEAVES_OUT = "nothing"

_ROLES = ("system", "user", "assistant")


def looks_like(file: Opened) -> float:
    """The share of such lines, if a tool's result or a thought is among them."""
    sample = file.sample() if isinstance(file, Records) else ()
    lines = sum(map(_is_line, sample))
    own = any(isinstance(record, dict) and record.get("type") in ("tool_result", "system") for record in sample)
    return 0.85 * lines / len(sample) if sample and own else 0


def _is_line(record: Json) -> bool:
    if not isinstance(record, dict) or not {"role", "message", "uuid", "data", "payload"}.isdisjoint(record):
        return False
    kind = record.get("type")
    return (kind in (*_ROLES, "tool_result") and "content" in record) or (kind == "reasoning" and "summary" in record)


def read(file: Opened, conversation: str | None = None) -> Content:
    """The lines."""
    if not isinstance(file, Records):
        raise NotReadable("holds no items: there are no lines")
    return plain_content(file, items_of)


def items_of(record: Json) -> Sequence[Json]:
    """A line's item."""
    if not isinstance(record, dict):
        return (record,)
    kind, content = record.get("type"), record.get("content")
    if kind == "tool_result":
        return (output(record.get("tool_call_id", record.get("id")), content, record.get("name")),)
    if kind in _ROLES and isinstance(kind, str):
        item: dict[str, Json] = {"role": kind, "content": content}
        calls = record.get("tool_calls")
        if isinstance(calls, list) and calls:
            item["tool_calls"] = calls
        return (item,)
    return (record,)
