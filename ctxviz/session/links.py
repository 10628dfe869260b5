"""Which outputs answer which calls, over a whole session."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress

from ctxviz.projection.json_value import Json
from ctxviz.session.calls import answered_ids, raw_calls
from ctxviz.session.kind import KINDS, Kind

NONE = -1
"""Stands for the item that is missing in a link."""

_CALL, _OUTPUT = KINDS.index(Kind.TOOL_CALL), KINDS.index(Kind.TOOL_OUTPUT)
_TOLD_EACH = 1_000


@dataclass(frozen=True, eq=False)
class Links:
    """Calls and outputs joined, in flat arrays of one length: link i joins the items `calls[i]` and `outputs[i]`.

    An output belongs to the nearest earlier call with its id, since ids can repeat; a call with
    several outputs has several links. `NONE` stands for the call of an output that answers none,
    and for the output of a call that must have one and has none, though other items follow than
    calls. Sorted by call, those without one first, by their output.
    """

    calls: array[int]
    outputs: array[int]
    _by_output: Sequence[int]
    """The links' places, sorted by output."""

    def __len__(self) -> int:
        return len(self.calls)

    def of_call(self, index: int) -> list[int]:
        """The outputs of a call's item, `NONE` for each that is missing; empty for what needs none."""
        at, found = bisect_left(self.calls, index), []
        while at < len(self) and self.calls[at] == index:
            found.append(self.outputs[at])
            at += 1
        return found

    def of_output(self, index: int) -> list[int]:
        """The calls that an output's item answers, `NONE` for each that there is not; empty for what is none."""
        at, found = bisect_left(self._by_output, index, key=self.outputs.__getitem__), []
        while at < len(self) and self.outputs[self._by_output[at]] == index:
            found.append(self.calls[self._by_output[at]])
            at += 1
        return found

    def partners(self, index: int) -> list[int]:
        """The other halves of the pairs that an item is in, those that there are."""
        return sorted({at for at in (*self.of_call(index), *self.of_output(index)) if at != NONE})

    def in_calls(self, start: int, stop: int) -> range:
        """The links whose call is one of the items `start` to `stop - 1`."""
        return range(bisect_left(self.calls, start), bisect_left(self.calls, stop))

    def in_outputs(self, start: int, stop: int) -> Sequence[int]:
        """The links whose output is one of the items `start` to `stop - 1`."""
        key = self.outputs.__getitem__
        return self._by_output[
            bisect_left(self._by_output, start, key=key) : bisect_left(self._by_output, stop, key=key)
        ]


def find_links(items: Sequence[Json], kinds: bytes, between: Callable[[], None] | None = None) -> Links:
    """Go over all items once; `between` is called now and then, and what it raises ends the work."""
    latest: dict[str | None, int] = {}
    """The newest call of each id, and of none."""
    calls: array[int] = array("q")
    outputs: array[int] = array("q")
    waiting: dict[tuple[int, str | None], None] = {}
    """Calls without an output so far, by item and id."""
    for index, item in _calls_and_outputs(items, kinds, between):
        if kinds[index] == _CALL:
            for made in raw_calls(item):
                latest[made.call_id] = index
                if not made.by_server:
                    waiting[index, made.call_id] = None
            continue
        answered = dict.fromkeys(answered_ids(item) or (None,))
        for call_id in answered:
            # Chat's old functions have no ids: their messages answer the last one called.
            call = latest.get(call_id, NONE) if call_id is not None or _is_function(item) else NONE
            calls.append(call)
            outputs.append(index)
            waiting.pop((call, call_id), None)
    open_from = len(kinds.rstrip(bytes([_CALL])))
    for index, _ in waiting:
        if index < open_from:
            calls.append(index)
            outputs.append(NONE)
    # Nearly in order, and numbers: a sort that holds up no other thread.
    order = sorted(range(len(calls)), key=calls.__getitem__)
    calls, outputs = array("q", (calls[at] for at in order)), array("q", (outputs[at] for at in order))
    return Links(calls, outputs, array("q", sorted(range(len(outputs)), key=outputs.__getitem__)))


def _calls_and_outputs(
    items: Sequence[Json], kinds: bytes, between: Callable[[], None] | None
) -> Iterator[tuple[int, Json]]:
    wanted = kinds.translate(bytes(code in (_CALL, _OUTPUT) for code in range(256)))
    for index, item in compress(enumerate(items), wanted):
        if between is not None and not index % _TOLD_EACH:
            between()
        yield index, item


def _is_function(item: Json) -> bool:
    return isinstance(item, dict) and item.get("role") == "function"
