"""What the projector says to a lesson: which answer is right, and the numbers in its texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ctxviz.analysis.examination import Examination, examine
from ctxviz.lessons.lesson import Ask, Lesson, Step
from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS, KEPT, PINNED, Mark

_FILL = re.compile(r"\{(\w+)(?::(\d+))?\}")
_STATES = {
    PINNED: "pinned",
    KEPT: "kept",
    DROPPED_BY_ITEMS: "dropped by maxItems",
    DROPPED_BY_CHARS: "dropped by maxApproxChars",
}


def scenes(lesson: Lesson, step: Step) -> tuple[Examination, Examination]:
    """The examinations before and after a step's question is answered."""
    session = lesson.load()
    return examine(session, step.scene.settings), examine(session, step.reveal.settings)


def right_answers(ask: Ask, before: Examination, after: Examination) -> list[int]:
    """The places of the answers that the projections give: in a sound lesson there is one."""
    judged = _JUDGES[ask.kind](ask, before, after)
    return [at for at, value in enumerate(ask.values) if judged(value)]


def filled(text: str, examination: Examination) -> str:
    """The text with its numbers: `{size:3}`, `{used:3}`, `{total:3}`, `{over:3}`, `{state:3}` are of item 3;
    `{projectedItemCount}` and the like are the report's, `{maxItems}` and the like the budget's; `{kept}`
    and `{dropped}` list items.
    """
    return _FILL.sub(lambda found: _value(found[1], found[2], examination), text)


def _value(name: str, index: str | None, examination: Examination) -> str:
    report, budget = examination.report.to_dict(), examination.settings.budget.to_dict()
    if index is not None:
        decision = examination.projection.decision(int(index))
        used, limit = decision.used or 0, decision.limit or 0
        numbers = {
            "size": decision.size,
            "used": used,
            "total": used + decision.size,
            "over": used + decision.size - limit,
            "whole": examination.projection.original.sizes[int(index)],
        }
        return _STATES[examination.projection.states[int(index)]] if name == "state" else f"{numbers[name]:,}"
    if name in ("kept", "dropped"):
        kept = set(examination.projection.kept)
        items = [at for at in range(len(examination.session)) if (at in kept) == (name == "kept")]
        return ", ".join(f"#{at}" for at in items) or "nothing"
    value = report[name] if name in report else budget[name]
    if isinstance(value, bool):
        return str(value).lower()
    return "no limit" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


_Judge = Callable[[Ask, Examination, Examination], Callable[[Any], bool]]


def _kept(ask: Ask, before: Examination, after: Examination) -> Callable[[Any], bool]:
    asked = {index for items in ask.values for index in items}
    stay = asked & set(after.projection.kept)
    return lambda items: set(items) == stay


def _state(ask: Ask, before: Examination, after: Examination) -> Callable[[Any], bool]:
    marks = after.projection.marks(ask.item)
    if Mark.CLEARED in marks:  # kept as well, but that is not what is to be seen
        return lambda word: bool(word == Mark.CLEARED.value)
    words = {_STATES[after.projection.states[ask.item]], *(mark.value for mark in marks)}
    return lambda word: word in words


def _report(ask: Ask, before: Examination, after: Examination) -> Callable[[Any], bool]:
    return lambda value: bool(after.report.to_dict()[ask.field] == value)


def _changes(ask: Ask, before: Examination, after: Examination) -> Callable[[Any], bool]:
    old, new = before.report.to_dict(), after.report.to_dict()
    return lambda field: old[field] != new[field]


def _finding(ask: Ask, before: Examination, after: Examination) -> Callable[[Any], bool]:
    codes = {finding.code for finding in after.findings} or {"nothing"}
    return lambda code: code in codes


_JUDGES: dict[str, _Judge] = {
    "kept": _kept,
    "state": _state,
    "report": _report,
    "changes": _changes,
    "finding": _finding,
}
