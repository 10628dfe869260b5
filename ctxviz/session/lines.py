"""JSON Lines: a text to one value a line, whatever is wrong with single lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from time import monotonic

from ctxviz.projection.json_value import Json
from ctxviz.session.decoding import TICK_SECONDS, Fault, Tick, decode, scan_value

WARNINGS_SHOWN = 20
_BLANK_TO_END = re.compile(r"[ \t\r]*(?:\n|\Z)")
_PADDING = " \t\r\0"


@dataclass(frozen=True, eq=False)
class Lines:
    """The values of all whole lines. `first_fault` is why the first faulty line was skipped, None if none was."""

    values: list[Json]
    warnings: tuple[str, ...]
    first_fault: Fault | None


def read_lines(text: str, tick: Tick | None = None) -> Lines:
    """One value a line; lines end at "\\n" only, since U+2028 and its like are text.

    Blank lines are no items. A faulty line is skipped, NULs around a value are, too, and values
    glued to each other are all taken; each with a warning.
    """
    reader = _Reader(text, tick)
    reader.read()
    return reader.lines()


def has_whole_line(text: str, start: int, *, of_object: bool) -> bool:
    """Whether a line from `start` on is a JSON value by itself; `of_object`: an object that is not empty."""
    while start < len(text):
        newline = text.find("\n", start)
        stop = len(text) if newline < 0 else newline
        line = text[start:stop].strip(_PADDING)
        if line.startswith("{") if of_object else line:
            decoded = decode(line)
            if decoded.fault is None and (decoded.value or not of_object):
                return True
        start = stop + 1
    return False


def read_stream(text: str) -> Lines | None:
    """Values that follow each other and span lines, as JSON tools print them; None if there is anything else."""
    values: list[Json] = []
    pos = 0
    while True:
        decoded = decode(text, start=pos)
        if decoded.end is None:
            return None
        values.append(decoded.value)
        if decoded.fault is None:
            break
        pos = decoded.fault.position
    return Lines(
        values, (f"line 1: {len(values):,} values follow each other over several lines: all are loaded",), None
    )


@dataclass(eq=False)
class _Reader:
    text: str
    tick: Tick | None
    values: list[Json] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    warned: int = 0
    first_fault: Fault | None = None

    def read(self) -> None:
        text, values, tick = self.text, self.values, self.tick
        pos, number, due = 0, 0, monotonic() + TICK_SECONDS
        while pos < len(text):
            number += 1
            if tick is not None and monotonic() >= due:
                tick(pos, (), values)
                due = monotonic() + TICK_SECONDS
            # Scanned where it stands in the text; a value that ends where its line ends is the line's.
            try:
                value, end = scan_value(text, pos)
            except (ValueError, StopIteration, RecursionError):
                pos = self._read_with_care(pos, number)
                continue
            blank = _BLANK_TO_END.match(text, end)
            if blank is None or text.find("\n", pos, end) >= 0:
                pos = self._read_with_care(pos, number)
            else:
                values.append(value)
                pos = blank.end()

    def lines(self) -> Lines:
        warnings = self.warnings
        if self.warned > WARNINGS_SHOWN:
            more = self.warned - WARNINGS_SHOWN
            warnings = [*warnings, f"{more:,} more {'line has' if more == 1 else 'lines have'} faults like these"]
        return Lines(self.values, tuple(warnings), self.first_fault)

    def _read_with_care(self, start: int, number: int) -> int:
        """Read a line that is not simply one value; the position of the next line."""
        newline = self.text.find("\n", start)
        stop = len(self.text) if newline < 0 else newline
        self._read_line(self.text[start:stop], number, "file" if newline < 0 else "line")
        return stop + 1

    def _read_line(self, line: str, number: int, whole: str) -> None:
        body = line.rstrip(_PADDING)
        start = len(body) - len(body.lstrip(_PADDING))
        nuls = line.count("\0", 0, start) + line.count("\0", len(body))
        if not body:
            if nuls:
                self._warn(number, 1, f"{_nuls(nuls)} and nothing else: the line is skipped")
            return
        found: list[Json] = []
        pos = start
        while pos < len(body):
            decoded = decode(body, start=pos, whole=whole)
            fault = decoded.fault
            if fault is None:
                found.append(decoded.value)
                break
            # Prose can begin with a number, so that only containers may have something behind them.
            if decoded.end is None or not isinstance(decoded.value, (dict, list)):
                self._fault(fault, number, bool(found))
                break
            found.append(decoded.value)
            pos = fault.position
        self.values.extend(found)
        if len(found) > 1:
            self._warn(number, start + 1, f"{len(found):,} values stand on one line: all are loaded")
        elif found and nuls:
            self._warn(number, 1, f"{_nuls(nuls)} around the value: it is loaded without them")

    def _fault(self, fault: Fault, number: int, some_found: bool) -> None:
        if self.first_fault is None:
            self.first_fault = Fault(fault.position, number, fault.column, fault.cause, fault.at_end)
        what = "the rest of the line" if some_found else "the line"
        self._warn(number, fault.column, f"{fault.cause}: {what} is skipped")

    def _warn(self, number: int, column: int, words: str) -> None:
        self.warned += 1
        if self.warned <= WARNINGS_SHOWN:
            self.warnings.append(f"line {number:,}, column {column:,}: {words}")


def _nuls(count: int) -> str:
    return "1 NUL character" if count == 1 else f"{count:,} NUL characters"
