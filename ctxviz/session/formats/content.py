"""What a format's reader gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ctxviz.projection.json_value import Json
from ctxviz.projection.measure import Form
from ctxviz.session.model import Compaction, ModelCall


@dataclass(frozen=True, eq=False)
class Content:
    """A session's content; the fields are those of `Session`.

    `nothing` says why there are no items in a file that is whole. `salvage` says what was loaded
    from one that is not, where that is not simply its whole items.
    """

    items: Sequence[Json]
    calls: Sequence[ModelCall] = ()
    compactions: Sequence[Compaction] = ()
    live_forms: Sequence[Form] | None = None
    stored_forms: Sequence[Form] | None = None
    nothing: str = ""
    salvage: str = ""
    warnings: tuple[str, ...] = ()


class NotReadable(Exception):
    """The document can't be read in the format asked for; its text says why, `place` is a key in it."""

    def __init__(self, cause: str, place: str | None = None) -> None:
        self.place = place
        super().__init__(cause)


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
