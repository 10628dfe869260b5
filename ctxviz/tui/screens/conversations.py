"""The conversations of a file, to choose one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive
from textual.screen import ModalScreen
from textual.widgets import Input

from ctxviz.export.facts import counted
from ctxviz.export.visible import visible
from ctxviz.session.model import Conversation
from ctxviz.tui.paint import INKS, LinesView, Panel, Row, fitted
from ctxviz.tui.screens.prompt import PromptMark
from ctxviz.tui.widgets.footer import FooterLine, Pair


class ConversationsScreen(ModalScreen[str | None]):
    """Dismissed with the id of the chosen conversation, or None; what is typed narrows the list.

    `now` is the id of the one that is open, which is selected first.
    """

    CSS_PATH = ["input.tcss", "conversations.tcss"]
    COMPONENT_CLASSES = INKS

    BINDINGS = [
        Binding("escape", "dismiss(None)", "close", show=False),
        Binding("up", "move(-1)", "up", show=False),
        Binding("down", "move(1)", "down", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
        Binding("ctrl+home", "move(-1000000000)", "first", show=False),
        Binding("ctrl+end", "move(1000000000)", "last", show=False),
    ]

    def __init__(self, path: str, conversations: Sequence[Conversation], now: str | None = None) -> None:
        super().__init__()
        self.path = path
        self.conversations = conversations
        self.now = now

    def compose(self) -> ComposeResult:
        yield ConversationsHeading(self.path, len(self.conversations))
        with Horizontal(id="conversations-line"):
            yield PromptMark()
            box = Input(compact=True)
            box.cursor_blink = self.app.animation_level == "full"
            yield box
            yield ConversationsCount(len(self.conversations))
        yield ConversationsHeader()
        yield ConversationList(self.conversations, self.now, id="conversations")
        yield FooterLine()

    def on_mount(self) -> None:
        footer, listed = self.query_one(FooterLine), self.query_one(ConversationList)
        signs = listed.signs
        footer.pairs = (
            Pair(f"{signs.up} {signs.down}", "choose"),
            Pair(signs.enter, "open it", "open"),
            Pair("letters", "find a title or id"),
        )
        footer.always = (Pair("Esc", "close", "close"),)
        self.query_one(ConversationsHeader).has_dates = listed.has_dates
        self.query_one(Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        listed = self.query_one(ConversationList)
        listed.narrow(event.value)
        self.query_one(ConversationsCount).found = listed.count

    def action_move(self, by: int) -> None:
        self.query_one(ConversationList).move(by)

    def action_page(self, by: int) -> None:
        listed = self.query_one(ConversationList)
        listed.move(by * max(listed.size.height - 1, 1))

    def action_open(self) -> None:
        chosen = self.query_one(ConversationList).chosen
        if chosen is not None:
            self.dismiss(chosen.id)

    def on_input_submitted(self) -> None:
        self.action_open()

    def on_conversation_list_opened(self) -> None:
        self.action_open()

    def on_footer_line_asked(self, event: FooterLine.Asked) -> None:
        if event.action == "open":
            self.action_open()
        else:
            self.dismiss(None)


class ConversationsHeading(Panel):
    """How many conversations there are, and where."""

    def __init__(self, path: str, count: int) -> None:
        super().__init__()
        self.path = path
        self.count = count

    def rows(self, width: int, height: int) -> Iterable[Row]:
        name = "standard input" if self.path == "-" else os.path.basename(self.path.rstrip(os.sep)) or self.path
        tail = self.row().add("Esc", "key").add(" close", "muted")
        row = self.row().add(self.signs.heavy, "accent").add(" ")
        row.fit(f"{counted(self.count, 'conversation')} in {name}", width - tail.cells - 8, "strong").add(" ")
        return [self.end_heading(row, width, focused=True, tail=tail)]


class ConversationsCount(Panel):
    """How many conversations match."""

    found: reactive[int] = reactive(0)

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count
        self.set_reactive(ConversationsCount.found, count)

    def rows(self, width: int, height: int) -> Iterable[Row]:
        return [self.row().right(width - 2, f"{self.found:,} of {self.count:,}", "muted")]


class ConversationsHeader(Panel):
    """The names of the columns."""

    has_dates: reactive[bool] = reactive(False)

    def rows(self, width: int, height: int) -> Iterable[Row]:
        columns = _Columns.of(width, has_dates=self.has_dates)
        row = self.row().to(4).add("title", "muted").to(columns.id).add("id", "muted")
        row.right(columns.items_end, "items", "muted")
        return [row.to(columns.changed).add("changed", "muted") if self.has_dates else row]


@dataclass(frozen=True)
class _Columns:
    """Where the columns begin or end at a width."""

    id: int
    id_width: int
    items_end: int
    changed: int

    @classmethod
    def of(cls, width: int, *, has_dates: bool) -> _Columns:
        changed = width - 2 - (16 if has_dates else 0)
        items_end = changed - (3 if has_dates else 0)
        id_width = min(max((items_end - 12) // 3, 8), 38)
        return cls(items_end - 10 - id_width, id_width, items_end, changed)


class ConversationList(LinesView, can_focus=False):
    """One row a conversation."""

    cursor: reactive[int] = reactive(0)

    @dataclass(eq=False, repr=False)
    class Opened(Message):
        """A conversation was double-clicked."""

    def __init__(self, conversations: Sequence[Conversation], now: str | None, id: str) -> None:
        super().__init__(id=id)
        self.conversations = conversations
        self.now = now
        self.has_dates = any(conversation.changed is not None for conversation in conversations)
        self.shown: Sequence[int] = range(len(conversations))
        """The places of those that match."""
        self._wanted: list[str] | None = None
        first = next((at for at, conversation in enumerate(conversations) if conversation.id == now), 0)
        self.set_reactive(ConversationList.cursor, first)
        self.set_reactive(ConversationList.count, len(conversations))

    @property
    def chosen(self) -> Conversation | None:
        return self.conversations[self.shown[self.cursor]] if self.shown else None

    def narrow(self, text: str) -> None:
        """Show those whose title or id has the text, upper and lower case alike."""
        wanted = text.casefold().strip()
        if self._wanted is None:
            self._wanted = [f"{one.title}\n{one.id}".casefold() for one in self.conversations]
        words = self._wanted
        self.shown = [at for at, told in enumerate(words) if wanted in told] if wanted else range(len(words))
        self.count = len(self.shown)
        self.cursor = 0
        self.refresh()

    def move(self, by: int) -> None:
        self.cursor += by

    def validate_cursor(self, cursor: int) -> int:
        return min(max(cursor, 0), max(len(self.shown) - 1, 0))

    def watch_cursor(self) -> None:
        self._show_cursor()
        self.refresh()

    def on_resize(self) -> None:
        super().on_resize()
        self._show_cursor()

    def _show_cursor(self) -> None:
        top, height = self.scroll_offset.y, self.size.height
        self.scroll_to(y=min(max(top, self.cursor - height + 1), self.cursor), animate=False, force=True)

    def line(self, number: int, width: int) -> Row:
        one = self.conversations[self.shown[number]]
        at_cursor = number == self.cursor
        row = self.row(self.inks_on("cursor") if at_cursor else None)
        columns = _Columns.of(width, has_dates=self.has_dates)
        row.add(self.signs.cursor if at_cursor else " ", "accent").to(2)
        row.add(self.signs.kept if one.id == self.now else " ", "accent").to(4)
        row.fit(one.title or one.id, columns.id - 6, "strong" if at_cursor else "text").to(columns.id)
        # What tells ids apart is more often at their end.
        row.add(_end_of(visible(one.id), columns.id_width, self.signs.ellipsis), "muted")
        row.right(columns.items_end, "" if one.items is None else f"{one.items:,}")
        if one.changed is not None:
            row.to(columns.changed).add(_when(one.changed), "muted")
        return row.to(width)

    def on_click(self, event: events.Click) -> None:
        at = event.y + self.scroll_offset.y
        if at < self.count:
            self.cursor = at
            if event.chain == 2:
                self.post_message(self.Opened())


def _end_of(text: str, width: int, ellipsis: str) -> str:
    if len(text) <= width and text.isascii():
        return text
    return ellipsis + text[1 - width :] if text.isascii() else fitted(text, width, ellipsis)


def _when(seconds: float) -> str:
    try:
        return f"{datetime.fromtimestamp(seconds):%Y-%m-%d %H:%M}"
    except (OverflowError, OSError, ValueError):
        return ""
