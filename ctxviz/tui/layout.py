"""Where everything stands at a size of the terminal. Pure numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Mode = Literal["wide", "narrow", "tiny"]
BudgetStyle = Literal["full", "tight", "folded"]
"""Two rows a control with blank rows between the groups; without them; one row a control."""

_WIDE_FROM = (120, 30)
_TINY_BELOW = (60, 18)
_FIELD_ROWS = 7


@dataclass(frozen=True)
class Layout:
    """The sizes of the parts, in cells; heights include the headings.

    `wide` has two columns, `narrow` one, `tiny` has list, controls and footer only. `page_height`
    is 0 where the tab takes what is left.
    """

    mode: Mode
    side_width: int
    budget_style: BudgetStyle
    budget_height: int
    note_rows: int
    report_height: int
    page_height: int
    column_header: bool
    player: bool = False
    """Whether the player stands in the place of report and tabs, in one column in that of the controls too."""


def layout(
    width: int, height: int, *, type_aware: bool, wide_tab: bool, needs_room: bool = False, player: bool = False
) -> Layout:
    """The layout for a terminal of `width` x `height` cells.

    `wide_tab` gives the report's rows to the tab, `needs_room` those of the folded controls. Nothing here
    depends on the numbers shown, so that no part moves when they change.
    """
    controls = 3 + type_aware
    if width >= _WIDE_FROM[0] and height >= _WIDE_FROM[1]:
        style: BudgetStyle = (
            "full" if height >= 36 + 3 * type_aware else "tight" if height >= 33 + 3 * type_aware else "folded"
        )
        if needs_room or player:
            style = "folded"
        budget = {"full": 5 + 2 * controls, "tight": 3 + 2 * controls, "folded": 2 + controls}[style]
        if type_aware or style == "full":
            budget += 0 if type_aware and style == "full" else type_aware
        notes = 2 if not type_aware else min(6, max(2, height - 35))
        report = 0 if wide_tab else 1 + _FIELD_ROWS + notes + 1
        side = min(max(width * 2 // 5, 48), 64)
        return Layout("wide", side, style, budget, notes, 0 if player else report, 0, height >= 32, player)
    if width < _TINY_BELOW[0] or height < _TINY_BELOW[1]:
        return Layout("tiny", width, "folded", 1 + min(3, max(height - 7, 1)), 0, 0, 0, False, player)
    page = min(12, 6 + max(height - 24, 0) // 3)
    if height < 24:
        page = max(6 - (24 - height), 2)
    if wide_tab:
        page = max(height - 3 - 4 - 1 - 1 - 5, page)
    return Layout("narrow", width, "folded", 4, max(page - 4, 0), 0, page, False, player)
