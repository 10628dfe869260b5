"""The list of items: drawn line by line, so that its length costs nothing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.reactive import reactive

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.filtering import ItemFilter, matching
from ctxviz.analysis.finding import Finding, Severity
from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS, KEPT, PINNED, UNDECIDED, Mark
from ctxviz.session.item import Kind, preview
from ctxviz.session.model import Session
from ctxviz.tui.paint import LinesView, Row
from ctxviz.tui.signs import Signs

if TYPE_CHECKING:
    from ctxviz.analysis.findings import Findings
    from ctxviz.analysis.playback import Playback

KIND_WORDS = {
    Kind.SYSTEM: "system",
    Kind.USER: "user",
    Kind.ASSISTANT: "assistant",
    Kind.TOOL_CALL: "call",
    Kind.TOOL_OUTPUT: "output",
    Kind.REASONING: "reasoning",
    Kind.OTHER: "other",
}
_BAR = 6
_KIND_FROM = 60
_MARKS_FROM = 56
_PAIR = 4
"""The column of the bracket that joins a call and its outputs."""


def state_sign(signs: Signs, state: int, cleared: bool = False) -> tuple[str, str]:
    """The sign of a state's byte, and its ink."""
    if cleared and state in (PINNED, KEPT):
        return signs.cleared, "pinned" if state == PINNED else "kept"
    return {
        UNDECIDED: (signs.undecided, "muted"),
        PINNED: (signs.pinned, "pinned"),
        KEPT: (signs.kept, "kept"),
        DROPPED_BY_ITEMS: (signs.dropped_by_items, "dropped"),
        DROPPED_BY_CHARS: (signs.dropped_by_chars, "dropped"),
    }[state]


def finding_sign(signs: Signs, finding: Finding) -> tuple[str, str]:
    """The sign of a finding's severity, and its ink."""
    return {
        Severity.ERROR: (signs.bad, "bad"),
        Severity.WARNING: (signs.warning, "bad"),
        Severity.INFO: (signs.bullet, "muted"),
    }[finding.severity]


@dataclass(frozen=True)
class Columns:
    """Where the columns end or begin, at a width and a length of the list."""

    index_end: int
    kind: int
    kind_width: int
    chars_end: int
    bar: int | None
    preview: int

    @classmethod
    def of(cls, width: int, count: int, bars: bool, largest: int) -> Columns:
        index_end = 5 + max(4, len(str(max(count - 1, 0))))
        kind = index_end + 2
        kind_width = 9 if width >= _KIND_FROM else 4
        # Sizes of seven digits and more push the rest on, rather than run into the kind.
        chars_end = kind + kind_width + max(7, len(f"{largest:,}") + 1 if largest > 999_999 else 0)
        bar = chars_end + 1 if bars else None
        return cls(index_end, kind, kind_width, chars_end, bar, chars_end + 1 if bar is None else bar + _BAR + 1)


def largest_of(session: Session, examination: Examination | None) -> int:
    """The size of the largest item as the list shows it."""
    return examination.projection.original.largest if examination else session.source("live").largest


