"""Claude Code's transcripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.measure import approx_chars
from ctxviz.session.formats import claude_code
from ctxviz.session.formats.content import NotReadable
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from ctxviz.session.opened import Document, Text
from ctxviz.session.records import ListRecords
from tests.session.saving import dumps, load

DATA = Path(__file__).parent / "data"
Record = dict[str, Any]


def line(kind: str, uuid: str, parent: Any = None, **more: Any) -> Record:
    return {"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "isSidechain": False, **more}


def user(uuid: str, parent: Any = None, content: Any = None, **more: Any) -> Record:
    return line("user", uuid, parent, message={"role": "user", "content": content or f"say {uuid}"}, **more)


def assistant(uuid: str, parent: Any, *blocks: Any, message_id: Any = None, **more: Any) -> Record:
    message: Record = {"role": "assistant", "content": list(blocks) or [text(uuid)], "usage": {"input_tokens": 1}}
    if message_id is not None:
        message["id"] = message_id
    return line("assistant", uuid, parent, message=message, **more)


def text(words: str) -> Record:
    return {"type": "text", "text": words}


def use(call_id: str, **given: Any) -> Record:
    return {"type": "tool_use", "id": call_id, "name": "Read", "input": given}


def result(call_id: str, content: Any = "ok") -> Record:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content}


def answer(uuid: str, parent: Any, *call_ids: str, **more: Any) -> Record:
    return user(uuid, parent, [result(call_id) for call_id in call_ids], toolUseResult={"stdout": "ok"}, **more)


def boundary(uuid: str, parent: Any = None, **metadata: Any) -> Record:
    return line("system", uuid, parent, subtype="compact_boundary", compactMetadata={"trigger": "auto", **metadata})


def summary(uuid: str, parent: Any = None) -> Record:
    return user(uuid, parent, isCompactSummary=True, isVisibleInTranscriptOnly=True)


def transcript(*records: Any) -> str:
    return "".join(dumps(record) + "\n" for record in records)


def read(folder: Path, *records: Any) -> Session:
    session = load(folder, transcript(*records), format="claude-code")
    assert list(session.items) == items(session)
    assert list(session.source("live").sizes) == [approx_chars(item) for item in items(session)]
    return session


def items(session: Session) -> list[Any]:
    return list(session.items)


def words(session: Session) -> list[str]:
    """What stands in the items, each in a word: its text, or its call's id with an arrow."""
    return [_word(item["content"]) for item in items(session)]


def _word(content: Any) -> str:
    if isinstance(content, str):
        return content.removeprefix("say ")
    block = content[0]
    kind = block["type"]
    return (
        f">{block['id']}"
        if kind == "tool_use"
        else f"<{block['tool_use_id']}"
        if kind == "tool_result"
        else block["text"]
    )


def reasons(session: Session) -> dict[str, int]:
    assert session.census is not None
    return session.census.reasons()


def places(session: Session) -> list[tuple[str, str]]:
    assert session.census is not None
    return sorted((aside.place, aside.reason) for aside in session.census.asides())


# -- items ------------------------------------------------------------------------------------------


def test_messages_are_split_and_the_doubles_of_results_ignored(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        user("u1"),
        assistant("a1", "u1", text("I look"), use("c1", path="x")),
        answer("r1", "a1", "c1"),
    )
    assert list(session.items) == [
        {"role": "user", "content": "say u1"},
        {"role": "assistant", "content": [text("I look")]},
        {"role": "assistant", "content": [use("c1", path="x")]},
        {"role": "user", "content": [result("c1")]},
    ]
    assert session.tool_names.get(3) == "Read"
    assert reasons(session) == {}


def test_bookkeeping_is_set_aside_with_its_type(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        {"type": "summary", "summary": "Old", "leafUuid": "zz"},
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
        user("u1"),
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
        {"type": "marble-origami-7", "sessionId": "s"},
        {"type": "brand-new", "sessionId": "s"},
        line("system", "s1", "u1", subtype="turn_duration", content="1 s"),
        line("system", "s2", "s1", content="x", message="a string"),
        assistant("a1", "s2"),
    )
    assert words(session) == ["u1", "a1"]
    assert reasons(session) == {
        "bookkeeping: file-history-snapshot": 2,
        "bookkeeping: summary": 1,
        "bookkeeping: marble-origami-7": 1,
        "unknown record: brand-new": 1,
        "not sent: system turn_duration": 1,
        "not sent: system": 1,
    }
    assert places(session)[0] == ("line 1", "bookkeeping: summary")
    assert session.rows is not None
    assert session.rows.choices() == {"unknown record: brand-new": 1}


