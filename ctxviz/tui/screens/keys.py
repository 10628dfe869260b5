"""All keys, signs and lines that work now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding
from textual.reactive import reactive
from textual.screen import ModalScreen

from ctxviz.session.model import Session
from ctxviz.tui.hints import is_possible
from ctxviz.tui.keys import COMMANDS, Command
from ctxviz.tui.paint import INKS, LinesView, Panel, Row
from ctxviz.tui.screens.prompt import Prompt
from ctxviz.tui.signs import Signs
from ctxviz.tui.widgets.footer import FooterLine, Pair

_THREE_COLUMNS_FROM, _TWO_COLUMNS_FROM = 110, 76


@dataclass(frozen=True)
class Entry:
    """One line: the keys or a sign, with its ink, and what it means."""

    label: str
    meaning: str
    ink: str = "key"


def groups(signs: Signs, session: Session | None, commands: Sequence[Command] = COMMANDS) -> dict[str, list[Entry]]:
    """The lines by group: of the commands that are possible now, then of what belongs to a part of the screen."""
    found: dict[str, list[Entry]] = {"Budget": [], "Items": [], "Screen": []}
    for command in (command for command in commands if command.help and is_possible(command.action, session)):
        entries = found[command.group]
        same = next((entry for entry in entries if entry.meaning == command.help), None)
        if same:
            entries[entries.index(same)] = Entry(f"{same.label} {command.label}", command.help)
        else:
            entries.append(Entry(command.label, command.help))
    up, down, left, right = signs.up, signs.down, signs.left, signs.right
    found["Budget"] += [
        Entry(f"{left} {right}", "one step (in Budget)"),
        Entry("PgUp PgDn", "ten steps (in Budget)"),
        Entry("Home End", "least, greatest (in Budget)"),
        Entry(f"{up} {down}", "choose the control (in Budget)"),
    ]
    found["Items"] = [
        Entry(f"j k {down} {up}", "move"),
        Entry("PgUp PgDn", "a page"),
        Entry("Home End", "first, last"),
        Entry("Enter", "read the item in full"),
        *found["Items"],
    ]
    found["Player"] = [
        Entry(f"{right} {left}", "step on, back"),
        Entry("PgUp PgDn", "ten steps"),
        Entry("Home End", "first, last step"),
        Entry("space", "play"),
        Entry(f"+ {signs.minus}", "faster, slower"),
        Entry("e", "to the selected item"),
    ]
    found["Screen"] = [Entry("Tab", "next part"), *found["Screen"], Entry("Esc", "close what is open")]
    found["Signs"] = [
        Entry(signs.pinned, "pinned: in the window by prefix", "pinned"),
        Entry(signs.kept, "kept: in the window", "kept"),
        Entry(signs.cleared, "in the window, but cleared", "kept"),
        Entry(signs.dropped_by_items, "dropped by maxItems, gate 1", "dropped"),
        Entry(signs.dropped_by_chars, "dropped by maxApproxChars, gate 2", "dropped"),
        Entry(signs.undecided, "not yet decided", "muted"),
        Entry(signs.selected, "on the ruler: the selected item", "accent"),
        Entry(signs.bad, "an error: the request is refused", "bad"),
        Entry(f"{signs.warning} {signs.found}", "a warning: something is lost", "bad"),
        Entry(f"{signs.pair_first}{signs.pair_last}", "a call and its outputs", "accent"),
        Entry("hole", "dropped, though older ones stay", "italic"),
        Entry("forced", "in the window, though too large", "italic"),
    ]
    found["Lines"] = [
        Entry(signs.heavy * 3, "in the window, set, in focus", "text"),
        Entry(signs.light * 3, "dropped, unset", "muted"),
        Entry(signs.strip_pinned * 2, "strip: pinned", "pinned"),
        Entry(signs.strip_kept * 2, "strip: kept", "kept"),
        Entry(signs.strip_by_chars * 2, "strip: dropped by maxApproxChars", "dropped"),
        Entry(signs.strip_by_items * 2, "strip: dropped by maxItems", "dropped"),
    ]
    return found


class KeysScreen(ModalScreen[None]):
    """The key list; `/` narrows it."""

    CSS_PATH = "keys.tcss"
    COMPONENT_CLASSES = INKS

    BINDINGS = [
        Binding("escape", "back", "close", show=False),
        Binding("question_mark,q", "dismiss(None)", "close", show=False),
        Binding("slash", "find", "find", show=False),
    ]

    def __init__(self, session: Session | None, commands: Sequence[Command]) -> None:
        super().__init__()
        self.session = session
        self.commands = commands

    def compose(self) -> ComposeResult:
        yield KeysHeading()
        yield KeysView(self.session, self.commands, id="keys")
        yield FooterLine()

    def on_mount(self) -> None:
        footer = self.query_one(FooterLine)
        footer.pairs = (Pair("Esc", "close", "back"), Pair("/", "find a key", "find"))
        self.query_one(KeysView).focus()

    def on_resize(self) -> None:
        # What is open stays in sight above the keys where there is room for both.
        self.set_class(self.size.height < 34, "-low")

    def action_find(self) -> None:
        def found(text: str | None) -> None:
            self.query_one(KeysView).wanted = text or ""

        self.app.push_screen(Prompt("Find a key", "a word of what it does; empty shows all", lambda _: ""), found)

    async def action_back(self) -> None:
        view = self.query_one(KeysView)
        if view.wanted:
            view.wanted = ""
        else:
            self.dismiss(None)

    async def on_footer_line_asked(self, event: FooterLine.Asked) -> None:
        await self.run_action(event.action)


class KeysHeading(Panel):
    """The heading of the key list."""

    def rows(self, width: int, height: int) -> Iterable[Row]:
        tail = self.row().add("/", "key").add(" find   ", "muted").add("Esc", "key").add(" close", "muted")
        return [self.end_heading(self.heading(width, "Keys", focused=True), width, focused=True, tail=tail)]


class KeysView(LinesView, can_focus=True):
    """The groups in as many columns as there is room for."""

    BINDINGS = [
        Binding("k", "scroll_up", "up", show=False),
        Binding("j", "scroll_down", "down", show=False),
    ]

    wanted: reactive[str] = reactive("")
    """Only lines with this text are shown."""

    def __init__(self, session: Session | None, commands: Sequence[Command], *, id: str) -> None:
        super().__init__(id=id)
        self.session = session
        self.commands = commands
        self._rows: list[Row] = []

    def watch_wanted(self) -> None:
        self.changed()

    def remake(self, width: int) -> None:
        self._rows = self._make(width)
        self.set_reactive(KeysView.count, len(self._rows))

    def line(self, number: int, width: int) -> Row:
        return self._rows[number]

    def _make(self, width: int) -> list[Row]:
        wanted = self.wanted.lower()
        shown = {
            name: [entry for entry in entries if wanted in f"{entry.label} {entry.meaning}".lower()]
            for name, entries in groups(self.signs, self.session, self.commands).items()
        }
        shown = {name: entries for name, entries in shown.items() if entries}
        if not shown:
            return [self.row(), self.row().to(2).add(f"No key for “{self.wanted}”.", "muted")]
        columns: list[list[str]] = [list(shown)]
        if width >= _THREE_COLUMNS_FROM:
            columns = [["Budget", "Player"], ["Items", "Screen"], ["Signs", "Lines"]]
        elif width >= _TWO_COLUMNS_FROM:
            columns = [["Budget", "Player", "Screen"], ["Items", "Signs", "Lines"]]
        columns = [[name for name in names if name in shown] for names in columns]
        columns = [names for names in columns if names]
        each = (width - 4) // len(columns)
        lines = [self._column(names, shown) for names in columns]
        rows = []
        for at in range(max(map(len, lines))):
            row = self.row()
            for number, column in enumerate(lines):
                row.to(2 + number * each)
                if at < len(column):
                    self._entry(row, column[at], each - 3)
            rows.append(row)
        return rows

    def _column(self, names: list[str], shown: dict[str, list[Entry]]) -> list[tuple[Entry | str, int]]:
        """Lines with the width of the group's labels; a string is a heading, an empty one its rule, a space nothing."""
        lines: list[tuple[Entry | str, int]] = []
        for name in names:
            widest = max(cell_len(entry.label) for entry in shown[name])
            lines += [(" ", 0), (name, 0), ("", 0), *((entry, widest + 2) for entry in shown[name])]
        return lines

    def _entry(self, row: Row, line: tuple[Entry | str, int], width: int) -> None:
        entry, label = line
        if entry == "":
            row.add(self.signs.light * width, "line")
        elif isinstance(entry, str):
            row.add(entry, "strong")
        else:
            begin = row.cells
            row.add(entry.label, entry.ink).to(begin + label)
            row.fit(entry.meaning, width - (row.cells - begin), "muted")
