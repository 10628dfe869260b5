"""The last row: the keys that matter now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.reactive import reactive

from ctxviz.tui.paint import Panel, Row


@dataclass(frozen=True)
class Pair:
    """Keys and what they do; `action` is what a click does."""

    keys: str
    does: str
    action: str = ""


class FooterLine(Panel):
    """Whole pairs from the left as there is room; those at the right never give way."""

    pairs: reactive[tuple[Pair, ...]] = reactive(())
    always: reactive[tuple[Pair, ...]] = reactive(())

    @dataclass(eq=False, repr=False)
    class Asked(Message):
        """A pair was clicked."""

        action: str

    def rows(self, width: int, height: int) -> Iterable[Row]:
        row = self.row().to(2)
        always = self.always
        while len(always) > 1 and self._cells(always) + 20 > width:
            always = always[:-1]
        room = width - 2 - self._cells(always) - 2
        for pair in self.pairs:
            needed = len(pair.keys) + 1 + len(pair.does)
            if row.cells + needed > room:
                break
            self._pair(row, pair).add("   ")
        row.to(width - 2 - self._cells(always))
        for at, pair in enumerate(always):
            self._pair(row.add("   " if at else ""), pair)
        return [row]

    def _cells(self, pairs: tuple[Pair, ...]) -> int:
        return sum(len(pair.keys) + 1 + len(pair.does) for pair in pairs) + 3 * (len(pairs) - 1)

    def _pair(self, row: Row, pair: Pair) -> Row:
        row.add(pair.keys, "key", hit=pair.action or None)
        return row.add(f" {pair.does}", "muted", hit=pair.action or None)

    def on_click(self, event: events.Click) -> None:
        action = self.hit_at(event)
        if action:
            self.post_message(self.Asked(action))
