"""``report --format table``: the answer for a terminal, in colour where there is some, and as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from textwrap import wrap
from typing import TextIO

from rich.cells import cell_len
from rich.text import Text

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.strip import cell_states
from ctxviz.export.check import finding_lines, found_words
from ctxviz.export.console import text_console
from ctxviz.export.facts import (
    conversation_words,
    counted,
    format_words,
    idle_settings,
    record_words,
    report_fields,
    setting_fields,
    totals,
)
from ctxviz.export.signs import ASCII_SIGNS, CLEARED, SIGN_CODES, WORDS, Signs, sign_codes, signs
from ctxviz.export.visible import visible
from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS, KEPT, PINNED
from ctxviz.session.item import Kind, preview

_COLOURS = {
    PINNED: "#f5cd6b",
    KEPT: "#58b2f0",
    CLEARED: "#58b2f0",
    DROPPED_BY_ITEMS: "#8d8a86",
    DROPPED_BY_CHARS: "#8d8a86",
}
_ENDS = 3
"""How many items of a state are shown from its begin, and how many from its end."""

_FINDINGS = 20
"""So many findings are listed; `check` lists all."""

_KIND_WIDTH = max(map(len, Kind))
_LEAST_PREVIEW = 12


def report_table(
    examination: Examination, *, items: bool = True, ascii_signs: bool = False, terminal: TextIO | None = None
) -> str:
    """The report as lines of text, ending in a newline.

    It has the width and the colours of the `terminal` that it is for (`text_console`).
    """
    console, buffer = text_console(terminal)
    for line in _lines(examination, items, signs(ascii_only=ascii_signs), console.width):
        console.print(line, soft_wrap=True, markup=False, highlight=False, emoji=False)
    return buffer.getvalue()


def _lines(examination: Examination, items: bool, chosen: Signs, width: int) -> Iterator[Text]:
    yield from _head(examination)
    if len(examination.session):
        yield Text()
        yield from _strip(examination, chosen, width)
        yield Text()
        yield from _findings(examination, width)
        if items:
            yield Text()
            yield from _items(examination, chosen, width)


def _head(examination: Examination) -> Iterator[Text]:
    session, projection = examination.session, examination.projection
    chars = projection.original.index.chars(0, len(session))
    size = [counted(len(session), "item"), counted(chars, "char")]
    yield Text.assemble((visible(session.name), "bold"), "   ", "   ".join([visible(format_words(session)), *size]))
    if conversation := conversation_words(session):
        yield Text(f"conversation {visible(conversation)}")
    if aside := record_words(session):
        yield Text(aside)
    if session.nothing:
        yield Text(visible(session.nothing))
    yield from (Text(f"warning: {visible(warning)}") for warning in session.warnings)

    settings, fields = setting_fields(examination.settings), report_fields(examination.report)
    label_width = max(len(label) for label, _ in settings + fields)
    value_width = max(len(value) for _, value in settings + fields)
    idle = idle_settings(examination.settings)
    for title, rows, remark in (("Settings", settings, idle), ("Report", fields, "")):
        yield Text()
        yield Text(title, "bold")
        yield from (Text(f"  {label:<{label_width}}  {value:>{value_width}}") for label, value in rows)
        if remark:
            yield Text(f"  {remark}")
    label = "notes"
    for note in examination.report.notes or ("none",):
        yield Text(f"  {label:<{label_width}}  {visible(note)}")
        label = ""


def _strip(examination: Examination, chosen: Signs, width: int) -> Iterator[Text]:
    yield Text("Session", "bold")
    strip = Text()
    for state, cells in groupby(cell_states(examination.projection, width)):
        strip.append(chosen.cell[state] * len(list(cells)), _COLOURS[state])
    yield strip
    for total in totals(examination):
        size = f"{counted(total.items, 'item')}, {counted(total.chars, 'char')}"
        sign = (f"{chosen.item[total.code]:<2}", _COLOURS[total.code])
        yield Text.assemble(sign, f" {WORDS[total.code]}: {size}")


def _findings(examination: Examination, width: int) -> Iterator[Text]:
    """What was found, and what each provider would say."""
    findings = examination.findings
    yield Text.assemble(("Findings", "bold"), f"  {found_words(findings)}")
    yield from (Text(f"  {line}") for line in finding_lines(findings, _FINDINGS))
    answers = dict.fromkeys(verdict.answer for verdict in findings.verdicts)
    for answer in answers:
        providers = ", ".join(verdict.provider for verdict in findings.verdicts if verdict.answer == answer)
        lines = wrap(f"{answer}: {providers}", max(width, 24), initial_indent="  ", subsequent_indent="    ")
        yield from map(Text, lines)


def _items(examination: Examination, chosen: Signs, width: int) -> Iterator[Text]:
    """The first and last items of each state, a state after the other."""
    projection, session = examination.projection, examination.session
    codes, sizes = sign_codes(projection), projection.source.sizes
    ends = [(code, *_ends(codes, code)) for code in SIGN_CODES]
    shown = [index for _, first, _, last in ends for index in first + last]
    index_width = len(f"{len(codes) - 1}")
    chars_width = max(len("chars"), max(len(f"{sizes[index]:,}") for index in shown))
    marks = {index: " ".join(projection.marks(index)) for index in shown}
    marks_width = max(map(len, marks.values()))
    before = f"{'':2}  {'#':>{index_width}}  {'kind':<{_KIND_WIDTH}}  {'chars':>{chars_width}}  "
    room = max(_LEAST_PREVIEW, width - len(before) - (marks_width + 2 if marks_width else 0))
    yield Text(f"{before}{'preview':<{room}}  marks" if marks_width else f"{before}preview", "bold")
    for code, first, hidden, last in ends:
        for index in first + last:
            style = _COLOURS[projection.states[index]]
            line = Text.assemble(
                (f"{chosen.item[code]:<2}", style),
                f"  {index:>{index_width}}  {session.kind(index):<{_KIND_WIDTH}}  {sizes[index]:>{chars_width},}  ",
                _preview(examination, index, room, chosen),
            )
            if marks[index]:
                line.append(f"  {marks[index]}")
            line.rstrip()
            yield line
            if hidden and index == first[-1]:
                yield Text(f"{'':2}  {chosen.more:>{index_width}}  {hidden:,} more", "dim")


def _ends(codes: bytes, code: int) -> tuple[list[int], int, list[int]]:
    """The first few items with this code, the number of those left out, and the last few."""
    count = codes.count(code)
    first: list[int] = []
    last: list[int] = []
    at = -1
    for _ in range(min(_ENDS, count)):
        at = codes.index(code, at + 1)
        first.append(at)
    at = len(codes)
    for _ in range(min(_ENDS, count - len(first))):
        at = codes.rindex(code, 0, at)
        last.insert(0, at)
    return first, count - len(first) - len(last), last


def _preview(examination: Examination, index: int, room: int, chosen: Signs) -> Text:
    """The item as it is in the window: what was cleared shows its placeholder."""
    item = examination.projection.source.items[index]
    piece = preview(item, examination.session.tool_names.get(index), limit=2 * room)
    words = piece.name + piece.rest
    if piece.arrow:
        words = f"{chosen.arrows[piece.arrow]} {words.lstrip()}"
    words = visible(words)
    if chosen is ASCII_SIGNS:
        words = words.encode("ascii", "backslashreplace").decode()
    text = Text(words, end="")
    if cell_len(words) > room:
        text.truncate(room - cell_len(chosen.more))
        text.append(chosen.more)
    text.truncate(room, pad=True)
    return text
