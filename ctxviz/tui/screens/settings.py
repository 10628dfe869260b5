"""The one loop: something is done, `settings` is replaced, one new `Examination` goes down to all parts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter

from textual import work
from textual.message import Message
from textual.reactive import var
from textual.screen import Screen
from textual.worker import get_current_worker

from ctxviz.analysis.examination import Examination, examine, takes_long
from ctxviz.analysis.settings import PROJECTOR_NAMES, Settings
from ctxviz.projection.measure import MEASURES
from ctxviz.session.loading import Progress
from ctxviz.session.model import Session
from ctxviz.tui.controls import Control, Field, controls, with_value
from ctxviz.tui.paint import INKS
from ctxviz.tui.widgets.budget import TRIM, Budget, ControlName

_SLOW_SECONDS = 0.008
"""An examination that takes longer is made once for all the keys that came meanwhile."""


class SettingsScreen(Screen[None]):
    """Owns session and settings, and everything that changes them; shows nothing itself."""

    COMPONENT_CLASSES = INKS

    # `var`, not `reactive`: a change repaints the parts that show it, never the whole screen.
    session: var[Session | None] = var(None, init=False)
    """While loading, one of the first items only."""
    settings: var[Settings] = var(Settings, init=False)
    examination: var[Examination | None] = var(None, init=False)
    """None until the session is read whole."""
    previous: var[Examination | None] = var(None, init=False)
    """The examination before the last change; a drag counts as one change, from its start."""
    progress: var[Progress | None] = var(None, init=False)
    """How far loading is; None when it is done."""
    active: var[ControlName] = var[ControlName]("max_items", init=False)
    """The control used last."""

    @dataclass(eq=False, repr=False)
    class Examined(Message):
        """What takes long is found."""

        examination: Examination

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.opened_with = settings
        self.set_reactive(SettingsScreen.settings, settings)
        self._remembered: dict[Field, int] = {}
        self._drag_from: Examination | None = None
        self._last_cost = 0.0
        self._examination_is_due = False

    def say(self, text: str) -> None:
        """Tell the person something in a sentence."""
        raise NotImplementedError

    def begin_with(self, settings: Settings) -> None:
        """Forget the session that is shown; another follows, under these settings."""
        self.session = self.examination = self.previous = None
        self.opened_with = self.settings = settings
        self._remembered.clear()

    def show_session(self, session: Session) -> None:
        """Examine a session from now on, under the settings as they are."""
        self.session = session
        self.previous = None
        self._examine()

    def watch_settings(self, before: Settings, after: Settings) -> None:
        if self.examination is None or before == after:
            return
        if self.session is not None and takes_long(self.session, after):
            self.say(f"Going over {len(self.session):,} items for {after.projector}, {after.measure}…")
            self._examine_apart(self.session, after)
        elif self._last_cost < _SLOW_SECONDS:
            self._examine()
        elif not self._examination_is_due:
            self._examination_is_due = True
            self.call_after_refresh(self._examine)

    def _examine(self) -> None:
        self._examination_is_due = False
        if self.session is None:
            return
        shown = self.examination
        # A new session can't wait: nothing of it may be drawn by what is known of another.
        if shown is not None and shown.session is self.session and takes_long(self.session, self.settings):
            return
        begin = perf_counter()
        examination = examine(self.session, self.settings)
        _ = examination.projection.states, examination.counts  # what every frame needs belongs to the cost
        self._last_cost = perf_counter() - begin
        self._take(examination)

    def examine_ahead(self, session: Session) -> None:
        """Find out, in a thread, what takes long about a session that is to be shown under the settings as they are."""
        if takes_long(session, self.settings):
            _ = examine(session, self.settings).projection.states

    @work(thread=True, exclusive=True, group="examine")
    def _examine_apart(self, session: Session, settings: Settings) -> None:
        """Find out what takes long; the newest settings win."""
        worker = get_current_worker()
        examination = examine(session, settings)
        _ = examination.projection.states, examination.counts
        if not worker.is_cancelled:
            self.post_message(self.Examined(examination))

    def on_settings_screen_examined(self, event: Examined) -> None:
        if event.examination.session is self.session:
            self.say("")
            # Keys may have come meanwhile: what is known now makes the rest quick.
            self._examine()

    def _take(self, examination: Examination) -> None:
        before = self.examination
        if before is not None and before.session is self.session and before.settings != self.settings:
            self.previous = self._drag_from or before
        self.examination = examination

    def control(self, field: ControlName) -> Control | None:
        """A control as it stands, also before its examination follows; None if there is no such number."""
        items = self.progress.items_done or 0 if self.progress else 0
        found = controls(self.examination, self.settings, items)
        return next((control for control in found if control.field == field), None)

    # -- numbers ------------------------------------------------------------------------------------

    def _set(self, field: Field, value: int | None) -> None:
        self.settings = with_value(self.settings, field, value)

    def action_step(self, field: Field, by: int) -> None:
        """Move a number by so many steps."""
        control = self.control(field)
        if control is not None:
            self.active = field
            if control.value is None and self.examination is None:
                self.say(f"{control.label} can be lowered from “no limit” when the session is read; a digit types it.")
            else:
                self._set(field, control.moved(by))
        else:
            self._say_type_aware_only("maxRecentToolResults")

    def action_unlimited(self, field: Field | None = None) -> None:
        """Take the limit away, or give it back as it was; without a field, of the control used last."""
        if field is not None:
            self.active = field
        control = self.control(self.active)
        if control is None or not control.has_no_limit:
            return
        if control.value is None:
            self._set(control.field, self._remembered.get(control.field, control.range_end))
        else:
            self._remembered[control.field] = control.value
            self._set(control.field, None)

    def action_set(self, field: Field) -> None:
        """Ask for a number's value."""
        self.active = field
        self.action_type_number()

    def action_type_number(self, digit: str = "") -> None:
        """Ask for the value of the control used last, begun with a digit."""
        control = self.control(self.active)
        if control is None:
            return
        from ctxviz.tui.numbers import limit_prompt, typed_limit  # not needed for the first paint

        field = control.field

        def taken(text: str | None) -> None:
            if text is not None:
                self._set(field, typed_limit(text))

        self.app.push_screen(limit_prompt(control, digit), taken)

    def on_budget_stepped(self, event: Budget.Stepped) -> None:
        self.action_step(event.field, event.steps)

    def on_budget_moved(self, event: Budget.Moved) -> None:
        if event.dragged and self._drag_from is None:
            self._drag_from = self.examination
        self._set(event.field, event.value)

    def on_budget_drag_ended(self) -> None:
        if self._examination_is_due:
            self._examine()
        self._drag_from = None

    def on_budget_chosen(self, event: Budget.Chosen) -> None:
        self.active = event.name

    def on_budget_limit_toggled(self, event: Budget.LimitToggled) -> None:
        self.action_unlimited(event.field)

    # -- choices ------------------------------------------------------------------------------------

    def action_projector(self) -> None:
        """Switch to the other projector."""
        following = PROJECTOR_NAMES[(PROJECTOR_NAMES.index(self.settings.projector) + 1) % len(PROJECTOR_NAMES)]
        self.settings = replace(self.settings, projector=following)
        if self.control(self.active) is None and following == "default":
            self.active = "max_items"

    def action_measure(self) -> None:
        """Switch to the next measure."""
        following = MEASURES[(MEASURES.index(self.settings.measure) + 1) % len(MEASURES)]
        self.settings = replace(self.settings, measure=following)

    def action_trim_reasoning(self) -> None:
        """Switch trimOldReasoning on or off."""
        if self.settings.projector == "type-aware":
            self.active = TRIM
            self._set_trim(not self.settings.budget.trim_old_reasoning)
        else:
            self._say_type_aware_only("trimOldReasoning")

    def action_reset(self) -> None:
        """Go back to the settings that the session was opened with."""
        self.settings = self.opened_with

    def on_budget_projector_chosen(self, event: Budget.ProjectorChosen) -> None:
        if event.projector != self.settings.projector:
            self.action_projector()

    def on_budget_measure_chosen(self, event: Budget.MeasureChosen) -> None:
        self.settings = replace(self.settings, measure=event.measure)

    def on_budget_trim_chosen(self, event: Budget.TrimChosen) -> None:
        self._set_trim(event.trim)

    def _set_trim(self, trim: bool) -> None:
        self.settings = replace(self.settings, budget=replace(self.settings.budget, trim_old_reasoning=trim))

    def _say_type_aware_only(self, name: str) -> None:
        self.say(f"{name} is read by the type-aware projector only: t switches to it.")
