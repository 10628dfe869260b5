"""The characters used in a step of the player, to scale, with the limit on the bar."""

from __future__ import annotations

from dataclasses import dataclass

from ctxviz.analysis.playback import Playback
from ctxviz.projection.trace import Decided
from ctxviz.tui.paint import Panel, Row

_LEFT = 2
_PAST_THE_LIMIT = 2
"""Cells from the limit on, where nothing is beyond it."""


@dataclass(frozen=True)
class Tally:
    """The characters of the prefix, of the tail and of the item under decision, 0 if there is none; and the limit.

    `most` is where the bar ends if it is more than the limit: the bar has the same scale in each step.
    """

    prefix: int
    tail: int
    weighed: int
    limit: int
    most: int

    @property
    def left(self) -> int:
        """What the limit leaves; negative if more is in the window."""
        return self.limit - self.prefix - self.tail


def tally(playback: Playback) -> Tally | None:
    """The tally of a step; None where gate 2 adds nothing up, which holds for all steps of a projection or for none."""
    examination, step = playback.examination, playback.step
    limit = examination.settings.budget.char_limit
    if not limit or not examination.projection.selection.char_gate_ran:
        return None
    prefix, tail = playback.trace.used(playback.known_to)
    weighed = step.size if isinstance(step, Decided) else 0
    # What is skipped may be far too large: the limit stays in the bar's right half.
    most = max(examination.report.projected_approx_chars, min(playback.most_chars, 2 * limit))
    return Tally(prefix, tail, weighed, limit, most)


def bar_row(panel: Panel, one: Tally, room: int) -> Row:
    """The bar on `room` cells, from the left edge of all text; what is beyond the limit is drawn as wrong."""
    signs, row = panel.signs, panel.row().to(_LEFT)
    if room < 4:
        return row
    mark = room - _PAST_THE_LIMIT
    if one.most > one.limit:
        mark = min(max(one.limit * room // one.most, 1), mark)

    def cell(chars: int) -> int:
        if chars <= one.limit:
            return chars * mark // one.limit
        beyond, cells = max(one.most - one.limit, one.limit // mark, 1), room - mark - 1
        return min(mark + 1 - (-(chars - one.limit) * cells // beyond), room)

    line = [(signs.light, "track")] * room
    at = 0
    for chars, sign, ink in (
        (one.prefix, signs.strip_pinned, "pinned"),
        (one.tail, signs.strip_pinned, "kept"),
        (one.weighed, signs.weighing, "accent"),
    ):
        first, last = cell(at), cell(at + chars)
        for place in range(min(first, room - 1), max(last, min(first, room - 1) + 1) if chars else first):
            line[place] = (sign, ink if place < mark else "bad")
        at += chars
    line[mark] = (signs.limit, "strong")
    for sign, ink in line:
        row.add(sign, ink)
    return row


def legend_row(panel: Panel, one: Tally, width: int) -> Row:
    """The numbers of the bar's parts, and what is left."""
    signs, row = panel.signs, panel.row().to(_LEFT)
    if one.prefix:
        row.add(signs.pinned, "pinned").add(f" {one.prefix:,}   ", "pinned")
    row.add(signs.kept, "kept").add(f" {one.tail:,}   ", "kept")
    if one.weighed:
        row.add(signs.play, "accent").add(f" {one.weighed:,}", "accent")
    return add_left(row, one, width)


def left_cells(one: Tally) -> int:
    """How many cells what is left may take in any step."""
    return len(f"{max(one.limit, one.most):,} left of {one.limit:,}")


def add_left(row: Row, one: Tally, width: int) -> Row:
    """What is left of the limit, at the right edge if there is room."""
    words = f"{one.left:,} left of " if one.left >= 0 else f"{-one.left:,} over "
    cells = len(words) + len(f"{one.limit:,}")
    if row.cells + cells + 3 > width - 2:
        return row
    return row.to(width - 2 - cells).add(words, "muted" if one.left >= 0 else "bad").add(f"{one.limit:,}", "strong")
