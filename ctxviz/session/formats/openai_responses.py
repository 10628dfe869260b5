"""OpenAI's Responses: lists of items, bodies of requests, responses, and stored conversations."""

from __future__ import annotations

from collections.abc import Iterable

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.bodies import body_share, last_body
from ctxviz.session.formats.content import Content, NotReadable, list_under
from ctxviz.session.formats.plain import itself, plain_content
from ctxviz.session.kind import is_item
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords, Records

NAME = "openai-responses"
TITLE = "OpenAI Responses"
KNOWN_BY = "an input list or string, an output list of a response, or typed items that ai4j's maps never are"
READS = "each item as it is; of several bodies the last, each of them as a model call"
LEAVES_OUT = "instructions and tools, which are no items; what previous_response_id points to is not in the file"

_TYPES = frozenset({"message", "function_call", "function_call_output", "reasoning", "item_reference", "compaction"})
_ENDINGS = ("_call", "_call_output", "_approval_request", "_approval_response", "_list_tools", "_search_output")
_OWN_TYPES = frozenset({"function_call", "item_reference", "compaction"})


def looks_like(file: Opened) -> float:
    """Whether it is a body or a response, or holds items that only Responses has."""
    if isinstance(file, Document):
        if _items_of(file.value) is None:
            return 0
        return 0.4 if isinstance(file.value, dict) and "messages" in file.value else 0.6
    if not isinstance(file, Records):
        return 0
    sample = file.sample()
    if not sample:
        return 0
    typed = sum(map(_is_typed, sample))
    if any(map(_is_own, sample)) and not any(isinstance(record, dict) and "tool_calls" in record for record in sample):
        # Messages may come without a type.
        loose = sum(isinstance(record, dict) and "role" in record and "type" not in record for record in sample)
        return 0.7 * (typed + loose) / len(sample)
    return 0.6 * body_share(file, _body)


def read(file: Opened, conversation: str | None = None) -> Content:
    """The items."""
    if isinstance(file, Document):
        found = _items_of(file.value)
        items = list_under(file.value, "input") if found is None else found
        warnings = _elsewhere(file.value)
        records = ListRecords(items, lambda number: f"item {number + 1}")
        content = plain_content(records, itself, "The file is whole: a request whose input is empty.")
        return Content(rows=content.rows, nothing=content.nothing, warnings=warnings)
    if not isinstance(file, Records):
        raise NotReadable("holds no items: there is no input")
    if body_share(file, _body) > 0.5:
        return last_body(file, _body, itself, "input")
    return plain_content(file, itself)


def _items_of(document: Json) -> list[Json] | None:
    """The items of a body, a response or a stored conversation; None if it is none of them."""
    if not isinstance(document, dict):
        return None
    data = document.get("data")
    if document.get("object") == "list" and isinstance(data, list) and any(map(_is_typed, data)):
        return data
    return _body(document)


def _body(document: Json) -> list[Json] | None:
    if not isinstance(document, dict) or is_item(document):
        return None
    given, gave = document.get("input"), document.get("output")
    if document.get("object") == "response" and isinstance(gave, list):
        given = given if isinstance(given, list) else []
        return [*given, *gave]
    if isinstance(given, str):
        return [given]
    if isinstance(given, list):
        # A log that keeps what was answered beside what was asked.
        response = document.get("response")
        answered = response.get("output") if isinstance(response, dict) else None
        return [*given, *answered] if isinstance(answered, list) else given
    return None


def _elsewhere(document: Json) -> tuple[str, ...]:
    keys: Iterable[str] = ("previous_response_id", "conversation")
    named = [key for key in keys if isinstance(document, dict) and document.get(key)]
    return tuple(f"{key}: what came before is kept by the provider, not in this file" for key in named)


def _is_typed(record: Json) -> bool:
    kind = record.get("type") if isinstance(record, dict) else None
    return isinstance(kind, str) and (kind in _TYPES or kind.endswith(_ENDINGS))


def _is_own(record: Json) -> bool:
    """Whether an item is one that ai4j's own maps never are (they have no ids and text of one type)."""
    if not _is_typed(record) or not isinstance(record, dict):
        return False
    kind = record["type"]
    if kind in _OWN_TYPES or kind not in _TYPES:
        return True
    if kind == "reasoning" or isinstance(record.get("id"), str):
        return isinstance(record.get("id"), str)
    content = record.get("content")
    parts = content if isinstance(content, list) else []
    return any(isinstance(part, dict) and part.get("type") == "output_text" for part in parts)