def test_what_the_client_injects_is_included(tmp_path: Path) -> None:
    attachment = line("attachment", "t1", "u1", attachment={"type": "nested_memory", "path": "CLAUDE.md"})
    session = read(tmp_path, user("m1", isMeta=True), user("u1", "m1"), attachment, assistant("a1", "t1"))
    assert [item.get("type") for item in items(session)] == [None, None, "attachment", None]
    assert items(session)[2] == {"type": "attachment", "attachment": {"type": "nested_memory", "path": "CLAUDE.md"}}
    assert session.kind(2).value == "other"


def test_errors_and_what_only_the_person_sees_are_set_aside(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        user("u1"),
        assistant("e1", "u1", text("API Error: 529"), isApiErrorMessage=True),
        user("v1", "e1", isVisibleInTranscriptOnly=True),
        assistant("a1", "v1"),
    )
    assert words(session) == ["u1", "a1"]
    assert reasons(session) == {
        "not sent: an API error shown to the person": 1,
        "not sent: visible in the transcript only": 1,
    }
    shown = session.including(frozenset({"not sent: visible in the transcript only"}))
    assert words(shown) == ["u1", "v1", "a1"]


def test_replaced_results_are_as_the_model_saw_them(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        user("u1"),
        assistant("a1", "u1", use("c1"), use("c2")),
        user("r1", "a1", [result("c1", "x" * 500), result("c2")]),
        {
            "type": "content-replacement",
            "replacements": [
                {"kind": "tool-result", "toolUseId": "c1", "replacement": "<persisted>"},
                {"toolUseId": 4, "replacement": "no"},
                None,
            ],
        },
        {"type": "content-replacement", "replacements": "odd"},
    )
    assert items(session)[3] == {"role": "user", "content": [result("c1", "<persisted>")]}
    assert items(session)[4] == {"role": "user", "content": [result("c2")]}
    assert reasons(session) == {"bookkeeping: content-replacement": 2, "replaced before it was sent: tool result": 1}


@pytest.mark.parametrize("content", [None, 5, {"type": "text"}, "", [None], [3, "x"], [{"type": ["text"]}]])
def test_odd_content_is_an_item(tmp_path: Path, content: Any) -> None:
    record = line("user", "u1", message={"role": "user", "content": content})
    session = read(tmp_path, record)
    assert list(session.items) == [{"role": "user", "content": content}]


def test_odd_records(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        user("u1"),
        7,
        [1],
        {"no": "type"},
        {"type": ["user"], "message": {"role": "user", "content": "odd type"}, "uuid": "o", "parentUuid": "u1"},
        line("user", "u2", "o", message={"content": []}),
        line("assistant", "a1", "u2", message={"content": "no role"}),
        line("user", "u3", "a1", message="no object"),
    )
    assert [item.get("content", "raw") for item in items(session)] == ["say u1", "odd type", "no role", "raw"]
    assert items(session)[2] == {"role": "assistant", "content": "no role"}
    assert reasons(session) == {"no record: not an object": 2, "no record: it has no type": 1, "nothing in it": 1}


@pytest.mark.parametrize("odd", [4, [], {}, ["u1"], True, 1.5])
def test_odd_ids(tmp_path: Path, odd: Any) -> None:
    session = read(
        tmp_path,
        user("u1"),
        {**assistant("a1", odd, message_id=odd), "uuid": odd},
        {**boundary("b", None), "compactMetadata": odd, "isSidechain": True},
        {"type": "last-prompt", "leafUuid": odd},
        user("u2", odd),
    )
    assert words(session) == ["u1", "a1", "u2"]


# -- lines of one message ---------------------------------------------------------------------------


def test_lines_of_a_message_stand_together_before_their_results(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        user("u1"),
        assistant("a1", "u1", text("both"), message_id="m"),
        assistant("a2", "a1", use("c1"), message_id="m"),
        answer("r1", "a2", "c1"),
        assistant("a3", "a2", use("c2"), message_id="m"),
        answer("r2", "a3", "c2"),
        assistant("a4", "r2", message_id="n"),
    )
    assert words(session) == ["u1", "both", ">c1", ">c2", "<c1", "<c2", "a4"]
    assert reasons(session) == {}


