"""The formats as a table: in colour on a terminal, as plain lines elsewhere; and as data."""

from __future__ import annotations

from textwrap import wrap
from typing import TextIO

from ctxviz.projection.json_value import Json
from ctxviz.session.formats import formats


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
    """Name and title, and under them how a format is known, what is read and what is left out.

    For a terminal as wide as it is, what is continued standing under its beginning; else a line a phrase.
    """
    from rich.cells import cell_len
    from rich.text import Text

    from ctxviz.export.console import text_console

    console, buffer = text_console(terminal)
    room = max(console.width - _PHRASE_AT, _LEAST_PHRASE) if terminal else None
    for number, format in enumerate(formats()):
        lines = [Text()] * bool(number)
        lines.append(Text.assemble((f"{format.NAME:<{_WIDTH}}", "bold"), format.TITLE))
        for word, phrase in (
            ("known by", format.KNOWN_BY),
            ("reads", format.READS),
            ("leaves out", format.LEAVES_OUT),
        ):
            before = f"  {word:<{_PHRASE_AT - 2}}"
            for piece in wrap(phrase, room) if room is not None and cell_len(phrase) > room else [phrase]:
                lines.append(Text.assemble((before, "#8d8a86"), piece))
                before = " " * _PHRASE_AT
        for line in lines:
            console.print(line, soft_wrap=True)
    return buffer.getvalue()


_WIDTH = 20
_PHRASE_AT = 14
_LEAST_PHRASE = 20
