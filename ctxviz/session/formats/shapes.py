"""The shapes that items take where a format's own is none of a provider's.

They are OpenAI's: what kinds, previews, pairing and the type-aware projector know. Formats that
hold a provider's own messages keep them as they are.
"""

from __future__ import annotations

from ctxviz.projection.json_value import Json
from ctxviz.session.compact_json import compact_json


def message(role: str, content: Json) -> Json:
    """A message: `content` is text or a list of content parts, as the format has it."""
    return {"role": role, "content": content}


def call(name: Json, call_id: Json, arguments: Json) -> Json:
    """A tool call. `arguments` is JSON text as the model wrote it; a value becomes such a text."""
    text = arguments if isinstance(arguments, str) else "" if arguments is None else compact_json(arguments)
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": text}


def output(call_id: Json, value: Json, name: Json = None) -> Json:
    """What a tool gave. `name` is the tool's, where the output says it itself."""
    item: dict[str, Json] = {"type": "function_call_output", "call_id": call_id}
    if name is not None:
        item["name"] = name
    item["output"] = value
    return item


def reasoning(text: Json) -> Json:
    """What the model thought, as text or as the format has it."""
    return {"type": "reasoning", "summary": [{"type": "summary_text", "text": text}] if isinstance(text, str) else text}


def text_of(content: Json) -> str:
    """The text of a string, or of a list of texts and parts with a `text`; "" for anything else."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return text_of(content.get("text"))
    if isinstance(content, list):
        return "\n".join(filter(None, map(text_of, content)))
    return ""
