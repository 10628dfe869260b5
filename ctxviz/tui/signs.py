"""Every sign on the screen, as the terminal's letters allow."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signs:
    """One cell each, but for the arrows, the comparisons, `infinity` and `enter` in ASCII."""

    pinned: str = "◆"
    kept: str = "●"
    cleared: str = "◐"
    dropped_by_items: str = "·1"
    dropped_by_chars: str = "·2"
    undecided: str = "○"
    warning: str = "▲"
    bad: str = "✗"
    selected: str = "▲"
    call: str = "→"
    output: str = "←"
    becomes: str = "→"
    heavy: str = "━"
    heavy_half: str = "╸"
    light: str = "─"
    light_half: str = "╴"
    upright: str = "│"
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
    strip_pinned: str = "█"
    strip_kept: str = "▆"
    strip_undecided: str = "▃"
    strip_by_chars: str = "▂"
    strip_by_items: str = "▁"


UNICODE = Signs()
ASCII = Signs(
    pinned="P",
    kept="K",
    cleared="C",
    dropped_by_items="1",
    dropped_by_chars="2",
    undecided="?",
    warning="!",
    bad="x",
    selected="^",
    call="->",
    output="<-",
    becomes="->",
    heavy="=",
    heavy_half="=",
    light="-",
    light_half="-",
    upright="|",
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
    strip_pinned="P",
    strip_kept="#",
    strip_undecided="?",
    strip_by_chars="2",
    strip_by_items="1",
)
