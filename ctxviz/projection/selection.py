"""The rule, fast: which runs of items pass both gates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.size_index import SizeIndex

Gate: TypeAlias = Literal[1, 2]
"""1 is `maxItems`, 2 is `maxApproxChars`."""

Run: TypeAlias = tuple[int, int]
"""Items `start` to `stop - 1`."""

_RUNS_BEFORE_PLAIN = 256
"""After so many runs the sizes are made to have no long ones, and a plain loop is faster."""


@dataclass(frozen=True)
class Selection:
    """What passes: `runs` in order, none empty.

    Gate 1 leaves the items before `head` and from `tail` on (`head == tail` if it dropped none);
    the prefix that gate 2 walks forwards is the items before `head`.
    """

    runs: tuple[Run, ...]
    head: int
    tail: int
    item_gate_ran: bool
    char_gate_ran: bool


def select(index: SizeIndex, budget: ContextBudget) -> Selection:
    """Run both gates over the indexed sizes (``DefaultContextProjector``, ai4j commit 6955545)."""
    count, limit, prefix = len(index), budget.item_limit, budget.prefix_items
    item_gate_runs = limit is not None and count > limit
    if limit is not None and item_gate_runs:
        head = min(prefix, limit)
        tail = count - (limit - head)
    else:
        head = tail = min(prefix, count)

    limit = budget.char_limit
    if limit is None or index.chars(0, head) + index.chars(tail, count) <= limit:
        runs = [(0, head), (tail, count)] if head < tail else [(0, count)]
        return Selection(_whole(runs), head, tail, item_gate_runs, False)
    if limit == 0:
        return Selection((), head, tail, item_gate_runs, True)
    front, room = _walk_forwards(index, 0, head, limit)
    back = _walk_backwards(index, tail, count, room)
    return Selection(_whole([*front, *back]), head, tail, item_gate_runs, True)


def _walk_forwards(index: SizeIndex, start: int, stop: int, room: int) -> tuple[list[Run], int]:
    """Keep what fits, and the first item even if it does not; also the room left (negative if forced)."""
    runs: list[Run] = []
    at = start
    while at < stop:
        end = index.fitting_after(at, stop, room) if room >= 0 else at
        if not runs:
            end = max(end, start + 1)
        if end == at:
            at = index.next_fitting(at, stop, room) if room >= 0 else stop
            continue
        runs.append((at, end))
        room -= index.chars(at, end)
        at = end
        if len(runs) == _RUNS_BEFORE_PLAIN:
            for item in range(at, stop):
                if index.sizes[item] <= room:
                    room -= index.sizes[item]
                    runs.append((item, item + 1))
            break
    return runs, room


def _walk_backwards(index: SizeIndex, start: int, stop: int, room: int) -> list[Run]:
    """The same from the newest item on; the runs in the list's order."""
    runs: list[Run] = []
    at = stop
    while at > start:
        begin = index.fitting_before(start, at, room) if room >= 0 else at
        if not runs:
            begin = min(begin, stop - 1)
        if begin == at:
            at = index.last_fitting(start, at, room) + 1 if room >= 0 else start
            continue
        runs.append((begin, at))
        room -= index.chars(begin, at)
        at = begin
        if len(runs) == _RUNS_BEFORE_PLAIN:
            sizes = index.sizes
            for item in range(at - 1, start - 1, -1):
                if sizes[item] <= room:
                    room -= sizes[item]
                    runs.append((item, item + 1))
            break
    return runs[::-1]


def _whole(runs: list[Run]) -> tuple[Run, ...]:
    """The runs without empty ones, neighbours joined."""
    joined: list[Run] = []
    for start, stop in runs:
        if start == stop:
            continue
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((start, stop))
    return tuple(joined)
