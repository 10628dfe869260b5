"""ChatGPT's exports (`conversations.json`): conversations, each a tree of messages.

Nothing is published about them; the rules are those that exports show.
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, NotReadable, chosen
from ctxviz.session.formats.shapes import call, message, output, reasoning, text_of
from ctxviz.session.model import Conversation
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords, Records
from ctxviz.session.table import Builder

NAME = "chatgpt"
TITLE = "ChatGPT export"
KNOWN_BY = "conversations with a mapping of nodes that have a message and a parent"
READS = "one conversation: the way from current_node up; what is said to a tool as a call (ids are the nodes')"
LEAVES_OUT = "branches that were left; files, of which exports have only the names; other conversations"

BRANCH = "on a branch that was left"


def looks_like(file: Opened) -> float:
    """The share of the records that are such conversations."""
    if isinstance(file, Document):
        return float(_is_conversation(file.value))
    sample = file.sample() if isinstance(file, Records) else ()
    return 0.99 * sum(map(_is_conversation, sample)) / len(sample) if sample else 0


def _is_conversation(record: Json) -> bool:
    mapping = _mapping(record)
    if mapping is None:
        return False
    nodes = list(mapping.values())[:20]
    if not nodes:
        return isinstance(record, dict) and "current_node" in record
    return all(isinstance(node, dict) for node in nodes) and any(
        isinstance(node, dict) and "message" in node and ("parent" in node or "children" in node) for node in nodes
    )


def _mapping(record: Json) -> dict[str, Json] | None:
    mapping = record.get("mapping") if isinstance(record, dict) else None
    return mapping if isinstance(mapping, dict) else None


def read(file: Opened, conversation: str | None = None) -> Content:
    """One conversation."""
    if isinstance(file, Document):
        file = ListRecords([file.value], lambda _: "")
    if not isinstance(file, Records):
        raise NotReadable("holds no items: there is no conversation with a mapping")
    places: dict[str, int] = {}
    known: list[Conversation] = []
    for number, record in file.each():
        if _mapping(record) is not None and isinstance(record, dict):
            key = _id(record)
            key = key if key and key not in places else str(number + 1)
            places[key] = number
            known.append(_conversation(key, record))
    if not known:
        raise NotReadable("holds no items: there is no conversation with a mapping")
    one = chosen(known, conversation)
    place = file.place(places[one.id])
    content = _read(file[places[one.id]], f"{place}, " if place else "")
    return Content(rows=content.rows, nothing=content.nothing, conversation=one if len(known) > 1 else None)


def _id(record: dict[str, Json]) -> str:
    for key in ("conversation_id", "id"):
        if isinstance(name := record.get(key), str) and name:
            return name
    return ""


def _conversation(key: str, record: dict[str, Json]) -> Conversation:
    title, changed = record.get("title"), record.get("update_time", record.get("create_time"))
    mapping = _mapping(record) or {}
    if not isinstance(title, str) or not title.strip():
        title = next((text for said in _said(mapping) if (text := _first_text(said))), "")
    messages = sum(isinstance(node, dict) and isinstance(node.get("message"), dict) for node in mapping.values())
    time = _seconds(changed)
    return Conversation(key, " ".join(title[:400].split())[:80], messages, time if time > 0 else None)


def _said(mapping: dict[str, Json]) -> Iterator[dict[str, Json]]:
    for node in mapping.values():
        said = node.get("message") if isinstance(node, dict) else None
        if isinstance(said, dict) and _author(said)[0] == "user":
            yield said


def _first_text(said: dict[str, Json]) -> str:
    content = said.get("content")
    parts = content.get("parts") if isinstance(content, dict) else None
    return next((text for part in parts if (text := text_of(part).strip())), "") if isinstance(parts, list) else ""


def _read(record: Json, place: str) -> Content:
    """The nodes of a conversation: those on the way to the current one, and those that were left."""
    mapping = _mapping(record) or {}
    names = list(mapping)
    way = _way(mapping, record.get("current_node") if isinstance(record, dict) else None)
    numbers = {name: number for number, name in enumerate(names)}
    records = ListRecords(list(mapping.values()), lambda number: f"{place}node {names[number]}")
    answers = _answers(mapping, way)

    def items_of(node: Json, number: int) -> list[Json]:
        return node_items(node, names[number], answers.get(names[number]))

    builder = Builder(records)
    on_way = set(way)
    for name in (*way, *(name for name in names if name not in on_way)):
        number = numbers[name]
        node = mapping[name]
        items = items_of(node, number)
        if items and name in on_way:
            builder.add(number, items)
        else:
            builder.set_aside(number, BRANCH if items else _nothing(node), items)
    rows = builder.rows(items_of)
    return Content(rows=rows, nothing="" if len(rows.items()) else "The file is whole: a conversation with no message.")


def _way(mapping: dict[str, Json], leaf: Json) -> list[str]:
    """The names of the nodes from the root to the current node, or to the newest where none is named."""
    at: Json = leaf if isinstance(leaf, str) and leaf in mapping else _newest(mapping)
    seen: dict[str, None] = {}
    while isinstance(at, str) and at in mapping and at not in seen:
        seen[at] = None
        node = mapping[at]
        at = node.get("parent") if isinstance(node, dict) else None
    return list(reversed(seen))


def _newest(mapping: dict[str, Json]) -> str | None:
    """The leaf that was made last, of those without a time the last in the file."""
    parents = {node["parent"] for node in mapping.values() if isinstance(node, dict) and _is_name(node.get("parent"))}
    leaves = [name for name in mapping if name not in parents] or list(mapping)
    times = {name: _time(mapping[name]) for name in leaves}
    return max(reversed(leaves), key=times.__getitem__) if leaves else None


def _is_name(value: Json) -> bool:
    return isinstance(value, str)


def _time(node: Json) -> float:
    said = node.get("message") if isinstance(node, dict) else None
    return _seconds(said.get("create_time") if isinstance(said, dict) else None)


def _seconds(value: Json) -> float:
    """A time as exports have it; minus infinity for what is none."""
    is_time = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e15
    return float(value) if is_time and isinstance(value, (int, float)) else float("-inf")


def _answers(mapping: dict[str, Json], way: list[str]) -> dict[str, str]:
    """The call that each of the tools' messages answers: the last one to that tool, or else the last."""
    calls: dict[str, str] = {}
    last: str | None = None
    found: dict[str, str] = {}
    for name in way:
        node = mapping[name]
        said = node.get("message") if isinstance(node, dict) else None
        if not isinstance(said, dict):
            continue
        role, tool = _author(said)
        if _is_call(said):
            last = calls[str(said["recipient"])] = name
        elif role == "tool" and (call_name := calls.get(tool, last)) is not None:
            found[name] = call_name
    return found


