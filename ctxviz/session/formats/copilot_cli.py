"""Copilot CLI's event logs (`session-state/<id>/events.jsonl`), and the flat logs of its hooks.

What events mean is in the SDK that Copilot publishes (github/copilot-sdk, `session-events`); what a
compaction keeps is not in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxviz.projection.json_value import Json
from ctxviz.session.compact_json import compact_json
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.shapes import call, message, output, reasoning
from ctxviz.session.opened import Opened
from ctxviz.session.records import Records
from ctxviz.session.table import Builder

NAME = "copilot-cli"
TITLE = "Copilot CLI"
KNOWN_BY = "lines of dotted types (user.message, assistant.message, tool.execution_complete) with data"
READS = "messages as they were sent, thoughts, calls and results; the summary in place of what was compacted"
LEAVES_OUT = "subagents, rewound events, the timeline's copies; what session.truncation took, which it does not say"

COMPACTED = "before the compaction"
CLEARED = "cleared"
REWOUND = "rewound"
SIDECHAIN = "sidechain"
TIMELINE = "not sent: for the timeline only"
NO_RECORD = "no record: not an object"

_KINDS = (
    "session.", "user.", "assistant.", "tool.", "system.", "hook.", "skill.", "subagent.", "permission.", "command.",
    "elicitation.", "external_tool.", "exit_plan_mode.", "user_input.", "pending_messages.", "mcp.", "sampling.",
)  # fmt: skip
_TOLD = ("user.message", "assistant.message", "session.start", "tool.execution_start", "tool.execution_complete")
_FLAT = ("userpromptsubmitted", "assistantresponse")
_FLAT_BOOKKEEPING = ("sessionstart", "sessionend", "erroroccurred")


def looks_like(file: Opened) -> float:
    """The share of the records that are such events."""
    sample = file.sample() if isinstance(file, Records) else ()
    if any(_kind(record) in _TOLD for record in sample):
        return 0.97 * sum(_kind(record) is not None for record in sample) / len(sample)
    flat = sum(_flat(record) is not None for record in sample)
    return 0.95 * flat / len(sample) if any(_flat(record) in _FLAT for record in sample) else 0


def _kind(record: Json) -> str | None:
    """The type of an event; None for what is none."""
    kind = record.get("type") if isinstance(record, dict) and isinstance(record.get("data"), dict) else None
    return kind if isinstance(kind, str) and (kind.startswith(_KINDS) or kind == "abort") else None


def _flat(record: Json) -> str | None:
    """The type of a line of a hook's log; None for what is none."""
    if not isinstance(record, dict) or "data" in record or "message" in record:
        return None
    kind = record.get("type")
    lower = kind.lower() if isinstance(kind, str) else ""
    return lower if lower in _FLAT or lower in _FLAT_BOOKKEEPING else None


def read(file: Opened, conversation: str | None = None) -> Content:
    """The items that the model saw last."""
    if not isinstance(file, Records):
        raise NotReadable("holds no items: a Copilot CLI log is JSON Lines")
    log = _Log()
    for number, record in file.each():
        log.take(number, record)
    log.settle(file)
    builder = Builder(file)
    for number in log.order():
        record = file[number]
        items, reason = event_items(record), log.reason(number, record)
        if reason is None and items:
            builder.add(number, items)
        else:
            builder.set_aside(number, reason or "nothing in it", items)
    rows = builder.rows(lambda record, number: event_items(record))
    return Content(rows=rows, nothing="" if len(rows.items()) else "The file is whole: a log with no message.")


