"""How far the loading of a session is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic

from ctxviz.projection.json_value import Json
from ctxviz.session.decoding import TICK_SECONDS

FIRST_ITEMS = 200

_TITLE_OF_LIST = {
    (): "JSON list",
    ("messages",): "OpenAI Chat",
    ("input",): "OpenAI Responses",
    ("items",): "ai4j memory",
    ("memory", "items"): "ai4j snapshot",
    ("state", "memorySnapshot", "items"): "ai4j CLI session",
}
"""The lists that hold items, by the keys that lead to them."""

_READING, _TEXT, _DECODED = 0.1, 0.2, 0.75
"""Shares of the work, as measured on files of 100 MB: reading and turning bytes into text take such a share each,
and at the third the items are decoded; the rest is measuring them."""


@dataclass(frozen=True)
class Progress:
    """How far the loading of a session is.

    `bytes_done` of `bytes_total` is the share of the whole work (reading, decoding, measuring),
    in bytes of the file; it never falls and ends equal to the total. While a pipe is read
    `bytes_total` is None and `bytes_done` is what has come. `items_done` is None until there are
    items, `first_items` are up to 200 of them (an ai4j summary is not yet before them), and
    `format_title` is None until the text tells it.
    """

    bytes_done: int
    bytes_total: int | None
    items_done: int | None = None
    first_items: Sequence[Json] | None = None
    format_title: str | None = None


class Stopped(Exception):
    """A `StopIteration` that a caller's function raised, on its way through generators."""

    def __init__(self, error: StopIteration) -> None:
        self.error = error


class Reporter:
    """Turns the stages of loading into `Progress`, at most one every 50 ms."""

    def __init__(self, progress: Callable[[Progress], None] | None) -> None:
        self._progress = progress
        self._due = 0.0
        self._done = 0
        self._bytes = 0
        self._size = 1
        self._begin = _READING
        self._first: Sequence[Json] | None = None
        self._title: str | None = None

    def reading(self, done: int, total: int | None) -> None:
        """So many bytes have come."""
        if self._is_due():
            self._send(Progress(done if total is None else int(_READING * done), total))

    def all_read(self, size_bytes: int) -> None:
        """All bytes have come."""
        self._bytes = size_bytes

    def text(self, done: int) -> None:
        """So many bytes are characters."""
        if self._is_due():
            self._send(self._at(_READING + _TEXT * done / max(self._bytes, 1), None, None))

    def begin_decoding(self, size: int, *, is_text: bool) -> None:
        """Positions in the decoding are of so many; `is_text`: of the characters that all bytes became before."""
        self._size = max(size, 1)
        self._begin = _READING + (_TEXT if is_text else 0)

    def document(self, position: int, path: tuple[str, ...], items: list[Json] | None) -> None:
        """A `Tick` of a JSON document."""
        title = _TITLE_OF_LIST.get(path) if items is not None else None
        self._decoding(position, None if title is None else items, title)

    @property
    def is_wanted(self) -> bool:
        """Whether anyone wants to know."""
        return self._progress is not None

    def first(self, items: Sequence[Json], title: str) -> None:
        """These are the first items; the others follow."""
        self._first, self._title = items, title
        if self._progress is not None:
            self._send(Progress(self._done, self._bytes, len(items), items, title))

    def moved(self, position: int, end: int, items: int) -> None:
        """So many bytes of so many are read, with so many records."""
        if self._is_due():
            self._done = max(self._done, min(round(position / max(end, 1) * self._bytes), self._bytes))
            self._send(Progress(self._done, self._bytes, max(items, len(self._first or ())), self._first, self._title))

    def measuring(self, done: int, items: Sequence[Json], title: str) -> None:
        """So many items are measured."""
        if self._is_due():
            self._send(self._at(_DECODED + (1 - _DECODED) * done / max(len(items), 1), items, title))

    def finished(self, items: Sequence[Json], title: str) -> None:
        """All is done."""
        if self._progress is not None:
            self._send(self._at(1, items, title))

    def _decoding(self, position: int, items: Sequence[Json] | None, title: str | None) -> None:
        if self._is_due():
            share = self._begin + (_DECODED - self._begin) * position / self._size
            self._send(self._at(share, items, title))

    def _at(self, share: float, items: Sequence[Json] | None, title: str | None) -> Progress:
        self._done = max(self._done, min(round(share * self._bytes), self._bytes))
        if items is None:
            return Progress(self._done, self._bytes)
        return Progress(self._done, self._bytes, len(items), items[:FIRST_ITEMS], title)

    def _is_due(self) -> bool:
        return self._progress is not None and monotonic() >= self._due

    def _send(self, progress: Progress) -> None:
        assert self._progress is not None
        try:
            self._progress(progress)
        except StopIteration as error:
            # Readers are generators, in which this one would be taken for their end.
            raise Stopped(error) from error
        self._due = monotonic() + TICK_SECONDS
