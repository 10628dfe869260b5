"""An item in one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ctxviz.projection.json_value import Json
from ctxviz.session.calls import RawCall, own_name, raw_calls
from ctxviz.session.compact_json import compact_json
from ctxviz.session.decoding import decode, in_open_string
from ctxviz.session.kind import Kind, kind_of
from ctxviz.session.parts import parts

CALL, OUTPUT = "→", "←"


@dataclass(frozen=True)
class Preview:
    """An item in one line, in three pieces that follow each other (a space after the arrow).

    `arrow` is "→" for a call, "←" for an output, else "". `name` is the tool's name, "" if
    unknown. `rest` is everything else, cut off at the limit. Control characters are still in it.
    """

    arrow: str
    name: str
    rest: str


def preview(item: Json, tool_name: str | None = None, limit: int = 200) -> Preview:
    """The item in one line; `tool_name` is the tool that an output came from, if known.

    `name` and `rest` have `limit` characters each at most. Looks at no more of a long text than
    it shows.
    """
    kind = kind_of(item)
    if kind is Kind.TOOL_CALL:
        calls = raw_calls(item)
        first = next(calls)
        return Preview(CALL, _squeeze(first.name or "", limit), _clip(_after_name(first, calls, item, limit), limit))
    words = _clip(_words(item, limit), limit) or compact_json(item, limit)
    if kind is Kind.TOOL_OUTPUT:
        name = tool_name or own_name(item) or ""
        return Preview(OUTPUT, _squeeze(name, limit), f" {words}"[:limit])
    return Preview("", "", words)


def _after_name(first: RawCall, others: Iterator[RawCall], item: Json, limit: int) -> Iterator[str]:
    yield from _arguments(first.arguments, limit)
    for call in others:
        yield f"; {CALL} {_squeeze(call.name or '', limit)}"
        yield from _arguments(call.arguments, limit)
    before = "  "
    for word in _words(item, limit):
        yield before + word
        before = ""


def _arguments(arguments: Json, limit: int) -> Iterator[str]:
    """The values of a call's arguments: `(dueDate, src)`."""
    if isinstance(arguments, str):
        # JSON's own quotes and escapes take room too; what this misses is behind the limit.
        head = arguments[: 8 * limit + 64]
        value = decode(head if len(head) == len(arguments) else in_open_string(head)).value
        arguments = value if isinstance(value, (dict, list)) else arguments
    if isinstance(arguments, dict):
        values: Iterator[Json] = iter(arguments.values())
    elif isinstance(arguments, list):
        values = iter(arguments)
    else:
        values = iter(() if arguments is None or arguments == "" else (arguments,))
    before = "("
    for value in values:
        text = value if isinstance(value, str) else compact_json(value, limit)
        yield before + _squeeze(text, limit)
        before = ", "
    yield "()" if before == "(" else ")"


def _words(item: Json, limit: int) -> Iterator[str]:
    space = ""
    for part in parts(item):
        word = _squeeze(part if isinstance(part, str) else part.label, limit)
        if word:
            yield space + word
            space = " "


_RUN = re.compile(r"\S{1,256}")


def _squeeze(text: str, limit: int) -> str:
    """The first `limit` characters with each run of white space as one space, none at the ends."""
    pieces: list[str] = []
    length = end = 0
    for run in _RUN.finditer(text):
        if pieces and run.start() > end:
            pieces.append(" ")
            length += 1
        pieces.append(run[0])
        length += len(run[0])
        end = run.end()
        if length >= limit:
            break
    return "".join(pieces)[:limit]


def _clip(pieces: Iterator[str], limit: int) -> str:
    taken: list[str] = []
    room = limit
    for piece in pieces:
        taken.append(piece)
        room -= len(piece)
        if room <= 0:
            break
    return "".join(taken)[:limit]
