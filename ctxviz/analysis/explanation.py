"""Why an item is in or out: the numbers as an addition written out, and as one sentence."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.reach import remedy
from ctxviz.projection.projection import ContextProjection, Decision, State
from ctxviz.projection.selection import Run
from ctxviz.projection.type_aware import tool_outputs
from ctxviz.session.item import Kind, describe

Comparison = Literal["=", "≤", ">"]


class Term(NamedTuple):
    """One line of a sum: a number of items or characters, and what it is the number of."""

    number: int
    of: str


class Sum(NamedTuple):
    """Terms, their total, and the limit it is held against.

    `outcome` says what follows from the comparison. One term is written without a line under it.
    """

    terms: tuple[Term, ...]
    comparison: Comparison
    limit: int
    outcome: str

    @property
    def total(self) -> int:
        return sum(term.number for term in self.terms)


class Clearing(NamedTuple):
    """What the type-aware projector did to an item before the gates; sizes in characters.

    `whole_from` is the least `maxRecentToolResults` that leaves the item whole, None for reasoning.
    """

    why: str
    size_before: int
    size_after: int
    placeholder: str
    whole_from: int | None


@dataclass(frozen=True)
class Explanation:
    """One item's fate. `verdict` is a few words, `sentence` the whole reason in one plain sentence."""

    index: int
    what: str
    size: int
    decision: Decision
    verdict: str
    sums: tuple[Sum, ...]
    then: str
    clearing: Clearing | None
    sentence: str


_KIND_WORDS = {
    Kind.SYSTEM: "system message",
    Kind.USER: "user message",
    Kind.ASSISTANT: "assistant message",
    Kind.TOOL_CALL: "tool call",
    Kind.TOOL_OUTPUT: "tool output",
    Kind.REASONING: "reasoning",
    Kind.OTHER: "item",
}


def what_it_is(examination: Examination, index: int) -> str:
    """An item in words: "tool output of read_file", "call of grep", "user message"."""
    session = examination.session
    kind = session.kind(index)
    if kind is Kind.TOOL_OUTPUT:
        name = session.tool_names.get(index)
        return f"tool output of {name}" if name else "tool output"
    if kind is Kind.TOOL_CALL:
        names = [call.name or "?" for call in describe(session.glimpse(index)).calls]
        return f"call of {', '.join(names)}" if names else "tool call"
    return _KIND_WORDS[kind]


def explain(examination: Examination, index: int) -> Explanation:
    """Why item `index` is pinned, kept or dropped."""
    decision = examination.projection.decision(index)
    reason = _reason(examination, decision)
    clearing = _clearing(examination, index)
    cleared = ""
    if clearing:
        cleared = f"Cleared ({clearing.why}): {clearing.size_before:,} → {clearing.size_after:,} chars. "
    cure = remedy(examination, index)
    return Explanation(
        index=index,
        what=what_it_is(examination, index),
        size=decision.size,
        decision=decision,
        verdict=reason.verdict,
        sums=reason.sums,
        then=reason.then,
        clearing=clearing,
        sentence=cleared + (f"{reason.sentence[:-1]}; it {cure}." if cure else reason.sentence),
    )


class _Reason(NamedTuple):
    verdict: str
    sentence: str
    sums: tuple[Sum, ...] = ()
    then: str = ""


def _reason(examination: Examination, decision: Decision) -> _Reason:
    if decision.gate == 1:
        return _dropped_by_items(examination)
    if decision.used is not None:
        return _weighed(examination, decision)
    return _not_weighed(examination, decision)


def _dropped_by_items(examination: Examination) -> _Reason:
    limit = examination.settings.budget.item_limit or 0
    count = examination.report.source_item_count
    if limit == 0:
        total = Sum((Term(count, "items"),), ">", 0, "maxItems 0 keeps nothing")
        return _Reason(
            "dropped by maxItems", f"Dropped by maxItems: {count:,} items > 0, which keeps nothing.", (total,)
        )
    gate = _item_gate(examination)
    return _Reason(
        "dropped by maxItems",
        f"Dropped by maxItems: {count:,} items > {limit:,}, which keeps {_head_and_tail(examination)}.",
        (gate,),
    )


