"""ai4j's traces: spans as ``JsonlTraceExporter`` writes them (commit 6955545)."""

from __future__ import annotations

from ctxviz.projection.json_value import Json
from ctxviz.session.decoding import decode
from ctxviz.session.formats.bodies import last_body
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.plain import itself
from ctxviz.session.opened import Opened
from ctxviz.session.records import Records

NAME = "ai4j-trace"
TITLE = "ai4j trace"
KNOWN_BY = "lines with spanId and attributes"
READS = "the prompt of the last MODEL span, that is its projected items; each MODEL span as a model call"
LEAVES_OUT = "what the projector had dropped before, which a trace does not hold; other spans"


def looks_like(file: Opened) -> float:
    """The share of the records that are spans; also the event log of ai4j's command line, to say what it is."""
    sample = file.sample() if isinstance(file, Records) else ()
    if not sample:
        return 0
    spans = sum(isinstance(record, dict) and "spanId" in record and "attributes" in record for record in sample)
    return max(spans, sum(map(_is_cli_event, sample))) / len(sample)


def read(file: Opened, conversation: str | None = None) -> Content:
    """The items of the last prompt, and all prompts."""
    if not isinstance(file, Records):
        raise NotReadable("holds no items: a trace is JSON Lines")
    if any(map(_is_cli_event, file.sample())):
        raise NotReadable(
            "an ai4j CLI event log: its texts are clipped, so it is no context;"
            " open the session beside it, sessions/<id>.json"
        )
    return last_body(file, _items, itself, "items")


def _items(span: Json) -> list[Json] | None:
    if not isinstance(span, dict) or span.get("type") != "MODEL":
        return None
    attributes = span.get("attributes")
    items = attributes.get("items") if isinstance(attributes, dict) else None
    found = decode(items).value if isinstance(items, str) else items
    return found if isinstance(found, list) else None


def _is_cli_event(record: Json) -> bool:
    return isinstance(record, dict) and "turnEventId" in record and "eventId" in record
