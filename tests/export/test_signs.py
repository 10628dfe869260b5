"""The strip of the session, and which sign an item has."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxviz.export.signs import ASCII_SIGNS, CLEARED, SIGN_CODES, UNICODE_SIGNS, sign_codes, strip_states
from ctxviz.projection.json_value import Json
from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS, KEPT, PINNED
from tests.export.sessions import examined, sized


def test_a_cell_an_item() -> None:
    projection = examined(sized(10, 10, 10, 90, 10), 4, 40, 1).projection
    assert list(strip_states(projection, 5)) == [PINNED, DROPPED_BY_ITEMS, KEPT, DROPPED_BY_CHARS, KEPT]


def test_fewer_items_than_cells() -> None:
    projection = examined(sized(10, 10), 1).projection
    assert list(strip_states(projection, 5)) == [DROPPED_BY_ITEMS] * 3 + [KEPT] * 2


def test_a_cell_shows_the_state_with_most_characters() -> None:
    projection = examined(sized(10, 10, 10, 31), 1).projection
    assert list(strip_states(projection, 1)) == [KEPT]
    projection = examined(sized(10, 10, 10, 29), 1).projection
    assert list(strip_states(projection, 1)) == [DROPPED_BY_ITEMS]


def test_a_tie_goes_to_in_the_window() -> None:
    assert list(strip_states(examined(sized(10, 20, 30), 1).projection, 1)) == [KEPT]
    assert list(strip_states(examined(sized(0, 0, 0), 1).projection, 1)) == [KEPT]


def test_no_items_no_strip() -> None:
    assert strip_states(examined([]).projection, 80) == b""
    assert strip_states(examined(sized(1)).projection, 0) == b""


@given(st.lists(st.integers(0, 9)), st.integers(0, 12), st.integers(0, 40), st.integers(0, 5), st.integers(0, 30))
def test_every_cell_is_a_state_that_is_there(
    sizes: list[int], max_items: int, max_chars: int, pinned: int, width: int
) -> None:
    projection = examined(sized(*sizes), max_items, max_chars, pinned).projection
    strip = strip_states(projection, width)
    assert len(strip) == (width if sizes else 0)
    assert set(strip) <= set(projection.states)
    if width == len(sizes):
        assert strip == projection.states


def test_cleared_items_in_the_window_have_their_own_sign() -> None:
    output: Json = {"type": "function_call_output", "call_id": "c", "output": "x" * 99}
    projection = examined([output, "a", output, output], 2, tool_results=1, projector="type-aware").projection
    assert sorted(projection.cleared) == [0, 2]
    assert list(sign_codes(projection)) == [DROPPED_BY_ITEMS, DROPPED_BY_ITEMS, CLEARED, KEPT]


def test_ascii_signs_are_ascii_and_whole() -> None:
    for chosen in (UNICODE_SIGNS, ASCII_SIGNS):
        assert set(chosen.item) == set(SIGN_CODES)
        assert set(chosen.cell) == set(SIGN_CODES) - {CLEARED}
        assert len(set(chosen.item.values())) == len(SIGN_CODES)
    assert all(sign.isascii() for sign in [*ASCII_SIGNS.item.values(), *ASCII_SIGNS.cell.values(), ASCII_SIGNS.more])
