"""The answer of a projector: what enters the window, and why each item does or does not."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.json_value import Json
from ctxviz.projection.report import ContextReport
from ctxviz.projection.selection import Gate, Selection
from ctxviz.projection.source import Source

UNDECIDED, DROPPED_BY_ITEMS, DROPPED_BY_CHARS, KEPT, PINNED = range(5)
"""The bytes of `ContextProjection.states`; no finished projection has an undecided item."""


class State(StrEnum):
    """What became of an item; one of the pinned range that was lost is dropped."""

    PINNED = "pinned"
    KEPT = "kept"
    DROPPED = "dropped"


class Mark(StrEnum):
    """What is not obvious about an item's state."""

    FORCED = "forced"
    """Kept although it does not fit: the first pinned item or the newest one."""
    HOLE = "hole"
    """Dropped by gate 2 behind the prefix while an older item behind the prefix is kept."""
    CLEARED = "cleared"
    """Replaced by a placeholder before the gates (type-aware projector)."""


STATE_OF_CODE = {
    PINNED: State.PINNED,
    KEPT: State.KEPT,
    DROPPED_BY_ITEMS: State.DROPPED,
    DROPPED_BY_CHARS: State.DROPPED,
}


@dataclass(frozen=True)
class Decision:
    """Why one item is in or out, with the numbers that decided it.

    `gate` is the gate that dropped it, None if it is in the window. Where gate 2 weighed it,
    `used` is the characters kept before it (from the prefix, then from the newest item back) and
    `limit` is `maxApproxChars`. Where gate 1 dropped it, `used` is None and `limit` is
    `maxItems`. Both are None for an item that no gate had to decide about.
    """

    index: int
    state: State
    gate: Gate | None
    size: int
    used: int | None
    limit: int | None
    in_prefix: bool
    marks: tuple[Mark, ...]

    @property
    def forced(self) -> bool:
        return Mark.FORCED in self.marks


@dataclass(frozen=True, eq=False, repr=False)
class ContextProjection:
    """The result of `ContextProjector.project`.

    `source` is the list that went through the gates (after clearing, for the type-aware
    projector), `original` the list before. `cleared` maps an index to what stands there instead.
    """

    source: Source
    original: Source
    budget: ContextBudget
    selection: Selection
    report: ContextReport
    cleared: Mapping[int, Json]

    @cached_property
    def kept(self) -> tuple[int, ...]:
        """The source indices of the projected items, increasing."""
        return tuple(index for start, stop in self.selection.runs for index in range(start, stop))

    @cached_property
    def items(self) -> list[Json]:
        """The projected items, in order."""
        return [self.source.items[index] for index in self.kept]

    @cached_property
    def states(self) -> bytes:
        """One byte an item: PINNED, KEPT, DROPPED_BY_ITEMS or DROPPED_BY_CHARS."""
        count, head, tail = len(self.source), self.selection.head, self.selection.tail
        states = bytearray([DROPPED_BY_CHARS]) * count
        states[head:tail] = bytes([DROPPED_BY_ITEMS]) * (tail - head)
        for start, stop in self.selection.runs:
            pinned_stop = max(start, min(stop, head))
            states[start:pinned_stop] = bytes([PINNED]) * (pinned_stop - start)
            states[pinned_stop:stop] = bytes([KEPT]) * (stop - pinned_stop)
        return bytes(states)

    @cached_property
    def oldest_kept_behind_prefix(self) -> int:
        """The first kept item behind the prefix; the list's length if there is none.

        What gate 2 dropped behind it is a hole.
        """
        tail = self.selection.tail
        return next((max(start, tail) for start, stop in self.selection.runs if stop > tail), len(self.source))

    def state(self, index: int) -> State:
        """What became of the item."""
        return STATE_OF_CODE[self.states[index]]

    def gate(self, index: int) -> Gate | None:
        """The gate that dropped the item, or None if it is in the window."""
        code = self.states[index]
        return 1 if code == DROPPED_BY_ITEMS else 2 if code == DROPPED_BY_CHARS else None

    @cached_property
    def _kept_before_run(self) -> list[tuple[int, int]]:
        """For each run, and for the end: the kept items and characters before it."""
        chars = self.source.index.chars
        before = [(0, 0)]
        for start, stop in self.selection.runs:
            count, used = before[-1]
            before.append((count + stop - start, used + chars(start, stop)))
        return before

    def kept_before(self, index: int) -> tuple[int, int]:
        """How many items before `index` are in the window, and how many characters they have."""
        runs = self.selection.runs
        at = bisect_left(runs, (index,))
        count, used = self._kept_before_run[at]
        if at and runs[at - 1][1] > index:
            stop = runs[at - 1][1]
            return count - (stop - index), used - self.source.index.chars(index, stop)
        return count, used

    def used_before(self, index: int) -> int | None:
        """The characters that gate 2 had kept when it came to the item; None if it did not weigh it."""
        selection = self.selection
        if not selection.char_gate_ran or selection.head <= index < selection.tail:
            return None
        if index < selection.head:
            return self.kept_before(index)[1]
        in_prefix = self.kept_before(selection.head)[1]
        return in_prefix + self._kept_before_run[-1][1] - self.kept_before(index + 1)[1]

    def marks(self, index: int) -> tuple[Mark, ...]:
        """The item's marks, in the order forced, hole, cleared."""
        found = []
        if self.states[index] in (KEPT, PINNED):
            used = self.used_before(index) if index in self.may_be_forced else None
            if used is not None and used + self.source.sizes[index] > (self.budget.char_limit or 0):
                found.append(Mark.FORCED)
        elif self.states[index] == DROPPED_BY_CHARS and index > self.oldest_kept_behind_prefix:
            found.append(Mark.HOLE)
        if index in self.cleared:
            found.append(Mark.CLEARED)
        return tuple(found)

    @property
    def may_be_forced(self) -> tuple[int, int]:
        """The only items that can be: the first pinned one and the newest."""
        return (0, len(self.source) - 1)

    def decision(self, index: int) -> Decision:
        """Why the item is in or out."""
        gate, used = self.gate(index), self.used_before(index)
        limit = self.budget.item_limit if gate == 1 else None if used is None else self.budget.char_limit
        return Decision(
            index=index,
            state=self.state(index),
            gate=gate,
            size=self.source.sizes[index],
            used=used,
            limit=limit,
            in_prefix=index < self.budget.prefix_items,
            marks=self.marks(index),
        )
