"""The live controls: projector, measure, and the numbers of the budget."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.reactive import reactive

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.settings import PROJECTOR_NAMES, ProjectorName, Settings
from ctxviz.projection.measure import MEASURES, Measure
from ctxviz.session.loading import Progress
from ctxviz.tui.controls import LARGE_STEP, Control, Field, controls
from ctxviz.tui.layout import Layout
from ctxviz.tui.paint import Panel, Row
from ctxviz.tui.widgets.heading import counts_row

ControlName = Literal[Field, "trim_old_reasoning"]
TRIM: Literal["trim_old_reasoning"] = "trim_old_reasoning"
_INSET = 3
_END_ROOM = 8


@dataclass(frozen=True)
class _Track:
    """What a click on a bar means: which control, and where its bar begins and how long it is."""

    field: Field
    begin: int
    width: int


class Budget(Panel, can_focus=True):
    """All controls in one part, so that it is one stop of Tab; up and down choose the control.

    What is shown comes from above and is never changed here: what the person does is posted.
    """

    BINDINGS = [
        Binding("up", "choose(-1)", "control above", show=False),
        Binding("down", "choose(1)", "control below", show=False),
        Binding("left", "step(-1)", "step down", show=False),
        Binding("right", "step(1)", "step up", show=False),
        Binding("pageup", "large_step(1)", "large step up", show=False),
        Binding("pagedown", "large_step(-1)", "large step down", show=False),
        Binding("home", "to_end(0)", "least", show=False),
        Binding("end", "to_end(1)", "greatest", show=False),
        Binding("enter", "switch", "on or off", show=False),
    ]

    examination: reactive[Examination | None] = reactive(None)
    settings: reactive[Settings] = reactive(Settings)
    progress: reactive[Progress | None] = reactive(None)
    active: reactive[ControlName] = reactive[ControlName]("max_items")
    """The control used last: digits and `u` mean it."""
    place: reactive[Layout | None] = reactive(None)

    @dataclass(eq=False, repr=False)
    class Stepped(Message):
        """A number is to go so many steps down (negative) or up."""

        field: Field
        steps: int

    @dataclass(eq=False, repr=False)
    class Moved(Message):
        """A number is to be `value`; `dragged` while the mouse holds the knob."""

        field: Field
        value: int
        dragged: bool = False

    @dataclass(eq=False, repr=False)
    class Chosen(Message):
        """Another control is the one in use."""

        name: ControlName

    @dataclass(eq=False, repr=False)
    class ProjectorChosen(Message):
        """The other projector was clicked."""

        projector: ProjectorName

    @dataclass(eq=False, repr=False)
    class MeasureChosen(Message):
        """Another measure was clicked."""

        measure: Measure

    @dataclass(eq=False, repr=False)
    class TrimChosen(Message):
        """`trimOldReasoning` was switched."""

        trim: bool

    @dataclass(eq=False, repr=False)
    class LimitToggled(Message):
        """The unlimited sign of a control was clicked."""

        field: Field

    @dataclass(eq=False, repr=False)
    class DragEnded(Message):
        """The mouse let go of the knob."""

    def __init__(self) -> None:
        super().__init__()
        self._dragged: _Track | None = None

    @property
    def _controls(self) -> tuple[Control, ...]:
        items = self.progress.items_done or 0 if self.progress else 0
        return controls(self.examination, self.settings, items)

    # -- drawing --------------------------------------------------------------------------------

    def rows(self, width: int, height: int) -> Iterable[Row]:
        if self.place is None:
            return []
        if self.place.mode == "wide":
            return self._wide(self.place, width)
        return self._narrow(width, height)

    def _wide(self, place: Layout, width: int) -> list[Row]:
        left, end = _INSET - 1, width - 2
        is_folded = place.budget_style == "folded"
        heading = self.heading(width, "Budget", focused=self.has_focus, extra=self._choices() if is_folded else None)
        rows = [self.end_heading(heading, width, focused=self.has_focus)]
        if not is_folded:
            rows.append(self._switches(left, end))
        if place.budget_style == "full":
            rows.append(self.row())
        room = max((len(f"{control.range_end:,}") for control in self._controls), default=0) + 1
        track = end - left - max(room, _END_ROOM)
        for control in self._controls:
            if is_folded:
                rows.append(self._folded(control, left, end))
                continue
            label = self._cursor(control.field).to(left).add(control.label, self._label_ink(control.field))
            rows.append(self._value(label, control, end))
            bar = self._cursor(control.field).to(left)
            self._bar(bar, control, track)
            shown = f"{control.range_end:,}" if self.examination else self.signs.ellipsis
            rows.append(bar.right(end, shown, "muted"))
        if self.settings.projector == "type-aware":
            rows.append(self._trim(left, end))
        return rows

    def _narrow(self, width: int, height: int) -> list[Row]:
        left, end = 2, width - 3
        settings, focused = self.settings, self.has_focus
        extra = self._choices()
        tail = self.row()
        if self.examination:
            counts_row(tail, self.signs, self.examination, words=False)
        heading = self.heading(width, "Budget", focused=focused, extra=extra)
        if heading.cells + tail.cells + 4 > width:
            heading = self.heading(width, "Budget", focused=focused)
        rows = [self.end_heading(heading, width, focused=focused, tail=tail)]
        lines = [self._folded(control, left, end) for control in self._controls]
        names_: list[ControlName] = [control.field for control in self._controls]
        if settings.projector == "type-aware":
            lines.append(self._trim(left, end))
            names_.append(TRIM)
        shown = max(height - 1, 1)
        at = names_.index(self.active) if self.active in names_ else 0
        first = min(max(at - shown + 1, 0), max(len(lines) - shown, 0))
        return rows + lines[first : first + shown]

    def _choices(self) -> Row:
        """Projector and measure in words; a click on one chooses the next."""
        extra = self.row().add("  ")
        for names, present in ((PROJECTOR_NAMES, self.settings.projector), (MEASURES, self.settings.measure)):
            following = names[(names.index(present) + 1) % len(names)]
            extra.add(f" {self.signs.dot} " if extra.cells > 2 else "", "muted").add(present, "muted", hit=following)
        return extra

    def _switches(self, left: int, end: int) -> Row:
        settings = self.settings
        row = self.row().to(left - 1)
        for name in PROJECTOR_NAMES:
            row.add(f" {name} ", "chip" if name == settings.projector else "muted", hit=name)
        row.to(end + 1 - sum(len(name) + 2 for name in MEASURES))
        for measure in MEASURES:
            row.add(f" {measure} ", "chip" if measure == settings.measure else "muted", hit=measure)
        return row

    def _cursor(self, control: ControlName) -> Row:
        row = self.row().to(1 if self.place and self.place.mode == "wide" else 0)
        if control == self.active:
            row.add(self.signs.cursor, "accent" if self.has_focus else "muted")
        return row

    def _label_ink(self, control: ControlName) -> str:
        return "strong" if control == self.active and self.has_focus else "muted"

    def _folded(self, control: Control, left: int, end: int) -> Row:
        row = self._cursor(control.field).to(left).add(control.label, self._label_ink(control.field))
        begin = left + max(len(control.label) for control in self._controls) + 1
        width = end - begin - max(_END_ROOM + 3, max(len(self._shown(control)) for control in self._controls) + 4)
        row.to(begin)
        if width >= 4:
            self._bar(row, control, width)
        return self._value(row, control, end)

    def _shown(self, control: Control) -> str:
        return "no limit" if control.value is None else f"{control.value:,}"

    def _value(self, row: Row, control: Control, end: int) -> Row:
        focused = control.field == self.active and self.has_focus
        infinity = self.signs.infinity if control.has_no_limit else " "
        row.right(end - len(infinity) - 1, self._shown(control), "accent" if focused else "strong").add(" ")
        return row.add(infinity, "accent" if control.value is None else "ghost", hit=("limit", control.field))

    def _bar(self, row: Row, control: Control, width: int) -> None:
        signs = self.signs
        ink = "accent" if control.field == self.active and self.has_focus else "muted"
        hit = _Track(control.field, row.cells, width)
        if control.value is None:
            row.add(signs.heavy * width, ink, hit=hit)
            return
        knob = round(control.place * (width - 1))
        row.add(signs.heavy * knob, ink, hit=hit)
        row.add(signs.knob, "accent" if ink == "accent" else "text", hit=hit)
        row.add(signs.light * (width - 1 - knob), "track", hit=hit)

    def _trim(self, left: int, end: int) -> Row:
        trim = bool(self.settings.budget.trim_old_reasoning)
        row = self._cursor(TRIM).to(left).add("trimOldReasoning", self._label_ink(TRIM)).to(end + 1 - 9)
        row.add(" on ", "chip" if trim else "muted", hit=(TRIM, True))
        return row.add(" off ", "muted" if trim else "chip", hit=(TRIM, False))

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    # -- what the person does -------------------------------------------------------------------

    def _active_control(self) -> Control | None:
        return next((control for control in self._controls if control.field == self.active), None)

    def action_choose(self, by: int) -> None:
        names: list[ControlName] = [control.field for control in self._controls]
        if self.settings.projector == "type-aware":
            names.append(TRIM)
        if names:
            at = names.index(self.active) if self.active in names else 0
            self.post_message(self.Chosen(names[min(max(at + by, 0), len(names) - 1)]))

    def action_step(self, by: int) -> None:
        if self.active == TRIM:
            self.post_message(self.TrimChosen(by > 0))
        elif control := self._active_control():
            self.post_message(self.Stepped(control.field, by))

    def action_large_step(self, by: int) -> None:
        if control := self._active_control():
            self.post_message(self.Stepped(control.field, by * LARGE_STEP))

    def action_to_end(self, end: int) -> None:
        if control := self._active_control():
            self.post_message(self.Moved(control.field, control.range_end if end else 0))

    def action_switch(self) -> None:
        if self.active == TRIM:
            self.post_message(self.TrimChosen(not self.settings.budget.trim_old_reasoning))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        hit = self.hit_at(event)
        if isinstance(hit, _Track):
            self._dragged = hit
            self.capture_mouse()
            self.post_message(self.Chosen(hit.field))
            self._drag(event)
        elif hit is not None:
            self._click(hit)
        else:
            self._choose_row(event)

    def _click(self, hit: Any) -> None:
        if hit in PROJECTOR_NAMES:
            self.post_message(self.ProjectorChosen(hit))
        elif hit in MEASURES:
            self.post_message(self.MeasureChosen(hit))
        elif hit[0] == TRIM:
            self.post_message(self.Chosen(TRIM))
            self.post_message(self.TrimChosen(hit[1]))
        else:
            self.post_message(self.Chosen(hit[1]))
            self.post_message(self.LimitToggled(hit[1]))

    def _choose_row(self, event: events.MouseEvent) -> None:
        """A click beside a bar chooses the control it belongs to."""
        control = self._control_at(event.y)
        if control is not None:
            self.post_message(self.Chosen(control))

    def _control_at(self, y: int) -> ControlName | None:
        rows = self._rows()
        for row in rows[y : y + 2]:
            for _, _, hit in row.hits:
                if isinstance(hit, _Track):
                    return hit.field
                if isinstance(hit, tuple) and hit[0] == TRIM:
                    return TRIM
        return None

    def _drag(self, event: events.MouseEvent) -> None:
        track = self._dragged
        control = next((control for control in self._controls if track and control.field == track.field), None)
        if track and control:
            value = control.at((event.x - track.begin) / max(track.width - 1, 1))
            self.post_message(self.Moved(control.field, value, dragged=True))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragged:
            self._drag(event)

    def on_mouse_up(self) -> None:
        if self._dragged:
            self._dragged = None
            self.release_mouse()
            self.post_message(self.DragEnded())

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, 1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, -1)

    def _wheel(self, event: events.MouseEvent, by: int) -> None:
        """One step of the control under the mouse, only in focus: a wheel that passes by changes nothing."""
        event.stop()
        name = self._control_at(event.y)
        control = next((control for control in self._controls if control.field == name), None)
        if self.has_focus and control:
            self.post_message(self.Chosen(control.field))
            self.post_message(self.Stepped(control.field, by))
