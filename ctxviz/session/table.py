"""The items of a file's records in flat arrays, each decoded when it is looked at."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from threading import Lock
from typing import TypeAlias, overload

from ctxviz.projection.json_value import Json
from ctxviz.projection.measure import approx_chars, measure_items
from ctxviz.session.kind import kind_code
from ctxviz.session.records import Records, Skipped

Remake: TypeAlias = "Callable[[Json, int], Sequence[Json]]"
"""A record and its number to its items: the same ones as were added, each time."""

_REASONS, _PARTS = 255, 0xFFFF
_RECORDS_KEPT = 64
_TOLD_EACH = 64
GLIMPSE_FROM_BYTES = 1 << 18
"""Of a record that is longer than this the screen decodes no more than the beginning."""


@dataclass(frozen=True, eq=False)
class Table:
    """What is known of items without decoding them; all have the same length.

    `records` and `parts` say where an item is: in which record, and which of its items it is. None
    stands for "item i is the first of record i". `sizes` are live characters, `kinds` places in `KINDS`.
    """

    records: array[int] | None
    parts: array[int] | None
    sizes: array[int]
    kinds: bytes

    def __len__(self) -> int:
        return len(self.sizes)

    def where(self, index: int) -> tuple[int, int]:
        """The item's record, and its place among the record's items."""
        if self.records is None:
            return index, 0
        return self.records[index], self.parts[index] if self.parts is not None else 0

    def only(self, chosen: Sequence[int]) -> Table:
        """The items at these places."""
        records = range(len(self)) if self.records is None else self.records
        parts = self.parts
        return Table(
            array("q", (records[at] for at in chosen)),
            None if parts is None else array("H", (parts[at] for at in chosen)),
            array("q", (self.sizes[at] for at in chosen)),
            bytes(self.kinds[at] for at in chosen),
        )


class LazyItems(Sequence[Json]):
    """Items that are decoded when looked at; the records looked at last are kept decoded."""

    def __init__(self, records: Records, table: Table, remake: Remake, named: str | None = None) -> None:
        self.records = records
        self.table = table
        self.remake = remake
        self.named = named
        """`module:function` of what makes a record's items, where it is one that other processes can call."""
        self._made: OrderedDict[int, Sequence[Json]] = OrderedDict()
        self._glimpses: dict[int, Sequence[Json]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self.table)

    @overload
    def __getitem__(self, index: int) -> Json: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Json]: ...
    def __getitem__(self, index: int | slice) -> Json | Sequence[Json]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        record, part = self.table.where(index)
        items = self._items_of(record)
        # A file that was changed after it was read can hold other records by now.
        return items[part] if part < len(items) else _GONE

    def __iter__(self) -> Iterator[Json]:
        """All items, record by record and without keeping any."""
        table = self.table
        if table.records is None:
            for number, record in self.records.each():
                made = self.remake(record, number)
                yield made[0] if made else _GONE
            return
        before, made = -1, []
        for at in range(len(self)):
            number, part = table.where(at)
            if number != before:
                before, made = number, list(self.remake(self.records[number], number))
            yield made[part] if part < len(made) else _GONE

    def size_bytes(self, index: int) -> int:
        """How many bytes of the file decoding this item takes; 0 if that is not known, or not much."""
        return self.records.size_bytes(self.table.where(index)[0])

    def glimpse(self, index: int) -> Json:
        """The item as it is worth showing in a line: of a very large one what its first bytes say."""
        record, part = self.table.where(index)
        if self.records.size_bytes(record) <= GLIMPSE_FROM_BYTES:
            return self[index]
        with self._lock:
            made = self._glimpses.get(record)
        if made is None:
            made = self._glimpses[record] = self.remake(self.records.beginning(record), record)
            while len(self._glimpses) > _RECORDS_KEPT:
                del self._glimpses[next(iter(self._glimpses))]
        return made[part] if part < len(made) else "(too long to be shown in a line)"

    def __eq__(self, other: object) -> bool:
        """Equal to any sequence with the same items, a list too."""
        if not isinstance(other, (list, tuple, LazyItems)):
            return NotImplemented
        return len(self) == len(other) and all(mine == its for mine, its in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def _items_of(self, record: int) -> Sequence[Json]:
        with self._lock:
            made = self._made.get(record)
            if made is not None:
                self._made.move_to_end(record)
                return made
        made = self.remake(self.records[record], record)
        with self._lock:
            self._made[record] = made
            while len(self._made) > _RECORDS_KEPT:
                self._made.popitem(last=False)
        return made


_GONE = "(no longer in the file: it was changed after it was read)"


@dataclass(frozen=True)
class Aside:
    """A record, or a part of one, that the model did not see."""

    place: str
    reason: str
    record: int | None
    """The record's number; None for what is no record (a line that is no JSON)."""


@dataclass(frozen=True, eq=False)
class AsideGroup:
    """What was set aside for one reason: what is no record, then records, then parts, each in the order of the file.

    `code` is what the records have in `status`, None if there are only parts.
    """

    reason: str
    records: Records
    status: bytes
    code: int | None = None
    parts: list[int] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.skipped) + self._count + len(self.parts)

    @cached_property
    def _count(self) -> int:
        return 0 if self.code is None else self.status.count(self.code)

    @cached_property
    def numbers(self) -> array[int]:
        """The numbers of the records and of those with the parts; of a million made when they are looked at."""
        found: array[int] = array("q")
        if self.code is not None:
            has_code = self.status.translate(bytes(code == self.code for code in range(256)))
            found.extend(compress(range(len(has_code)), has_code))
        found.extend(self.parts)
        return found

    def place(self, at: int) -> str:
        """Where it stands in the file."""
        return self.skipped[at] if at < len(self.skipped) else self.records.place(self.numbers[at - len(self.skipped)])

    def glimpse(self, at: int) -> Json:
        """The record, of a very large one what its first bytes say; None for what is none."""
        number = self.record(at)
        if number is None:
            return None
        is_large = self.records.size_bytes(number) > GLIMPSE_FROM_BYTES
        return self.records.beginning(number) if is_large else self.records[number]

    def record(self, at: int) -> int | None:
        """The record's number, None for what is none."""
        return None if at < len(self.skipped) else self.numbers[at - len(self.skipped)]


