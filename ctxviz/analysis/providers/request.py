"""What ai4j's clients make of a projected list (commit 6955545): the messages that are really sent.

No client merges messages or repairs pairs: an item becomes one message, or is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ctxviz.analysis.providers.names import ProviderName
from ctxviz.projection.json_value import Json
from ctxviz.projection.measure import measured_text

Client = Literal["ChatModelClient", "ResponsesModelClient", "MessagesModelClient"]


@dataclass(frozen=True)
class Request:
    """The messages in order with the item that each was made of, and the items left out with the reason."""

    client: Client
    messages: tuple[Json, ...]
    items: tuple[int, ...]
    not_sent: dict[int, str]


def client_of(provider: ProviderName) -> Client:
    """The client that reaches a provider: all but two as OpenAI's Chat, over a service of ai4j's own or a URL."""
    if provider == "openai-responses":
        return "ResponsesModelClient"
    return "MessagesModelClient" if provider == "anthropic" else "ChatModelClient"


def request(items: Iterable[tuple[int, Json]], client: Client) -> Request:
    """What the client sends of the items, which come with their places in the session."""
    messages: list[Json] = []
    places: list[int] = []
    not_sent: dict[int, str] = {}
    for index, item in items:
        made = sent(item, client)
        if isinstance(made, NotSent):
            not_sent[index] = made.why
        else:
            messages.append(made)
            places.append(index)
    return Request(client, tuple(messages), tuple(places), not_sent)


@dataclass(frozen=True)
class NotSent:
    """An item that is left out, and why."""

    why: str


def sent(item: Json, client: Client) -> Json | NotSent:
    """The message that an item becomes. Items without a `type` are messages already, and sent as they are."""
    if client == "ResponsesModelClient" or not isinstance(item, dict) or "type" not in item:
        return item
    type_name = item["type"]
    if type_name == "function_call_output":
        return _chat_output(item) if client == "ChatModelClient" else _messages_output(item)
    if type_name != "message":
        return NotSent(f"{client} leaves out items of the type {type_name}")
    return _chat_message(item) if client == "ChatModelClient" else _messages_message(item)


def _chat_output(item: dict[str, Json]) -> Json | NotSent:
    if item.get("call_id") is None:
        return NotSent("ChatModelClient leaves out an output without a call_id")
    if item.get("output") is None:
        return NotSent("ChatModelClient throws on an output that is null, before anything is sent")
    return {"role": "tool", "tool_call_id": item["call_id"], "content": item["output"]}


def _chat_message(item: dict[str, Json]) -> Json | NotSent:
    content, calls = item.get("content"), item.get("tool_calls")
    text, images = _chat_content(content)
    if not text and not images and not calls:
        return NotSent("ChatModelClient leaves out a message without input_text or input_image")
    message: dict[str, Json] = {"role": item.get("role")}
    if images:
        parts: list[Json] = [{"type": "text", "text": text}] if text else []
        message["content"] = [*parts, *images]
    elif text:
        message["content"] = text
    if calls:
        message["tool_calls"] = calls
    return message


def _chat_content(content: Json) -> tuple[str, list[Json]]:
    """The text and the images that ChatModelClient reads; of parts only those that ai4j writes itself."""
    if isinstance(content, str):
        return content, []
    texts: list[str] = []
    images: list[Json] = []
    for part in content if isinstance(content, list) else []:
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(part, dict):
            continue
        if kind == "input_text" and isinstance(text := part.get("text"), str):
            texts.append(text)
        elif kind == "input_image":
            images.append({"type": "image_url", "image_url": part.get("image_url")})
    return "".join(texts), images


def _messages_output(item: dict[str, Json]) -> Json:
    result: Json = {"type": "tool_result", "tool_use_id": item.get("call_id"), "content": item.get("output")}
    return {"role": "user", "content": [result]}


def _messages_message(item: dict[str, Json]) -> Json:
    content, calls = item.get("content"), item.get("tool_calls")
    message: dict[str, Json] = {"role": item.get("role")}
    # ``String.valueOf(list)``: the model reads Java's text of the list.
    text = None if content is None else measured_text(content, "map")
    if not isinstance(calls, list) or not calls:
        if text is not None:
            message["content"] = text
        return message
    blocks: list[Json] = [] if text is None else [{"type": "text", "text": text}]
    message["content"] = [*blocks, *(_tool_use(call) for call in calls if isinstance(call, dict))]
    return message


def _tool_use(call: dict[str, Json]) -> Json:
    function = call.get("function")
    inner = function if isinstance(function, dict) else call
    block: dict[str, Json] = {"type": "tool_use", "id": call.get("id"), "name": inner.get("name")}
    arguments = inner.get("arguments")
    if isinstance(arguments, str) and arguments.strip():
        try:
            block["input"] = json.loads(arguments)
        except (ValueError, RecursionError):
            block["input"] = arguments
    return block