class _Log:
    """Where the context begins, and what was rewound."""

    def __init__(self) -> None:
        self._cuts: list[tuple[int, int, str]] = []  # where the context began anew, its summary, and the reason
        self._begin, self._summary, self._reason = 0, -1, COMPACTED
        self._compacting = -1
        self._rewinds: list[tuple[int, str]] = []
        self._rewound = bytearray()  # of each record, once settled
        self._asked: set[int] = set()
        """Hashes of the ids of calls that messages ask for and that have not begun."""
        self._copies = bytearray()

    def take(self, number: int, record: Json) -> None:
        """The next record."""
        self._copies.append(0)
        kind = _kind(record)
        if kind is None or not isinstance(record, dict) or _is_of_subagent(record):
            return
        data = record["data"]
        assert isinstance(data, dict)
        if kind == "assistant.message":
            requests = data.get("toolRequests")
            for request in requests if isinstance(requests, list) else []:
                if isinstance(request, dict):
                    self._asked.add(_hash(request.get("toolCallId")))
        elif kind == "tool.execution_start":
            call_id = _hash(data.get("toolCallId"))
            self._copies[number] = call_id in self._asked
            self._asked.discard(call_id)
        elif kind == "session.compaction_start":
            self._compacting = number
        elif kind == "session.compaction_complete":
            if data.get("success") is not False and isinstance(data.get("summaryContent"), str):
                # Taken to run beside the agent: what came since it began is then not in the summary.
                self._cuts.append((number if self._compacting < 0 else self._compacting, number, COMPACTED))
            self._compacting = -1
        elif kind == "session.context_cleared":
            self._cuts.append((number, -1, CLEARED))
        elif kind == "session.snapshot_rewind" and isinstance(data.get("upToEventId"), str):
            self._rewinds.append((number, str(data["upToEventId"])))

    def settle(self, records: Records) -> None:
        """All records were taken. Of rewound events the ids are looked up: mostly the log was cut there."""
        self._rewound = bytearray(len(self._copies))
        wanted = {event_id for _, event_id in self._rewinds}
        found: dict[str, int] = {}
        for number, record in records.each() if wanted else ():
            event_id = record.get("id") if isinstance(record, dict) else None
            if isinstance(event_id, str) and event_id in wanted:
                found[event_id] = number
        reached = 0
        for begin, end in sorted((found.get(event_id, number), number) for number, event_id in self._rewinds):
            begin = max(begin, reached)
            if begin < end:
                self._rewound[begin:end] = b"\1" * (end - begin)
                reached = end
        for cut in self._cuts:
            if not self._rewound[max(cut[:2])]:
                self._begin, self._summary, self._reason = cut

    def order(self) -> Iterator[int]:
        """The records in order, but a summary before what came while it was written."""
        for number in range(len(self._copies)):
            if number == self._begin and self._summary > number:
                yield self._summary
            if number != self._summary or number <= self._begin:
                yield number

    def reason(self, number: int, record: Json) -> str | None:
        """Why a record is out of context; None if it is in it."""
        if not isinstance(record, dict):
            return NO_RECORD
        kind = _kind(record)
        if kind is None:
            flat = _flat(record)
            return f"bookkeeping: {record['type']}" if flat in _FLAT_BOOKKEEPING else None
        if kind not in _ITEMS:
            return f"bookkeeping: {kind[:40]}"
        if self._rewound[number]:
            return REWOUND
        if _is_of_subagent(record):
            return SIDECHAIN
        if kind == "assistant.reasoning" or record.get("ephemeral") is True or self._copies[number]:
            return TIMELINE
        if kind == "session.compaction_complete":
            return None if number == self._summary else COMPACTED if number < self._begin else f"bookkeeping: {kind}"
        if kind == "system.notification":
            return "not known to be sent: system.notification"
        return self._reason if number < self._begin and kind != "system.message" else None


_ITEMS = frozenset(
    {
        "user.message", "system.message", "assistant.message", "assistant.reasoning", "tool.execution_start",
        "tool.user_requested", "tool.execution_complete", "session.compaction_complete", "system.notification",
    }
)  # fmt: skip


def _is_of_subagent(record: dict[str, Json]) -> bool:
    data = record.get("data")
    parent = data.get("parentToolCallId") if isinstance(data, dict) else None
    return bool(record.get("agentId")) or bool(parent)


def _hash(value: Json) -> int:
    return hash(value if isinstance(value, str) else compact_json(value, 200))


def event_items(record: Json) -> list[Json]:
    """The items of an event; none of one that says nothing."""
    kind = _kind(record)
    if not isinstance(record, dict):
        return [record]
    if kind is None:
        flat = _flat(record)
        if flat == "userpromptsubmitted":
            return [message("user", record.get("prompt"))]
        if flat == "assistantresponse":
            return [message("assistant", record.get("result"))]
        return [] if flat else [record]
    data = record["data"]
    assert isinstance(data, dict)
    if kind == "user.message":
        return [_asked(data)]
    if kind == "assistant.message":
        return _answered(data)
    if kind == "assistant.reasoning":
        return [reasoning(data.get("content"))]
    if kind in ("tool.execution_start", "tool.user_requested"):
        return [call(data.get("toolName"), data.get("toolCallId"), data.get("arguments"))]
    if kind == "tool.execution_complete":
        return [output(data.get("toolCallId"), _told(data), data.get("toolName"))]
    if kind == "session.compaction_complete":
        return [message("user", data["summaryContent"])] if isinstance(data.get("summaryContent"), str) else []
    if kind == "system.message":
        role = data.get("role")
        return [message(role if isinstance(role, str) else "system", data.get("content"))]
    return [message("user", data.get("content"))] if kind == "system.notification" else []


def _asked(data: dict[str, Json]) -> Json:
    """A message as it was sent: with what Copilot added; files that are not in its text follow it."""
    sent = data.get("transformedContent")
    text = sent if isinstance(sent, str) and sent else data.get("content")
    attached = data.get("attachments")
    files = [
        {"type": "image", "data": one.get("data"), "mimeType": one.get("mimeType")}
        for one in (attached if isinstance(attached, list) else [])
        if isinstance(one, dict) and one.get("type") == "blob"
    ]
    return message("user", [{"type": "text", "text": text}, *files] if files else text)


def _answered(data: dict[str, Json]) -> list[Json]:
    items: list[Json] = []
    if data.get("reasoningText") not in (None, ""):
        items.append(reasoning(data["reasoningText"]))
    if data.get("content") not in (None, ""):
        items.append(message("assistant", data["content"]))
    requests = data.get("toolRequests")
    for one in requests if isinstance(requests, list) else []:
        if isinstance(one, dict):
            items.append(call(one.get("name"), one.get("toolCallId"), one.get("arguments")))
        else:
            items.append(one)
    return items


def _told(data: dict[str, Json]) -> Json:
    """What the model got of a result: its `content`, not the `detailedContent` of the timeline."""
    result, error = data.get("result"), data.get("error")
    if isinstance(result, dict):
        return result.get("content", result)
    if result is not None:
        return result
    return error.get("message", error) if isinstance(error, dict) else error