def test_the_last_of_repeated_blocks_counts_once(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        user("u1"),
        assistant("a1", "u1", text("hm"), message_id="m"),
        assistant("a2", "a1", text("hm"), use("c1"), message_id="m"),
        assistant("a3", "a2", use("c1", path="whole"), text("then"), message_id="m"),
    )
    assert [item["content"] for item in items(session)][1:] == [
        [text("hm")],
        [use("c1", path="whole")],
        [text("then")],
    ]
    assert reasons(session) == {"repeated in a later line of the message": 2}
    assert places(session) == [
        ("line 2", "repeated in a later line of the message"),
        ("line 3", "repeated in a later line of the message"),
    ]


def test_the_same_words_in_two_messages_are_two_items(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        user("u1"),
        assistant("a1", "u1", text("Done."), message_id="m"),
        user("u2", "a1"),
        assistant("a2", "u2", text("Done."), message_id="n"),
        user("u3", "a2"),
        assistant("a3", "u3", text("Done."), text("Done.")),
    )
    assert words(session) == ["u1", "Done.", "u2", "Done.", "u3", "Done."]
    assert items(session)[5]["content"] == [text("Done."), text("Done.")]


def test_a_block_of_a_sidechain_does_not_stand_for_the_same_of_the_session(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        user("u1"),
        assistant("a1", "u1", text("plan"), message_id="m"),
        assistant("x1", "u1", text("plan"), message_id="m", isSidechain=True),
    )
    assert words(session) == ["u1", "plan"]
    assert reasons(session) == {"sidechain": 1}


def test_results_hang_on_their_own_calls(tmp_path: Path) -> None:
    """The way from the leaf meets one of the calls and its result only."""
    session = read(
        tmp_path,
        user("u1"),
        assistant("a1", "u1", use("c1"), message_id="m"),
        assistant("a2", "u1", use("c2"), message_id="m"),
        assistant("a3", "u1", use("c3"), message_id="m"),
        answer("r2", "a2", "c2"),
        answer("r3", "a3", "c3"),
        line("attachment", "h3", "r3", attachment={"type": "hook_success"}),
        answer("r1", "a1", "c1"),
        assistant("a4", "r1", message_id="n"),
    )
    assert [item.get("type") or _word(item["content"]) for item in items(session)] == [
        "u1",
        ">c1",
        ">c2",
        ">c3",
        "<c2",
        "<c3",
        "attachment",
        "<c1",
        "a4",
    ]
    assert reasons(session) == {}


# -- branches ---------------------------------------------------------------------------------------


def test_a_branch_that_was_left(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        user("u1"),
        assistant("a1", "u1"),
        line("attachment", "t1", "a1", attachment={"type": "file"}),
        user("u2", "t1"),
        assistant("a2", "u2"),
        user("u3", "a1"),
        assistant("a3", "u3"),
    )
    assert words(session) == ["u1", "a1", "u3", "a3"]
    assert reasons(session) == {"on a branch that was left": 3}
    shown = session.including(frozenset({"on a branch that was left"}))
    assert [item.get("type") or _word(item["content"]) for item in items(shown)] == [
        "u1",
        "a1",
        "attachment",
        "u2",
        "a2",
        "u3",
        "a3",
    ]


def test_what_is_attached_after_the_last_message_goes_with_the_next(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        user("u1"),
        assistant("a1", "u1"),
        line("attachment", "t1", "a1", attachment=1),
        line("attachment", "t2", "t1", attachment=2),
    )
    assert [item.get("attachment") for item in items(session)] == [None, None, 1, 2]


def test_a_hint_names_the_branch(tmp_path: Path) -> None:
    records = [user("u1"), assistant("a1", "u1"), user("u2", "a1"), user("u3", "a1")]
    assert words(read(tmp_path, *records)) == ["u1", "a1", "u3"]
    hint = {"type": "last-prompt", "leafUuid": "u2", "sessionId": "s"}
    assert words(read(tmp_path, *records, hint)) == ["u1", "a1", "u2"]
    # What was said after the hint is later than it.
    assert words(read(tmp_path, *records, hint, assistant("a4", "u3"))) == ["u1", "a1", "u3", "a4"]


