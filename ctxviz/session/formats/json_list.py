"""A bare JSON list, of anything: ai4j items, strings, values of no known shape."""

from __future__ import annotations

from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.plain import itself, plain_content
from ctxviz.session.opened import Opened
from ctxviz.session.records import Records

NAME = "json-list"
TITLE = "JSON list"
KNOWN_BY = "a JSON list of no other format: ai4j item maps, strings, anything"
READS = "each element as an item, as it is"
LEAVES_OUT = "nothing"


def looks_like(file: Opened) -> float:
    """Any list; all that is better known goes before it."""
    return 0.01 if isinstance(file, Records) and file.shape == "list" else 0


def read(file: Opened, conversation: str | None = None) -> Content:
    """The list's elements."""
    if not isinstance(file, Records):
        raise NotReadable("holds no items: it is no JSON list")
    return plain_content(file, itself, "The file is whole: a JSON list with nothing in it.")
