"""OpenAI's Chat Completions: lists of messages, bodies of requests, and stored completions."""

from __future__ import annotations

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.bodies import body_share, last_body
from ctxviz.session.formats.content import Content, NotReadable, list_under
from ctxviz.session.formats.plain import itself, plain_content
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords, Records

NAME = "openai-chat"
TITLE = "OpenAI Chat"
KNOWN_BY = "messages with a role: in a list, a line each, under messages, or a body a line"
READS = "each message as it is; of several bodies the last, each of them as a model call; a completion's own message"
LEAVES_OUT = "tools and settings of the request, which are no items; usage"


def looks_like(file: Opened) -> float:
    """An object with a `messages` list, or records with a role: what narrower formats have, too."""
    if isinstance(file, Document):
        return 0.5 if messages_of(file.value) is not None else 0
    if not isinstance(file, Records):
        return 0
    sample = file.sample()
    if not sample:
        return 0
    return max(0.5 * sum(map(_is_message, sample)) / len(sample), 0.5 * body_share(file, messages_of))


def read(file: Opened, conversation: str | None = None) -> Content:
    """The messages."""
    if isinstance(file, Document):
        found = messages_of(file.value)
        messages = list_under(file.value, "messages") if found is None else found
        records = ListRecords(messages, lambda number: f"messages[{number}]")
        return plain_content(records, itself, "The file is whole: a request whose messages is empty.")
    if not isinstance(file, Records):
        raise NotReadable("holds no items: there are no messages")
    if body_share(file, messages_of) > 0.5:
        return last_body(file, messages_of, itself, "messages")
    return plain_content(file, itself)


def messages_of(document: Json) -> list[Json] | None:
    """The messages of a body, with the answer where it is stored beside them; None if it is no body."""
    if not isinstance(document, dict):
        return None
    for inner in (document, document.get("input"), document.get("request"), document.get("body")):
        messages = inner.get("messages") if isinstance(inner, dict) else None
        if isinstance(messages, list):
            return [*messages, *_answers(document)] if "choices" in document or "response" in document else messages
    return None


def _answers(document: dict[str, Json]) -> list[Json]:
    response = document.get("response")
    choices = (response if isinstance(response, dict) else document).get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    return [message] if isinstance(message, dict) else []


def _is_message(record: Json) -> bool:
    return isinstance(record, dict) and isinstance(record.get("role"), str) and "type" not in record
