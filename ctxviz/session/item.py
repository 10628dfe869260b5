"""What an item is and says, on any JSON value.

ai4j's item maps, OpenAI's Responses items and Chat messages, Anthropic's messages, plain
strings, numbers, null and maps of no known shape. Nothing here raises, whatever the types inside.
"""

from __future__ import annotations

from dataclasses import dataclass

from ctxviz.projection.json_value import Json
from ctxviz.session.calls import ToolCall, answered_ids, calls_of
from ctxviz.session.compact_json import compact_json
from ctxviz.session.kind import KINDS, Kind, kind_code, kind_of
from ctxviz.session.parts import Image, parts
from ctxviz.session.preview import Preview, preview

__all__ = [
    "KINDS",
    "Image",
    "ItemDescription",
    "Kind",
    "Preview",
    "ToolCall",
    "describe",
    "full_text",
    "kind_code",
    "kind_of",
    "preview",
]


@dataclass(frozen=True)
class ItemDescription:
    """The pieces of an item.

    `call_id` is the first call that a tool output answers, None for other kinds. `text` is what
    a person reads, pieces joined by line breaks, without the calls' arguments and without images.
    `role` is the item's own, None if it has none.
    """

    kind: Kind
    calls: tuple[ToolCall, ...]
    call_id: str | None
    text: str
    images: tuple[Image, ...]
    role: str | None


def describe(item: Json) -> ItemDescription:
    """Take the item apart."""
    found = list(parts(item))
    role = item.get("role") if isinstance(item, dict) else None
    return ItemDescription(
        kind=kind_of(item),
        calls=calls_of(item),
        call_id=next(iter(answered_ids(item)), None),
        text="\n".join(part for part in found if isinstance(part, str)),
        images=tuple(part for part in found if isinstance(part, Image)),
        role=role if isinstance(role, str) else None,
    )


def full_text(item: Json) -> str:
    """Everything that a person reads in an item, whole: texts and image lines in order, then calls.

    A call is `name(arguments)` with its arguments as JSON. What has none of these is its JSON.
    """
    lines = [part if isinstance(part, str) else part.label for part in parts(item)]
    lines += [f"{call.name or ''}({call.arguments})" for call in calls_of(item)]
    return "\n".join(lines) or compact_json(item)
