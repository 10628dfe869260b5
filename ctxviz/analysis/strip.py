"""The session laid out along a row of cells: each item takes the share of its characters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS, KEPT, PINNED, UNDECIDED, ContextProjection
from ctxviz.projection.selection import Run
from ctxviz.projection.size_index import SizeIndex

_IN_WINDOW_FIRST = (PINNED, KEPT, UNDECIDED, DROPPED_BY_CHARS, DROPPED_BY_ITEMS)


@dataclass(frozen=True)
class Axis:
    """Items to cells and back, on `width` cells. Where no item has characters each takes the same share."""

    index: SizeIndex
    width: int

    @property
    def _total(self) -> int:
        return self.index.chars(0, len(self.index)) or len(self.index)

    def offset(self, item: int) -> int:
        """What comes before the item: characters, or items if there are no characters."""
        return self.index.chars(0, item) if self.index.chars(0, len(self.index)) else item

    def cell(self, item: int) -> int:
        """The cell in which an item begins, the last one for the list's end."""
        if not self._total:
            return 0
        return min(self.offset(item) * self.width // self._total, max(self.width - 1, 0))

    def item(self, cell: int) -> int:
        """The item at the middle of a cell."""
        count = len(self.index)
        if not count:
            return 0
        wanted = (2 * min(max(cell, 0), self.width - 1) + 1) * self._total // (2 * self.width)
        return min(max(bisect_right(range(count + 1), wanted, key=self.offset) - 1, 0), count - 1)


def cell_states(projection: ContextProjection, width: int, undecided: Sequence[Run] = ()) -> list[int]:
    """The state with most characters in each cell, a tie going to in the window; empty if there is nothing to show.

    The items of the `undecided` runs, which are in order, count as that.
    """
    axis = Axis(projection.source.index, width)
    total = axis.offset(len(projection.source))
    if not total or width <= 0:
        return []
    weights = [[0] * 5 for _ in range(width)]
    for start, stop, state in _overlaid(_stretches(projection), undecided):
        begin, end = axis.offset(start) * width, axis.offset(stop) * width
        first, last = begin // total, min(-(-end // total), width)
        if last - first <= 1:
            if first < width:
                weights[first][state] += end - begin
            continue
        weights[first][state] += (first + 1) * total - begin
        for cell in range(first + 1, last - 1):
            weights[cell][state] += total
        weights[last - 1][state] += end - (last - 1) * total
    return [max(_IN_WINDOW_FIRST, key=weight.__getitem__) for weight in weights]


def _overlaid(stretches: list[tuple[int, int, int]], undecided: Sequence[Run]) -> list[tuple[int, int, int]]:
    """The stretches with these runs cut out of them and put in their place."""
    found: list[tuple[int, int, int]] = []
    for start, stop, state in stretches:
        at = start
        for begin, end in undecided:
            begin, end = max(begin, at), min(end, stop)
            if begin < end:
                found += [(at, begin, state)] * (at < begin) + [(begin, end, UNDECIDED)]
                at = end
        if at < stop:
            found.append((at, stop, state))
    return found


def _stretches(projection: ContextProjection) -> list[tuple[int, int, int]]:
    """The session as stretches of one state: (start, stop, state)."""
    head, tail = projection.selection.head, projection.selection.tail
    found: list[tuple[int, int, int]] = []

    def dropped(start: int, stop: int) -> None:
        for begin, end, state in (
            (start, min(stop, head), DROPPED_BY_CHARS),
            (max(start, head), min(stop, tail), DROPPED_BY_ITEMS),
            (max(start, tail), stop, DROPPED_BY_CHARS),
        ):
            if begin < end:
                found.append((begin, end, state))

    at = 0
    for start, stop in projection.selection.runs:
        dropped(at, start)
        pinned_stop = max(start, min(stop, head))
        if start < pinned_stop:
            found.append((start, pinned_stop, PINNED))
        if pinned_stop < stop:
            found.append((pinned_stop, stop, KEPT))
        at = stop
    dropped(at, len(projection.source))
    return found
