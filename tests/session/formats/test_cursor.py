"""Cursor's agent transcripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.measure import approx_chars
from ctxviz.session.formats import cursor
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
    session = load(folder, "".join(dumps(record) + "\n" for record in records), format=cursor.NAME)
    assert list(session.items) == list(session.items)
    assert list(session.source("live").sizes) == [approx_chars(item) for item in session.items]
    return session


def kinds(session: Session) -> list[Kind]:
    return [session.kind(at) for at in range(len(session))]


def reasons(session: Session) -> dict[str, int]:
    assert session.census is not None
    return session.census.reasons()


TEXT: Record = {"type": "text", "text": "q"}
USE: Record = {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}
RESULT: Record = {"type": "tool_result", "tool_use_id": "t1", "content": [TEXT]}


def said(role: Any, *blocks: Any) -> Record:
    return {"role": role, "message": {"content": list(blocks)}}


def test_blocks(tmp_path: Path) -> None:
    thought = {"type": "thinking", "thinking": "hm"}
    session = read(tmp_path, said("user", TEXT), said("assistant", thought, TEXT, USE), said("user", RESULT))
    assert list(session.items) == [
        {"role": "user", "content": [TEXT]},
        {"role": "assistant", "content": [thought]},
        {"role": "assistant", "content": [TEXT]},
        {"role": "assistant", "content": [USE]},
        {"role": "user", "content": [RESULT]},
    ]
    # Calls have no ids in these files, so that results can't be paired.
    assert session.tool_names.get(4) is None
    assert reasons(session) == {}


def test_odd_shapes(tmp_path: Path) -> None:
    odd: list[Any] = [None, 5, {"role": "user"}, {"role": ["r"], "message": {"content": None}}]
    session = read(tmp_path, said("user", TEXT), *odd, {"role": "user", "message": {"content": "bare"}})
    assert list(session.items)[1:] == [*odd, {"role": "user", "content": "bare"}]


def test_detection() -> None:
    records: list[Any] = [said("user", TEXT)]
    assert cursor.looks_like(ListRecords(records)) == pytest.approx(0.9)
    assert cursor.looks_like(ListRecords([*records, None])) == pytest.approx(0.45)
    cases: list[Any] = [
        [], [{"role": "user", "content": "q"}], [{**said("user"), "type": "user"}], [{**said("user"), "uuid": "u"}],
        [{"role": "user", "message": {"parts": []}}], [None, 5],
    ]  # fmt: skip
    for records in cases:
        assert cursor.looks_like(ListRecords(records)) == 0
    for file in (Document(said("user")), Text("x")):
        assert cursor.looks_like(file) == 0
        with pytest.raises(NotReadable):
            cursor.read(file)


def test_a_file_with_a_fault() -> None:
    session = load_session(DATA / "cursor.jsonl")
    assert (session.format, len(session.warnings)) == ("cursor", 1)
    assert kinds(session) == [Kind.USER, Kind.ASSISTANT, Kind.TOOL_CALL, Kind.TOOL_OUTPUT, Kind.ASSISTANT]
    assert preview(session.items[4]).rest == "It is 13:10."
