"""pydantic-ai's message history, as ``ModelMessagesTypeAdapter`` writes it (2.68)."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.plain import plain_content
from ctxviz.session.formats.shapes import call, message, output, reasoning
from ctxviz.session.opened import Opened
from ctxviz.session.records import Records

NAME = "pydantic-ai"
TITLE = "pydantic-ai"
KNOWN_BY = "messages with kind request or response and parts that have a part_kind"
READS = "each part as an item"
LEAVES_OUT = "instructions, which are no items; usage and names of models"


def looks_like(file: Opened) -> float:
    """The share of the records that are requests and responses."""
    sample = file.sample() if isinstance(file, Records) else ()
    return float(sum(map(_is_message, sample)) / len(sample)) if sample else 0


def _is_message(record: Json) -> bool:
    if not isinstance(record, dict) or record.get("kind") not in ("request", "response"):
        return False
    parts = record.get("parts")
    return isinstance(parts, list) and all(isinstance(part, dict) and "part_kind" in part for part in parts)


def read(file: Opened, conversation: str | None = None) -> Content:
    """The messages' parts."""
    if not isinstance(file, Records):
        raise NotReadable("holds no items: there are no messages")
    return plain_content(file, items_of, "The file is whole: a history without messages.")


def items_of(record: Json) -> Sequence[Json] | str:
    """A message's items."""
    parts = record.get("parts") if isinstance(record, dict) else None
    if not isinstance(parts, list):
        return (record,)
    return [_of_part(part) for part in parts] or "nothing in it"


def _of_part(part: Json) -> Json:
    if not isinstance(part, dict):
        return part
    kind, content = part.get("part_kind"), part.get("content")
    if kind == "system-prompt":
        return message("system", content)
    if kind == "user-prompt":
        return message("user", _user_content(content))
    if kind == "text":
        return message("assistant", content)
    if kind == "thinking":
        return reasoning(content)
    if kind in ("tool-call", "builtin-tool-call"):
        return call(part.get("tool_name"), part.get("tool_call_id"), part.get("args"))
    if kind in ("tool-return", "builtin-tool-return"):
        return output(part.get("tool_call_id"), content, part.get("tool_name"))
    if kind == "retry-prompt":
        # Without a tool it is a message to the model that its answer was not valid.
        if part.get("tool_name") is None:
            return message("user", content)
        return output(part.get("tool_call_id"), content, part.get("tool_name"))
    return part


def _user_content(content: Json) -> Json:
    return [_user_part(part) for part in content] if isinstance(content, list) else content


def _user_part(part: Json) -> Json:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if isinstance(part, dict) and part.get("kind") == "image-url":
        return {"type": "image_url", "image_url": {"url": part.get("url")}}
    if isinstance(part, dict) and part.get("kind") == "binary":
        return {"type": "image", "data": part.get("data"), "media_type": part.get("media_type")}
    return part