class Census:
    """How many records were read, used and set aside, and which were set aside and why."""

    def __init__(
        self,
        records: Records,
        status: bytes,
        reasons: Sequence[str],
        parts: Sequence[tuple[int, str]],
    ) -> None:
        self._records = records
        self._status = status
        self._reasons = reasons
        self._parts = parts
        self._aside = len(status) - status.count(0)
        self._skipped: Sequence[Skipped] = records.skipped

    @property
    def read(self) -> int:
        """Records there are, with what should have been one."""
        return len(self._status) + len(self._skipped)

    @property
    def used(self) -> int:
        """Records of which at least one item is in the session's list."""
        return len(self._status) - self._aside

    @property
    def set_aside(self) -> int:
        """Records of which no item is in the list."""
        return self.read - self.used

    @property
    def parts_set_aside(self) -> int:
        """Parts left out of records that are used."""
        return len(self._parts)

    def reasons(self) -> dict[str, int]:
        """Each reason with how many records and parts were set aside for it, the most frequent first."""
        counts: dict[str, int] = {}
        for code, reason in enumerate(self._reasons, start=1):
            count = self._status.count(code)
            if count:
                counts[reason] = counts.get(reason, 0) + count
        for _, reason in self._parts:
            counts[reason] = counts.get(reason, 0) + 1
        for skipped in self._skipped:
            counts[skipped.cause] = counts.get(skipped.cause, 0) + 1
        return dict(sorted(counts.items(), key=lambda pair: -pair[1]))

    def groups(self) -> list[AsideGroup]:
        """What was set aside by reason, the most frequent first; rows are made when they are asked for."""
        found: dict[str, AsideGroup] = {}

        def group(reason: str, code: int | None = None) -> AsideGroup:
            if reason not in found:
                found[reason] = AsideGroup(reason, self._records, self._status, code)
            return found[reason]

        for code, reason in enumerate(self._reasons, start=1):
            if code in self._status:
                group(reason, code)
        for number, reason in self._parts:
            group(reason).parts.append(number)
        for skipped in self._skipped:
            group(skipped.cause).skipped.append(skipped.place)
        return sorted(found.values(), key=lambda group: -len(group))

    def asides(self) -> list[Aside]:
        """What was set aside, group by group."""
        found: list[Aside] = []
        for group in self.groups():
            found += [Aside(group.place(at), group.reason, group.record(at)) for at in range(len(group))]
        return found

    def record(self, number: int) -> Json:
        """A record as it stands in the file."""
        return self._records[number]

    def place(self, number: int) -> str:
        """Where a record stands."""
        return self._records.place(number)


