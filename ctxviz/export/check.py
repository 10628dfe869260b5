"""``check``: what was found in each of several sessions, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ctxviz.analysis.finding import Finding, Severity
from ctxviz.analysis.findings import Findings, Verdict
from ctxviz.export.facts import counted
from ctxviz.export.visible import visible
from ctxviz.projection.json_value import Json

ANSWERS = {
    "refuses": "refuses it (400)",
    "likely refuses": "likely refuses it (400)",
    "unknown": "may refuse it: its rule is not known well enough",
    "accepts": "accepts it",
}
"""The words for each answer of a provider."""


@dataclass(frozen=True, eq=False)
class Checked:
    """One session's answer: its findings, or the one line that says why it could not be read."""

    path: str
    findings: Findings | None
    error: str = ""

    def fails(self, at: Severity) -> bool:
        """Whether there is a finding at or above a severity."""
        worst = list(Severity)[: list(Severity).index(at) + 1]
        return self.findings is not None and any(finding.severity in worst for finding in self.findings)


def check_text(checked: Sequence[Checked], fail_on: Severity) -> str:
    """A line a session, under it a line a finding, ending in a newline."""
    return "".join(f"{line}\n" for one in checked for line in _lines(one, fail_on))


def _lines(one: Checked, fail_on: Severity) -> Iterator[str]:
    if one.findings is None:
        yield f"unread  {visible(one.path)}"
        return
    word = "failed" if one.fails(fail_on) else "ok"
    yield f"{word:<6}  {visible(one.path)}: {found_words(one.findings)}; {verdict_words(one.findings.verdict)}"
    yield from (f"        {line}" for line in finding_lines(one.findings))


def check_json(checked: Sequence[Checked], fail_on: Severity) -> dict[str, Json]:
    """An object a session; one that could not be read has `error` in place of `findings`."""
    files: list[Json] = []
    for one in checked:
        if one.findings is None:
            files.append({"path": one.path, "ok": False, "error": one.error})
        else:
            found: list[Json] = [finding.to_dict() for finding in one.findings]
            files.append({"path": one.path, "ok": not one.fails(fail_on), "findings": found})
    return {"files": files}


def found_words(findings: Sequence[Finding]) -> str:
    """How many there are of each severity: "2 errors, 1 warning"."""
    counts = [(sum(finding.severity is severity for finding in findings), severity.value) for severity in Severity]
    words = [counted(count, word) if word != "info" else f"{count:,} info" for count, word in counts if count]
    return ", ".join(words) or "nothing found"


def verdict_words(verdict: Verdict) -> str:
    """A provider's answer in a few words, with the rule that it is for."""
    finding = verdict.finding
    why = ""
    if finding is not None:
        why = f", {finding.code}" + (f" at #{finding.items[0]}" if finding.items else "")
    return f"{verdict.provider} {ANSWERS[verdict.answer]}{why}"


def finding_lines(findings: Sequence[Finding], most: int | None = None) -> Iterator[str]:
    """A line a finding in columns; after `most` of them one that says how many more there are."""
    shown = findings[:most]
    code_width = max((len(finding.code) for finding in shown), default=0)
    where_width = max((len(item_words(finding)) for finding in shown), default=0)
    for finding in shown:
        severity = f"{finding.severity:<7}"
        message = visible(finding.message) + sure_words(finding)
        yield f"{severity}  {finding.code:<{code_width}}  {item_words(finding):<{where_width}}  {message}"
    if len(findings) > len(shown):
        yield f"and {len(findings) - len(shown):,} more"


def item_words(finding: Finding) -> str:
    """The items that a finding is about: "#34", or "#34 and 2 more"."""
    if not finding.items:
        return ""
    more = len(finding.items) - 1
    return f"#{finding.items[0]}" + (f" and {more:,} more" if more else "")


def sure_words(finding: Finding) -> str:
    """How sure a finding is, where it is not certain."""
    return "" if finding.certainty.value == "certain" else f" ({finding.certainty})"
