"""Toys: items of just these sizes, and what edits make of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxviz.session.toy import MOST_CHARS, Toy, letters_of

SIZES = st.lists(st.integers(0, 60), max_size=40)


@given(SIZES)
def test_the_items_have_these_sizes(sizes: list[int]) -> None:
    session = Toy.of(sizes).session()
    assert list(session.source("live").sizes) == sizes
    assert list(session.source("resumed").sizes) == sizes
    assert bool(session.nothing) == (not sizes)


def test_letters() -> None:
    assert [letters_of(number) for number in (0, 1, 25, 26, 27, 51, 52, 701, 702)] == [
        "a",
        "b",
        "z",
        "aa",
        "ab",
        "az",
        "ba",
        "zz",
        "aaa",
    ]


def texts(toy: Toy) -> list[str]:
    return [item.text for item in toy.items]


def test_edits() -> None:
    toy = Toy.of([4, 3, 2])
    assert texts(toy) == ["aaaa", "bbb", "cc"]
    assert texts(toy.resized(1, 5)) == ["aaaa", "bbbbb", "cc"]
    assert texts(toy.added(1, 1)) == ["aaaa", "d", "bbb", "cc"]
    assert texts(toy.added(3, 1).removed(0)) == ["bbb", "cc", "d"]
    assert texts(toy.removed(2).added(2, 1)) == ["aaaa", "bbb", "d"]
    assert texts(toy.moved(0, 1)) == ["bbb", "aaaa", "cc"]
    assert texts(toy.moved(0, -1)) == texts(toy)
    assert texts(toy.moved(2, 9)) == texts(toy)
    assert toy.resized(0, -3).sizes == (0, 3, 2)
    assert toy.resized(0, 10**9).sizes == (MOST_CHARS, 3, 2)
    assert texts(toy) == ["aaaa", "bbb", "cc"]
