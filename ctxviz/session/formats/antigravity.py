"""Antigravity's transcripts (`transcript.jsonl`, `transcript_full.jsonl`): a step a line.

Nothing is published about them; the rules are those that files show, and a reader of them
(specstoryai/getspecstory, `antigravitycli/transcript_parser.go`).
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.decoding import decode
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.shapes import call, message, output, reasoning
from ctxviz.session.opened import Opened
from ctxviz.session.records import Records
from ctxviz.session.table import Builder

NAME = "antigravity"
TITLE = "Antigravity"
KNOWN_BY = "lines with step_index, source, type and status"
READS = "steps by their index, from the last CHECKPOINT; results paired with the calls before them (ids are made up)"
LEAVES_OUT = "what is before the checkpoint; what the transcript itself cut off (truncated_fields)"

COMPACTED = "before the compaction"
NO_RECORD = "no record: not an object"
_NO_RESULTS = ("USER_INPUT", "PLANNER_RESPONSE", "CONVERSATION_HISTORY", "SYSTEM_MESSAGE", "CHECKPOINT")


def looks_like(file: Opened) -> float:
    """The share of the records that are steps."""
    sample = file.sample() if isinstance(file, Records) else ()
    return 0.98 * sum(map(_is_step, sample)) / len(sample) if sample else 0


def _is_step(record: Json) -> bool:
    return isinstance(record, dict) and "step_index" in record and {"source", "type", "status"} <= record.keys()


def read(file: Opened, conversation: str | None = None) -> Content:
    """The steps that the model saw last."""
    if not isinstance(file, Records):
        raise NotReadable("holds no items: an Antigravity transcript is JSON Lines")
    steps = _Steps()
    for number, record in file.each():
        steps.take(number, record)
    builder = Builder(file)
    cut: array[int] = array("q")
    order = steps.order()
    checkpoint = steps.checkpoint(order)
    for position, number in enumerate(order):
        record = file[number]
        steps.pair(number, record)
        items = steps.items(record, number)
        if not isinstance(record, dict):
            builder.set_aside(number, NO_RECORD, items)
        elif not items:
            builder.set_aside(number, _nothing(record))
        elif position < checkpoint:
            builder.set_aside(number, COMPACTED, items)
        else:
            builder.add(number, items)
            if record.get("truncated_fields"):
                cut.append(number)
    rows = builder.rows(steps.items)
    nothing = "" if len(rows.items()) else "The file is whole: a transcript with no message."
    return Content(rows=rows, nothing=nothing, warnings=_warnings(file, cut))


class _Steps:
    """Which steps there are, in which order, and which call each result answers."""

    def __init__(self) -> None:
        self._indexes: array[int] = array("q")
        self._checkpoints: array[int] = array("q")
        self._ids: array[int] = array("q")  # of a step's first call, or of the call that a result answers; 0: none
        self._open: deque[int] = deque()
        self._last_id = 0
        self._is_counted = True

    def take(self, number: int, record: Json) -> None:
        """The next record."""
        self._ids.append(0)
        index = record.get("step_index") if isinstance(record, dict) else None
        is_index = isinstance(index, int) and not isinstance(index, bool) and abs(index) < 1 << 62
        self._is_counted &= is_index
        self._indexes.append(index if is_index and isinstance(index, int) else 0)
        if isinstance(record, dict) and record.get("type") == "CHECKPOINT" and record.get("content"):
            self._checkpoints.append(number)

    def order(self) -> Sequence[int]:
        """The steps by their index: results are written when they come. In files where one repeats, as they stand."""
        indexes = self._indexes
        numbers = range(len(indexes))
        if not self._is_counted or len(set(indexes)) < len(indexes):
            return numbers
        return sorted(numbers, key=indexes.__getitem__)

    def checkpoint(self, order: Sequence[int]) -> int:
        """Where the last checkpoint is in this order, 0 if there is none."""
        found = set(self._checkpoints)
        return max((position for position, number in enumerate(order) if number in found), default=0) if found else 0

    def pair(self, number: int, record: Json) -> None:
        """The next step in order: its calls await results, or it is the result of the oldest call."""
        if not isinstance(record, dict):
            return
        if _is_result(record):
            self._ids[number] = self._open.popleft() if self._open else 0
            return
        calls = _calls(record)
        if calls or record.get("type") == "USER_INPUT":
            # Results follow their calls at once; what is not answered by now is taken as never run.
            self._open.clear()
        if calls:
            self._ids[number] = self._last_id + 1
            self._open.extend(range(self._last_id + 1, self._last_id + 1 + len(calls)))
            self._last_id += len(calls)

    def items(self, record: Json, number: int) -> list[Json]:
        """A step's items; the same each time once it was paired."""
        if not isinstance(record, dict) or not _is_step(record):
            return [record]
        content, first = record.get("content"), self._ids[number] if number < len(self._ids) else 0
        if _is_result(record):
            # What it answers is not known if the call is missing; the step's type is close to the tool's name.
            kind = record.get("type")
            name = kind.lower() if isinstance(kind, str) and not first else None
            return [output(f"call_{first}" if first else None, content, name)]
        if record.get("type") != "PLANNER_RESPONSE":
            return [] if content in (None, "") else [message("user", content)]
        items: list[Json] = []
        if record.get("thinking") not in (None, ""):
            items.append(reasoning(record["thinking"]))
        if content not in (None, ""):
            items.append(message("assistant", content))
        for at, one in enumerate(_calls(record)):
            items.append(_call(one, f"call_{first + at}") if isinstance(one, dict) else one)
        return items


def _warnings(records: Records, cut: Sequence[int]) -> tuple[str, ...]:
    """That steps in context are cut off in the file, if some are."""
    if not cut:
        return ()
    more = f", and {len(cut) - 1:,} more" if len(cut) > 1 else ""
    return (f"{records.place(cut[0])}: Antigravity cut this step off when it wrote it{more}: the model saw more",)


def _is_result(record: dict[str, Json]) -> bool:
    """Whether a step is a tool's result: those are named after the kind of tool, and new ones come."""
    kind = record.get("type")
    return _is_step(record) and kind not in _NO_RESULTS and record.get("source") not in ("SYSTEM", "USER_EXPLICIT")


def _calls(record: dict[str, Json]) -> list[Json]:
    calls = record.get("tool_calls") if record.get("type") == "PLANNER_RESPONSE" else None
    return calls if isinstance(calls, list) else []


def _call(one: dict[str, Json], call_id: str) -> Json:
    arguments = one.get("args")
    return call(one.get("name"), call_id, _decoded(arguments) if isinstance(arguments, dict) else arguments)


def _decoded(arguments: dict[str, Json]) -> Json:
    """The arguments as they were: `transcript.jsonl` has each as JSON text, `transcript_full.jsonl` as it is."""
    values: dict[str, Json] = {}
    quoted = False
    for key, value in arguments.items():
        if not isinstance(value, str):
            return dict(arguments)
        found = decode(value)
        if found.fault is not None:
            return dict(arguments)
        quoted |= value.startswith('"')
        values[key] = found.value
    return values if quoted else dict(arguments)


def _nothing(record: dict[str, Json]) -> str:
    kind = record.get("type")
    return f"bookkeeping: {kind[:40]}" if isinstance(kind, str) else "nothing in it"
