"""A session of ai4j's: ``AgentSessionSnapshot`` as ``FileAgentSessionStore`` writes it (commit 6955545)."""

from __future__ import annotations

from dataclasses import replace

from ctxviz.session.formats.ai4j_events import event_log
from ctxviz.session.formats.ai4j_memory import memory_content, summary_of
from ctxviz.session.formats.content import Content, NotReadable, list_under
from ctxviz.session.opened import Document, Opened

NAME = "ai4j-snapshot"
TITLE = "ai4j snapshot"
KNOWN_BY = "an object with memory, and events, metadata or runId"
READS = "memory: its items, after its summary; of events the model calls, reports, prompts and compactions"
LEAVES_OUT = "system prompt, instructions and tools, which are no items; other events"


def looks_like(file: Opened) -> float:
    """An object with `memory` and `events`; of one that is cut off before its memory, what comes before.

    Beans are written in alphabetical order: compactResult, events, memory, metadata, runId.
    """
    document = file.value if isinstance(file, Document) else None
    if not isinstance(document, dict):
        return 0
    if isinstance(document.get("memory"), dict):
        return float(any(key in document for key in ("events", "metadata", "runId")))
    return float(bool(document) and document.keys() <= {"compactResult", "events"})


def read(file: Opened, conversation: str | None = None) -> Content:
    """The items of `memory`, the model calls of `events`.

    A file that is cut off before its memory gives the items of its last whole prompt.
    """
    document = file.value if isinstance(file, Document) else None
    cut = isinstance(file, Document) and file.cut
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
