"""Kimi Code's journals and Kimi CLI's context files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.measure import approx_chars
from ctxviz.session.formats import kimi_cli
from ctxviz.session.formats.content import NotReadable
from ctxviz.session.item import Kind, preview
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from ctxviz.session.opened import Document, Text
from ctxviz.session.records import ListRecords
from tests.session.saving import dumps, load

DATA = Path(__file__).parent / "data"
Record = dict[str, Any]
HEADER: Record = {"type": "metadata", "protocol_version": "1.4", "created_at": 1}
SUMMARY: Record = {"role": "user", "content": "so far"}


def said(text: str, kind: str | None = "user", **origin: Any) -> Record:
    message: Record = {"role": "user", "content": [{"type": "text", "text": text}], "toolCalls": []}
    if kind is not None:
        message["origin"] = {"kind": kind, **origin}
    return {"type": "context.append_message", "message": message, "time": 1}


def loop(kind: str, **event: Any) -> Record:
    return {"type": "context.append_loop_event", "event": {"type": kind, **event}}


def begin(step: str = "s1") -> Record:
    return loop("step.begin", uuid=step)


def part(text: str, step: str = "s1", kind: str = "text") -> Record:
    return loop("content.part", stepUuid=step, part={"type": kind, kind: text})


def asks(call_id: Any, step: str = "s1") -> Record:
    return loop("tool.call", stepUuid=step, toolCallId=call_id, name="Bash", args={"command": "ls"})


def tells(call_id: Any, told: Any = "a.txt", **more: Any) -> Record:
    return loop("tool.result", toolCallId=call_id, result={"output": told, **more})


def compacts(**more: Any) -> Record:
    return {"type": "context.apply_compaction", "summary": "short", "contextSummary": "so far", **more}


def read(folder: Path, *records: Any) -> Session:
    session = load(folder, "".join(dumps(record) + "\n" for record in records), format="kimi-cli")
    assert list(session.items) == list(session.items)
    assert list(session.source("live").sizes) == [approx_chars(item) for item in session.items]
    return session


def texts(session: Session) -> list[str]:
    return [preview(item).rest for item in session.items]


def reasons(session: Session) -> dict[str, int]:
    assert session.census is not None
    return session.census.reasons()


def test_messages_thoughts_calls_and_results(tmp_path: Path) -> None:
    session = read(
        tmp_path, HEADER, said("list"), begin(), part("hm", kind="think"), part("I look"), asks("c1"), tells("c1"),
        loop("step.end", uuid="s1"), {"type": "llm.request", "kind": "loop"},
    )  # fmt: skip
    assert list(session.items) == [
        {"role": "user", "content": [{"type": "text", "text": "list"}]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "I look"}]},
        {"type": "function_call", "call_id": "c1", "name": "Bash", "arguments": '{"command":"ls"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "a.txt"},
    ]
    assert session.tool_names.get(4) == "Bash"
    assert reasons(session) == {
        "bookkeeping: metadata": 1, "bookkeeping: step.begin": 1, "bookkeeping: step.end": 1,
        "bookkeeping: llm.request": 1,
    }  # fmt: skip
    assert session.census is not None
    assert {aside.place for aside in session.census.asides()} == {"line 1", "line 3", "line 8", "line 9"}


def test_what_comes_while_a_tool_runs_follows_its_result(tmp_path: Path) -> None:
    session = read(tmp_path, said("q"), begin(), asks("c1"), asks("c2"), said("wait"), tells("c2"), tells("c1", "b"))
    assert [session.kind(at) for at in range(6)] == [
        Kind.USER, Kind.TOOL_CALL, Kind.TOOL_CALL, Kind.TOOL_OUTPUT, Kind.TOOL_OUTPUT, Kind.USER,
    ]  # fmt: skip
    assert texts(session)[-1] == "wait"


def test_calls_of_a_step_stand_before_its_results(tmp_path: Path) -> None:
    session = read(tmp_path, begin(), asks("c1"), tells("c1"), asks("c2"), tells("c2"))
    assert [session.kind(at) for at in range(4)] == [Kind.TOOL_CALL] * 2 + [Kind.TOOL_OUTPUT] * 2


def test_a_result_that_nothing_asked_for_is_not_sent(tmp_path: Path) -> None:
    session = read(tmp_path, said("q"), begin(), asks("c1"), begin("s2"), tells("c1"), tells([1]))
    assert [session.kind(at) for at in range(2)] == [Kind.USER, Kind.TOOL_CALL]
    assert reasons(session)["not sent: result of no open call"] == 2


@pytest.mark.parametrize(
    ("result", "sent"),
    [
        ({"output": "x", "isError": True}, "ERROR: Tool execution failed.\nx"),
        ({"output": "ERROR: x", "isError": True}, "ERROR: x"),
        ({"output": "", "isError": True}, "ERROR: Tool execution failed. Tool output is empty."),
        ({"output": " \n"}, "Tool output is empty."),
        ({"output": "x", "note": "<system>3 lines</system>"}, "x\n<system>3 lines</system>"),
        ({"output": [{"type": "text", "text": "x"}], "note": ""}, "x"),
        ({"output": []}, [{"type": "text", "text": "Tool output is empty."}]),
        ("bare", "bare"),
        (None, None),
        ({"output": 5}, 5),
    ],
)
def test_results_are_worded_as_they_were_sent(tmp_path: Path, result: Any, sent: Any) -> None:
    session = read(tmp_path, begin(), asks("c1"), loop("tool.result", toolCallId="c1", result=result))
    assert list(session.items)[1] == {"type": "function_call_output", "call_id": "c1", "output": sent}


def test_images_are_found(tmp_path: Path) -> None:
    picture = {"type": "image_url", "imageUrl": {"url": "data:image/png;base64,aGVsbG8="}}
    session = read(tmp_path, begin(), asks("c1"), tells("c1", [picture], note="n", isError=True))
    assert preview(list(session.items)[1]).rest.strip() == "ERROR: Tool execution failed. [image/png, 5 bytes] n"


# -- compactions, undoing, clearing -----------------------------------------------------------------


def test_a_compaction_keeps_what_the_user_said(tmp_path: Path) -> None:
    session = read(
        tmp_path, said("one"), said("reminder", "injection"), begin(), part("answer"), said("two", None),
        said("skill", "skill_activation", trigger="user-slash"), said("auto", "skill_activation", trigger="model"),
        compacts(compactedCount=6, keptUserMessageCount=3), said("three"),
    )  # fmt: skip
    assert texts(session) == ["one", "two", "skill", "so far", "three"]
    assert list(session.items)[3] == SUMMARY
    assert reasons(session) == {"before the compaction": 3, "bookkeeping: step.begin": 1}
    shown = session.including(frozenset({"before the compaction"}))
    assert texts(shown) == ["one", "reminder", "answer", "two", "skill", "auto", "so far", "three"]


def test_a_compaction_that_kept_the_first_and_the_last(tmp_path: Path) -> None:
    records = [said(name) for name in "abcde"]
    session = read(tmp_path, *records, compacts(keptUserMessageCount=3, keptHeadUserMessageCount=1))
    assert texts(session) == ["a", "d", "e", "so far"]
    assert texts(read(tmp_path, *records, compacts(keptUserMessageCount=2))) == ["d", "e", "so far"]
    assert texts(read(tmp_path, *records, compacts(keptUserMessageCount=0))) == ["so far"]


def test_an_older_compaction_keeps_a_tail_after_the_summary(tmp_path: Path) -> None:
    session = read(
        tmp_path, said("a"), begin(), part("b"), asks("c"), tells("c"), said("d"), compacts(compactedCount=2)
    )
    assert [session.kind(at) for at in range(3)] == [Kind.USER, Kind.TOOL_OUTPUT, Kind.USER]
    assert texts(session)[0] == "so far"
    # A step that came to nothing is a message there, too.
    session = read(
        tmp_path, said("a"), begin(), said("b"), {"type": "context.apply_compaction", "count": 2, "summary": SUMMARY}
    )
    assert texts(session) == ["so far", "b"]


def test_a_compaction_without_a_summary_or_counts(tmp_path: Path) -> None:
    assert list(read(tmp_path, said("a"), {"type": "context.apply_compaction"}).items) == [
        {"role": "user", "content": ""}
    ]


def test_undoing_goes_back_to_before_the_users_messages(tmp_path: Path) -> None:
    undo = {"type": "context.undo", "count": 2}
    records = [
        said("a"),
        begin(),
        part("1"),
        said("b"),
        said("note", "injection"),
        begin("s2"),
        part("2", "s2"),
        said("c"),
    ]
    session = read(tmp_path, *records, undo, said("d"))
    assert texts(session) == ["a", "1", "d"]
    assert reasons(session)["undone"] == 4
    # Not beyond what there is, and not beyond a compaction.
    assert texts(read(tmp_path, said("a"), undo)) == ["a"]
    assert texts(read(tmp_path, said("a"), compacts(keptUserMessageCount=1), said("b"), undo)) == ["a", "so far", "b"]
    for count in (0, -1, None, "x", True):
        assert len(read(tmp_path, said("a"), {"type": "context.undo", "count": count})) == 1


def test_clearing(tmp_path: Path) -> None:
    session = read(tmp_path, said("a"), begin(), asks("c"), said("b"), {"type": "context.clear"}, tells("c"), said("d"))
    assert texts(session) == ["d"]
    assert reasons(session)["cleared"] == 3


def test_old_results_are_cleared(tmp_path: Path) -> None:
    long = "word " * 100
    session = read(
        tmp_path, said("q"), begin(), asks("c1"), tells("c1", long), begin("s2"), asks("c2", "s2"), tells("c2", "short"),
        begin("s3"), asks("c3", "s3"), tells("c3", long), {"type": "micro_compaction.apply", "cutoff": 5},
    )  # fmt: skip
    outputs = [item["output"] for item in session.items if isinstance(item, dict) and "output" in item]
    assert outputs == ["[Old tool result content cleared]", "short", long]
    assert reasons(session)["replaced before it was sent: tool result"] == 1


# -- odd shapes, context files, detection -----------------------------------------------------------


def test_odd_shapes(tmp_path: Path) -> None:
    session = read(
        tmp_path, HEADER, None, 5, [1], {"type": None}, {"type": ["x"]}, {"type": "context.append_message"},
        {"type": "context.append_message", "message": {"role": "user", "content": None, "origin": 5}},
        {"type": "context.append_message", "message": {"role": "assistant", "content": [], "toolCalls": [7, {"id": 1}]}},
        {"type": "context.append_message", "message": {"role": "tool", "toolCallId": {}, "content": [{"type": "text", "text": "t"}]}},
        {"type": "context.append_loop_event"}, loop("new.kind"), part("stray", "none"),
        loop("content.part", part=None), {"type": "context.apply_compaction", "keptUserMessageCount": "x", "legacyTail": False},
    )  # fmt: skip
    assert reasons(session)["no record: not an object"] == 3
    assert reasons(session)["no record: it has no type"] == 3
    shown = session.including(frozenset(reasons(session)))
    assert {"type": "function_call_output", "call_id": {}, "output": "t"} in list(shown.items)
    assert 7 in list(shown.items)


def test_a_context_file(tmp_path: Path) -> None:
    lines: list[Any] = [
        {"role": "_system_prompt", "content": "You are"}, {"role": "user", "content": "q"}, {"role": "_checkpoint", "id": 0},
        {"role": "assistant", "content": [{"type": "think", "think": "hm"}, {"type": "text", "text": "a"}],
         "tool_calls": [{"type": "function", "id": "c1", "function": {"name": "Shell", "arguments": "{}"}}]},
        {"role": "_usage", "token_count": 5}, {"role": "tool", "tool_call_id": "c1", "content": "t"},
    ]  # fmt: skip
    assert kimi_cli.looks_like(ListRecords(lines)) == pytest.approx(0.95)
    session = load(tmp_path, "".join(dumps(line) + "\n" for line in lines))
    assert session.format == "kimi-cli"
    assert [session.kind(at) for at in range(5)] == [
        Kind.USER, Kind.REASONING, Kind.ASSISTANT, Kind.TOOL_CALL, Kind.TOOL_OUTPUT,
    ]  # fmt: skip
    assert session.tool_names.get(4) == "Shell"
    assert reasons(session) == {
        "bookkeeping: _system_prompt": 1,
        "bookkeeping: _checkpoint": 1,
        "bookkeeping: _usage": 1,
    }


def test_detection(tmp_path: Path) -> None:
    records: list[Any] = [HEADER, said("a"), begin()]
    assert kimi_cli.looks_like(ListRecords(records)) == pytest.approx(0.97)
    assert kimi_cli.looks_like(ListRecords([*records, 5])) == pytest.approx(0.97 * 3 / 4)
    copilot = {"type": "tool.execution_start", "data": {}, "id": "1"}
    codex = {"type": "turn_context", "payload": {}}
    cases: list[Any] = [[], [HEADER], [copilot], [codex], [{"role": "user", "content": "q"}], [None, 1, {"type": 5}]]
    for others in cases:
        assert kimi_cli.looks_like(ListRecords(list(others))) == 0
    for file in (Document({"type": "context.clear"}), Text("x")):
        assert kimi_cli.looks_like(file) == 0
        with pytest.raises(NotReadable):
            kimi_cli.read(file)


def test_a_file_with_a_fault(tmp_path: Path) -> None:
    session = load_session(DATA / "kimi_cli.jsonl")
    assert (session.format, len(session), len(session.warnings)) == ("kimi-cli", 7, 1)
    assert texts(session)[0] == "Which port does the server take?"
    assert texts(session)[1].endswith("The port is 8080 (server.toml).")
    assert texts(session)[2] == "Make it 8081."
    assert session.tool_names.get(5) == "Edit"


def test_nothing(tmp_path: Path) -> None:
    assert read(tmp_path, HEADER, {"type": "config.update"}).nothing == "The file is whole: a session with no message."
