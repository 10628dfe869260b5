"""JSON text of any value, whole or only as much of it as is shown."""

from __future__ import annotations

from collections.abc import Iterator
from json.encoder import encode_basestring

from ctxviz.projection.json_value import Json
from ctxviz.projection.scalars import int_text


def compact_json(value: Json, limit: int | None = None) -> str:
    """The value as JSON without white space, non-ASCII as it is.

    With a limit, the first `limit` characters, without looking at what stands behind them. NaN
    and infinities are written as Python's `json` writes them. Nesting may be of any depth.
    """
    pieces: list[str] = []
    room = limit
    for piece in _pieces(value, limit):
        pieces.append(piece)
        if room is not None:
            room -= len(piece)
            if room <= 0:
                break
    return "".join(pieces)[:limit]


def _pieces(value: Json, limit: int | None) -> Iterator[str]:
    # What is being written, outermost first: the rest of a container, and how it closes.
    open_containers: list[tuple[Iterator[tuple[str, Json]], str]] = []
    while True:
        if isinstance(value, dict):
            yield "{"
            open_containers.append((_members(value, limit), "}"))
        elif isinstance(value, list):
            yield "["
            open_containers.append((_elements(value), "]"))
        else:
            yield _scalar(value, limit)
        while open_containers:
            rest, closing = open_containers[-1]
            following = next(rest, None)
            if following is not None:
                break
            yield closing
            open_containers.pop()
        else:
            return
        before, value = following
        yield before


def _members(value: dict[str, Json], limit: int | None) -> Iterator[tuple[str, Json]]:
    comma = ""
    for key, member in value.items():
        yield f"{comma}{_scalar(key, limit)}:", member
        comma = ","


def _elements(value: list[Json]) -> Iterator[tuple[str, Json]]:
    comma = ""
    for element in value:
        yield comma, element
        comma = ","


def _scalar(value: str | int | float | bool | None, limit: int | None) -> str:
    if isinstance(value, str):
        return encode_basestring(value if limit is None else value[:limit])
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return int_text(value)
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return float.__repr__(value)
