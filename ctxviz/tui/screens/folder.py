"""The sessions of a folder, to choose one; a file that can't be read says why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, cast

from rich.style import Style
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.screen import Screen
from textual.worker import get_current_worker

from ctxviz.export.visible import visible
from ctxviz.session.errors import SessionError
from ctxviz.session.folder import SessionFile, session_files
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from ctxviz.tui.paint import INKS, LinesView, Panel, Row, fitted
from ctxviz.tui.screens.prompt import Prompt
from ctxviz.tui.widgets.footer import FooterLine, Pair
from ctxviz.tui.widgets.text import wrapped_lines

if TYPE_CHECKING:
    from ctxviz.tui.app import CtxvizApp
    from ctxviz.tui.screens.main import Opening

_LOOKED_INTO_UP_TO = 64_000_000
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
    """One file: with its facts or its error once it was looked into."""

    file: SessionFile
    facts: Facts | None = None
    error: SessionError | None = None


class FolderScreen(Screen[None]):
    """Lists the files and looks into each in the background."""

    CSS_PATH = "folder.tcss"
    COMPONENT_CLASSES = INKS

    BINDINGS = [
        Binding("enter", "open", "open", show=False),
        Binding("R", "read_again", "read again", show=False),
        Binding("s", "sort", "sort", show=False),
        Binding("slash", "find", "find", show=False),
        Binding("f2", "theme", "theme", show=False),
        Binding("escape", "back", "back", show=False),
        Binding("q", "quit", "quit", show=False),
    ]

    @dataclass
    class LookedInto(Message):
        """A file was read, or can't be."""

        entry: Entry

    def __init__(self, folder: Path, opening: Opening) -> None:
        super().__init__()
        self.folder = folder
        self.opening = opening

    @property
    def debugger(self) -> CtxvizApp:
        """The application, by its own type."""
        return cast("CtxvizApp", self.app)

    def compose(self) -> ComposeResult:
        yield FolderTitle(self.folder)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield FolderHeading()
                yield FileList(id="files")
            yield FilePane(id="side")
        yield FooterLine()

    def on_mount(self) -> None:
        footer = self.query_one(FooterLine)
        signs = self.query_one(FolderHeading).signs
        footer.pairs = (
            Pair(signs.enter, "open", "open"),
            Pair("R", "read again", "read_again"),
            Pair("s", "sort", "sort"),
            Pair("/", "find", "find"),
            Pair("q", "quit", "quit"),
        )
        self.action_read_again()
        self.query_one(FileList).focus()
        self.on_resize()

    def on_resize(self) -> None:
        narrow = self.size.width < 110
        self.set_class(narrow, "-narrow")
        side = self.query_one(FilePane)
        side.styles.width = "100%" if narrow else min(max(self.size.width * 46 // 100, 48), 70)
        side.styles.height = 9 if narrow else "1fr"
        side.display = self.size.height >= 16

    def action_read_again(self) -> None:
        try:
            files = session_files(self.folder)
        except SessionError as error:
            if len(self.app.screen_stack) > 1:
                self.query_one(FolderTitle).problem = error.cause
            else:
                self.debugger.leave(f"ctxviz: {error}", 2)
            return
        entries = tuple(Entry(file) for file in files)
        self.query_one(FileList).entries = entries
        self._tell(entries)
        self._look_into(files)

    @work(thread=True, exclusive=True, group="look", exit_on_error=False)
    def _look_into(self, files: list[SessionFile]) -> None:
        worker = get_current_worker()

        def stop(_: object) -> None:
            if worker.is_cancelled:
                raise _Cancelled

        for file in files:
            if file.size_bytes > _LOOKED_INTO_UP_TO:
                continue
            try:
                session = load_session(file.path, format=self.opening.format, progress=stop)
            except _Cancelled:
                return
            except SessionError as error:
                self.post_message(self.LookedInto(Entry(file, error=error)))
            else:
                self.post_message(self.LookedInto(Entry(file, facts=_facts(session))))

    def on_folder_screen_looked_into(self, event: LookedInto) -> None:
        files = self.query_one(FileList)
        files.entries = tuple(event.entry if entry.file == event.entry.file else entry for entry in files.entries)
        self._tell(files.entries)
        self._show_selected()

    def _tell(self, entries: tuple[Entry, ...]) -> None:
        self.query_one(FolderTitle).entries = entries

    def _show_selected(self) -> None:
        self.query_one(FilePane).entry = self.query_one(FileList).selected

    def on_file_list_highlighted(self) -> None:
        self._show_selected()

    def on_file_list_opened(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        entry = self.query_one(FileList).selected
        if entry is not None and entry.error is None:
            path = str(entry.file.path)
            self.debugger.open_session(replace(self.opening, path=path, session=None, look="", select=None))

    def action_sort(self) -> None:
        files = self.query_one(FileList)
        files.by_name = not files.by_name
        self.query_one(FolderHeading).by_name = files.by_name

    def action_find(self) -> None:
        files = self.query_one(FileList)

        def problem(text: str) -> str:
            return "" if files.matching(text) is not None else f"no name with “{text}”"

        def taken(text: str | None) -> None:
            found = files.matching(text) if text else None
            if found is not None:
                files.cursor = found

        self.app.push_screen(Prompt("Find a session", "any part of its name", problem), taken)

    def action_back(self) -> None:
        if len(self.app.screen_stack) > 1:
            self.app.pop_screen()

    async def action_theme(self) -> None:
        await self.app.run_action("switch_theme")

    def action_quit(self) -> None:
        self.app.exit()

    async def on_footer_line_asked(self, event: FooterLine.Asked) -> None:
        await self.run_action(event.action)


class _Cancelled(Exception):
    """Raised in the reading thread to end it."""


def _facts(session: Session) -> Facts:
    chars = sum(session.source("live").sizes)
    return Facts(session.format_title, len(session), chars, len(session.calls), session.warnings)


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

    @dataclass
    class Highlighted(Message):
        """Another file is selected."""

    @dataclass
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
        on = self.screen.get_component_rich_style("ink--cursor", partial=True) if at_cursor else Style()
        row = self.row({name: style + on for name, style in self.inks.items()})
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
        elif entry.file.size_bytes > _LOOKED_INTO_UP_TO:
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
