"""Which items a filter lets through."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.finding import Severity
from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS, KEPT, PINNED
from ctxviz.session.item import KINDS, Kind

if TYPE_CHECKING:
    from ctxviz.analysis.findings import Findings

STATES = {
    "pinned": (PINNED,),
    "kept": (KEPT,),
    "dropped by maxItems": (DROPPED_BY_ITEMS,),
    "dropped by maxApproxChars": (DROPPED_BY_CHARS,),
}
"""The states to choose from, with their bytes."""

CLEARED = "cleared"
"""Is chosen among the states, and holds beside them."""


@dataclass(frozen=True)
class ItemFilter:
    """An item is let through if it is of one of the states, of one of the kinds, and has one of the findings.

    An empty set asks for nothing. `findings` holds severities and codes.
    """

    states: frozenset[str] = frozenset()
    kinds: frozenset[Kind] = frozenset()
    findings: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.states or self.kinds or self.findings)

    def __str__(self) -> str:
        """The choices in words: "dropped by maxItems, tool-output"."""
        kinds = (kind.value for kind in KINDS if kind in self.kinds)
        return ", ".join([*sorted(self.states), *kinds, *sorted(self.findings)])


def matching(examination: Examination, findings: Findings | None, chosen: ItemFilter) -> Sequence[int]:
    """The items let through, in order: all for an empty filter. While nothing is found yet none has a finding."""
    count = len(examination.session)
    if not chosen:
        return range(count)
    items: Sequence[int] = range(count)
    if chosen.states:
        codes = {code for name in chosen.states for code in STATES.get(name, ())}
        items = _of_codes(examination.projection.states, codes)
        if CLEARED in chosen.states:
            items = sorted({*items, *examination.projection.cleared})
    if chosen.kinds:
        kinds = examination.session.kinds
        of_kind = {KINDS.index(kind) for kind in chosen.kinds}
        if isinstance(items, range):
            items = _of_codes(kinds, of_kind)
        else:
            items = array("q", (index for index in items if kinds[index] in of_kind))
    if chosen.findings:
        found = _with_findings(findings, chosen.findings) if findings is not None else set()
        items = sorted(found) if isinstance(items, range) else array("q", (index for index in items if index in found))
    return items


def _of_codes(codes: bytes, wanted: set[int]) -> array[int]:
    is_wanted = codes.translate(bytes(code in wanted for code in range(256)))
    return array("q", compress(range(len(codes)), is_wanted))


def _with_findings(findings: Findings, wanted: frozenset[str]) -> set[int]:
    return {index for one in findings.found if one.code in wanted or one.severity in wanted for index in one.items}


def choices(examination: Examination, findings: Findings | None) -> dict[str, list[tuple[str, int]]]:
    """What there is to choose from in each group, with how many items have it; what no item has is left out."""
    states, kinds = examination.projection.states, examination.session.kinds
    of_states = [(name, sum(states.count(code) for code in codes)) for name, codes in STATES.items()]
    of_states.append((CLEARED, len(examination.projection.cleared)))
    of_kinds = [(kind.value, kinds.count(at)) for at, kind in enumerate(KINDS)]
    of_findings: dict[str, set[int]] = {severity.value: set() for severity in Severity}
    for finding in findings.found if findings is not None else ():
        of_findings[finding.severity.value].update(finding.items)
        of_findings.setdefault(finding.code, set()).update(finding.items)
    groups = {
        "State": of_states,
        "Kind": of_kinds,
        "Finding": [(name, len(items)) for name, items in of_findings.items()],
    }
    return {name: [entry for entry in entries if entry[1]] for name, entries in groups.items()}
