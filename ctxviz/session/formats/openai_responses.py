"""OpenAI's Responses: items, and the bodies of requests."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, NotReadable, list_under
from ctxviz.session.formats.json_lines import is_item
from ctxviz.session.formats.plain import plain_content
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords, Records

NAME = "openai-responses"
TITLE = "OpenAI Responses"
KNOWN_BY = "an input list or string"
READS = "each input item"
LEAVES_OUT = "instructions and tools, which are no items"


def looks_like(file: Opened) -> float:
    """An object with an `input` list or string that is no item: a custom tool's call has an `input`, too."""
    document = file.value if isinstance(file, Document) else None
    return 0.5 * (
        isinstance(document, dict) and isinstance(document.get("input"), (list, str)) and not is_item(document)
    )


def read(file: Opened, conversation: str | None = None) -> Content:
    """The input items, a string being one."""
    if isinstance(file, Document):
        if isinstance(file.value, dict) and isinstance(text := file.value.get("input"), str):
            return Content([text])
        items = list_under(file.value, "input")
        file = ListRecords(items, lambda number: f"input[{number}]")
    if not isinstance(file, Records):
        raise NotReadable("holds no items: there is no input")
    return plain_content(file, items_of, "The file is whole: a request whose input is empty.")


def items_of(record: Json) -> Sequence[Json]:
    """An input item is an item."""
    return (record,)