def _item_gate(examination: Examination) -> Sum:
    """What gate 1 keeps, as the addition of prefix and newest items."""
    selection, count = examination.projection.selection, examination.report.source_item_count
    head, newest = selection.head, count - selection.tail
    terms = (
        Term(head, f"the prefix{_span(0, head)}" if head else "pinned"),
        Term(newest, f"the newest{_span(selection.tail, count)}" if newest else "left for the newest"),
    )
    dropped = selection.tail - head
    return Sum(terms, "=", head + newest, f"maxItems: {dropped:,} between {'is' if dropped == 1 else 'are'} dropped")


def _head_and_tail(examination: Examination) -> str:
    selection, count = examination.projection.selection, examination.report.source_item_count
    newest = count - selection.tail
    if not newest:
        return f"the first {selection.head:,} and leaves none for the newest"
    if not selection.head:
        return f"the last {newest:,} ({_items(selection.tail, count)})"
    return f"the first {selection.head:,} and the last {newest:,} ({_items(selection.tail, count)})"


def _weighed(examination: Examination, decision: Decision) -> _Reason:
    used, limit, size = decision.used or 0, decision.limit or 0, decision.size
    total = used + size
    over = total - limit
    addition = f"{used:,} used + {size:,} = {total:,}"
    terms = (Term(used, f"used: {_used_by(examination, decision)}"), Term(size, "this item"))
    if limit == 0:
        outcome = "a limit of 0 keeps nothing"
        sentence = f"Dropped by maxApproxChars: {outcome}."
        return _Reason("dropped by maxApproxChars", sentence, (Sum(terms, ">" if total else "=", 0, outcome),))
    state = decision.state.capitalize()
    if decision.forced:
        which = "first pinned item" if decision.in_prefix else "newest item"
        outcome = f"over by {over:,}: forced in"
        return _Reason(
            f"{decision.state}, forced: the {which} always stays",
            f"{state}: the {which} is forced in, although {addition} > {limit:,}, over by {over:,}.",
            (Sum(terms, ">", limit, outcome),),
        )
    if decision.state is not State.DROPPED:
        verdict = "pinned: it fits" if decision.state is State.PINNED else "kept: it fits"
        sentence = f"{state}: {addition} ≤ {limit:,}, {-over:,} left."
        return _Reason(verdict, sentence, (Sum(terms, "≤", limit, f"fits, {-over:,} left"),))
    then = _still_fitted(examination, decision)
    lost = ", although it is in the pinned prefix" if decision.in_prefix else ""
    return _Reason(
        "dropped by maxApproxChars",
        f"Dropped by maxApproxChars{lost}: {addition} > {limit:,}, over by {over:,}{f'; {then}' if then else ''}.",
        (Sum(terms, ">", limit, f"over by {over:,}: skipped"),),
        then,
    )


def _not_weighed(examination: Examination, decision: Decision) -> _Reason:
    """In the window, and gate 2 had nothing to decide: it has no limit, or all that reached it fits."""
    projection, budget = examination.projection, examination.settings.budget
    report = projection.report
    state = decision.state.capitalize()
    sums: list[Sum] = []
    words: list[str] = []
    if projection.selection.item_gate_ran:
        sums.append(_item_gate(examination))
        words.append(f"maxItems {budget.item_limit:,} keeps {_head_and_tail(examination)}")
    elif budget.item_limit is not None:
        sums.append(_all_fit(report.source_item_count, "items", budget.item_limit, "maxItems"))
        words.append(f"{report.source_item_count:,} items ≤ maxItems {budget.item_limit:,}")
    if budget.char_limit is not None:
        sums.append(_all_fit(report.projected_approx_chars, "chars", budget.char_limit, "maxApproxChars"))
        words.append(f"{report.projected_approx_chars:,} chars ≤ maxApproxChars {budget.char_limit:,}")
    if not words:
        return _Reason(f"{decision.state}: no limit is set", f"{state}: no limit is set.")
    verdict = f"{decision.state}: "
    if not projection.selection.item_gate_ran:
        verdict += "everything fits"
    else:
        verdict += "in the prefix" if decision.state is State.PINNED else "among the newest"
    return _Reason(verdict, f"{state}: {' and '.join(words)}.", tuple(sums))


