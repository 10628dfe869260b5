"""Inspect AI's logs: `.json`, and `.eval` (a zip); a sample in an epoch is a conversation."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.archive import Archive
from ctxviz.session.compact_json import compact_json
from ctxviz.session.formats.content import Content, NotReadable, chosen
from ctxviz.session.formats.prompts import LazyPrompt
from ctxviz.session.formats.shapes import text_of
from ctxviz.session.model import Conversation, ModelCall
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords
from ctxviz.session.table import Builder

NAME = "inspect"
TITLE = "Inspect log"
KNOWN_BY = "an object with version, eval and samples; a zip with header.json or samples/"
READS = "one sample's messages in the shape of OpenAI Chat; each model event as a model call with its prompt"
LEAVES_OUT = "scores, stores and other events; other samples"

_SAMPLE = re.compile(r"samples/(.+)_epoch_(\d+)\.json")
_ATTACHMENT = "attachment://"


def looks_like(file: Opened) -> float:
    """By keys, or by the members' names."""
    if isinstance(file, Archive):
        own = ("header.json", "_journal/start.json")
        return float(any(name in own or _SAMPLE.fullmatch(name) is not None for name in file.names))
    document = file.value if isinstance(file, Document) else None
    if not isinstance(document, dict) or not isinstance(document.get("eval"), dict):
        return 0
    return float("version" in document or "samples" in document or "plan" in document)


def read(file: Opened, conversation: str | None = None) -> Content:
    """One sample's messages."""
    known: list[Conversation] = []
    samples: dict[str, Callable[[], Json]] = {}
    if isinstance(file, Archive):
        archive = file
        for name in sorted(archive.names):
            found = _SAMPLE.fullmatch(name)
            if found is not None:
                key = f"{found[1]}/{found[2]}"
                samples[key] = lambda name=name: archive.json(name)  # type: ignore[misc]
                known.append(Conversation(key, f"sample {found[1]}, epoch {found[2]}"))
    elif isinstance(file, Document) and isinstance(file.value, dict) and ("samples" in file.value or looks_like(file)):
        listed = file.value.get("samples")
        for number, sample in enumerate(listed if isinstance(listed, list) else []):
            if isinstance(sample, dict):
                key = f"{sample.get('id', number + 1)}/{sample.get('epoch', 1)}"
                samples[key] = lambda sample=sample: sample  # type: ignore[misc]
                known.append(Conversation(key, _title(sample), _count(sample)))
    else:
        raise NotReadable("holds no items: there are no samples")
    if not known:
        return Content(nothing="The file is whole: a log without samples.")
    one = chosen(known, conversation)
    content = _sample(samples[one.id]())
    return content if len(known) == 1 else _named(content, one)


def _named(content: Content, one: Conversation) -> Content:
    return Content(rows=content.rows, calls=content.calls, nothing=content.nothing, conversation=one)


def _title(sample: dict[str, Json]) -> str:
    given = sample.get("input")
    last = given[-1] if isinstance(given, list) and given else given
    text = text_of(last.get("content")) if isinstance(last, dict) else text_of(last)
    return " ".join(text[:400].split())[:80]


def _count(sample: dict[str, Json]) -> int | None:
    messages = sample.get("messages")
    return len(messages) if isinstance(messages, list) else None


def _sample(sample: Json) -> Content:
    if not isinstance(sample, dict):
        return Content(nothing="The sample can't be read.")
    messages = sample.get("messages")
    attachments = sample.get("attachments")
    resolve = _Resolver(attachments if isinstance(attachments, dict) else {})
    records = ListRecords(messages if isinstance(messages, list) else [], lambda number: f"messages[{number}]")
    builder = Builder(records)
    for number, record in records.each():
        builder.add(number, resolve.items(record, number))
    rows = builder.rows(resolve.items)
    calls = _calls(sample, resolve)
    return Content(rows=rows, calls=calls, nothing="" if len(records) else "The sample has no message.")


def _calls(sample: dict[str, Json], resolve: _Resolver) -> list[ModelCall]:
    events = sample.get("events")
    data = sample.get("events_data")
    pool = data.get("messages") if isinstance(data, dict) else sample.get("message_pool")
    calls: list[ModelCall] = []
    for event in events if isinstance(events, list) else []:
        if isinstance(event, dict) and event.get("event") == "model":
            given = event.get("input", event.get("input_refs"))
            made = LazyPrompt(lambda given=given: resolve.prompt(given, pool))  # type: ignore[misc]
            calls.append(ModelCall(None, None, None, made if isinstance(given, list) else None))
    return calls


class _Resolver:
    """Makes items of messages, with what attachments stand for in its place."""

    def __init__(self, attachments: dict[str, Json]) -> None:
        self._attachments = attachments

    def items(self, record: Json, number: int) -> Sequence[Json]:
        """A message in the shape of OpenAI Chat."""
        return (self._item(record),)

    def prompt(self, given: Json, pool: Json) -> list[Json]:
        """The items of a model event's input, which can point to messages of a pool by place or id."""
        found: list[Json] = []
        for one in given if isinstance(given, list) else []:
            if isinstance(one, int) and isinstance(pool, list):
                one = pool[one] if 0 <= one < len(pool) else one
            elif isinstance(one, str) and isinstance(pool, dict):
                one = pool.get(one, one)
            found.append(self._item(one))
        return found

    def _item(self, record: Json) -> Json:
        if not isinstance(record, dict) or "role" not in record:
            return record
        item: dict[str, Json] = {"role": record["role"]}
        if record.get("tool_call_id") is not None:
            item["tool_call_id"] = record["tool_call_id"]
        if record["role"] == "tool" and record.get("function") is not None:
            item["name"] = record["function"]
        content = self._resolved(record.get("content"))
        error = record.get("error")
        if isinstance(error, dict) and content in ("", None):
            content = error.get("message")
        item["content"] = content
        calls = record.get("tool_calls")
        if isinstance(calls, list) and calls:
            item["tool_calls"] = [_call(call) for call in calls]
        return item

    def _resolved(self, content: Json) -> Json:
        if isinstance(content, str):
            if content.startswith(_ATTACHMENT):
                return self._attachments.get(content[len(_ATTACHMENT) :], content)
            return content
        if isinstance(content, list):
            return [self._part(part) for part in content]
        return content

    def _part(self, part: Json) -> Json:
        if not isinstance(part, dict):
            return part
        resolved: dict[str, Json] = {key: self._resolved(value) for key, value in part.items()}
        if part.get("type") == "image":
            return {"type": "image_url", "image_url": {"url": resolved.get("image")}}
        return resolved


def _call(call: Json) -> Json:
    if not isinstance(call, dict) or isinstance(call.get("function"), dict):
        return call
    arguments = call.get("arguments")
    text = arguments if isinstance(arguments, str) else compact_json(arguments)
    function: Json = {"name": call.get("function"), "arguments": text}
    return {"id": call.get("id"), "type": "function", "function": function}
