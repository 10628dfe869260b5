"""Gemini: contents of API requests, sessions of gemini-cli (JSON, and JSON Lines from 0.39 on), checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.shapes import call, message, output, reasoning
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords, Records
from ctxviz.session.table import Builder

NAME = "gemini"
TITLE = "Gemini"
KNOWN_BY = "contents or history with parts; sessionId, projectHash and messages of type user and gemini"
READS = "each part as an item; calls without ids are paired by name and order"
LEAVES_OUT = "systemInstruction and tools, which are no items; info and error messages; what was rewound"

_CLI_TYPES = ("user", "gemini")
_NOT_SENT = ("info", "error", "warning")
_PART_KEYS = frozenset(
    {
        "text", "inlineData", "inline_data", "fileData", "file_data", "functionCall", "function_call",
        "functionResponse", "function_response", "thought", "executableCode", "codeExecutionResult",
    }
)  # fmt: skip


def looks_like(file: Opened) -> float:
    """By the keys of a document; of records the share that are contents or messages of the CLI's."""
    if isinstance(file, Document):
        found = _messages(file.value)
        return 0.95 if found is not None and (not found or any(map(_is_known, found[:100]))) else 0
    sample = file.sample() if isinstance(file, Records) else ()
    known = sum(map(_is_known, sample)) + sum(map(_is_patch, sample))
    return 0.9 * known / len(sample) if any(map(_is_known, sample)) else 0


def _messages(document: Json) -> list[Json] | None:
    """The messages or contents of a document."""
    if not isinstance(document, dict):
        return None
    request = document.get("request")
    for holder in (document, request if isinstance(request, dict) else {}):
        contents = holder.get("contents")
        if isinstance(contents, dict):
            return [contents]
        if isinstance(contents, list):
            return contents
    history = document.get("history")
    if isinstance(history, list) and any(map(_is_content, history)):
        return history
    messages = document.get("messages")
    return messages if isinstance(messages, list) and "projectHash" in document else None


def _is_content(record: Json) -> bool:
    """Whether a record is an API content: a role, and parts with Gemini's keys."""
    parts = record.get("parts") if isinstance(record, dict) and "uuid" not in record else None
    return (
        isinstance(record, dict)
        and record.get("role") in ("user", "model", "function", None)
        and isinstance(parts, list)
        and any(isinstance(part, dict) and not _PART_KEYS.isdisjoint(part) and "type" not in part for part in parts)
    )


def _is_known(record: Json) -> bool:
    if not isinstance(record, dict):
        return False
    kind = record.get("type")
    is_cli = kind in (*_CLI_TYPES, *_NOT_SENT) and "content" in record and "id" in record and "message" not in record
    return is_cli or _is_content(record)


def _is_patch(record: Json) -> bool:
    return isinstance(record, dict) and ("$set" in record or "$rewindTo" in record or "projectHash" in record)


def read(file: Opened, conversation: str | None = None) -> Content:
    """The parts of all messages."""
    if isinstance(file, Document):
        messages = _messages(file.value)
        if messages is None:
            raise NotReadable("holds no items: there are no contents and no messages")
        file = ListRecords(messages, lambda number: f"message {number + 1}")
    if not isinstance(file, Records):
        raise NotReadable("holds no items: there are no contents and no messages")
    log = _Log()
    for number, record in file.each():
        log.take(number, record)
    builder = Builder(file)
    pairs = _Pairs()
    made: dict[int, list[str]] = {}
    for number in sorted((*log.order, *log.aside), key=log.place):
        record = file[number]
        plain = items_of(record)
        made[number] = pairs.ids(plain)
        items = _with_ids(plain, made[number])
        if number in log.aside:
            builder.set_aside(number, log.aside[number], items)
        else:
            builder.add(number, items)
    rows = builder.rows(lambda record, number: _with_ids(items_of(record), made.get(number, [])))
    return Content(rows=rows, nothing="" if len(rows.items()) else "The file is whole: it has no message.")


class _Log:
    """Which records of a session count: a message can come again, be rewound, and all be set anew."""

    def __init__(self) -> None:
        self.aside: dict[int, str] = {}
        self._live: dict[int, int] = {}  # a message's place to the record that it is now
        self._places: dict[int, int] = {}
        self._by_id: dict[str, int] = {}

    @property
    def order(self) -> list[int]:
        """The records that count."""
        return list(self._live.values())

    def place(self, number: int) -> int:
        """Where a record stands in the session: a message that came again where it was first."""
        return self._places.get(number, number)

    def take(self, number: int, record: Json) -> None:
        if not isinstance(record, dict):
            self.aside[number] = "no record: not an object"
        elif "$rewindTo" in record:
            self._rewind(record["$rewindTo"])
            self.aside[number] = "bookkeeping: $rewindTo"
        elif "$set" in record:
            patch = record["$set"]
            if isinstance(patch, dict) and isinstance(patch.get("messages"), list):
                self._drop(0, "replaced by $set")
                self._live[number] = number
            else:
                self.aside[number] = "bookkeeping: $set"
        elif "projectHash" in record and "content" not in record and not isinstance(record.get("messages"), list):
            self.aside[number] = "bookkeeping: the session's header"
        elif record.get("type") in _NOT_SENT:
            self.aside[number] = f"not sent: {record['type']}"
        else:
            self._message(number, record.get("id"))

    def _message(self, number: int, message_id: Json) -> None:
        before = self._by_id.get(message_id) if isinstance(message_id, str) else None
        place = number if before is None else self.place(before)
        if before is not None and self._live.get(place) == before:
            self.aside[before] = "replaced by a later record"
            self._places[number] = place
        else:
            place = number
        self._live[place] = number
        if isinstance(message_id, str):
            self._by_id[message_id] = number

    def _rewind(self, message_id: Json) -> None:
        at = self._by_id.get(message_id) if isinstance(message_id, str) else None
        # An id that is not known clears all, as gemini-cli's own reader does.
        is_live = at is not None and self._live.get(self.place(at)) == at
        self._drop(self.place(at) if at is not None and is_live else 0, "rewound")

    def _drop(self, begin: int, reason: str) -> None:
        for place in [place for place in self._live if place >= begin]:
            self.aside[self._live.pop(place)] = reason


