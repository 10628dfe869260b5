"""Request bodies with a list of messages in them, one in a file or one a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import overload

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content
from ctxviz.session.formats.plain import ItemsOf, plain_content
from ctxviz.session.model import ModelCall
from ctxviz.session.records import ListRecords, Records

BodyOf = Callable[[Json], "list[Json] | None"]
"""A record to the messages of the body that it is, None if it is none."""


def body_share(records: Records, messages_of: BodyOf) -> float:
    """The share of the records that are bodies."""
    sample = records.sample()
    return sum(messages_of(record) is not None for record in sample) / len(sample) if sample else 0.0


def last_body(records: Records, messages_of: BodyOf, items_of: ItemsOf, key: str) -> Content:
    """The last of several bodies as the session, and each as a model call with its prompt.

    Such logs repeat the whole history in each line; the last holds what the model saw last.
    """
    numbers = [number for number, record in records.each() if messages_of(record) is not None]
    calls = [ModelCall(None, None, None, _Prompt(records, number, messages_of, items_of)) for number in numbers]
    if not numbers:
        return Content(nothing="No line of the file is a request body.")
    last = numbers[-1]
    messages = messages_of(records[last]) or []
    place = records.place(last)
    content = plain_content(ListRecords(messages, lambda at: f"{place}, {key}[{at}]"), items_of)
    warnings: tuple[str, ...] = ()
    if len(numbers) > 1:
        warnings = (f"{place}: the last of {len(numbers):,} request bodies is shown; each is a model call",)
    return replace(content, calls=calls, warnings=warnings)


class _Prompt(Sequence[Json]):
    """The items of one body, decoded when they are looked at."""

    def __init__(self, records: Records, number: int, messages_of: BodyOf, items_of: ItemsOf) -> None:
        self._records = records
        self._number = number
        self._messages_of = messages_of
        self._items_of = items_of

    def _items(self) -> list[Json]:
        found: list[Json] = []
        for message in self._messages_of(self._records[self._number]) or []:
            items = self._items_of(message)
            found.extend(() if isinstance(items, str) else items)
        return found

    def __len__(self) -> int:
        return len(self._items())

    @overload
    def __getitem__(self, index: int) -> Json: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Json]: ...
    def __getitem__(self, index: int | slice) -> Json | Sequence[Json]:
        return self._items()[index]

    def __iter__(self) -> Iterator[Json]:
        return iter(self._items())
