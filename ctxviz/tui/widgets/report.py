"""The ContextReport: all eight fields under ai4j's names, and what the last change did to them."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from rich.style import Style
from textual.color import Color
from textual.reactive import reactive

from ctxviz.analysis.comparison import report_changes
from ctxviz.analysis.examination import Examination
from ctxviz.projection.json_value import Json
from ctxviz.session.loading import Progress
from ctxviz.tui.paint import Panel, Row

_VALUE_END = 28
_CHANGE_END = 36
_GAUGE = 6
_NOTES = 9
_FLASH_SECONDS = 0.3


class ReportView(Panel):
    """A field is its name, its present value, then any change since `previous`."""

    examination: reactive[Examination | None] = reactive(None)
    previous: reactive[Examination | None] = reactive(None)
    """The examination before the last change; None if nothing was changed yet."""
    note_rows: reactive[int] = reactive(2)
    progress: reactive[Progress | None] = reactive(None)
    flash: reactive[float] = reactive(0.0)
    """How strongly the changed values are lit, from 1 down to 0."""

    def __init__(self, *, in_tab: bool, id: str) -> None:
        super().__init__(id=id)
        self.in_tab = in_tab

    def watch_examination(self, before: Examination | None, after: Examination | None) -> None:
        if before and after and before.session is after.session and self.display:
            self.set_reactive(ReportView.flash, 1.0)
            if self.app.animation_level == "full":
                self.animate("flash", 0.0, duration=_FLASH_SECONDS)
            else:
                self.set_reactive(ReportView.flash, 0.0)

    def _changes(self) -> dict[str, int]:
        if self.examination is None or self.previous is None or self.previous.session is not self.examination.session:
            return {}
        return report_changes(self.previous, self.examination)

    def rows(self, width: int, height: int) -> Iterable[Row]:
        return self._two_columns(width) if self.in_tab else self._one_column(width)

    # -- beside the list --------------------------------------------------------------------------

    def _one_column(self, width: int) -> list[Row]:
        left, end = 2, width - 2
        changes = self._changes()
        tail = None
        if self.examination is None:
            tail = self.row().add("of what is read", "muted")
        elif changes:
            tail = self.row().add("since last change", "muted")
        rows = [self.end_heading(self.heading(width, "ContextReport", focused=False), width, focused=False, tail=tail)]
        for key, value in self._fields():
            row = self.row().to(left).add(key, self._name_ink(key, changes))
            self._value(row, left + _VALUE_END, value)
            if self.examination is None and value is not None:
                row.add(" so far", "muted")
            has_gauge = self._limit(key) is not None
            shown = self._change(key, changes)
            if shown:
                row.right(max(left + _CHANGE_END, row.cells + 1 + len(shown)), shown, "changed")
            if has_gauge and end - 5 - _GAUGE > row.cells + 1:
                self._gauge(row, key, end)
            rows.append(row)
        return rows + self._notes(width, left, self.note_rows)

    # -- in a tab of the narrow screen ------------------------------------------------------------

    def _two_columns(self, width: int) -> list[Row]:
        changes = self._changes()
        values = dict(self._fields())
        right = width // 2 - 1
        rows = []
        for first, second in (
            ("sourceItemCount", "sourceApproxChars"),
            ("projectedItemCount", "projectedApproxChars"),
            ("droppedItemCount", ""),
            ("itemLimitApplied", "characterLimitApplied"),
        ):
            row = self.row().to(2).add(first, self._name_ink(first, changes))
            self._value(row, 27, values[first])
            row.add(" ").add(self._change(first, changes)[: right - row.cells - 1], "changed").to(right)
            if second:
                row.add(second, self._name_ink(second, changes))
                self._value(row, right + _VALUE_END, values[second])
                row.add(" ").add(self._change(second, changes), "changed")
            elif self._limit("projectedApproxChars") is not None:
                self._gauge(row.to(right + 13), "projectedApproxChars", right + _VALUE_END + 4, wide=True)
            rows.append(row)
        return rows + self._notes(width, 2, self.note_rows)

    # -- parts ------------------------------------------------------------------------------------

    def _fields(self) -> list[tuple[str, Json]]:
        """Seven fields with their values; None where nothing is known yet."""
        if self.examination:
            fields = self.examination.report.to_dict()
            return [(key, value) for key, value in fields.items() if key != "notes"]
        known: dict[str, Json] = {"sourceItemCount": self.progress.items_done if self.progress else None}
        names = ("sourceItemCount", "projectedItemCount", "droppedItemCount", "sourceApproxChars")
        more = ("projectedApproxChars", "itemLimitApplied", "characterLimitApplied")
        return [(key, known.get(key)) for key in (*names, *more)]

    def _name_ink(self, key: str, changes: dict[str, int]) -> str:
        return "text" if key in changes else "muted"

    def _value(self, row: Row, end: int, value: Json) -> None:
        if value is None:
            row.right(end, self.signs.ellipsis, "ghost")
        else:
            words = str(value).lower() if isinstance(value, bool) else f"{value:,}"
            # A long number keeps its distance from the name.
            row.right(max(end, row.cells + 1 + len(words)), words, "strong")

    def _change(self, key: str, changes: dict[str, int]) -> str:
        change = changes.get(key)
        if change is None:
            return ""
        if key.endswith("Applied"):
            return "was false" if change > 0 else "was true"
        return f"+{change:,}" if change > 0 else f"{self.signs.minus}{-change:,}"

    def _limit(self, key: str) -> int | None:
        if self.examination is None:
            return None
        budget = self.examination.settings.budget
        return {"projectedItemCount": budget.item_limit, "projectedApproxChars": budget.char_limit}.get(key)

    def _gauge(self, row: Row, key: str, end: int, *, wide: bool = False) -> None:
        """The field's share of its limit, rounded down so that 100 % is only reached by being equal."""
        limit, report = self._limit(key), self.examination.report if self.examination else None
        if not limit or report is None:
            return
        value = report.projected_item_count if key == "projectedItemCount" else report.projected_approx_chars
        length = _GAUGE + 2 * wide
        filled = min(value * length // limit, length)
        signs = self.signs
        row.to(end - 5 - length).add(signs.heavy * filled, "muted").add(signs.light * (length - filled), "track")
        row.right(end, f"{100 * value // limit}%", "muted")

    def _notes(self, width: int, left: int, room: int) -> list[Row]:
        first = self.row().to(left).add("notes", "muted").to(left + _NOTES)
        if room < 1:
            return []
        if self.examination is None:
            return [first.add(self.signs.ellipsis, "ghost")]
        notes = self.examination.report.notes
        if not notes:
            return [first.add("none", "muted")]
        lines = [line for note in notes for line in wrap(note, width - left - _NOTES - 2, subsequent_indent="  ")]
        rows = [first] + [self.row().to(left + _NOTES) for _ in lines[1:]]
        for row, line in zip(rows, lines, strict=True):
            row.add(line)
        if len(rows) > room:
            hidden = len(rows) - room
            rows = rows[:room]
            rows[-1].add(f"  +{hidden}", "muted")
        return rows

    @property
    def inks(self) -> dict[str, Style]:
        inks = super().inks
        if not self.flash:
            return inks
        base, accent = inks["text"].bgcolor, inks["changed"].color
        if base is None or accent is None:
            return inks
        lit = Color.from_rich_color(base).blend(Color.from_rich_color(accent), 0.4 * self.flash)
        return {**inks, "changed": inks["changed"] + Style(bgcolor=lit.rich_color)}
