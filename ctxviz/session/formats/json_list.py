"""A bare list, of anything."""

from __future__ import annotations

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, NotReadable, type_name

NAME = "json-list"
TITLE = "JSON list"


def looks_like(document: Json) -> bool:
    """Any list."""
    return isinstance(document, list)


def read(document: Json, *, cut: bool = False) -> Content:
    """The list's elements."""
    if not isinstance(document, list):
        raise NotReadable(f"holds no items: the JSON value is {type_name(document)}, not a list")
    return Content(document, nothing="" if document else "The file is whole: a JSON list with nothing in it.")
