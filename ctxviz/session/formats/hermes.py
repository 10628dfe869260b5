"""Hermes agent's sessions: OpenAI's messages in a document, or a line each after a session_meta line."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, NotReadable, list_under
from ctxviz.session.formats.plain import plain_content
from ctxviz.session.formats.shapes import reasoning
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords, Records

NAME = "hermes"
TITLE = "Hermes"
KNOWN_BY = "session_id and messages beside session_start, platform, system_prompt; lines with a session_meta role"
READS = "each message, with its thought as an item before it"
LEAVES_OUT = "system_prompt and tools, which are no items; session_meta; the thought's copies"

_OWN_KEYS = ("session_start", "last_updated", "platform", "system_prompt", "message_count", "base_url")
_NOTHING = "The file is whole: a session with no message."


def looks_like(file: Opened) -> float:
    """By the keys of a document; of records the share of messages, if there is a `session_meta`."""
    if isinstance(file, Document):
        value = file.value
        if not isinstance(value, dict) or "session_id" not in value or not isinstance(value.get("messages"), list):
            return 0
        return {0: 0.0, 1: 0.0, 2: 0.9}.get(sum(key in value for key in _OWN_KEYS), 0.98)
    sample = file.sample() if isinstance(file, Records) else ()
    if not any(map(_is_meta, sample)):
        return 0
    return 0.95 * sum(isinstance(one, dict) and isinstance(one.get("role"), str) for one in sample) / len(sample)


def _is_meta(record: Json) -> bool:
    return isinstance(record, dict) and record.get("role") == "session_meta"


def read(file: Opened, conversation: str | None = None) -> Content:
    """The messages."""
    if isinstance(file, Document):
        file = ListRecords(list_under(file.value, "messages"), lambda number: f"messages[{number}]")
    if not isinstance(file, Records):
        raise NotReadable("holds no items: there are no messages")
    return plain_content(file, items_of, _NOTHING)


def items_of(record: Json) -> Sequence[Json] | str:
    """A message's items: the fields that Chat Completions has, without the ids that Hermes adds to calls."""
    if not isinstance(record, dict) or "role" not in record:
        return (record,)
    if _is_meta(record):
        return "bookkeeping: session_meta"
    item: dict[str, Json] = {"role": record["role"], "content": record.get("content")}
    calls = record.get("tool_calls")
    if isinstance(calls, list) and calls:
        item["tool_calls"] = [_call(one) for one in calls]
    if "tool_call_id" in record:
        item["tool_call_id"] = record["tool_call_id"]
    name = record.get("tool_name", record.get("name"))
    if name is not None:
        item["name"] = name
    thought = next((record[key] for key in ("reasoning_content", "reasoning") if record.get(key)), None)
    return (item,) if thought is None else (reasoning(thought), item)


def _call(one: Json) -> Json:
    if not isinstance(one, dict) or "function" not in one:
        return one
    return {key: one[key] for key in ("id", "type", "function") if key in one}
