"""Factory Droid's sessions: lines of messages with Anthropic's blocks."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.blocks import block_types, split_message
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.plain import plain_content
from ctxviz.session.opened import Opened
from ctxviz.session.records import Records

NAME = "droid"
TITLE = "Factory Droid"
KNOWN_BY = "a session_start line, and lines of type message"
READS = "each message's blocks, in the order of the file"
LEAVES_OUT = "session_start, todo_state and whatever else is no message"


def looks_like(file: Opened) -> float:
    """The share of such lines, if the session's start or a tool's block tells them from pi's."""
    sample = file.sample() if isinstance(file, Records) else ()
    lines = sum(_message(record) is not None or _is_start(record) for record in sample)
    own = any(map(_is_start, sample)) or any(map(_has_tool, sample))
    return 0.96 * lines / len(sample) if sample and own else 0


def _is_start(record: Json) -> bool:
    return isinstance(record, dict) and record.get("type") == "session_start"


def _message(record: Json) -> dict[str, Json] | None:
    if not isinstance(record, dict) or record.get("type") != "message" or "uuid" in record:
        return None
    message = record.get("message")
    return message if isinstance(message, dict) and "role" in message else None


def _has_tool(record: Json) -> bool:
    message = _message(record)
    return message is not None and bool({"tool_use", "tool_result"} & block_types(message.get("content")))


def read(file: Opened, conversation: str | None = None) -> Content:
    """The messages' blocks."""
    if not isinstance(file, Records):
        raise NotReadable("holds no items: there are no lines")
    return plain_content(file, items_of, "The file is whole: a session with no message.")


def items_of(record: Json) -> Sequence[Json] | str:
    """A line's items."""
    message = _message(record)
    if message is not None:
        return split_message(message["role"], message.get("content"))
    kind = record.get("type") if isinstance(record, dict) else None
    return f"bookkeeping: {kind[:40]}" if isinstance(kind, str) else "no record: it has no type"
