"""Whether a text is JSON Lines, and the values of a line."""

from __future__ import annotations

import re

from ctxviz.projection.json_value import Json
from ctxviz.session.decoding import Fault, decode, scan_value, space_end

PADDING = " \t\r\n\0"
_WORD = re.compile(rb"[^ \t\r\n\0]")


def begins_with_lines(data: bytes, start: int) -> bool:
    """Whether UTF-8 data, the beginning of a file, is JSON Lines: most of its first lines are a JSON value each.

    The first may be damaged. A document that spans lines can have some that are values by
    themselves; but most are not, for they end in commas.
    """
    whole = faulty = 0
    while whole + faulty < _LINES_LOOKED_AT:
        match = _WORD.search(data, start)
        if match is None:
            break
        newline = data.find(b"\n", match.start())
        if newline < 0:
            # Cut off here; one line can be a document of any size.
            whole += bool(whole) and _is_value(data[match.start() :])
            break
        start = newline
        if _is_value(data[match.start() : newline]):
            whole += 1
        else:
            faulty += 1
    return whole >= 2 and whole > faulty


_LINES_LOOKED_AT = 50


def _is_value(line: bytes) -> bool:
    try:
        text = line.decode("utf-8")
        _, end = scan_value(text, 0)
    except (ValueError, StopIteration, RecursionError):
        return False
    return not text[end:].strip(PADDING)


def has_whole_line(text: str, start: int, *, of_object: bool) -> bool:
    """Whether a line from `start` on is a JSON value by itself; `of_object`: an object that is not empty."""
    while start < len(text):
        newline = text.find("\n", start)
        stop = len(text) if newline < 0 else newline
        line = text[start:stop].strip(PADDING)
        if (line.startswith("{") and line.endswith("}")) if of_object else line:
            decoded = decode(line)
            if decoded.fault is None and (decoded.value or not of_object):
                return True
        start = stop + 1
    return False


def values_from(text: str, start: int, whole: str) -> tuple[list[Json], Fault | None]:
    """The values that follow each other from `start` on, and why the last is not whole, None if it is."""
    values: list[Json] = []
    pos = start
    while pos < len(text):
        try:
            value, end = scan_value(text, pos)
        except (ValueError, StopIteration, RecursionError):
            decoded = decode(text, start=pos, whole=whole)
            if decoded.end is None:
                return values, decoded.fault
            value, end = decoded.value, decoded.end
        if isinstance(value, (dict, list)):
            values.append(value)
            pos = space_end(text, end)
            continue
        # Prose can begin with a number, so that only containers may have something behind them.
        fault = decode(text, start=pos, whole=whole).fault
        return (values if fault is not None else [*values, value]), fault
    return values, None
