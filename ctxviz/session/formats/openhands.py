"""OpenHands' trajectories: lists of actions and observations, and folders of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ctxviz.projection.json_value import Json
from ctxviz.session.decoding import decode
from ctxviz.session.formats.content import Content, NotReadable, chosen
from ctxviz.session.formats.shapes import call, message, output
from ctxviz.session.model import Conversation
from ctxviz.session.opened import Folder, Opened
from ctxviz.session.records import ListRecords, Records
from ctxviz.session.table import Builder

NAME = "openhands"
TITLE = "OpenHands"
KNOWN_BY = "events with action or observation and source; a folder of event files; lines with a history of them"
READS = "messages, calls and their results; a condensation's summary in place of what it forgot"
LEAVES_OUT = "changes of state, nulls, what was condensed; the completions repeated in metadata"

_NOT_SENT = frozenset(
    {"agent_state_changed", "change_agent_state", "null", "recall", "system_stats", "condensation_request"}
)
_FORGOTTEN = "forgotten by a condensation"


def looks_like(file: Opened) -> float:
    """The share of the records that are events, or evaluations with a history of them."""
    if isinstance(file, Folder):
        return float(_event_folder(file.path) is not None)
    sample = file.sample() if isinstance(file, Records) else ()
    return 0.95 * sum(_is_event(one) or _history(one) is not None for one in sample) / len(sample) if sample else 0


def _is_event(record: Json) -> bool:
    if not isinstance(record, dict) or "id" not in record or "source" not in record:
        return False
    return ("action" in record and "args" in record) or ("observation" in record and "content" in record)


def _history(record: Json) -> list[Json] | None:
    history = record.get("history") if isinstance(record, dict) and "instance_id" in record else None
    return history if isinstance(history, list) and any(map(_is_event, history)) else None


def _event_folder(path: Path) -> Path | None:
    for folder in (path, path / "events"):
        try:
            if folder.name == "events" and any(_number(file) is not None for file in folder.glob("*.json")):
                return folder
        except OSError:
            continue
    return None


def _number(file: Path) -> int | None:
    return int(file.stem) if file.stem.isascii() and file.stem.isdigit() else None


def read(file: Opened, conversation: str | None = None) -> Content:
    """The events that the model saw."""
    if isinstance(file, Folder) and (folder := _event_folder(file.path)) is not None:
        files = sorted(
            (one for one in folder.glob("*.json") if _number(one) is not None), key=lambda one: _number(one) or 0
        )
        return _events(ListRecords([_event(one) for one in files], lambda number: files[number].name))
    if not isinstance(file, Records):
        raise NotReadable("holds no items: there are no events")
    if not any(_history(one) is not None for one in file.sample()):
        return _events(file)
    known: list[Conversation] = []
    places: dict[str, int] = {}
    for number, record in file.each():
        history = _history(record)
        if history is not None and isinstance(record, dict):
            name = record.get("instance_id")
            key = name if isinstance(name, str) and name not in places else str(number + 1)
            places[key] = number
            known.append(Conversation(key, "", len(history)))
    one = chosen(known, conversation)
    place = file.place(places[one.id])
    history = _history(file[places[one.id]]) or []
    content = _events(ListRecords(history, lambda number: f"{place}, history[{number}]"))
    return Content(rows=content.rows, nothing=content.nothing, conversation=one if len(known) > 1 else None)


def _event(file: Path) -> Json:
    try:
        return decode(file.read_text("utf-8", "replace")).value
    except OSError:
        return None


def _events(records: Records) -> Content:
    forgotten: set[Json] = set()
    for _, record in records.each():
        forgotten |= _forgotten(record)
    builder = Builder(records)
    for number, record in records.each():
        items = items_of(record, number)
        reason = _aside(record)
        if reason is None and isinstance(record, dict) and _hashable(record.get("id")) in forgotten:
            reason = _FORGOTTEN
        if reason is None:
            builder.add(number, items)
        else:
            builder.set_aside(number, reason, items)
    rows = builder.rows(items_of)
    return Content(rows=rows, nothing="" if len(rows.items()) else "The file is whole: it has no event for the model.")


def _hashable(value: Json) -> Json:
    return value if isinstance(value, (int, str)) else None


def _forgotten(record: Json) -> set[Json]:
    """The ids of the events that a condensation takes out of the model's view (events/action/agent.py)."""
    args = record.get("args") if isinstance(record, dict) and record.get("action") == "condensation" else None
    if not isinstance(args, dict):
        return set()
    listed = args.get("forgotten_event_ids")
    if isinstance(listed, list):
        return {one for one in listed if isinstance(one, (int, str))}
    start, end = args.get("forgotten_events_start_id"), args.get("forgotten_events_end_id")
    if isinstance(start, int) and isinstance(end, int) and 0 <= end - start < 10_000_000:
        return set(range(start, end + 1))
    return set()


def _aside(record: Json) -> str | None:
    if not isinstance(record, dict):
        return None
    for key in ("action", "observation"):
        kind = record.get(key)
        if isinstance(kind, str) and kind in _NOT_SENT:
            return f"not sent: {kind}"
    args = record.get("args")
    if record.get("action") == "condensation" and isinstance(args, dict) and not args.get("summary"):
        return "not sent: a condensation without a summary"
    return None


def items_of(record: Json, number: int) -> Sequence[Json]:
    """An event's items."""
    if not isinstance(record, dict):
        return (record,)
    metadata, args = record.get("tool_call_metadata"), record.get("args")
    metadata = metadata if isinstance(metadata, dict) else {}
    args = args if isinstance(args, dict) else {}
    name, call_id = metadata.get("function_name"), metadata.get("tool_call_id")
    if "observation" in record:
        if call_id is not None:
            return (output(call_id, record.get("content"), name),)
        return (message("user", record.get("content")),)
    action = record.get("action")
    if action == "message" or (action == "system"):
        role = "system" if action == "system" else "user" if record.get("source") == "user" else "assistant"
        return (message(role, args.get("content", record.get("message"))),)
    if action == "condensation":
        return (message("user", args.get("summary")),)
    if call_id is None and name is None:
        if not isinstance(action, str):
            return (record,)
        name = action
    thought = args.get("thought")
    given: Json = {key: value for key, value in args.items() if key != "thought"}
    made = call(name, call_id, given)
    return (message("assistant", thought), made) if isinstance(thought, str) and thought else (made,)