class ItemList(LinesView, can_focus=True):
    """One row an item. Owns cursor and scroll; says `Highlighted`, `Opened` and `Scrolled`."""

    BINDINGS = [
        Binding("up,k", "move(-1)", "up", show=False),
        Binding("down,j", "move(1)", "down", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
        Binding("home", "first", "first item", show=False),
        Binding("end", "last", "last item", show=False),
        Binding("enter", "open", "open the item", show=False),
    ]

    session: reactive[Session | None] = reactive(None)
    """Whose items are listed; while loading, the first ones."""
    examination: reactive[Examination | None] = reactive(None)
    """None while nothing is decided."""
    findings: reactive[Findings | None] = reactive(None)
    """None while nothing is found yet."""
    playback: reactive[Playback | None] = reactive(None)
    """Where the player stands: states are as of there. None while it is closed."""
    filter: reactive[ItemFilter] = reactive(ItemFilter())
    """Only the items that it lets through are listed."""
    bars: reactive[bool] = reactive(True)
    """Whether each size has a bar."""
    cursor: reactive[int] = reactive(0)
    """The selected item, by its place in the session; 0 in an empty list."""

    @dataclass(eq=False, repr=False)
    class Highlighted(Message):
        """Another item is selected."""

        index: int

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, ItemList.Highlighted)

    @dataclass(eq=False, repr=False)
    class Opened(Message):
        """The person wants to read an item in full."""

        index: int

    @dataclass(eq=False, repr=False)
    class Scrolled(Message):
        """Other items are visible: `first` to `end - 1`."""

        first: int
        end: int

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, ItemList.Scrolled)

    def __init__(self) -> None:
        super().__init__()
        self._largest = 1
        self._is_to_center = False
        self.listed: Sequence[int] = range(0)
        """The items that have a row, in order."""
        self._partners: Sequence[int] = ()

    def watch_session(self, session: Session | None) -> None:
        self._list(range(len(session) if session else 0))
        if session and self.examination is None:
            self._largest = session.source("live").largest or 1

    def watch_examination(self, examination: Examination | None) -> None:
        if examination is not None:
            self._largest = examination.projection.source.largest or 1
            if self.filter:
                self._apply_filter()
        self.refresh()

    def watch_findings(self) -> None:
        if self.filter.findings:
            self._apply_filter()
        self._find_partners()
        self.refresh()

    def watch_filter(self) -> None:
        self._apply_filter()

    @property
    def _playing(self) -> Playback | None:
        """The playback, if it is of the present examination."""
        return self.playback if self.playback and self.playback.examination is self.examination else None

    def _apply_filter(self) -> None:
        session, examination = self.session, self.examination
        if session is None or examination is None or examination.session is not session:
            return
        findings = self.findings if self.findings and self.findings.examination is examination else None
        self._list(matching(examination, findings, self.filter))

    def _list(self, items: Sequence[int]) -> None:
        """Give these items a row; the cursor stays at its item, or goes to the nearest that has one."""
        self.listed = items
        self.count = len(items)
        self.cursor = self.validate_cursor(self.cursor)
        self._find_partners()
        self._say_scrolled()
        self.refresh()

    def row_of(self, index: int) -> int:
        """The row of an item, or of the next one that has a row."""
        return index if isinstance(self.listed, range) else bisect_left(self.listed, index)

    def _item_at(self, row: int) -> int:
        return self.listed[min(max(row, 0), self.count - 1)] if self.count else 0

    def validate_cursor(self, cursor: int) -> int:
        return self._item_at(self.row_of(max(cursor, 0)))

    def _find_partners(self) -> None:
        """The other halves of the selected item's pair; to find links is not this widget's work."""
        session = self.session
        is_known = session is not None and session.is_linked
        self._partners = session.links.partners(self.cursor) if session is not None and is_known else ()

    def watch_cursor(self, cursor: int) -> None:
        self._find_partners()
        self.post_message(self.Highlighted(cursor))
        self.show_cursor()
        self.refresh()

    def show_cursor(self, *, center: bool = False) -> None:
        """Scroll as little as shows the cursor, or so that it stands in the middle."""
        top, height = self.scroll_offset.y, self.size.height
        if not height:
            self._is_to_center = center
            return
        row = self.row_of(self.cursor)
        top = row - height // 2 if center else min(max(top, row - height + 1), row)
        self.scroll_to(y=top, animate=False, force=True)

    def go_to(self, index: int) -> None:
        """Select an item; one that is out of sight comes to the middle."""
        top, height = self.scroll_offset.y, self.size.height
        far = not top <= self.row_of(index) < top + height
        self.cursor = index
        if far:
            self.show_cursor(center=True)

    def moved_to(self, index: int) -> None:
        """The selected item is at this place now: it stays where it stands on the screen."""
        row = self.row_of(self.cursor) - self.scroll_offset.y
        self.cursor = index
        if 0 <= row < self.size.height:
            self.scroll_to(y=self.row_of(self.cursor) - row, animate=False, force=True)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._say_scrolled()

    def on_resize(self) -> None:
        super().on_resize()
        self.show_cursor(center=self._is_to_center)
        self._is_to_center = False
        self._say_scrolled()

    def _say_scrolled(self) -> None:
        first = self.scroll_offset.y
        last = min(first + self.size.height, self.count) - 1
        self.post_message(self.Scrolled(self._item_at(first), self.listed[last] + 1 if last >= first else 0))

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def line(self, number: int, width: int) -> Row:
        return self._line(self.listed[number], width)

    def _line(self, number: int, width: int) -> Row:
        """The row of an item."""
        session, signs = self.session, self.signs
        assert session is not None  # the count would be 0
        examination, at_cursor = self.examination, number == self.cursor
        is_partner = number in self._partners and self._playing is None
        row = self.row(self.inks_on("cursor") if at_cursor else self.inks_on("pair") if is_partner else None)
        columns = Columns.of(width, len(session), self.bars, largest_of(session, examination))
        state, cleared, is_deciding = UNDECIDED, False, False
        marks: tuple[Mark, ...] = ()
        if examination is not None:
            projection, playback = examination.projection, self._playing
            state = projection.states[number] if playback is None else playback.states[number]
            size, cleared = projection.source.sizes[number], number in projection.cleared
            marks = projection.marks(number) if state != UNDECIDED else ()
            is_deciding = playback is not None and playback.index == number
        else:
            size = session.source("live").sizes[number]
        in_window = state in (PINNED, KEPT)
        ink = "text" if in_window or at_cursor else "muted" if state == UNDECIDED else "dropped"
        quiet = "muted" if in_window or at_cursor else ink

        row.add(signs.cursor if at_cursor else " ", "accent" if self.has_focus else "muted")
        row.to(2).add(*((signs.play, "accent") if is_deciding else state_sign(signs, state, cleared)))
        if self._partners and self._playing is None:
            row.to(_PAIR).add(self._bracket(number), "accent")
        row.right(columns.index_end, str(number), ink)
        row.to(columns.kind).add(KIND_WORDS[session.kind(number)][: columns.kind_width], ink)
        row.right(columns.chars_end, f"{size:,}", ink)
        if columns.bar is not None:
            row.to(columns.bar)
            bar_ink = {PINNED: "pinned", KEPT: "kept", UNDECIDED: "muted"}.get(state, "dropped")
            self._bar(row, size, in_window, bar_ink)
        end = width - 1
        mark = self._mark(number, marks, is_partner, words=width >= _MARKS_FROM)
        if is_deciding:
            mark = [(f"{signs.step_back} deciding" if width >= _MARKS_FROM else signs.step_back, "accent")]
        cells = sum(len(text) for text, _ in mark)
        room = end - columns.preview - (cells + 2 if mark else 0)
        self._preview(row.to(columns.preview), session, number, room, ink, quiet)
        if mark and end - cells > columns.preview:
            row.to(end - cells)
            for text, marked in mark:
                row.add(text, "text" if at_cursor and marked == "muted" else marked)
        row.to(width)
        return row

    def _mark(self, number: int, marks: tuple[Mark, ...], is_partner: bool, *, words: bool) -> list[tuple[str, str]]:
        """What is said at the end of the row: pieces with their inks; without `words` the worst finding's sign only."""
        findings = self.findings if self._playing is None else None
        found = findings.by_item.get(number, ()) if findings and findings.examination is self.examination else ()
        worst = found[0] if found else None
        if not words:
            return [finding_sign(self.signs, worst)] if worst and worst.severity is not Severity.INFO else []
        pieces: list[tuple[str, str]] = []
        if worst and worst.severity is not Severity.INFO:
            pieces += [finding_sign(self.signs, worst), (f" {worst.code}", "bad")]
            if len(found) > 1:
                pieces.append((f" +{len(found) - 1}", "muted"))
        elif is_partner and self.examination:
            pieces += self._partner_words(number)
        elif worst:
            pieces.append((worst.code, "italic"))
        for mark in marks:
            text = mark.value
            if mark is Mark.CLEARED and self.examination:
                projection = self.examination.projection
                before, after = projection.original.sizes[number], projection.source.sizes[number]
                text = f"cleared {before:,} {self.signs.becomes} {after:,}"
            pieces += [(", ", "muted")] * bool(pieces) + [(text, "muted" if mark is Mark.CLEARED else "italic")]
        return pieces

    def _partner_words(self, number: int) -> list[tuple[str, str]]:
        """What the other half of the selected item's pair is, and whether it is in the window."""
        assert self.session is not None  # there would be no partner
        assert self.examination is not None  # as above
        is_call = self.session.kind(number) is Kind.TOOL_CALL
        in_window = self.examination.projection.states[number] in (PINNED, KEPT)
        what = "its call" if is_call else "its output"
        return [(what, "accent"), (f", {'kept' if in_window else 'dropped'}", "muted")]

    def _bracket(self, number: int) -> str:
        """The piece of the bracket over a pair that stands in an item's row."""
        ends = (min(self.cursor, self._partners[0]), max(self.cursor, self._partners[-1]))
        if not ends[0] <= number <= ends[1]:
            return ""
        if number == ends[0]:
            return self.signs.pair_first
        if number == ends[1]:
            return self.signs.pair_last
        return self.signs.pair_joins if number == self.cursor or number in self._partners else self.signs.upright

    def _bar(self, row: Row, size: int, in_window: bool, ink: str) -> None:
        halves = min(max(round(2 * _BAR * size / self._largest), 1 if size else 0), 2 * _BAR)
        signs = self.signs
        whole, half = (signs.heavy, signs.heavy_half) if in_window else (signs.light, signs.light_half)
        row.add(whole * (halves // 2) + half * (halves % 2), ink)

    def _preview(self, row: Row, session: Session, number: int, room: int, ink: str, quiet: str) -> None:
        shown = preview(session.glimpse(number), session.tool_names.get(number), limit=2 * max(room, 0) + 8)
        if not shown.arrow:
            row.fit(shown.rest, room, ink)
            return
        begin = row.cells
        sign = self.signs.call if shown.arrow == "→" else self.signs.output
        if room > len(sign) + 1:
            row.add(f"{sign} ", ink)
        row.fit(shown.name, room - (row.cells - begin), ink)
        row.fit(shown.rest, room - (row.cells - begin), quiet)

    def action_move(self, by: int) -> None:
        self.cursor = self._item_at(self.row_of(self.cursor) + by)

    def action_page(self, by: int) -> None:
        self.action_move(by * max(self.size.height - 1, 1))

    def action_first(self) -> None:
        self.cursor = self._item_at(0)

    def action_last(self) -> None:
        self.cursor = self._item_at(self.count - 1)

    def action_open(self) -> None:
        if self.count:
            self.post_message(self.Opened(self.cursor))

    def on_click(self, event: events.Click) -> None:
        number = event.y + self.scroll_offset.y
        if number < self.count:
            self.cursor = self.listed[number]
            if event.chain == 2:
                self.action_open()
