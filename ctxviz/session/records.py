"""The records of a file, in order: lines, elements of a list, rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ctxviz.projection.json_value import Json


@dataclass(frozen=True)
class Skipped:
    """Something in a file that is no record: where it stands, and why it was skipped."""

    place: str
    cause: str


class Records(ABC):
    """JSON values in the order of their file, each at a place. They are decoded when looked at.

    `shape` is "lines" for JSON Lines, "list" for a JSON list, "rows" for anything else that has
    records (a table, a folder, a list inside a document).
    """

    shape: Literal["lines", "list", "rows"] = "rows"
    size_in_file = 0
    """How many bytes of a file the records take, 0 if they are in memory."""
    passes = 2
    """How often a format goes over the records: what progress is counted by."""

    def reached(self, number: int) -> None:  # noqa: B027 -- only what is read from a file tells
        """A format that goes over the records once more has come this far."""

    @abstractmethod
    def __len__(self) -> int:
        """How many records there are; of a file that is not read to its end, how many so far."""

    @abstractmethod
    def __getitem__(self, number: int) -> Json:
        """The record with this number, decoded now; never raises for what stands in it.

        Numbers count from 0 and are known after the file was read once (`each`).
        """

    @abstractmethod
    def place(self, number: int) -> str:
        """Where the record stands, in words: "line 12"."""

    @abstractmethod
    def sample(self) -> Sequence[Json]:
        """Records from the beginning, to tell the format by: up to 100, or as many as 64 KiB hold."""

    def size_bytes(self, number: int) -> int:
        """How many bytes of the file are decoded for a record; 0 where it is in memory."""
        return 0

    def beginning(self, number: int) -> Json:
        """What the first bytes of a long record say: strings, lists and objects end where the bytes do."""
        return self[number]

    def batches(self) -> Iterator[list[Json]]:
        """All records in order, some at a time. What is no record is in `skipped` afterwards."""
        for start in range(0, len(self), _BATCH_RECORDS):
            yield [self[number] for number in range(start, min(start + _BATCH_RECORDS, len(self)))]

    def each(self) -> Iterator[tuple[int, Json]]:
        """All records with their numbers, in order; see `batches`."""
        first = 0
        for batch in self.batches():
            yield from enumerate(batch, start=first)
            first += len(batch)

    @property
    def skipped(self) -> Sequence[Skipped]:
        """What was no record, in order; known after `each` ran to its end."""
        return ()


class ListRecords(Records):
    """Values in memory. `place` names the place of each; without it they are elements, counted from 1."""

    def __init__(
        self,
        values: Sequence[Json],
        place: Callable[[int], str] | None = None,
        shape: Literal["lines", "list", "rows"] = "rows",
    ) -> None:
        self.values = values
        self.shape = shape
        self._place = place

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, number: int) -> Json:
        return self.values[number]

    def place(self, number: int) -> str:
        """Where the record stands."""
        return self._place(number) if self._place else f"element {number + 1:,}"

    def sample(self) -> Sequence[Json]:
        """Records from the beginning."""
        return self.values[:SAMPLE_RECORDS]


SAMPLE_RECORDS = 100
_BATCH_RECORDS = 256
