"""Vercel's AI SDK: messages of its user interface (versions 4 to 6), and of its models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.shapes import call, message, output, reasoning
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords, Records
from ctxviz.session.table import Builder

NAME = "vercel-ai"
TITLE = "Vercel AI SDK"
KNOWN_BY = "messages with role and parts that have a type, or with toolInvocations or tool-call parts"
READS = "each part as an item; a tool part that is call and result is two"
LEAVES_OUT = "step-start, sources, data parts, and calls whose input was still streaming"

_NOT_SENT = ("step-start", "source-url", "source-document")
_PARTS = frozenset(
    {"text", "reasoning", "dynamic-tool", "file", "reasoning-file", "custom", "tool-invocation", "source", *_NOT_SENT}
)
_DONE = {"output-available": "output", "output-error": "errorText", "output-denied": "errorText"}


def looks_like(file: Opened) -> float:
    """The share of the records that are messages of the SDK's, if one of them can be of no one else."""
    records = _records(file)
    sample = records.sample() if records is not None else ()
    if not sample:
        return 0
    own = sum(map(_is_own, sample))
    if not own:
        return 0
    plain = sum(isinstance(record, dict) and "role" in record and "content" in record for record in sample)
    return 0.85 * min(own + plain, len(sample)) / len(sample)


def _records(file: Opened) -> Records | None:
    if isinstance(file, Records):
        return file
    messages = file.value.get("messages") if isinstance(file, Document) and isinstance(file.value, dict) else None
    return ListRecords(messages, lambda number: f"messages[{number}]") if isinstance(messages, list) else None


def _is_own(record: Json) -> bool:
    if not isinstance(record, dict) or not isinstance(record.get("role"), str):
        return False
    if isinstance(record.get("toolInvocations"), list):
        return True
    parts = record.get("parts")
    if isinstance(parts, list):
        types = [part.get("type") for part in parts if isinstance(part, dict)]
        return bool(types) and all(isinstance(kind, str) and _is_part(kind) for kind in types)
    content = record.get("content")
    return isinstance(content, list) and any(
        isinstance(part, dict) and part.get("type") in ("tool-call", "tool-result") for part in content
    )


def _is_part(kind: str) -> bool:
    return kind in _PARTS or kind.startswith(("tool-", "data-"))


def read(file: Opened, conversation: str | None = None) -> Content:
    """The messages' parts."""
    records = _records(file)
    if records is None:
        raise NotReadable("holds no items: there are no messages")
    builder = Builder(records)
    for number, record in records.each():
        items = items_of(record, number)
        left_out = list(_left_out(record))
        if items:
            builder.add(number, items)
            for kind in left_out:
                builder.leave_out(number, f"not sent: {kind} part")
        else:
            builder.set_aside(number, f"not sent: {left_out[0]} part" if left_out else "nothing in it")
    rows = builder.rows(items_of)
    return Content(rows=rows, nothing="" if len(rows.items()) else "The file is whole: it has no message.")


def items_of(record: Json, number: int) -> Sequence[Json]:
    """A message's items."""
    if not isinstance(record, dict) or "role" not in record:
        return (record,)
    role, parts = record["role"], record.get("parts")
    if isinstance(parts, list):
        return [item for part in parts for item in _of_part(role, part)]
    content = record.get("content")
    if isinstance(content, list):
        return [item for part in content for item in _of_part(role, part)]
    items: list[Json] = []
    if isinstance(thought := record.get("reasoning"), str) and thought:
        items.append(reasoning(thought))
    invocations = record.get("toolInvocations")
    for invocation in invocations if isinstance(invocations, list) else []:
        items += _of_invocation(invocation)
    if content or not items:
        items.append(message(_text(role), content))
    return items


def _left_out(record: Json) -> Iterator[str]:
    parts = record.get("parts") if isinstance(record, dict) else None
    for part in parts if isinstance(parts, list) else []:
        if isinstance(part, dict) and (kind := _not_sent(part)):
            yield kind


def _not_sent(part: dict[str, Json]) -> str | None:
    kind = part.get("type")
    if not isinstance(kind, str):
        return None
    if kind in _NOT_SENT or kind.startswith("data-"):
        return "data" if kind.startswith("data-") else kind
    is_tool = kind.startswith("tool-") or kind == "dynamic-tool"
    return "input-streaming" if is_tool and part.get("state") == "input-streaming" else None


def _of_part(role: Json, part: Json) -> list[Json]:
    if not isinstance(part, dict):
        return [message(_text(role), part)]
    kind = part.get("type")
    if _not_sent(part) is not None:
        return []
    if kind == "text":
        return [message(_text(role), part.get("text"))]
    if kind == "reasoning":
        return [reasoning(part.get("text", part.get("reasoning")))]
    if kind == "tool-call":
        return [call(part.get("toolName"), part.get("toolCallId"), part.get("input", part.get("args")))]
    if kind == "tool-result":
        return [output(part.get("toolCallId"), _result(part.get("output", part.get("result"))), part.get("toolName"))]
    if kind == "tool-invocation":
        return _of_invocation(part.get("toolInvocation"))
    if isinstance(kind, str) and (kind == "dynamic-tool" or kind.startswith("tool-")):
        name = part.get("toolName") if kind == "dynamic-tool" else kind.removeprefix("tool-")
        items = [call(name, part.get("toolCallId"), part.get("input"))]
        state = part.get("state")
        key = _DONE.get(state) if isinstance(state, str) else None
        if key is not None:
            items.append(output(part.get("toolCallId"), part.get(key), name))
        return items
    if kind == "file":
        url, media = part.get("url", part.get("data")), part.get("mediaType", part.get("mimeType"))
        return [message(_text(role), [{"type": "image_url", "image_url": {"url": url}, "media_type": media}])]
    return [part]


def _of_invocation(invocation: Json) -> list[Json]:
    """A call of version 4, with its result in it."""
    if not isinstance(invocation, dict):
        return [] if invocation is None else [invocation]
    call_id, name = invocation.get("toolCallId"), invocation.get("toolName")
    if invocation.get("state") == "partial-call":
        return []
    items = [call(name, call_id, invocation.get("args"))]
    if "result" in invocation:
        items.append(output(call_id, invocation["result"], name))
    return items


def _result(value: Json) -> Json:
    return value["value"] if isinstance(value, dict) and "type" in value and "value" in value else value


def _text(role: Json) -> str:
    return role if isinstance(role, str) else ""
