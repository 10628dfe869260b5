"""How everything on the screen is drawn: rows of inked pieces, straight to strips.

A row is built from segments and knows its own length, so that a frame costs microseconds a row
whatever stands in it. Text of a session passes through `visible` here and never through markup.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from ctxviz.export.visible import visible
from ctxviz.tui.signs import ASCII, Signs, ascii_cells

if TYPE_CHECKING:
    from ctxviz.tui.app import CtxvizApp

INKS = {
    f"ink--{name}"
    for name in (
        "text",
        "strong",
        "muted",
        "italic",
        "pinned",
        "kept",
        "dropped",
        "bad",
        "accent",
        "key",
        "ghost",
        "track",
        "line",
        "chip",
        "cursor",
        "changed",
        "pair",
        "refused",
    )
}
"""The component classes of every screen; `ctxviz.tcss` gives each its colour once.

They are the screens' and not the widgets': to style sixteen of them for each widget took a third of the start.
"""


class Row:
    """One line under construction, from left to right.

    `hits` remembers which cells belong to what can be clicked: (begin, end, what).
    """

    __slots__ = ("cells", "hits", "inks", "only_ascii", "segments")

    def __init__(self, inks: dict[str, Style], *, only_ascii: bool = False) -> None:
        self.inks = inks
        self.only_ascii = only_ascii
        self.segments: list[Segment] = []
        self.cells = 0
        self.hits: list[tuple[int, int, Any]] = []

    def add(self, text: str, ink: str = "text", *, hit: Any = None) -> Row:
        """Append text of the program's own; `hit` is what a click on it means."""
        if text:
            if self.only_ascii:
                text = ascii_cells(text)
            cells = len(text) if text.isascii() else cell_len(text)
            if hit is not None:
                self.hits.append((self.cells, self.cells + cells, hit))
            self.segments.append(Segment(text, self.inks[ink]))
            self.cells += cells
        return self

    def to(self, cell: int) -> Row:
        """Blank up to a cell; nothing if the row is there already."""
        if cell > self.cells:
            self.segments.append(Segment(" " * (cell - self.cells), self.inks["text"]))
            self.cells = cell
        return self

    def right(self, end: int, text: str, ink: str = "text", *, hit: Any = None) -> Row:
        """Append text so that it ends before cell `end`."""
        return self.to(end - (len(text) if text.isascii() else cell_len(text))).add(text, ink, hit=hit)

    def fit(self, text: str, width: int, ink: str = "text") -> Row:
        """Append text of a session, made visible and cut to `width` cells."""
        if width > 0:
            shown = fitted(visible(text[: 4 * width + 8]), width)
            self.add(shown, ink)
        return self

    def strip(self, width: int) -> Strip:
        """The finished line, cut or filled to `width` cells."""
        strip = Strip(self.segments, self.cells)
        return strip.adjust_cell_length(width, self.inks["text"]) if self.cells != width else strip


def fitted(text: str, width: int, ellipsis: str = "…") -> str:
    """Text that takes at most `width` cells; what is cut ends in an ellipsis."""
    if text.isascii():
        return text if len(text) <= width else text[: width - 1] + ellipsis if width > 0 else ""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(width - 1, 0)).rstrip() + ellipsis if width > 0 else ""


class Inked(Widget):
    """What all widgets of the screen share: inks from the style sheet, and the signs."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._inks: dict[str, Style] | None = None
        self._inks_on: dict[str, dict[str, Style]] = {}

    @property
    def inks(self) -> dict[str, Style]:
        """Name to style: the screen's ink on the widget's own background."""
        if self._inks is None:
            base, screen = self.rich_style, self.screen
            self._inks = {name[5:]: base + screen.get_component_rich_style(name, partial=True) for name in INKS}
        return self._inks

    def inks_on(self, ground: str) -> dict[str, Style]:
        """The inks on another background: that of the ink `cursor`, or `pair`."""
        made = self._inks_on.get(ground)
        if made is None:
            on = self.screen.get_component_rich_style(f"ink--{ground}", partial=True)
            made = self._inks_on[ground] = {name: style + on for name, style in self.inks.items()}
        return made

    @property
    def signs(self) -> Signs:
        """The signs that this terminal can show."""
        return cast("CtxvizApp", self.app).signs

    def row(self, inks: dict[str, Style] | None = None) -> Row:
        """A new empty row, in this widget's inks if no others are given."""
        return Row(self.inks if inks is None else inks, only_ascii=self.signs is ASCII)

    def notify_style_update(self) -> None:
        self._inks = None
        self._inks_on.clear()
        super().notify_style_update()


