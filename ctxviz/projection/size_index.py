"""Sums and minima over item sizes, for walking a list in long steps."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate

_BLOCK = 64
_LEVELS = 3


class SizeIndex:
    """Answers two questions about a list of sizes in logarithmic time, from either side: how far
    does a run of items fit into the room that is left, and which item is the next that fits.

    Holds the sizes (`sizes`, not negative), their prefix sums and three levels of minima over
    blocks of 64. Nothing in it changes after it is made.
    """

    def __init__(self, sizes: Iterable[int]) -> None:
        self.sizes: array[int] = sizes if isinstance(sizes, array) else array("q", sizes)
        self._sums: array[int] = array("q", accumulate(self.sizes, initial=0))
        levels: list[array[int]] = [self.sizes]
        for _ in range(_LEVELS):
            below = levels[-1]
            levels.append(array("q", (min(below[at : at + _BLOCK]) for at in range(0, len(below), _BLOCK))))
        self._levels = levels

    def __len__(self) -> int:
        return len(self.sizes)

    def chars(self, start: int, stop: int) -> int:
        """The characters of the items `start` to `stop - 1`."""
        return self._sums[stop] - self._sums[start]

    def fitting_after(self, start: int, stop: int, room: int) -> int:
        """The end of the longest run that begins at `start`, ends at `stop` at most and fits into `room`."""
        return bisect_right(self._sums, self._sums[start] + room, start, stop + 1) - 1

    def fitting_before(self, start: int, stop: int, room: int) -> int:
        """The begin of the longest run that ends before `stop`, begins at `start` at least and fits into `room`."""
        return bisect_left(self._sums, self._sums[stop] - room, start, stop)

    def next_fitting(self, start: int, stop: int, room: int) -> int:
        """The first item from `start` on that fits into `room` by itself, or `stop` if none before it does."""
        at, level = start, 0
        while at < stop:
            # Climb while a whole block is skipped, go down where a block holds one that fits.
            width = _BLOCK**level
            if self._levels[level][at // width] <= room:
                if level == 0:
                    return at
                level -= 1
                continue
            at = (at // width + 1) * width
            while level < _LEVELS and at % (width * _BLOCK) == 0:
                level, width = level + 1, width * _BLOCK
        return stop

    def last_fitting(self, start: int, stop: int, room: int) -> int:
        """The last item before `stop` that fits into `room` by itself, or `start - 1` if none from `start` on does."""
        at, level = stop - 1, 0
        while at >= start:
            width = _BLOCK**level
            if self._levels[level][at // width] <= room:
                if level == 0:
                    return at
                level -= 1
                continue
            at = at // width * width - 1
            while level < _LEVELS and (at + 1) % (width * _BLOCK) == 0:
                level, width = level + 1, width * _BLOCK
        return start - 1

    def least(self, start: int, stop: int) -> int:
        """The smallest size of the items `start` to `stop - 1`, of which there must be one."""
        found, at, level = self.sizes[start], start, 0
        while at < stop:
            # As wide a block as begins here and ends in time.
            while level < _LEVELS and not at % _BLOCK ** (level + 1) and at + _BLOCK ** (level + 1) <= stop:
                level += 1
            while at + _BLOCK**level > stop:
                level -= 1
            found = min(found, self._levels[level][at // _BLOCK**level])
            at += _BLOCK**level
            while at % _BLOCK**level:
                level -= 1
        return found
