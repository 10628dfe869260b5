"""Cursor's agent transcripts: lines of a role and a message with Anthropic's blocks."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.blocks import split_message
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.plain import plain_content
from ctxviz.session.opened import Opened
from ctxviz.session.records import Records

NAME = "cursor"
TITLE = "Cursor transcript"
KNOWN_BY = "lines with role and message.content, and neither type nor uuid"
READS = "each block as an item, as in Claude Code"
LEAVES_OUT = "nothing"


def looks_like(file: Opened) -> float:
    """The share of such lines."""
    sample = file.sample() if isinstance(file, Records) else ()
    return 0.9 * sum(map(_is_line, sample)) / len(sample) if sample else 0


def _is_line(record: Json) -> bool:
    if not isinstance(record, dict) or "uuid" in record or "type" in record or not isinstance(record.get("role"), str):
        return False
    message = record.get("message")
    return isinstance(message, dict) and "content" in message


def read(file: Opened, conversation: str | None = None) -> Content:
    """The messages' blocks."""
    if not isinstance(file, Records):
        raise NotReadable("holds no items: there are no lines")
    return plain_content(file, items_of)


def items_of(record: Json) -> Sequence[Json]:
    """A line's items."""
    if not _is_line(record) or not isinstance(record, dict):
        return (record,)
    message = record["message"]
    return split_message(record["role"], message.get("content") if isinstance(message, dict) else None)
