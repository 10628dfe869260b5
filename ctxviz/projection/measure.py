"""An item's approximate characters, as ai4j counts them.

ai4j's projector takes ``String.valueOf(item).length()``: UTF-16 code units of a text that
depends on the Java class that held the item. There are three such forms: a live map, a live
provider object (``ResponseItem``) and an item read back from a store (fastjson2's
``JSONObject``). The measures `live` and `resumed` say which form each item is taken in;
`content` is what people count and ai4j never does.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from json import encoder
from typing import Literal, get_args

from ctxviz.projection.content import readable_text
from ctxviz.projection.json_value import Json
from ctxviz.projection.scalars import java_scalar, stored_scalar
from ctxviz.projection.utf16 import utf16_units

Measure = Literal["live", "resumed", "content"]
Form = Literal["map", "provider", "stored", "content"]
"""How one item is measured; `content` is no form of ai4j's, but has its place beside them."""

_quote: Callable[[str], str] = encoder.encode_basestring
"""fastjson2 escapes what Python's json does: quotes, backslashes and controls, nothing else."""

MEASURES: tuple[Measure, ...] = get_args(Measure)
FORM_OF_MEASURE: dict[Measure, Form] = {"live": "map", "resumed": "stored", "content": "content"}


def approx_chars(value: Json, measure: Measure = "live") -> int:
    """The approximate characters of one item, in UTF-16 code units.

    Knows no session: `live` takes the item as a live map. A null item is 0.
    """
    return _CHARS[FORM_OF_MEASURE[measure]](value)


def measure_items(items: Sequence[Json], measure: Measure | Sequence[Form]) -> array[int]:
    """One size an item (``len(result) == len(items)``): by a measure's name, or by one form an item.

    Raises `ValueError` if the forms are not as many as the items, or a name is unknown.
    """
    if isinstance(measure, str):
        if measure not in FORM_OF_MEASURE:
            raise ValueError(f"no such measure: {measure} ({', '.join(MEASURES)})")
        if measure == "live":
            try:
                return array("q", map(_nested_map_chars, items)) if None not in items else _sizes(items, "map")
            except RecursionError:
                pass
        return _sizes(items, FORM_OF_MEASURE[measure])
    if len(measure) != len(items):
        raise ValueError(f"{len(measure)} forms for {len(items)} items")
    return array("q", (_CHARS[form](item) for item, form in zip(items, measure, strict=True)))


def _sizes(items: Sequence[Json], form: Form) -> array[int]:
    return array("q", map(_CHARS[form], items))


def measured_text(value: Json, form: Form) -> str:
    """The text whose UTF-16 length is the item's size in this form (a null item has none)."""
    if value is None:
        return ""
    return _TEXT[form](value)


def is_provider_object(value: Json) -> bool:
    """Whether a saved item was ai4j's ``ResponseItem`` while it was live.

    fastjson2 writes beans with their keys in alphabetical order and maps in the order of
    insertion, so that an item of these types, with an id, whose keys are ``ResponseItem``'s and
    in order, was put into memory by the Responses client (AgentInputItem maps begin with `type`).
    """
    if not isinstance(value, dict) or "id" not in value or not isinstance(value.get("type"), str):
        return False
    keys = list(value)
    return keys == sorted(keys) and all(key in _RESPONSE_ITEM_KEYS for key in keys)


# -- a live map: String.valueOf of Java's maps and lists ------------------------------------


def _map_chars(value: Json) -> int:
    if value is None:
        return 0
    try:
        return _nested_map_chars(value)
    except RecursionError:
        return utf16_units(_map_text(value))


def _nested_map_chars(value: Json) -> int:
    # Two levels at a time: of the messages of a long file a fifth of the time is calls of this function.
    if isinstance(value, str):
        return len(value) if value.isascii() else utf16_units(value)
    if isinstance(value, dict):
        total = 3 * len(value) or 2  # braces, "=" a pair, ", " between pairs
        for key, member in value.items():
            total += len(key) if key.isascii() else utf16_units(key)
            if isinstance(member, str):
                total += len(member) if member.isascii() else utf16_units(member)
            elif isinstance(member, list):
                total += _list_chars(member)
            else:
                total += _nested_map_chars(member)
        return total
    if isinstance(value, list):
        return _list_chars(value)
    return len(java_scalar(value))


def _list_chars(values: list[Json]) -> int:
    total = 2 * len(values) or 2
    for value in values:
        if isinstance(value, dict):
            total += 3 * len(value) or 2
            for key, member in value.items():
                total += len(key) if key.isascii() else utf16_units(key)
                if isinstance(member, str):
                    total += len(member) if member.isascii() else utf16_units(member)
                else:
                    total += _nested_map_chars(member)
        else:
            total += _nested_map_chars(value)
    return total


def _map_text(value: Json) -> str:
    return _text(value, java_scalar, opening="{", equals="=", comma=", ", drop_nulls=False, quote=str)


