"""pi's and OpenClaw's sessions: JSON Lines, a line of entries (version 1) or a tree of them (2 and 3)."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.shapes import call, message, output, reasoning
from ctxviz.session.opened import Opened
from ctxviz.session.records import Records
from ctxviz.session.table import Builder

NAME = "pi"
TITLE = "pi session"
KNOWN_BY = "a session header and entries of type message with a role"
READS = "the branch of the last entry, from the last compaction's first kept entry, after its summary"
LEAVES_OUT = "other branches, what was compacted, bash runs kept from the context, custom data, labels"

_ENTRIES = frozenset(
    {
        "message", "compaction", "branch_summary", "custom", "custom_message", "label", "model_change",
        "thinking_level_change", "session", "session_info",
    }
)  # fmt: skip
_ROLES = frozenset({"user", "assistant", "toolResult", "bashExecution", "custom", "hookMessage"})
BRANCH, COMPACTED = "on a branch that was left", "before the compaction"


def looks_like(file: Opened) -> float:
    """The share of the records that are entries, if messages in pi's words are among them."""
    sample = file.sample() if isinstance(file, Records) else ()
    matching = sum(isinstance(r, dict) and isinstance(r.get("type"), str) and r["type"] in _ENTRIES for r in sample)
    header = any(isinstance(r, dict) and r.get("type") == "session" and "cwd" in r for r in sample)
    spoken = sum(map(_is_message, sample))
    return 0.95 * matching / len(sample) if sample and (header or spoken) and matching else 0


def _is_message(record: Json) -> bool:
    if not isinstance(record, dict) or record.get("type") != "message" or "sessionId" in record:
        return False
    inner = record.get("message")
    role = inner.get("role") if isinstance(inner, dict) else None
    return isinstance(role, str) and role in _ROLES


def read(file: Opened, conversation: str | None = None) -> Content:
    """What the model saw last."""
    if not isinstance(file, Records):
        raise NotReadable("holds no items: a pi session is JSON Lines")
    numbers: dict[str, int] = {}
    parents: dict[int, Json] = {}
    called: dict[str, int] = {}  # a call's id to the entry that made it: entries can hang on it
    compactions: dict[int, Json] = {}
    reasons: dict[int, str] = {}
    for number, record in file.each():
        if not isinstance(record, dict):
            reasons[number] = "no record: not an object"
            continue
        if isinstance(entry := record.get("id"), str):
            numbers[entry] = number
        parents[number] = record.get("parentId")
        if record.get("type") == "compaction":
            compactions[number] = record.get("firstKeptEntryId", record.get("firstKeptEntryIndex"))
        reason = _aside(record)
        if reason is not None:
            reasons[number] = reason
        for call_id in _call_ids(record):
            called[call_id] = number
    seen = _branch(parents, {**called, **numbers})
    last = max((number for number in compactions if number in seen), default=None)
    builder = Builder(file)
    kept = 0 if last is None else _kept_from(compactions[last], numbers, last)
    order = sorted(number for number in range(len(file)) if number != last)
    # The summary stands before what was kept.
    at = next((place for place, number in enumerate(order) if number >= kept), len(order))
    for number in [*order[:at], last, *order[at:]] if last is not None else order:
        assert number is not None
        items = items_of(file[number], number)
        if number in reasons:
            builder.set_aside(number, reasons[number], items)
        elif number not in seen:
            builder.set_aside(number, BRANCH, items)
        elif (number < kept and number != last) or (number in compactions and number != last):
            builder.set_aside(number, COMPACTED, items)
        else:
            builder.add(number, items)
    rows = builder.rows(items_of)
    return Content(rows=rows, nothing="" if len(rows.items()) else "The file is whole: a session with no message.")


def _aside(record: dict[str, Json]) -> str | None:
    kind = record.get("type")
    if kind in ("compaction", "branch_summary", "custom_message"):
        return None
    inner = record.get("message")
    if kind == "message" and isinstance(inner, dict):
        return "kept from the context" if inner.get("excludeFromContext") is True else None
    if isinstance(kind, str) and kind in _ENTRIES and kind != "message":
        return f"bookkeeping: {kind}"
    return None


def _call_ids(record: dict[str, Json]) -> list[str]:
    inner = record.get("message")
    content = inner.get("content") if isinstance(inner, dict) else None
    blocks = content if isinstance(content, list) else []
    ids = (block.get("id") for block in blocks if isinstance(block, dict) and block.get("type") == "toolCall")
    return [call_id for call_id in ids if isinstance(call_id, str)]


def _branch(parents: dict[int, Json], numbers: dict[str, int]) -> set[int]:
    """The entries from the last one to the root; all, where entries have no parents (version 1)."""
    if not any(isinstance(parent, str) for parent in parents.values()):
        return set(parents)
    seen: set[int] = set()
    order = list(parents)
    place = {number: index for index, number in enumerate(order)}
    at: int | None = order[-1]
    while at is not None and at not in seen:
        seen.add(at)
        parent = parents[at]
        following = numbers.get(parent) if isinstance(parent, str) else None
        if isinstance(parent, str) and (following is None or following in seen):
            # Lost or in a circle: what stands before it is most likely what it went on from.
            index = place[at] - 1
            while index >= 0 and order[index] in seen:
                index -= 1
            following = order[index] if index >= 0 else None
        at = following
    return seen


def _kept_from(first: Json, numbers: dict[str, int], last: int) -> int:
    """The record from which a compaction kept all: by id, in files of version 1 by the entry's place."""
    if isinstance(first, str):
        return numbers.get(first, last)
    # The header is no entry.
    return first + 1 if isinstance(first, int) and 0 <= first < last else last


def items_of(record: Json, number: int) -> Sequence[Json]:
    """An entry's items."""
    if not isinstance(record, dict):
        return () if record is None else (record,)
    kind = record.get("type")
    if kind == "compaction" or kind == "branch_summary":
        return (message("user", record.get("summary")),)
    if kind == "custom_message":
        return (message("user", record.get("content")),)
    inner = record.get("message")
    if kind != "message" or not isinstance(inner, dict):
        return () if isinstance(kind, str) and kind in _ENTRIES else (record,)
    role, content = inner.get("role"), inner.get("content")
    if role == "toolResult":
        return (output(inner.get("toolCallId"), content, inner.get("toolName")),)
    if role == "bashExecution":
        return (message("user", f"Ran `{inner.get('command')}`\n{inner.get('output')}"),)
    role = role if role in ("user", "assistant", "system", "developer") else "user"
    assert isinstance(role, str)
    if not isinstance(content, list):
        return (message(role, content),)
    return _blocks(role, content)


def _blocks(role: str, content: list[Json]) -> list[Json]:
    items: list[Json] = []
    together: list[Json] = []
    for block in [*content, None]:
        kind = block.get("type") if isinstance(block, dict) else None
        if block is not None and kind not in ("toolCall", "thinking"):
            together.append(block)
            continue
        if together:
            items.append(message(role, together))
            together = []
        if kind == "toolCall" and isinstance(block, dict):
            items.append(call(block.get("name"), block.get("id"), block.get("arguments")))
        elif kind == "thinking" and isinstance(block, dict):
            items.append(reasoning(block.get("thinking")))
    return items
