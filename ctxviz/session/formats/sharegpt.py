"""ShareGPT's and LLaMA-Factory's training files: many conversations, one a record."""

from __future__ import annotations

from collections.abc import Iterator

from ctxviz.projection.json_value import Json
from ctxviz.session.compact_json import compact_json
from ctxviz.session.decoding import decode
from ctxviz.session.formats.content import Content, NotReadable, chosen
from ctxviz.session.formats.shapes import call, message, output, reasoning, text_of
from ctxviz.session.model import Conversation
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords, Records
from ctxviz.session.table import Builder

NAME = "sharegpt"
TITLE = "ShareGPT"
KNOWN_BY = "records with conversations of from and value, or messages whose blocks have a value"
READS = "one conversation: messages, function_call and observation pairs (ids are made up), reasoning"
LEAVES_OUT = "the list of tools, which is no item; other conversations"

_ROLES = {
    "human": "user", "user": "user", "gpt": "assistant", "assistant": "assistant", "chatgpt": "assistant",
    "bing": "assistant", "bard": "assistant", "system": "system", "tool": "tool", "observation": "tool",
    "function_call": "call", "function_response": "tool",
}  # fmt: skip


def looks_like(file: Opened) -> float:
    """The share of the records that are such conversations."""
    records = _records(file)
    sample = records.sample() if records is not None else ()
    return 0.95 * sum(map(_is_conversation, sample)) / len(sample) if sample else 0


def _records(file: Opened) -> Records | None:
    if isinstance(file, Document):
        return ListRecords([file.value]) if _is_conversation(file.value) else None
    return file if isinstance(file, Records) else None


def _is_conversation(record: Json) -> bool:
    if not isinstance(record, dict):
        return False
    turns = record.get("conversations")
    if isinstance(turns, list):
        return any(isinstance(turn, dict) and "from" in turn and "value" in turn for turn in turns) or not turns
    messages = record.get("messages")
    return isinstance(messages, list) and any(map(_has_values, messages))


def _has_values(turn: Json) -> bool:
    """Whether a message has LLaMA-Factory's blocks: `value` where others have `text`."""
    content = turn.get("content") if isinstance(turn, dict) else None
    return isinstance(content, list) and any(isinstance(part, dict) and "value" in part for part in content)


def read(file: Opened, conversation: str | None = None) -> Content:
    """One conversation."""
    records = _records(file)
    if records is None:
        raise NotReadable("holds no items: there are no conversations")
    places: dict[str, int] = {}
    known: list[Conversation] = []
    for number, record in records.each():
        turns = _turns(record)
        if turns is None:
            continue
        name = record.get("id") if isinstance(record, dict) else None
        key = name if isinstance(name, str) and name and name not in places else str(number + 1)
        places[key] = number
        title = next(filter(None, (text_of(_value(turn)) for turn in turns[:2])), "")
        known.append(Conversation(key, " ".join(title[:400].split())[:80], len(turns)))
    one = chosen(known, conversation)
    number = places[one.id]
    record, place = records[number], records.place(number)
    turns = _turns(record) or []
    system = record.get("system") if isinstance(record, dict) else None
    if isinstance(system, str) and system:
        turns = [{"from": "system", "value": system}, *turns]
    made = [list(items) for items in _items(turns)]
    turn_records = ListRecords(turns, lambda at: f"{place}, turn {at + 1}")
    builder = Builder(turn_records)
    for at, items in enumerate(made):
        builder.add(at, items)
    rows = builder.rows(lambda turn, at: made[at])
    return Content(
        rows=rows,
        conversation=one if len(known) > 1 else None,
        nothing="" if turns else "The conversation has no turn.",
    )


def _turns(record: Json) -> list[Json] | None:
    if not isinstance(record, dict):
        return None
    for key in ("conversations", "messages"):
        turns = record.get(key)
        if isinstance(turns, list):
            return turns
    return None


def _value(turn: Json) -> Json:
    if not isinstance(turn, dict):
        return turn
    value = turn.get("value", turn.get("content"))
    if isinstance(value, list):
        return [part.get("value") if isinstance(part, dict) and "value" in part else part for part in value]
    return value


def _items(turns: list[Json]) -> Iterator[list[Json]]:
    """The items of each turn. Calls have no ids here: an observation answers the oldest call that none has."""
    open_calls: list[str] = []
    count = 0
    for turn in turns:
        items: list[Json] = []
        for role, value in _pieces(turn):
            if role == "call":
                for name, arguments in _called(value):
                    count += 1
                    open_calls.append(f"call_{count}")
                    items.append(call(name, open_calls[-1], arguments))
            elif role == "tool":
                items.append(output(open_calls.pop(0) if open_calls else None, value))
            elif role == "reasoning":
                items.append(reasoning(value))
            elif role:
                items.append(message(role, value))
            else:
                items.append(value)
        yield items or [turn]


def _pieces(turn: Json) -> Iterator[tuple[str, Json]]:
    """Roles and values of a turn; no role for what is of no known shape."""
    if not isinstance(turn, dict):
        yield "", turn
        return
    speaker = turn.get("from", turn.get("role"))
    role = _ROLES.get(speaker, "") if isinstance(speaker, str) else ""
    value = turn.get("value", turn.get("content"))
    if not isinstance(value, list):
        yield role, value if role else turn
        return
    for part in value:
        kind = part.get("type") if isinstance(part, dict) else None
        inner = part.get("value", part) if isinstance(part, dict) else part
        if kind == "reasoning":
            yield "reasoning", inner
        elif kind in ("tool_call", "function_call"):
            yield "call", inner
        elif kind == "text" or not isinstance(part, dict):
            yield role, inner
        else:
            yield role, [part]


def _called(value: Json) -> list[tuple[Json, Json]]:
    """Names and arguments of the calls in a JSON text, one or a list of them."""
    found = decode(value).value if isinstance(value, str) else value
    calls = found if isinstance(found, list) else [found]
    if not calls or not all(isinstance(one, dict) and "name" in one for one in calls):
        return [(None, value if isinstance(value, str) else compact_json(value))]
    return [(one.get("name"), one.get("arguments")) for one in calls if isinstance(one, dict)]
