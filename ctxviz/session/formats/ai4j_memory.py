"""A bare memory of ai4j's: its ``MemorySnapshot`` as JSON.

Also what the other two formats of ai4j's share: they hold a memory at some key.
"""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.projection.measure import Form, is_provider_object
from ctxviz.session.formats.content import Content, list_under
from ctxviz.session.opened import Document, Opened

NAME = "ai4j-memory"
TITLE = "ai4j memory"
KNOWN_BY = "an object with an items list, alone or with a summary"
READS = "the items, after the summary"
LEAVES_OUT = "nothing"


def looks_like(file: Opened) -> float:
    """An object with an `items` list: certain if there is nothing else but a summary."""
    document = file.value if isinstance(file, Document) else None
    if not isinstance(document, dict) or not isinstance(document.get("items"), list):
        return 0
    return 1.0 if document.keys() <= {"items", "summary"} else 0.3


def read(file: Opened, conversation: str | None = None) -> Content:
    """The items, after the summary if there is one."""
    document = file.value if isinstance(file, Document) else None
    return memory_content(
        list_under(document, "items"), summary_of(document), "The file is whole: an ai4j memory whose items is empty."
    )


def memory_content(stored: list[Json], summary: str | None, nothing: str) -> Content:
    """The items of a memory as its projector sees them, with their forms.

    ai4j's memory puts its summary before the items as a system message, made anew for each call
    (commit 6955545, ``InMemoryAgentMemory.getItems``); it has no such item if the summary is blank.
    """
    items = with_summary(stored, summary)
    live: list[Form] = ["provider" if is_provider_object(item) else "map" for item in items]
    made = len(items) - len(stored)
    stored_forms: list[Form] | None = [*["map"] * made, *["stored"] * len(stored)] if made else None  # type: ignore[list-item]
    return Content(
        items=items,
        live_forms=live if "provider" in live else None,
        stored_forms=stored_forms,
        nothing="" if items else nothing,
    )


def summary_of(memory: Json) -> str | None:
    """The summary of a memory, None if it has none with words in it."""
    summary = memory.get("summary") if isinstance(memory, dict) else None
    return summary if isinstance(summary, str) and summary.strip() else None


def with_summary(items: Sequence[Json], summary: str | None) -> Sequence[Json]:
    """The items after the summary's system message, as ``AgentInputItem.systemMessage`` makes it."""
    if summary is None:
        return items
    return [
        {"type": "message", "role": "system", "content": [{"type": "input_text", "text": summary}]},
        *items,
    ]
