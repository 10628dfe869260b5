"""Bare JSON Lines: one item a line, of anything."""

from __future__ import annotations

from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.plain import itself, plain_content
from ctxviz.session.opened import Opened
from ctxviz.session.records import Records

NAME = "json-lines"
TITLE = "JSON Lines"
KNOWN_BY = "lines of JSON of no other format: ai4j item maps, strings, anything"
READS = "each line as an item, as it is"
LEAVES_OUT = "nothing"


def looks_like(file: Opened) -> float:
    """Any lines; all that is better known goes before it."""
    return 0.01 if isinstance(file, Records) and file.shape == "lines" else 0


def read(file: Opened, conversation: str | None = None) -> Content:
    """The lines' values."""
    if not isinstance(file, Records):
        raise NotReadable("holds no items: no line of it is a JSON value")
    return plain_content(file, itself)
