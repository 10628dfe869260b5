"""LangChain's messages: ``messages_to_dict``, ``dumpd`` and plain ``model_dump`` (langchain-core 1.8)."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.compact_json import compact_json
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords, Records
from ctxviz.session.table import Builder

NAME = "langchain"
TITLE = "LangChain"
KNOWN_BY = "messages of type human, ai, tool, system with data, kwargs or content"
READS = "each message in the shape of OpenAI Chat; a call that stands in content and tool_calls once"
LEAVES_OUT = "artifacts, metadata and usage; messages that a RemoveMessage deletes"

_ROLES = {
    "human": "user",
    "HumanMessageChunk": "user",
    "ai": "assistant",
    "AIMessageChunk": "assistant",
    "system": "system",
    "SystemMessageChunk": "system",
    "tool": "tool",
    "ToolMessageChunk": "tool",
    "function": "function",
    "developer": "developer",
}
_OWN_TYPES = frozenset({*_ROLES, "chat", "ChatMessageChunk", "remove"})
_DELETED = "deleted by a RemoveMessage"


def looks_like(file: Opened) -> float:
    """The share of the records that are messages in one of the three forms."""
    records = _records(file)
    sample = records.sample() if records is not None else ()
    return 0.9 * sum(_fields(record) is not None for record in sample) / len(sample) if sample else 0


def _records(file: Opened) -> Records | None:
    if isinstance(file, Records):
        return file
    document = file.value if isinstance(file, Document) else None
    for holder in (document, document.get("values") if isinstance(document, dict) else None):
        messages = holder.get("messages") if isinstance(holder, dict) else None
        if isinstance(messages, list):
            return ListRecords(messages, lambda number: f"messages[{number}]")
    return None


def read(file: Opened, conversation: str | None = None) -> Content:
    """The messages that are left."""
    records = _records(file)
    if records is None:
        raise NotReadable("holds no items: there are no messages")
    builder = Builder(records)
    by_id: dict[str, int] = {}
    for number, record in records.each():
        fields = _fields(record)
        kind = fields.get("type") if fields else None
        message_id = fields.get("id") if fields else None
        if kind == "remove":
            # "__remove_all__" deletes all before it (langgraph's add_messages).
            if message_id == "__remove_all__":
                builder.move_aside(range(number), _DELETED)
            elif isinstance(message_id, str) and message_id in by_id:
                builder.move_aside([by_id[message_id]], _DELETED)
            builder.set_aside(number, "a RemoveMessage")
            continue
        if isinstance(message_id, str):
            by_id[message_id] = number
        builder.add(number, items_of(record, number))
    rows = builder.rows(items_of)
    return Content(rows=rows, nothing="" if len(rows.items()) else "The file is whole: it has no message.")


def _fields(record: Json) -> dict[str, Json] | None:
    """A message's fields in any of the forms, with its type; None if it is no message of LangChain's."""
    if not isinstance(record, dict):
        return None
    if record.get("lc") == 1 and isinstance(record.get("id"), list):
        kwargs = record.get("kwargs")
        fields = kwargs if isinstance(kwargs, dict) else {}
        kind = fields.get("type", _type_of_class(record["id"]))
        return {**fields, "type": kind} if isinstance(kind, str) and kind in _OWN_TYPES else None
    kind = record.get("type")
    if not isinstance(kind, str) or kind not in _OWN_TYPES:
        return None
    data = record.get("data")
    if isinstance(data, dict) and "content" in data:
        return {**data, "type": kind}
    return record if "content" in record else None


def _type_of_class(path: Json) -> str | None:
    name = path[-1] if isinstance(path, list) and path else None
    return name.removesuffix("Message").lower() if isinstance(name, str) and name.endswith("Message") else None


def items_of(record: Json, number: int) -> Sequence[Json]:
    """A message in the shape of OpenAI Chat; what is none as it is."""
    fields = _fields(record)
    if fields is None:
        return (record,)
    kind = fields["type"]
    role = _ROLES.get(kind, fields.get("role", kind)) if isinstance(kind, str) else kind
    content = fields.get("content")
    item: dict[str, Json] = {"role": role}
    if role == "tool":
        item["tool_call_id"] = fields.get("tool_call_id")
    if isinstance(name := fields.get("name"), str) and role in ("tool", "function"):
        item["name"] = name
    calls = _calls(fields)
    called = {call["id"] for call in calls if isinstance(call.get("id"), str)}
    if calls and isinstance(content, list):
        content = [block for block in content if not _is_call(block, called)]
    item["content"] = content
    if calls:
        item["tool_calls"] = list(calls)
    return (item,)


def _is_call(block: Json, called: set[Json]) -> bool:
    """Whether a block of content is a call that is listed as such as well."""
    if not isinstance(block, dict) or block.get("type") not in ("tool_use", "tool_call", "function_call"):
        return False
    call_id = block.get("call_id", block.get("id"))
    return isinstance(call_id, str) and call_id in called


def _calls(fields: dict[str, Json]) -> list[dict[str, Json]]:
    found: list[dict[str, Json]] = []
    for key in ("tool_calls", "invalid_tool_calls"):
        calls = fields.get(key)
        for call in calls if isinstance(calls, list) else []:
            if isinstance(call, dict):
                arguments = call.get("args")
                text = arguments if isinstance(arguments, str) else compact_json(arguments)
                function: Json = {"name": call.get("name"), "arguments": text}
                found.append({"id": call.get("id"), "type": "function", "function": function})
    return found