def _all_fit(number: int, unit: str, limit: int, name: str) -> Sum:
    return Sum((Term(number, unit),), "≤", limit, f"{name}: all {'of them fit' if unit == 'items' else 'of it fits'}")


def _used_by(examination: Examination, decision: Decision) -> str:
    """Whose characters are used already when gate 2 comes to the item."""
    projection, index = examination.projection, decision.index
    head, tail, count = projection.selection.head, projection.selection.tail, len(projection.source)
    if index < head:
        return _listed(projection, 0, index) or "nothing yet"
    parts = ["the prefix"] if projection.kept_before(head)[0] else []
    newer = _listed(projection, max(index + 1, tail), count)
    return " and ".join([*parts, newer] if newer else parts) or "nothing yet"


def _listed(projection: ContextProjection, start: int, stop: int) -> str:
    """The kept items between `start` and `stop`: two runs by number, more by count, "" if there are none."""
    runs = list(islice(_runs_between(projection, start, stop), 3))
    if len(runs) <= 2:
        return ", ".join(_items(begin, end) for begin, end in runs)
    return f"{projection.kept_before(stop)[0] - projection.kept_before(start)[0]:,} items"


def _runs_between(projection: ContextProjection, start: int, stop: int, *, backwards: bool = False) -> Iterator[Run]:
    """The kept runs between `start` and `stop`, cut to it."""
    runs = projection.selection.runs
    first = bisect_left(runs, (start,))
    first -= bool(first and runs[first - 1][1] > start)
    last = bisect_left(runs, (stop,))
    for at in range(last - 1, first - 1, -1) if backwards else range(first, last):
        begin, end = max(runs[at][0], start), min(runs[at][1], stop)
        if begin < end:
            yield begin, end


def _still_fitted(examination: Examination, decision: Decision) -> str:
    """Which items gate 2 kept after it skipped this one, nearest first."""
    projection, index = examination.projection, decision.index
    if decision.in_prefix:
        start, stop = index + 1, projection.selection.head
    else:
        start, stop = projection.selection.tail, index
    if start >= stop:
        return ""
    count = projection.kept_before(stop)[0] - projection.kept_before(start)[0]
    runs = _runs_between(projection, start, stop, backwards=not decision.in_prefix)
    order = 1 if decision.in_prefix else -1
    nearest = [f"#{at}" for at in islice((at for run in runs for at in range(*run)[::order]), 3)]
    if not nearest:
        return ""
    if count > 3:
        return f"then {nearest[0]}, {nearest[1]} and {count - 2:,} more still fitted"
    return f"then {' and '.join(filter(None, [', '.join(nearest[:-1]), nearest[-1]]))} still fitted"


def _clearing(examination: Examination, index: int) -> Clearing | None:
    projection = examination.projection
    placeholder = projection.cleared.get(index)
    if placeholder is None:
        return None
    assert isinstance(placeholder, dict)  # only maps are cleared
    is_output = placeholder.get("type") == "function_call_output"
    outputs = tool_outputs(projection.original)
    keep = examination.settings.budget.tool_results
    why = "reasoning before the last user message"
    if is_output:
        why = "no tool output is kept whole" if keep == 0 else "older than the last tool output"
        if keep and keep > 1:
            why = f"older than the last {keep:,} tool outputs"
    return Clearing(
        why=why,
        size_before=projection.original.sizes[index],
        size_after=projection.source.sizes[index],
        placeholder=str(placeholder["output"]),
        whole_from=len(outputs) - bisect_left(outputs, index) if is_output else None,
    )


def _items(start: int, stop: int) -> str:
    return f"#{start}" if stop - start == 1 else f"#{start}–#{stop - 1}"


def _span(start: int, stop: int) -> str:
    return f": {_items(start, stop)}"