@pytest.mark.parametrize("leaf", ["u1", "nowhere", None])
def test_a_hint_that_is_old_changes_nothing(tmp_path: Path, leaf: Any) -> None:
    hint = {"type": "last-prompt", "leafUuid": leaf, "sessionId": "s"}
    assert words(read(tmp_path, user("u1"), assistant("a1", "u1"), hint)) == ["u1", "a1"]


def test_progress_records_can_be_parents(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        user("u1"),
        line("progress", "p1", "u1", data={}),
        assistant("a1", "p1", use("c1")),
        line("progress", "p2", "a1", data={}),
        answer("r1", "a1", "c1"),
        assistant("a2", "p2"),
    )
    assert words(session) == ["u1", ">c1", "<c1", "a2"]
    assert reasons(session) == {"bookkeeping: progress": 2}


def test_a_lost_parent_is_the_record_before(tmp_path: Path) -> None:
    session = read(tmp_path, user("u1"), assistant("a1", "u1"), user("u2", "lost"), assistant("a2", "u2"))
    assert words(session) == ["u1", "a1", "u2", "a2"]
    assert reasons(session) == {}


def test_a_lost_parent_is_not_looked_for_on_a_branch_that_went_on(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        user("u1"),
        assistant("a1", "u1"),
        assistant("b1", "u1"),
        user("u2", "lost"),
        user("u3", "b1"),
        assistant("a2", "u2"),
    )
    assert words(session) == ["u1", "a1", "u2", "a2"]


def test_a_parent_can_stand_behind(tmp_path: Path) -> None:
    session = read(tmp_path, assistant("a1", "u1"), user("u1"), user("u2", "a1"))
    assert words(session) == ["a1", "u1", "u2"]


@pytest.mark.parametrize("parents", [("u2", "u1"), ("u1", "u1"), ("u1", "u2"), (None, "u2"), ("u2", "u2")])
def test_circles_end(tmp_path: Path, parents: tuple[Any, Any]) -> None:
    session = read(tmp_path, user("u1", parents[0]), user("u2", parents[1]))
    assert words(session) == ["u1", "u2"]


def test_of_a_record_that_stands_twice_one_is_on_the_branch(tmp_path: Path) -> None:
    session = read(tmp_path, user("u1"), assistant("a1", "u1"), user("u1"), assistant("a1", "u1"), user("u2", "a1"))
    assert words(session) == ["u1", "a1", "u2"]
    assert reasons(session) == {"on a branch that was left": 2}


def test_records_without_parents_are_a_line(tmp_path: Path) -> None:
    records = [user("u1"), assistant("a1", None), user("u2", None)]
    assert words(read(tmp_path, *records)) == ["u1", "a1", "u2"]
    for record in records:
        del record["parentUuid"]
    assert words(read(tmp_path, *records)) == ["u1", "a1", "u2"]


def test_a_second_root_is_another_conversation(tmp_path: Path) -> None:
    session = read(tmp_path, user("u1"), assistant("a1", "u1"), user("u2", None), assistant("a2", "u2"))
    assert words(session) == ["u2", "a2"]
    assert reasons(session) == {"on a branch that was left": 2}


# -- sidechains -------------------------------------------------------------------------------------


def test_sidechains_are_set_aside(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        user("u1"),
        user("x1", None, isSidechain=True),
        assistant("x2", "x1", isSidechain=True),
        assistant("a1", "u1"),
        assistant("x3", "x2", isSidechain=True),
    )
    assert words(session) == ["u1", "a1"]
    assert reasons(session) == {"sidechain": 3}
    assert words(session.including(frozenset({"sidechain"}))) == ["u1", "x1", "x2", "a1", "x3"]


def test_a_subagents_own_file_is_its_session(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        user("x1", None, isSidechain=True, agentId="7"),
        assistant("x2", "x1", isSidechain=True, agentId="7"),
        {"type": "summary", "summary": "s"},
    )
    assert words(session) == ["x1", "x2"]
    assert reasons(session) == {"bookkeeping: summary": 1}


def test_a_lost_parent_is_not_looked_for_in_a_sidechain(tmp_path: Path) -> None:
    session = read(tmp_path, user("u1"), user("x1", "u1", isSidechain=True), assistant("a1", "x1"))
    assert words(session) == ["u1", "a1"]


# -- compactions ------------------------------------------------------------------------------------


