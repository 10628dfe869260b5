"""The projector's decisions, one at a time: what a step says, in words and numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.explanation import what_it_is
from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS, KEPT, PINNED, UNDECIDED
from ctxviz.projection.selection import Gate
from ctxviz.projection.trace import Cleared, Decided, GateClosed, GateOpened, GateSkipped, Step, Trace

Progress = Literal["before", "now", "done"]
"""Whether a gate is still to come, at work, or done."""

_LOOKED_THROUGH = 500
"""Steps of gate 2 that are looked through to draw them all to one scale; of more that would be felt."""


@dataclass(frozen=True, eq=False, repr=False)
class Playback:
    """A place in the trace of an examination; what is known there is what the steps up to it decided."""

    examination: Examination
    trace: Trace
    at: int
    most_chars: int
    """The most that is in the window or, where there are few steps, that any of them holds against the limit."""

    @classmethod
    def of(cls, examination: Examination, at: int = 0) -> Playback:
        """The playback of an examination, at a step or the nearest there is."""
        trace = Trace(examination.projection)
        return cls(examination, trace, min(max(at, 0), len(trace) - 1), _most_chars(examination, trace))

    def to(self, at: int) -> Playback:
        """The same at another step, or the nearest there is."""
        return replace(self, at=min(max(at, 0), len(self.trace) - 1))

    @cached_property
    def step(self) -> Step:
        """What happens here."""
        return self.trace[self.at]

    @property
    def known_to(self) -> int:
        """The last step whose outcome is known: while an item is weighed its own is not."""
        return self.at - 1 if isinstance(self.step, Decided) else self.at

    @cached_property
    def states(self) -> bytes:
        """One byte an item, as it stands here; `UNDECIDED` where nothing is decided yet."""
        return self.trace.states(self.known_to)

    @property
    def index(self) -> int | None:
        """The item under decision, None in a step about a gate."""
        return self.step.index if isinstance(self.step, Decided) else None

    def shown_item(self, selected: int) -> int:
        """The item to look at: the one under decision, or one that is cut or cleared here; else the selected one."""
        step, selection = self.step, self.examination.projection.selection
        if isinstance(step, GateClosed) and step.gate == 1 and selection.head < selection.tail:
            return selected if selection.head <= selected < selection.tail else selection.head
        if isinstance(step, Cleared):
            return selected if selected in step.items else step.items[0]
        return selected if self.index is None else self.index

    @cached_property
    def counts(self) -> dict[int, int]:
        """How many items are in each state, by its byte."""
        codes = (PINNED, KEPT, DROPPED_BY_ITEMS, DROPPED_BY_CHARS, UNDECIDED)
        return {code: self.states.count(code) for code in codes}

    def progress(self, gate: Gate) -> Progress:
        """How far a gate is."""
        start, stop = self.trace.span(gate)
        return "before" if self.at < start else "done" if self.at >= stop - 1 else "now"

    def telling(self) -> Telling:
        """What happens here, to be written out."""
        return telling(self.examination, self.trace, self.step)


def _most_chars(examination: Examination, trace: Trace) -> int:
    start, stop = trace.span(2)
    steps = trace[start:stop] if stop - start <= _LOOKED_THROUGH else ()
    totals = [step.total for step in steps if isinstance(step, Decided)]
    return max(examination.report.projected_approx_chars, *totals, 0)


@dataclass(frozen=True)
class Telling:
    """One step written out.

    `terms` are the numbers that are added with what each is; their sum is held against `limit`,
    None where nothing is compared. `verdict` is what follows, `rest` the words after it; `state` is
    the byte of the state that the step gives, None where it gives none.
    """

    title: str
    place: str
    subject: str
    terms: tuple[tuple[int, str], ...]
    limit: int | None
    outcome: str
    verdict: str
    rest: str
    state: int | None

    @property
    def total(self) -> int:
        """What is held against the limit."""
        return sum(number for number, _ in self.terms)

    @property
    def is_over(self) -> bool:
        """Whether the sum is more than the limit."""
        return self.limit is not None and self.total > self.limit


def telling(examination: Examination, trace: Trace, step: Step) -> Telling:
    """What a step says."""
    if isinstance(step, Decided):
        return _decision(examination, trace, step)
    if isinstance(step, Cleared):
        what = "old tool result" if step.tier == 1 else "old reasoning item"
        count = len(step.items)
        words = f"{count:,} {what}{'' if count == 1 else 's'} cleared"
        change = f"{step.chars_before:,} → {step.chars_after:,} chars"
        return Telling(f"Tier {step.tier}", "", "", (), None, change, words, " before the gates", None)
    if isinstance(step, GateSkipped):
        return _skipped(step)
    if isinstance(step, GateOpened):
        return _opened(step)
    return _closed(examination, step)


def _decision(examination: Examination, trace: Trace, step: Decided) -> Telling:
    start, stop = trace.span(2)
    over = step.total - step.limit
    is_last_of_part = step.index in (examination.projection.selection.head - 1, examination.projection.selection.tail)
    subject = what_it_is(examination, step.index)
    if step.forced:
        outcome = f"does not fit, by {over:,}"
        verdict = f"keep #{step.index}, forced"
        rest = f", as the {'first pinned' if step.in_prefix else 'newest'} item"
    elif step.kept:
        outcome, verdict = f"fits, {-over:,} left", f"keep #{step.index}"
        rest = ", pinned" if step.in_prefix else ""
    else:
        outcome, verdict = f"does not fit, by {over:,}", f"skip #{step.index}"
        rest = "" if is_last_of_part else " with the next pinned one" if step.in_prefix else " with older ones"
        verdict += "" if is_last_of_part else ", and go on"
    state = examination.projection.states[step.index]
    terms = ((step.used, "used so far"), (step.size, "this item"))
    place = f"{step.number:,} of {stop - start - 2:,}"
    return Telling("Decision", place, subject, terms, step.limit, outcome, verdict, rest, state)


_UNITS: dict[Gate, str] = {1: "items", 2: "chars"}
_NAMES: dict[Gate, str] = {1: "maxItems", 2: "maxApproxChars"}


def _skipped(step: GateSkipped) -> Telling:
    number = step.item_count if step.gate == 1 else step.approx_chars
    title = f"Gate {step.gate}"
    if step.limit is None:
        return Telling(title, "", "", (), None, "", f"{_NAMES[step.gate]} is not set", ": everything passes", None)
    terms = ((number, _UNITS[step.gate]),)
    return Telling(title, "", "", terms, step.limit, "within the limit", "nothing to do", ": everything passes", None)


def _opened(step: GateOpened) -> Telling:
    number = step.item_count if step.gate == 1 else step.approx_chars
    terms = ((number, _UNITS[step.gate]),)
    over = number - step.limit
    outcome = f"{over:,} too many"
    title = f"Gate {step.gate} opens"
    if step.limit == 0:
        return Telling(title, "", "", terms, 0, outcome, "a limit of 0", " keeps nothing", None)
    if step.gate == 1:
        first = f"the first {step.head:,} and " if step.head else ""
        last = f"the last {step.newest:,}" if step.newest else "none of the newest"
        return Telling(title, "", "", terms, step.limit, outcome, f"keep {first}{last}", "", None)
    walks = [f"{step.head:,} forwards"] if step.head else []
    walks += [f"{step.newest:,} backwards"] if step.newest else []
    rest = f": {', '.join(walks)}"
    return Telling(title, "", "", terms, step.limit, outcome, "weigh one by one", rest, None)


def _closed(examination: Examination, step: GateClosed) -> Telling:
    selection = examination.projection.selection
    title = f"Gate {step.gate} is done"
    if step.gate == 1:
        cut = selection.tail - selection.head
        terms = ((step.item_count, "items"),)
        verdict = f"cut {span_words(selection.head, selection.tail)}" if cut else "cut nothing"
        rest = f", {cut:,} item{'' if cut == 1 else 's'}, whatever their size"
        return Telling(title, "", "", terms, step.limit, "all that passes", verdict, rest, DROPPED_BY_ITEMS)
    terms = ((step.approx_chars, "chars"),)
    over = step.approx_chars - step.limit
    outcome = f"over by {over:,}" if over > 0 else f"{-over:,} left"
    one = step.item_count == 1
    verdict = f"{step.item_count:,} item{'' if one else 's'} enter{'s' if one else ''} the window"
    rest = "" if step.applied else ", no flag, no note"
    return Telling(title, "", "", terms, step.limit, outcome, verdict, rest, None)


def span_words(start: int, stop: int) -> str:
    """Items by number: "#3" or "#3–#16"."""
    return f"#{start}" if stop - start == 1 else f"#{start}–#{stop - 1}"
