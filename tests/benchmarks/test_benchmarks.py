"""The figures, on request: ``pytest tests/benchmarks --benchmark-enable -n0``.

They are printed, never asserted: the test run holds ratios only (`test_ratios.py`).
"""

from __future__ import annotations

import asyncio
import json
import statistics
from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.projector import DefaultContextProjector
from ctxviz.projection.size_index import SizeIndex
from ctxviz.projection.source import Source
from ctxviz.session.loading import load_session
from tests.benchmarks.measuring import CONTROL_KEYS, LIST_KEYS, first_paints, frame_costs, long_session
from tests.projection.plain import plain_kept


@pytest.fixture(autouse=True)
def _on_request(benchmark: Any) -> None:
    if benchmark.disabled:
        pytest.skip("benchmarks run on request: --benchmark-enable -n0")


@pytest.mark.parametrize("keys", [CONTROL_KEYS, LIST_KEYS], ids=["control", "list"])
@pytest.mark.parametrize("count", [1_000, 10_000, 100_000, 1_000_000])
def test_from_key_to_repainted_screen(benchmark: Any, count: int, keys: tuple[str, ...]) -> None:
    """Milliseconds of work, in `extra_info`; the time of a round is mostly the making of the session."""
    costs = benchmark.pedantic(lambda: asyncio.run(frame_costs(count, keys)), rounds=1)
    benchmark.extra_info.update(median_ms=statistics.median(costs), greatest_ms=max(costs))
    print(f"\n{count:,} items: median {statistics.median(costs):.1f} ms, greatest {max(costs):.1f} ms")


def test_first_paint(benchmark: Any) -> None:
    ours, empty = benchmark.pedantic(lambda: first_paints(7), rounds=1)
    print(f"\nctxviz demo {ours:.3f} s, an empty app {empty:.3f} s: {ours / empty:.2f}x")


@pytest.mark.parametrize("way", ["by runs", "plain"])
@pytest.mark.parametrize("count", [1_000, 100_000, 1_000_000])
def test_projecting(benchmark: Any, count: int, way: str) -> None:
    sizes = [n * 7919 % 1_261 for n in range(count)]
    budget = ContextBudget(max_items=count * 3 // 4, max_approx_chars=sum(sizes) // 3, pinned_prefix_items=5)
    source = Source([""] * count, "live", SizeIndex(sizes).sizes)
    _ = source.index
    if way == "plain":
        benchmark(lambda: plain_kept(sizes, budget))
    else:
        benchmark(lambda: DefaultContextProjector().project(source, budget))


@pytest.mark.parametrize("lines", [True, False], ids=["JSON Lines", "JSON list"])
def test_loading(benchmark: Any, tmp_path: Path, lines: bool) -> None:
    """100,000 items, all ASCII, 16 to 1,400 characters of text."""
    items = list(long_session(100_000).items)
    path = tmp_path / "session"
    path.write_text("\n".join(map(json.dumps, items)) if lines else json.dumps(items))
    benchmark.pedantic(lambda: load_session(path), rounds=3)
