"""JSON Lines: a text to one value a line, whatever is wrong with single lines."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from time import monotonic

from ctxviz.projection.json_value import Json
from ctxviz.session.decoding import TICK_SECONDS, Fault, Tick, decode, scan_value, space_end
from ctxviz.session.records import ListRecords, Skipped

WARNINGS_SHOWN = 20
_BLANK_TO_END = re.compile(r"[ \t\r]*(?:\n|\Z)")
_WORD = re.compile(rb"[^ \t\r\n]")
_PADDING = " \t\r\0"


@dataclass(frozen=True, eq=False)
class Lines:
    """The values of all whole lines. `first_fault` is why the first faulty line was skipped, None if none was."""

    values: list[Json]
    warnings: tuple[str, ...]
    first_fault: Fault | None
    numbers: array[int]
    """The line of each value, from 1."""
    skipped: tuple[Skipped, ...] = ()


class LinesInMemory(ListRecords):
    """The values of lines that were read."""

    def __init__(self, lines: Lines) -> None:
        super().__init__(lines.values, lambda number: f"line {lines.numbers[number]:,}", "lines")
        self._skipped = lines.skipped

    @property
    def skipped(self) -> Sequence[Skipped]:
        """The faulty lines."""
        return self._skipped


def read_lines(blocks: Iterable[tuple[int, str]], tick: Tick | None = None) -> Lines:
    """One value a line; lines end at "\\n" only, since U+2028 and its like are text.

    The text comes in blocks of whole lines, each with its position, to which the ticks' positions
    are added. Blank lines are no items. A faulty line is skipped, NULs around a value are, too, and values
    glued to each other are all taken; each with a warning.
    """
    reader = _Reader(tick)
    for position, text in blocks:
        reader.read(text, position)
    return reader.lines()


def begins_with_lines(data: bytes, start: int) -> bool:
    """Whether the first two lines of UTF-8 data are a JSON value each: then all the rest is lines, too."""
    bounds: list[tuple[int, int]] = []
    while len(bounds) < 2:
        match = _WORD.search(data, start)
        if match is None:
            # One line can be a document of any size: it is not looked at.
            return False
        newline = data.find(b"\n", match.start())
        start = len(data) if newline < 0 else newline
        bounds.append((match.start(), start))
    return all(_is_value(data[begin:stop]) for begin, stop in bounds)


def _is_value(line: bytes) -> bool:
    try:
        text = line.decode("utf-8")
        _, end = scan_value(text, 0)
    except (ValueError, StopIteration, RecursionError):
        return False
    return not text[end:].strip(_PADDING)


def has_whole_line(text: str, start: int, *, of_object: bool) -> bool:
    """Whether a line from `start` on is a JSON value by itself; `of_object`: an object that is not empty."""
    while start < len(text):
        newline = text.find("\n", start)
        stop = len(text) if newline < 0 else newline
        line = text[start:stop].strip(_PADDING)
        if (line.startswith("{") and line.endswith("}")) if of_object else line:
            decoded = decode(line)
            if decoded.fault is None and (decoded.value or not of_object):
                return True
        start = stop + 1
    return False


def read_stream(text: str) -> Lines | None:
    """Values that follow each other and span lines, as JSON tools print them; None if there is anything else."""
    values, fault = _values_from(text, 0, "file")
    if fault is not None:
        return None
    warning = f"line 1: {len(values):,} values follow each other over several lines: all are loaded"
    return Lines(values, (warning,), None, array("q", range(1, len(values) + 1)))


def _values_from(text: str, start: int, whole: str) -> tuple[list[Json], Fault | None]:
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


@dataclass(eq=False)
class _Reader:
    tick: Tick | None
    due: float = field(default_factory=lambda: monotonic() + TICK_SECONDS)
    number: int = 0
    values: list[Json] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    warned: int = 0
    first_fault: Fault | None = None
    numbers: array[int] = field(default_factory=lambda: array("q"))
    skipped: list[Skipped] = field(default_factory=list)

    def read(self, text: str, position: int) -> None:
        values, tick = self.values, self.tick
        pos = 0
        while pos < len(text):
            self.number += 1
            if tick is not None and monotonic() >= self.due:
                tick(position + pos, (), values)
                self.due = monotonic() + TICK_SECONDS
            # Scanned where it stands in the text; a value that ends where its line ends is the line's.
            try:
                value, end = scan_value(text, pos)
            except (ValueError, StopIteration, RecursionError):
                pos = self._read_with_care(text, pos)
                continue
            blank = _BLANK_TO_END.match(text, end)
            if blank is None or text.find("\n", pos, end) >= 0:
                pos = self._read_with_care(text, pos)
            else:
                values.append(value)
                self.numbers.append(self.number)
                pos = blank.end()

    def lines(self) -> Lines:
        warnings = self.warnings
        if self.warned > WARNINGS_SHOWN:
            more = self.warned - WARNINGS_SHOWN
            warnings = [*warnings, f"{more:,} more {'line has' if more == 1 else 'lines have'} faults like these"]
        return Lines(self.values, tuple(warnings), self.first_fault, self.numbers, tuple(self.skipped))

    def _read_with_care(self, text: str, start: int) -> int:
        """Read a line that is not simply one value; the position of the next line."""
        newline = text.find("\n", start)
        stop = len(text) if newline < 0 else newline
        self._read_line(text[start:stop], "file" if newline < 0 else "line")
        return stop + 1

    def _read_line(self, line: str, whole: str) -> None:
        body = line.rstrip(_PADDING)
        start = len(body) - len(body.lstrip(_PADDING))
        nuls = line.count("\0", 0, start) + line.count("\0", len(body))
        if not body:
            if nuls:
                self._warn(1, f"{_nuls(nuls)} and nothing else: the line is skipped")
            return
        found, fault = _values_from(body, start, whole)
        if fault is not None:
            self._fault(fault, bool(found))
        self.values.extend(found)
        self.numbers.extend([self.number] * len(found))
        if len(found) > 1:
            self._warn(start + 1, f"{len(found):,} values stand on one line: all are loaded")
        elif found and nuls:
            self._warn(1, f"{_nuls(nuls)} around the value: it is loaded without them")

    def _fault(self, fault: Fault, some_found: bool) -> None:
        if self.first_fault is None:
            self.first_fault = Fault(fault.position, self.number, fault.column, fault.cause, fault.at_end)
        what = "the rest of the line" if some_found else "the line"
        self._warn(fault.column, f"{fault.cause}: {what} is skipped")
        self.skipped.append(Skipped(f"line {self.number:,}, column {fault.column:,}", fault.cause))

    def _warn(self, column: int, words: str) -> None:
        self.warned += 1
        if self.warned <= WARNINGS_SHOWN:
            self.warnings.append(f"line {self.number:,}, column {column:,}: {words}")


def _nuls(count: int) -> str:
    return "1 NUL character" if count == 1 else f"{count:,} NUL characters"