@dataclass(eq=False)
class Collected:
    """What a builder has, as other processes send it. `record` is None while item i is record i's only one."""

    record: array[int] | None = None
    part: array[int] | None = None
    sizes: array[int] = field(default_factory=lambda: array("q"))
    kinds: bytearray = field(default_factory=bytearray)
    status: bytearray = field(default_factory=bytearray)
    reasons: dict[str, int] = field(default_factory=dict)
    parts: list[tuple[int, str]] = field(default_factory=list)

    def numbered(self) -> tuple[array[int], array[int]]:
        """The arrays of records and parts, made if there are none."""
        count = len(self.sizes)
        if self.record is None:
            self.record = array("q", range(count))
        if self.part is None:
            self.part = array("H", bytes(2 * count))
        return self.record, self.part

    def code(self, reason: str) -> int:
        """The code of a reason."""
        found = self.reasons.get(reason)
        if found is None:
            if len(self.reasons) >= _REASONS - 1:
                reason = "other reasons"
            found = self.reasons.setdefault(reason, len(self.reasons) + 1)
        return found


class Builder:
    """Collects the items of records: measures each and lets it go.

    Items are in the session in the order in which they were added; a record may be added once.
    """

    def __init__(self, records: Records) -> None:
        self.records = records
        self.collected = Collected()

    def add(self, number: int, items: Sequence[Json]) -> None:
        """These are the record's items; a record without any is set aside."""
        if not items:
            self.set_aside(number, "nothing in it")
            return
        self._put(number, items)
        self._mark(number, 0)

    def add_records(self, number: int, records: Sequence[Json]) -> None:
        """These records, from this number on, are an item each; none of them was added before."""
        collected, count = self.collected, len(records)
        if collected.record is not None or number != len(collected.sizes):
            record, part = collected.numbered()
            record.extend(range(number, number + count))
            part.extend(bytes(count))
        collected.sizes.extend(measure_items(records, "live"))
        collected.kinds.extend(map(kind_code, records))
        collected.status.extend(bytes(max(number - len(collected.status), 0) + count))

    def set_aside(self, number: int, reason: str, items: Sequence[Json] = ()) -> None:
        """The model did not see this record. `items`, if it has any, can be put into the list by a person."""
        self._put(number, items)
        self._mark(number, self.collected.code(reason))

    def move_aside(self, numbers: Iterable[int], reason: str) -> None:
        """Records that were added turn out not to have been seen; others are left as they are."""
        status, code = self.collected.status, self.collected.code(reason)
        for number in numbers:
            if number < len(status) and not status[number]:
                status[number] = code

    def leave_out(self, number: int, reason: str) -> None:
        """A part of a record that is used was not seen by the model."""
        self.collected.parts.append((number, reason))

    def extend(self, other: Collected, number: int) -> None:
        """Take over what was collected of the records from this number on; those before are all taken."""
        mine = self.collected
        if mine.record is not None or other.record is not None or number != len(mine.sizes):
            record, part = mine.numbered()
            others, their_parts = other.numbered()
            record.extend(number + at for at in others)
            part.extend(their_parts)
        mine.sizes.extend(other.sizes)
        mine.kinds.extend(other.kinds)
        codes = bytes([0, *map(mine.code, other.reasons), *range(len(other.reasons) + 1, 256)])
        mine.status.extend(bytes(number - len(mine.status)) + other.status.translate(codes))
        mine.parts.extend((number + at, reason) for at, reason in other.parts)

    def _put(self, number: int, items: Sequence[Json]) -> None:
        collected = self.collected
        if collected.record is not None or len(items) != 1 or number != len(collected.sizes):
            record, part = collected.numbered()
            items = items[:_PARTS]
            record.extend([number] * len(items))
            part.extend(range(len(items)))
        for item in items:
            collected.sizes.append(approx_chars(item))
            collected.kinds.append(kind_code(item))
        if not number % _TOLD_EACH:
            self.records.reached(number)

    def _mark(self, number: int, code: int) -> None:
        status = self.collected.status
        if number >= len(status):
            status.extend(bytes(number + 1 - len(status)))
        status[number] = code

    def rows(self, remake: Remake, named: str | None = None) -> Rows:
        """What was collected; `remake` gives a record's items again, `named` says how other processes can."""
        collected = self.collected
        for number in range(len(collected.status), len(self.records)):
            self._mark(number, collected.code("not read"))
        table = Table(collected.record, collected.part, collected.sizes, bytes(collected.kinds))
        status, reasons = bytes(collected.status), tuple(collected.reasons)
        return Rows(self.records, table, status, reasons, tuple(collected.parts), remake, named)


