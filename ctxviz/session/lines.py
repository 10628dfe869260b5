"""JSON Lines: one value a line, whatever is wrong with single lines."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from msgspec.json import Decoder

from ctxviz.projection.json_value import Json
from ctxviz.session.decoding import decode, in_open_string
from ctxviz.session.line_text import PADDING, values_from
from ctxviz.session.records import SAMPLE_RECORDS, Records, Skipped
from ctxviz.session.store import Store, stream
from ctxviz.session.text import Replacements, text_of

decode_bytes: Callable[[bytes], Json] = Decoder().decode
"""UTF-8 to a value, exactly and fast; raises `ValueError` or `RecursionError` for what only `decode` reads."""

SAMPLE_BYTES = 1 << 16
WARNINGS_SHOWN = 20
_CHUNK_BYTES = 1 << 16
_LONGEST_IN_SAMPLE = 1 << 20
CHANGED = "(no longer in the file: it was changed after it was read)"


@dataclass(eq=False)
class LineIndex:
    """Where the records of some lines are, and what was wrong with them.

    `starts` and `lengths` are in bytes, one a record. `numbers` has each record's line, counted
    from 1 within these lines; None if record i is line i + 1. `glued` are the records that
    share a line with others: the record to its place on the line.
    """

    starts: array[int] = field(default_factory=lambda: array("Q"))
    lengths: array[int] = field(default_factory=lambda: array("Q"))
    numbers: array[int] | None = None
    glued: dict[int, int] = field(default_factory=dict)
    lines: int = 0
    faults: list[LineFault] = field(default_factory=list)
    replacements: Replacements = field(default_factory=Replacements)

    def put(self, start: int, length: int, line: int) -> int:
        """Take a record; its number."""
        number = len(self.starts)
        self.starts.append(start)
        self.lengths.append(length)
        if self.numbers is not None:
            self.numbers.append(line)
        elif line != number + 1:
            self.numbers = array("Q", range(1, number + 1))
            self.numbers.append(line)
        return number

    def put_all(self, start: int, lines: list[bytes]) -> int:
        """Take lines that are one record each; the position behind them."""
        records, count = len(self.starts), len(lines)
        lengths = array("Q", map(len, lines))
        starts = array("Q", accumulate(lengths, initial=start))
        end = starts.pop()
        self.starts.extend(starts)
        self.lengths.extend(lengths)
        if self.numbers is None and self.lines != records:
            self.numbers = array("Q", range(1, records + 1))
        if self.numbers is not None:
            self.numbers.extend(range(self.lines + 1, self.lines + count + 1))
        self.lines += count
        return end

    def line(self, number: int) -> int:
        """The line of a record."""
        return number + 1 if self.numbers is None else self.numbers[number]

    def extend(self, other: LineIndex) -> None:
        """Take over what was found in the lines that follow these."""
        records = len(self.starts)
        if self.numbers is not None or other.numbers is not None or self.lines != records:
            numbers = self.numbers if self.numbers is not None else array("Q", range(1, records + 1))
            following = other.numbers if other.numbers is not None else range(1, len(other.starts) + 1)
            numbers.extend(self.lines + line for line in following)
            self.numbers = numbers
        self.starts.extend(other.starts)
        self.lengths.extend(other.lengths)
        self.glued.update({records + number: place for number, place in other.glued.items()})
        self.faults.extend(fault.moved(self.lines) for fault in other.faults)
        self.replacements.extend(other.replacements)
        self.lines += other.lines


@dataclass(frozen=True)
class LineFault:
    """Something wrong with a line: `words` for a warning; `skipped` why a record was lost, None if none was."""

    line: int
    column: int
    words: str
    skipped: str | None = None

    @property
    def place(self) -> str:
        """ "line 3, column 14"."""
        return f"line {self.line:,}, column {self.column:,}"

    def moved(self, lines: int) -> LineFault:
        """The same so many lines further down."""
        return LineFault(self.line + lines, self.column, self.words, self.skipped)


class LineReader:
    """Goes over lines of UTF-8: gives their values in batches, and fills an index.

    Lines end at "\\n" only, since U+2028 and its like are text. Blank lines are nothing. A faulty
    line is skipped, NULs around a value are, too, and values glued to each other are all taken;
    each with a fault in the index.
    """

    def __init__(self, store: Store, stop: int) -> None:
        self.store = store
        self.stop = stop
        self.index = LineIndex()

    def batches(self, start: int) -> Iterator[tuple[int, list[Json]]]:
        """The values of all lines from `start` to the stop, of about 1 MiB at a time, and the position behind them."""
        for offset, lines in _chunks_of_lines(self.store, start, self.stop):
            try:
                values = list(map(decode_bytes, lines))
            except (ValueError, RecursionError):
                values, end = self._one_by_one(offset, lines)
            else:
                end = self.index.put_all(offset, lines)
            yield end, values

    def _one_by_one(self, offset: int, lines: list[bytes]) -> tuple[list[Json], int]:
        index, values = self.index, []
        for line in lines:
            index.lines += 1
            try:
                value = decode_bytes(line)
            except (ValueError, RecursionError):
                for place, found in self._with_care(offset, line):
                    number = index.put(offset, len(line), index.lines)
                    if place is not None:
                        index.glued[number] = place
                    values.append(found)
            else:
                index.put(offset, len(line), index.lines)
                values.append(value)
            offset += len(line)
        return values, offset

    def _with_care(self, offset: int, line: bytes) -> list[tuple[int | None, Json]]:
        """The values of a line that is not simply one, each with its place on it (None if it is the only one)."""
        text = self.index.replacements.decode(line, offset).removesuffix("\n")
        last = offset + len(line) >= self.store.size and not line.endswith(b"\n")
        body = text.rstrip(PADDING)
        start = len(body) - len(body.lstrip(PADDING))
        nuls = text.count("\0", 0, start) + text.count("\0", len(body))
        if not body:
            if nuls:
                self._fault(1, f"{_nuls(nuls)} and nothing else: the line is skipped")
            return []
        found, fault = values_from(body, start, "file" if last else "line")
        if fault is not None:
            what = "the rest of the line" if found else "the line"
            self._fault(fault.column, f"{fault.cause}: {what} is skipped", fault.cause)
        if len(found) > 1:
            self._fault(start + 1, f"{len(found):,} values stand on one line: all are loaded")
            return list(enumerate(found))
        if found and nuls:
            self._fault(1, f"{_nuls(nuls)} around the value: it is loaded without them")
        return [(None, value) for value in found]

    def _fault(self, column: int, words: str, skipped: str | None = None) -> None:
        self.index.faults.append(LineFault(self.index.lines, column, words, skipped))


class LineRecords(Records):
    """The lines of a store from `start` on, each decoded when it is looked at.

    `moved` is told the position in bytes, again and again while they are read; what it raises
    passes through.
    """

    shape = "lines"

    def __init__(self, store: Store, start: int, moved: Callable[[int], None] = lambda position: None) -> None:
        self.store = store
        self.start = start
        self.size_in_file = store.size - start
        self.index = LineIndex()
        self.is_read = False
        self.moved = moved
        self.counted = 0
        """How many records others have found so far, before they are here."""

    def __len__(self) -> int:
        return len(self.index.starts)

    def __getitem__(self, number: int) -> Json:
        line = self.bytes_of(number)
        if not line and self.index.lengths[number]:
            return CHANGED
        try:
            return decode_bytes(line)
        except (ValueError, RecursionError):
            values, _ = values_from(text_of(line).strip(PADDING), 0, "line")
            place = self.index.glued.get(number, 0)
            return values[place] if place < len(values) else CHANGED

    def bytes_of(self, number: int, most: int | None = None) -> bytes:
        """The bytes of the line that a record stands on, the first `most` of them."""
        length = self.index.lengths[number]
        return self.store.read(self.index.starts[number], length if most is None else min(length, most))

    def size_bytes(self, number: int) -> int:
        """The line's length."""
        return self.index.lengths[number]

    def beginning(self, number: int) -> Json:
        """What the first bytes of its line say."""
        return beginning_of(self.bytes_of(number, SAMPLE_BYTES))

    def place(self, number: int) -> str:
        """The line."""
        return f"line {self.index.line(number):,}"

    def sample(self) -> Sequence[Json]:
        """Records from the beginning."""
        return sample_of_lines(self.store, self.start)

    def reached(self, number: int) -> None:
        """Tell how far the second pass is."""
        if self.is_read and len(self):
            self.moved(self.store.size + self.store.size * number // len(self))

    def batches(self) -> Iterator[list[Json]]:
        """All records."""
        if self.is_read:
            yield from super().batches()
            return
        reader = LineReader(self.store, self.store.size)
        self.index = reader.index
        for position, values in reader.batches(self.start):
            self.moved(position)
            yield values
        self.is_read = True

    @property
    def skipped(self) -> Sequence[Skipped]:
        """The faulty lines."""
        return [Skipped(fault.place, fault.skipped) for fault in self.index.faults if fault.skipped is not None]

    def warnings(self, path: str) -> tuple[str, ...]:
        """Sentences that begin with a place; raises `SessionError` for what is no text."""
        faults = self.index.faults
        told = [f"{fault.place}: {fault.words}" for fault in faults[:WARNINGS_SHOWN]]
        if more := len(faults) - len(told):
            told.append(f"{more:,} more {'line has' if more == 1 else 'lines have'} faults like these")
        return (*self.index.replacements.warnings(self.store.size, path), *told)


def sample_of_lines(store: Store, start: int) -> list[Json]:
    """The values of the first lines, as many as stand in the first 64 KiB, at most a hundred; at least one.

    Of a first line that is longer than 1 MiB what stands before its cut: it tells the format as well.
    """
    head = store.read(start, SAMPLE_BYTES)
    if b"\n" not in head:
        head += store.read(start + len(head), _LONGEST_IN_SAMPLE)
    found: list[Json] = []
    for line in head.split(b"\n")[: SAMPLE_RECORDS + 1]:
        try:
            found.append(decode_bytes(line))
        except (ValueError, RecursionError):
            found += values_from(text_of(line).strip(PADDING), 0, "line")[0]
    return found[:SAMPLE_RECORDS] or [beginning_of(head)]


def beginning_of(head: bytes) -> Json:
    """What the beginning of a value's JSON text says: what is open at its end is closed there."""
    text = text_of(head)
    decoded = decode(text)
    if decoded.fault is None or not decoded.fault.at_end:
        return decoded.value
    text = (
        in_open_string(text) if decoded.fault.cause.endswith("in the middle of a string") else text.rstrip(" ,\r\n\t")
    )
    closing: list[str] = []
    for token in _STRUCTURE.finditer(text):
        if token[0] in "{[":
            closing.append("}" if token[0] == "{" else "]")
        elif token[0] in "}]" and closing:
            closing.pop()
    # The cut can be behind a key, or behind its colon.
    for missing in ("", ":null", "null"):
        closed = decode(text + missing + "".join(reversed(closing)))
        if closed.fault is None:
            return closed.value
    return decoded.value


_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def _chunks_of_lines(store: Store, start: int, stop: int) -> Iterator[tuple[int, list[bytes]]]:
    """The lines that begin before `stop`, with their ends: the offset of the first, and about 64 KiB of them."""
    offset = start
    with stream(store, start) as lines:
        while offset < stop:
            # `readlines` ends with the line by which there are more bytes than this; 0 would mean all.
            most = min(_CHUNK_BYTES, stop - offset - 1)
            some = lines.readlines(most) if most else [lines.readline()]
            if not some:
                return
            yield offset, some
            offset += sum(map(len, some))


def _nuls(count: int) -> str:
    return "1 NUL character" if count == 1 else f"{count:,} NUL characters"
