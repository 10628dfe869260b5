"""Qwen Code's transcripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.measure import approx_chars
from ctxviz.session.formats import qwen_code
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
    session = load(folder, "".join(dumps(record) + "\n" for record in records), format=qwen_code.NAME)
    assert list(session.items) == list(session.items)
    assert list(session.source("live").sizes) == [approx_chars(item) for item in session.items]
    return session


def kinds(session: Session) -> list[Kind]:
    return [session.kind(at) for at in range(len(session))]


def reasons(session: Session) -> dict[str, int]:
    assert session.census is not None
    return session.census.reasons()


def record(at: int, role: str, *parts: Any, parent: int | None = None, **more: Any) -> Record:
    above = at - 1 if parent is None else parent
    base = {"uuid": f"u{at}", "parentUuid": f"u{above}" if at else None, "sessionId": "s", "type": role}
    return base | {"message": {"role": "model" if role == "assistant" else role, "parts": list(parts)}} | more


def system(at: int, subtype: str, parent: int | None = None) -> Record:
    above = at - 1 if parent is None else parent
    return {"uuid": f"u{at}", "parentUuid": f"u{above}", "sessionId": "s", "type": "system", "subtype": subtype}


def text(words: str) -> Record:
    return {"text": words}


def test_parts(tmp_path: Path) -> None:
    call = {"functionCall": {"id": "c1", "name": "read_file", "args": {"path": "a"}}}
    told = {"functionResponse": {"id": "c1", "name": "read_file", "response": {"output": "x"}}}
    session = read(
        tmp_path, record(0, "user", text("q")), record(1, "assistant", {"text": "hm", "thought": True}, text("I read"), call),
        record(2, "user", told), record(3, "assistant", text("done")),
    )  # fmt: skip
    assert kinds(session) == [
        Kind.USER, Kind.REASONING, Kind.ASSISTANT, Kind.TOOL_CALL, Kind.TOOL_OUTPUT, Kind.ASSISTANT,
    ]  # fmt: skip
    assert session.tool_names.get(4) == "read_file"
    assert preview(session.items[3]).rest == "(a)"


def test_the_branch_that_was_gone_on_with(tmp_path: Path) -> None:
    session = read(
        tmp_path, record(0, "user", text("q")), record(1, "assistant", text("left")), system(2, "custom_title"),
        system(3, "rewind", parent=0), record(4, "user", text("again")), record(5, "assistant", text("kept")),
        system(6, "session_artifact_snapshot"),
    )  # fmt: skip
    assert [preview(item).rest for item in session.items] == ["q", "again", "kept"]
    assert reasons(session) == {
        "on a branch that was left": 1, "not sent: system custom_title": 1, "not sent: system rewind": 1,
        "not sent: system session_artifact_snapshot": 1,
    }  # fmt: skip
    assert len(session.including(frozenset({"on a branch that was left"}))) == 4


def test_odd_shapes(tmp_path: Path) -> None:
    session = read(
        tmp_path, record(0, "user", text("q")), None, 5, record(1, "assistant", None, 5, {"x": 1}, {"functionCall": 5}),
        {**record(2, "user"), "message": {"role": ["r"], "parts": 5}}, record(3, "user", {"functionResponse": {"id": [1]}}),
    )  # fmt: skip
    assert preview(session.items[0]).rest == "q"
    assert session.kind(len(session) - 1) is Kind.TOOL_OUTPUT


def test_detection() -> None:
    records: list[Any] = [record(0, "user", text("q")), system(1, "rewind")]
    assert qwen_code.looks_like(ListRecords(records)) == pytest.approx(0.96)
    assert qwen_code.looks_like(ListRecords([*records, None, 5])) == pytest.approx(0.48)
    claude: Record = {"uuid": "u", "type": "user", "message": {"role": "user", "content": "q"}}
    cases: list[Any] = [[], [claude], [{"role": "user", "parts": [text("q")]}], [None, 5]]
    for records in cases:
        assert qwen_code.looks_like(ListRecords(records)) == 0
    for file in (Document(claude), Text("x")):
        assert qwen_code.looks_like(file) == 0
        with pytest.raises(NotReadable):
            qwen_code.read(file)


def test_a_file_with_a_fault() -> None:
    session = load_session(DATA / "qwen_code.jsonl")
    assert (session.format, len(session), len(session.warnings)) == ("qwen-code", 4, 1)
    assert session.tool_names.get(2) == "run_shell_command"
