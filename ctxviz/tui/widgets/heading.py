"""The heading over the list: how many items ended how, and the names of the columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.reactive import reactive

from ctxviz.analysis.examination import Examination
from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS, KEPT, PINNED, UNDECIDED
from ctxviz.session.loading import Progress
from ctxviz.session.model import Session
from ctxviz.tui.paint import Panel, Row
from ctxviz.tui.signs import Signs
from ctxviz.tui.widgets.items import Columns, largest_of, state_sign

if TYPE_CHECKING:
    from ctxviz.analysis.playback import Playback


class ItemsHeading(Panel):
    """The heading over the list with the count of each state, and the names of the columns."""

    examination: reactive[Examination | None] = reactive(None)
    playback: reactive[Playback | None] = reactive(None)
    """Where the player stands; None while it is closed."""
    focused: reactive[bool] = reactive(False)
    session: reactive[Session | None] = reactive(None)
    progress: reactive[Progress | None] = reactive(None)

    def rows(self, width: int, height: int) -> Iterable[Row]:
        extra, tail = self.row(), None
        if self.examination is None:
            if self.progress is not None and self.progress.items_done is not None:
                extra.add("   ").add(f"{self.progress.items_done:,}").add(" so far", "muted")
                extra.add("   ").add(f"{self.signs.undecided} not yet decided", "muted")
            tail = self.row().add("Esc", "key").add(" cancel", "muted")
        elif not len(self.examination.session):
            extra.add("   ").add("none", "muted")
        else:
            for words in (True, False):
                extra = counts_row(self.row(), self.signs, self.examination, words=words, playback=self.playback)
                if extra.cells + 10 < width:
                    break
        heading = self.heading(width, "Items", focused=self.focused, extra=extra)
        rows = [self.end_heading(heading, width, focused=self.focused, tail=tail)]
        if height > 1:
            rows.append(self._header(width))
        return rows

    def _header(self, width: int) -> Row:
        if not self.session:
            return self.row()
        columns = Columns.of(width, len(self.session), True, largest_of(self.session, self.examination))
        row = (
            self.row()
            .right(columns.index_end, "#", "muted")
            .to(columns.kind)
            .add("kind"[: columns.kind_width], "muted")
        )
        return row.right(columns.chars_end, "chars", "muted").to(columns.preview).add("preview", "muted")


def counts_row(
    row: Row, signs: Signs, examination: Examination, *, words: bool, playback: Playback | None = None
) -> Row:
    """How many items ended how, the states that occur only; in the player as of its step."""
    if playback is not None and playback.examination is examination:
        for code, word in (
            (PINNED, "pinned"),
            (KEPT, "kept"),
            (DROPPED_BY_ITEMS, ""),
            (DROPPED_BY_CHARS, "dropped"),
            (UNDECIDED, "not yet decided"),
        ):
            if playback.counts[code]:
                row.add("   ").add(*state_sign(signs, code)).add(f" {playback.counts[code]:,}")
                row.add(f" {word}" if words and word else "", "muted")
        return row
    counts = examination.counts
    parts = (
        (signs.pinned, "pinned", counts.pinned, "pinned"),
        (signs.kept, "kept", counts.kept, "kept"),
        (signs.cleared, "kept", counts.cleared, "cleared"),
        (signs.dropped_by_items, "dropped", counts.dropped_by_items, "by maxItems"),
        (signs.dropped_by_chars, "dropped", counts.dropped_by_chars, "by maxApproxChars"),
    )
    for sign, ink, count, word in parts:
        if count:
            row.add("   ").add(sign, ink).add(f" {count:,}")
            if words:
                row.add(f" {word}", "muted")
    return row