def items_of(record: Json) -> list[Json]:
    """The items of a message or a content; calls and outputs have the ids that stand there, or none."""
    if not isinstance(record, dict):
        return [record]
    patch = record.get("$set")
    if isinstance(patch, dict) and isinstance(messages := patch.get("messages"), list):
        return [item for inner in messages for item in items_of(inner)]
    kind = record.get("type")
    if kind not in _CLI_TYPES:
        parts = record.get("parts")
        return parts_of(_role(record.get("role")), parts) if isinstance(parts, list) else [record]
    content = record.get("content")
    items = [reasoning(_thought(thought)) for thought in _listed(record.get("thoughts"))]
    if content not in (None, "", []):
        role = "user" if kind == "user" else "assistant"
        items += parts_of(role, content) if isinstance(content, list) else [message(role, content)]
    for tool in _listed(record.get("toolCalls")):
        items += _tool(tool)
    return items


def parts_of(role: str, parts: list[Json]) -> list[Json]:
    """The items of a list of parts; neighbouring texts and files of a role are one item."""
    items: list[Json] = []
    together: list[Json] = []
    for part in parts:
        own = _alone(part)
        if own is None:
            together.append(_as_block(part))
            continue
        if together:
            items.append(message(role, together))
            together = []
        items.append(own)
    if together:
        items.append(message(role, together))
    return items


def _alone(part: Json) -> Json:
    """The item of a part that is one by itself, None for texts and files."""
    if not isinstance(part, dict):
        return None
    called = part.get("functionCall", part.get("function_call"))
    if isinstance(called, dict):
        return call(called.get("name"), called.get("id"), called.get("args"))
    told = part.get("functionResponse", part.get("function_response"))
    if isinstance(told, dict):
        return output(told.get("id"), told.get("response"), told.get("name"))
    if part.get("thought") is True:
        return reasoning(part.get("text"))
    return None


def _as_block(part: Json) -> Json:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if not isinstance(part, dict):
        return part
    if isinstance(part.get("text"), str):
        return {"type": "text", "text": part["text"]}
    data = part.get("inlineData", part.get("inline_data"))
    if isinstance(data, dict):
        return {"type": "image", "data": data.get("data"), "media_type": data.get("mimeType", data.get("mime_type"))}
    return part


def _tool(tool: Json) -> list[Json]:
    """A call of the CLI's with its result."""
    if not isinstance(tool, dict):
        return [tool]
    items = [call(tool.get("name"), tool.get("id"), tool.get("args"))]
    result = tool.get("result")
    if result is not None:
        told = [_alone(part) for part in _listed(result)]
        outputs = [item for item in told if isinstance(item, dict) and item.get("type") == "function_call_output"]
        if outputs:
            items += [{**item, "call_id": tool.get("id")} if item.get("call_id") is None else item for item in outputs]
        else:
            items.append(output(tool.get("id"), result, tool.get("name")))
    return items


def _thought(thought: Json) -> Json:
    if not isinstance(thought, dict):
        return thought
    told = [part for key in ("subject", "description") if isinstance(part := thought.get(key), str)]
    return "\n".join(told)


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _role(role: Json) -> str:
    return "assistant" if role == "model" else role if isinstance(role, str) else "user"


class _Pairs:
    """Makes ids for calls that have none: a response answers the oldest open call of its name."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._open: dict[str, list[str]] = {}

    def ids(self, items: Sequence[Json]) -> list[str]:
        """The ids that are missing in these items, in order."""
        made: list[str] = []
        for item in items:
            if not isinstance(item, dict) or item.get("call_id", "") is not None:
                continue
            name = str(item.get("name"))
            waiting = self._open.setdefault(name, [])
            if item.get("type") == "function_call":
                waiting.append(f"call_{next(self._numbers)}")
                made.append(waiting[-1])
            else:
                made.append(waiting.pop(0) if waiting else "")
        return made


def _with_ids(items: Sequence[Json], ids: Sequence[str]) -> Sequence[Json]:
    """The items with the ids that were made; an empty one is none."""
    given = iter(ids)
    return [
        {**item, "call_id": next(given, None) or None}
        if isinstance(item, dict) and item.get("call_id", "") is None
        else item
        for item in items
    ]
