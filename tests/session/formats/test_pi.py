"""pi's and OpenClaw's sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.measure import approx_chars
from ctxviz.session.formats import pi
from ctxviz.session.formats.content import NotReadable
from ctxviz.session.item import preview
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from ctxviz.session.opened import Document, Text
from ctxviz.session.records import ListRecords
from tests.session.saving import dumps, load

DATA = Path(__file__).parent / "data"
Record = dict[str, Any]
HEADER: Record = {"type": "session", "version": 3, "id": "h", "timestamp": "t", "cwd": "/w"}


def entry(kind: str, id: str, parent: Any = None, **more: Any) -> Record:
    return {"type": kind, "id": id, "parentId": parent, "timestamp": "t", **more}


def said(name: str, parent: Any = None, role: str = "user", content: Any = None, **more: Any) -> Record:
    return entry("message", name, parent, message={"role": role, "content": content or name, **more})


def compaction(name: str, parent: Any, **more: Any) -> Record:
    return entry("compaction", name, parent, summary=f"sum {name}", tokensBefore=9, **more)


def linear(*records: Record) -> list[Record]:
    """As version 1 has them: without ids and parents."""
    return [
        {key: value for key, value in record.items() if key not in ("parentId", "id", "version")} for record in records
    ]


def read(folder: Path, *records: Any) -> Session:
    session = load(folder, "".join(dumps(record) + "\n" for record in records), format="pi")
    assert list(session.items) == items(session)
    assert list(session.source("live").sizes) == [approx_chars(item) for item in items(session)]
    return session


def items(session: Session) -> list[Any]:
    return list(session.items)


def contents(session: Session) -> list[Any]:
    return [item["content"] for item in items(session)]


def reasons(session: Session) -> dict[str, int]:
    assert session.census is not None
    return session.census.reasons()


# -- items ------------------------------------------------------------------------------------------


def test_messages_calls_results_and_thoughts(tmp_path: Path) -> None:
    words = {"type": "text", "text": "I look"}
    picture = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    call = {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "ls"}}
    session = read(
        tmp_path,
        HEADER,
        said("m1", "h", content=[words, picture]),
        said(
            "m2", "m1", "assistant", [{"type": "thinking", "thinking": "hm"}, words, call, words], stopReason="toolUse"
        ),
        said("m3", "m2", "toolResult", [{"type": "text", "text": "a"}], toolCallId="c1", toolName="bash"),
    )
    assert list(session.items) == [
        {"role": "user", "content": [words, picture]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"role": "assistant", "content": [words]},
        {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": '{"command":"ls"}'},
        {"role": "assistant", "content": [words]},
        {"type": "function_call_output", "call_id": "c1", "name": "bash", "output": [{"type": "text", "text": "a"}]},
    ]
    assert preview(items(session)[0]).rest == "I look [image/png, 2 bytes]"
    assert session.tool_names.get(5) == "bash"
    assert reasons(session) == {"bookkeeping: session": 1}


def test_runs_of_bash_are_worded_as_pi_words_them(tmp_path: Path) -> None:
    def run(name: str, parent: str, **more: Any) -> Record:
        return entry("message", name, parent, message={"role": "bashExecution", "command": "ls", **more})

    session = read(
        tmp_path,
        HEADER,
        run("b1", "h", output="a\nb", exitCode=0),
        run("b2", "b1", output="", exitCode=2),
        run("b3", "b2", output="a", cancelled=True, truncated=True, fullOutputPath="/t/log"),
        run("b4", "b3", output="secret", excludeFromContext=True),
        run("b5", "b4", output=[1], exitCode=[2]),
    )
    assert contents(session)[:3] == [
        "Ran `ls`\n```\na\nb\n```",
        "Ran `ls`\n(no output)\n\nCommand exited with code 2",
        "Ran `ls`\n```\na\n```\n\n(command cancelled)\n\n[Output truncated. Full output: /t/log]",
    ]
    assert contents(session)[3:] == ["Ran `ls`\n```\n[1]\n```\n\nCommand exited with code [2]"]
    assert reasons(session) == {"bookkeeping: session": 1, "kept from the context": 1}


def test_extensions_messages_are_seen_and_their_data_is_not(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        HEADER,
        entry("custom", "x1", "h", customType="ui", data={"a": 1}),
        entry("custom_message", "x2", "x1", customType="ui", content="injected", display=False),
        said("x3", "x2", "custom", "a custom role"),
        said("x4", "x3", "hookMessage", "of version 2"),
        said("x5", "x4", "custom", "not for the model", excludeFromContext=True),
        entry("label", "x6", "x5", targetId="x2", label="here"),
        entry("session_info", "x7", "x6", name="n"),
        entry("model_change", "x8", "x7", modelId="m"),
        entry("thinking_level_change", "x9", "x8", thinkingLevel="high"),
    )
    assert list(session.items) == [
        {"role": "user", "content": text} for text in ("injected", "a custom role", "of version 2")
    ]
    assert reasons(session) == {
        "kept from the context": 1,
        "bookkeeping: session": 1,
        "bookkeeping: custom": 1,
        "bookkeeping: label": 1,
        "bookkeeping: session_info": 1,
        "bookkeeping: model_change": 1,
        "bookkeeping: thinking_level_change": 1,
    }


def test_answers_that_failed_are_not_sent_again(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        HEADER,
        said("m1", "h"),
        said("m2", "m1", "assistant", stopReason="error", errorMessage="529"),
        said("m3", "m2", "assistant", stopReason="aborted"),
        said("m4", "m3", "assistant", stopReason="stop"),
    )
    assert contents(session) == ["m1", "m4"]
    assert reasons(session)["not sent: an answer that failed or was broken off"] == 2


def test_context_edits(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        HEADER,
        said("m1", "h"),
        said("m2", "m1"),
        entry("custom_message", "m3", "m2", content="long"),
        said("m4", "m3"),
        entry("context_edit", "e1", "m4", targetId="m1", replacement=None),
        entry("context_edit", "e2", "e1", targetId="m3", replacement={"content": "short"}),
        entry("context_edit", "e3", "e2", targetId="m4", replacement=None),
        entry("context_edit", "e4", "e3", targetId="m4", replacement={"content": "back"}),
        entry("context_edit", "e5", "e4", targetId=["m2"], replacement=4),
        entry("context_edit", "e6", "e5", targetId="m2", replacement=4),
        entry("context_edit", "e7", "m2", targetId="m2", replacement=None),
        said("m5", "e6"),
    )
    assert contents(session) == ["m2", "short", "back", "m5"]
    assert reasons(session) == {
        "bookkeeping: context_edit": 7,
        "replaced by a context edit": 3,
        "bookkeeping: session": 1,
    }


def test_odd_entries(tmp_path: Path) -> None:
    odd_call = {"type": "toolCall", "id": ["c"], "name": None}
    session = read(
        tmp_path,
        HEADER,
        None,
        3,
        {"no": "type"},
        entry("brand_new", "n1", "h"),
        {**said("m1", "n1"), "id": {"odd": 1}},
        entry("message", "m2", "h", message="no object"),
        said("m3", "m2", "oracle", "unknown role"),
        said("m4", "m3", content={"an": "object"}),
        said("m5", "m4", content=[None, 3, {"type": ["toolCall"]}, {}]),
        said("m6", "m5", "assistant", [odd_call, {"type": "thinking", "thinking": None}]),
        entry("compaction", "m7", 5),
        said("m8", "m7", content=7),
    )
    assert items(session)[0] == {"role": "user", "content": None}
    assert contents(session)[1:] == [7]
    shown = session.including(frozenset({"before the compaction"}))
    assert entry("message", "m2", "h", message="no object") in list(shown.items)
    assert {"role": "oracle", "content": "unknown role"} in list(shown.items)
    assert {"type": "function_call", "call_id": ["c"], "name": None, "arguments": ""} in list(shown.items)
    assert reasons(session)["no record: not an object"] == 2
    assert reasons(session)["no record: it has no type"] == 1
    assert reasons(session)["unknown record: brand_new"] == 1


# -- branches ---------------------------------------------------------------------------------------


def test_the_branch_of_the_last_entry_is_read(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        HEADER,
        said("m1", None),
        said("m2", "m1"),
        said("m3", "m2"),
        entry("branch_summary", "s", "m1", fromId="m3", summary="tried and left"),
        said("m4", "s"),
    )
    assert contents(session) == ["m1", "tried and left", "m4"]
    assert reasons(session) == {"on a branch that was left": 2, "bookkeeping: session": 1}
    assert contents(session.including(frozenset({"on a branch that was left"}))) == [
        "m1",
        "m2",
        "m3",
        "tried and left",
        "m4",
    ]


def test_a_label_at_the_end_is_on_the_branch(tmp_path: Path) -> None:
    session = read(tmp_path, HEADER, said("m1"), said("m2", "m1"), said("m3", "m1"), entry("label", "l", "m3"))
    assert contents(session) == ["m1", "m3"]


def test_entries_can_hang_on_calls(tmp_path: Path) -> None:
    call = {"type": "toolCall", "id": "c1", "name": "f", "arguments": {}}
    session = read(tmp_path, HEADER, said("m1", "h"), said("m2", "m1", "assistant", [call]), said("m3", "c1"))
    assert [item.get("content") or item["name"] for item in items(session)] == ["m1", "f", "m3"]


@pytest.mark.parametrize("lost", ["nowhere", 4, ["m1"], {}, "m3"])
def test_a_lost_parent_is_the_entry_before(tmp_path: Path, lost: Any) -> None:
    session = read(tmp_path, HEADER, said("m1"), said("m2", "m1"), said("m3", lost), said("m4", "m3"))
    assert contents(session) == ["m1", "m2", "m3", "m4"]


def test_a_lost_parent_is_not_looked_for_on_a_branch_that_went_on(tmp_path: Path) -> None:
    session = read(
        tmp_path, HEADER, said("m1"), said("b1", "m1"), said("m2", "nowhere"), said("b2", "b1"), said("m3", "m2")
    )
    assert contents(session) == ["m1", "m2", "m3"]


@pytest.mark.parametrize("parents", [("m2", "m1"), ("m1", "m1"), ("m1", "m2"), ("m2", "m2")])
def test_circles_end(tmp_path: Path, parents: tuple[str, str]) -> None:
    assert contents(read(tmp_path, HEADER, said("m1", parents[0]), said("m2", parents[1]))) == ["m1", "m2"]


def test_version_1_is_a_line(tmp_path: Path) -> None:
    session = read(tmp_path, *linear(HEADER, said("m1"), said("m2"), said("m3")))
    assert contents(session) == ["m1", "m2", "m3"]


# -- compactions ------------------------------------------------------------------------------------


def test_the_summary_stands_before_what_was_kept(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        HEADER,
        said("m1"),
        said("m2", "m1"),
        said("m3", "m2"),
        compaction("k1", "m3", firstKeptEntryId="m2"),
        said("m4", "k1"),
        compaction("k2", "m4", firstKeptEntryId="m3"),
        said("m5", "k2"),
    )
    assert contents(session) == ["sum k2", "m3", "m4", "m5"]
    assert reasons(session) == {"before the compaction": 3, "bookkeeping: session": 1}
    assert session.census is not None
    assert sorted(aside.place for aside in session.census.asides()) == ["line 1", "line 2", "line 3", "line 5"]


@pytest.mark.parametrize("first", [None, "nowhere", "m9", 4, ["m1"], True])
def test_a_compaction_can_keep_nothing(tmp_path: Path, first: Any) -> None:
    session = read(tmp_path, HEADER, said("m1"), compaction("k", "m1", firstKeptEntryId=first), said("m9", "k"))
    assert contents(session) == ["sum k", "m9"]


@pytest.mark.parametrize(
    ("index", "kept"), [(1, ["m1", "m2"]), (2, ["m2"]), (0, []), (3, []), (99, []), (-1, []), (1.5, [])]
)
def test_version_1_counts_records_from_the_header_on(tmp_path: Path, index: Any, kept: list[str]) -> None:
    records = linear(HEADER, said("m1"), said("m2"), compaction("k", None, firstKeptEntryIndex=index), said("m3"))
    assert contents(read(tmp_path, *records)) == ["sum k", *kept, "m3"]


def test_a_compaction_on_a_branch_that_was_left_does_not_count(tmp_path: Path) -> None:
    session = read(tmp_path, HEADER, said("m1"), compaction("k", "m1"), said("m2", "m1"))
    assert contents(session) == ["m1", "m2"]
    assert reasons(session)["on a branch that was left"] == 1


# -- detection --------------------------------------------------------------------------------------


def certainty(*records: Any) -> float:
    return pi.looks_like(ListRecords(records))


def test_sessions_are_told_by_most_of_their_records(tmp_path: Path) -> None:
    assert certainty(HEADER) == 0.95
    assert certainty(HEADER, said("m1"), entry("label", "l")) == pytest.approx(0.95)
    assert certainty(said("m1", role="toolResult"), said("m2")) == 0.95
    assert certainty(said("m1"), said("m2")) == 0.6
    assert certainty(HEADER, None, 4, {"type": "x"}) == pytest.approx(0.95 / 4)
    session = load(tmp_path, dumps(HEADER) + "\n" + dumps(said("m1")) + "\n")
    assert session.format == "pi"


def test_a_session_without_a_message(tmp_path: Path) -> None:
    session = load(tmp_path, dumps(HEADER) + "\n" + dumps(entry("model_change", "e")) + "\n")
    assert (session.format, len(session.items)) == ("pi", 0)
    assert session.nothing == "The file is whole: a session with no message."


@pytest.mark.parametrize(
    "record",
    [
        {"role": "user", "content": "x"},
        {"type": "message", "role": "user", "content": "x"},
        {"type": "message", "sessionId": "s", "message": {"role": "user", "content": "x"}},
        {"type": "message", "message": {"role": ["user"]}},
        {"type": "user", "uuid": "u", "message": {"role": "user", "content": "x"}},
        {"type": "session", "id": "s"},
        {"type": ["message"]},
        {"type": "label"},
        None,
        3,
    ],
)
def test_other_records_are_not_taken(record: Any) -> None:
    assert certainty(record) == 0


def test_other_files_are_not_taken() -> None:
    assert certainty() == pi.looks_like(Document(HEADER)) == pi.looks_like(Text("x")) == 0
    with pytest.raises(NotReadable, match="JSON Lines"):
        pi.read(Document({"a": 1}))


# -- whole files ------------------------------------------------------------------------------------


def test_a_real_looking_session_with_glued_records() -> None:
    session = load_session(DATA / "pi.jsonl")
    assert session.format == "pi"
    assert [session.kind(index).value for index in range(len(session))] == [
        "user",
        "user",
        "reasoning",
        "tool-call",
        "tool-output",
        "user",
        "user",
        "user",
        "user",
    ]
    assert items(session)[0]["content"] == "The person asked for the beds; there are four."
    assert reasons(session) == {
        "before the compaction": 2,
        "bookkeeping: session": 1,
        "bookkeeping: model_change": 1,
        "bookkeeping: custom": 1,
        "bookkeeping: label": 1,
        "kept from the context": 1,
        "on a branch that was left": 1,
    }
    assert any("2 values stand on one line" in warning for warning in session.warnings)


def test_many_lost_parents_take_one_pass(tmp_path: Path) -> None:
    """Were each searched for from its own entry on, this would take minutes."""
    count = 20_000
    records = [said(f"m{at}", f"lost{at}" if at % 2 else f"m{at - 1}") for at in range(count)]
    assert len(read(tmp_path, HEADER, *records)) == count
