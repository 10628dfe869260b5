"""The decisions of a projection, one by one, in the order in which the projector made them.

They are read off the projection itself, each when it is asked for: a trace of a million items costs
nothing until somebody steps through it, and no second telling of the rule can disagree with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, overload

from ctxviz.projection.projection import UNDECIDED, ContextProjection
from ctxviz.projection.selection import Gate

Tier: TypeAlias = Literal[1, 2]
"""1 clears old tool results, 2 old reasoning: the type-aware projector's, before the gates."""


@dataclass(frozen=True)
class Cleared:
    """A tier replaced these items by placeholders: their places, and their characters before and after."""

    tier: Tier
    items: Sequence[int]
    chars_before: int
    chars_after: int


@dataclass(frozen=True)
class GateSkipped:
    """A gate has nothing to do: its limit is None, or what reaches it is within the limit."""

    gate: Gate
    limit: int | None
    item_count: int
    approx_chars: int


@dataclass(frozen=True)
class GateOpened:
    """A gate begins: its limit, and how many items and characters reach it.

    Gate 1 keeps the first `head` items and the last `newest` of them, and weighs none. For gate 2
    `head` is how many it walks forwards, `newest` how many backwards from the newest item; a limit
    of 0 keeps nothing and walks over none.
    """

    gate: Gate
    limit: int
    item_count: int
    approx_chars: int
    head: int
    newest: int


@dataclass(frozen=True)
class Decided:
    """One item weighed by gate 2: `used` is the characters kept before it, `limit` is `maxApproxChars`.

    It is kept if `used + size <= limit`, or forced: as the first of its part to be kept, although it
    does not fit. `number` counts the items that the gate has come to, from 1.
    """

    index: int
    number: int
    in_prefix: bool
    used: int
    size: int
    limit: int
    kept: bool
    forced: bool

    @property
    def total(self) -> int:
        """What is held against the limit."""
        return self.used + self.size


@dataclass(frozen=True)
class GateClosed:
    """A gate is done: what is left behind it, and whether the report says that it was applied."""

    gate: Gate
    limit: int
    item_count: int
    approx_chars: int
    applied: bool


Step: TypeAlias = Cleared | GateSkipped | GateOpened | Decided | GateClosed


