"""Findings on the screen: they follow the states and the report, newest wins, and never keep a key waiting."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.reactive import var
from textual.timer import Timer
from textual.worker import get_current_worker

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.filtering import ItemFilter
from ctxviz.analysis.finding import Finding
from ctxviz.analysis.providers.names import PROVIDER_NAMES, ProviderName
from ctxviz.session.model import Session
from ctxviz.tui.screens.settings import SettingsScreen

if TYPE_CHECKING:
    from ctxviz.analysis.findings import Findings
    from ctxviz.analysis.providers.rules import Rules

_AT_ONCE_SECONDS, _SLOW_SECONDS = 0.008, 0.05
_PAUSE_SECONDS = 0.12
"""What takes longer than the second waits so long for the next key, which would only end it."""
_AT_ONCE_ITEMS = 300
"""Items in the window: what is more than that is looked at apart until it was seen to be quick."""
_LINKED_AT_ONCE = 5_000


class _Cancelled(Exception):
    pass


class JudgingScreen(SettingsScreen):
    """Owns the findings about the present examination, and the filter over the list."""

    findings: var[Findings | None] = var(None, init=False)
    """None until something was looked for; of an earlier examination while the next is looked at."""
    filter: var[ItemFilter] = var(ItemFilter(), init=False)

    @dataclass(eq=False, repr=False)
    class Found(Message):
        """What was looked for apart is found."""

        findings: Findings
        seconds: float

    _seconds_an_item = 0.0
    """What the last findings took, for each item in the window; 0 before the first."""
    _is_due = False
    _pause: Timer | None = None

    def _watch_examination(self, examination: Examination | None) -> None:
        if examination is None:
            self.findings = None
            self.filter = ItemFilter()
        elif self._is_quick(examination):
            self._look_now(examination)
        else:
            self._look_later(examination)

    def _look_later(self, examination: Examination) -> None:
        """After the paint, since what is looked for must not delay what is known; of a long window when keys rest."""
        self.workers.cancel_group(self, "findings")
        if self._pause is not None:
            self._pause.stop()
            self._pause = None
        if self._seconds_an_item * examination.report.projected_item_count > _SLOW_SECONDS:
            self._pause = self.set_timer(_PAUSE_SECONDS, self._look)
        elif not self._is_due:
            self._is_due = True
            self.call_after_refresh(self._look)

    def _is_quick(self, examination: Examination) -> bool:
        """Whether it is known to take less than a frame."""
        count = examination.report.projected_item_count
        return bool(
            self._seconds_an_item and examination.session.is_linked and count * self._seconds_an_item < _AT_ONCE_SECONDS
        )

    def _look(self) -> None:
        self._is_due = False
        examination = self.examination
        if examination is None:
            return
        is_small = examination.session.is_linked or len(examination.session) <= _LINKED_AT_ONCE
        if is_small and examination.report.projected_item_count <= _AT_ONCE_ITEMS:
            self._look_now(examination)
        else:
            self._look_apart(examination, self._rules())

    def _rules(self) -> Rules:
        """The providers' rules; without the user's own, if these can't be read."""
        from ctxviz.analysis.providers.errors import ProviderRulesError
        from ctxviz.analysis.providers.overrides import rules
        from ctxviz.analysis.providers.rules import Rules

        try:
            return rules()
        except ProviderRulesError as error:
            self.say(f"{error}. The built-in rules are gone by.")
            return Rules()

    def _look_now(self, examination: Examination) -> None:
        from ctxviz.analysis.findings import find

        begin = perf_counter()
        self._take_findings(find(examination, known=self._rules()), perf_counter() - begin)

    @work(thread=True, exclusive=True, group="findings")
    def _look_apart(self, examination: Examination, known: Rules) -> None:
        from ctxviz.analysis.findings import find

        worker = get_current_worker()

        def between() -> None:
            if worker.is_cancelled:
                raise _Cancelled

        begin = perf_counter()
        try:
            findings = find(examination, between, known)
        except _Cancelled:
            return
        if not worker.is_cancelled:
            self.post_message(self.Found(findings, perf_counter() - begin))

    def on_judging_screen_found(self, event: Found) -> None:
        if event.findings.examination is self.examination:
            self._take_findings(event.findings, event.seconds)

    def _take_findings(self, findings: Findings, seconds: float) -> None:
        count = findings.examination.report.projected_item_count
        self._seconds_an_item = seconds / max(count, 30)
        self.findings = findings

    # -- moving ---------------------------------------------------------------------------------------

    def go_to_item(self, index: int) -> None:
        """Select an item, also where the filter hides it."""
        raise NotImplementedError

    def action_finding(self, by: int) -> None:
        """Select the next or the previous item with an error or a warning."""
        findings, at = self.findings, self.selected_item
        places = findings.places if findings is not None and findings.examination is self.examination else None
        if places is None:
            self.say("The findings are still being looked for.")
            return
        if not places:
            self.say("No error and no warning was found.")
            return
        place = bisect_right(places, at) if by > 0 else bisect_left(places, at) - 1
        if not 0 <= place < len(places):
            self.say(f"No finding {'after' if by > 0 else 'before'} #{at}.")
            return
        self.go_to_item(places[place])
        assert findings is not None  # it has places
        self.finding_reached(findings.by_item[places[place]][0])

    def finding_reached(self, finding: Finding) -> None:
        """A finding's item was gone to by key."""

    @property
    def selected_item(self) -> int:
        """The item at the cursor."""
        raise NotImplementedError

    def action_pair(self) -> None:
        """Select the other half of the selected item's pair; of several the next one."""
        session, at = self.session, self.selected_item
        if session is None or not len(session):
            return
        if not session.is_linked:
            self.say("The calls and outputs are still being joined.")
            return
        partners = session.links.partners(at)
        if partners:
            self.go_to_item(partners[0] if partners[-1] < at else next(i for i in partners if i > at))
        else:
            self.say(f"#{at} has no other half: {self._why_single(session, at)}.")

    def _why_single(self, session: Session, at: int) -> str:
        if session.links.of_call(at):
            return "no output answers this call"
        if session.links.of_output(at):
            return "no call of the session asked for this output"
        return "it is no tool call and no tool output, or its output is still to come"

    # -- choices --------------------------------------------------------------------------------------

    def action_filter(self) -> None:
        """Ask which items the list is to show."""
        if self.examination is None:
            self.say("The file is still being read.")
            return
        from ctxviz.tui.screens.filter import FilterScreen

        def taken(chosen: ItemFilter | None) -> None:
            if chosen is not None:
                self.filter = chosen

        self.app.push_screen(FilterScreen(self.examination, self.findings, self.filter), taken)

    def action_request(self) -> None:
        """Show what the provider is sent of the window."""
        examination, findings = self.examination, self.findings
        if examination is None or findings is None:
            self.say("The findings are still being looked for.")
            return
        from ctxviz.tui.screens.reading import ReadingScreen
        from ctxviz.tui.screens.request import request_pages, request_title

        provider = findings.provider
        self.app.push_screen(ReadingScreen(request_title(examination, provider), request_pages(examination, provider)))

    def action_provider(self, provider: ProviderName | None = None) -> None:
        """Go by a provider's rules; without a name by those of the one after the present one."""
        if provider is None:
            now = self.settings.provider or (self.findings.provider if self.findings else PROVIDER_NAMES[-1])
            provider = PROVIDER_NAMES[(PROVIDER_NAMES.index(now) + 1) % len(PROVIDER_NAMES)]
        self.settings = replace(self.settings, provider=provider)
        self.say(f"Findings by the rules of {provider}.")
