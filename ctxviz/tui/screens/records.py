"""What the model did not see of a file: the records set aside, by reason, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.message import Message
from textual.reactive import reactive
from textual.screen import ModalScreen

from ctxviz.export.facts import counted
from ctxviz.session.compact_json import compact_json
from ctxviz.session.kind import kind_of
from ctxviz.session.model import Session
from ctxviz.session.preview import preview
from ctxviz.session.table import AsideGroup
from ctxviz.tui.paint import INKS, LinesView, Panel, Row
from ctxviz.tui.widgets.footer import FooterLine, Pair
from ctxviz.tui.widgets.items import KIND_WORDS

_LONG_WORDS_FROM = 100
_TEXT_CHARS = 500
_KIND_CHARS = 11
_TEXTS_KEPT = 500


class RecordsScreen(ModalScreen[None]):
    """Lists them; a reason's items can be put into the list of items, and a record read in full.

    `put` is called with all reasons whose items are to be in the list.
    """

    CSS_PATH = "records.tcss"
    COMPONENT_CLASSES = INKS

    BINDINGS = [
        Binding("escape,q,S", "dismiss(None)", "close", show=False),
        Binding("enter", "read", "read", show=False),
        Binding("space", "include", "put into the list", show=False),
    ]

    def __init__(self, session: Session, put: Callable[[frozenset[str]], None]) -> None:
        super().__init__()
        self.session = session
        self.included = session.included
        self.put = put

    def compose(self) -> ComposeResult:
        yield RecordsHeading(self.session)
        yield RecordList(self.session, id="records")
        yield FooterLine()

    def on_mount(self) -> None:
        self.query_one(FooterLine).always = (Pair("Esc", "close", "close"),)
        records = self.query_one(RecordList)
        records.included = self.included
        records.focus()
        self._update_footer()

    def _update_footer(self) -> None:
        records = self.query_one(RecordList)
        signs = records.signs
        pairs = [Pair(f"{signs.up} {signs.down}", "move"), Pair("( )", "reason")]
        if records.record is not None:
            pairs.append(Pair(signs.enter, "read", "read"))
        items = records.choices.get(records.reason)
        if items:
            put, into = ("take", "out of") if records.reason in self.included else ("put", "into")
            its = "its item" if items == 1 else f"its {items:,} items"
            pairs.append(Pair("Space", f"{put} {its} {into} the list", "include"))
        self.query_one(FooterLine).pairs = tuple(pairs)

    def on_record_list_highlighted(self) -> None:
        self._update_footer()

    def action_read(self) -> None:
        records = self.query_one(RecordList)
        number = records.record
        if number is None or self.session.census is None:
            return
        from ctxviz.tui.screens.reading import Page, ReadingScreen, indented_json

        census = self.session.census
        pages = [Page("Record", lambda: indented_json(census.record(number)))]
        self.app.push_screen(ReadingScreen(census.place(number), pages))

    def action_include(self) -> None:
        records = self.query_one(RecordList)
        reason = records.reason
        if reason in records.choices:
            self.included = self.included ^ {reason}
            records.included = self.included
            self.query_one(RecordsHeading).put_in = sum(records.choices[one] for one in self.included)
            self._update_footer()
            self.put(self.included)

    def on_record_list_opened(self) -> None:
        self.action_read()

    async def on_footer_line_asked(self, event: FooterLine.Asked) -> None:
        if event.action == "close":
            self.dismiss(None)
        else:
            await self.run_action(event.action)


class RecordsHeading(Panel):
    """How many records there are, as the file was read, and how many items were put into the list."""

    put_in: reactive[int] = reactive(0)

    def __init__(self, session: Session) -> None:
        super().__init__()
        rows = session.rows
        self.census = rows.census() if rows is not None else None
        choices = rows.choices() if rows is not None and session.included else {}
        self.set_reactive(RecordsHeading.put_in, sum(choices.get(one, 0) for one in session.included))

    def rows(self, width: int, height: int) -> Iterable[Row]:
        census = self.census
        tail = self.row().add("Esc", "key").add(" close", "muted")
        words = ""
        if census is not None:
            words = f"{counted(census.read, 'record')} read, {census.used:,} used, {census.set_aside:,} set aside"
            if census.parts_set_aside:
                words += f", {counted(census.parts_set_aside, 'part')} left out"
            if self.put_in:
                words += f"; {counted(self.put_in, 'item')} put into the list"
        row = self.row().add(self.signs.heavy, "accent").add(" ").fit(words, width - tail.cells - 8, "strong")
        return [self.end_heading(row.add(" "), width, focused=True, tail=tail)]


class RecordList(LinesView, can_focus=True):
    """A heading for each reason, and under it a row a record; rows are made when they are seen."""

    BINDINGS = [
        Binding("up,k", "move(-1)", "up", show=False),
        Binding("down,j", "move(1)", "down", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
        Binding("home", "go(0)", "first", show=False),
        Binding("end", "go(-1)", "last", show=False),
        Binding("right_parenthesis,right", "group(1)", "next reason", show=False),
        Binding("left_parenthesis,left", "group(-1)", "reason before", show=False),
    ]

    cursor: reactive[int] = reactive(0)
    included: reactive[frozenset[str]] = reactive(frozenset())

    @dataclass(eq=False, repr=False)
    class Highlighted(Message):
        """Another row is selected."""

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, RecordList.Highlighted)

    @dataclass(eq=False, repr=False)
    class Opened(Message):
        """A record was double-clicked."""

    def __init__(self, session: Session, id: str) -> None:
        super().__init__(id=id)
        rows = session.rows
        # As the file was read, whatever is in the list by now: so that nothing moves under the cursor.
        self.groups: Sequence[AsideGroup] = rows.census().groups() if rows is not None else ()
        self.choices: dict[str, int] = rows.choices() if rows is not None else {}
        self._remake = rows.remake if rows is not None else None
        self._begins: list[int] = []
        self._texts: dict[int, str] = {}
        begin = 0
        for group in self.groups:
            self._begins.append(begin)
            begin += 1 + len(group)
        self.set_reactive(RecordList.count, begin)

    def _at(self, number: int) -> tuple[AsideGroup, int]:
        """The reason of a row, and the place in it; -1 for its heading."""
        from bisect import bisect_right

        at = bisect_right(self._begins, number) - 1
        return self.groups[at], number - self._begins[at] - 1

    @property
    def reason(self) -> str:
        return self._at(self.cursor)[0].reason if self.groups else ""

    @property
    def record(self) -> int | None:
        """The number of the selected record, None on a heading and for what is none."""
        if not self.groups:
            return None
        group, place = self._at(self.cursor)
        return group.record(place) if place >= 0 else None

    def validate_cursor(self, cursor: int) -> int:
        return min(max(cursor, 0), max(self.count - 1, 0))

    def watch_cursor(self, cursor: int) -> None:
        top, height = self.scroll_offset.y, self.size.height
        self.scroll_to(y=min(max(top, cursor - height + 1), cursor), animate=False)
        self.post_message(self.Highlighted())
        self.refresh()

    def line(self, number: int, width: int) -> Row:
        group, place = self._at(number)
        at_cursor = number == self.cursor
        row = self.row(self.inks_on("cursor") if at_cursor else None)
        row.add(self.signs.cursor if at_cursor else " ", "accent").to(2)
        if place >= 0:
            row.to(4).fit(group.place(place), min(32, width - 6), "text").to(max(24, row.cells + 3))
            return row.fit(
                self._text(number, group, place), width - row.cells - 2, "text" if at_cursor else "muted"
            ).to(width)
        is_in = group.reason in self.included
        items, count = self.choices.get(group.reason), f"   {len(group):,}"
        words = counted(items, "item") if items else ""
        if items and (is_in or width >= _LONG_WORDS_FROM):
            words += " in the list" if is_in else " that can be put into the list"
        row.add(self.signs.kept if is_in else " ", "kept").to(4)
        row.fit(group.reason, width - row.cells - len(count) - len(words) - 5, "strong").add(count, "muted")
        return row.right(width - 2, words, "kept" if is_in else "muted").to(width)

    def _text(self, number: int, group: AsideGroup, place: int) -> str:
        """What a record says, kept for the rows seen last: moving the cursor draws all of them again."""
        text = self._texts.get(number)
        if text is None:
            text = self._text_of(group, place)
            if len(self._texts) >= _TEXTS_KEPT:
                self._texts.clear()
            self._texts[number] = text
        return text

    def _text_of(self, group: AsideGroup, place: int) -> str:
        """A record's first item as it is shown in the list of items; of one without items what it says as JSON."""
        number = group.record(place)
        if number is None:
            return group.reason
        record = group.glimpse(place)
        items = self._remake(record, number) if group.reason in self.choices and self._remake else ()
        if not items:
            return compact_json(record, _TEXT_CHARS)
        shown = preview(items[0], limit=_TEXT_CHARS)
        sign = {"→": f"{self.signs.call} ", "←": f"{self.signs.output} "}.get(shown.arrow, "")
        more = f"  (+{counted(len(items) - 1, 'item')})" if len(items) > 1 else ""
        return f"{KIND_WORDS[kind_of(items[0])]:<{_KIND_CHARS}}{sign}{f'{shown.name}{shown.rest}'.lstrip()}{more}"

    def action_move(self, by: int) -> None:
        self.cursor += by

    def action_page(self, by: int) -> None:
        self.cursor += by * max(self.size.height - 1, 1)

    def action_go(self, to: int) -> None:
        self.cursor = to if to >= 0 else self.count - 1

    def action_group(self, by: int) -> None:
        from bisect import bisect_left, bisect_right

        at = bisect_right(self._begins, self.cursor) if by > 0 else bisect_left(self._begins, self.cursor) - 1
        if 0 <= at < len(self._begins):
            self.cursor = self._begins[at]

    def on_click(self, event: events.Click) -> None:
        at = event.y + self.scroll_offset.y
        if at < self.count:
            self.cursor = at
            if event.chain == 2:
                self.post_message(self.Opened())
