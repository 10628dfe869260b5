"""Antigravity's transcripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.measure import approx_chars
from ctxviz.session.formats import antigravity
from ctxviz.session.formats.content import NotReadable
from ctxviz.session.item import Kind, preview
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from ctxviz.session.opened import Document, Text
from ctxviz.session.records import ListRecords
from tests.session.saving import dumps, load

DATA = Path(__file__).parent / "data"
Record = dict[str, Any]


def step(index: Any, kind: str, content: Any = None, source: str = "MODEL", **more: Any) -> Record:
    record = {"step_index": index, "source": source, "type": kind, "status": "DONE", "created_at": "t", **more}
    return record if content is None else record | {"content": content}


def asked(index: Any, content: str = "q") -> Record:
    return step(index, "USER_INPUT", content, "USER_EXPLICIT")


def calls(index: Any, *names: str, **more: Any) -> Record:
    return step(index, "PLANNER_RESPONSE", tool_calls=[{"name": name, "args": {"n": 1}} for name in names], **more)


def read(folder: Path, *records: Any) -> Session:
    session = load(folder, "".join(dumps(record) + "\n" for record in records), format="antigravity")
    assert list(session.items) == list(session.items)
    assert list(session.source("live").sizes) == [approx_chars(item) for item in session.items]
    return session


def names(session: Session) -> list[str | None]:
    return [session.tool_names.get(at) for at in range(len(session)) if session.kind(at) is Kind.TOOL_OUTPUT]


def reasons(session: Session) -> dict[str, int]:
    assert session.census is not None
    return session.census.reasons()


def test_messages_thoughts_calls_and_results(tmp_path: Path) -> None:
    session = read(
        tmp_path, asked(0, "list"), step(1, "CONVERSATION_HISTORY", source="SYSTEM"),
        calls(2, "list_dir", thinking="hm", content="I look"), step(3, "LIST_DIRECTORY", "a.txt"),
        step(4, "SYSTEM_MESSAGE", "note", "SYSTEM"), step(5, "PLANNER_RESPONSE", "done"),
    )  # fmt: skip
    assert list(session.items) == [
        {"role": "user", "content": "list"},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"role": "assistant", "content": "I look"},
        {"type": "function_call", "call_id": "call_1", "name": "list_dir", "arguments": '{"n":1}'},
        {"type": "function_call_output", "call_id": "call_1", "output": "a.txt"},
        {"role": "user", "content": "note"},
        {"role": "assistant", "content": "done"},
    ]
    assert reasons(session) == {"bookkeeping: CONVERSATION_HISTORY": 1}
    assert session.census is not None
    assert [aside.place for aside in session.census.asides()] == ["line 2"]


def test_results_answer_the_oldest_call(tmp_path: Path) -> None:
    session = read(
        tmp_path, calls(0, "grep", "view"), step(1, "GREP_SEARCH", "g"), step(2, "VIEW_FILE", "v"),
        step(3, "RUN_COMMAND", "none"), calls(4, "ask"), asked(5), step(6, "NEW_KIND", "none"),
        calls(7, "one"), calls(8, "two"), step(9, "GENERIC", "of two"),
    )  # fmt: skip
    assert names(session) == ["grep", "view", "run_command", "new_kind", "two"]


def test_steps_are_in_the_order_of_their_indexes(tmp_path: Path) -> None:
    session = read(tmp_path, asked(0), step(2, "VIEW_FILE", "v"), calls(1, "view"), step(3, "PLANNER_RESPONSE", "a"))
    assert [session.kind(at) for at in range(4)] == [Kind.USER, Kind.TOOL_CALL, Kind.TOOL_OUTPUT, Kind.ASSISTANT]
    assert names(session) == ["view"]
    # Where an index repeats, or is none, they say nothing.
    for odd in (0, "1", None, True, 1 << 70):
        session = read(tmp_path, asked(0, "a"), asked(5, "b"), asked(odd, "c"))
        assert [preview(item).rest for item in session.items] == ["a", "b", "c"]


def test_the_context_begins_with_the_last_checkpoint(tmp_path: Path) -> None:
    session = read(
        tmp_path, asked(0, "a"), step(1, "CHECKPOINT", "first", "SYSTEM"), asked(2, "b"),
        step(3, "CHECKPOINT", "second", "SYSTEM"), asked(4, "c"), step(5, "CHECKPOINT", "", "SYSTEM"),
    )  # fmt: skip
    assert [preview(item).rest for item in session.items] == ["second", "c"]
    assert reasons(session) == {"before the compaction": 3, "bookkeeping: CHECKPOINT": 1}
    shown = session.including(frozenset({"before the compaction"}))
    assert [preview(item).rest for item in shown.items] == ["a", "first", "b", "second", "c"]


@pytest.mark.parametrize(
    ("args", "arguments"),
    [
        ({"Path": '"/a"', "Wait": "true", "Ms": "50"}, '{"Path":"/a","Wait":true,"Ms":50}'),
        ({"Path": "/a", "Ms": 50}, '{"Path":"/a","Ms":50}'),
        ({"Count": "50"}, '{"Count":"50"}'),
        ({"Path": '"/a"', "Broken": '"x'}, '{"Path":"\\"/a\\"","Broken":"\\"x"}'),
        ("text", "text"),
        (None, ""),
    ],
)
def test_arguments_that_are_json_in_json(tmp_path: Path, args: Any, arguments: str) -> None:
    session = read(tmp_path, asked(0), step(1, "PLANNER_RESPONSE", tool_calls=[{"name": "f", "args": args}]))
    item = session.items[1]
    assert isinstance(item, dict)
    assert item["arguments"] == arguments


def test_what_the_transcript_cut_off_is_told(tmp_path: Path) -> None:
    session = read(tmp_path, asked(0), step(1, "VIEW_FILE", "v", truncated_fields=["content"]))
    assert session.warnings == ("line 2: Antigravity cut this step off when it wrote it: the model saw more",)
    records = [step(at, "VIEW_FILE", "v", truncated_fields=["content"]) for at in range(3)]
    assert read(tmp_path, *records).warnings == (
        "line 1: Antigravity cut this step off when it wrote it, and 2 more: the model saw more",
    )
    # Not of what is out of context.
    assert read(tmp_path, records[0], step(9, "CHECKPOINT", "so far", "SYSTEM")).warnings == ()


def test_odd_shapes(tmp_path: Path) -> None:
    session = read(
        tmp_path, asked(0), None, 5, {"content": "no step"}, step(2, "PLANNER_RESPONSE", tool_calls=[7, {}]),
        step(3, "VIEW_FILE"), step(4, "PLANNER_RESPONSE", tool_calls={"a": 1}), step(None, "USER_INPUT", ["x"], "USER_EXPLICIT"),
        {"step_index": 1, "source": None, "type": ["t"], "status": 5, "content": {"a": 1}},
    )  # fmt: skip
    items = list(session.items)
    assert items[1:4] == [
        {"content": "no step"},
        7,
        {"type": "function_call", "call_id": "call_2", "name": None, "arguments": ""},
    ]
    assert items[4] == {"type": "function_call_output", "call_id": "call_1", "output": None}
    assert items[5] == {"role": "user", "content": ["x"]}
    assert items[6] == {"type": "function_call_output", "call_id": None, "output": {"a": 1}}
    assert reasons(session) == {"no record: not an object": 2, "bookkeeping: PLANNER_RESPONSE": 1}


def test_detection() -> None:
    records: list[Any] = [asked(0), step(1, "VIEW_FILE", "v")]
    assert antigravity.looks_like(ListRecords(records)) == pytest.approx(0.98)
    assert antigravity.looks_like(ListRecords([*records, None, 5])) == pytest.approx(0.49)
    atif = {"step_id": 1, "source": "user", "message": "q"}
    cases: list[Any] = [[], [atif], [None, [1]], [{"type": "message", "status": "completed", "role": "user"}]]
    for others in cases:
        assert antigravity.looks_like(ListRecords(list(others))) == 0
    for file in (Document(asked(0)), Text("x")):
        assert antigravity.looks_like(file) == 0
        with pytest.raises(NotReadable):
            antigravity.read(file)


def test_a_file_with_a_fault() -> None:
    session = load_session(DATA / "antigravity.jsonl")
    assert (session.format, len(session), len(session.warnings)) == ("antigravity", 7, 2)
    assert names(session) == ["run_command", "view_file"]
    assert reasons(session)["before the compaction"] == 2


def test_nothing(tmp_path: Path) -> None:
    history = step(0, "CONVERSATION_HISTORY", source="SYSTEM")
    assert read(tmp_path, history, history).nothing == "The file is whole: a transcript with no message."