def _author(said: dict[str, Json]) -> tuple[str, str]:
    """A message's role, and the tool's name."""
    author = said.get("author")
    role, name = (author.get("role"), author.get("name")) if isinstance(author, dict) else (None, None)
    return role if isinstance(role, str) else "user", name if isinstance(name, str) else ""


def _is_call(said: dict[str, Json]) -> bool:
    recipient = said.get("recipient")
    return _author(said)[0] == "assistant" and isinstance(recipient, str) and recipient not in ("", "all")


def _nothing(node: Json) -> str:
    said = node.get("message") if isinstance(node, dict) else None
    content = said.get("content") if isinstance(said, dict) else None
    kind = content.get("content_type") if isinstance(content, dict) else None
    if kind in _NOT_SENT:
        return f"not sent: {kind}"
    return "nothing in it" if isinstance(said, dict) else "bookkeeping: a node without a message"


_NOT_SENT = ("reasoning_recap",)


def node_items(node: Json, name: str, answers: str | None) -> list[Json]:
    """The items of a node; `answers` is the call that it answers. Hidden messages are sent like others."""
    if not isinstance(node, dict):
        return [node]
    said = node.get("message")
    if not isinstance(said, dict):
        return [] if said is None else [said]
    role, tool = _author(said)
    content = said.get("content")
    kind = content.get("content_type") if isinstance(content, dict) else None
    if kind in _NOT_SENT:
        return []
    if kind == "thoughts" and isinstance(content, dict):
        return [reasoning(text)] if (text := _thoughts(content.get("thoughts"))) else []
    told = _content(content)
    if told in ("", None, []):
        return []
    if _is_call(said):
        return [call(said["recipient"], name, told if isinstance(told, str) else text_of(told) or told)]
    return [output(answers, told, tool or None)] if role == "tool" else [message(role, told)]


def _content(content: Json) -> Json:
    """A message's words; with files among them a list of OpenAI's content parts."""
    if not isinstance(content, dict):
        return content
    parts = content.get("parts")
    if isinstance(parts, list):
        if all(isinstance(part, str) for part in parts):
            return "\n".join(part for part in parts if isinstance(part, str))
        return [_part(part) for part in parts if part != ""]
    profile = [content.get(key) for key in ("user_profile", "user_instructions", "model_set_context")]
    texts = [text for text in profile if isinstance(text, str) and text]
    if texts:
        return "\n\n".join(texts)
    text = content.get("text", content.get("result"))
    return text if isinstance(text, str) else [content]


def _part(part: Json) -> Json:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if isinstance(part, dict):
        pointer, text = part.get("asset_pointer"), part.get("text")
        if part.get("content_type") == "image_asset_pointer" and isinstance(pointer, str):
            return {"type": "image_url", "image_url": {"url": pointer}}
        if isinstance(text, str):
            return {"type": "text", "text": text}
    return part


def _thoughts(thoughts: Json) -> str:
    texts = [
        "\n".join(text for key in ("summary", "content") if isinstance(text := thought.get(key), str) and text)
        for thought in (thoughts if isinstance(thoughts, list) else [])
        if isinstance(thought, dict)
    ]
    return "\n\n".join(filter(None, texts))
