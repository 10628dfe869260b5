"""A long JSON list of objects, read a window at a time."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from threading import Lock

from ctxviz.projection.json_value import Json
from ctxviz.session.decoding import Fault, decode
from ctxviz.session.lines import CHANGED, SAMPLE_BYTES, beginning_of, decode_bytes
from ctxviz.session.records import SAMPLE_RECORDS, Records
from ctxviz.session.store import Store
from ctxviz.session.text import text_of

WINDOW_BYTES = 1 << 19
_SPACE = b" \t\r\n"
_CUTS_TRIED = 32
_WINDOWS_KEPT = 4


class ArrayRecords(Records):
    """The elements of a JSON list in a store that begins with it at `start`, decoded when looked at.

    A window of bytes is cut between two objects, and decoded as a list of its own: it is one only
    if the cut is between two elements of the list, so that every cut proves itself. What can't be
    cut so (a fault, the last elements of a file that is cut off) is decoded with care, and is
    held in memory. `moved` is told the position in bytes; what it raises passes through.
    """

    shape = "list"

    def __init__(self, store: Store, start: int, moved: Callable[[int], None] = lambda position: None) -> None:
        self.store = store
        self.start = start
        self.moved = moved
        self.fault: Fault | None = None
        """Why the list is not whole, or what stands behind it; known after the records were read."""
        self.is_whole = True
        self.is_read = False
        self._starts: array[int] = array("Q")
        self._ends: array[int] = array("Q")
        self._counts: array[int] = array("Q")  # elements up to each window's end
        self._rest: list[Json] = []
        self._decoded: OrderedDict[int, list[Json]] = OrderedDict()
        self._lock = Lock()
        self._separator = b""

    def __len__(self) -> int:
        return self._in_windows + len(self._rest)

    @property
    def _in_windows(self) -> int:
        return self._counts[-1] if self._counts else 0

    def __getitem__(self, number: int) -> Json:
        if number >= self._in_windows:
            return self._rest[number - self._in_windows]
        window = bisect_right(self._counts, number)
        elements = self._window(window)
        at = number - (self._counts[window - 1] if window else 0)
        return elements[at] if at < len(elements) else CHANGED

    def size_bytes(self, number: int) -> int:
        """The length of the window that it is decoded with, if that is more than one read."""
        if number >= self._in_windows:
            return 0
        window = bisect_right(self._counts, number)
        length = self._ends[window] - self._starts[window]
        return length if length > WINDOW_BYTES else 0

    def beginning(self, number: int) -> Json:
        """What the window's first bytes say: the first element of one that is long."""
        window = bisect_right(self._counts, number)
        first = self._counts[window - 1] if window else 0
        value = beginning_of(b"[" + self.store.read(self._starts[window], SAMPLE_BYTES))
        elements = value if isinstance(value, list) else []
        at = number - first
        return elements[at] if at < len(elements) else CHANGED if at < 0 else self[number]

    def place(self, number: int) -> str:
        """Which element."""
        return f"element {number + 1:,}"

    def sample(self) -> Sequence[Json]:
        """Records from the beginning."""
        for _, elements in self._windows(1 << 16):
            return elements[:SAMPLE_RECORDS]
        value = decode(text_of(b"[" + self.store.read(self.start + 1, 1 << 20))).value
        return value[:SAMPLE_RECORDS] if isinstance(value, list) else []

    def reached(self, number: int) -> None:
        """Tell how far the second pass is."""
        if self.is_read and len(self):
            self.moved(self.store.size + self.store.size * number // len(self))

    def batches(self) -> Iterator[list[Json]]:
        """All records."""
        if self.is_read:
            yield from super().batches()
            return
        self._starts, self._ends, self._counts, self._rest = array("Q"), array("Q"), array("Q"), []
        position = self.start + 1
        for end, elements in self._windows(WINDOW_BYTES):
            self._starts.append(position)
            self._ends.append(end)
            self._counts.append(self._in_windows + len(elements))
            self.moved(end)
            yield elements
            position = end + 1
        self._rest = self._with_care(position)
        if self._rest:
            yield self._rest
        self.is_read = True

    def _windows(self, size: int) -> Iterator[tuple[int, list[Json]]]:
        """Elements as far as they can be cut: the position of the comma behind them, and they themselves."""
        position, wanted = self.start + 1, size
        while True:
            data = self.store.read(position, wanted)
            found = self._cut(data)
            if found is None:
                if len(data) < wanted:
                    return  # the last ones: they end with the list
                wanted *= 2
                continue
            end, elements = found
            yield position + end, elements
            position, wanted = position + end + 1, size

    def _cut(self, data: bytes) -> tuple[int, list[Json]] | None:
        """The last elements' comma in a window, and the elements before it; None if no cut is one."""
        end = len(data)
        for _ in range(_CUTS_TRIED):
            # Between elements a file has the same white space everywhere: what was there at the last cut.
            at = data.rfind(self._separator or b"}", 0, end)
            if at < 0:
                if not self._separator:
                    return None
                self._separator, end = b"", len(data)
                continue
            end = at
            rest = data[at + 1 : at + 256].lstrip(_SPACE)
            if rest[:1] != b",":
                continue
            following = rest[1:].lstrip(_SPACE)
            if following[:1] != b"{":
                continue
            try:
                elements = decode_bytes(b"[%b]" % data[: at + 1])
            except (ValueError, RecursionError):
                continue
            if isinstance(elements, list):
                comma = data.index(b",", at)
                self._separator = data[at : data.index(b"{", comma) + 1]
                return comma, elements
        return None

    def _with_care(self, position: int) -> list[Json]:
        """What stands from `position` to the end: the last elements, and any fault."""
        data = self.store.read(position, self.store.size - position)
        try:
            elements = decode_bytes(b"[" + data)
        except (ValueError, RecursionError):
            decoded = decode("[" + text_of(data))
            elements, fault = decoded.value, decoded.fault
            self.is_whole = decoded.end is not None
            if fault is not None:
                # The list was decoded with a bracket of its own in front.
                line, column = self._line_and_column(position)
                fault_column = fault.column - 1 + (column - 1 if fault.line == 1 else 1)
                self.fault = Fault(
                    position + fault.position - 1, line + fault.line - 1, fault_column, fault.cause, fault.at_end
                )
        return elements if isinstance(elements, list) else []

    def _line_and_column(self, position: int) -> tuple[int, int]:
        """Of a position in bytes; columns count bytes, as if all before on its line were ASCII."""
        line, last, at = 1, -1, 0
        while at < position:
            chunk = self.store.read(at, min(1 << 20, position - at))
            if not chunk:
                break
            line += chunk.count(b"\n")
            newline = chunk.rfind(b"\n")
            last = at + newline if newline >= 0 else last
            at += len(chunk)
        return line, position - last

    def _window(self, window: int) -> list[Json]:
        with self._lock:
            made = self._decoded.get(window)
            if made is not None:
                self._decoded.move_to_end(window)
                return made
        start = self._starts[window]
        try:
            elements = decode_bytes(b"[%b]" % self.store.read(start, self._ends[window] - start))
        except (ValueError, RecursionError):
            return []  # the file was changed
        made = elements if isinstance(elements, list) else []
        with self._lock:
            self._decoded[window] = made
            while len(self._decoded) > _WINDOWS_KEPT:
                self._decoded.popitem(last=False)
        return made
