"""The tabs beside the list: their names here, their pages below."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.reactive import reactive

from ctxviz.tui.paint import Panel, Row


class TabBar(Panel, can_focus=True):
    """Names the tabs. In focus, left and right choose one and the other keys scroll its page."""

    BINDINGS = [
        Binding("left", "choose(-1)", "previous tab", show=False),
        Binding("right", "choose(1)", "next tab", show=False),
        Binding("up,k", "scroll('up')", "scroll up", show=False),
        Binding("down,j", "scroll('down')", "scroll down", show=False),
        Binding("pageup", "scroll('page_up')", "page up", show=False),
        Binding("pagedown", "scroll('page_down')", "page down", show=False),
        Binding("home", "scroll('home')", "begin", show=False),
        Binding("end", "scroll('end')", "end", show=False),
        Binding("enter", "scroll('enter')", "go to what is chosen", show=False),
    ]

    tabs: reactive[tuple[str, ...]] = reactive(("Why", "Content"))
    active: reactive[str] = reactive("Why")
    in_one_row: reactive[bool] = reactive(False)
    counts: reactive[str] = reactive("")
    """What stands behind the name of the findings' tab."""

    @dataclass(eq=False, repr=False)
    class Chosen(Message):
        """A tab was chosen."""

        tab: str

    @dataclass(eq=False, repr=False)
    class ScrollAsked(Message):
        """A key for the page shown: up, down, page_up, page_down, home, end or enter."""

        way: str

    def rows(self, width: int, height: int) -> Iterable[Row]:
        return [self._one_row(width)] if self.in_one_row else self._two_rows(width)

    def _one_row(self, width: int) -> Row:
        signs = self.signs
        line, ink = (signs.heavy, "accent") if self.has_focus else (signs.light, "line")
        row = self.row().add(line, ink)
        for at, tab in enumerate(self.tabs):
            row.add(line if at else "", ink)
            row.add(f" {tab} ", "chip" if tab == self.active else "muted", hit=tab)
            self._count(row, tab)
        return row.add(line * (width - row.cells), ink)

    def _two_rows(self, width: int) -> list[Row]:
        signs = self.signs
        names, under = self.row().to(1), self.row()
        for tab in self.tabs:
            begin = names.cells
            names.add(f" {tab} ", "strong" if tab == self.active else "muted", hit=tab)
            self._count(names, tab)
            if tab == self.active:
                under.add(signs.light * (begin - under.cells), "line")
                on = (signs.heavy, "accent") if self.has_focus else (signs.light, "text")
                under.add(on[0] * (names.cells - begin), on[1])
            names.add("  ")
        return [names, under.add(signs.light * (width - under.cells), "line")]

    def _count(self, row: Row, tab: str) -> None:
        if tab == "Findings" and self.counts:
            row.add(f"{self.counts} ", "bad", hit=tab)

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def action_choose(self, by: int) -> None:
        self.post_message(self.Chosen(self.tabs[(self.tabs.index(self.active) + by) % len(self.tabs)]))

    def action_scroll(self, way: str) -> None:
        self.post_message(self.ScrollAsked(way))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        tab = self.hit_at(event)
        if tab is not None:
            self.post_message(self.Chosen(tab))