@dataclass(frozen=True, eq=False)
class Rows:
    """The items of all records, in and out of context."""

    records: Records
    table: Table
    status: bytes
    """One byte a record: 0 if its items are in context, else one more than the place of the reason."""
    reasons: tuple[str, ...]
    parts: tuple[tuple[int, str], ...]
    remake: Remake
    named: str | None = None

    def collected(self) -> Collected:
        """A copy of what was collected, to go on with."""
        table = self.table
        record = None if table.records is None else array("q", table.records)
        part = None if table.parts is None else array("H", table.parts)
        if record is not None and part is None:
            part = array("H", bytes(2 * len(record)))
        codes = {reason: code for code, reason in enumerate(self.reasons, start=1)}
        sizes, kinds = array("q", table.sizes), bytearray(table.kinds)
        return Collected(record, part, sizes, kinds, bytearray(self.status), codes, list(self.parts))

    def items(self, included: frozenset[str] = frozenset()) -> LazyItems:
        """The items in context, with those set aside for one of these reasons among them."""
        if not any(self.status):
            return LazyItems(self.records, self.table, self.remake, self.named)
        shown = {0, *(code for code, reason in enumerate(self.reasons, start=1) if reason in included)}
        record_of = range(len(self.table)) if self.table.records is None else self.table.records
        chosen = [at for at, record in enumerate(record_of) if self.status[record] in shown]
        return LazyItems(self.records, self.table.only(chosen), self.remake, self.named)

    def choices(self) -> dict[str, int]:
        """The reasons whose records hold items, with how many items each would add."""
        records = self.table.records
        codes = (
            self.status[: len(self.table)] if records is None else bytes(map(self.status.__getitem__, records))
        )  # one byte an item: a million are counted at once
        counts = ((reason, codes.count(code)) for code, reason in enumerate(self.reasons, start=1))
        return {reason: count for reason, count in counts if count}

    def census(self, included: frozenset[str] = frozenset()) -> Census:
        """The records' numbers."""
        codes = {code for code, reason in enumerate(self.reasons, start=1) if reason in included}
        status = self.status
        if codes:
            has_items = set(self.table.records or range(len(self.table)))
            status = bytes(0 if code in codes and at in has_items else code for at, code in enumerate(status))
        return Census(self.records, status, self.reasons, self.parts)


def index_of_record(table: Table, record: int) -> int | None:
    """The first item of a record, None if it has none; the records must be in order."""
    if table.records is None:
        return record if record < len(table) else None
    at = bisect_left(table.records, record)
    return at if at < len(table) and table.records[at] == record else None
