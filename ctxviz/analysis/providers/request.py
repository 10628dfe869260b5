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
    if client == "ResponsesModelClient":
        return item
    if not isinstance(item, dict):
        return NotSent(f"{client} leaves out what is no object")
    if "type" not in item:
        return item
    type_name = item["type"]
    if type_name == "function_call_output":
        return _chat_output(item) if client == "ChatModelClient" else _messages_output(item)
    if type_name != "message":
        named = f"items of the type {type_name}" if isinstance(type_name, str) else "items whose type is no text"
        return NotSent(f"{client} leaves out {named}")
    return _chat_message(item) if client == "ChatModelClient" else _messages_message(item)


def _chat_output(item: dict[str, Json]) -> Json | NotSent:
    call_id, output = _string(item.get("call_id")), _string(item.get("output"))
    if call_id is None:
        return NotSent("ChatModelClient leaves out an output without a call_id")
    if output is None:
        return NotSent("ChatModelClient throws on an output that is null, before anything is sent")
    return {"role": "tool", "tool_call_id": call_id, "content": output}


def _chat_message(item: dict[str, Json]) -> Json | NotSent:
    role, content = _string(item.get("role")), None if item.get("role") is None else _chat_content(item.get("content"))
    calls = _calls(item) if role == "assistant" else []
    if content is None and not calls:
        return NotSent("ChatModelClient leaves out a message without input_text or input_image")
    message: dict[str, Json] = {"role": role}
    if content is not None:
        message["content"] = content
    if calls:
        message["tool_calls"] = [
            {
                "id": call.call_id,
                "type": call.type_name,
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in calls
        ]
    return message


def _chat_content(content: Json) -> Json:
    """What ChatModelClient reads of a content: a text, parts where there is an image, None if there is nothing.

    Of parts only those that ai4j writes itself count.
    """
    if isinstance(content, str):
        return content or None
    parts: list[Json] = []
    texts: list[str] = []
    for part in content if isinstance(content, list) else []:
        if not isinstance(part, dict):
            continue
        if part.get("type") == "input_text" and (text := _string(part.get("text"))):
            texts.append(text)
            parts.append({"type": "text", "text": text})
        elif part.get("type") == "input_image" and (url := _url(part.get("image_url"))):
            parts.append({"type": "image_url", "image_url": {"url": url}})
    return parts if len(parts) > len(texts) else "".join(texts) or None


def _url(image: Json) -> str | None:
    if isinstance(image, dict):
        return _string(image.get("url"))
    return image if isinstance(image, str) else None


def _messages_output(item: dict[str, Json]) -> Json:
    result: dict[str, Json] = {"type": "tool_result"}
    for key, value in (("tool_use_id", item.get("call_id")), ("content", item.get("output"))):
        if value is not None:
            result[key] = _string(value)
    return {"role": "user", "content": [result]}


def _messages_message(item: dict[str, Json]) -> Json:
    role = _string(item.get("role"))
    message: dict[str, Json] = {"role": "user" if role is None else role}
    # The model reads Java's text of the list.
    text = _string(item.get("content"))
    calls = _calls(item) if role == "assistant" else []
    if calls:
        blocks: list[Json] = [{"type": "text", "text": text}] if text else []
        message["content"] = [*blocks, *map(_tool_use, calls)]
    elif text is not None:
        message["content"] = text
    return message


@dataclass(frozen=True)
class _Call:
    call_id: str | None
    type_name: str | None
    name: str | None
    arguments: str | None


def _calls(item: dict[str, Json]) -> list[_Call]:
    """The calls that both clients read: maps with a `function` that is one."""
    listed = item.get("tool_calls")
    return [
        _Call(
            _string(call.get("id")),
            _string(call.get("type")),
            _string(function.get("name")),
            _string(function.get("arguments")),
        )
        for call in (listed if isinstance(listed, list) else [])
        if isinstance(call, dict) and isinstance(function := call.get("function"), dict)
    ]


def _tool_use(call: _Call) -> Json:
    block: dict[str, Json] = {"type": "tool_use", "id": call.call_id, "name": call.name}
    if call.arguments and call.arguments.strip():
        try:
            block["input"] = json.loads(call.arguments)
        except (ValueError, RecursionError):
            block["input"] = call.arguments
    return block


def _string(value: Json) -> str | None:
    """``String.valueOf``, but None of null."""
    return None if value is None else value if isinstance(value, str) else measured_text(value, "map")
