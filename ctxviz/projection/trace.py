"""The rule itself, told plainly: every decision in the order in which the projector makes it.

This is the reference that `selection` is tested equal to; it costs a step an item and is run
only when somebody wants to see the steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.selection import Gate


@dataclass(frozen=True)
class GateOpened:
    """A gate begins: its limit, and how many items and characters reach it."""

    gate: Gate
    limit: int
    item_count: int
    approx_chars: int


@dataclass(frozen=True)
class Decided:
    """One item's fate at one gate.

    At gate 2 `used` is the characters kept before it, and `forced` says that it is kept although
    `used + size` is over the limit. At gate 1, which does not count characters, `used` is the
    number of items kept before it and `forced` is False.
    """

    gate: Gate
    index: int
    in_prefix: bool
    used: int
    size: int
    kept: bool
    forced: bool


@dataclass(frozen=True)
class GateClosed:
    """A gate is done: what is left behind it, and whether the report says that it was applied."""

    gate: Gate
    item_count: int
    approx_chars: int
    applied: bool


Step: TypeAlias = GateOpened | Decided | GateClosed


def trace(sizes: Sequence[int], budget: ContextBudget) -> Iterator[Step]:
    """The steps of ``DefaultContextProjector`` (ai4j commit 6955545); a gate that does not run has none."""
    survivors = list(range(len(sizes)))
    prefix = budget.prefix_items

    limit = budget.item_limit
    if limit is not None and len(survivors) > limit:
        yield GateOpened(1, limit, len(survivors), sum(sizes))
        head = min(prefix, limit)
        tail_start = len(sizes) - (limit - head)
        kept: list[int] = []
        for index in survivors:
            keep = index < head or index >= tail_start
            yield Decided(1, index, index < prefix, len(kept), sizes[index], keep, False)
            if keep:
                kept.append(index)
        survivors = kept
        yield GateClosed(1, len(kept), sum(sizes[index] for index in kept), True)

    limit = budget.char_limit
    total = sum(sizes[index] for index in survivors)
    if limit is not None and total > limit:
        yield GateOpened(2, limit, len(survivors), total)
        pinned = min(prefix, len(survivors))
        kept, used = [], 0
        for in_prefix, part in ((True, survivors[:pinned]), (False, survivors[pinned:][::-1])):
            nothing_kept_yet = True
            for index in part:
                fits = used + sizes[index] <= limit
                keep = limit > 0 and (fits or nothing_kept_yet)
                yield Decided(2, index, in_prefix, used, sizes[index], keep, keep and not fits)
                if keep:
                    kept.append(index)
                    used += sizes[index]
                    nothing_kept_yet = False
        yield GateClosed(2, len(kept), used, len(kept) < len(survivors))
