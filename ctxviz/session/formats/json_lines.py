"""JSON Lines: one item a line."""

from __future__ import annotations

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.kind import Kind, kind_of

NAME = "json-lines"
TITLE = "JSON Lines"

_OTHER_ITEM_TYPES = {
    "message",
    "item_reference",
    "compaction",
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_approval_response",
}


def looks_like(document: Json) -> bool:
    """A single object that is itself an item: a file of one line. More lines are told by the text, not here."""
    return is_item(document)


def read(document: Json, *, cut: bool = False) -> Content:
    """A list of the lines' values as it is, a single value as one item.

    A single item that is cut off is no whole item.
    """
    if isinstance(document, list):
        return Content(document)
    if not isinstance(document, dict):
        raise NotReadable("holds no items: no line of it is a JSON value")
    return Content([] if cut else [document])


def is_item(value: Json) -> bool:
    """Whether an object is an item by itself: it has a role, or a type that items have."""
    if not isinstance(value, dict):
        return False
    type_name = value.get("type")
    if isinstance(value.get("role"), str) or (isinstance(type_name, str) and type_name in _OTHER_ITEM_TYPES):
        return True
    return kind_of(value) is not Kind.OTHER
