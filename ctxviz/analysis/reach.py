"""At which values of a limit an item would be kept, the other numbers as they stand.

What is kept changes with `maxApproxChars` at some values only, and between two of them nothing does:
a plateau. The rule is not monotone, so an item can be kept at several intervals of values.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from ctxviz.analysis.examination import Examination
from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.selection import Run, Selection, select
from ctxviz.projection.size_index import SizeIndex

Limit = Literal["maxItems", "maxApproxChars"]

_LONG = 2_000


class Interval(NamedTuple):
    """Values from `first` to `last`; `last` is None where no larger value drops the item."""

    first: int
    last: int | None


@dataclass(frozen=True)
class Reach:
    """The intervals of a limit's values at which an item is kept, the nearest to the present value first.

    `is_whole` is False if there may be more of them, further away.
    """

    limit: Limit
    intervals: tuple[Interval, ...]
    is_whole: bool


def reach(examination: Examination, index: int) -> Reach | None:
    """By the limit that dropped the item or weighed it; None where no limit had anything to decide."""
    selection, budget = examination.projection.selection, examination.settings.budget
    sizes = examination.projection.source.index
    is_cut = selection.head <= index < selection.tail
    if selection.char_gate_ran and not is_cut:
        return _by_chars(sizes, budget, index)
    if selection.item_gate_ran:
        value = least_items(examination, index)
        return Reach("maxItems", () if value is None else (_from(examination, value),), True)
    return None


def least_items(examination: Examination, index: int) -> int | None:
    """The least `maxItems` at which an item is kept; None if gate 2 drops it.

    It is kept at every larger one, too: what gate 2 has used when it comes to the item does not
    depend on `maxItems`. A `maxApproxChars` of 0 is the exception: it keeps nothing as soon as what
    reaches it has any characters.
    """
    budget, sizes = examination.settings.budget, examination.projection.source.index
    prefix = budget.prefix_items
    value = index + 1 if index < prefix else len(sizes) - index + prefix
    return value if _holds(select(sizes, replace(budget, max_items=value)).runs, index) else None


def _from(examination: Examination, value: int) -> Interval:
    """The values of `maxItems` that keep an item, of which this is the least."""
    budget, sizes = examination.settings.budget, examination.projection.source.index
    if budget.char_limit != 0:
        return Interval(value, None)
    values = range(value, len(sizes) + 1)
    gate_runs = bisect_left(values, True, key=lambda most: select(sizes, replace(budget, max_items=most)).char_gate_ran)
    return Interval(value, None if gate_runs == len(values) else values[gate_runs] - 1)


def least_chars(examination: Examination, index: int) -> tuple[int, bool] | None:
    """A `maxApproxChars` above the present one that keeps an item which gate 2 dropped.

    The least such value with True, or, where that is too far to be looked for, with False one from
    which on every value keeps it. None if gate 2 did not drop it.
    """
    selection = examination.projection.selection
    if not selection.char_gate_ran or selection.head <= index < selection.tail:
        return None
    for value, runs in examination.next_plateaus:
        if _holds(runs, index):
            return value, True
    return _always(examination.projection.source.index, selection, index), False


def remedy(examination: Examination, index: int) -> str:
    """The one number that would bring a dropped item back, in words; "" if no single one does, or it is kept."""
    gate = examination.projection.gate(index)
    if gate == 1:
        value = least_items(examination, index)
        return "" if value is None else f"would be kept at maxItems {value:,}"
    found = least_chars(examination, index) if gate == 2 else None
    if found is None:
        return ""
    return f"would fit at maxApproxChars {found[0]:,}" if found[1] else f"fits from maxApproxChars {found[0]:,} on"


def next_plateaus(sizes: SizeIndex, budget: ContextBudget) -> list[tuple[int, Sequence[Run]]]:
    """The values above the present `maxApproxChars` at which something changes, with the runs kept from there on.

    As many as are worth looking at; the last one may be where everything fits.
    """
    found: list[tuple[int, Sequence[Run]]] = []
    selection, following, most = select(sizes, budget), budget.char_limit, _plateaus(sizes)
    while selection.char_gate_ran and len(found) < most:
        following = _plateau(sizes, selection, following or 0, None).following
        if following is None:
            break
        selection = select(sizes, replace(budget, max_approx_chars=following))
        found.append((following, selection.runs))
    return found


class _Plateau(NamedTuple):
    """Values of `maxApproxChars` from `first` to `following - 1`; without end if `following` is None."""

    first: int
    following: int | None
    keeps: bool


def _by_chars(sizes: SizeIndex, budget: ContextBudget, index: int) -> Reach:
    present, most = budget.char_limit or 0, _plateaus(sizes)
    found: list[_Plateau] = []
    is_whole = True
    at: int | None = present
    while at is not None:
        if len(found) > most:
            always = _always(sizes, select(sizes, budget), index)
            found.append(_Plateau(always, None, True))
            is_whole = False
            break
        found.append(_at(sizes, budget, at, index))
        at = found[-1].following
    below: list[_Plateau] = []
    at = found[0].first - 1
    while at >= 0:
        if len(below) == most:
            is_whole = False
            break
        below.append(_at(sizes, budget, at, index))
        at = below[-1].first - 1
    intervals = _joined([*below[::-1], *found])

    def distance(interval: Interval) -> int:
        first, last = interval
        return first - present if present < first else present - last if last is not None and last < present else 0

    return Reach("maxApproxChars", tuple(sorted(intervals, key=distance)), is_whole)


def _joined(plateaus: list[_Plateau]) -> Iterator[Interval]:
    """The intervals at which the item is kept, of plateaus in order."""
    first: int | None = None
    for at, plateau in enumerate(plateaus):
        if plateau.keeps and first is None:
            first = plateau.first
        following = plateaus[at + 1] if at + 1 < len(plateaus) else None
        # A forced item is none at larger values, and kept all the same: there plateaus can overlap.
        goes_on = (
            following is not None
            and following.keeps
            and (plateau.following is None or plateau.following >= following.first)
        )
        if plateau.keeps and first is not None and not goes_on:
            yield Interval(first, None if plateau.following is None else plateau.following - 1)
            first = None


def _at(sizes: SizeIndex, budget: ContextBudget, value: int, index: int) -> _Plateau:
    return _plateau(sizes, select(sizes, replace(budget, max_approx_chars=value)), value, index)


def _plateau(sizes: SizeIndex, selection: Selection, value: int, index: int | None) -> _Plateau:
    """The plateau around a value, as far as one item is concerned: what gate 2 decides after it does not matter.

    An item is skipped as long as what is used before it and its size are more than the limit, and
    kept, unless forced, as long as they are not: so the least of the one and the greatest of the
    other are the plateau's ends.
    """
    count, head, tail = len(sizes), selection.head, selection.tail
    keeps = index is not None and _holds(selection.runs, index)
    if value == 0:
        return _Plateau(0, 1 if selection.char_gate_ran else None, keeps)
    first, used = 1, 0
    following: int | None = None
    forward = head if index is None else min(head, index + 1)
    backward = tail if index is None else max(tail, index) if index >= head else count
    walk = _between(selection.runs, 0, forward) + _between(selection.runs, backward, count)[::-1]
    for start, stop in walk:
        if not _holds(selection.runs, start):
            least = used + sizes.least(start, stop)
            following = least if following is None else min(following, least)
            continue
        used += sizes.chars(start, stop)
        if used <= value:
            first = max(first, used)
    return _Plateau(first, following, keeps)


def _between(runs: Sequence[Run], start: int, stop: int) -> list[Run]:
    """The stretches of `start` to `stop - 1` in order, each all kept or all skipped."""
    found: list[Run] = []
    at = start
    for begin, end in runs:
        begin, end = max(begin, start), min(end, stop)
        if begin >= end:
            continue
        if at < begin:
            found.append((at, begin))
        found.append((begin, end))
        at = end
    if at < stop:
        found.append((at, stop))
    return found


def _always(sizes: SizeIndex, selection: Selection, index: int) -> int:
    """From this `maxApproxChars` on the item is kept: all that is weighed before it fits beside it."""
    if index < selection.head:
        return sizes.chars(0, index + 1)
    return sizes.chars(0, selection.head) + sizes.chars(index, len(sizes))


def _holds(runs: Sequence[Run], index: int) -> bool:
    at = bisect_right(runs, (index, len(runs) and runs[-1][1])) - 1
    return at >= 0 and runs[at][0] <= index < runs[at][1]


def _plateaus(sizes: SizeIndex) -> int:
    """How many are looked at on either side of the present value: what is a matter of a few milliseconds."""
    return 256 if len(sizes) <= _LONG else 48
