"""Every sign on the screen, as the terminal's letters allow."""

from __future__ import annotations

from typing import NamedTuple

from rich.cells import get_character_cell_size

from ctxviz.export.signs import ASCII_SIGNS, CLEARED, UNICODE_SIGNS
from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS, KEPT, PINNED


class Signs(NamedTuple):
    """One cell each, but for the arrows, the comparisons, `infinity` and `enter` in ASCII."""

    pinned: str = UNICODE_SIGNS.item[PINNED]
    kept: str = UNICODE_SIGNS.item[KEPT]
    cleared: str = UNICODE_SIGNS.item[CLEARED]
    dropped_by_items: str = UNICODE_SIGNS.item[DROPPED_BY_ITEMS]
    dropped_by_chars: str = UNICODE_SIGNS.item[DROPPED_BY_CHARS]
    undecided: str = "○"
    warning: str = "▲"
    bad: str = "✗"
    found: str = "!"
    fine: str = "✓"
    done: str = "✓"
    play: str = "▸"
    step_back: str = "◂"
    to_first: str = "⇤"
    to_last: str = "⇥"
    weighing: str = "▚"
    limit: str = "┃"
    unknown: str = "?"
    bullet: str = "•"
    selected: str = "▲"
    call: str = "→"
    output: str = "←"
    becomes: str = "→"
    heavy: str = "━"
    heavy_half: str = "╸"
    light: str = "─"
    light_half: str = "╴"
    upright: str = "│"
    pair_first: str = "╭"
    pair_last: str = "╰"
    pair_joins: str = "├"
    knob: str = "█"
    cursor: str = "▌"
    infinity: str = "∞"
    at_most: str = "≤"
    dash: str = "–"
    minus: str = "−"
    dot: str = "·"
    ellipsis: str = "…"
    enter: str = "↵"
    up: str = "↑"
    down: str = "↓"
    left: str = "←"
    right: str = "→"
    prompt: str = "›"
    strip_pinned: str = UNICODE_SIGNS.cell[PINNED]
    strip_kept: str = UNICODE_SIGNS.cell[KEPT]
    strip_undecided: str = "▃"
    strip_by_chars: str = UNICODE_SIGNS.cell[DROPPED_BY_CHARS]
    strip_by_items: str = UNICODE_SIGNS.cell[DROPPED_BY_ITEMS]


UNICODE = Signs()
ASCII = Signs(
    pinned=ASCII_SIGNS.item[PINNED],
    kept=ASCII_SIGNS.item[KEPT],
    cleared=ASCII_SIGNS.item[CLEARED],
    dropped_by_items=ASCII_SIGNS.item[DROPPED_BY_ITEMS],
    dropped_by_chars=ASCII_SIGNS.item[DROPPED_BY_CHARS],
    undecided="?",
    warning="!",
    bad="x",
    fine="ok",
    done="+",
    play=">",
    step_back="<",
    to_first="|<",
    to_last=">|",
    weighing="+",
    limit="|",
    bullet="*",
    selected="^",
    call="->",
    output="<-",
    becomes="->",
    heavy="=",
    heavy_half="=",
    light="-",
    light_half="-",
    upright="|",
    pair_first="/",
    pair_last="\\",
    pair_joins="+",
    knob="#",
    cursor="|",
    infinity="inf",
    at_most="<=",
    dash="-",
    minus="-",
    dot=".",
    ellipsis="~",
    enter="Enter",
    up="Up",
    down="Down",
    left="Left",
    right="Right",
    prompt=">",
    strip_pinned=ASCII_SIGNS.cell[PINNED],
    strip_kept=ASCII_SIGNS.cell[KEPT],
    strip_undecided="?",
    strip_by_chars=ASCII_SIGNS.cell[DROPPED_BY_CHARS],
    strip_by_items=ASCII_SIGNS.cell[DROPPED_BY_ITEMS],
)


_ONE_FOR_ONE = str.maketrans("…–−“”→←≤·∞›", '~--""><<.8>')


def ascii_cells(text: str) -> str:
    """Text that takes as many cells, in ASCII: the program's own signs by like letters, others as `?`."""
    if text.isascii():
        return text
    return "".join(
        letter if letter.isascii() else "?" * get_character_cell_size(letter) for letter in text.translate(_ONE_FOR_ONE)
    )
