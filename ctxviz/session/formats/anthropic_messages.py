"""Anthropic's Messages: lists of messages, bodies of requests, and responses."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.blocks import block_type, blocks_of, is_alone, split_message
from ctxviz.session.formats.bodies import body_share, last_body
from ctxviz.session.formats.content import Content, NotReadable, list_under
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords, Records
from ctxviz.session.table import Builder

NAME = "anthropic-messages"
TITLE = "Anthropic Messages"
KNOWN_BY = "messages with tool_use, tool_result or thinking blocks, or a system beside them"
READS = "each message; tool_use, tool_result and thinking blocks are items of their own"
LEAVES_OUT = "system, tools and settings of the request, which are no items; usage and ids of a response"

COMPACTED = "before the compaction"
_LOOKED_AT = 200


def looks_like(file: Opened) -> float:
    """Whether there are blocks, or members of a body, that only Anthropic has."""
    if isinstance(file, Document):
        return 0.8 if _own_messages_of(file.value) is not None or _is_response(file.value) else 0
    sample = file.sample() if isinstance(file, Records) else ()
    if not isinstance(file, Records) or not sample:
        return 0
    messages = [record for record in sample if _is_message(record)]
    if any(_has_own_block(record) or _is_response(record) for record in messages):
        return 0.8 * len(messages) / len(sample)
    return max(0.8 * body_share(file, _own_messages_of), 0.3 * sum(map(_is_plain, sample)) / len(sample))


def read(file: Opened, conversation: str | None = None) -> Content:
    """The messages."""
    if isinstance(file, Document):
        messages = _messages_of(file.value)
        if messages is None and _has_content(file.value):
            return _content(ListRecords([file.value], lambda number: "the response"))
        found = list_under(file.value, "messages") if messages is None else messages
        nothing = "The file is whole: a request whose messages is empty."
        return _content(ListRecords(found, lambda number: f"messages[{number}]"), nothing)
    if not isinstance(file, Records):
        raise NotReadable("holds no items: there are no messages")
    if body_share(file, _messages_of) > 0.5:
        return last_body(file, _messages_of, items_of, "messages")
    return _content(file)


def items_of(record: Json) -> Sequence[Json]:
    """The items of a message; what is none is one item as it is.

    Of a message with a compaction what stands from it on: the API ignores all blocks before it
    (compact_20260112).
    """
    if _is_plain(record) and isinstance(record, dict):
        return ({"role": record["type"], "content": record["text"]},)
    if not isinstance(record, dict) or not ("role" in record or _has_content(record)):
        return (record,)
    content = record.get("content")
    at = _compaction_at(content)
    return split_message(record.get("role", "assistant"), content[at:] if at and isinstance(content, list) else content)


def _content(records: Records, nothing: str = "") -> Content:
    """All messages in order; those before the last compaction are set aside."""
    builder = Builder(records)
    last = 0
    for number, record in records.each():
        builder.add(number, items_of(record))
        content = record.get("content") if isinstance(record, dict) else None
        at = _compaction_at(content)
        if at is not None and isinstance(content, list):
            last = number
            for _ in range(at):
                builder.leave_out(number, COMPACTED)
    builder.move_aside(range(last), COMPACTED)
    rows = builder.rows(lambda record, number: items_of(record))
    return Content(rows=rows, nothing="" if len(rows.items()) else nothing)


def _compaction_at(content: Json) -> int | None:
    """Where the last compaction stands among the blocks; one that failed has no content and does nothing."""
    if not isinstance(content, list):
        return None
    found = (at for at in range(len(content) - 1, -1, -1) if _is_compaction(content[at]))
    return next(found, None)


def _is_compaction(block: Json) -> bool:
    return isinstance(block, dict) and block.get("type") == "compaction" and bool(block.get("content"))


def _own_messages_of(document: Json) -> list[Json] | None:
    """The messages of what can only be a body for Anthropic."""
    body = _body(document)
    messages = _messages_of(document)
    if body is None or messages is None:
        return None
    is_own = "anthropic_version" in body or "system" in body or any(map(_has_own_block, messages[:_LOOKED_AT]))
    return messages if is_own else None


def _messages_of(document: Json) -> list[Json] | None:
    """The messages of a body, with the response where it is stored beside it; None if it is no body."""
    body = _body(document)
    messages = body.get("messages") if body is not None else None
    if not isinstance(messages, list) or not isinstance(document, dict):
        return None
    response = document.get("response")
    return [*messages, response] if _has_content(response) else messages


def _body(document: Json) -> dict[str, Json] | None:
    """The object with the messages: the document, or in it where the request is stored (`params` in batches)."""
    if not isinstance(document, dict):
        return None
    for inner in (document, document.get("request"), document.get("body"), document.get("params")):
        if isinstance(inner, dict) and isinstance(inner.get("messages"), list):
            return inner
    return None


def _is_message(record: Json) -> bool:
    return isinstance(record, dict) and isinstance(record.get("role"), str) and "content" in record


def _has_content(record: Json) -> bool:
    """Something with blocks that the model said: what can be asked for as a response."""
    if not isinstance(record, dict) or not isinstance(record.get("content"), list):
        return False
    return record.get("role") == "assistant" or record.get("type") == "message"


def _is_response(record: Json) -> bool:
    """A response of the API; OpenAI's Responses have messages that are alike, with other blocks."""
    if not isinstance(record, dict) or not _has_content(record):
        return False
    is_whole = record.get("type") == "message" and ("stop_reason" in record or "model" in record)
    return is_whole or _has_own_block(record)


def _has_own_block(message: Json) -> bool:
    return isinstance(message, dict) and any(map(_is_own, blocks_of(message.get("content"))))


def _is_own(block: dict[str, Json]) -> bool:
    """A block that only Anthropic has: calls and thoughts, files with a `source`, marks of the cache."""
    if is_alone(block) or "cache_control" in block:
        return True
    return block_type(block) in ("image", "document") and isinstance(block.get("source"), dict)


def _is_plain(record: Json) -> bool:
    """A message as Cline's history has it in one known file: who spoke is the type."""
    if not isinstance(record, dict) or "role" in record or "message" in record or "content" in record:
        return False
    return record.get("type") in ("user", "assistant") and isinstance(record.get("text"), str)
