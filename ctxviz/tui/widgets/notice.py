"""A sentence above the list, until it is closed: what to look at, or what went wrong."""

from __future__ import annotations

from collections.abc import Iterable

from textual.reactive import reactive

from ctxviz.export.visible import visible
from ctxviz.tui.paint import Panel, Row, fitted
from ctxviz.tui.widgets.text import wrapped_lines

_MOST_ROWS = 3


class Notice(Panel):
    """Takes no room while it says nothing; Esc closes it."""

    text: reactive[str] = reactive("")
    bad: reactive[bool] = reactive(False)
    """Whether it is about something wrong, and marked so."""
    most_rows: reactive[int] = reactive(_MOST_ROWS)

    def watch_text(self) -> None:
        self._fit()

    def watch_most_rows(self) -> None:
        self._fit()

    def on_mount(self) -> None:
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        self.display = bool(self.text)
        self.styles.height = len(self._lines(self.app.size.width)) if self.text else 0

    def _lines(self, width: int) -> list[str]:
        lines = wrapped_lines([visible(self.text)], max(width - 15 - 2 * self.bad, 8))
        if len(lines) > self.most_rows:
            lines = lines[: self.most_rows]
            lines[-1] = fitted(lines[-1], max(width - 16 - 2 * self.bad, 7), "") + self.signs.ellipsis
        return lines

    def rows(self, width: int, height: int) -> Iterable[Row]:
        rows = []
        for at, line in enumerate(self._lines(width)):
            row = self.row().to(2)
            if self.bad:
                row.add(self.signs.warning if at == 0 else " ", "bad").add(" ")
            row.add(line)
            if at == 0:
                row.to(width - 11).add("Esc", "key", hit="close").add(" close", "muted", hit="close")
            rows.append(row)
        return rows

    def on_click(self) -> None:
        self.text = ""
