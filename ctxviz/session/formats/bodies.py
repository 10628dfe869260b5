"""Request bodies with a list of messages in them, one in a file or one a line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content
from ctxviz.session.formats.plain import ItemsOf, plain_content
from ctxviz.session.formats.prompts import LazyPrompt
from ctxviz.session.model import ModelCall
from ctxviz.session.records import ListRecords, Records

BodyOf = Callable[[Json], "list[Json] | None"]
"""A record to the messages of the body that it is, None if it is none."""


def body_share(records: Records, messages_of: BodyOf) -> float:
    """The share of the records that are bodies."""
    sample = records.sample()
    return sum(messages_of(record) is not None for record in sample) / len(sample) if sample else 0.0


def _nothing_known(record: Json) -> tuple[int | None, str | None]:
    return None, None


def last_body(
    records: Records,
    messages_of: BodyOf,
    items_of: ItemsOf,
    key: str,
    step_and_run: Callable[[Json], tuple[int | None, str | None]] = _nothing_known,
) -> Content:
    """The last of several bodies as the session, and each as a model call with its prompt.

    Such logs repeat the whole history in each line; the last holds what the model saw last.
    """
    numbers: list[int] = []
    calls: list[ModelCall] = []
    for number, record in records.each():
        if messages_of(record) is not None:
            numbers.append(number)
            step, run = step_and_run(record)
            calls.append(ModelCall(step, run, None, _prompt(records, number, messages_of, items_of)))
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


def _prompt(records: Records, number: int, messages_of: BodyOf, items_of: ItemsOf) -> LazyPrompt:
    """The items of one body."""

    def make() -> list[Json]:
        found: list[Json] = []
        for message in messages_of(records[number]) or []:
            items = items_of(message)
            found.extend(() if isinstance(items, str) else items)
        return found

    return LazyPrompt(make)
