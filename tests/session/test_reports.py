"""Faults that readers of session files were reported for, each with what must come of it here.

The number is the report's place in the list; the test says what its file was like.
"""

from __future__ import annotations

import random
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from ctxviz.export.visible import visible
from ctxviz.projection.json_value import Json
from ctxviz.session.errors import ConversationNeeded
from ctxviz.session.item import Kind, full_text, preview
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from tests.session.saving import dumps, load


def claude(number: int, role: str = "user", content: Any = None, **more: Any) -> dict[str, Any]:
    """A record of Claude Code's, which goes on from the one before."""
    record = {
        "parentUuid": f"u{number - 1}" if number else None,
        "isSidechain": False,
        "sessionId": "s",
        "type": role,
        "message": {"role": role, "content": f"text {number}" if content is None else content},
        "uuid": f"u{number}",
        "timestamp": "2026-01-01T00:00:00Z",
    }
    return record | more


def lines(*records: Any) -> str:
    return "".join(record if isinstance(record, str) else dumps(record) + "\n" for record in records)


def codex(kind: str, payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-01-01T00:00:00Z", "type": kind, "payload": payload}


def said(role: str, text: str) -> dict[str, Any]:
    part = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": part, "text": text}]}


def texts(session: Session) -> list[str]:
    return [full_text(item) for item in session.items]


def census(session: Session) -> tuple[int, int, int]:
    assert session.census is not None
    return session.census.read, session.census.used, session.census.set_aside


def sizes_are_right(session: Session) -> None:
    from ctxviz.projection.measure import approx_chars

    assert list(session.source("live").sizes) == [approx_chars(item) for item in session.items]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_half_an_emoji(tmp_path: Path, number: int) -> None:
    written = lines(claude(0), '{"type":"user","uuid":"u1","parentUuid":"u0","sessionId":"s",'
                    '"message":{"role":"user","content":"\\ud83d cut"}}\n', claude(2))  # fmt: skip
    session = load(tmp_path, written)
    assert (session.format, len(session), session.warnings) == ("claude-code", 3, ())
    assert texts(session)[1] == "\ud83d cut"
    assert visible(texts(session)[1]).encode()
    sizes_are_right(session)


@pytest.mark.parametrize("number", [4, 5])
def test_a_bad_line_anywhere(tmp_path: Path, number: int) -> None:
    session = load(tmp_path, lines(claude(0), "{ torn apart\n", claude(1), claude(2)))
    assert texts(session) == ["text 0", "text 1", "text 2"]
    assert len(session.warnings) == 1
    assert session.warnings[0].startswith("line 2, column 3: ")
    assert census(session) == (4, 3, 1)


@pytest.mark.parametrize("number", [6, 7])
def test_blocks_of_nul(tmp_path: Path, number: int) -> None:
    padded = dumps(claude(1)) + "\0" * 9_000 + "\n"
    session = load(tmp_path, lines(claude(0), padded, claude(2), "\0" * 143_000))
    assert texts(session) == ["text 0", "text 1", "text 2"]
    assert any("NUL" in warning for warning in session.warnings)


def test_8_two_records_glued_on_a_line(tmp_path: Path) -> None:
    session = load(tmp_path, lines(claude(0), dumps(claude(1)) + dumps(claude(2)) + "\n", claude(3)))
    assert texts(session) == ["text 0", "text 1", "text 2", "text 3"]
    assert session.warnings == ("line 2, column 1: 2 values stand on one line: all are loaded",)
    assert session.items[2] == session.items[2] == {"role": "user", "content": "text 2"}


def test_9_one_bad_row_of_a_database(tmp_path: Path) -> None:
    file = tmp_path / "sessions.db"
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE agent_messages (id INTEGER PRIMARY KEY, session_id TEXT, message_data TEXT)")
        rows = [("s", dumps({"role": "user", "content": "a"})), ("s", "{torn"), ("s", dumps({"role": "user"}))]
        db.executemany("INSERT INTO agent_messages (session_id, message_data) VALUES (?, ?)", rows)
    db.close()
    session = load_session(file)
    assert session.format == "openai-agents"
    assert len(session) >= 2
    assert full_text(session.items[0]) == "a"


def test_10_a_partial_last_line(tmp_path: Path) -> None:
    session = load(tmp_path, lines(claude(0), claude(1)) + dumps(claude(2))[:40])
    assert texts(session) == ["text 0", "text 1"]
    assert session.warnings == ("line 3, column 41: the file ends in the middle of a string: the line is skipped",) or (
        len(session.warnings) == 1 and session.warnings[0].startswith("line 3, column ")
    )


def test_11_no_bytes(tmp_path: Path) -> None:
    session = load(tmp_path, "")
    assert (len(session), session.nothing, len(session.warnings)) == (0, "The file is empty.", 1)


@pytest.mark.parametrize("number", [12, 13, 14])
def test_line_separators_in_strings(tmp_path: Path, number: int) -> None:
    odd = "a\u2028b\u2029c\x85d\x0be\x0cf"
    written = lines(claude(0, content=odd), claude(1))
    assert "\u2028" in written
    session = load(tmp_path, written)
    assert texts(session) == [odd, "text 1"]
    assert session.warnings == ()


@pytest.mark.parametrize("number", [15, 16])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark(tmp_path: Path, number: int, encoding: str) -> None:
    for written, count in ((lines(claude(0), claude(1)), 2), (dumps([{"role": "user", "content": "q"}]), 1)):
        session = load(tmp_path, written.encode(encoding))
        assert (len(session), session.warnings) == (count, ())


def test_17_a_line_that_is_a_list(tmp_path: Path) -> None:
    session = load(tmp_path, lines(claude(0), [1, 2], 5, None, '"words"\n', claude(1)))
    assert session.format == "claude-code"
    assert texts(session) == ["text 0", "text 1"]
    assert census(session) == (6, 2, 4)


def test_18_a_message_that_is_a_string(tmp_path: Path) -> None:
    odd = {"type": "system", "uuid": "x", "parentUuid": "u0", "sessionId": "s", "message": "words"}
    session = load(tmp_path, lines(claude(0), odd, claude(1)))
    assert [text for text in texts(session) if text.startswith("text")] == ["text 0", "text 1"]
    assert census(session)[0] == 3


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (19, {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": {"name": "f"}}]}),
        (20, {"role": "assistant", "content": "x", "tool_calls": None}),
        (21, {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]}),
        (22, {"type": "message", "role": "assistant", "content": None, "id": "msg_1"}),
    ],
)
def test_content_that_is_null_or_absent(tmp_path: Path, number: int, message: Any) -> None:
    for written in (dumps([message]), dumps({"messages": [message]}), lines(message, message)):
        session = load(tmp_path, written)
        assert session.items[0] == message
        assert session.kind(0) is (Kind.TOOL_CALL if message.get("tool_calls") else Kind.ASSISTANT)
        preview(session.items[0])
        sizes_are_right(session)


