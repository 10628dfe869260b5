"""Which sign an item has."""

from __future__ import annotations

from ctxviz.export.signs import ASCII_SIGNS, CLEARED, SIGN_CODES, UNICODE_SIGNS, sign_codes
from ctxviz.projection.json_value import Json
from ctxviz.projection.projection import DROPPED_BY_ITEMS, KEPT
from tests.export.sessions import examined


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
