"""The body of a chat request: OpenAI's Chat Completions, Anthropic's Messages and whoever follows them."""

from __future__ import annotations

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, list_under

NAME = "chat-body"
TITLE = "messages body"


def looks_like(document: Json) -> bool:
    """An object with a `messages` list."""
    return isinstance(document, dict) and isinstance(document.get("messages"), list)


def read(document: Json, *, cut: bool = False) -> Content:
    """The messages; Anthropic's `system` and the tools are no items."""
    items = list_under(document, "messages")
    return Content(items, nothing="" if items else "The file is whole: a request whose messages is empty.")
