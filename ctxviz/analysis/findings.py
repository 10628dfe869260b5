"""Everything that is wrong or surprising about a projection, and what each provider would say to it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, overload

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.finding import Certainty, Finding, Severity
from ctxviz.analysis.losses import Between, broken_pairs, cut_followers, cut_reasoning, losses
from ctxviz.analysis.providers.entries import Entry, entry_of
from ctxviz.analysis.providers.names import PROVIDER_NAMES, ProviderName, provider_of
from ctxviz.analysis.providers.observations import Observations, Seen
from ctxviz.analysis.providers.overrides import rules
from ctxviz.analysis.providers.request import Client, NotSent, client_of, sent
from ctxviz.analysis.providers.rules import Grade, Rules

Answer = Literal["accepts", "refuses", "likely refuses", "unknown"]
"""What a provider would do with the request: `unknown` where a rule of its is not known well enough."""

_TOLD_EACH = 256
_ORDER = {severity: at for at, severity in enumerate(Severity)}


class Verdict(NamedTuple):
    """A provider's answer to the projected list, and the worst finding that it is for; None where it accepts."""

    provider: ProviderName
    answer: Answer
    finding: Finding | None


@dataclass(frozen=True, eq=False, repr=False)
class Findings(Sequence[Finding]):
    """What was found about an examination: the worst first, then in the order of the session.

    `provider` is the one whose rules were gone by, `verdicts` has one for each provider, `not_sent`
    the items in the window that ai4j's client leaves out of the request.
    """

    examination: Examination
    provider: ProviderName
    found: tuple[Finding, ...]
    verdicts: tuple[Verdict, ...]
    not_sent: frozenset[int]

    def __len__(self) -> int:
        return len(self.found)

    @overload
    def __getitem__(self, at: int) -> Finding: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Finding]: ...
    def __getitem__(self, at: int | slice) -> Finding | Sequence[Finding]:
        return self.found[at]

    @cached_property
    def by_item(self) -> dict[int, tuple[Finding, ...]]:
        """The findings about each item that has some, the worst first, but for holes: they have a mark of their own."""
        found: dict[int, tuple[Finding, ...]] = {}
        for finding in self.found:
            if finding.code != "hole":
                for index in finding.items:
                    found[index] = (*found.get(index, ()), finding)
        return found

    @cached_property
    def places(self) -> list[int]:
        """The items with an error or a warning, in order."""
        return sorted(index for index, found in self.by_item.items() if found[0].severity is not Severity.INFO)

    @cached_property
    def errors(self) -> list[int]:
        """The items with an error, in order."""
        return sorted(index for index, found in self.by_item.items() if found[0].severity is Severity.ERROR)

    def count(self, severity: object) -> int:
        """How many findings are of a severity."""
        return sum(finding.severity is severity for finding in self.found)

    @property
    def verdict(self) -> Verdict:
        """That of the provider whose rules were gone by."""
        return next(verdict for verdict in self.verdicts if verdict.provider == self.provider)


def find(examination: Examination, between: Between | None = None, known: Rules | None = None) -> Findings:
    """Look for everything; `between` is called now and then, and what it raises ends the work.

    `known` are the providers' rules, without them those with the user's own over them, which raises
    `ProviderRulesError` if these can't be read.
    """
    examination.session.link(between or _nothing)
    known, settings = rules() if known is None else known, examination.settings
    chosen = settings.provider or provider_of(examination.session)
    lost = list(losses(examination))
    seen: dict[Client | None, _Seen] = {}
    verdicts, found, not_sent = [], lost, frozenset[int]()
    for provider in PROVIDER_NAMES:
        client = client_of(provider) if examination.session.format.startswith("ai4j-") else None
        if client not in seen:
            seen[client] = _look(examination, client, between)
        model = settings.model if provider == chosen else None
        own = _sorted(list(_graded(seen[client], provider, model, known)))
        verdicts.append(_verdict(provider, own))
        if provider == chosen:
            not_sent = frozenset(seen[client].not_sent)
            found = _sorted([*lost, *_without_empty(own, lost), *_left_out(seen[client])])
    findings = Findings(examination, chosen, tuple(found), tuple(verdicts), not_sent)
    _ = findings.places, findings.errors  # here, and not where they are drawn
    return findings


