"""What every report for people says: settings, ai4j's eight fields and the states' totals, as words and numbers."""

from __future__ import annotations

from dataclasses import dataclass

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.settings import Settings
from ctxviz.export.signs import SIGN_CODES, sign_codes
from ctxviz.projection.report import ContextReport
from ctxviz.session.model import Session

_TYPE_AWARE_ONLY = ("maxRecentToolResults", "trimOldReasoning")


@dataclass(frozen=True)
class Total:
    """How many items ended with one sign code, and their characters as the gates saw them."""

    code: int
    items: int
    chars: int


def setting_fields(settings: Settings) -> list[tuple[str, str]]:
    """Name and value of each setting that the chosen projector reads, as it acts: negative limits are none."""
    fields: list[tuple[str, str]] = [("projector", settings.projector), ("measure", settings.measure)]
    budget = settings.budget
    acting = {"pinnedPrefixItems": budget.prefix_items, "trimOldReasoning": bool(budget.trim_old_reasoning)}
    for key, value in (budget.to_dict() | acting).items():
        if settings.projector == "type-aware" or key not in _TYPE_AWARE_ONLY:
            fields.append((key, _value(value)))
    return fields


def idle_settings(settings: Settings) -> str:
    """A sentence about what the budget sets and the default projector does not read; empty if there is none."""
    if settings.projector == "type-aware":
        return ""
    budget = settings.budget.to_dict()
    idle = [f"{key} {_value(budget[key])}" for key in _TYPE_AWARE_ONLY if budget[key] not in (None, False)]
    return f"{' and '.join(idle)}: set, but only the type-aware projector reads it." if idle else ""


def report_fields(report: ContextReport) -> list[tuple[str, str]]:
    """The seven fields under ai4j's keys that are one value each; `notes` is a list."""
    return [(key, _value(value)) for key, value in report.to_dict().items() if key != "notes"]


def totals(examination: Examination) -> list[Total]:
    """One total for each sign code that the session has, in the order of `SIGN_CODES`."""
    codes, sizes = sign_codes(examination.projection), examination.projection.source.sizes
    chars = dict.fromkeys(SIGN_CODES, 0)
    for code, size in zip(codes, sizes, strict=True):
        chars[code] += size
    return [Total(code, items, chars[code]) for code in SIGN_CODES if (items := codes.count(code))]


def format_words(session: Session) -> str:
    """The format, and how sure it is where it could be another: "Codex rollout (30 % sure)"."""
    is_in_question = _LAST_RESORT < session.certainty < _SURE
    sure = f" ({100 * session.certainty:.0f} % sure)" if is_in_question else ""
    return f"{session.format_title}{sure}"


def record_words(session: Session) -> str:
    """How many records were read, used and set aside; empty where all that the file has is in the list."""
    census = session.census
    if census is None or not (census.set_aside or census.parts_set_aside):
        return ""
    words = f"{counted(census.read, 'record')} read, {census.used:,} used, {census.set_aside:,} set aside"
    return f"{words}, {counted(census.parts_set_aside, 'part')} left out" if census.parts_set_aside else words


def conversation_words(session: Session) -> str:
    """Which of several conversations it is: "ses_1: Fix the build"; empty where there is no choice."""
    chosen = session.conversation
    if chosen is None:
        return ""
    return f"{chosen.id}: {chosen.title}" if chosen.title and chosen.title != chosen.id else chosen.id


_LAST_RESORT, _SURE = 0.05, 0.45
"""Bare lists and lines of anything are below the first, and not in question; nor is what is above the second:
a plain list of messages can be no surer than half, since narrower formats have messages, too."""


def counted(number: int, noun: str) -> str:
    """`1 item`, `1,200 items`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value >= 0:
        return f"{value:,}"
    return "no limit"
