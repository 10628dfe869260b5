"""OpenAI's Agents SDK: its SQLite sessions (0.24 and before), and a run's saved state."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from ctxviz.projection.json_value import Json
from ctxviz.session.database import Database, RowRecords, json_of, quoted
from ctxviz.session.formats.content import Content, NotReadable, chosen
from ctxviz.session.formats.plain import itself, plain_content
from ctxviz.session.formats.shapes import message, text_of
from ctxviz.session.model import Conversation
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords
from ctxviz.session.table import Builder

NAME = "openai-agents"
TITLE = "OpenAI Agents SDK"
KNOWN_BY = "SQLite with a table of session_id and message_data; JSON with $schemaVersion and original_input"
READS = "the messages of one session, of an advanced one those of the latest branch; a run's input and items"
LEAVES_OUT = "other branches; encrypted items can't be read and are shown as they are"


def looks_like(file: Opened) -> float:
    """By the tables' columns, since their names can be chosen; by a run state's keys."""
    if isinstance(file, Database):
        return float(_table(file) is not None)
    document = file.value if isinstance(file, Document) else None
    return float(isinstance(document, dict) and "$schemaVersion" in document and "original_input" in document)


def read(file: Opened, conversation: str | None = None) -> Content:
    """One session's items."""
    if isinstance(file, Document):
        return _run_state(file.value)
    table = _table(file) if isinstance(file, Database) else None
    if table is None or not isinstance(file, Database):
        raise NotReadable("holds no items: there is no table with session_id and message_data")
    known = _conversations(file, table)
    one = chosen(known, conversation)
    ids = [row[0] for row in file.rows(f"SELECT id FROM {quoted(table)} WHERE session_id = ? ORDER BY id", one.id)]
    query = f"SELECT message_data FROM {quoted(table)} WHERE id = ?"

    def fetch(row: Any) -> Json:
        found = file.rows(query, row)
        return json_of(found[0][0]) if found else None

    records = RowRecords(ids, fetch, lambda row: f"row {row} of {table}")
    branch = _branch(file, one.id)
    builder = Builder(records)
    for number, record in records.each():
        if branch is None or ids[number] in branch:
            builder.add(number, (record,))
        else:
            builder.set_aside(number, "on another branch", (record,))
    rows = builder.rows(lambda record, number: (record,))
    return Content(
        rows=rows, conversation=one if len(known) > 1 else None, nothing="" if ids else "The session has no message."
    )


def _table(file: Database) -> str | None:
    return next((name for name in file.tables if file.has(name, "id", "session_id", "message_data")), None)


def _conversations(file: Database, table: str) -> list[Conversation]:
    query = (
        f"SELECT session_id, COUNT(*), MAX(created_at), MIN(id) FROM {quoted(table)}"
        if file.has(table, "created_at")
        else f"SELECT session_id, COUNT(*), NULL, MIN(id) FROM {quoted(table)}"
    )
    found = []
    for session_id, count, changed, first in file.rows(f"{query} GROUP BY session_id ORDER BY MAX(id) DESC"):
        data = file.rows(f"SELECT message_data FROM {quoted(table)} WHERE id = ?", first)
        opening = json_of(data[0][0]) if data else None
        title = text_of(opening.get("content")) if isinstance(opening, dict) else ""
        found.append(Conversation(str(session_id), " ".join(title.split())[:80], count, _seconds(changed)))
    return found


def _branch(file: Database, session_id: str) -> set[int] | None:
    """The messages of the branch that was written to last; None where sessions have no branches."""
    if not file.has("message_structure", "session_id", "message_id", "branch_id", "sequence_number"):
        return None
    rows = file.rows("SELECT message_id, branch_id FROM message_structure WHERE session_id = ? ORDER BY id", session_id)
    return {message for message, branch in rows if branch == rows[-1][1]} if rows else None


def _seconds(text: object) -> float | None:
    try:
        return datetime.fromisoformat(str(text)).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


def _run_state(document: Json) -> Content:
    if not isinstance(document, dict) or "original_input" not in document:
        raise NotReadable("holds no items: there is no original_input")
    given, made = document.get("original_input"), document.get("generated_items")
    items = list(given) if isinstance(given, list) else [] if given is None else [message("user", given)]
    for item in made if isinstance(made, list) else []:
        items.append(item["raw_item"] if isinstance(item, dict) and "raw_item" in item else item)
    count = len(given) if isinstance(given, list) else len(items)
    records = ListRecords(items, lambda at: f"original_input[{at}]" if at < count else f"generated_items[{at - count}]")
    return plain_content(records, itself, "The run has neither input nor items.")
