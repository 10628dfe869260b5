"""Factory Droid's sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.measure import approx_chars
from ctxviz.session.formats import droid
from ctxviz.session.formats.content import NotReadable
from ctxviz.session.item import Kind, preview
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from ctxviz.session.opened import Document, Text
from ctxviz.session.records import ListRecords
from tests.session.saving import dumps, load

DATA = Path(__file__).parent / "data"
Record = dict[str, Any]


def read(folder: Path, *records: Any) -> Session:
    session = load(folder, "".join(dumps(record) + "\n" for record in records), format=droid.NAME)
    assert list(session.items) == list(session.items)
    assert list(session.source("live").sizes) == [approx_chars(item) for item in session.items]
    return session


def kinds(session: Session) -> list[Kind]:
    return [session.kind(at) for at in range(len(session))]


def reasons(session: Session) -> dict[str, int]:
    assert session.census is not None
    return session.census.reasons()


START: Record = {"type": "session_start", "id": "s", "title": "T"}
TEXT: Record = {"type": "text", "text": "q"}
USE: Record = {"type": "tool_use", "id": "t1", "name": "Execute", "input": {"command": "ls"}}
RESULT: Record = {"type": "tool_result", "tool_use_id": "t1", "content": "a.txt"}


def said(role: Any, *blocks: Any) -> Record:
    return {"type": "message", "id": "m", "message": {"role": role, "content": list(blocks)}}


def test_blocks(tmp_path: Path) -> None:
    session = read(
        tmp_path, START, said("user", TEXT), said("assistant", TEXT, USE), said("user", RESULT), {"type": "todo_state"}
    )
    assert list(session.items) == [
        {"role": "user", "content": [TEXT]},
        {"role": "assistant", "content": [TEXT]},
        {"role": "assistant", "content": [USE]},
        {"role": "user", "content": [RESULT]},
    ]
    assert session.tool_names.get(3) == "Execute"
    assert reasons(session) == {"bookkeeping: session_start": 1, "bookkeeping: todo_state": 1}
    assert session.census is not None
    assert [aside.place for aside in session.census.asides()] == ["line 1", "line 5"]


def test_odd_shapes(tmp_path: Path) -> None:
    odd = {"type": "message", "message": {"role": ["r"], "content": None}}
    session = read(tmp_path, said("user", TEXT), None, 5, {"type": None}, {"type": "message", "message": 5}, odd)
    assert list(session.items)[1:] == [{"role": ["r"], "content": None}]
    assert reasons(session) == {"no record: it has no type": 3, "bookkeeping: message": 1}


def test_detection() -> None:
    records: list[Any] = [START, said("user", TEXT)]
    assert droid.looks_like(ListRecords(records)) == pytest.approx(0.96)
    assert droid.looks_like(ListRecords([*records, None, 5])) == pytest.approx(0.48)
    assert droid.looks_like(ListRecords([said("assistant", USE)])) == pytest.approx(0.96)
    pi = {"type": "message", "id": "m", "message": {"role": "assistant", "content": [{"type": "toolCall", "id": "c"}]}}
    cases: list[Any] = [[], [{"type": "session", "version": 3}, pi], [{**said("user", RESULT), "uuid": "u"}], [None]]
    for records in cases:
        assert droid.looks_like(ListRecords(records)) == 0
    for file in (Document(START), Text("x")):
        assert droid.looks_like(file) == 0
        with pytest.raises(NotReadable):
            droid.read(file)


def test_a_file_with_a_fault() -> None:
    session = load_session(DATA / "droid.jsonl")
    assert (session.format, len(session), len(session.warnings)) == ("droid", 4, 1)
    assert kinds(session) == [Kind.USER, Kind.TOOL_CALL, Kind.TOOL_OUTPUT, Kind.ASSISTANT]
    assert preview(session.items[3]).rest == "It is 13:10."


def test_nothing(tmp_path: Path) -> None:
    assert read(tmp_path, START, START).nothing == "The file is whole: a session with no message."
