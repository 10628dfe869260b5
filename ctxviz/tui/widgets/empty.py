"""What stands in the list's place when there is nothing to list."""

from __future__ import annotations

from collections.abc import Iterable

from textual.reactive import reactive

from ctxviz.analysis.examination import Examination
from ctxviz.tui.paint import Panel, Row
from ctxviz.tui.widgets.text import wrapped_lines


class EmptyView(Panel):
    """Says that the session has no items, why, and what can be done."""

    examination: reactive[Examination | None] = reactive(None)

    def rows(self, width: int, height: int) -> Iterable[Row]:
        if self.examination is None:
            return []
        why = wrapped_lines(_sentences(self.examination.session.nothing), max(width - 6, 10))
        keys = (("O", "open another"), ("R", "read it again"), ("q", "quit"))
        blank = max((height - len(why) - 5) // 2, 0)
        rows = [self.row() for _ in range(blank)]
        rows += [self._centered("This session has no items.", "strong", width), self.row()]
        rows += [self._centered(line, "muted", width) for line in why]
        rows += [self.row(), self.row()]
        gap = 5 if width >= 60 else 2
        needed = sum(len(key) + 1 + len(does) for key, does in keys) + gap * (len(keys) - 1)
        last = self.row().to((width - needed) // 2)
        for at, (key, does) in enumerate(keys):
            last.add(" " * gap if at else "").add(key, "key").add(f" {does}", "muted")
        return [*rows, last]

    def _centered(self, text: str, ink: str, width: int) -> Row:
        return self.row().to(max((width - len(text)) // 2, 0)).add(text, ink)


def _sentences(text: str) -> list[str]:
    """One a line: they are short and read best so."""
    return [f"{part}." for part in text.removesuffix(".").split(". ")] if text else []
