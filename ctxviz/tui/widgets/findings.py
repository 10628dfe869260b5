"""What was found, and what each provider would say to the request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.message import Message
from textual.reactive import reactive

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.finding import Finding, Severity
from ctxviz.tui.paint import LinesView, Row
from ctxviz.tui.widgets.items import finding_sign

if TYPE_CHECKING:
    from ctxviz.analysis.findings import Findings, Verdict

_ROWS_EACH = 2
_FIRST = ("openai-chat", "openai-responses", "anthropic", "gemini")
"""The providers that have a row of their own; the others share some."""
_LOW, _LOWEST = 14, 10
"""Under so many rows the chosen provider's verdict only has a row of its own; under the second it stands alone."""
_CHIP = 9
_NAME = 18


class FindingsView(LinesView, can_focus=False):
    """The verdicts, then two rows a finding; one finding is the chosen one. Says `Asked` when it is to be gone to."""

    examination: reactive[Examination | None] = reactive(None)
    findings: reactive[Findings | None] = reactive(None)
    """None while nothing is found yet; may be of an earlier examination for a moment."""
    chosen: reactive[int] = reactive(0)
    """The place of the chosen finding."""

    @dataclass(eq=False, repr=False)
    class Asked(Message):
        """The person wants to see the items of a finding."""

        finding: Finding

    def __init__(self, *, inset: int = 2, id: str | None = None) -> None:
        super().__init__(id=id)
        self.inset = inset
        self._head: list[Row] = []

    @property
    def compact(self) -> bool:
        """One row a finding, and the chosen provider's verdict only."""
        return self.has_class("-compact")

    def watch_examination(self) -> None:
        self.changed()

    def watch_findings(self) -> None:
        self.chosen = self.validate_chosen(self.chosen)
        self.changed()

    def validate_chosen(self, chosen: int) -> int:
        return min(max(chosen, 0), max(len(self.findings or ()) - 1, 0))

    def watch_chosen(self) -> None:
        self.refresh()
        self.show_chosen()

    @property
    def _each(self) -> int:
        return 1 if self.compact else _ROWS_EACH

    def show_chosen(self) -> None:
        """Scroll as little as shows the chosen finding whole, and what stands above it if it is the first."""
        first = len(self._head) + self.chosen * self._each if self.chosen else 0
        last = len(self._head) + (self.chosen + 1) * self._each
        top, height = self.scroll_offset.y, self.size.height
        if height and self.is_mounted:
            self.scroll_to(y=min(max(top, last - height), first), animate=False, force=True)

    def choose(self, finding: Finding) -> None:
        """Make a finding the chosen one."""
        if self.findings is not None and finding in self.findings.found:
            self.chosen = self.findings.found.index(finding)

    def move(self, way: str) -> None:
        """What a key means here: another finding, or going to the chosen one."""
        page = max(self.size.height // self._each - 1, 1)
        count = len(self.findings or ())
        by = {"up": -1, "down": 1, "page_up": -page, "page_down": page, "home": -count, "end": count}
        if way == "enter":
            if self.findings:
                self.post_message(self.Asked(self.findings[self.chosen]))
        else:
            self.chosen += by[way]

    def remake(self, width: int) -> None:
        self._head = self._make_head(width)
        self.set_reactive(FindingsView.count, len(self._head) + len(self.findings or ()) * self._each)

    def line(self, number: int, width: int) -> Row:
        if number < len(self._head):
            return self._head[number]
        at, part = divmod(number - len(self._head), self._each)
        assert self.findings is not None  # the count would be less
        finding, is_chosen = self.findings[at], at == self.chosen
        row = self.row(self.inks_on("cursor") if is_chosen else None)
        row.add(self.signs.cursor if is_chosen else " ", "accent").to(self.inset)
        if part == 0:
            return self._first_row(row, finding, width)
        row.to(self.inset + 2)
        return row.fit(finding.message, width - row.cells - 1, "muted").to(width)

    def _first_row(self, row: Row, finding: Finding, width: int) -> Row:
        row.add(*finding_sign(self.signs, finding)).to(self.inset + 2)
        is_info = finding.severity is Severity.INFO
        row.add(finding.code, "muted" if is_info else "strong")
        if finding.certainty.value != "certain":
            row.add(f"  {finding.certainty.value}", "italic")
        where = self._where(finding)
        if self.compact:
            row.add("  ").fit(finding.message, width - row.cells - len(where) - 4, "muted")
        return row.right(width - 2, where, "muted" if is_info else "accent").to(width)

    def _where(self, finding: Finding) -> str:
        if not finding.items:
            return ""
        more = len(finding.items) - 1
        return f"#{finding.items[0]}" + (f" +{more:,}" if more else "")

    # -- verdicts -----------------------------------------------------------------------------------

    def _make_head(self, width: int) -> list[Row]:
        begin = self.row().to(self.inset)
        if self.examination is None:
            return [begin.add("Not yet decided: still reading.", "muted")]
        findings = self.findings
        if findings is None:
            return [begin.add("Looking for findings…", "muted")]
        own = [verdict for verdict in findings.verdicts if verdict.provider == findings.provider]
        others = [verdict for verdict in findings.verdicts if verdict not in own]
        if self.compact or self.size.height < _LOW:
            rows = [self._verdict(verdict, findings.provider, width) for verdict in own]
            if not self.compact and self.size.height >= _LOWEST:
                rows += self._others(others, width)
        else:
            main = [verdict for verdict in findings.verdicts if verdict.provider in _FIRST and verdict not in own]
            others = [verdict for verdict in others if verdict not in main]
            rows = [self._verdict(verdict, findings.provider, width) for verdict in (*own, *main)]
            rows += [*self._others(others, width), self.row()]
        return [*rows, self._summary(findings, width)]

    def _verdict(self, verdict: Verdict, chosen: str, width: int) -> Row:
        row = self.row().to(self.inset)
        text, ink = self._chip(verdict)
        row.add(text, ink).to(self.inset + _CHIP)
        row.add(verdict.provider, "strong" if verdict.provider == chosen else "text")
        row.to(max(row.cells + 2, self.inset + _CHIP + _NAME))
        if verdict.finding is not None:
            where = f"#{verdict.finding.items[0]} " if verdict.finding.items else ""
            return row.fit(where + verdict.finding.code, width - row.cells - 2, "muted")
        return row.fit("accepts the list", width - row.cells - 2, "muted")

    def _chip(self, verdict: Verdict) -> tuple[str, str]:
        signs = self.signs
        return {
            "refuses": (f" {signs.bad} 400 ", "refused"),
            "likely refuses": (f" {signs.bad} 400? ", "refused"),
            "unknown": (f" {signs.unknown} ", "muted"),
            "accepts": (f" {signs.fine} ok ", "text"),
        }[verdict.answer]

    def _others(self, verdicts: Sequence[Verdict], width: int) -> list[Row]:
        """The other providers in as few rows as hold them."""
        rows = [self.row().to(self.inset)]
        for verdict in verdicts:
            sign, ink = self._short(verdict)
            needed = len(sign) + 1 + len(verdict.provider)
            if rows[-1].cells + needed > width - 2:
                rows.append(self.row().to(self.inset))
            rows[-1].add(sign, ink).add(f" {verdict.provider}", "muted").add("   ")
        return rows if verdicts else []

    def _short(self, verdict: Verdict) -> tuple[str, str]:
        signs = self.signs
        return {
            "refuses": (signs.bad, "bad"),
            "likely refuses": (f"{signs.bad}?", "bad"),
            "unknown": (signs.unknown, "muted"),
            "accepts": (signs.fine, "text"),
        }[verdict.answer]

    def _summary(self, findings: Findings, width: int) -> Row:
        counts = [(findings.count(severity), severity.value) for severity in Severity]
        words = ", ".join(
            f"{count:,} {word}{'' if count == 1 or word == 'info' else 's'}" for count, word in counts if count
        )
        tail = self.row().add("f F", "key").add(" next, previous", "muted") if findings.places else None
        row = self.row().add(self.signs.light, "line").add(" ").add(words or "nothing found", "muted").add(" ")
        room = width - row.cells - (tail.cells + 3 if tail else 0)
        row.add(self.signs.light * max(room, 0), "line")
        if tail and room >= 0:
            row.add(" ")
            row.segments += tail.segments
            row.cells += tail.cells
            row.add(" ").add(self.signs.light, "line")
        return row

    def on_click(self, event: events.Click) -> None:
        at = (event.y + self.scroll_offset.y - len(self._head)) // self._each
        if self.findings and 0 <= at < len(self.findings):
            self.chosen = at
            self.move("enter")
