"""ai4j's tables in a SQLite file: stored sessions, agent memories, chat memories (commit 6955545).

Tables are known by their columns, since their names can be chosen.
"""

from __future__ import annotations

from dataclasses import replace

from ctxviz.projection.json_value import Json
from ctxviz.session.database import Database, json_of, quoted
from ctxviz.session.formats import ai4j_chat_memory, ai4j_snapshot
from ctxviz.session.formats.ai4j_memory import memory_content, summary_of
from ctxviz.session.formats.content import Content, NotReadable, chosen
from ctxviz.session.model import Conversation
from ctxviz.session.opened import Document, Opened

NAME = "ai4j-jdbc"
TITLE = "ai4j database"
KNOWN_BY = "SQLite with snapshot_json, or entry_type and entry_json, or item_index and item_json"
READS = "one session: its snapshot, its memory's items after the summary, or its chat memory"
LEAVES_OUT = "other sessions"

_SESSIONS = ("session_id", "snapshot_json")
_MEMORY = ("session_id", "entry_type", "entry_index", "entry_json")
_CHAT = ("session_id", "item_index", "item_json")


def looks_like(file: Opened) -> float:
    """By the tables' columns."""
    return float(isinstance(file, Database) and any(_tables(file, columns) for columns in (_SESSIONS, _MEMORY, _CHAT)))


def _tables(file: Database, columns: tuple[str, ...]) -> list[str]:
    return [name for name in file.tables if file.has(name, *columns)]


def read(file: Opened, conversation: str | None = None) -> Content:
    """One session of one table."""
    if not isinstance(file, Database) or not looks_like(file):
        raise NotReadable("holds no items: there is no table of ai4j's")
    found: dict[str, tuple[str, str, str]] = {}  # id to kind, table and session
    known: list[Conversation] = []
    for kind, columns, words in (
        ("snapshot", _SESSIONS, "stored session"),
        ("memory", _MEMORY, "agent memory"),
        ("chat", _CHAT, "chat memory"),
    ):
        for table in _tables(file, columns):
            for session, count, changed in _sessions(file, table):
                # The same session can be stored and have its memory in a table of its own.
                key = session if session not in found else f"{session} ({words})"
                found[key] = kind, table, session
                known.append(Conversation(key, words, None if kind == "snapshot" else count, changed))
    one = chosen(known, conversation)
    kind, table, session = found[one.id]
    return replace(_READERS[kind](file, table, session), conversation=one if len(known) > 1 else None)


def _sessions(file: Database, table: str) -> list[tuple[str, int, float | None]]:
    time = next((name for name in ("updated_at", "created_at") if file.has(table, name)), None)
    latest = f"MAX({time})" if time else "NULL"
    rows = file.rows(f"SELECT session_id, COUNT(*), {latest} FROM {quoted(table)} GROUP BY session_id")
    return [(str(name), count, ms / 1000 if isinstance(ms, int) else None) for name, count, ms in rows]


def _snapshot(file: Database, table: str, session: str) -> Content:
    rows = file.rows(f"SELECT snapshot_json FROM {quoted(table)} WHERE session_id = ?", session)
    document = json_of(rows[0][0]) if rows else None
    if not isinstance(document, dict):
        raise NotReadable("holds no items: the stored snapshot is no JSON object", f"{table}, {session}")
    return ai4j_snapshot.read(Document(document))


def _memory(file: Database, table: str, session: str) -> Content:
    query = f"SELECT entry_type, entry_json FROM {quoted(table)} WHERE session_id = ? ORDER BY entry_index"
    rows = [(kind, json_of(text)) for kind, text in file.rows(query, session)]
    items = [value for kind, value in rows if kind == "item"]
    summary: Json = next((value for kind, value in rows if kind == "summary"), None)
    return memory_content(items, summary_of({"summary": summary}), "The session has no item.")


def _chat(file: Database, table: str, session: str) -> Content:
    query = f"SELECT item_json FROM {quoted(table)} WHERE session_id = ? ORDER BY item_index"
    return ai4j_chat_memory.read(Document({"items": [json_of(row[0]) for row in file.rows(query, session)]}))


_READERS = {"snapshot": _snapshot, "memory": _memory, "chat": _chat}
