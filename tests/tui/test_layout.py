"""The layout's promises: what is where at which size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxviz.tui.layout import layout


@pytest.mark.parametrize(
    ("size", "mode"),
    [((140, 40), "wide"), ((120, 30), "wide"), ((119, 40), "narrow"), ((140, 29), "narrow"), ((80, 24), "narrow"),
     ((60, 18), "narrow"), ((59, 24), "tiny"), ((80, 17), "tiny")],
)  # fmt: skip
def test_modes(size: tuple[int, int], mode: str) -> None:
    assert layout(*size, type_aware=False, wide_tab=False).mode == mode


def test_the_right_column_takes_two_fifths_within_bounds() -> None:
    widths = [layout(width, 40, type_aware=False, wide_tab=False).side_width for width in (120, 140, 200)]
    assert widths == [48, 56, 64]


def test_full_size_as_drawn() -> None:
    place = layout(140, 40, type_aware=False, wide_tab=False)
    assert (place.budget_height, place.report_height, place.note_rows, place.column_header) == (11, 11, 2, True)
    assert layout(80, 24, type_aware=False, wide_tab=False).page_height == 6


@given(st.integers(1, 400), st.integers(1, 200), st.booleans(), st.booleans())
def test_the_parts_fit_at_any_size(width: int, height: int, type_aware: bool, wide_tab: bool) -> None:
    place = layout(width, height, type_aware=type_aware, wide_tab=wide_tab)
    if place.mode == "wide":
        used = 3 + place.budget_height + place.report_height + 2 + 1
        assert height - used >= 4
    elif place.mode == "narrow":
        list_rows = height - 3 - place.budget_height - 1 - place.page_height - 1
        assert list_rows >= 4
        if height >= 24 and not wide_tab:
            assert list_rows >= 9
