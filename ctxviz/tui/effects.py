"""What a command would do now, in a few words: for the command palette."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ctxviz.analysis.examination import Examination, examine
from ctxviz.analysis.settings import PROJECTOR_NAMES, Settings
from ctxviz.projection.measure import MEASURES
from ctxviz.tui.controls import controls, with_value

if TYPE_CHECKING:
    from ctxviz.analysis.findings import Findings

_PROVIDER = re.compile(r"provider\('([\w-]+)'\)")
_STEP = re.compile(r"step\('(\w+)', (-?1)\)")


def effect(
    action: str,
    examination: Examination | None,
    opened_with: Settings,
    active: str,
    find: str,
    findings: Findings | None = None,
) -> str:
    """One line about `action`, "" if its name says it all."""
    if examination is None:
        return "when the session is read"
    settings = examination.settings
    if step := _STEP.fullmatch(action):
        return _of_step(examination, step[1], int(step[2]))
    if provider := _PROVIDER.fullmatch(action):
        return _of_provider(provider[1], findings)
    match action:
        case "projector":
            other = PROJECTOR_NAMES[(PROJECTOR_NAMES.index(settings.projector) + 1) % len(PROJECTOR_NAMES)]
            return f"{settings.projector} to {other}: {_outcome(examination, replace(settings, projector=other))}"
        case "measure":
            other_measure = MEASURES[(MEASURES.index(settings.measure) + 1) % len(MEASURES)]
            changed = replace(settings, measure=other_measure)
            return f"{settings.measure} to {other_measure}: {_outcome(examination, changed)}"
        case "trim_reasoning":
            if settings.projector != "type-aware":
                return "for the type-aware projector only"
            trim = not settings.budget.trim_old_reasoning
            changed = replace(settings, budget=replace(settings.budget, trim_old_reasoning=trim))
            return f"{'on' if trim else 'off'}: {_outcome(examination, changed)}"
        case "reset":
            return "nothing was changed" if settings == opened_with else _outcome(examination, opened_with)
        case "unlimited" | "type_number":
            return f"of {active}"
        case "set('max_items')" | "set('max_approx_chars')":
            return "type a number, or none"
        case "set('pinned_prefix_items')":
            return "type a number"
        case "unlimited('max_items')" | "unlimited('max_approx_chars')":
            return _of_limit(examination, action.split("'")[1])
        case "find_again(1)" | "find_again(-1)":
            return f"of “{find}”" if find else "nothing to find yet"
        case "dropped(1)" | "dropped(-1)":
            return f"{examination.report.dropped_item_count:,} dropped"
        case "finding(1)" | "finding(-1)":
            count = len(findings.places) if findings else 0
            return f"{count:,} item{'' if count == 1 else 's'} with an error or a warning" if findings else ""
        case "filter":
            return "by state, kind and finding"
        case "explain":
            return "from the decision about the selected item"
        case "provider":
            return f"now {findings.provider}" if findings else ""
        case "request":
            return f"to {findings.provider}" if findings else ""
        case "go_to":
            return "by number"
        case "messages":
            count = len(examination.session.warnings)
            return f"{count:,} warning{'' if count == 1 else 's'}" if count else "nothing was skipped"
        case "set_aside":
            census = examination.session.census
            return f"{census.set_aside:,} of {census.read:,}" if census else "this format has none"
        case "conversation":
            chosen = examination.session.conversation
            return f"now {chosen.id}" if chosen else "the file holds one"
        case _:
            return ""


def _of_provider(name: str, findings: Findings | None) -> str:
    """What a provider says now."""
    verdict = next((one for one in findings.verdicts if one.provider == name), None) if findings else None
    if verdict is None:
        return ""
    return verdict.answer + (f": {verdict.finding.code}" if verdict.finding else " the list")


def _of_step(examination: Examination, field: str, by: int) -> str:
    control = next((control for control in controls(examination, examination.settings) if control.field == field), None)
    if control is None:
        return "for the type-aware projector only"
    value = control.moved(by)
    if value == control.value:
        return f"{_shown(value)} is the {'least' if by < 0 else 'greatest'} that matters"
    changed = with_value(examination.settings, control.field, value)
    return f"{_shown(control.value)} to {_shown(value)}: {_outcome(examination, changed)}"


def _of_limit(examination: Examination, field: str) -> str:
    control = next(control for control in controls(examination, examination.settings) if control.field == field)
    if control.value is None:
        return "no limit now"
    return (
        f"{control.value:,} to no limit: {_outcome(examination, with_value(examination.settings, control.field, None))}"
    )


def _shown(value: int | None) -> str:
    return "no limit" if value is None else f"{value:,}"


def _outcome(before: Examination, settings: Settings) -> str:
    after = examine(before.session, settings)
    count = after.report.projected_item_count
    if after.projection.states == before.projection.states and after.projection.cleared == before.projection.cleared:
        return f"the same {count:,} item{'' if count == 1 else 's'}"
    return f"{count:,} item{'' if count == 1 else 's'}, {after.report.projected_approx_chars:,} chars"
