"""What a session that grew has in its window now, and had before."""

from __future__ import annotations

from dataclasses import dataclass

from ctxviz.analysis.examination import Examination
from ctxviz.projection.projection import KEPT, PINNED

_IN_WINDOW = (PINNED, KEPT)


@dataclass(frozen=True)
class Arrival:
    """`came` is how many items were added at the end; `left` are the items that were in the window and are no more."""

    came: int
    left: tuple[int, ...]


def arrival(before: Examination, after: Examination) -> Arrival | None:
    """The difference of a session to itself some records earlier; None if it did not simply grow."""
    old, new = len(before.session), len(after.session)
    if new < old or before.session.source("live").sizes != after.session.source("live").sizes[:old]:
        return None
    was, now = before.projection.states, after.projection.states
    if was == now[:old]:
        return Arrival(new - old, ())
    left = tuple(at for at in range(old) if was[at] != now[at] and was[at] in _IN_WINDOW and now[at] not in _IN_WINDOW)
    return Arrival(new - old, left)


def arrival_sentence(found: Arrival) -> str:
    """ "2 items came: #12 and #15 left the window."."""
    came = f"{found.came:,} item{'' if found.came == 1 else 's'} came"
    if not found.left:
        return f"{came}: nothing left the window."
    named = [f"#{at}" for at in found.left[:_NAMED]]
    more = len(found.left) - len(named)
    listed = f"{', '.join(named)} and {more:,} more" if more else " and ".join(filter(None, _last_apart(named)))
    return f"{came}: {listed} left the window."


def _last_apart(words: list[str]) -> tuple[str, str]:
    return ", ".join(words[:-1]), words[-1]


_NAMED = 4
