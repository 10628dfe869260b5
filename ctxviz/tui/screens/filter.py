"""Which items the list shows: by state, by kind and by finding."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.message import Message
from textual.reactive import reactive
from textual.screen import ModalScreen

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.filtering import ItemFilter, choices, matching
from ctxviz.session.item import Kind
from ctxviz.tui.paint import INKS, LinesView, Panel, Row
from ctxviz.tui.widgets.footer import FooterLine, Pair

if TYPE_CHECKING:
    from ctxviz.analysis.findings import Findings


class FilterScreen(ModalScreen[ItemFilter | None]):
    """Choices with the number of items that each has; dismissed with the filter, or None if nothing is to change."""

    CSS_PATH = "filter.tcss"
    COMPONENT_CLASSES = INKS

    BINDINGS = [
        Binding("escape,q", "dismiss(None)", "close", show=False),
        Binding("enter,ampersand", "apply", "show these", show=False),
        Binding("x", "clear", "show all", show=False),
    ]

    def __init__(self, examination: Examination, findings: Findings | None, chosen: ItemFilter) -> None:
        super().__init__()
        self.examination = examination
        self.findings = findings if findings is not None and findings.examination is examination else None
        self.chosen = chosen

    def compose(self) -> ComposeResult:
        yield FilterHeading(len(self.examination.session))
        yield FilterChoices(choices(self.examination, self.findings), self.chosen, id="filter")
        yield FooterLine()

    def on_mount(self) -> None:
        footer, view = self.query_one(FooterLine), self.query_one(FilterChoices)
        signs = view.signs
        footer.pairs = (
            Pair(f"{signs.up} {signs.down}", "move"),
            Pair("Space", "choose", "choose"),
            Pair(signs.enter, "show these", "apply"),
            Pair("x", "show all", "clear"),
        )
        footer.always = (Pair("Esc", "close", "close"),)
        view.focus()
        self._count()

    def _count(self) -> None:
        shown = matching(self.examination, self.findings, self.query_one(FilterChoices).chosen)
        self.query_one(FilterHeading).shown = len(shown)

    def on_filter_choices_changed(self) -> None:
        self._count()

    def action_choose(self) -> None:
        self.query_one(FilterChoices).action_choose()

    def action_apply(self) -> None:
        self.dismiss(self.query_one(FilterChoices).chosen)

    def action_clear(self) -> None:
        self.dismiss(ItemFilter())

    async def on_footer_line_asked(self, event: FooterLine.Asked) -> None:
        if event.action == "close":
            self.dismiss(None)
        else:
            await self.run_action(event.action)


class FilterHeading(Panel):
    """How many items the choices let through."""

    shown: reactive[int] = reactive(0)

    def __init__(self, count: int) -> None:
        super().__init__()
        self.total = count

    def rows(self, width: int, height: int) -> Iterable[Row]:
        extra = self.row().add("   ").add(f"{self.shown:,}", "strong").add(f" of {self.total:,} items", "muted")
        tail = self.row().add("Esc", "key").add(" close", "muted")
        heading = self.heading(width, "Show only", focused=True, extra=extra)
        return [self.end_heading(heading, width, focused=True, tail=tail)]


class FilterChoices(LinesView, can_focus=True):
    """A line a choice, under the name of its group. Of one group any is enough, of the groups all must hold."""

    BINDINGS = [
        Binding("up,k", "move(-1)", "up", show=False),
        Binding("down,j", "move(1)", "down", show=False),
        Binding("home", "move(-1000)", "first", show=False),
        Binding("end", "move(1000)", "last", show=False),
        Binding("space", "choose", "choose", show=False),
    ]

    cursor: reactive[int] = reactive(0)
    """The place of a choice among all of them."""
    chosen: reactive[ItemFilter] = reactive(ItemFilter())

    class Changed(Message):
        """Another choice was made."""

    def __init__(self, groups: dict[str, list[tuple[str, int]]], chosen: ItemFilter, *, id: str) -> None:
        super().__init__(id=id)
        self.set_reactive(FilterChoices.chosen, chosen)
        self._choices = [(group, name, count) for group, entries in groups.items() for name, count in entries]
        self._lines: list[int | str] = []
        for at, (group, _, _) in enumerate(self._choices):
            if not at or self._choices[at - 1][0] != group:
                self._lines += ["", group] if at else [group]
            self._lines.append(at)

    def remake(self, width: int) -> None:
        self.set_reactive(FilterChoices.count, len(self._lines))

    def validate_cursor(self, cursor: int) -> int:
        return min(max(cursor, 0), max(len(self._choices) - 1, 0))

    def watch_cursor(self) -> None:
        if self._choices and self.size.height:
            line, top, height = self._lines.index(self.cursor), self.scroll_offset.y, self.size.height
            first = 0 if not self.cursor else line
            self.scroll_to(y=min(max(top, line - height + 1), first), animate=False, force=True)
        self.refresh()

    def watch_chosen(self) -> None:
        self.post_message(self.Changed())
        self.refresh()

    def _is_chosen(self, group: str, name: str) -> bool:
        chosen = self.chosen
        names: dict[str, frozenset[str]] = {
            "State": chosen.states,
            "Kind": frozenset(kind.value for kind in chosen.kinds),
            "Finding": chosen.findings,
        }
        return name in names[group]

    def action_choose(self) -> None:
        if not self._choices:
            return
        group, name, _ = self._choices[self.cursor]
        before = self.chosen
        if group == "State":
            self.chosen = ItemFilter(before.states ^ {name}, before.kinds, before.findings)
        elif group == "Kind":
            self.chosen = ItemFilter(before.states, before.kinds ^ {Kind(name)}, before.findings)
        else:
            self.chosen = ItemFilter(before.states, before.kinds, before.findings ^ {name})

    def action_move(self, by: int) -> None:
        self.cursor += by

    def line(self, number: int, width: int) -> Row:
        at = self._lines[number]
        if isinstance(at, str):
            return self.row().to(2).add(at, "strong")
        group, name, count = self._choices[at]
        row = self.row(self.inks_on("cursor") if at == self.cursor else None)
        row.add(self.signs.cursor if at == self.cursor else " ", "accent").to(4)
        is_chosen = self._is_chosen(group, name)
        row.add(self.signs.kept if is_chosen else self.signs.undecided, "accent" if is_chosen else "muted").to(7)
        row.add(name, "strong" if is_chosen else "text")
        return row.right(min(width - 2, 44), f"{count:,}", "muted").to(width)

    def on_click(self, event: events.Click) -> None:
        number = event.y + self.scroll_offset.y
        at = self._lines[number] if number < len(self._lines) else ""
        if isinstance(at, int):
            self.cursor = at
            self.action_choose()
