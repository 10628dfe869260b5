"""What a format's reader gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ctxviz.projection.json_value import Json
from ctxviz.projection.measure import Form
from ctxviz.session.model import Compaction, Conversation, ModelCall
from ctxviz.session.table import Rows


@dataclass(frozen=True, eq=False)
class Content:
    """A session's content; the fields are those of `Session`.

    Either `rows`, which has the items of records that are decoded when looked at, or `items`, all
    of them in memory. `nothing` says why there are no items in a file that is whole. `salvage`
    says what was loaded from one that is not, where that is not simply its whole items.
    """

    items: Sequence[Json] = ()
    rows: Rows | None = None
    calls: Sequence[ModelCall] = ()
    compactions: Sequence[Compaction] = ()
    live_forms: Sequence[Form] | None = None
    stored_forms: Sequence[Form] | None = None
    nothing: str = ""
    salvage: str = ""
    warnings: tuple[str, ...] = ()
    conversation: Conversation | None = None
    """Which one was read, where the file holds several."""


class NotReadable(Exception):
    """The file can't be read in the format asked for; its text says why, `place` is a key in it."""

    def __init__(self, cause: str, place: str | None = None) -> None:
        self.place = place
        super().__init__(cause)


class SeveralConversations(Exception):
    """The file holds several conversations (or none of the name asked for): one must be chosen."""

    def __init__(self, conversations: Sequence[Conversation]) -> None:
        self.conversations = tuple(conversations)
        super().__init__(f"{len(self.conversations):,} conversations")


def chosen(conversations: Sequence[Conversation], wanted: str | None) -> Conversation:
    """The conversation asked for by its id, or the only one there is; raises `SeveralConversations`."""
    if wanted is not None:
        for conversation in conversations:
            if conversation.id == wanted:
                return conversation
    elif len(conversations) == 1:
        return conversations[0]
    raise SeveralConversations(conversations)


def list_under(document: Json, *keys: str) -> list[Json]:
    """The list that the keys lead to; raises `NotReadable`, naming the keys, if there is none."""
    place = ".".join(keys)
    value = document
    for at, key in enumerate(keys):
        if not isinstance(value, dict) or key not in value:
            above = f"{'.'.join(keys[:at])} has no {key}" if at else f"there is no {key}"
            raise NotReadable(f"holds no items: {above}", place)
        value = value[key]
    if not isinstance(value, list):
        raise NotReadable(f"holds no items: {place} is {type_name(value)}, not a list", place)
    return value


def type_name(value: Json) -> str:
    """What a value is, with an article: "an object"."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    return "a string" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"
