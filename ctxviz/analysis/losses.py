"""What a projection loses, whoever the provider is: DESIGN's findings about items, states and pairs."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator, Sequence

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.finding import Certainty, Finding, Severity
from ctxviz.projection.json_value import Json
from ctxviz.projection.projection import DROPPED_BY_ITEMS, KEPT, PINNED, Mark
from ctxviz.session.item import KINDS, Kind
from ctxviz.session.links import NONE

_SYSTEM, _USER, _REASONING = (KINDS.index(kind) for kind in (Kind.SYSTEM, Kind.USER, Kind.REASONING))
_TOLD_EACH = 1_000

Between = Callable[[], None]
"""Called now and then during long work; what it raises ends the work and passes through."""


def losses(examination: Examination) -> Iterator[Finding]:
    """What is lost or surprising by the states alone; no item is decoded."""
    projection, report, kinds = examination.projection, examination.report, examination.session.kinds
    count, runs = len(kinds), projection.selection.runs
    if not count:
        return
    if not runs:
        yield _error("empty", (), f"none of {count:,} {'item' if count == 1 else 'items'} is in the window")
    if not runs or runs[-1][1] != count:
        yield _error("newest-lost", (count - 1,), f"the newest item was {_dropped_by(examination, count - 1)}")
    first_user = kinds.find(_USER)
    if first_user >= 0:
        if all(kinds.find(_USER, start, stop) < 0 for start, stop in runs):
            yield _error("no-user", (first_user,), "no user message is in the window")
        if projection.states[first_user] not in (KEPT, PINNED):
            message = f"the first user message, {_dropped_by(examination, first_user)}"
            yield _warning("task-lost", (first_user,), message)
    yield from _lost_items(examination)
    limit = examination.settings.budget.char_limit
    if limit is not None and report.projected_approx_chars > limit:
        yield _over_budget(examination, limit)
    holes = _holes(examination)
    if holes:
        others = "skipped by maxApproxChars, older ones kept"
        yield Finding("hole", Severity.INFO, Certainty.CERTAIN, holes, others)


def _lost_items(examination: Examination) -> Iterator[Finding]:
    """A finding for each pinned item, and each system message, that was dropped."""
    projection, kinds = examination.projection, examination.session.kinds
    states, prefix = projection.states, min(examination.settings.budget.prefix_items, len(kinds))
    for index in _not_in(projection.selection.runs, 0, prefix):
        yield _warning("pinned-lost", (index,), f"in the pinned prefix, {_dropped_by(examination, index)}")
    at = kinds.find(_SYSTEM)
    while at >= 0:
        if states[at] not in (KEPT, PINNED):
            yield _warning("system-lost", (at,), f"a system message, {_dropped_by(examination, at)}")
        at = kinds.find(_SYSTEM, at + 1)


def _over_budget(examination: Examination, limit: int) -> Finding:
    projection, report = examination.projection, examination.report
    candidates = sorted(set(projection.may_be_forced))
    forced = tuple(index for index in candidates if Mark.FORCED in projection.marks(index))
    over = report.projected_approx_chars - limit
    silent = "" if report.character_limit_applied else ", and the report is silent about it: no flag, no note"
    message = f"{report.projected_approx_chars:,} chars are {over:,} over maxApproxChars {limit:,}{silent}"
    return _warning("over-budget", forced, message)


def _holes(examination: Examination) -> Sequence[int]:
    """All items that gate 2 skipped behind the oldest that it kept, in order."""
    projection = examination.projection
    found = array("q")
    start = projection.oldest_kept_behind_prefix
    if start < len(projection.source):
        found.extend(_not_in(projection.selection.runs, start, len(projection.source)))
    return found


def _not_in(runs: Sequence[tuple[int, int]], start: int, stop: int) -> Iterator[int]:
    """The items from `start` to `stop - 1` that are in none of the runs."""
    at = start
    for begin, end in runs:
        if end > at:
            yield from range(at, min(begin, stop))
            at = end
        if at >= stop:
            return
    yield from range(at, stop)


def broken_pairs(
    examination: Examination, not_sent: Collection[int], between: Between | None = None
) -> tuple[list[Finding], list[Finding]]:
    """`orphan-output` and `orphan-call`, as certain errors: one finding for each item that lost its other half.

    An item of `not_sent` is in the window, but its provider never sees it.
    """
    states, links = examination.projection.states, examination.session.links

    def is_there(index: int) -> bool:
        return states[index] in (KEPT, PINNED) and index not in not_sent

    calls: dict[int, list[int]] = {}
    outputs: dict[int, list[int]] = {}
    for start, stop in examination.projection.selection.runs:
        for done, link in enumerate(links.in_calls(start, stop)):
            if between is not None and not done % _TOLD_EACH:
                between()
            call, output = links.calls[link], links.outputs[link]
            if (output == NONE or not is_there(output)) and is_there(call):
                calls.setdefault(call, []).append(output)
        for done, link in enumerate(links.in_outputs(start, stop)):
            if between is not None and not done % _TOLD_EACH:
                between()
            call, output = links.calls[link], links.outputs[link]
            if (call == NONE or not is_there(call)) and is_there(output):
                outputs.setdefault(output, []).append(call)
    return (
        [
            _error("orphan-output", (index,), _partner(examination, "call", gone, "it answers no call of the session"))
            for index, gone in sorted(outputs.items())
        ],
        [
            _error("orphan-call", (index,), _partner(examination, "output", gone, "no output answers it"))
            for index, gone in sorted(calls.items())
        ],
    )


def cut_reasoning(examination: Examination) -> Iterator[Finding]:
    """`orphan-reasoning`: the next item is not in the window, which can only be at the end of a kept run."""
    session = examination.session
    for _, stop in examination.projection.selection.runs:
        if stop < len(session) and session.kinds[stop - 1] == _REASONING and _is_stored(session.glimpse(stop - 1)):
            message = f"what it led to, #{stop}, was {_dropped_by(examination, stop)}"
            yield _error("orphan-reasoning", (stop - 1,), message)


def _is_stored(item: Json) -> bool:
    """Whether OpenAI looks the reasoning up by its id: with its encrypted content it is accepted alone."""
    own_id = item.get("id") if isinstance(item, dict) else None
    has_content = isinstance(item, dict) and isinstance(item.get("encrypted_content"), str)
    return isinstance(own_id, str) and own_id.startswith("rs_") and not has_content


def cut_followers(examination: Examination) -> Iterator[Finding]:
    """`call-without-reasoning`: an item with an id of its own whose reasoning, the item before it, was dropped."""
    session = examination.session
    for start, _ in examination.projection.selection.runs:
        if start and session.kinds[start - 1] == _REASONING:
            item = session.glimpse(start)
            own_id = item.get("id") if isinstance(item, dict) else None
            if isinstance(own_id, str) and own_id.startswith(("fc_", "msg_")):
                message = f"its reasoning #{start - 1} was {_dropped_by(examination, start - 1)}"
                yield _error("call-without-reasoning", (start,), message)


def _partner(examination: Examination, what: str, gone: list[int], none: str) -> str:
    """What became of the other half of a pair, or of several."""
    there = [index for index in gone if index != NONE]
    if not there:
        return none
    states = examination.projection.states
    named = " and ".join(f"#{index}" for index in there[:3]) + (" and more" if len(there) > 3 else "")
    whose, were = (f"its {what} {named}", "was") if len(there) == 1 else (f"its {what}s {named}", "were")
    if states[there[0]] in (KEPT, PINNED):
        return f"{whose} {'is' if len(there) == 1 else 'are'} left out of the request"
    return f"{whose} {were} {_dropped_by(examination, there[0])}"


def _dropped_by(examination: Examination, index: int) -> str:
    is_by_items = examination.projection.states[index] == DROPPED_BY_ITEMS
    return f"dropped by {'maxItems' if is_by_items else 'maxApproxChars'}"


def _error(code: str, items: Sequence[int], message: str) -> Finding:
    return Finding(code, Severity.ERROR, Certainty.CERTAIN, items, message)


def _warning(code: str, items: Sequence[int], message: str) -> Finding:
    return Finding(code, Severity.WARNING, Certainty.CERTAIN, items, message)
