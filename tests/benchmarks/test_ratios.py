"""Speed that the test run holds: ratios of medians in one process or in turn, tried twice at most."""

from __future__ import annotations

import asyncio
import statistics
import sys

import pytest

from tests.benchmarks.measuring import first_paints, frame_costs, ratio_holds


def median_frame(count: int) -> float:
    return statistics.median(asyncio.run(frame_costs(count)))


def test_ten_times_the_items_cost_less_than_three_times_the_work() -> None:
    assert ratio_holds(lambda: median_frame(100_000) / median_frame(10_000), 3)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_first_paint_is_near_an_empty_apps() -> None:
    def ratio() -> float:
        ours, empty = first_paints(9)
        return ours / empty

    assert ratio_holds(ratio, 1.5)
