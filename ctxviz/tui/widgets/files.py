"""The files of a folder: their list, and what is known of the selected one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from time import time

from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.reactive import reactive

from ctxviz.export.facts import counted
from ctxviz.export.visible import visible
from ctxviz.session.errors import SessionError
from ctxviz.session.folder import SessionFile
from ctxviz.tui.paint import LinesView, Panel, Row, fitted
from ctxviz.tui.widgets.text import wrapped_lines

LOOKED_INTO_UP_TO = 64_000_000
"""Bytes; a larger file is read when it is opened."""


@dataclass(frozen=True)
class Facts:
    """What was found in a file. No session is kept: a folder can hold many."""

    title: str
    items: int
    chars: int
    calls: int
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """One file: once it was looked into with its facts, its error, or how many conversations it has to choose from."""

    file: SessionFile
    facts: Facts | None = None
    error: SessionError | None = None
    conversations: int = 0


class FolderTitle(Panel):
    """The folder, and how many of its files can't be read."""

    entries: reactive[tuple[Entry, ...]] = reactive(())
    problem: reactive[str] = reactive("")

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def rows(self, width: int, height: int) -> Iterable[Row]:
        bad = sum(entry.error is not None for entry in self.entries)
        warned = sum(bool(entry.facts and entry.facts.warnings) for entry in self.entries)
        told = [f"{bad:,} unreadable"] * bool(bad) + [f"{warned:,} with warnings"] * bool(warned)
        right = self.problem or ", ".join(told)
        row = self.row().to(2).add("ctxviz", "key").add("   ")
        row.add(fitted(visible(str(self.folder)), max(width - row.cells - len(right) - 18, 8)), "strong")
        row.add(f"   {len(self.entries):,} file{'' if len(self.entries) == 1 else 's'}", "muted")
        return [row.right(width - 2, right, "muted") if row.cells + len(right) + 3 < width else row]


class FolderHeading(Panel):
    """Heading and names of the columns."""

    by_name: reactive[bool] = reactive(False)

    def rows(self, width: int, height: int) -> Iterable[Row]:
        tail = self.row().add("s", "key").add(f" sort by {'time' if self.by_name else 'name'}", "muted")
        heading = self.end_heading(self.heading(width, "Sessions", focused=True), width, focused=True, tail=tail)
        changed, chars, items = _columns(width)
        header = self.row().to(4).add("name", "muted").right(items, "items", "muted").right(chars, "chars", "muted")
        return [heading, header.to(changed).add("changed", "muted")]


def _columns(width: int) -> tuple[int, int, int]:
    """Where `changed` begins, and where the numbers end."""
    changed = width - 14
    return changed, changed - 3, changed - 15


class FileList(LinesView, can_focus=True):
    """One row a file."""

    BINDINGS = [
        Binding("up,k", "move(-1)", "up", show=False),
        Binding("down,j", "move(1)", "down", show=False),
        Binding("pageup", "move(-10)", "page up", show=False),
        Binding("pagedown", "move(10)", "page down", show=False),
        Binding("home", "move(-1000000)", "first", show=False),
        Binding("end", "move(1000000)", "last", show=False),
    ]

    entries: reactive[tuple[Entry, ...]] = reactive(())
    cursor: reactive[int] = reactive(0)
    by_name: reactive[bool] = reactive(False)

    @dataclass(eq=False, repr=False)
    class Highlighted(Message):
        """Another file is selected."""

    @dataclass(eq=False, repr=False)
    class Opened(Message):
        """A file was double-clicked."""

    @property
    def shown(self) -> list[Entry]:
        """The entries in the order of the list."""
        return (
            sorted(self.entries, key=lambda entry: entry.file.path.name.lower()) if self.by_name else list(self.entries)
        )

    @property
    def selected(self) -> Entry | None:
        shown = self.shown
        return shown[self.cursor] if self.cursor < len(shown) else None

    def matching(self, text: str) -> int | None:
        """The place of the first file whose name has the text."""
        return next((at for at, entry in enumerate(self.shown) if text.lower() in entry.file.path.name.lower()), None)

    def watch_entries(self) -> None:
        self.count = len(self.entries)
        self.post_message(self.Highlighted())
        self.refresh()

    def watch_by_name(self) -> None:
        self.post_message(self.Highlighted())
        self.refresh()

    def validate_cursor(self, cursor: int) -> int:
        return min(max(cursor, 0), max(len(self.entries) - 1, 0))

    def watch_cursor(self, cursor: int) -> None:
        top, height = self.scroll_offset.y, self.size.height
        self.scroll_to(y=min(max(top, cursor - height + 1), cursor), animate=False)
        self.post_message(self.Highlighted())
        self.refresh()

    def line(self, number: int, width: int) -> Row:
        entry = self.shown[number]
        at_cursor = number == self.cursor
        row = self.row(self.inks_on("cursor") if at_cursor else None)
        changed, chars, items = _columns(width)
        row.add(self.signs.cursor if at_cursor else " ", "accent").to(2)
        if entry.error:
            row.add(self.signs.bad, "bad")
        elif entry.facts and entry.facts.warnings:
            row.add(self.signs.warning, "bad")
        row.to(4).fit(entry.file.path.name, items - 9 - 4, "strong" if at_cursor else "text")
        if entry.facts:
            row.right(items, f"{entry.facts.items:,}", "muted").right(chars, f"{entry.facts.chars:,}")
        elif entry.error:
            row.right(chars, "not readable", "bad")
        elif entry.conversations:
            row.right(chars, counted(entry.conversations, "conversation"), "muted")
        else:
            row.right(chars, self.signs.ellipsis, "ghost")
        return row.to(changed).add(_ago(entry.file.changed), "muted").to(width)

    def action_move(self, by: int) -> None:
        self.cursor += by

    def on_click(self, event: events.Click) -> None:
        at = event.y + self.scroll_offset.y
        if at < len(self.entries):
            self.cursor = at
            if event.chain == 2:
                self.post_message(self.Opened())


