"""The formats as a table: in colour on a terminal, as plain lines elsewhere; and as data."""

from __future__ import annotations

from typing import TextIO

from ctxviz.projection.json_value import Json
from ctxviz.session.formats import formats

_WIDTH = 20


def formats_json() -> Json:
    """A list with an object a format, in the order of detection."""
    return [
        {
            "name": format.NAME,
            "title": format.TITLE,
            "knownBy": format.KNOWN_BY,
            "reads": format.READS,
            "leavesOut": format.LEAVES_OUT,
        }
        for format in formats()
    ]


def format_list(terminal: TextIO | None = None) -> str:
    """Name and title, and under them how a format is known, what is read and what is left out."""
    from rich.padding import Padding
    from rich.text import Text

    from ctxviz.export.console import text_console

    console, buffer = text_console(terminal)
    for format in formats():
        console.print(Text.assemble((f"{format.NAME:<{_WIDTH}}", "bold"), format.TITLE))
        for word, phrase in (
            ("known by", format.KNOWN_BY),
            ("reads", format.READS),
            ("leaves out", format.LEAVES_OUT),
        ):
            line = Text.assemble((f"{word:<12}", "#8d8a86"), phrase)
            console.print(
                Padding(line, (0, 0, 0, 2)) if terminal else Text.assemble("  ", line), soft_wrap=not terminal
            )
    return buffer.getvalue()
