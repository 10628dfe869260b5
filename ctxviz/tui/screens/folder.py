"""The sessions of a folder, to choose one; a file that can't be read says why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from ctxviz.session.errors import ConversationNeeded, SessionError
from ctxviz.session.folder import SessionFile, session_files
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from ctxviz.tui.paint import INKS
from ctxviz.tui.screens.prompt import Prompt
from ctxviz.tui.widgets.files import LOOKED_INTO_UP_TO, Entry, Facts, FileList, FilePane, FolderHeading, FolderTitle
from ctxviz.tui.widgets.footer import FooterLine, Pair

if TYPE_CHECKING:
    from ctxviz.tui.app import CtxvizApp
    from ctxviz.tui.screens.main import Opening


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

    @dataclass(eq=False, repr=False)
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
            if file.size_bytes > LOOKED_INTO_UP_TO:
                continue
            try:
                session = load_session(file.path, format=self.opening.format, progress=stop)
            except _Cancelled:
                return
            except ConversationNeeded as error:
                self.post_message(self.LookedInto(Entry(file, conversations=len(error.conversations))))
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
            self.query_one(FolderTitle).problem = ""
            self.debugger.open_session(
                replace(self.opening, path=path, session=None, look="", select=None, conversation=None)
            )

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
