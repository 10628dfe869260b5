"""Text of any length that scrolls: wrapped once for a width, drawn where it is seen."""

from __future__ import annotations

from rich.cells import cell_len, get_character_cell_size
from textual.reactive import reactive

from ctxviz.export.visible import visible
from ctxviz.tui.paint import LinesView, Row


class TextView(LinesView):
    """A session's text, made visible and wrapped at words; rows of the program's own may come first."""

    text: reactive[str] = reactive("")
    wrapped: reactive[bool] = reactive(True)
    """False keeps the lines as they are and cuts them at the edge."""

    def __init__(self, *, inset: tuple[int, int] = (2, 2), id: str | None = None) -> None:
        super().__init__(id=id)
        self.inset = inset
        self._wrapped: list[str] = []
        self._made_for: tuple[str, int, bool] | None = None
        self._head: list[Row] = []

    def head(self) -> list[Row]:
        """Rows above the text that scroll with it."""
        return []

    def watch_text(self) -> None:
        self.changed()

    def watch_wrapped(self) -> None:
        self.changed()

    def remake(self, width: int) -> None:
        self._head = self.head()
        width -= sum(self.inset)
        made_for = (self.text, width, self.wrapped)
        if width > 0 and self._made_for != made_for:
            self._made_for = made_for
            self._wrapped = wrapped_lines(visible_lines(self.text), width if self.wrapped else None)
        self.set_reactive(TextView.count, len(self._head) + len(self._wrapped))

    def line(self, number: int, width: int) -> Row:
        if number < len(self._head):
            return self._head[number]
        text = self._wrapped[number - len(self._head)]
        return self.row().to(self.inset[0]).add(text if self.wrapped else text[: 4 * width])


def visible_lines(text: str) -> list[str]:
    """The lines of a text with tabs as spaces and everything else that is no letter made visible."""
    text = text.replace("\r\n", "\n")
    return [visible(line.expandtabs(4)) for line in text.split("\n")] if text else []


def wrapped_lines(lines: list[str], width: int | None) -> list[str]:
    """The lines cut to at most `width` cells each, at a space where there is one; None cuts nothing."""
    if width is None:
        return lines
    found: list[str] = []
    for line in lines:
        if len(line) <= width and (line.isascii() or cell_len(line) <= width):
            found.append(line)
        elif line.isascii():
            _wrap_ascii(line, width, found)
        else:
            _wrap_cells(line, width, found)
    return found


def _wrap_ascii(line: str, width: int, found: list[str]) -> None:
    at = 0
    while len(line) - at > width:
        cut = line.rfind(" ", at + 1, at + width + 1)
        if cut <= at:
            found.append(line[at : at + width])
            at += width
        else:
            found.append(line[at:cut])
            at = cut + 1
    found.append(line[at:])


def _wrap_cells(line: str, width: int, found: list[str]) -> None:
    begin, cells, space = 0, 0, -1
    at = 0
    while at < len(line):
        size = get_character_cell_size(line[at])
        if cells + size > width and at > begin:
            cut = space if space > begin and line[at] != " " else at
            found.append(line[begin:cut])
            begin = cut + (line[cut] == " ")
            at, cells, space = begin, 0, -1
            continue
        if line[at] == " ":
            space = at
        cells += size
        at += 1
    found.append(line[begin:])