@pytest.mark.parametrize("number", [23, 24, 25])
def test_bookkeeping_of_any_type_and_at_the_beginning(tmp_path: Path, number: int) -> None:
    kinds = ["summary", "file-history-snapshot", "queue-operation", "atis-latch", "tag", "mode", "never-seen-before"]
    bookkeeping = [{"type": kind, "sessionId": "s", "value": at} for at, kind in enumerate(kinds)]
    session = load(tmp_path, lines(*bookkeeping, claude(0), claude(1)))
    assert session.format == "claude-code"
    assert texts(session)[-2:] == ["text 0", "text 1"]
    read, used, aside = census(session)
    assert (read, used + aside) == (9, 9)
    assert session.census is not None
    assert any("atis-latch" in reason for reason in session.census.reasons())


def test_26_blocks_of_no_known_type(tmp_path: Path) -> None:
    blocks = [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}},
        {"type": "document", "source": {"type": "text", "data": "a document"}},
        {"type": "hologram", "beam": 1},
    ]
    session = load(tmp_path, lines(claude(0, content=blocks), claude(1)))
    held = [block for item in session.items if isinstance(item, dict) for block in _blocks(item)]
    assert [block for block in blocks if block in held] == blocks
    shown = preview(session.items[0]).rest
    assert "[image/png, 3 bytes]" in shown
    assert "AAAA" not in shown


def _blocks(item: dict[str, Json]) -> list[Json]:
    content = item.get("content")
    return content if isinstance(content, list) else []


