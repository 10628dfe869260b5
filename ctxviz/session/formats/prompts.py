"""Recorded prompts whose items are made when they are looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from ctxviz.projection.json_value import Json


class LazyPrompt(Sequence[Json]):
    """The items of a recorded prompt: `make` gives them each time."""

    def __init__(self, make: Callable[[], Sequence[Json]]) -> None:
        self._make = make

    def __len__(self) -> int:
        return len(self._make())

    @overload
    def __getitem__(self, index: int) -> Json: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Json]: ...
    def __getitem__(self, index: int | slice) -> Json | Sequence[Json]:
        return self._make()[index]

    def __iter__(self) -> Iterator[Json]:
        return iter(self._make())
