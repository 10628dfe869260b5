"""opencode's sessions: its SQLite database (1.2 on), its folder of JSON files before, and `opencode export`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ctxviz.projection.json_value import Json
from ctxviz.session.database import Database, RowRecords, json_of
from ctxviz.session.decoding import decode
from ctxviz.session.formats.content import Content, NotReadable, chosen
from ctxviz.session.formats.shapes import call, message, output, reasoning
from ctxviz.session.model import Conversation
from ctxviz.session.opened import Document, Folder, Opened
from ctxviz.session.records import ListRecords, Records
from ctxviz.session.table import Builder

NAME = "opencode"
TITLE = "opencode"
KNOWN_BY = "SQLite with session, message and part; a storage folder of these; an export with info and parts"
READS = "one session's parts from the last compaction on, as they are sent; a tool part is call and output"
LEAVES_OUT = "ignored parts, steps, snapshots and patches; messages that failed; other sessions"

_NOT_SENT = frozenset({"step-start", "step-finish", "snapshot", "patch", "agent", "retry"})
_CLEARED = "[Old tool result content cleared]"
_INTERRUPTED = "[Tool execution was interrupted]"
_WHAT_DID_WE_DO = "What did we do so far?"
_SUBTASK = "The following tool was executed by the user"
COMPACTED = "before the compaction"


def looks_like(file: Opened) -> float:
    """By tables, by folders, by keys."""
    if isinstance(file, Database):
        has_parts = file.has("part", "message_id", "data") and file.has("message", "session_id", "data")
        return float(has_parts and "session" in file.tables)
    if isinstance(file, Folder):
        return float(_storage(file.path) is not None)
    return float(isinstance(file, Document) and _exported(file.value) is not None)


def read(file: Opened, conversation: str | None = None) -> Content:
    """One session's parts."""
    if isinstance(file, Database):
        known = _in_database(file)
        one = chosen(known, conversation)
        return _content(_parts_in_database(file, one.id), one if len(known) > 1 else None)
    if isinstance(file, Folder) and (storage := _storage(file.path)) is not None:
        known = _in_folder(storage)
        one = chosen(known, conversation)
        return _content(_parts_in_folder(storage, one.id), one if len(known) > 1 else None)
    messages = _exported(file.value) if isinstance(file, Document) else None
    if messages is None:
        raise NotReadable("holds no items: there are no messages with parts")
    return _content(_parts_exported(messages), None)


def _content(records: Records, one: Conversation | None) -> Content:
    """Records are parts, each with its message: `{"message": {...}, "part": {...}}`."""
    builder = Builder(records)
    start = _start(records)
    for number, record in records.each():
        reason = COMPACTED if number < start else _aside(record)
        items = items_of(record, number)
        if reason is None:
            builder.add(number, items)
        else:
            builder.set_aside(number, reason, items)
    rows = builder.rows(items_of)
    nothing = "" if len(rows.items()) else "The session has no message that would be sent."
    return Content(rows=rows, conversation=one, nothing=nothing)


def _start(records: Records) -> int:
    """The first part in context: the last compaction that a summary answers, or the tail that it kept before it."""
    asked: tuple[int, Json, Json] | None = None
    start = 0
    first_of: dict[str, int] = {}
    for number, record in records.each():
        info, part = _halves(record)
        message_id = info.get("id")
        if isinstance(message_id, str):
            first_of.setdefault(message_id, number)
        if part.get("type") == "compaction":
            asked = number, message_id, part.get("tail_start_id")
        elif asked is not None and info.get("summary") is True and info.get("role") == "assistant":
            number_asked, _, tail = asked
            kept = first_of.get(tail) if isinstance(tail, str) else None
            start = min(number_asked, kept) if kept is not None else number_asked
            asked = None
    return start


def _aside(record: Json) -> str | None:
    info, part = _halves(record)
    kind = part.get("type")
    if part.get("ignored") is True:
        return "not sent: ignored part"
    if isinstance(kind, str) and kind in _NOT_SENT:
        return f"bookkeeping: {kind}"
    if kind == "file":
        mime = part.get("mime")
        if mime in ("text/plain", "application/x-directory"):
            return f"not sent as a file: {mime}"
    error = info.get("error")
    if info.get("role") == "assistant" and isinstance(error, dict) and error.get("name") != "MessageAbortedError":
        return "not sent: the message failed"
    return None


def _halves(record: Json) -> tuple[dict[str, Json], dict[str, Json]]:
    info = record.get("message") if isinstance(record, dict) else None
    part = record.get("part") if isinstance(record, dict) else None
    return info if isinstance(info, dict) else {}, part if isinstance(part, dict) else {}


def items_of(record: Json, number: int) -> Sequence[Json]:
    """A part's items, as opencode sends them (message-v2.ts)."""
    info, part = _halves(record)
    role = info.get("role")
    speaker = role if isinstance(role, str) else ""
    kind = part.get("type")
    if kind == "text":
        return (message(speaker, part.get("text")),)
    if kind == "reasoning":
        return (reasoning(part.get("text")),)
    if kind == "tool":
        return _tool(part)
    if kind == "file":
        url = part.get("url")
        return (message(speaker, [{"type": "image_url", "image_url": {"url": url}, "media_type": part.get("mime")}]),)
    if kind == "compaction":
        return (message("user", _WHAT_DID_WE_DO),)
    if kind == "subtask":
        return (message("user", _SUBTASK),)
    return () if isinstance(kind, str) and kind in _NOT_SENT else (part or record,)