@dataclass(frozen=True, eq=False)
class _Seen:
    """What is to be seen in the request, by check, and what is not in it."""

    by_check: Mapping[str, Sequence[Seen]]
    not_sent: Mapping[int, str]


def _look(examination: Examination, client: Client | None, between: Between | None) -> _Seen:
    """One pass over the window, as it is or as ai4j's client sends it."""
    items: array[int] = array("q")
    entries: list[Entry] = []
    not_sent: dict[int, str] = {}
    shared: dict[Entry, Entry] = {}
    source = examination.projection.source.items
    for start, stop in examination.projection.selection.runs:
        for index in range(start, stop):
            if between is not None and not index % _TOLD_EACH:
                between()
            item = source[index]
            if client is not None:
                made = sent(item, client)
                if isinstance(made, NotSent):
                    not_sent[index] = made.why
                    continue
                item = made
            entry = entry_of(item)
            items.append(index)
            entries.append(shared.setdefault(entry, entry))
    seen = Observations(items, entries, has_prompt=client is not None, between=between).seen
    outputs, calls = broken_pairs(examination, not_sent, between)
    more = {
        "orphan_output": outputs,
        "orphan_call": calls,
        "orphan_reasoning": list(cut_reasoning(examination)),
        "cut_follower": list(cut_followers(examination)),
    }
    if examination.session.format not in _REQUESTS and len(items) and items[-1] == len(examination.session) - 1:
        seen.pop("last_is_model", None)
    # Torn pairs first: what else is wrong with an item mostly follows from it.
    torn = {check: [(tuple(one.items), one.message) for one in found] for check, found in more.items()}
    by_check = {**torn, **seen}
    if len(examination.session) and not items:
        by_check["no_message"] = [((), "no message is left in the request")]
    return _Seen(by_check, not_sent)


def _graded(seen: _Seen, provider: ProviderName, model: str | None, known: Rules) -> Iterator[Finding]:
    """What a provider minds of what is seen; one finding for a code and its items."""
    told: set[tuple[str, tuple[int, ...]]] = set()
    for check, those in seen.by_check.items():
        rule = known.rule(check, provider, model) if those else None
        if rule is None:
            continue
        severity, certainty = _OF_GRADE[rule.grade]
        for items, message in those:
            if (rule.code, items) not in told:
                told.add((rule.code, items))
                yield Finding(rule.code, severity, certainty, items, message, provider)


def _left_out(seen: _Seen) -> Iterator[Finding]:
    for index, why in seen.not_sent.items():
        yield Finding("not-sent", Severity.INFO, Certainty.CERTAIN, (index,), why)


def _without_empty(own: list[Finding], lost: list[Finding]) -> list[Finding]:
    """A provider's findings, but that the list is empty where that is said already."""
    is_said = any(finding.code == "empty" for finding in lost)
    return [finding for finding in own if not (is_said and finding.code == "empty")]


def _verdict(provider: ProviderName, own: list[Finding]) -> Verdict:
    errors = [finding for finding in own if finding.severity is Severity.ERROR]
    certain = next((finding for finding in errors if finding.certainty is Certainty.CERTAIN), None)
    if certain is not None:
        return Verdict(provider, "refuses", certain)
    if errors:
        return Verdict(provider, "likely refuses", errors[0])
    return Verdict(provider, "unknown", own[0]) if own else Verdict(provider, "accepts", None)


def _sorted(found: list[Finding]) -> list[Finding]:
    return sorted(found, key=lambda finding: (_ORDER[finding.severity], finding.items[0] if finding.items else -1))


def _nothing() -> None:
    pass


_REQUESTS = ("openai-chat", "openai-responses", "anthropic-messages", "json-list", "json-lines")
"""Formats that hold a request. The others are of runs, which end with the answer: the next request adds to it."""

_OF_GRADE: dict[Grade, tuple[Severity, Certainty]] = {
    "E": (Severity.ERROR, Certainty.CERTAIN),
    "E?": (Severity.ERROR, Certainty.LIKELY),
    "U": (Severity.WARNING, Certainty.UNKNOWN),
}
