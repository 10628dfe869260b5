"""A session of ai4j's command line: ``StoredCodingSession`` as ``FileCodingSessionStore`` writes it."""

from __future__ import annotations

from ctxviz.session.formats.ai4j_memory import memory_content, summary_of
from ctxviz.session.formats.content import Content, list_under
from ctxviz.session.opened import Document, Opened

NAME = "ai4j-cli"
TITLE = "ai4j CLI session"
KNOWN_BY = "an object with state.memorySnapshot"
READS = "state.memorySnapshot: its items, after its summary"
LEAVES_OUT = "system prompt and instructions, which are no items; the event log beside it, which is clipped"


def looks_like(file: Opened) -> float:
    """An object with `state.memorySnapshot`."""
    document = file.value if isinstance(file, Document) else None
    state = document.get("state") if isinstance(document, dict) else None
    return float(isinstance(state, dict) and "memorySnapshot" in state)


def read(file: Opened, conversation: str | None = None) -> Content:
    """The items of `state.memorySnapshot`; the file records no model calls."""
    document = file.value if isinstance(file, Document) else None
    items = list_under(document, "state", "memorySnapshot", "items")
    state = document.get("state") if isinstance(document, dict) else None
    memory = state.get("memorySnapshot") if isinstance(state, dict) else None
    return memory_content(
        items,
        summary_of(memory),
        "The file is whole: an ai4j CLI session whose state.memorySnapshot.items is empty."
        " It was saved before the first message.",
    )
