"""Grok CLI's chat histories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.measure import approx_chars
from ctxviz.session.formats import grok_cli
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
    session = load(folder, "".join(dumps(record) + "\n" for record in records), format=grok_cli.NAME)
    assert list(session.items) == list(session.items)
    assert list(session.source("live").sizes) == [approx_chars(item) for item in session.items]
    return session


def kinds(session: Session) -> list[Kind]:
    return [session.kind(at) for at in range(len(session))]


def reasons(session: Session) -> dict[str, int]:
    assert session.census is not None
    return session.census.reasons()


SYSTEM: Record = {"type": "system", "content": "You are"}
THOUGHT: Record = {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "hm"}]}
CALL: Record = {"id": "c1", "name": "read_file", "arguments": "{}"}
RESULT: Record = {"type": "tool_result", "tool_call_id": "c1", "content": "text"}


def test_lines(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "q"}]
    answer = {"type": "assistant", "content": "I read.", "tool_calls": [CALL], "model_id": "m"}
    session = read(tmp_path, SYSTEM, {"type": "user", "content": parts, "prompt_index": 0}, THOUGHT, answer, RESULT)
    assert list(session.items) == [
        {"role": "system", "content": "You are"},
        {"role": "user", "content": parts},
        THOUGHT,
        {"role": "assistant", "content": "I read.", "tool_calls": [CALL]},
        {"type": "function_call_output", "call_id": "c1", "output": "text"},
    ]
    assert kinds(session) == [Kind.SYSTEM, Kind.USER, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_OUTPUT]
    assert session.tool_names.get(4) == "read_file"
    assert reasons(session) == {}


def test_odd_shapes(tmp_path: Path) -> None:
    odd: list[Any] = [None, 5, [1], {"type": ["t"]}, {"type": "new"}]
    session = read(
        tmp_path, SYSTEM, *odd, {"type": "assistant"}, {"type": "assistant", "content": None, "tool_calls": {}},
        {"type": "tool_result", "tool_call_id": [1], "content": {"a": 1}},
    )  # fmt: skip
    assert list(session.items)[1:] == [
        *odd, {"role": "assistant", "content": None}, {"role": "assistant", "content": None},
        {"type": "function_call_output", "call_id": [1], "output": {"a": 1}},
    ]  # fmt: skip


def test_detection() -> None:
    records: list[Any] = [SYSTEM, THOUGHT, RESULT, {"type": "user", "content": "q"}]
    assert grok_cli.looks_like(ListRecords(records)) == pytest.approx(0.85)
    assert grok_cli.looks_like(ListRecords([*records, None, 5, 6, 7])) == pytest.approx(0.425)
    cases: list[Any] = [
        [], [{"type": "user", "content": "q"}], [THOUGHT], [None, 5],
        [{"type": "system", "data": {"content": "x"}}], [{"type": "user", "uuid": "u", "message": {"content": "q"}}],
    ]  # fmt: skip
    for records in cases:
        assert grok_cli.looks_like(ListRecords(records)) == 0
    for file in (Document(SYSTEM), Text("x")):
        assert grok_cli.looks_like(file) == 0
        with pytest.raises(NotReadable):
            grok_cli.read(file)


def test_a_file_with_a_fault() -> None:
    session = load_session(DATA / "grok_cli.jsonl")
    assert (session.format, len(session), len(session.warnings)) == ("grok-cli", 5, 1)
    assert session.tool_names.get(3) == "run_terminal_cmd"
    assert preview(session.items[4]).rest == "It is 13:10."