class Panel(Inked):
    """A widget of a few rows that is drawn whole: subclasses say what stands in each row."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._drawn: tuple[Size, list[Row]] | None = None

    def rows(self, width: int, height: int) -> Iterable[Row]:
        """The rows from the top; missing ones are blank, those beyond `height` are not shown."""
        raise NotImplementedError

    def _rows(self) -> list[Row]:
        if self._drawn is None or self._drawn[0] != self.size:
            self._drawn = (self.size, list(self.rows(self.size.width, self.size.height)))
        return self._drawn[1]

    def refresh(self, *args: Any, **kwargs: Any) -> Any:
        self._drawn = None
        return super().refresh(*args, **kwargs)

    def notify_style_update(self) -> None:
        self._drawn = None
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        rows = self._rows()
        row = rows[y] if y < len(rows) else self.row()
        return row.strip(self.size.width)

    def hit_at(self, event: events.MouseEvent) -> Any:
        """What stands under the mouse, or None."""
        rows = self._rows()
        if 0 <= event.y < len(rows):
            for begin, end, hit in rows[event.y].hits:
                if begin <= event.x < end:
                    return hit
        return None

    def heading(self, width: int, title: str, *, focused: bool, left: int = 0, extra: Row | None = None) -> Row:
        """A heading on a rule, begun: heavy where the keys go. `end_heading` finishes it."""
        signs = self.signs
        line, ink = (signs.heavy, "accent") if focused else (signs.light, "line")
        row = self.row().to(left).add(line, ink).add(" ").add(title, "strong")
        if extra:
            row.segments += extra.segments
            row.hits += [(begin + row.cells, end + row.cells, hit) for begin, end, hit in extra.hits]
            row.cells += extra.cells
        return row.add(" ")

    def end_heading(self, row: Row, width: int, *, focused: bool, tail: Row | None = None) -> Row:
        """Draw the rule to the right edge, with `tail` two cells before its end."""
        signs = self.signs
        line, ink = (signs.heavy, "accent") if focused else (signs.light, "line")
        if tail is None:
            return row.add(line * (width - row.cells), ink)
        room = width - row.cells - tail.cells - 3
        if room < 1:
            return row.add(line * (width - row.cells), ink)
        row.add(line * room, ink).add(" ")
        row.hits += [(begin + row.cells, end + row.cells, hit) for begin, end, hit in tail.hits]
        row.segments += tail.segments
        row.cells += tail.cells
        return row.add(" ").add(line * (width - row.cells), ink)


class LinesView(ScrollView, Inked, can_focus=True):
    """Lines that scroll: only the visible ones are drawn. Subclasses make rows by number."""

    count: reactive[int] = reactive(0)
    """How many lines there are."""

    def line(self, number: int, width: int) -> Row:
        """The row of one line."""
        raise NotImplementedError

    def remake(self, width: int) -> None:
        """Make what does not depend on a line's number, `count` with it; called when something changed."""

    def changed(self) -> None:
        """Something that is shown changed: make it again and draw it."""
        if self.is_mounted and self.size.width:
            self.remake(self.size.width)
            self.virtual_size = Size(self.size.width, self.count)
            self.refresh()

    def watch_count(self) -> None:
        if self.is_mounted:
            self.virtual_size = Size(self.size.width, self.count)
            self.refresh()

    def on_resize(self) -> None:
        self.changed()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        # The inks are known only when the style sheet is done with this widget.
        self.call_later(self.changed)

    def render_line(self, y: int) -> Strip:
        number = y + self.scroll_offset.y
        row = self.line(number, self.size.width) if number < self.count else self.row()
        return row.strip(self.size.width)
