"""The first row: what is open, and what is to be known about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from textual import events
from textual.message import Message
from textual.reactive import reactive

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.finding import Severity
from ctxviz.export.visible import visible
from ctxviz.session.loading import Progress
from ctxviz.tui.paint import Panel, Row, fitted

if TYPE_CHECKING:
    from ctxviz.analysis.findings import Findings
    from ctxviz.analysis.playback import Playback


_FACTS_FROM = 120
"""In the player a narrower title names the limits, whose controls are not in sight."""


class TitleLine(Panel):
    """Gives way from the right: calls, findings, format; last the name, the verdict and the file's warnings.

    That the file is followed stays longer than what it holds.
    """

    examination: reactive[Examination | None] = reactive(None)
    findings: reactive[Findings | None] = reactive(None)
    playback: reactive[Playback | None] = reactive(None)
    """Where the player stands; None while it is closed."""
    follows: reactive[bool] = reactive(False)
    """Whether the file is watched."""
    progress: reactive[Progress | None] = reactive(None)
    """How far loading is; None when it is done or has not begun."""

    @dataclass(eq=False, repr=False)
    class WarningsClicked(Message):
        """The count of the file's warnings was clicked."""

    @dataclass(eq=False, repr=False)
    class FindingsClicked(Message):
        """The verdict or the count of findings was clicked."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self._began = monotonic()

    def rows(self, width: int, height: int) -> Iterable[Row]:
        warnings = self._warnings()
        end = width - 2
        row = self.row().to(2).add("ctxviz", "key").add("   ")
        name = self.examination.session.name if self.examination else Path(self.path).name or self.path
        row.add(fitted(visible(name), max(end - row.cells - len(warnings) - 3, 8)), "strong")

        chip, found = self._chip(), self._found()
        if self.playback is not None:
            chip, found, warnings = "", "explaining", ""
        dot = f" {self.signs.dot} "
        facts, details, records = self._facts(), self._details(), self._records()
        if self.playback is not None and self.size.width < _FACTS_FROM:
            details = ""
        brief = details.partition(",")[0]
        levels = [(facts, details, found), (facts, brief, found), (facts, "", found), (facts, "", "")]
        levels += [(facts[1:], "", ""), ([], "", "")]
        if self.follows:
            levels = [(facts, details, found), (facts[1:], details, found), ([], details, ""), ([], "", "")]
        if records:
            levels.insert(0, ([*facts, records], details, found))
        for shown, last, said in levels:
            text = dot.join(shown)
            needed = sum(3 + len(part) for part in (text, warnings, chip, said, last) if part)
            if row.cells + needed <= end:
                break
        if text:
            row.add("   ").add(text, "muted")
        ink = "bad" if self.playback is None else "key"
        pieces = [(chip, "refused", "findings"), (said, ink, "findings"), (warnings, "bad", "warnings")]
        pieces = [piece for piece in pieces if piece[0]]
        taken = sum(3 + len(text) for text, _, _ in pieces) + (3 + len(last) if last else 0)
        if pieces and row.cells + taken <= end:
            row.to(end - taken + 3)
            for at, (text, ink, hit) in enumerate(pieces):
                row.add("   " if at else "").add(text, ink, hit=hit)
        if last:
            before, strong, after = last.partition(self._percent()) if self._percent() else (last, "", "")
            row.to(end - len(last)).add(before, "muted").add(strong, "key").add(after, "muted")
        return [row]

    def _chip(self) -> str:
        """What the chosen provider says to the request, where it does not take it."""
        verdict = self.findings.verdict if self.findings else None
        if verdict is None or verdict.answer not in ("refuses", "likely refuses"):
            return ""
        return f" {self.signs.bad} {verdict.provider} 400{'?' if verdict.answer == 'likely refuses' else ''} "

    def _found(self) -> str:
        """How many errors and warnings were found."""
        if not self.findings:
            return ""
        counts = [(self.findings.count(severity), severity.value) for severity in (Severity.ERROR, Severity.WARNING)]
        return ", ".join(f"{count:,} {word}{'' if count == 1 else 's'}" for count, word in counts if count)

    def _facts(self) -> list[str]:
        if self.playback is not None and self.size.width < _FACTS_FROM:
            budget = self.playback.examination.settings.budget
            limits = (budget.item_limit, budget.char_limit, budget.prefix_items)
            return [self.signs.infinity if limit is None else f"{limit:,}" for limit in limits]
        if self.examination:
            session, report = self.examination.session, self.examination.report
            items = f"{len(session):,} item{'' if len(session) == 1 else 's'}"
            return [
                session.format_title,
                items,
                f"{report.source_approx_chars:,} chars {self.examination.settings.measure}",
            ]
        return [self.progress.format_title] if self.progress and self.progress.format_title else []

    def _records(self) -> str:
        """How many records the file has, where some are not in the list."""
        census = self.examination.session.census if self.examination else None
        if census is None or not (census.set_aside or census.parts_set_aside):
            return ""
        words = f"{census.read:,} record{'' if census.read == 1 else 's'}, {census.set_aside:,} set aside"
        return words if census.set_aside else f"{census.parts_set_aside:,} parts left out"

    def _details(self) -> str:
        if self.examination:
            calls = len(self.examination.session.calls)
            if self.follows:
                return "following the file"
            return f"whole session, {calls:,} call{'' if calls == 1 else 's'}" if calls else "no model calls"
        if not self.progress:
            return "reading"
        done, total = self.progress.bytes_done, self.progress.bytes_total
        return f"reading {self._percent()}   {_size(done)}{f' of {_size(total)}' if total else ''}".replace(
            "  ", " " * 3, 1
        )

    def _percent(self) -> str:
        if self.examination or not self.progress or not self.progress.bytes_total:
            return ""
        return f"{100 * self.progress.bytes_done // self.progress.bytes_total}%"

    def _warnings(self) -> str:
        count = len(self.examination.session.warnings) if self.examination else 0
        return f"{self.signs.warning} {count:,} warning{'' if count == 1 else 's'}" if count else ""

    def on_click(self, event: events.Click) -> None:
        hit = self.hit_at(event)
        if hit == "warnings":
            self.post_message(self.WarningsClicked())
        elif hit == "findings":
            self.post_message(self.FindingsClicked())


def _size(count: int) -> str:
    size, unit = float(count), "bytes"
    for bigger in ("KB", "MB", "GB"):
        if size < 1000:
            break
        size, unit = size / 1000, bigger
    return f"{size:,.0f} {unit}" if unit in ("bytes", "KB") or size >= 100 else f"{size:,.2f} {unit}"
