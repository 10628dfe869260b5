"""A session of ai4j's: ``AgentSessionSnapshot`` as ``FileAgentSessionStore`` writes it (commit 6955545)."""

from __future__ import annotations

from dataclasses import replace

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.ai4j_events import event_log
from ctxviz.session.formats.ai4j_memory import memory_content, summary_of
from ctxviz.session.formats.content import Content, NotReadable, list_under

NAME = "ai4j-snapshot"
TITLE = "ai4j snapshot"


def looks_like(document: Json) -> bool:
    """An object with `memory` and `events`; of one that is cut off before its memory, what comes before.

    Beans are written in alphabetical order: compactResult, events, memory, metadata, runId.
    """
    if not isinstance(document, dict):
        return False
    if isinstance(document.get("memory"), dict):
        return any(key in document for key in ("events", "metadata", "runId"))
    return bool(document) and document.keys() <= {"compactResult", "events"}


def read(document: Json, *, cut: bool = False) -> Content:
    """The items of `memory`, the model calls of `events`.

    With `cut`, a file that ends before its memory gives the items of its last whole prompt.
    """
    log = event_log(document.get("events") if isinstance(document, dict) else None)
    memory = document.get("memory") if isinstance(document, dict) else None
    if cut and not (isinstance(memory, dict) and "items" in memory):
        prompts = [call.prompt for call in log.calls if call.prompt is not None]
        if not prompts:
            raise NotReadable("holds no items: it ends before memory and before its first whole MODEL_REQUEST event")
        content = memory_content(list(prompts[-1]), None, "")
        many = "1 item" if len(content.items) == 1 else f"{len(content.items):,} items"
        content = replace(
            content,
            nothing="" if content.items else "The file ends before memory, and its last whole prompt has no items.",
            salvage=f"it has no memory: the {many} of its last whole MODEL_REQUEST event are loaded",
        )
    else:
        stored = list_under(document, "memory", "items")
        content = memory_content(stored, summary_of(memory), _nothing(len(log.calls)))
    return replace(content, calls=log.calls, compactions=log.compactions)


def _nothing(calls: int) -> str:
    start = "The file is whole: an ai4j snapshot whose memory.items is empty."
    if calls:
        return f"{start} It records {calls:,} model {'call' if calls == 1 else 'calls'}, so its memory was cleared."
    return f"{start} It was saved before the first message."
