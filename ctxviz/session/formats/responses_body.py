"""The body of a request to OpenAI's Responses."""

from __future__ import annotations

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, list_under
from ctxviz.session.formats.json_lines import is_item

NAME = "responses-body"
TITLE = "Responses body"


def looks_like(document: Json) -> bool:
    """An object with an `input` list or string that is no item: a custom tool's call has an `input`, too."""
    return isinstance(document, dict) and isinstance(document.get("input"), (list, str)) and not is_item(document)


def read(document: Json, *, cut: bool = False) -> Content:
    """The input items, a string being one; `instructions` and the tools are no items."""
    if isinstance(document, dict) and isinstance(text := document.get("input"), str):
        return Content([text])
    items = list_under(document, "input")
    return Content(items, nothing="" if items else "The file is whole: a request whose input is empty.")
