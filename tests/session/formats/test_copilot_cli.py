"""Copilot CLI's event logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.measure import approx_chars
from ctxviz.session.formats import copilot_cli
from ctxviz.session.formats.content import NotReadable
from ctxviz.session.item import Kind, preview
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from ctxviz.session.opened import Document, Text
from ctxviz.session.records import ListRecords
from tests.session.saving import dumps, load

DATA = Path(__file__).parent / "data"
Record = dict[str, Any]


def event(kind: str, data: Any = None, **more: Any) -> Record:
    return {"type": kind, "data": {} if data is None else data, "id": "e", "timestamp": "t", "parentId": None, **more}


def asked(text: str, **more: Any) -> Record:
    return event("user.message", {"content": text}, **more)


def answered(text: str = "", *calls: Any, **more: Any) -> Record:
    requests = [
        {"toolCallId": one, "name": "bash", "arguments": {"command": "ls"}, "type": "function"} for one in calls
    ]
    return event("assistant.message", {"messageId": "m", "content": text, "toolRequests": requests}, **more)


def starts(call_id: Any, **more: Any) -> Record:
    data = {"toolCallId": call_id, "toolName": "bash", "arguments": {"command": "ls"}}
    return event("tool.execution_start", data, **more)


def ends(call_id: Any, told: Any = "a.txt", **more: Any) -> Record:
    result = {"content": told, "detailedContent": f"{told} in full"}
    return event("tool.execution_complete", {"toolCallId": call_id, "success": True, "result": result}, **more)


def compacted(summary: Any = "so far", success: Any = True) -> Record:
    return event("session.compaction_complete", {"success": success, "summaryContent": summary})


def read(folder: Path, *records: Any) -> Session:
    session = load(folder, "".join(dumps(record) + "\n" for record in records), format="copilot-cli")
    assert list(session.items) == list(session.items)
    assert list(session.source("live").sizes) == [approx_chars(item) for item in session.items]
    return session


def texts(session: Session) -> list[str]:
    return [preview(item).rest.strip() for item in session.items]


def reasons(session: Session) -> dict[str, int]:
    assert session.census is not None
    return session.census.reasons()


def test_messages_thoughts_calls_and_results(tmp_path: Path) -> None:
    thinks = answered("I look", "c1")
    thinks["data"]["reasoningText"] = "hm"
    session = read(
        tmp_path, event("session.start", {"sessionId": "s"}), event("system.message", {"role": "system", "content": "You"}),
        event("user.message", {"content": "list", "transformedContent": "<now>list"}),
        event("assistant.turn_start"), event("assistant.reasoning", {"content": "hm"}), thinks, starts("c1"), ends("c1"),
    )  # fmt: skip
    assert list(session.items) == [
        {"role": "system", "content": "You"},
        {"role": "user", "content": "<now>list"},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"role": "assistant", "content": "I look"},
        {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": '{"command":"ls"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "a.txt"},
    ]
    assert session.tool_names.get(5) == "bash"
    assert reasons(session) == {
        "not sent: for the timeline only": 2, "bookkeeping: session.start": 1, "bookkeeping: assistant.turn_start": 1,
    }  # fmt: skip
    assert session.census is not None
    assert sorted(aside.place for aside in session.census.asides()) == ["line 1", "line 4", "line 5", "line 7"]


def test_a_call_that_no_message_asked_for_is_shown(tmp_path: Path) -> None:
    session = read(
        tmp_path, asked("q"), answered("", "c1"), starts("c1"), ends("c1"), starts("c1"), starts("c2"), ends("c2")
    )
    assert [session.kind(at) for at in range(6)] == [
        Kind.USER, Kind.TOOL_CALL, Kind.TOOL_OUTPUT, Kind.TOOL_CALL, Kind.TOOL_CALL, Kind.TOOL_OUTPUT,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"result": "bare"}, "bare"),
        ({"result": {"other": 1}}, {"other": 1}),
        ({"success": False, "error": {"message": "denied", "code": 1}}, "denied"),
        ({"error": "text"}, "text"),
        ({}, None),
    ],
)
def test_results_and_errors(tmp_path: Path, data: Record, told: Any) -> None:
    session = read(tmp_path, asked("q"), event("tool.execution_complete", {"toolCallId": "c", **data}))
    assert list(session.items)[1] == {"type": "function_call_output", "call_id": "c", "output": told}


def test_attached_files(tmp_path: Path) -> None:
    files = [{"type": "blob", "data": "aGVsbG8=", "mimeType": "image/png"}, {"type": "file", "path": "/a"}, 5]
    session = read(tmp_path, event("user.message", {"content": "see", "attachments": files}), asked("q"))
    assert texts(session)[0] == "see [image/png, 5 bytes]"


def test_subagents_are_aside(tmp_path: Path) -> None:
    inner = answered("inner", "c9")
    inner["data"]["parentToolCallId"] = "c1"
    session = read(
        tmp_path, asked("q"), inner, answered("own", agentId="a"), ends("c9", agentId="a"), answered("outer")
    )
    assert texts(session) == ["q", "outer"]
    assert reasons(session) == {"sidechain": 3}
    assert len(session.including(frozenset({"sidechain"}))) == 6


def test_a_compaction(tmp_path: Path) -> None:
    system = event("system.message", {"role": "system", "content": "You"})
    session = read(tmp_path, system, asked("a"), compacted("first"), answered("b"), compacted("second"), asked("c"))
    assert texts(session) == ["You", "second", "c"]
    assert reasons(session) == {"before the compaction": 3}
    # It goes on in the background: what came meanwhile follows the summary.
    start = event("session.compaction_start")
    session = read(tmp_path, asked("a"), start, answered("b"), compacted(), asked("c"))
    assert texts(session) == ["so far", "b", "c"]
    assert reasons(session) == {"before the compaction": 1, "bookkeeping: session.compaction_start": 1}
    for failed in (compacted(success=False), compacted(None), event("session.compaction_complete")):
        assert texts(read(tmp_path, asked("a"), start, answered("b"), failed)) == ["a", "b"]


def test_clearing(tmp_path: Path) -> None:
    session = read(tmp_path, asked("a"), event("session.context_cleared", {"messagesCleared": 1}), asked("b"))
    assert texts(session) == ["b"]
    assert reasons(session) == {"cleared": 1, "bookkeeping: session.context_cleared": 1}


def test_rewinding(tmp_path: Path) -> None:
    def rewind(event_id: Any) -> Record:
        return event("session.snapshot_rewind", {"upToEventId": event_id, "eventsRemoved": 2})

    session = read(tmp_path, asked("a"), asked("b", id="e2"), answered("c"), rewind("e2"), asked("d"))
    assert texts(session) == ["a", "d"]
    assert reasons(session) == {"rewound": 2, "bookkeeping: session.snapshot_rewind": 1}
    # Mostly the log itself was cut; ids of what comes later, and none, are nothing.
    for event_id in ("gone", "e9", None, [1]):
        assert texts(read(tmp_path, asked("a"), rewind(event_id), asked("b", id="e9"))) == ["a", "b"]
    # A compaction that was rewound did not happen.
    session = read(
        tmp_path, asked("a"), compacted("old"), asked("b", id="e2"), compacted("new"), rewind("e2"), asked("c")
    )
    assert texts(session) == ["old", "c"]


def test_notifications_and_what_is_transient(tmp_path: Path) -> None:
    session = read(tmp_path, asked("a"), event("system.notification", {"content": "n"}), answered("x", ephemeral=True))
    assert texts(session) == ["a"]
    assert reasons(session) == {
        "not known to be sent: system.notification": 1, "not sent: for the timeline only": 1,
    }  # fmt: skip


def test_a_log_of_hooks(tmp_path: Path) -> None:
    lines = [
        {"session_id": "s", "type": "sessionStart"}, {"session_id": "s", "type": "userPromptSubmitted", "prompt": "q"},
        {"session_id": "s", "type": "assistantresponse", "result": "a"}, {"type": "unheard", "x": 1},
    ]  # fmt: skip
    session = load(tmp_path, "".join(dumps(line) + "\n" for line in lines))
    assert session.format == "copilot-cli"
    assert list(session.items) == [
        {"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}, {"type": "unheard", "x": 1},
    ]  # fmt: skip
    assert reasons(session) == {"bookkeeping: sessionStart": 1}


def test_odd_shapes(tmp_path: Path) -> None:
    session = read(
        tmp_path, asked("q"), None, [1], {"type": "user.message", "data": 5}, event("user.message"),
        event("assistant.message", {"content": None, "toolRequests": [7, {}, None]}), event("assistant.message"),
        event("tool.execution_start", {"toolCallId": {"a": 1}}), event("tool.execution_complete", {"toolCallId": [1]}),
        event("user.message", {"content": ["x"], "transformedContent": ""}), event("system.message", {"role": 5}),
    )  # fmt: skip
    assert reasons(session) == {"no record: not an object": 2, "nothing in it": 1}
    assert {"type": "user.message", "data": 5} in list(session.items)
    assert {"role": "user", "content": ["x"]} in list(session.items)


def test_detection() -> None:
    records: list[Any] = [event("session.start"), asked("a"), event("hook.start"), event("abort")]
    assert copilot_cli.looks_like(ListRecords(records)) == pytest.approx(0.97)
    assert copilot_cli.looks_like(ListRecords([*records, 5])) == pytest.approx(0.97 * 4 / 5)
    kimi = {"type": "tools.set_active_tools", "names": []}
    claude = {"type": "user", "uuid": "u", "message": {"role": "user", "content": "q"}}
    langchain = {"type": "human", "data": {"content": "q"}}
    cases: list[Any] = [
        [],
        [kimi],
        [claude],
        [langchain],
        [event("session.idle")],
        [None, 5, {"type": [1], "data": {}}],
    ]
    for others in cases:
        assert copilot_cli.looks_like(ListRecords(list(others))) == 0
    for file in (Document(asked("a")), Text("x")):
        assert copilot_cli.looks_like(file) == 0
        with pytest.raises(NotReadable):
            copilot_cli.read(file)


def test_a_file_with_a_fault() -> None:
    session = load_session(DATA / "copilot_cli.jsonl")
    assert (session.format, len(session), len(session.warnings)) == ("copilot-cli", 7, 1)
    assert session.tool_names.get(5) == "view"


def test_nothing(tmp_path: Path) -> None:
    assert read(tmp_path, event("session.start"), event("abort")).nothing == "The file is whole: a log with no message."
