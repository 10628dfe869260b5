"""Anthropic's Messages: lists of messages, bodies of requests, and responses."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.blocks import block_types, split_message
from ctxviz.session.formats.bodies import body_share, last_body
from ctxviz.session.formats.content import Content, NotReadable, list_under
from ctxviz.session.formats.plain import plain_content
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords, Records

NAME = "anthropic-messages"
TITLE = "Anthropic Messages"
KNOWN_BY = "messages with tool_use, tool_result or thinking blocks, or a system beside them"
READS = "each message; tool_use, tool_result and thinking blocks are items of their own"
LEAVES_OUT = "system, tools and settings of the request, which are no items; usage and ids of a response"

_OWN_BLOCKS = frozenset(
    {
        "tool_use",
        "tool_result",
        "thinking",
        "redacted_thinking",
        "server_tool_use",
        "compaction",
        "mcp_tool_use",
        "mcp_tool_result",
    }
)


def looks_like(file: Opened) -> float:
    """Whether there are blocks, or members of a body, that only Anthropic has."""
    if isinstance(file, Document):
        return _document_certainty(file.value)
    if not isinstance(file, Records):
        return 0
    sample = file.sample()
    messages = [record for record in sample if _is_message(record)]
    if any(map(_has_own_block, messages)):
        return 0.8 * len(messages) / len(sample)
    return 0.8 * body_share(file, _messages_of) if sample else 0


def _document_certainty(document: Json) -> float:
    if _messages_of(document) is not None:
        return 0.8
    return 0.8 if _is_response(document) else 0


def read(file: Opened, conversation: str | None = None) -> Content:
    """The messages."""
    if isinstance(file, Document):
        if _is_response(file.value):
            return plain_content(ListRecords([file.value], lambda number: "the response"), items_of)
        messages = ListRecords(list_under(file.value, "messages"), lambda number: f"messages[{number}]")
        return plain_content(messages, items_of, "The file is whole: a request whose messages is empty.")
    if not isinstance(file, Records):
        raise NotReadable("holds no items: there are no messages")
    if body_share(file, _any_messages) > 0.5:
        return last_body(file, _any_messages, items_of, "messages")
    return plain_content(file, items_of)


def items_of(record: Json) -> Sequence[Json]:
    """The items of a message; what is none is one item as it is."""
    if not isinstance(record, dict) or "role" not in record:
        return (record,)
    return split_message(record["role"], record.get("content"))


def _messages_of(document: Json) -> list[Json] | None:
    """The messages of what can only be a body for Anthropic."""
    messages = _any_messages(document)
    if messages is None or not isinstance(document, dict):
        return None
    is_own = "anthropic_version" in document or "system" in document or any(map(_has_own_block, messages[:200]))
    return messages if is_own else None


def _any_messages(document: Json) -> list[Json] | None:
    messages = document.get("messages") if isinstance(document, dict) else None
    return messages if isinstance(messages, list) else None


def _is_message(record: Json) -> bool:
    return isinstance(record, dict) and record.get("role") in ("user", "assistant") and "content" in record


def _is_response(record: Json) -> bool:
    return _is_message(record) and isinstance(record, dict) and record.get("type") == "message" and "model" in record


def _has_own_block(message: Json) -> bool:
    return isinstance(message, dict) and not _OWN_BLOCKS.isdisjoint(block_types(message.get("content")))