# -- read back from a store: fastjson2's compact JSON ----------------------------------------


def _stored_chars(value: Json) -> int:
    if value is None:
        return 0
    if isinstance(value, str):
        return utf16_units(value)
    try:
        return _nested_stored_chars(value)
    except RecursionError:
        return utf16_units(_stored_text(value))


def _nested_stored_chars(value: Json) -> int:
    if isinstance(value, str):
        return utf16_units(_quote(value))
    if isinstance(value, dict):
        members = [(key, member) for key, member in value.items() if member is not None]
        total = 2 * len(members) + 1 if members else 2  # braces, ":" a pair, "," between pairs
        for key, member in members:
            total += utf16_units(_quote(key)) + _nested_stored_chars(member)
        return total
    if isinstance(value, list):
        return (len(value) + 1 if value else 2) + sum(map(_nested_stored_chars, value))
    return len(stored_scalar(value))


def _stored_text(value: Json) -> str:
    if isinstance(value, str):
        return value
    return _text(value, stored_scalar, opening="{", equals=":", comma=",", drop_nulls=True, quote=_quote)


# -- a live provider object: Lombok's toString ------------------------------------------------

_ABSENT = "null"
_RESPONSE_ITEM_KEYS = {
    "id": "id",
    "type": "type",
    "role": "role",
    "status": "status",
    "partial": "partial",
    "content": "content",
    "call_id": "callId",
    "name": "name",
    "arguments": "arguments",
    "output": "output",
    "server_label": "serverLabel",
    "summary": "summary",
    "extraBody": "extraBody",
}
_CONTENT_PART_KEYS = {
    "type": "type",
    "text": "text",
    "image_url": "imageUrl",
    "file_id": "fileId",
    "file_url": "fileUrl",
    "file_data": "fileData",
    "video_url": "videoUrl",
    "detail": "detail",
    "image_pixel_limit": "imagePixelLimit",
    "translation_options": "translationOptions",
    "extraBody": "extraBody",
}
_SUMMARY_KEYS = {"type": "type", "text": "text"}


def _provider_text(value: Json) -> str:
    if not isinstance(value, dict):
        return _map_text(value)
    members: dict[str, str] = {}
    for key, name, keys in (
        ("content", "ResponseContentPart", _CONTENT_PART_KEYS),
        ("summary", "ResponseSummary", _SUMMARY_KEYS),
    ):
        listed = value.get(key)
        if isinstance(listed, list):
            parts = (_bean(name, keys, part, {}) if isinstance(part, dict) else _map_text(part) for part in listed)
            members[key] = f"[{', '.join(parts)}]"
    return _bean("ResponseItem", _RESPONSE_ITEM_KEYS, value, members)


def _bean(name: str, keys: dict[str, str], value: dict[str, Json], made: dict[str, str]) -> str:
    """Lombok's text of an object; `made` has members whose text is known already."""
    fields = (
        f"{field}={made[key] if key in made else _map_text(value[key]) if key in value else _ABSENT}"
        for key, field in keys.items()
    )
    return f"{name}({', '.join(fields)})"


def _provider_chars(value: Json) -> int:
    return 0 if value is None else utf16_units(_provider_text(value))


def _content_chars(value: Json) -> int:
    return utf16_units(readable_text(value))


# -- the text of nested values ----------------------------------------------------------------


def _text(
    value: Json,
    scalar: Callable[[int | float | bool | None], str],
    *,
    opening: str,
    equals: str,
    comma: str,
    drop_nulls: bool,
    quote: Callable[[str], str],
) -> str:
    """The text of a nested value, without recursion: sessions can nest 20,000 levels deep."""
    out: list[str] = []
    # What is still to be written, last first: a finished piece of text, or a value in a list of one.
    todo: list[str | list[Json]] = [[value]]
    while todo:
        piece = todo.pop()
        if isinstance(piece, str):
            out.append(piece)
            continue
        current = piece[0]
        if isinstance(current, str):
            out.append(quote(current))
        elif isinstance(current, dict):
            out.append(opening)
            todo.append("}")
            members = [(key, member) for key, member in current.items() if not (drop_nulls and member is None)]
            for at, (key, member) in reversed(list(enumerate(members))):
                todo += [[member], (comma if at else "") + quote(key) + equals]
        elif isinstance(current, list):
            out.append("[")
            todo.append("]")
            for at, member in reversed(list(enumerate(current))):
                todo += [[member], comma if at else ""]
        else:
            out.append(scalar(current))
    return "".join(out)


_CHARS: dict[Form, Callable[[Json], int]] = {
    "map": _map_chars,
    "provider": _provider_chars,
    "stored": _stored_chars,
    "content": _content_chars,
}
_TEXT: dict[Form, Callable[[Json], str]] = {
    "map": _map_text,
    "provider": _provider_text,
    "stored": _stored_text,
    "content": readable_text,
}
