"""A toy: a session of items of given sizes, to see the rule at work on numbers that one can add up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from string import ascii_lowercase

from ctxviz.session.model import Session

MOST_ITEMS = 200
MOST_CHARS = 100_000
"""Of one item."""


@dataclass(frozen=True)
class ToyItem:
    """An item of `size` characters; its letters tell it from the others, wherever it is moved."""

    letters: str
    size: int

    @property
    def text(self) -> str:
        return (self.letters * (self.size // len(self.letters) + 1))[: self.size]


@dataclass(frozen=True)
class Toy:
    """The items in order. Nothing in it changes: each edit gives another toy."""

    items: tuple[ToyItem, ...]
    made: int
    """How many items were made so far: the next one's letters."""

    @classmethod
    def of(cls, sizes: Iterable[int]) -> Toy:
        """Items of these sizes, the first of the letter a."""
        items = tuple(ToyItem(letters_of(at), size) for at, size in enumerate(sizes))
        return cls(items, len(items))

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(item.size for item in self.items)

    def session(self) -> Session:
        """The session of the items: strings, which are measured as they are."""
        nothing = "" if self.items else "All items were removed: A adds one."
        texts = [item.text for item in self.items]
        session = Session("toy", "toy", "toy", "toy", texts, nothing=nothing)
        session.prepare(lambda done: None)
        return session

    def resized(self, index: int, size: int) -> Toy:
        """With another size of an item, from 0 to `MOST_CHARS`."""
        size = min(max(size, 0), MOST_CHARS)
        return self._with(index, replace(self.items[index], size=size))

    def added(self, index: int, size: int) -> Toy:
        """With a new item before the one at `index`, or at the end."""
        new = ToyItem(letters_of(self.made), min(max(size, 0), MOST_CHARS))
        return Toy((*self.items[:index], new, *self.items[index:]), self.made + 1)

    def removed(self, index: int) -> Toy:
        """Without an item."""
        return replace(self, items=(*self.items[:index], *self.items[index + 1 :]))

    def moved(self, index: int, by: int) -> Toy:
        """With an item at another place, as far as there are places."""
        to = min(max(index + by, 0), len(self.items) - 1)
        others = [*self.items[:index], *self.items[index + 1 :]]
        others.insert(to, self.items[index])
        return replace(self, items=tuple(others))

    def _with(self, index: int, item: ToyItem) -> Toy:
        return replace(self, items=(*self.items[:index], item, *self.items[index + 1 :]))


def letters_of(number: int) -> str:
    """a to z, then aa, ab and so on."""
    letters = ""
    number += 1
    while number:
        number, at = divmod(number - 1, len(ascii_lowercase))
        letters = ascii_lowercase[at] + letters
    return letters
