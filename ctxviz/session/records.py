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

    def each(self) -> Iterator[tuple[int, Json]]:
        """All records with their numbers, in order. What is no record is in `skipped` afterwards."""
        for number in range(len(self)):
            yield number, self[number]

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
