"""ai4j's plain chat memory: ``ChatMemorySnapshot`` (commit 6955545)."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, list_under
from ctxviz.session.formats.plain import plain_content
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords

NAME = "ai4j-chat-memory"
TITLE = "ai4j chat memory"
KNOWN_BY = "an object with items that have role, text, summary and empty"
READS = "each message in the shape of OpenAI Chat; a summary is a message like others"
LEAVES_OUT = "nothing"


def looks_like(file: Opened) -> float:
    """An object whose items are mostly such messages."""
    document = file.value if isinstance(file, Document) else None
    items = document.get("items") if isinstance(document, dict) else None
    if not isinstance(items, list) or not items:
        return 0
    sample = items[:100]
    return sum(map(is_message, sample)) / len(sample)


def is_message(item: Json) -> bool:
    """Whether an item is one of the chat memory's beans."""
    return isinstance(item, dict) and "role" in item and isinstance(item.get("summary"), bool) and "empty" in item


def read(file: Opened, conversation: str | None = None) -> Content:
    """The messages."""
    items = list_under(file.value if isinstance(file, Document) else None, "items")
    records = ListRecords(items, lambda number: f"items[{number}]")
    return plain_content(records, items_of, "The file is whole: a chat memory whose items is empty.")


def items_of(record: Json) -> Sequence[Json]:
    """A message; what is none as it is."""
    if not isinstance(record, dict) or "role" not in record:
        return (record,)
    text, images = record.get("text"), record.get("imageUrls")
    content: Json = text
    if isinstance(images, list) and images:
        parts: list[Json] = [] if text is None else [{"type": "text", "text": text}]
        parts.extend({"type": "image_url", "image_url": {"url": url}} for url in images)
        content = parts
    item: dict[str, Json] = {"role": record["role"], "content": content}
    if record.get("toolCallId") is not None:
        item["tool_call_id"] = record["toolCallId"]
    if record.get("toolCalls"):
        item["tool_calls"] = record["toolCalls"]
    return (item,)
