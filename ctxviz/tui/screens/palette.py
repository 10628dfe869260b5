"""The commands by name, each with what it would do now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.fuzzy import FuzzySearch
from textual.message import Message
from textual.reactive import reactive
from textual.screen import ModalScreen
from textual.widgets import Input

from ctxviz.tui.paint import INKS, LinesView, Panel, Row
from ctxviz.tui.screens.prompt import PromptMark
from ctxviz.tui.widgets.footer import FooterLine, Pair


@dataclass(frozen=True)
class Choice:
    """A command to choose: `effect` says in a few words what it would do, asked when it is seen."""

    action: str
    label: str
    name: str
    effect: Callable[[], str]


class PaletteScreen(ModalScreen[str | None]):
    """Dismissed with the action of the chosen command, or None."""

    CSS_PATH = ["input.tcss", "palette.tcss"]
    COMPONENT_CLASSES = INKS

    BINDINGS = [
        Binding("escape", "dismiss(None)", "close", show=False),
        Binding("up", "move(-1)", "up", show=False),
        Binding("down", "move(1)", "down", show=False),
        Binding("pageup", "move(-5)", "page up", show=False),
        Binding("pagedown", "move(5)", "page down", show=False),
    ]

    def __init__(self, choices: Sequence[Choice]) -> None:
        super().__init__()
        self.choices = choices

    def compose(self) -> ComposeResult:
        with Vertical(id="palette"):
            yield PaletteHeading()
            with Horizontal(id="palette-line"):
                yield PromptMark()
                box = Input(compact=True)
                box.cursor_blink = self.app.animation_level == "full"
                yield box
                yield PaletteCount()
            yield PaletteRule()
            yield ChoiceList(id="choices")
        yield FooterLine()

    def on_mount(self) -> None:
        signs = self.query_one(PaletteHeading).signs
        self.query_one(FooterLine).pairs = (
            Pair(f"{signs.up} {signs.down}", "choose"),
            Pair(signs.enter, "do it"),
            Pair("Esc", "close"),
        )
        self._search("")

    def on_input_changed(self, event: Input.Changed) -> None:
        self._search(event.value)

    def _search(self, query: str) -> None:
        found: list[tuple[float, Choice, Sequence[int]]] = []
        search = FuzzySearch()
        for choice in self.choices:
            score, places = search.match(query, choice.name) if query else (1.0, ())
            if score > 0:
                found.append((score, choice, places))
        found.sort(key=lambda entry: -entry[0])
        self.query_one(ChoiceList).show([(choice, frozenset(places)) for _, choice, places in found])
        self.query_one(PaletteCount).text = f"{len(found)} of {len(self.choices)}"

    def action_move(self, by: int) -> None:
        self.query_one(ChoiceList).move(by)

    def on_input_submitted(self) -> None:
        choice = self.query_one(ChoiceList).chosen
        if choice:
            self.dismiss(choice.action)

    def on_choice_list_clicked(self, event: ChoiceList.Clicked) -> None:
        self.dismiss(event.choice.action)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)


class PaletteHeading(Panel):
    """The heading of the commands."""

    def rows(self, width: int, height: int) -> Iterable[Row]:
        tail = self.row().add("Esc", "key").add(" close", "muted")
        return [self.end_heading(self.heading(width, "Commands", focused=True), width, focused=True, tail=tail)]


class PaletteCount(Panel):
    """How many commands match."""

    text: reactive[str] = reactive("")

    def rows(self, width: int, height: int) -> Iterable[Row]:
        return [self.row().right(width - 2, self.text, "muted")]


class PaletteRule(Panel):
    """The rule under the line that is typed into."""

    def rows(self, width: int, height: int) -> Iterable[Row]:
        return [self.row().to(2).add(self.signs.light * (width - 4), "line")]


class ChoiceList(LinesView, can_focus=False):
    """Two rows a command: its name with its key, and what it would do."""

    cursor: reactive[int] = reactive(0)

    @dataclass(eq=False, repr=False)
    class Clicked(Message):
        """A command was clicked."""

        choice: Choice

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.entries: list[tuple[Choice, frozenset[int]]] = []
        self._effects: dict[str, str] = {}

    @property
    def chosen(self) -> Choice | None:
        return self.entries[self.cursor][0] if self.entries else None

    def show(self, entries: list[tuple[Choice, frozenset[int]]]) -> None:
        self.entries = entries
        self.cursor = 0
        self.set_reactive(ChoiceList.count, 2 * len(entries))
        self.changed()
        self.scroll_home(animate=False)

    def move(self, by: int) -> None:
        self.cursor = min(max(self.cursor + by, 0), max(len(self.entries) - 1, 0))
        top, height = self.scroll_offset.y, self.size.height
        first = 2 * self.cursor
        self.scroll_to(y=min(max(top, first + 2 - height), first), animate=False)

    def line(self, number: int, width: int) -> Row:
        choice, places = self.entries[number // 2]
        at_cursor = number // 2 == self.cursor
        row = self.row(self.inks_on("cursor") if at_cursor else None)
        row.add(self.signs.cursor if at_cursor else " ", "accent").to(4)
        if number % 2:
            if choice.action not in self._effects:
                self._effects[choice.action] = choice.effect()
            return row.fit(self._effects[choice.action], width - 6, "muted").to(width)
        for at, letter in enumerate(choice.name):
            row.add(letter, "key" if at in places else "text")
        return row.right(width - 2, choice.label, "key").to(width)

    def on_click(self, event: events.Click) -> None:
        at = (event.y + self.scroll_offset.y) // 2
        if at < len(self.entries):
            event.stop()
            self.post_message(self.Clicked(self.entries[at][0]))