def test_the_context_starts_at_the_last_compaction(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        user("u1"),
        boundary("b1"),
        summary("s1", "b1"),
        assistant("a1", "s1"),
        boundary("b2", None),
        summary("s2", "b2"),
        user("u2", "s2"),
        user("u3", "s2"),
    )
    assert words(session) == ["s2", "u3"]
    assert reasons(session) == {
        "before the compaction": 3,
        "not sent: system compact_boundary": 2,
        "on a branch that was left": 1,
    }


def test_a_boundary_with_a_parent_is_a_boundary(tmp_path: Path) -> None:
    session = read(tmp_path, user("u1"), boundary("b1", "u1"), summary("s1", "b1"), assistant("a1", "s1"))
    assert words(session) == ["s1", "a1"]


@pytest.mark.parametrize("parent", ["a1", None, "lost"])
def test_files_of_2025_have_the_summary_only(tmp_path: Path, parent: Any) -> None:
    session = read(tmp_path, user("u1"), assistant("a1", "u1"), summary("s1", parent), assistant("a2", "s1"))
    assert words(session) == ["s1", "a2"]
    assert reasons(session) == {"before the compaction": 2}


def test_a_compaction_on_a_branch_that_was_left_does_not_count(tmp_path: Path) -> None:
    session = read(tmp_path, user("u1"), boundary("b1"), summary("s1", "b1"), assistant("a1", "u1"))
    assert words(session) == ["u1", "a1"]
    assert reasons(session) == {"not sent: system compact_boundary": 1, "on a branch that was left": 1}


def test_a_compaction_without_parents(tmp_path: Path) -> None:
    records: list[Record] = [user("u1"), boundary("b1"), summary("s1"), assistant("a1", None)]
    for record in records:
        del record["parentUuid"]
    session = read(tmp_path, *records)
    assert words(session) == ["s1", "a1"]
    assert reasons(session) == {"before the compaction": 1, "not sent: system compact_boundary": 1}


@pytest.mark.parametrize(
    "kept",
    [
        {"preservedSegment": {"headUuid": "u2", "anchorUuid": "s1", "tailUuid": "r1"}},
        {"preservedMessages": {"anchorUuid": "s1", "uuids": ["u2", "a2", "r1"], "allUuids": ["u1", "u2", "a2", "r1"]}},
    ],
)
@pytest.mark.parametrize("hangs_on", ["r1", "s1"])
def test_what_a_compaction_kept_follows_its_summary(tmp_path: Path, kept: Record, hangs_on: str) -> None:
    session = read(
        tmp_path,
        user("u1"),
        assistant("a1", "u1"),
        user("u2", "a1"),
        assistant("a2", "u2", use("c1"), message_id="m"),
        assistant("a3", "a2", use("c2"), message_id="m"),
        answer("r2", "a3", "c2"),
        answer("r1", "a2", "c1"),
        boundary("b1", **kept),
        summary("s1", "b1"),
        user("u3", hangs_on),
    )
    assert words(session) == ["s1", "u2", ">c1", ">c2", "<c2", "<c1", "u3"]
    assert reasons(session) == {"before the compaction": 2, "not sent: system compact_boundary": 1}


@pytest.mark.parametrize(
    "segment",
    [
        None,
        "odd",
        {"headUuid": "nowhere", "anchorUuid": "s1", "tailUuid": "a1"},
        {"headUuid": "a1", "anchorUuid": "s1", "tailUuid": "u1"},
        {"headUuid": ["a1"], "tailUuid": 4},
    ],
)
def test_a_segment_that_is_not_there_keeps_nothing(tmp_path: Path, segment: Any) -> None:
    session = read(
        tmp_path,
        user("u1"),
        assistant("a1", "u1"),
        boundary("b1", preservedSegment=segment, preservedMessages={"uuids": 4}),
        summary("s1", "b1"),
        assistant("a2", "s1"),
    )
    assert words(session) == ["s1", "a2"]


# -- stream-json ------------------------------------------------------------------------------------


