"""OpenAI's Chat Completions: messages, and the bodies of requests."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, NotReadable, list_under
from ctxviz.session.formats.plain import plain_content
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords, Records

NAME = "openai-chat"
TITLE = "OpenAI Chat"
KNOWN_BY = "messages with a role, in a list, a line each, or under messages"
READS = "each message as an item"
LEAVES_OUT = "tools and settings of the request, which are no items"


def looks_like(file: Opened) -> float:
    """An object with a `messages` list, or records with a role."""
    if isinstance(file, Document):
        return 0.5 * (isinstance(file.value, dict) and isinstance(file.value.get("messages"), list))
    if not isinstance(file, Records):
        return 0
    sample = file.sample()
    return 0.5 * sum(map(_is_message, sample)) / len(sample) if sample else 0


def read(file: Opened, conversation: str | None = None) -> Content:
    """The messages."""
    if isinstance(file, Document):
        messages = list_under(file.value, "messages")
        file = ListRecords(messages, lambda number: f"messages[{number}]")
    if not isinstance(file, Records):
        raise NotReadable("holds no items: there are no messages")
    return plain_content(file, items_of, "The file is whole: a request whose messages is empty.")


def items_of(record: Json) -> Sequence[Json]:
    """A message is an item."""
    return (record,)


def _is_message(record: Json) -> bool:
    return isinstance(record, dict) and isinstance(record.get("role"), str) and "type" not in record