def _tool(part: dict[str, Json]) -> Sequence[Json]:
    state = part.get("state")
    state = state if isinstance(state, dict) else {}
    call_id, name, status, time = part.get("callID"), part.get("tool"), state.get("status"), state.get("time")
    told: Json = _INTERRUPTED
    if status == "error":
        told = state.get("error")
    elif status == "completed":
        told = _CLEARED if isinstance(time, dict) and time.get("compacted") else state.get("output")
    return call(name, call_id, state.get("input")), output(call_id, told, name)


# -- the database ---------------------------------------------------------------------------------


def _in_database(file: Database) -> list[Conversation]:
    title = "title" if file.has("session", "title") else "NULL"
    parent = "parent_id" if file.has("session", "parent_id") else "NULL"
    changed = "time_updated" if file.has("session", "time_updated") else "NULL"
    counts = dict(file.rows("SELECT session_id, COUNT(*) FROM message GROUP BY session_id"))
    return [
        Conversation(str(key), f"{name or ''}{' (sub-agent)' if above else ''}".strip(), counts.get(key, 0), _ms(time))
        for key, name, above, time in file.rows(
            f"SELECT id, {title}, {parent}, {changed} FROM session ORDER BY {changed} DESC, id"
        )
    ]


def _parts_in_database(file: Database, session: str) -> Records:
    order = "ORDER BY message.time_created, message.id, part.id" if file.has("message", "time_created") else ""
    joined = "part JOIN message ON part.message_id = message.id"
    ids = [row[0] for row in file.rows(f"SELECT part.id FROM {joined} WHERE message.session_id = ? {order}", session)]

    def fetch(part: Any) -> Json:
        rows = file.rows(f"SELECT message.id, message.data, part.data FROM {joined} WHERE part.id = ?", part)
        if not rows:
            return None
        message_id, info, data = rows[0]
        # Columns are left out of the JSON beside them.
        head = json_of(info)
        return {"message": {**head, "id": message_id} if isinstance(head, dict) else head, "part": json_of(data)}

    return RowRecords(ids, fetch, lambda part: f"part {part}")


def _ms(time: object) -> float | None:
    return time / 1000 if isinstance(time, (int, float)) and not isinstance(time, bool) else None


# -- the folder -----------------------------------------------------------------------------------


def _storage(path: Path) -> Path | None:
    """The folder that has `session`, `message` and `part` in it: this one or its `storage`."""
    for folder in (path, path / "storage"):
        if all((folder / name).is_dir() for name in ("session", "message", "part")):
            return folder
    return None


def _in_folder(storage: Path) -> list[Conversation]:
    found = []
    for folder in sorted((storage / "message").iterdir()):
        files = sorted(folder.glob("*.json")) if folder.is_dir() else []
        if files:
            title = next((_title(file) for file in (storage / "session").glob(f"*/*{folder.name}.json")), "")
            found.append(Conversation(folder.name, title, len(files), files[-1].stat().st_mtime))
    return sorted(found, key=lambda one: -(one.changed or 0))


def _title(file: Path) -> str:
    info = _json(file)
    title = info.get("title") if isinstance(info, dict) else None
    return title if isinstance(title, str) else ""


def _json(file: Path) -> Json:
    try:
        return decode(file.read_text("utf-8", "replace")).value
    except OSError:
        return None


def _parts_in_folder(storage: Path, session: str) -> Records:
    def created(info: Json) -> tuple[float, str]:
        head = info if isinstance(info, dict) else {}
        time = head.get("time")
        begun = time.get("created") if isinstance(time, dict) else None
        is_number = isinstance(begun, (int, float)) and not isinstance(begun, bool)
        return (float(begun) if is_number else 0.0, str(head.get("id")))  # type: ignore[arg-type]

    def records() -> Iterator[tuple[str, Json]]:
        heads = [_json(file) for file in sorted((storage / "message" / session).glob("*.json"))]
        for info in sorted(heads, key=created):
            message_id = info.get("id") if isinstance(info, dict) else None
            if not isinstance(message_id, str) or Path(message_id).name != message_id:
                continue
            for file in sorted((storage / "part" / message_id).glob("*.json")):
                yield f"part/{message_id}/{file.name}", {"message": info, "part": _json(file)}

    listed = list(records())
    return ListRecords([record for _, record in listed], lambda number: listed[number][0])


# -- the export -----------------------------------------------------------------------------------


def _exported(document: Json) -> list[Json] | None:
    messages = document.get("messages") if isinstance(document, dict) and "info" in document else None
    if not isinstance(messages, list):
        return None
    known = [one for one in messages if isinstance(one, dict) and isinstance(one.get("parts"), list) and "info" in one]
    return messages if known or not messages else None


def _parts_exported(messages: list[Json]) -> Records:
    places: list[str] = []
    records: list[Json] = []
    for at, one in enumerate(messages):
        parts = one.get("parts") if isinstance(one, dict) else None
        info = one.get("info") if isinstance(one, dict) else None
        for place, part in enumerate(parts if isinstance(parts, list) else []):
            places.append(f"messages[{at}].parts[{place}]")
            records.append({"message": info, "part": part})
    return ListRecords(records, lambda number: places[number])
