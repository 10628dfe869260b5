"""ai4j's captured input and output: ``NodeIoRecord`` lines of ``JsonlIoCaptureSink`` (commit 6955545)."""

from __future__ import annotations

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.bodies import last_body
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.plain import itself
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import Records

NAME = "ai4j-io"
TITLE = "ai4j IO capture"
KNOWN_BY = "lines with nodeType and inputs"
READS = "the prompt of the last MODEL record, that is its projected items; each MODEL record as a model call"
LEAVES_OUT = "what the projector had dropped before, which a capture does not hold; TOOL records"


def looks_like(file: Opened) -> float:
    """The share of the records that are of nodes; also a resume cache, to say what it is."""
    if isinstance(file, Document):
        return float(isinstance(file.value, dict) and {"modelResults", "toolOutputs"} <= file.value.keys())
    sample = file.sample() if isinstance(file, Records) else ()
    nodes = sum(isinstance(record, dict) and "nodeType" in record and "inputs" in record for record in sample)
    return nodes / len(sample) if sample else 0


def read(file: Opened, conversation: str | None = None) -> Content:
    """The items of the last prompt, and all prompts."""
    if isinstance(file, Document):
        raise NotReadable("an ai4j resume cache: it holds answers by their prompts, and no list of items")
    if not isinstance(file, Records):
        raise NotReadable("holds no items: a capture is JSON Lines")
    return last_body(file, _items, itself, "items", _step_and_run)


def _items(record: Json) -> list[Json] | None:
    inputs = record.get("inputs") if isinstance(record, dict) and record.get("nodeType") == "MODEL" else None
    items = inputs.get("items") if isinstance(inputs, dict) else None
    return items if isinstance(items, list) else None


def _step_and_run(record: Json) -> tuple[int | None, str | None]:
    step = record.get("step") if isinstance(record, dict) else None
    run = record.get("turnId") if isinstance(record, dict) else None
    return (
        step if isinstance(step, int) and not isinstance(step, bool) else None,
        run if isinstance(run, str) else None,
    )
