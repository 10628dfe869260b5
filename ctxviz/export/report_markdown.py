"""``report --format markdown``: the answer for an issue, a review or a chat."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.explanation import explain
from ctxviz.analysis.strip import cell_states
from ctxviz.export.check import found_words, item_words, sure_words, verdict_words
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
from ctxviz.export.signs import WORDS, Signs, signs
from ctxviz.export.visible import visible

_STRIP_WIDTH = 80
_MARKDOWN = re.compile(r"[\\`*_\[\]|~$]")
_ENTITIES = {"&": "&amp;", "<": "&lt;"}


def report_markdown(examination: Examination, *, items: bool = True, ascii_signs: bool = False) -> str:
    """The report as GitHub's Markdown, ending in a newline; `items` adds a row for each item."""
    return "\n".join(_lines(examination, items, signs(ascii_only=ascii_signs))) + "\n"


def escaped(text: str) -> str:
    """Text from a session as itself: no markup, no HTML, no line breaks, no hidden characters."""
    text = _MARKDOWN.sub(r"\\\g<0>", visible(text))
    return re.sub("[&<]", lambda match: _ENTITIES[match[0]], text)


def _lines(examination: Examination, items: bool, chosen: Signs) -> Iterator[str]:
    session, projection = examination.session, examination.projection
    yield f"# Context report: {escaped(session.name)}"
    yield ""
    facts = [
        ("session", escaped(session.path)),
        ("format", escaped(format_words(session))),
        ("items", f"{len(session):,}"),
        ("approximate characters", f"{projection.original.index.chars(0, len(session)):,}"),
        ("model calls", f"{len(session.calls):,}"),
    ]
    if aside := record_words(session):
        facts.insert(2, ("records", aside))
    if conversation := conversation_words(session):
        facts.insert(1, ("conversation", escaped(conversation)))
    yield from _table("session", facts)
    remarks = [f"Warning: {escaped(warning)}" for warning in session.warnings]
    if session.nothing:
        remarks.insert(0, escaped(session.nothing))
    if remarks:
        yield ""
        yield from (f"- {remark}" for remark in remarks)
    yield from ("", "## Settings", "")
    yield from _table("setting", setting_fields(examination.settings))
    idle = idle_settings(examination.settings)
    if idle:
        yield from ("", idle)
    yield from ("", "## Report", "")
    yield from _table("field", [*report_fields(examination.report), ("notes", _notes(examination))])
    if not len(session):
        return
    yield from ("", "## Session", "", "```text")
    yield "".join(map(chosen.cell.__getitem__, cell_states(projection, _STRIP_WIDTH)))
    yield from ("```", "")
    for total in totals(examination):
        size = f"{counted(total.items, 'item')}, {counted(total.chars, 'char')}"
        yield f"- {chosen.item[total.code]} {WORDS[total.code]}: {size}"
    yield from _findings(examination)
    if items:
        yield from ("", "## Items", "", "| # | state | kind | chars | reason |", "| ---: | --- | --- | ---: | --- |")
        yield from (_item(examination, index, chosen) for index in range(len(session)))


def _table(name: str, rows: list[tuple[str, str]]) -> Iterator[str]:
    yield f"| {name} | value |"
    yield "| --- | ---: |"
    yield from (f"| {label} | {value} |" for label, value in rows)


def _notes(examination: Examination) -> str:
    return "<br>".join(map(escaped, examination.report.notes)) or "none"


def _findings(examination: Examination) -> Iterator[str]:
    findings = examination.findings
    yield from ("", "## Findings", "", found_words(findings))
    if findings:
        yield from ("", "| severity | code | items | what |", "| --- | --- | --- | --- |")
    for finding in findings:
        what = escaped(finding.message) + sure_words(finding)
        yield f"| {finding.severity} | {finding.code} | {item_words(finding)} | {what} |"
    yield ""
    yield from (f"- {verdict_words(verdict)}" for verdict in findings.verdicts)


def _item(examination: Examination, index: int, chosen: Signs) -> str:
    explanation = explain(examination, index)
    decision = explanation.decision
    state = [decision.state.value, *([f"gate {decision.gate}"] if decision.gate else []), *decision.marks]
    reason = escaped(explanation.sentence.translate(chosen.sentences))
    return f"| {index} | {', '.join(state)} | {examination.session.kind(index)} | {decision.size:,} | {reason} |"