def test_27_plain_messages_are_not_taken_for_a_transcript(tmp_path: Path) -> None:
    session = load(tmp_path, lines({"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}))
    assert session.format == "openai-chat"


def test_28_29_lines_of_one_message(tmp_path: Path) -> None:
    def line(at: int, block: Any) -> dict[str, Any]:
        record = claude(at, "assistant", [block])
        record["message"] |= {"id": "msg_1", "usage": {"output_tokens": at}}
        return record

    use = {"type": "tool_use", "id": "t1", "name": "grep", "input": {}}
    session = load(tmp_path, lines(claude(0), line(1, {"type": "text", "text": "so"}), line(2, use), line(3, use)))
    assert [session.kind(at) for at in range(len(session))] == [Kind.USER, Kind.ASSISTANT, Kind.TOOL_CALL]
    assert census(session) == (4, 3, 1)


def test_30_a_compaction(tmp_path: Path) -> None:
    boundary = {
        "type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None,
        "logicalParentUuid": "u1", "sessionId": "s", "content": "Conversation compacted",
    }  # fmt: skip
    summary = claude(2, content="summary", isCompactSummary=True) | {"parentUuid": "b"}
    session = load(tmp_path, lines(claude(0), claude(1), boundary, summary, claude(3)))
    assert texts(session) == ["summary", "text 3"]
    assert session.census is not None
    assert session.census.reasons()["before the compaction"] == 2
    shown = session.including(frozenset({"before the compaction"}))
    assert texts(shown) == ["text 0", "text 1", "summary", "text 3"]


def test_31_parents_in_a_circle(tmp_path: Path) -> None:
    records = [claude(0) | {"parentUuid": "u2"}, claude(1), claude(2), claude(3) | {"parentUuid": "u3"}]
    session = load(tmp_path, lines(*records))
    assert texts(session)[-1] == "text 3"
    header = {"type": "session", "version": 3, "id": "h", "cwd": "/"}
    turns = [
        {"type": "message", "id": f"m{at}", "parentId": f"m{(at + 1) % 3}", "message": {"role": "user", "content": "q"}}
        for at in range(3)
    ]
    assert len(load(tmp_path, lines(header, *turns))) == 3


@pytest.mark.parametrize("number", [32, 33])
def test_a_rollout(tmp_path: Path, number: int) -> None:
    call = {"type": "function_call", "call_id": "c", "name": "shell", "arguments": "{}"}
    told = {"type": "function_call_output", "call_id": "c", "output": "ok"}
    mirrored = codex("event_msg", {"type": "agent_message", "message": "done"})
    payloads = [said("user", "q"), call, told, said("assistant", "done")]
    records = [codex("response_item", payload) for payload in payloads]
    session = load(tmp_path, lines(codex("session_meta", {"id": "s"}), *records, mirrored))
    assert session.format == "codex"
    assert session.items == payloads
    assert texts(session)[-1] == "done"
    assert session.tool_names.get(2) == "shell"


def test_34_what_exec_prints_is_another_grammar(tmp_path: Path) -> None:
    rollout = lines(codex("session_meta", {"id": "s"}), codex("response_item", said("user", "q")))
    printed = lines(
        {"type": "thread.started", "thread_id": "t"},
        {"type": "item.completed", "item": {"id": "i", "type": "agent_message", "text": "done"}},
    )
    assert texts(load(tmp_path, rollout)) == ["q"]
    assert texts(load(tmp_path, printed)) == ["done"]


@pytest.mark.parametrize("number", [35, 36])
def test_a_compressed_rollout(tmp_path: Path, number: int) -> None:
    zstd = pytest.importorskip("backports.zstd")
    written = lines(codex("session_meta", {}), codex("response_item", said("user", "q"))).encode()
    session = load(tmp_path, zstd.compress(written))
    assert (session.format, texts(session)) == ("codex", ["q"])


def test_37_the_first_line_is_torn(tmp_path: Path) -> None:
    session = load(tmp_path, lines('{"timestamp":"x","type":"sess\n', *[codex("response_item", said("user", "q"))] * 3))
    assert (session.format, len(session)) == ("codex", 3)
    assert session.warnings[0].startswith("line 1, column ")


def _gemini(*messages: Any) -> list[Any]:
    return [{"sessionId": "s", "projectHash": "h", "startTime": "t", "kind": "main"}, *messages]


def test_38_gemini_in_lines_and_in_one_object(tmp_path: Path) -> None:
    messages = [{"id": "1", "type": "user", "content": "q"}, {"id": "2", "type": "gemini", "content": "a"}]
    for written in (lines(*_gemini(*messages)), dumps(_gemini()[0] | {"messages": messages})):
        session = load(tmp_path, written)
        assert (session.format, texts(session)) == ("gemini", ["q", "a"])


def test_39_gemini_rewinds_and_sets(tmp_path: Path) -> None:
    messages = [{"id": str(at), "type": "user", "content": f"text {at}"} for at in range(4)]
    again = {"id": "1", "type": "user", "content": "text 1, changed"}
    rewound = _gemini(*messages, again, {"$rewindTo": "2"}, {"id": "9", "type": "gemini", "content": "a"})
    assert texts(load(tmp_path, lines(*rewound))) == ["text 0", "text 1, changed", "a"]
    anew = _gemini(*messages, {"$set": {"messages": [{"id": "x", "type": "user", "content": "anew"}]}})
    assert texts(load(tmp_path, lines(*anew))) == ["anew"]


def test_40_opencode_in_a_database(tmp_path: Path) -> None:
    file = tmp_path / "opencode.db"
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE session (id TEXT PRIMARY KEY, title TEXT)")
        db.execute("CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT)")
        db.execute("CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT)")
        for name in ("s1", "s2"):
            db.execute("INSERT INTO session VALUES (?, 'a title')", (name,))
            db.execute("INSERT INTO message VALUES (?, ?, 1, ?)", (f"m{name}", name, dumps({"role": "user"})))
            part = dumps({"type": "text", "text": f"in {name}"})
            db.execute("INSERT INTO part VALUES (?, ?, ?, ?)", (f"p{name}", f"m{name}", name, part))
    db.close()
    with pytest.raises(ConversationNeeded) as caught:
        load_session(file)
    assert {one.id for one in caught.value.conversations} == {"s1", "s2"}
    assert texts(load_session(file, conversation="s2")) == ["in s2"]
    assert [path.name for path in tmp_path.iterdir()] == ["opencode.db"]


@pytest.mark.parametrize("number", [41, 42, 43, 44, 45, 46])
def test_images_inline_and_long_files(tmp_path: Path, number: int) -> None:
    data = "A" * 3_000_000
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
    session = load(tmp_path, lines(claude(0), *(claude(at, content=[image]) for at in range(1, 4)), claude(4)))
    assert len(session) == 5
    assert preview(session.glimpse(2)).rest.startswith("[image/png, ")
    assert len(preview(session.glimpse(2)).rest) < 100
    assert full_text(session.items[2]) == "[image/png, 2,250,000 bytes]"
    assert session.is_large(2)
    assert session.source("live").sizes[2] > 3_000_000


def test_47_not_a_number(tmp_path: Path) -> None:
    session = load(tmp_path, '{"messages":[{"role":"user","content":"q","score":NaN,"low":-Infinity,"high":1e400}]}')
    assert len(session) == 1
    sizes_are_right(session)


@pytest.mark.parametrize("number", [48, 49])
@pytest.mark.parametrize("depth", [1_025, 20_000])
def test_nesting(tmp_path: Path, number: int, depth: int) -> None:
    deep = '{"a":' * depth + "1" + "}" * depth
    item = f'{{"role":"user","content":{deep}}}'
    for written in (f"[{item}]", f"{item}\n{item}\n", f'{{"messages":[{item}]}}'):
        session = load(tmp_path, written)
        assert session.source("live").sizes[0] == 4 * depth + len("{role=user, content=1}")
        preview(session.items[0])


def test_50_duplicate_keys(tmp_path: Path) -> None:
    for written in ('[{"role":"user","content":"first","content":"last"}]', '{"role":"user","role":"assistant"}\n' * 2):
        session = load(tmp_path, written)
        assert session.items[0] in ({"role": "user", "content": "last"}, {"role": "assistant"})


def test_51_escape_sequences(tmp_path: Path) -> None:
    evil = "\x1b]52;c;ZXZpbA==\x07 \x1b[2J \x9b31m \u202e reversed [red]markup[/red]"
    session = load(tmp_path, dumps([{"role": "tool", "tool_call_id": "c", "content": evil}]))
    shown = visible(preview(session.items[0]).rest)
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(shown)
    assert "[red]markup[/red]" in shown


def test_52_very_many_records_of_all_kinds(tmp_path: Path) -> None:
    chance = random.Random(7)
    odd: list[Any] = ["\0" * 100 + "\n", {"no": "type"}, {"type": None}, {"type": 5}, [], "{\n", "\n"]
    records: list[Any] = []
    for at in range(4_000):
        records.append(claude(at, chance.choice(["user", "assistant"])))
        if chance.random() < 0.1:
            records.append(chance.choice(odd))
    begin = time.monotonic()
    session = load(tmp_path, lines(*records))
    assert time.monotonic() - begin < 60
    assert len([text for text in texts(session) if text.startswith("text ")]) == 4_000


def test_a_custom_tool_has_a_name_to_show(tmp_path: Path) -> None:
    call = {"type": "custom_tool_call", "call_id": "c", "name": "apply_patch", "input": "*** Begin"}
    told = {"type": "custom_tool_call_output", "call_id": "c", "output": "done"}
    session = load(tmp_path, lines(*[codex("response_item", payload) for payload in (said("user", "q"), call, told)]))
    assert [session.kind(at) for at in range(3)] == [Kind.USER, Kind.TOOL_CALL, Kind.TOOL_OUTPUT]
    assert session.tool_names.get(2) == "apply_patch"