def test_the_lines_of_stream_json(tmp_path: Path) -> None:
    def said(kind: str, *blocks: Any, **more: Any) -> Record:
        message = {"role": kind, "content": list(blocks), **({"id": "m"} if kind == "assistant" else {})}
        return {"type": kind, "message": message, "session_id": "s", "parent_tool_use_id": None, **more}

    session = load(
        tmp_path,
        transcript(
            {"type": "system", "subtype": "init", "session_id": "s", "tools": ["Read"], "uuid": "i"},
            said("user", text("go")),
            said("assistant", text("ok"), uuid="a"),
            said("assistant", use("c1"), uuid="b"),
            said("assistant", text("a subagent"), parent_tool_use_id="c1"),
            said("user", result("c1")),
            {"type": "result", "subtype": "success", "session_id": "s", "result": "ok", "usage": {}},
        ),
    )
    assert session.format == "claude-code"
    assert words(session) == ["go", "ok", ">c1", "<c1"]
    assert reasons(session) == {"not sent: system init": 1, "sidechain": 1, "bookkeeping: result": 1}


# -- detection --------------------------------------------------------------------------------------


def certainty(*records: Any) -> float:
    return claude_code.looks_like(ListRecords(records))


def test_transcripts_are_told_by_most_of_their_records(tmp_path: Path) -> None:
    started = [{"type": "mode", "sessionId": "s"}, {"type": "atis-latch"}, {"type": "file-history-snapshot"}]
    assert certainty(user("u1")) == certainty(*started, user("u1"), assistant("a1", "u1")) == 0.95
    assert certainty(user("u1"), None, 3, {"x": 1}) == pytest.approx(0.95 / 4)
    assert load(tmp_path, transcript(*started, user("u1"))).format == "claude-code"


def test_a_file_that_was_hardly_begun(tmp_path: Path) -> None:
    session = load(tmp_path, transcript({"type": "mode", "sessionId": "s"}, {"type": "summary", "summary": "x"}))
    assert session.format == "claude-code"
    assert len(session.items) == 0
    assert session.nothing == "The file is whole: a transcript with no message."


def test_a_list_of_records_is_read_too(tmp_path: Path) -> None:
    session = load(tmp_path, dumps([user("u1"), assistant("a1", "u1")]))
    assert session.format == "claude-code"
    assert words(session) == ["u1", "a1"]


@pytest.mark.parametrize(
    "record",
    [
        {"role": "user", "content": "x"},
        {"type": "message", "role": "user", "content": "x"},
        {"type": "message", "id": "1", "message": {"role": "user", "content": "x"}},
        {"type": "user", "uuid": "u", "sessionId": "s", "message": {"role": "user", "parts": [{"text": "x"}]}},
        {"type": "user", "id": "u", "content": "x"},
        {"type": "response_item", "payload": {"type": "message"}},
        {"timestamp": "t", "type": "summary"},
        {"type": "system"},
        {"type": ["user"], "uuid": "u", "message": {"content": 1}},
        None,
        5,
        "user",
        [],
    ],
)
def test_other_records_are_not_taken(record: Any) -> None:
    assert certainty(record) == 0


def test_other_files_are_not_taken() -> None:
    assert certainty() == claude_code.looks_like(Document(user("u1"))) == claude_code.looks_like(Text("x")) == 0
    with pytest.raises(NotReadable, match="JSON Lines"):
        claude_code.read(Document({"a": 1}))


# -- whole files ------------------------------------------------------------------------------------


def test_a_real_looking_transcript_with_a_cut_line() -> None:
    session = load_session(DATA / "claude_code.jsonl")
    assert session.format == "claude-code"
    assert [item.get("type") or item["content"][0].get("type") for item in items(session)[1:2]] == ["attachment"]
    assert [session.kind(index).value for index in range(len(session))][-5:] == [
        "tool-call",
        "tool-call",
        "tool-output",
        "tool-output",
        "assistant",
    ]
    assert {reason: count for reason, count in reasons(session).items() if "end" not in reason} == {
        "before the compaction": 2,
        "bookkeeping: file-history-snapshot": 1,
        "bookkeeping: last-prompt": 1,
        "not sent: system compact_boundary": 1,
        "sidechain": 1,
    }
    assert session.census is not None
    assert (session.census.read, session.census.used, session.census.set_aside) == (16, 9, 7)
    assert any("line 14" in warning for warning in session.warnings)


def test_long_chains_with_faults_take_one_pass(tmp_path: Path) -> None:
    """Were each fault searched for from its own record on, this would take minutes."""
    count = 20_000
    records = [user(f"u{at}", f"lost{at}" if at % 2 else f"u{at - 1}") for at in range(count)]
    assert len(read(tmp_path, *records)) == count
    forward = [user(f"u{at}", f"u{at + 1}") for at in range(count)]
    assert len(read(tmp_path, *forward)) == count
