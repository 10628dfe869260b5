"""Amp's threads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.measure import approx_chars
from ctxviz.session.formats import amp
from ctxviz.session.formats.content import NotReadable
from ctxviz.session.item import Kind
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from ctxviz.session.opened import Document, Text
from ctxviz.session.records import ListRecords
from tests.session.saving import dumps, load

DATA = Path(__file__).parent / "data"
Record = dict[str, Any]


def thread(*messages: Any, **more: Any) -> Record:
    return {"v": 3, "id": "T-1", "created": 1, "messages": list(messages), "nextMessageId": 9, **more}


def said(role: str, *blocks: Any) -> Record:
    return {"role": role, "messageId": 0, "content": list(blocks), "usage": {"model": "m"}}


def text(words: str) -> Record:
    return {"type": "text", "text": words}


def ran(**run: Any) -> Record:
    return {"type": "tool_result", "toolUseID": "toolu_1", "run": run}


def read(folder: Path, *messages: Any) -> Session:
    session = load(folder, dumps(thread(*messages)), format="amp")
    assert list(session.items) == list(session.items)
    assert list(session.source("live").sizes) == [approx_chars(item) for item in session.items]
    return session


def test_blocks(tmp_path: Path) -> None:
    use = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"cmd": "ls"}}
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    session = read(
        tmp_path, said("user", text("list"), text("now")), said("assistant", thought, text("I look"), use),
        said("user", ran(status="done", result={"output": "a.txt", "exitCode": 0})),
    )  # fmt: skip
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": {"output": "a.txt", "exitCode": 0}}
    assert list(session.items) == [
        {"role": "user", "content": [text("list"), text("now")]},
        {"role": "assistant", "content": [thought]},
        {"role": "assistant", "content": [text("I look")]},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [result]},
    ]
    assert session.kind(4) is Kind.TOOL_OUTPUT
    assert session.tool_names.get(4) == "Bash"


@pytest.mark.parametrize(
    ("run", "content", "is_error"),
    [
        ({"status": "done", "result": "plain"}, "plain", None),
        ({"status": "error", "error": {"message": "no"}}, {"message": "no"}, True),
        ({"status": "rejected-by-user"}, {"status": "rejected-by-user"}, None),
        ({"status": "done", "result": []}, [], None),
    ],
)
def test_results(tmp_path: Path, run: Record, content: Any, is_error: Any) -> None:
    (item,) = read(tmp_path, said("user", ran(**run))).items
    assert isinstance(item, dict)
    made = {"type": "tool_result", "tool_use_id": "toolu_1", "content": content}
    assert item["content"] == [made if is_error is None else {**made, "is_error": is_error}]


def test_info_is_not_sent(tmp_path: Path) -> None:
    session = read(tmp_path, said("user", text("q")), said("info", {"type": "manual_bash_invocation"}))
    assert len(session) == 1
    assert session.census is not None
    assert [(aside.place, aside.reason) for aside in session.census.asides()] == [("messages[1]", "not sent: info")]
    assert len(session.including(frozenset({"not sent: info"}))) == 2


def test_odd_shapes(tmp_path: Path) -> None:
    odd = {"type": "tool_result", "toolUseID": [1], "run": 5}
    session = read(
        tmp_path,
        said("user", text("q")),
        None,
        5,
        {"messageId": 1},
        said("user", 5, odd),
        {"role": "user", "content": None},
    )
    assert list(session.items)[1:] == [
        None, 5, {"messageId": 1}, {"role": "user", "content": [5]}, {"role": "user", "content": [odd]},
        {"role": "user", "content": None},
    ]  # fmt: skip


def test_detection() -> None:
    one = said("user", text("q"))
    assert amp.looks_like(Document(thread(one))) == pytest.approx(0.97)
    assert amp.looks_like(Document({"id": "T-1", "messages": [one]})) == pytest.approx(0.6)
    assert amp.looks_like(Document(thread())) == 0.9
    cases: list[Any] = [None, {"messages": [one]}, {"id": 5, "messages": [one]}, {"id": "x", "messages": []}]
    for other in cases:
        assert amp.looks_like(Document(other)) == 0
    body: Record = {"id": "x", "model": "m", "messages": [{"role": "user", "content": "q"}], "created": 1}
    assert amp.looks_like(Document(body)) == 0
    assert amp.looks_like(ListRecords([one])) == amp.looks_like(Text("x")) == 0
    with pytest.raises(NotReadable):
        amp.read(ListRecords([one]))
    with pytest.raises(NotReadable):
        amp.read(Document({"id": "T"}))


def test_a_file_with_a_fault() -> None:
    session = load_session(DATA / "amp.json")
    assert (session.format, len(session), len(session.warnings)) == ("amp", 4, 1)
    assert session.tool_names.get(3) == "Read"


def test_nothing(tmp_path: Path) -> None:
    assert read(tmp_path).nothing == "The file is whole: a thread with no message."
