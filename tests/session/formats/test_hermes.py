"""Hermes agent's sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.measure import approx_chars
from ctxviz.session.formats import hermes
from ctxviz.session.formats.content import NotReadable
from ctxviz.session.item import Kind, preview
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from ctxviz.session.opened import Document, Text
from ctxviz.session.records import ListRecords
from tests.session.saving import dumps, load

DATA = Path(__file__).parent / "data"
Record = dict[str, Any]
FUNCTION = {"name": "shell", "arguments": "{}"}


def saved(*messages: Any) -> Record:
    return {
        "session_id": "s",
        "model": "m",
        "platform": "cli",
        "session_start": "t",
        "system_prompt": "p",
        "messages": list(messages),
    }


def read(folder: Path, *messages: Any) -> Session:
    session = load(folder, dumps(saved(*messages)), format="hermes")
    assert list(session.items) == list(session.items)
    assert list(session.source("live").sizes) == [approx_chars(item) for item in session.items]
    return session


def test_messages_thoughts_calls_and_results(tmp_path: Path) -> None:
    call = {"id": "c1", "call_id": "c1", "response_item_id": "r", "type": "function", "function": FUNCTION}
    session = read(
        tmp_path, {"role": "user", "content": "q", "timestamp": 1},
        {"role": "assistant", "content": None, "reasoning": "hm", "reasoning_content": "hm", "codex_reasoning_items": [{}],
         "tool_calls": [call], "finish_reason": "tool_calls"},
        {"role": "tool", "content": "/w", "tool_call_id": "c1", "tool_name": "shell"}, {"role": "session_meta"},
    )  # fmt: skip
    assert list(session.items) == [
        {"role": "user", "content": "q"},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": FUNCTION}]},
        {"role": "tool", "content": "/w", "tool_call_id": "c1", "name": "shell"},
    ]
    assert session.kind(2) is Kind.TOOL_CALL
    assert session.tool_names.get(3) == "shell"
    assert session.census is not None
    assert [(aside.place, aside.reason) for aside in session.census.asides()] == [
        ("messages[3]", "bookkeeping: session_meta")
    ]


def test_lines(tmp_path: Path) -> None:
    lines = [
        {"role": "session_meta", "tools": []},
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": "a"},
    ]
    session = load(tmp_path, "".join(dumps(line) + "\n" for line in lines))
    assert session.format == "hermes"
    assert [preview(item).rest for item in session.items] == ["q", "a"]


def test_odd_shapes(tmp_path: Path) -> None:
    session = read(
        tmp_path, None, 5, {"x": 1}, {"role": ["r"]}, {"role": "assistant", "content": [1], "tool_calls": None, "reasoning": 7},
        {"role": "assistant", "tool_calls": [5, {"id": "c"}]}, {"role": "tool", "tool_call_id": {}, "name": None},
    )  # fmt: skip
    assert list(session.items) == [
        None, 5, {"x": 1}, {"role": ["r"], "content": None}, {"type": "reasoning", "summary": 7},
        {"role": "assistant", "content": [1]}, {"role": "assistant", "content": None, "tool_calls": [5, {"id": "c"}]},
        {"role": "tool", "content": None, "tool_call_id": {}},
    ]  # fmt: skip


def test_detection() -> None:
    user: Record = {"role": "user", "content": "q"}
    assert hermes.looks_like(Document(saved(user))) == 0.98
    assert hermes.looks_like(Document({"session_id": "s", "platform": "x", "base_url": "y", "messages": []})) == 0.9
    cases: list[Any] = [
        None,
        {"messages": [user]},
        {"session_id": "s", "messages": [user], "platform": "x"},
        {**saved(), "messages": {}},
    ]
    for other in cases:
        assert hermes.looks_like(Document(other)) == 0
    assert hermes.looks_like(ListRecords([user, {"role": "session_meta"}, 5])) == pytest.approx(0.95 * 2 / 3)
    assert (
        hermes.looks_like(ListRecords([user]))
        == hermes.looks_like(ListRecords([]))
        == hermes.looks_like(Text("x"))
        == 0
    )
    for file in (Text("x"), Document({"session_id": "s"})):
        with pytest.raises(NotReadable):
            hermes.read(file)


def test_a_file_with_a_fault() -> None:
    session = load_session(DATA / "hermes.json")
    assert (session.format, len(session), len(session.warnings)) == ("hermes", 4, 1)
    assert session.tool_names.get(3) == "search"


def test_nothing(tmp_path: Path) -> None:
    assert read(tmp_path).nothing == "The file is whole: a session with no message."
