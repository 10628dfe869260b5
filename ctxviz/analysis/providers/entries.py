"""What the providers' rules look at in an item, and nothing else of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from ctxviz.projection.json_value import Json
from ctxviz.session.calls import answered_ids, raw_calls
from ctxviz.session.kind import Kind, kind_of


class Text(IntEnum):
    """What stands in a message's content."""

    ABSENT = 0
    """There is no such key."""
    NULL = 1
    EMPTY = 2
    """An empty string, an empty list, or a list with an empty text in it."""
    BLANK = 3
    """Nothing but white space."""
    SOME = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """An item as a request's message or part of one.

    `role` is `system` (also of a developer message), `user`, `assistant`, `tool` (an output, in
    whatever shape), `reasoning`, or the word that the item has. `is_piece` says that it is a part of
    a message that was split (a Responses item, or content blocks): a client joins it with its
    neighbours. `calls` and `answers` are ids, None for one that has none. `own_id` is the item's own in
    OpenAI's Responses (`fc_`, `msg_`, `rs_`), None anywhere else. `faults` are names of item-wide
    checks that it fails, and marks that other checks go by.
    """

    role: str
    is_piece: bool
    calls: tuple[str | None, ...]
    answers: tuple[str | None, ...]
    text: Text
    has_thought: bool
    faults: tuple[str, ...]
    own_id: str | None = None


_TEXT_KEYS = ("text", "input_text", "output_text")
_THOUGHTS = ("thinking", "redacted_thinking")
_SIGNATURES = ("thought_signature", "thoughtSignature", "extra_content")
_OWN_IDS = ("fc_", "msg_", "rs_")
_SAID_ELSEWHERE = ("refusal", "audio", "text", "parts")
"""Where a message without content says what it has to say."""
_NO_CALLS: tuple[str | None, ...] = ()


def entry_of(item: Json) -> Entry:
    """The entry of an item; never raises, whatever the types inside."""
    if not isinstance(item, dict):
        return Entry("none", False, (), (), Text.SOME, False, ())  # no message, so no rule is about it
    kind, role, type_name = kind_of(item), item.get("role"), item.get("type")
    content = item.get("content")
    calls = tuple(call.call_id for call in raw_calls(item) if not call.by_server) or _NO_CALLS
    is_item = isinstance(type_name, str) and type_name != "message"
    has_blocks = isinstance(content, list) and any(isinstance(block, dict) for block in content)
    if kind is Kind.TOOL_OUTPUT:
        answers: tuple[str | None, ...] = answered_ids(item) or (None,)
        late = ("text_before_result",) if has_blocks and not _begins_with_result(content) else ()
        return Entry("tool", is_item or has_blocks, (), answers, Text.SOME, False, late)
    own_id = _own_id(item) if isinstance(type_name, str) else None
    if kind is Kind.REASONING:
        return Entry("reasoning", True, (), (), Text.SOME, has_blocks, _faults_of_reasoning(item), own_id)
    if kind is Kind.TOOL_CALL:
        return Entry(
            "assistant",
            is_item or has_blocks,
            calls,
            (),
            Text.SOME if is_item else _text(item),  # a call that is an item has no content to be empty
            _has_thought(item),
            _faults_of_call(item, type_name),
            own_id,
        )
    if kind is Kind.OTHER:
        name = role if isinstance(role, str) else "other"
        return Entry(name, False, (), (), _text(item), False, ())
    word = {Kind.SYSTEM: "system", Kind.USER: "user", Kind.ASSISTANT: "assistant"}[kind]
    return Entry(
        word,
        has_blocks and (type_name != "message" or word == "assistant"),
        (),
        (),
        _text(item),
        _has_thought(item),
        _faults_of_message(item, word),
        own_id,
    )


def _own_id(item: dict[str, Json]) -> str | None:
    own_id = item.get("id")
    return own_id if isinstance(own_id, str) and own_id.startswith(_OWN_IDS) else None


