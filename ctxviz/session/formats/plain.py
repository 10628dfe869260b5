"""Formats in which a record says all that there is to know of its items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content
from ctxviz.session.records import Records
from ctxviz.session.table import Builder

PROCESS_FROM_BYTES = 1 << 24
"""Less than this is read in the thread that asks: a process takes 0.1 s to start."""

ItemsOf: TypeAlias = "Callable[[Json], Sequence[Json] | str]"
"""A record to its items, or to the reason why it is set aside. A function of a module, not a closure:
other processes call it too. It knows the record only, and gives the same each time."""


def itself(record: Json) -> Sequence[Json]:
    """A record is an item."""
    return (record,)


def add_batch(builder: Builder, items_of: ItemsOf, number: int, records: Sequence[Json]) -> None:
    """Add the items of these records, the first of which has this number."""
    if items_of is itself:
        builder.add_records(number, records)
        return
    for at, record in enumerate(records, start=number):
        items = items_of(record)
        if isinstance(items, str):
            builder.set_aside(at, items)
        else:
            builder.add(at, items)


def _scanned(records: Records, items_of: ItemsOf, builder: Builder) -> bool:
    """Whether the records were read by processes of their own."""
    if records.size_in_file < PROCESS_FROM_BYTES:
        return False
    from ctxviz.session.lines import LineRecords
    from ctxviz.session.scanning import scan

    return isinstance(records, LineRecords) and scan(records, items_of, builder)


def plain_content(records: Records, items_of: ItemsOf, nothing: str = "") -> Content:
    """All records' items in order."""
    builder = Builder(records)
    records.passes = 1
    if not _scanned(records, items_of, builder):
        number = 0
        for batch in records.batches():
            add_batch(builder, items_of, number, batch)
            number += len(batch)

    def remake(record: Json, number: int) -> Sequence[Json]:
        items = items_of(record)
        return () if isinstance(items, str) else items

    rows = builder.rows(remake, f"{items_of.__module__}:{items_of.__qualname__}")
    return Content(rows=rows, nothing="" if len(rows.items()) else nothing)
