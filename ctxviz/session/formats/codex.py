"""Codex's rollouts: what the model was sent, among what the screen showed.

Rules as of Codex 0.50 to 0.137: only `response_item` lines are context, and `compacted` replaces
all before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.shapes import call, message, output, reasoning
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords, Records
from ctxviz.session.table import Builder

NAME = "codex"
TITLE = "Codex rollout"
KNOWN_BY = "lines with timestamp, type and payload; older ones without payload; codex exec --json"
READS = "response_item lines from the last compacted one on, and its replacement_history"
LEAVES_OUT = "event_msg (what the screen showed), turn_context, instructions, turns that were rolled back"

_ENVELOPES = frozenset(
    {
        "session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state",
        "inter_agent_communication_metadata", "session_state", "security_risk_score",
    }
)  # fmt: skip
_LEGACY_CALLS, _LEGACY_OUTPUTS = ("tool_call", "function_call"), ("tool_result", "function_result")
_EXEC = (
    "thread.started",
    "turn.started",
    "turn.completed",
    "turn.failed",
    "item.started",
    "item.updated",
    "item.completed",
)

COMPACTED = "before the compaction"
ROLLED_BACK = "rolled back"


def looks_like(file: Opened) -> float:
    """The share of lines in a rollout's envelope, in the form before it had one, or of `codex exec`."""
    records = _records(file)
    sample = records.sample() if records is not None else ()
    if not sample:
        return 0
    enveloped = sum(map(_is_enveloped, sample))
    if enveloped and not any(map(_is_legacy, sample)):
        return 0.97 * enveloped / len(sample)
    if sum(map(_is_exec, sample)) * 2 > len(sample):
        return 0.9
    legacy = sum(map(_is_legacy, sample))
    has_own = enveloped or any(isinstance(record, dict) and record.get("type") in _LEGACY_OUTPUTS for record in sample)
    return 0.8 * (legacy + enveloped) / len(sample) if legacy and has_own else 0


def _is_enveloped(record: Json) -> bool:
    if not isinstance(record, dict) or "payload" not in record:
        return False
    kind = record.get("type")
    return isinstance(kind, str) and (kind in _ENVELOPES or ("timestamp" in record and "message" not in record))


def _is_legacy(record: Json) -> bool:
    """A line of 2025 without an envelope: a time and either a role or a tool's call or result."""
    if not isinstance(record, dict) or not ("timestamp" in record or "created_at" in record) or "payload" in record:
        return False
    kind = record.get("type")
    if kind is None:
        return isinstance(record.get("role"), str) and "parts" not in record
    return kind in _LEGACY_OUTPUTS or (kind in _LEGACY_CALLS and isinstance(record.get("function"), dict))


def _is_exec(record: Json) -> bool:
    return isinstance(record, dict) and record.get("type") in _EXEC


def _records(file: Opened) -> Records | None:
    """The lines; the items of a rollout of before 2025, which was one object."""
    if isinstance(file, Records):
        return file
    document = file.value if isinstance(file, Document) else None
    items = document.get("items") if isinstance(document, dict) else None
    if isinstance(items, list) and isinstance(document, dict) and isinstance(document.get("session"), dict):
        wrapped: list[Json] = [{"type": "response_item", "payload": item} for item in items]
        return ListRecords(wrapped, lambda number: f"items[{number}]")
    return None


def read(file: Opened, conversation: str | None = None) -> Content:
    """What the model was sent last."""
    records = _records(file)
    if records is None:
        raise NotReadable("holds no items: a rollout is JSON Lines")
    builder = Builder(records)
    used: list[int] = []
    turns: list[int] = []  # where in `used` each user's turn begins
    for number, record in records.each():
        reason = _aside(record)
        if reason is not None:
            builder.set_aside(number, reason)
        else:
            items = items_of(record, number)
            if isinstance(record, dict) and record.get("type") == "compacted":
                builder.move_aside(used, COMPACTED)
                used, turns = [], []
            elif _is_user(items):
                turns.append(len(used))
            builder.add(number, items)
            used.append(number)
        count = _rolled_back(record)
        if count and turns:
            begin = turns[max(len(turns) - count, 0)]
            builder.move_aside(used[begin:], ROLLED_BACK)
            del used[begin:], turns[max(len(turns) - count, 0) :]
    rows = builder.rows(items_of)
    return Content(rows=rows, nothing="" if len(rows.items()) else "The file is whole: a rollout with no item.")


def _aside(record: Json) -> str | None:
    """Why a line is no context, None if it is."""
    if not isinstance(record, dict):
        return "no record: not an object"
    kind, payload = record.get("type"), record.get("payload")
    if kind in _EXEC:
        return None if kind == "item.completed" and isinstance(record.get("item"), dict) else f"bookkeeping: {kind}"
    if kind == "response_item":
        inner = payload.get("type") if isinstance(payload, dict) else None
        return "not sent: ghost_snapshot" if inner == "ghost_snapshot" else None
    if kind == "compacted" or kind in (*_LEGACY_CALLS, *_LEGACY_OUTPUTS):
        return None
    if kind == "event_msg":
        return "shown on the screen: event_msg"
    if isinstance(kind, str) and (kind in _ENVELOPES or "role" not in record):
        return f"bookkeeping: {kind[:40]}"
    return None if "role" in record else "bookkeeping: the session's header"


def _rolled_back(record: Json) -> int:
    payload = record.get("payload") if isinstance(record, dict) and record.get("type") == "event_msg" else None
    if not isinstance(payload, dict) or payload.get("type") != "thread_rolled_back":
        return 0
    count = payload.get("num_turns")
    return count if isinstance(count, int) and count > 0 else 0


def _is_user(items: Sequence[Json]) -> bool:
    return any(isinstance(item, dict) and item.get("role") == "user" for item in items)


def items_of(record: Json, number: int) -> Sequence[Json]:
    """A line's items."""
    if not isinstance(record, dict):
        return ()
    kind = record.get("type")
    if kind == "response_item":
        return (record.get("payload"),)
    if kind == "compacted":
        payload = record.get("payload")
        history = payload.get("replacement_history") if isinstance(payload, dict) else None
        if isinstance(history, list):
            return history
        text = payload.get("message") if isinstance(payload, dict) else payload
        return (message("user", text),)
    if kind == "item.completed":
        return _executed(record.get("item"))
    return _legacy(record)


def _legacy(record: dict[str, Json]) -> Sequence[Json]:
    kind = record.get("type")
    function = record.get("function")
    name = function.get("name") if isinstance(function, dict) else record.get("name")
    if kind in _LEGACY_CALLS:
        return (call(name, record.get("call_id", record.get("id")), record.get("arguments")),)
    if kind in _LEGACY_OUTPUTS:
        return (output(record.get("call_id", record.get("id")), record.get("result", record.get("output")), name),)
    if "role" in record:
        role = record["role"]
        return (message(role if isinstance(role, str) else "", record.get("content", record.get("message"))),)
    return ()


def _executed(item: Json) -> Sequence[Json]:
    """The items of an event of `codex exec --json`, which tells less than a rollout."""
    if not isinstance(item, dict):
        return ()
    kind, call_id = item.get("type"), item.get("id")
    if kind == "agent_message":
        return (message("assistant", item.get("text")),)
    if kind == "reasoning":
        return (reasoning(item.get("text")),)
    if kind == "command_execution":
        told = output(call_id, item.get("aggregated_output"), "shell")
        return (call("shell", call_id, {"command": item.get("command")}), told)
    return (item,)