class FilePane(Panel):
    """What is known of the selected file, or why it can't be read."""

    entry: reactive[Entry | None] = reactive(None)

    def rows(self, width: int, height: int) -> Iterable[Row]:
        entry = self.entry
        if entry is None:
            return []
        bad = entry.error is not None
        heading = self.row().add(self.signs.light, "line").add(" ")
        heading.add(f"{self.signs.bad} " if bad else "", "bad").add("Not readable" if bad else "Session", "strong").add(
            " "
        )
        rows = [self.end_heading(heading, width, focused=False), self.row()]
        rows += [self.row().to(2).fit(entry.file.path.name, width - 4, "strong"), self.row()]
        if entry.error:
            lines = wrapped_lines(
                [visible(f"{entry.error.cause[:1].upper()}{entry.error.cause[1:]}.")], max(width - 4, 8)
            )
            rows += [self.row().to(2).add(line) for line in lines] + [self.row()]
            if entry.error.place:
                rows.append(self._fact("at", entry.error.place, width))
        elif entry.facts:
            facts = entry.facts
            rows.append(self._fact("format", facts.title, width))
            rows.append(self._fact("items", f"{facts.items:,}", width))
            rows.append(self._fact("chars", f"{facts.chars:,} live", width))
            rows.append(self._fact("calls", f"{facts.calls:,}" if facts.calls else "none recorded", width))
        elif entry.conversations:
            rows.append(self._fact("holds", counted(entry.conversations, "conversation"), width))
            rows.append(self._fact("", "Enter lists them.", width))
        elif entry.file.size_bytes > LOOKED_INTO_UP_TO:
            rows.append(self.row().to(2).add("Large: it is read when it is opened.", "muted"))
        rows.append(self._fact("size", f"{entry.file.size_bytes:,} bytes, changed {_ago(entry.file.changed)}", width))
        for warning in entry.facts.warnings if entry.facts else ():
            lines = wrapped_lines([visible(warning)], max(width - 6, 8))
            rows += [
                self.row().to(2).add(f"{self.signs.warning} " if line is lines[0] else "  ", "bad").add(line)
                for line in lines
            ]
        return rows

    def _fact(self, name: str, value: str, width: int) -> Row:
        return self.row().to(2).add(name, "muted").to(10).fit(value, width - 12)


def _ago(then: float) -> str:
    seconds = max(time() - then, 0)
    for limit, unit, each in ((60, "", 1), (3600, "min", 60), (86_400, "h", 3600)):
        if seconds < limit:
            return f"{int(seconds // each)} {unit} ago" if unit else "just now"
    days = int(seconds // 86_400)
    return "yesterday" if days == 1 else f"{days:,} days ago"
