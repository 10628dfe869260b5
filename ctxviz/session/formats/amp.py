"""Amp's threads (`~/.local/share/amp/threads/T-….json`): Anthropic's blocks, with results of Amp's own shape."""

from __future__ import annotations

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.blocks import split_message
from ctxviz.session.formats.content import Content, NotReadable, list_under
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords
from ctxviz.session.table import Builder

NAME = "amp"
TITLE = "Amp thread"
KNOWN_BY = "messages with a messageId, beside created, nextMessageId, usageLedger or env"
READS = "each block as an item; a tool's run as its result"
LEAVES_OUT = "usage, the environment; what Amp adds to messages (files, the editor's state); info messages"

_OWN_KEYS = ("created", "nextMessageId", "usageLedger", "env", "agentMode", "v")


def looks_like(file: Opened) -> float:
    """A thread's keys, and numbered messages."""
    thread = file.value if isinstance(file, Document) else None
    messages = thread.get("messages") if isinstance(thread, dict) else None
    if not isinstance(thread, dict) or not isinstance(messages, list) or not isinstance(thread.get("id"), str):
        return 0
    own = sum(key in thread for key in _OWN_KEYS)
    if not messages:
        return 0.9 if own > 1 else 0
    numbered = sum(isinstance(one, dict) and "messageId" in one for one in messages[:100]) / len(messages[:100])
    return 0.97 * numbered if own else 0.6 * numbered


def read(file: Opened, conversation: str | None = None) -> Content:
    """The messages' blocks."""
    if not isinstance(file, Document):
        raise NotReadable("holds no items: an Amp thread is a JSON object")
    records = ListRecords(list_under(file.value, "messages"), lambda number: f"messages[{number}]")
    builder = Builder(records)
    for number, record in records.each():
        items = items_of(record)
        if isinstance(record, dict) and record.get("role") == "info":
            builder.set_aside(number, "not sent: info", items)
        else:
            builder.add(number, items)
    rows = builder.rows(lambda record, _: items_of(record))
    return Content(rows=rows, nothing="" if len(rows.items()) else "The file is whole: a thread with no message.")


def items_of(record: Json) -> list[Json]:
    """A message's items."""
    if not isinstance(record, dict) or "role" not in record:
        return [record]
    role, content = record["role"], record.get("content")
    return split_message(role, [_block(block) for block in content] if isinstance(content, list) else content)


def _block(block: Json) -> Json:
    """A result as Anthropic has it: `run` holds what came out, a result or an error."""
    run = block.get("run") if isinstance(block, dict) else None
    if not isinstance(block, dict) or not isinstance(run, dict) or block.get("type") != "tool_result":
        return block
    # What the model reads of a result that is an object is not known: it stays as it is.
    told = next((run[key] for key in ("result", "error") if run.get(key) is not None), run)
    made: dict[str, Json] = {"type": "tool_result", "tool_use_id": block.get("toolUseID"), "content": told}
    return made | {"is_error": True} if run.get("result") is None and run.get("error") is not None else made
