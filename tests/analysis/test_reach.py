"""At which values an item is kept: against every value tried."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import example, given
from hypothesis import strategies as st

from ctxviz.analysis.examination import examine
from ctxviz.analysis.reach import Interval, least_chars, least_items, reach
from ctxviz.analysis.settings import Settings
from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.size_index import SizeIndex
from tests.export.sessions import examined, session, sized
from tests.projection.plain import plain_kept

SIZES = st.lists(st.integers(0, 9), min_size=1, max_size=12)
LIMITS = st.one_of(st.none(), st.integers(0, 13))


def intervals(values: list[int], greatest: int) -> list[Interval]:
    """The runs of consecutive values; one that reaches the greatest has no end."""
    found: list[Interval] = []
    for value in values:
        if found and found[-1].last == value - 1:
            found[-1] = Interval(found[-1].first, value)
        else:
            found.append(Interval(value, value))
    return [Interval(first, None if last == greatest else last) for first, last in found]


@given(SIZES, LIMITS, st.integers(0, 80), LIMITS)
@example([4, 10, 4], None, 14, None)
def test_all_intervals_of_max_approx_chars(sizes: list[int], items: int | None, chars: int, pinned: int | None) -> None:
    budget = ContextBudget(items, chars, pinned)
    examination = examine(session(*sized(*sizes)), Settings(budget))
    greatest = sum(sizes) + 1
    kept = {value: plain_kept(sizes, replace(budget, max_approx_chars=value))[0] for value in range(greatest + 1)}
    for index in range(len(sizes)):
        found = reach(examination, index)
        if found is None or found.limit != "maxApproxChars":
            continue
        assert found.is_whole
        assert sorted(found.intervals) == intervals([v for v in kept if index in kept[v]], greatest)
        distances = [
            min(abs(value - chars) for value in range(first, (greatest if last is None else last) + 1))
            for first, last in found.intervals
        ]
        assert distances == sorted(distances)
        larger = [value for value in kept if value > chars and index in kept[value]]
        if index not in kept[min(chars, greatest)]:
            assert least_chars(examination, index) == (larger[0], True)


@given(SIZES, st.integers(0, 13), st.one_of(st.none(), st.integers(0, 80)), LIMITS)
def test_the_least_max_items(sizes: list[int], items: int, chars: int | None, pinned: int | None) -> None:
    budget = ContextBudget(items, chars, pinned)
    examination = examine(session(*sized(*sizes)), Settings(budget))
    for index in range(len(sizes)):
        kept = [
            value
            for value in range(len(sizes) + (pinned or 0) + 2)
            if index in plain_kept(sizes, replace(budget, max_items=value))[0]
        ]
        least = least_items(examination, index)
        if index not in plain_kept(sizes, budget)[0]:
            assert (least in kept) if least is not None else True
        assert (least is None) == (not kept) or (least is not None and least >= kept[0])
        if least is not None and least < len(sizes) and chars != 0:
            assert kept == list(range(least, len(sizes) + (pinned or 0) + 2))
        found = reach(examination, index)
        if found is not None and found.limit == "maxItems":
            assert found.intervals == tuple(intervals(kept, len(sizes) + (pinned or 0) + 1))


def test_what_is_too_far_is_said_to_be_so() -> None:
    """A list whose every value changes something: more plateaus than are looked at."""
    sizes = [1] * 3_000
    examination = examined(sized(*sizes), None, 5)
    found = reach(examination, 10)
    assert found is not None
    assert (found.intervals, found.is_whole) == ((Interval(2_990, None),), False)
    assert least_chars(examination, 10) == (2_990, False)
    assert least_chars(examination, 2_990) == (10, True)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9_000), st.data())
def test_the_least_of_a_range(sizes: list[int], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(sizes) - 1))
    stop = data.draw(st.integers(start + 1, len(sizes)))
    assert SizeIndex(sizes).least(start, stop) == min(sizes[start:stop])


def test_the_least_of_long_ranges() -> None:
    sizes = list(range(300_000, 0, -1))
    index = SizeIndex(sizes)
    for start, stop in ((0, 300_000), (1, 299_999), (63, 262_145), (4_096, 8_192), (262_143, 262_146)):
        assert index.least(start, stop) == sizes[stop - 1]
