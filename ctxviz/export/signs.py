"""The signs that tell an item's state without colour, and the session as a strip of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS, KEPT, PINNED, ContextProjection
from ctxviz.session.preview import CALL, OUTPUT

CLEARED = 5
"""The code of an item that is in the window as a placeholder, beside the bytes of `ContextProjection.states`."""

SIGN_CODES = (PINNED, KEPT, CLEARED, DROPPED_BY_ITEMS, DROPPED_BY_CHARS)
"""All codes of `sign_codes`, in the order in which they are listed."""

WORDS = {
    PINNED: "pinned",
    KEPT: "kept",
    CLEARED: "cleared",
    DROPPED_BY_ITEMS: "dropped by maxItems",
    DROPPED_BY_CHARS: "dropped by maxApproxChars",
}


@dataclass(frozen=True)
class Signs:
    """A sign an item and a strip cell a state, with what stands around them.

    `arrows` are by the arrows of previews. `sentences` rewrites what this program says (never what a
    session says) for `str.translate`.
    """

    item: Mapping[int, str]
    cell: Mapping[int, str]
    arrows: Mapping[str, str]
    more: str
    sentences: Mapping[int, str]


UNICODE_SIGNS = Signs(
    item={PINNED: "◆", KEPT: "●", CLEARED: "◐", DROPPED_BY_ITEMS: "·1", DROPPED_BY_CHARS: "·2"},
    cell={PINNED: "█", KEPT: "▆", DROPPED_BY_CHARS: "▂", DROPPED_BY_ITEMS: "▁"},
    arrows={CALL: CALL, OUTPUT: OUTPUT},
    more="…",
    sentences={},
)
ASCII_SIGNS = Signs(
    item={PINNED: "P", KEPT: "K", CLEARED: "C", DROPPED_BY_ITEMS: "1", DROPPED_BY_CHARS: "2"},
    cell={PINNED: "P", KEPT: "#", DROPPED_BY_CHARS: "2", DROPPED_BY_ITEMS: "1"},
    arrows={CALL: "->", OUTPUT: "<-"},
    more="...",
    sentences=str.maketrans({"≤": "<=", "→": "->", "–": "-"}),
)


def signs(*, ascii_only: bool) -> Signs:
    """The signs for a place that shows any character, or ASCII only."""
    return ASCII_SIGNS if ascii_only else UNICODE_SIGNS


def sign_codes(projection: ContextProjection) -> bytes:
    """One byte an item: its state, or `CLEARED` for one that is in the window as a placeholder."""
    codes = bytearray(projection.states)
    for index in projection.cleared:
        if codes[index] in (KEPT, PINNED):
            codes[index] = CLEARED
    return bytes(codes)
