"""The formats that sessions are saved in, one module each.

A format's module has `NAME` (for `--from`), `TITLE` (for the screen), `looks_like` (by content,
never by a file's name) and `read`.
"""

from __future__ import annotations

from typing import Protocol

from ctxviz.projection.json_value import Json
from ctxviz.session.formats import (
    ai4j_cli,
    ai4j_memory,
    ai4j_snapshot,
    chat_body,
    json_lines,
    json_list,
    responses_body,
)
from ctxviz.session.formats.content import Content


class Format(Protocol):
    """What a module here has."""

    NAME: str
    TITLE: str

    def looks_like(self, document: Json) -> bool:
        """Whether a document, possibly cut off, is of this format."""
        ...

    def read(self, document: Json, *, cut: bool = False) -> Content:
        """What the document holds; `cut` says that the file is not whole.

        Raises `NotReadable` if the document is not of this format.
        """
        ...


FORMATS: tuple[Format, ...] = (
    ai4j_snapshot,
    ai4j_cli,
    ai4j_memory,
    chat_body,
    responses_body,
    json_list,
    json_lines,
)
"""In order of detection: the first that a document looks like is its format."""


def format_names() -> tuple[str, ...]:
    """The names that `--from` takes."""
    return tuple(format.NAME for format in FORMATS)


def format_named(name: str) -> Format:
    """The format of this name; raises `ValueError`, listing the names, if there is none."""
    for format in FORMATS:
        if name == format.NAME:
            return format
    raise ValueError(f"no such format: {name} ({', '.join(format_names())})")
