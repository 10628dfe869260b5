"""Everything that is wrong or surprising about a projection, and what each provider would say to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, overload

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.finding import Finding, Severity
from ctxviz.analysis.losses import Between, broken_pairs, cut_followers, cut_reasoning, losses
from ctxviz.analysis.providers.names import PROVIDER_NAMES, ProviderName

Answer = Literal["accepts", "refuses", "likely refuses", "unknown"]
"""What a provider would do with the request: `unknown` where a rule of its is not known well enough."""

_ORDER = {severity: at for at, severity in enumerate(Severity)}


class Verdict(NamedTuple):
    """A provider's answer to the projected list, and the worst finding that it is for; None where it accepts."""

    provider: ProviderName
    answer: Answer
    finding: Finding | None


@dataclass(frozen=True, eq=False)
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


def find(examination: Examination, between: Between | None = None) -> Findings:
    """Look for everything; `between` is called now and then, and what it raises ends the work."""
    examination.session.link(between or _nothing)
    chosen = examination.settings.provider or "openai-chat"
    lost = list(losses(examination))
    outputs, calls = broken_pairs(examination, (), between)
    own = [*outputs, *calls, *cut_reasoning(examination), *cut_followers(examination)]
    verdicts = [
        Verdict(provider, "refuses" if own else "accepts", own[0] if own else None) for provider in PROVIDER_NAMES
    ]
    return Findings(examination, chosen, tuple(_sorted([*lost, *own])), tuple(verdicts), frozenset())


def _sorted(found: list[Finding]) -> list[Finding]:
    return sorted(found, key=lambda finding: (_ORDER[finding.severity], finding.items[0] if finding.items else -1))


def _nothing() -> None:
    pass
