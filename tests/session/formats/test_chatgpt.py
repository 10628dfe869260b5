"""ChatGPT's exports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.measure import approx_chars
from ctxviz.session.errors import ConversationNeeded
from ctxviz.session.formats import chatgpt
from ctxviz.session.formats.content import NotReadable
from ctxviz.session.item import Kind, preview
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from ctxviz.session.opened import Document, Text
from ctxviz.session.records import ListRecords
from tests.session.saving import dumps, load

DATA = Path(__file__).parent / "data"
Record = dict[str, Any]


def said(parent: Any, role: str = "user", text: Any = "q", **more: Any) -> Record:
    author = {"role": role, "name": more.pop("name", None), "metadata": {}}
    content = more.pop("content", {"content_type": "text", "parts": [text]})
    return {"parent": parent, "children": [], "message": {"author": author, "content": content, **more}}


def tree(current: Any = None, /, **nodes: Any) -> Record:
    return {"title": "Tides", "id": "t1", "update_time": 5.5, "current_node": current, "mapping": nodes}


ROOT: Record = {"id": "root", "message": None, "parent": None, "children": ["a"]}


def read(folder: Path, export: Any, **options: Any) -> Session:
    session = load(folder, dumps(export), format="chatgpt", **options)
    assert list(session.items) == list(session.items)
    assert list(session.source("live").sizes) == [approx_chars(item) for item in session.items]
    return session


def texts(session: Session) -> list[str]:
    return [preview(item).rest for item in session.items]


def reasons(session: Session) -> dict[str, int]:
    assert session.census is not None
    return session.census.reasons()


def test_the_way_to_the_current_node(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        tree(
            "d", root=ROOT, a=said("root", text="one"), b=said("a", "assistant", "left"), c=said("a", "assistant", "two"),
            d=said("c", text="three"), e=said("d", "assistant", "later"),
        ),
    )  # fmt: skip
    assert list(session.items) == [
        {"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}, {"role": "user", "content": "three"},
    ]  # fmt: skip
    assert reasons(session) == {"on a branch that was left": 2, "bookkeeping: a node without a message": 1}
    assert session.census is not None
    assert {aside.place for aside in session.census.asides()} == {"node root", "node b", "node e"}
    assert texts(session.including(frozenset({"on a branch that was left"}))) == [
        "one",
        "two",
        "three",
        "left",
        "later",
    ]
    assert session.conversation is None


def test_without_a_current_node_the_newest_leaf(tmp_path: Path) -> None:
    nodes = {"a": said(None), "b": said("a", text="new", create_time=9), "c": said("a", text="old", create_time=3)}
    for current in (None, "gone", 5, ["a"]):
        assert texts(read(tmp_path, tree(current, **nodes))) == ["q", "new"]
    assert texts(read(tmp_path, tree(a=said(None), b=said("a", text="x"), c=said("a", text="y")))) == ["q", "y"]


def test_circles_and_lost_parents(tmp_path: Path) -> None:
    assert texts(read(tmp_path, tree("b", a=said("b", text="1"), b=said("a", text="2")))) == ["1", "2"]
    assert texts(read(tmp_path, tree(a=said("b", text="1"), b=said("a", text="2")))) == ["1", "2"]
    assert texts(read(tmp_path, tree("a", a=said("gone")))) == ["q"]
    assert texts(read(tmp_path, tree("a", a=said(["x"])))) == ["q"]


def test_calls_and_results(tmp_path: Path) -> None:
    code = {"content_type": "code", "language": "python", "text": "1+1"}
    told = {"content_type": "execution_output", "text": "2"}
    search = said("b", "assistant", recipient="web", content={"content_type": "code", "text": '{"q": 1}'})
    session = read(
        tmp_path,
        tree(
            "f", a=said(None, recipient="all"), b=said("a", "assistant", recipient="python", content=code), c=search,
            d=said("c", "tool", name="python", content=told), e=said("d", "tool", name="other", text="x"),
            f=said("e", "assistant", "It is 2.", recipient="all"),
        ),
    )  # fmt: skip
    assert list(session.items)[1:5] == [
        {"type": "function_call", "call_id": "b", "name": "python", "arguments": "1+1"},
        {"type": "function_call", "call_id": "c", "name": "web", "arguments": '{"q": 1}'},
        {"type": "function_call_output", "call_id": "b", "name": "python", "output": "2"},
        {"type": "function_call_output", "call_id": "c", "name": "other", "output": "x"},
    ]
    assert session.tool_names.get(3) == "python"
    # A tool's message that no call is before.
    session = read(tmp_path, tree("a", a=said(None, "tool", "x", name="browser")))
    assert list(session.items) == [{"type": "function_call_output", "call_id": None, "name": "browser", "output": "x"}]


def test_thoughts(tmp_path: Path) -> None:
    thoughts = {"content_type": "thoughts", "thoughts": [{"summary": "Sum", "content": "hm"}, {"content": "so"}, 5]}
    recap = {"content_type": "reasoning_recap", "content": "Thought for 5s"}
    session = read(
        tmp_path, tree("b", a=said(None, "assistant", content=thoughts), b=said("a", "assistant", content=recap))
    )
    assert session.kind(0) is Kind.REASONING
    assert texts(session) == ["Sum hm so"]
    assert reasons(session) == {"not sent: reasoning_recap": 1}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"content_type": "multimodal_text", "parts": ["see", {"content_type": "image_asset_pointer", "asset_pointer": "file-service://f1"}]}, "see [image file-service://f1]"),
        ({"content_type": "multimodal_text", "parts": [{"content_type": "audio_transcription", "text": "hello"}]}, "hello"),
        ({"content_type": "user_editable_context", "user_profile": "I am", "user_instructions": "Be brief"}, "I am Be brief"),
        ({"content_type": "model_editable_context", "model_set_context": "Known"}, "Known"),
        ({"content_type": "tether_browsing_display", "result": "found"}, "found"),
        ({"content_type": "text", "parts": ["a", "b"]}, "a b"),
        ({"content_type": "new"}, '{"role":"user","content":[{"content_type":"new"}]}'),
        ("bare", "bare"),
    ],
)  # fmt: skip
def test_contents(tmp_path: Path, content: Any, words: str) -> None:
    assert texts(read(tmp_path, tree("a", a=said(None, content=content)))) == [words]


def test_what_is_hidden_from_the_person_is_sent(tmp_path: Path) -> None:
    hidden = said(None, "system", "Rules", metadata={"is_visually_hidden_from_conversation": True})
    session = read(tmp_path, tree("b", a=hidden, b=said("a", "system", "")))
    assert texts(session) == ["Rules"]
    assert reasons(session) == {"nothing in it": 1}


def test_several_conversations(tmp_path: Path) -> None:
    untitled = {
        **tree("a", a=said(None, text="First\n words " + "x" * 90)),
        "title": " ",
        "conversation_id": "c2",
        "update_time": "t",
    }
    export: list[Any] = [
        tree("a", a=said(None)),
        untitled,
        tree("a", a=said(None, text="same id")),
        {"mapping": {}, "current_node": None},
    ]
    with pytest.raises(ConversationNeeded) as needed:
        read(tmp_path, export)
    assert [(one.id, one.title, one.items, one.changed) for one in needed.value.conversations] == [
        ("t1", "Tides", 1, 5.5), ("c2", "First words " + "x" * 68, 1, None), ("3", "Tides", 1, 5.5), ("4", "", 0, None),
    ]  # fmt: skip
    session = read(tmp_path, export, conversation="3")
    assert texts(session) == ["same id"]
    assert session.conversation is not None
    assert session.conversation.id == "3"
    assert read(tmp_path, export, conversation="4").nothing == "The file is whole: a conversation with no message."
    with pytest.raises(ConversationNeeded):
        read(tmp_path, export, conversation="t9")
    left = read(tmp_path, [tree("a", a=said(None), b=said("a")), tree()], conversation="t1")
    assert left.census is not None
    assert left.census.asides()[0].place.endswith(", node b")


def test_odd_shapes(tmp_path: Path) -> None:
    nodes: Record = {
        "a": None, "b": 5, "c": {"parent": "a", "message": 7}, "d": {"parent": "c", "message": {}},
        "e": {"parent": "d", "message": {"author": 5, "content": {"parts": [None, 5, {"x": 1}]}, "recipient": ["x"]}},
        "f": {"parent": "e", "message": {"author": {"role": ["x"]}, "content": None, "create_time": True}},
    }  # fmt: skip
    session = read(tmp_path, tree("f", **nodes))
    assert list(session.items) == [None, 7, {"role": "user", "content": [None, 5, {"x": 1}]}]
    assert reasons(session) == {"nothing in it": 2, "on a branch that was left": 1}


def test_detection() -> None:
    one = tree("a", root=ROOT, a=said("root"))
    assert chatgpt.looks_like(Document(one)) == 1
    assert chatgpt.looks_like(ListRecords([one, one, 5])) == pytest.approx(0.66)
    cases: list[Any] = [
        None,
        {"mapping": []},
        {"mapping": {"a": "b"}},
        {"mapping": {"a": {"type": "keyword"}}},
        {"mapping": {}},
    ]
    for other in cases:
        assert chatgpt.looks_like(Document(other)) == 0
        with pytest.raises(NotReadable):
            chatgpt.read(ListRecords([None, 5]))
    assert chatgpt.looks_like(Text("x")) == 0
    with pytest.raises(NotReadable):
        chatgpt.read(Text("x"))


def test_a_file_with_a_fault() -> None:
    with pytest.raises(ConversationNeeded) as needed:
        load_session(DATA / "chatgpt.json")
    assert [one.title for one in needed.value.conversations] == ["Tide tables", "A plot"]
    session = load_session(DATA / "chatgpt.json", conversation="conv-2")
    assert [session.kind(at) for at in range(4)] == [Kind.USER, Kind.TOOL_CALL, Kind.TOOL_OUTPUT, Kind.ASSISTANT]
    assert session.tool_names.get(2) == "python"
    # The last conversation is cut off in the file.
    assert len(session.warnings) == 1
