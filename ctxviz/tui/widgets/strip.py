"""The whole session as one row of heights, and the ruler under it: together the scrollbar."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from textual import events
from textual.message import Message
from textual.reactive import reactive

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.strip import Axis, cell_states
from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS, KEPT, PINNED, UNDECIDED
from ctxviz.session.loading import Progress
from ctxviz.tui.paint import Panel, Row

if TYPE_CHECKING:
    from ctxviz.analysis.findings import Findings
    from ctxviz.analysis.playback import Playback

_INSET = 2
_DECIDING = -1
"""Stands among the states for the cells of the item under decision."""


class SessionStrip(Panel):
    """Height and colour are the state; on the ruler stand the visible range, what was found and the selected item."""

    examination: reactive[Examination | None] = reactive(None)
    findings: reactive[Findings | None] = reactive(None)
    playback: reactive[Playback | None] = reactive(None)
    """Where the player stands; None while it is closed."""
    progress: reactive[Progress | None] = reactive(None)
    selected: reactive[int] = reactive(0)
    visible_items: reactive[tuple[int, int]] = reactive((0, 0))
    """The items on screen: first, and one past the last."""

    @dataclass(eq=False, repr=False)
    class Moved(Message):
        """The person pointed at a place of the session."""

        index: int

    def __init__(self) -> None:
        super().__init__()
        self._cells: tuple[Examination, int, list[int]] | None = None

    def rows(self, width: int, height: int) -> Iterable[Row]:
        room = width - 2 * _INSET
        if self.examination is None:
            return [self._progress(room), self.row().add(self.signs.light * width, "line")]
        return [self._strip(self.examination, room), self._ruler(self.examination, room, width)]

    def _progress(self, room: int) -> Row:
        signs, row = self.signs, self.row().to(_INSET)
        progress = self.progress
        if not progress or not progress.bytes_total:
            return row.add(signs.light * room, "line")
        done = min(room - 1, room * progress.bytes_done // progress.bytes_total)
        row.add(signs.strip_undecided * done, "muted").add(signs.strip_kept, "accent")
        return row.add(signs.light * (room - done - 1), "line")

    def _strip(self, examination: Examination, room: int) -> Row:
        playback = self._playback(examination)
        if playback is not None:
            undecided = playback.trace.undecided(playback.known_to)
            self._cells = (examination, -room, cell_states(examination.projection, room, undecided))
        elif self._cells is None or self._cells[:2] != (examination, room):
            self._cells = (examination, room, cell_states(examination.projection, room))
        signs, row = self.signs, self.row().to(_INSET)
        shown = {
            PINNED: (signs.strip_pinned, "pinned"),
            KEPT: (signs.strip_kept, "kept"),
            DROPPED_BY_CHARS: (signs.strip_by_chars, "dropped"),
            DROPPED_BY_ITEMS: (signs.strip_by_items, "dropped"),
            UNDECIDED: (signs.strip_undecided, "muted"),
            _DECIDING: (signs.strip_undecided, "accent"),
        }
        cells = self._cells[2]
        if not cells:
            return row.add(signs.light * room, "line")
        if playback is not None and playback.index is not None:
            axis = Axis(examination.projection.source.index, room)
            begin = axis.cell(playback.index)
            end = max(axis.cell(playback.index + 1), begin + 1)
            cells = [*cells[:begin], *[_DECIDING] * (end - begin), *cells[end:]]
        for state, same in groupby(cells):
            sign, ink = shown[state]
            row.add(sign * len(list(same)), ink)
        return row

    def _playback(self, examination: Examination) -> Playback | None:
        """The playback, if it is of this examination."""
        return self.playback if self.playback is not None and self.playback.examination is examination else None

    def _ruler(self, examination: Examination, room: int, width: int) -> Row:
        signs = self.signs
        line = [(signs.light, "line")] * width
        count = len(examination.session)
        if count:
            axis = Axis(examination.projection.source.index, room)
            # The list may be shorter than when it last said what is visible.
            first, last = (min(at, count) for at in self.visible_items)
            for cell in range(axis.cell(min(first, count - 1)), axis.cell(max(last - 1, first)) + 1):
                line[_INSET + cell] = (signs.heavy, "track")
            findings = self.findings
            if findings is not None and findings.examination is examination and self.playback is None:
                for index in findings.places:
                    line[_INSET + axis.cell(index)] = (signs.found, "bad")
                for index in findings.errors:
                    line[_INSET + axis.cell(index)] = (signs.bad, "bad")
            line[_INSET + axis.cell(min(self.selected, count - 1))] = (signs.selected, "accent")
        row = self.row()
        for (sign, ink), cells in groupby(line):
            row.add(sign * len(list(cells)), ink)
        return row

    def _point(self, event: events.MouseEvent) -> None:
        if self.examination and len(self.examination.session):
            axis = Axis(self.examination.projection.source.index, self.size.width - 2 * _INSET)
            self.post_message(self.Moved(axis.item(event.x - _INSET)))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self.capture_mouse()
        self._point(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self.app.mouse_captured is self:
            self._point(event)

    def on_mouse_up(self) -> None:
        self.release_mouse()