def _begins_with_result(content: Json) -> bool:
    first = content[0] if isinstance(content, list) and content else None
    kind = first.get("type") if isinstance(first, dict) else None
    return isinstance(kind, str) and kind.endswith("tool_result")


def _text(item: dict[str, Json]) -> Text:
    content = item.get("content")
    if content is None:
        if any(item.get(key) for key in _SAID_ELSEWHERE):
            return Text.SOME
        return Text.NULL if "content" in item else Text.ABSENT
    if isinstance(content, str):
        return _state(content)
    if not isinstance(content, list):
        return Text.SOME
    texts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") in _TEXT_KEYS]
    return min((_state(text) for text in texts), default=Text.SOME if content else Text.EMPTY)


def _state(text: Json) -> Text:
    if not isinstance(text, str) or not text:
        return Text.EMPTY
    return Text.SOME if text.strip() else Text.BLANK


def _has_thought(item: dict[str, Json]) -> bool:
    """Whether the item brings what the model thought along: a first thinking block, or `reasoning_content`."""
    content = item.get("content")
    first = content[0] if isinstance(content, list) and content else None
    if isinstance(first, dict) and first.get("type") in _THOUGHTS:
        return True
    return isinstance(item.get("reasoning_content"), str)


def _is_bound(item: dict[str, Json]) -> bool:
    """Whether the item has a thinking block that is signed, or sealed."""
    content = item.get("content")
    for block in content if isinstance(content, list) else []:
        if isinstance(block, dict) and block.get("type") in _THOUGHTS and (block.get("signature") or block.get("data")):
            return True
    return False


def _faults_of_reasoning(item: dict[str, Json]) -> tuple[str, ...]:
    if item.get("type") != "reasoning":
        return ("bound",) if _is_bound(item) else ()
    faults = [] if isinstance(item.get("summary"), list) else ["reasoning_without_summary"]
    if isinstance(item.get("encrypted_content"), str):
        faults.append("encrypted")
    return tuple(faults)


def _faults_of_call(item: dict[str, Json], type_name: Json) -> tuple[str, ...]:
    faults = []
    own_id = item.get("id")
    if type_name == "function_call" and isinstance(own_id, str) and not own_id.startswith("fc"):
        faults.append("id_not_fc")
    if "tool_calls" in item and type_name == "message":
        faults.append("tool_calls_field")
    if "tool_calls" in item and "content" not in item:
        faults.append("no_content_key")
    if _is_unsigned(item, own_id):
        faults.append("unsigned")
    return tuple(faults + list(_faults_of_message(item, "assistant")))


def _is_unsigned(item: dict[str, Json], own_id: Json) -> bool:
    """Whether Gemini's signature is missing in a shape that has a place for it, or can't have come from Gemini.

    Of parallel calls the first one carries it. Calls that were read out of other shapes lost it in reading.
    """
    listed = item.get("tool_calls")
    calls = listed if isinstance(listed, list) else []
    if not calls and not (item.get("type") == "function_call" and isinstance(own_id, str)):
        return False
    holders = [item, *(call for call in calls[:1] if isinstance(call, dict))]
    return not any(key in holder for holder in holders for key in _SIGNATURES)


def _faults_of_message(item: dict[str, Json], role: str) -> tuple[str, ...]:
    content = item.get("content")
    faults = []
    if item.get("role") == "developer":
        faults.append("developer")
    if _is_bound(item):
        faults.append("bound")
    for part in content if isinstance(content, list) else []:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "input_text" and role == "assistant":
            faults.append("assistant_input_text")
        if kind == "input_image" and isinstance(part, dict) and isinstance(part.get("image_url"), dict):
            faults.append("image_url_object")
        if kind == "image_url":
            faults.append("image_part")
        if kind == "text" and isinstance(part, dict) and _state(part.get("text")) is not Text.SOME:
            faults.append("empty_block")
    return tuple(dict.fromkeys(faults))
