"""A session of ai4j's command line: ``StoredCodingSession`` as ``FileCodingSessionStore`` writes it."""

from __future__ import annotations

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.ai4j_memory import memory_content, summary_of
from ctxviz.session.formats.content import Content, list_under

NAME = "ai4j-cli"
TITLE = "ai4j CLI session"


def looks_like(document: Json) -> bool:
    """An object with `state.memorySnapshot`."""
    return isinstance(document, dict) and isinstance(state := document.get("state"), dict) and "memorySnapshot" in state


def read(document: Json, *, cut: bool = False) -> Content:
    """The items of `state.memorySnapshot`; the file records no model calls."""
    items = list_under(document, "state", "memorySnapshot", "items")
    state = document.get("state") if isinstance(document, dict) else None
    memory = state.get("memorySnapshot") if isinstance(state, dict) else None
    return memory_content(
        items,
        summary_of(memory),
        "The file is whole: an ai4j CLI session whose state.memorySnapshot.items is empty."
        " It was saved before the first message.",
    )
