"""Why the selected item is in or out, as an addition written out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.reactive import reactive

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.explanation import Clearing, Explanation, Sum, explain
from ctxviz.analysis.finding import Finding
from ctxviz.analysis.reach import Interval, reach
from ctxviz.projection.projection import Mark
from ctxviz.session.item import Kind
from ctxviz.tui.paint import LinesView, Row
from ctxviz.tui.widgets.items import finding_sign, state_sign

if TYPE_CHECKING:
    from ctxviz.analysis.findings import Findings

_NUMBER_END = 9
_LABEL = 5


class WhyView(LinesView, can_focus=False):
    """One item's reason: what it is, its fate, the numbers."""

    examination: reactive[Examination | None] = reactive(None)
    selected: reactive[int] = reactive(0)
    findings: reactive[Findings | None] = reactive(None)

    def __init__(self, *, inset: int = 2, id: str | None = None) -> None:
        super().__init__(id=id)
        self.inset = inset
        self._rows: list[Row] = []

    @property
    def compact(self) -> bool:
        """Each sum on one line, without blank rows."""
        return self.has_class("-compact")

    def watch_examination(self) -> None:
        self.changed()

    def watch_findings(self) -> None:
        self.changed()

    def watch_selected(self) -> None:
        self.changed()
        self.scroll_home(animate=False)

    def remake(self, width: int) -> None:
        self._rows = self._make(max(width - self.inset - 2, 10))
        self.set_reactive(WhyView.count, len(self._rows))

    def line(self, number: int, width: int) -> Row:
        return self._rows[number]

    def _begin(self) -> Row:
        return self.row().to(self.inset)

    def _make(self, width: int) -> list[Row]:
        examination = self.examination
        if examination is None:
            return [self._begin().add("Not yet decided: still reading.", "muted")]
        if not len(examination.session):
            return [self._begin().add("No item to explain.", "muted")]
        why = explain(examination, min(self.selected, len(examination.session) - 1))
        rows = self._head(examination, why, width)
        blank = [] if self.compact else [self.row()]
        if why.clearing:
            rows += [*blank, *self._clearing(why.clearing, width), *blank, self._fate(examination, why)]
        for total in why.sums:
            rows += [self._on_one_line(total)] if self.compact else [*blank, *self._sum(total, width)]
        if why.then:
            indent = _LABEL if self.compact else self._label_column(why.sums[-1])
            rows.append(self._begin().to(self.inset + indent).add(why.then, "muted"))
        more = [*self._kept_at(examination, why.index, width), *self._pair(examination, why.index, width)]
        more += self._found(examination, why.index, width)
        return [*rows, *blank, *more] if more else rows

    def _kept_at(self, examination: Examination, index: int, width: int) -> list[Row]:
        """The values of the limit at which the item is kept, the nearest first."""
        found = reach(examination, index)
        if found is None:
            return []
        row = self._begin().add("kept at", "muted").to(self.inset + _NUMBER_END)
        if not found.intervals:
            return [row.add(f"no {found.limit}, as the other numbers stand", "muted")]
        intervals = found.intervals
        for at, interval in enumerate(intervals):
            before, first, after = self._interval(interval)
            joint = "" if not at else " and " if at + 1 == len(intervals) and found.is_whole else ", "
            if at and row.cells + len(joint + before + first + after) + 2 > width + self.inset:
                return [row.add(f" {self.signs.ellipsis}", "muted")]
            row.add(joint + before, "muted").add(first, "accent" if not at else "text").add(after, "muted")
        return [row if found.is_whole else row.add(f" {self.signs.ellipsis}", "muted")]

    def _interval(self, interval: Interval) -> tuple[str, str, str]:
        """The words before the first value, the value, and what follows it."""
        first, last = interval
        if last is None:
            return "from ", f"{first:,}", ""
        return "", f"{first:,}", "" if first == last else f"{self.signs.dash}{last:,}"

    def _pair(self, examination: Examination, index: int, width: int) -> list[Row]:
        """The other half of the item's pair, or of each pair that it is in."""
        session = examination.session
        if not session.is_linked:
            return []
        states = examination.projection.states
        rows: list[Row] = []
        for partner in session.links.partners(index)[:3]:
            row = self._begin().add("" if rows else "pair", "muted").to(self.inset + _NUMBER_END)
            bracket = self.signs.pair_first if partner < index else self.signs.pair_last
            row.add(f"{bracket} #{partner}", "accent").add("  ")
            row.add("call" if session.kind(partner) is Kind.TOOL_CALL else "output").add(", ", "muted")
            row.add(*state_sign(self.signs, states[partner])).add(f" {examination.projection.state(partner)}")
            if findings := self._of(examination, partner):
                row.add(f"   {self.signs.becomes} ", "muted").add(*finding_sign(self.signs, findings[0]))
                row.fit(f" {findings[0].code}", width + self.inset - row.cells, "bad")
            rows.append(row)
        return rows

    def _of(self, examination: Examination, index: int) -> tuple[Finding, ...]:
        """The findings about an item, none while they are looked for."""
        findings = self.findings
        return findings.by_item.get(index, ()) if findings and findings.examination is examination else ()

    def _found(self, examination: Examination, index: int, width: int) -> list[Row]:
        """What was found about the item."""
        rows: list[Row] = []
        for finding in self._of(examination, index):
            row = self._begin().add(*finding_sign(self.signs, finding)).to(self.inset + 2)
            row.add(finding.code, "strong").add("  ")
            rows.append(row.fit(finding.message, width + self.inset - row.cells, "muted"))
        return rows

    def _head(self, examination: Examination, why: Explanation, width: int) -> list[Row]:
        label = self._indent(why)
        row = self._begin().add(f"#{why.index}", "strong").to(label)
        row.fit(f"{why.what}, {why.size:,} char{'' if why.size == 1 else 's'}", width - label + self.inset)
        if why.clearing is None:
            return [row, self._fate(examination, why)]
        cleared = self._begin().add(*state_sign(self.signs, examination.projection.states[why.index], True)).to(label)
        return [row, cleared.add(f"cleared: {why.clearing.why}")]

    def _indent(self, why: Explanation) -> int:
        return self.inset + max(_LABEL, len(f"#{why.index}") + 2)

    def _fate(self, examination: Examination, why: Explanation) -> Row:
        """The state in a few words, with its marks."""
        row = self._begin().add(*state_sign(self.signs, examination.projection.states[why.index])).to(self._indent(why))
        row.add(why.verdict)
        for mark in why.decision.marks:
            if mark is not Mark.CLEARED and mark not in why.verdict:
                row.add("  ").add(mark, "italic")
        return row

    def _clearing(self, clearing: Clearing, width: int) -> list[Row]:
        label = self.inset + _NUMBER_END
        grown = clearing.size_after > clearing.size_before
        rows = [
            self._begin().add("it was", "muted").to(label).add(f"{clearing.size_before:,}").add(" chars", "muted"),
            self._begin()
            .add("now", "muted")
            .to(label)
            .add(f"{clearing.size_after:,}", "strong")
            .add(" chars", "muted")
            .add(", more than before" if grown else ""),
        ]
        if self.compact:
            rows[0].add(f"   {self.signs.becomes} ", "muted").add(f"{clearing.size_after:,}", "strong")
            rows[0].add(" chars", "muted").add(", more than before" if grown else "")
            del rows[1]
        rows.append(self._begin().fit(clearing.placeholder, width, "muted"))
        if clearing.whole_from is not None:
            whole = self._begin().add("whole at", "muted").to(label).add("maxRecentToolResults ", "text")
            rows.append(whole.add(f"{clearing.whole_from:,}", "strong").add(" and more", "muted"))
        return rows

    def _number_end(self, total: Sum) -> int:
        return max(
            _NUMBER_END, 4 + max(len(f"{number:,}") for number in (total.total, *(t.number for t in total.terms)))
        )

    def _label_column(self, total: Sum) -> int:
        return self._number_end(total) + 2 + len(self._comparison(total))

    def _comparison(self, total: Sum) -> str:
        return self.signs.at_most if total.comparison == "≤" else total.comparison

    def _sum(self, total: Sum, width: int) -> list[Row]:
        end, label = self.inset + self._number_end(total), self.inset + self._label_column(total)
        rows = []
        for at, term in enumerate(total.terms if len(total.terms) > 1 else ()):
            row = self._begin().add("  ").add("+" if at else "", "muted").right(end, f"{term.number:,}")
            rows.append(row.to(label).add(term.of, "muted"))
        if rows:
            rows.append(self._begin().add("  ").add(self.signs.light * (end - self.inset - 2), "track"))
        row = (
            self._begin()
            .right(end, f"{total.total:,}", "strong")
            .add(" ")
            .add(self._comparison(total), self._verdict(total))
        )
        row.add(" ").add(f"{total.limit:,}", "strong")
        if row.cells + 3 + len(total.outcome) <= width + self.inset:
            return [*rows, row.add(f"   {total.outcome}", "muted")]
        return [*rows, row, self._begin().to(label).add(total.outcome, "muted")]

    def _on_one_line(self, total: Sum) -> Row:
        row = self._begin().to(self.inset + _LABEL)
        if len(total.terms) > 1:
            row.add(" + ".join(f"{term.number:,}" for term in total.terms), "muted").add(" = ", "muted")
        row.add(f"{total.total:,}", "strong").add(" ").add(self._comparison(total), self._verdict(total)).add(" ")
        return row.add(f"{total.limit:,}", "strong").add(f"   {total.outcome}", "muted")

    def _verdict(self, total: Sum) -> str:
        return "bad" if total.comparison == ">" else "muted"
