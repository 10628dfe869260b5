"""A text in full, over the whole screen: an item, or the file's warnings."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.message import Message
from textual.reactive import reactive
from textual.screen import ModalScreen
from textual.worker import get_current_worker

from ctxviz.export.visible import escape_hidden
from ctxviz.projection.json_value import Json
from ctxviz.projection.measure import Form, measured_text
from ctxviz.session.excerpts import Text, excerpt
from ctxviz.session.item import full_text
from ctxviz.session.model import Session
from ctxviz.tui.paint import INKS, Panel, Row
from ctxviz.tui.widgets.footer import FooterLine, Pair
from ctxviz.tui.widgets.tabs import TabBar
from ctxviz.tui.widgets.text import TextView


@dataclass(frozen=True)
class Page:
    """One way to show the text; made when it is first looked at, off the screen's thread if that `is_slow`."""

    name: str
    text: Callable[[], str]
    is_slow: bool = False


def item_pages(item: Json, form: Form) -> list[Page]:
    """An item as people read it, as JSON, and as the text that was measured."""
    measured = Page("Measured", lambda: measured_text(item, form))
    return [Page("Text", lambda: full_text(item)), Page("JSON", lambda: indented_json(item)), measured]


def large_item_pages(session: Session, index: int, form: Form) -> list[Page]:
    """The same of an item that takes long to decode: the first million characters of each."""

    def page(name: str, text: Text) -> Page:
        def made() -> str:
            shown, total = excerpt(session, index, text, form)
            more = total - len(shown)
            told = f"\n\n{more:,} more of {total:,} characters are not shown." if more else ""
            return escape_hidden(shown) + told

        return Page(name, made, is_slow=True)

    return [page("Text", "text"), page("JSON", "json"), page("Measured", "measured")]


def indented_json(item: Json) -> str:
    """The item as JSON with two spaces a level; too deep or too long a number for that: on one line."""
    try:
        return escape_hidden(json.dumps(item, ensure_ascii=False, indent=2))
    except (RecursionError, ValueError):
        return escape_hidden(measured_text(item, "stored"))


class ReadingScreen(ModalScreen[None]):
    """Scrolls one text at a time; `(` and `)` change the page."""

    CSS_PATH = "reading.tcss"
    COMPONENT_CLASSES = INKS

    BINDINGS = [
        Binding("escape,enter,q", "dismiss(None)", "close", show=False),
        Binding("left_parenthesis,left", "page(-1)", "page before", show=False),
        Binding("right_parenthesis,right,tab", "page(1)", "next page", show=False),
        Binding("shift+tab", "page(-1)", "page before", show=False),
    ]

    @dataclass(eq=False, repr=False)
    class Made(Message):
        """A page that takes long is there."""

        name: str
        text: str

    def __init__(self, title: str, pages: list[Page]) -> None:
        super().__init__()
        self.reading_title = title
        self.pages = pages
        self._made: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        yield ReadingHeading(self.reading_title)
        tabs = TabBar()
        tabs.can_focus = False
        tabs.tabs = tuple(page.name for page in self.pages)
        tabs.active = self.pages[0].name
        tabs.display = len(self.pages) > 1
        yield tabs
        yield ReadingText(inset=(2, 2), id="reading")
        yield FooterLine()

    def on_mount(self) -> None:
        footer = self.query_one(FooterLine)
        signs = self.query_one(ReadingHeading).signs
        turn = (Pair("( )", "text, JSON, measured"),) if len(self.pages) > 1 else ()
        footer.pairs = (Pair(f"{signs.up} {signs.down}", "scroll"), Pair("PgUp PgDn", "page"), *turn)
        footer.always = (Pair("Esc", "close", "close"),)
        self._show(0)
        self.query_one(ReadingText).focus()

    def _show(self, number: int) -> None:
        page = self.pages[number]
        self.query_one(TabBar).active = page.name
        view = self.query_one(ReadingText)
        if page.is_slow and page.name not in self._made:
            view.text = "It is being decoded…"
            self._make(page)
        else:
            view.text = self._made[page.name] if page.is_slow else page.text()
        view.scroll_home(animate=False)

    @work(thread=True, exclusive=True, exit_on_error=False)
    def _make(self, page: Page) -> None:
        worker = get_current_worker()
        text = page.text()
        if not worker.is_cancelled:
            self.post_message(self.Made(page.name, text))

    def on_reading_screen_made(self, event: Made) -> None:
        self._made[event.name] = event.text
        if self.query_one(TabBar).active == event.name:
            self.query_one(ReadingText).text = event.text

    def action_page(self, by: int) -> None:
        names = [page.name for page in self.pages]
        self._show((names.index(self.query_one(TabBar).active) + by) % len(names))

    def on_tab_bar_chosen(self, event: TabBar.Chosen) -> None:
        self._show([page.name for page in self.pages].index(event.tab))

    def on_reading_text_scrolled(self) -> None:
        self.query_one(ReadingHeading).place = self.query_one(ReadingText).place()

    def on_footer_line_asked(self) -> None:
        self.dismiss(None)


class ReadingText(TextView, can_focus=True):
    """The text, with the keys of the list."""

    BINDINGS = [
        Binding("k", "scroll_up", "up", show=False),
        Binding("j", "scroll_down", "down", show=False),
        Binding("space", "page_down", "page down", show=False),
    ]

    @dataclass(eq=False, repr=False)
    class Scrolled(Message):
        """Other lines are visible."""

    def place(self) -> str:
        """Where in the text the window stands."""
        bottom = min(self.scroll_offset.y + self.size.height, self.count)
        return f"lines {min(self.scroll_offset.y + 1, self.count):,}–{bottom:,} of {self.count:,}"

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Scrolled())

    def remake(self, width: int) -> None:
        super().remake(width)
        self.post_message(self.Scrolled())


class ReadingHeading(Panel):
    """What is read, and how far."""

    place: reactive[str] = reactive("")

    def __init__(self, title: str) -> None:
        super().__init__()
        self.heading_title = title

    def rows(self, width: int, height: int) -> Iterable[Row]:
        tail = self.row().add(self.place, "muted").add("   ").add("Esc", "key").add(" close", "muted")
        row = self.row().add(self.signs.heavy, "accent").add(" ")
        row.fit(self.heading_title, width - tail.cells - 8, "strong").add(" ")
        return [self.end_heading(row, width, focused=True, tail=tail)]
