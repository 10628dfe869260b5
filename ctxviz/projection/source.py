"""A list of items as a projector sees it: with a form, and so a size, an item."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import Protocol, TypeAlias, runtime_checkable

from ctxviz.projection.json_value import Json
from ctxviz.projection.measure import FORM_OF_MEASURE, Form, Measure, measure_items
from ctxviz.projection.size_index import SizeIndex


class Source:
    """Items with their sizes under one measure; never altered after it is made.

    `forms` is None if all items are measured in the one form that `measure` stands for. Sizes and
    their index are made when first asked for, once.
    """

    def __init__(
        self, items: Sequence[Json], measure: Measure | Sequence[Form] = "live", sizes: array[int] | None = None
    ) -> None:
        self.items = items
        self.measure = measure
        if sizes is not None:
            self.sizes = sizes

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def sizes(self) -> array[int]:
        """One size an item, in UTF-16 code units."""
        return measure_items(self.items, self.measure)

    @cached_property
    def index(self) -> SizeIndex:
        """Sums and minima over `sizes`."""
        return SizeIndex(self.sizes)

    @cached_property
    def largest(self) -> int:
        """The size of the largest item, 0 if there is none."""
        return max(self.sizes, default=0)

    def form(self, at: int) -> Form:
        """The form in which item `at` is measured."""
        return FORM_OF_MEASURE[self.measure] if isinstance(self.measure, str) else self.measure[at]

    def is_map(self, at: int) -> bool:
        """Whether the projector sees item `at` as a map: live provider objects are none."""
        return isinstance(self.items[at], dict) and self.form(at) != "provider"


@runtime_checkable
class HasSource(Protocol):
    """What knows the forms of its own items: a session."""

    def source(self, measure: Measure) -> Source:
        """The items under a measure; the same object each time."""
        ...


Items: TypeAlias = "Sequence[Json] | HasSource | Source"
"""What a projector takes: JSON values, a session, or a source made before."""


def as_source(items: Items, measure: Measure | Sequence[Form]) -> Source:
    """The source of anything that a projector takes.

    A session is asked by a measure's name only; to give a form an item, pass its items.
    """
    if isinstance(items, Source):
        return items
    if isinstance(items, HasSource):
        if isinstance(measure, str):
            return items.source(measure)
        raise ValueError("a session knows the forms of its items: pass session.items to choose them")
    return Source(items, measure)
