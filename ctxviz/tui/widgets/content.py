"""What the selected item says."""

from __future__ import annotations

from textual.reactive import reactive

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.explanation import what_it_is
from ctxviz.session.item import full_text
from ctxviz.session.model import Session
from ctxviz.tui.paint import Row
from ctxviz.tui.widgets.items import KIND_WORDS
from ctxviz.tui.widgets.text import TextView

_SHOWN = 4_000
"""Characters; the reading view has them all."""


class ContentView(TextView, can_focus=False):
    """The begin of the item's text, with what it is above it."""

    session: reactive[Session | None] = reactive(None)
    examination: reactive[Examination | None] = reactive(None)
    selected: reactive[int] = reactive(0)

    @property
    def compact(self) -> bool:
        """Without blank rows."""
        return self.has_class("-compact")

    def watch_session(self) -> None:
        self._show()

    def watch_examination(self) -> None:
        self.changed()

    def watch_selected(self) -> None:
        self._show()
        self.scroll_home(animate=False)

    def _show(self) -> None:
        session = self.session
        if session is None or not len(session):
            self.text = ""
            return
        text = full_text(session.glimpse(min(self.selected, len(session) - 1)))
        more = len(text) - _SHOWN
        if session.is_large(min(self.selected, len(session) - 1)):
            self.text = f"{text[:_SHOWN]}\n\nThe beginning of a very long item: Enter in the list shows more."
            self.changed()
            return
        self.text = text if more <= 0 else f"{text[:_SHOWN]}\n\n{more:,} more characters: Enter in the list shows them."
        self.changed()

    def head(self) -> list[Row]:
        session = self.session
        row = self.row().to(self.inset[0])
        if session is None or not len(session):
            return [row.add("No item to show.", "muted")]
        index = min(self.selected, len(session) - 1)
        number = f"#{index}"
        row.add(number, "strong").to(self.inset[0] + max(5, len(number) + 2))
        if self.examination is None:
            row.add(KIND_WORDS[session.kind(index)])
        else:
            size = self.examination.projection.original.sizes[index]
            chars = f", {size:,} char{'' if size == 1 else 's'}"
            row.fit(what_it_is(self.examination, index) + chars, self.size.width - row.cells - 2)
        return [row] if self.compact else [row, self.row()]