class Trace(Sequence[Step]):
    """The steps of a projection: tiers that cleared something, then each gate's opening and close
    with the items it weighed between them, or the one step that says that it had nothing to do.

    Any step is found without making the ones before it.
    """

    def __init__(self, projection: ContextProjection) -> None:
        self.projection = projection
        selection, count = projection.selection, len(projection.source)
        self._head, self._tail = selection.head, selection.tail
        self._weighed = 0
        if selection.char_gate_ran and projection.budget.char_limit:
            self._weighed = selection.head + count - selection.tail
        self._gate_1 = len(self._tiers)
        self._gate_2 = self._gate_1 + (2 if selection.item_gate_ran else 1)

    @cached_property
    def _tiers(self) -> list[Cleared]:
        """The type-aware projector's tiers, as its placeholders tell."""
        projection, found = self.projection, []
        outputs = {
            index
            for index, item in projection.cleared.items()
            if isinstance(item, dict) and item.get("type") == "function_call_output"
        }
        tiers: tuple[tuple[Tier, list[int]], ...] = (
            (1, sorted(outputs)),
            (2, sorted(projection.cleared.keys() - outputs)),
        )
        for tier, items in tiers:
            if items:
                before = sum(projection.original.sizes[index] for index in items)
                found.append(Cleared(tier, items, before, sum(projection.source.sizes[index] for index in items)))
        return found

    def __len__(self) -> int:
        return self._gate_2 + (self._weighed + 2 if self.projection.selection.char_gate_ran else 1)

    @overload
    def __getitem__(self, at: int) -> Step: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Step]: ...
    def __getitem__(self, at: int | slice) -> Step | Sequence[Step]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        number = at + len(self) if at < 0 else at
        if not 0 <= number < len(self):
            raise IndexError(at)
        if number < self._gate_1:
            return self._tiers[number]
        if number < self._gate_2:
            return self._of_gate_1(number - self._gate_1)
        return self._of_gate_2(number - self._gate_2)

    def _of_gate_1(self, at: int) -> Step:
        projection, count = self.projection, len(self.projection.source)
        limit, newest = projection.budget.item_limit, count - self._tail
        chars = projection.source.index.chars
        if not projection.selection.item_gate_ran or limit is None:
            return GateSkipped(1, limit, count, chars(0, count))
        if at == 0:
            return GateOpened(1, limit, count, chars(0, count), self._head, newest)
        return GateClosed(1, limit, *self._survivors, True)

    @property
    def _survivors(self) -> tuple[int, int]:
        """The items and characters that reach gate 2."""
        count, chars = len(self.projection.source), self.projection.source.index.chars
        return self._head + count - self._tail, chars(0, self._head) + chars(self._tail, count)

    def _of_gate_2(self, at: int) -> Step:
        projection = self.projection
        limit, (items, chars) = projection.budget.char_limit, self._survivors
        if not projection.selection.char_gate_ran or limit is None:
            return GateSkipped(2, limit, items, chars)
        if at == 0:
            return GateOpened(2, limit, items, chars, self._head, items - self._head)
        if at <= self._weighed:
            return self._decided(at)
        report = projection.report
        applied = report.character_limit_applied
        return GateClosed(2, limit, report.projected_item_count, report.projected_approx_chars, applied)

    def _decided(self, number: int) -> Decided:
        index = number - 1 if number <= self._head else len(self.projection.source) - (number - self._head)
        decision = self.projection.decision(index)
        return Decided(
            index=index,
            number=number,
            in_prefix=index < self._head,
            used=decision.used or 0,
            size=decision.size,
            limit=decision.limit or 0,
            kept=decision.gate is None,
            forced=decision.forced,
        )

    # -- places -------------------------------------------------------------------------------------

    def about(self, index: int) -> int:
        """The step that settled the item: where gate 2 weighed it, else where gate 1 cut it or let it pass."""
        if self._head <= index < self._tail:
            return self._gate_2 - 1
        if self._weighed:
            in_tail = len(self.projection.source) - index
            return self._gate_2 + (index + 1 if index < self._head else self._head + in_tail)
        return len(self) - 1

    def gate_of(self, at: int) -> Gate | None:
        """The gate that is at work in a step; None in a tier's."""
        return None if at < self._gate_1 else 1 if at < self._gate_2 else 2

    def span(self, gate: Gate) -> tuple[int, int]:
        """A gate's steps: the first, and one past the last."""
        return (self._gate_1, self._gate_2) if gate == 1 else (self._gate_2, len(self))

    def weighed(self, at: int) -> tuple[int, int]:
        """How many items of the prefix and of the tail gate 2 has decided once this step is done."""
        done = min(max(at - self._gate_2, 0), self._weighed)
        return min(done, self._head), max(done - self._head, 0)

    def used(self, at: int) -> tuple[int, int]:
        """The characters of the prefix and of the tail that gate 2 has kept once this step is done."""
        projection = self.projection
        in_prefix, in_tail = self.weighed(at)
        prefix = projection.kept_before(in_prefix)[1]
        if not in_tail:
            return prefix, 0
        count = len(projection.source)
        tail = projection.kept_before(count)[1] - projection.kept_before(count - in_tail)[1]
        return prefix, tail

    def kept(self, at: int) -> tuple[int, int]:
        """How many items of the prefix and of the tail gate 2 has kept once this step is done."""
        projection = self.projection
        in_prefix, in_tail = self.weighed(at)
        prefix = projection.kept_before(in_prefix)[0]
        count = len(projection.source)
        return prefix, projection.kept_before(count)[0] - projection.kept_before(count - in_tail)[0]

    def undecided(self, at: int) -> list[tuple[int, int]]:
        """The runs of items whose fate is open once this step is done: at most two, none empty.

        Every other item has the state that the projection gives it.
        """
        count = len(self.projection.source)
        if at >= len(self) - 1:
            return []
        if at < self._gate_2 - 1:
            return [(0, count)] if count else []
        in_prefix, in_tail = self.weighed(at)
        runs = [(in_prefix, self._head), (self._tail, count - in_tail)]
        if self._head == self._tail:
            runs = [(in_prefix, count - in_tail)]
        return [(start, stop) for start, stop in runs if start < stop]

    def states(self, at: int) -> bytes:
        """The byte of each item as it stands once this step is done; `UNDECIDED` where it is open."""
        states = bytearray(self.projection.states)
        for start, stop in self.undecided(at):
            states[start:stop] = bytes([UNDECIDED]) * (stop - start)
        return bytes(states)
