"""What a session that grew has lost from its window, and where its items are now."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ctxviz.analysis.arrivals import Arrival, arrival, arrival_sentence
from ctxviz.analysis.examination import Examination, examine
from ctxviz.analysis.same_item import same_item
from ctxviz.analysis.settings import Settings
from ctxviz.projection.budget import ContextBudget
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session


def of(*sizes: int, max_items: int | None = None) -> Examination:
    items = ["x" * size for size in sizes]
    return examine(
        Session("s.json", "s.json", "json-list", "JSON list", items), Settings(ContextBudget(max_items=max_items))
    )


def test_what_came_and_what_left() -> None:
    assert arrival(of(1, 2, 3, max_items=2), of(1, 2, 3, 4, max_items=2)) == Arrival(1, (1,))
    assert arrival(of(1, 2), of(1, 2, 3, 4)) == Arrival(2, ())
    assert arrival(of(1, 2), of(1, 2)) == Arrival(0, ())
    assert arrival(of(), of(1)) == Arrival(1, ())


def test_what_did_not_simply_grow() -> None:
    assert arrival(of(1, 2, 3), of(1, 2)) is None
    assert arrival(of(1, 2, 3), of(1, 7, 3, 4)) is None


@pytest.mark.parametrize(
    ("left", "sentence"),
    [
        ((), "2 items came: nothing left the window."),
        ((12,), "2 items came: #12 left the window."),
        ((12, 15), "2 items came: #12 and #15 left the window."),
        ((1, 2, 3, 4), "2 items came: #1, #2, #3 and #4 left the window."),
        ((1, 2, 3, 4, 5, 6), "2 items came: #1, #2, #3, #4 and 2 more left the window."),
    ],
)
def test_the_sentence(left: tuple[int, ...], sentence: str) -> None:
    assert arrival_sentence(Arrival(2, left)) == sentence


# -- the same item --------------------------------------------------------------------------------


@pytest.fixture
def aside(tmp_path: Path) -> Session:
    """Messages 0 to 9, of which 3 to 5 are a sidechain; 7 has two blocks, which are items of their own."""
    records: list[Any] = []
    for at in range(10):
        content: Any = f"message {at}"
        if at == 7:
            thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
            content = [thought, {"type": "tool_use", "id": "t", "name": "ls", "input": {}}]
        parent = None if not at else "u2" if at == 6 else f"u{at - 1}"
        record = {"type": "assistant" if at % 2 else "user", "uuid": f"u{at}", "parentUuid": parent}
        message = {"role": record["type"], "content": content}
        records.append(record | {"isSidechain": 3 <= at <= 5, "message": message})
    file = tmp_path / "s.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return load_session(file)


def test_an_item_is_found_again_among_more_and_fewer(aside: Session) -> None:
    whole = aside.including(frozenset({"sidechain"}))
    assert (len(aside), len(whole)) == (8, 11)
    for index in range(8):
        there = same_item(aside, index, whole)
        assert whole.items[there] == aside.items[index]
        assert same_item(whole, there, aside) == index


def test_what_is_gone_gives_way_to_what_stood_before_it(aside: Session) -> None:
    whole = aside.including(frozenset({"sidechain"}))
    assert [same_item(whole, index, aside) for index in (3, 4, 5)] == [2, 2, 2]


def test_the_place_stays_where_items_are_no_parts_of_records(aside: Session) -> None:
    plain = of(1, 2, 3).session
    assert same_item(plain, 1, plain) == 1
    assert same_item(of(1, 2, 3, 4).session, 3, plain) == 2
    assert same_item(aside, 7, plain) == 2
    assert same_item(aside, 7, of().session) == 0
    assert same_item(of().session, 0, aside) == 0
