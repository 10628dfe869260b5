"""Anthropic's Messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.measure import approx_chars
from ctxviz.session.formats import anthropic_messages
from ctxviz.session.formats.content import NotReadable
from ctxviz.session.item import Kind, preview
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from ctxviz.session.opened import Document, Text
from ctxviz.session.records import ListRecords
from tests.session.saving import dumps, load

DATA = Path(__file__).parent / "data"
ASK: dict[str, Any] = {"role": "user", "content": "What is in it?"}
THOUGHT: dict[str, Any] = {"type": "thinking", "thinking": "look first", "signature": "c2ln"}
SAYING: dict[str, Any] = {"type": "text", "text": "I look."}
USE: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "a.txt"}}
RESULT: dict[str, Any] = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "two lines"}
MESSAGES: list[Any] = [
    ASK,
    {"role": "assistant", "content": [THOUGHT, SAYING, USE]},
    {"role": "user", "content": [RESULT]},
]
ITEMS: list[Any] = [
    ASK,
    {"role": "assistant", "content": [THOUGHT]},
    {"role": "assistant", "content": [SAYING]},
    {"role": "assistant", "content": [USE]},
    {"role": "user", "content": [RESULT]},
]
BODY: dict[str, Any] = {"model": "m", "max_tokens": 9, "system": "Be brief.", "messages": MESSAGES}
RESPONSE: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [SAYING, USE],
    "stop_reason": "tool_use",
    "usage": {"input_tokens": 3},
}


def lines(*records: Any) -> str:
    return "".join(dumps(record) + "\n" for record in records)


def items(session: Session) -> list[Any]:
    return list(session.items)


def check(session: Session) -> None:
    assert list(session.items) == items(session)
    assert list(session.source("live").sizes) == [approx_chars(item) for item in items(session)]


@pytest.mark.parametrize(
    "content",
    [
        dumps(BODY),
        json.dumps(BODY, indent=1),
        dumps(MESSAGES),
        lines(*MESSAGES),
        dumps({"request": BODY, "at": 1}),
        dumps({"custom_id": "a", "params": BODY}),
    ],
    ids=["body", "indented", "list", "lines", "stored", "batch"],
)
def test_bodies_lists_and_lines(tmp_path: Path, content: str) -> None:
    session = load(tmp_path, content)
    assert session.format == "anthropic-messages"
    assert list(session.items) == ITEMS
    assert session.tool_names.get(4) == "read"
    assert session.census is not None
    assert session.census.reasons() == {}
    check(session)


def test_a_body_knows_its_messages_places(tmp_path: Path) -> None:
    census = load(tmp_path, dumps(BODY)).census
    assert census is not None
    assert census.place(2) == "messages[2]"


def test_an_empty_request_says_so(tmp_path: Path) -> None:
    session = load(tmp_path, dumps({"system": "s", "messages": []}))
    assert (session.format, len(session.items)) == ("anthropic-messages", 0)
    assert session.nothing == "The file is whole: a request whose messages is empty."


@pytest.mark.parametrize("change", [{}, {"stop_reason": None}, {"content": [SAYING]}, {"role": None}])
def test_a_response(tmp_path: Path, change: dict[str, Any]) -> None:
    response = {
        key: value for key, value in {**RESPONSE, **change}.items() if value is not None or key == "stop_reason"
    }
    session = load(tmp_path, dumps(response))
    assert session.format == "anthropic-messages"
    assert list(session.items) == [{"role": "assistant", "content": [block]} for block in response["content"]]


def test_responses_a_line_each(tmp_path: Path) -> None:
    session = load(tmp_path, lines(RESPONSE, {**RESPONSE, "content": [SAYING]}))
    assert session.format == "anthropic-messages"
    assert [item["content"] for item in items(session)] == [[SAYING], [USE], [SAYING]]


def test_a_stored_response_follows_its_request(tmp_path: Path) -> None:
    session = load(tmp_path, dumps({"request": {**BODY, "messages": [ASK]}, "response": RESPONSE}))
    assert list(session.items) == [
        ASK,
        {"role": "assistant", "content": [SAYING]},
        {"role": "assistant", "content": [USE]},
    ]


def test_of_several_bodies_the_last_is_read_and_each_is_a_call(tmp_path: Path) -> None:
    first = {**BODY, "messages": [ASK]}
    session = load(tmp_path, lines(first, BODY))
    assert session.format == "anthropic-messages"
    assert list(session.items) == ITEMS
    assert [list(call.prompt or ()) for call in session.calls] == [[ASK], ITEMS]
    assert session.warnings == ("line 2: the last of 2 request bodies is shown; each is a model call",)
    assert session.census is not None
    assert session.census.place(0) == "line 2, messages[0]"
    check(session)


def test_a_compaction_stands_for_what_is_before_it(tmp_path: Path) -> None:
    compaction = {"type": "compaction", "content": "They asked about a file."}
    messages = [
        *MESSAGES,
        {"role": "assistant", "content": [SAYING, compaction, SAYING]},
        {"role": "user", "content": "go on"},
    ]
    session = load(tmp_path, dumps({**BODY, "messages": messages}))
    assert list(session.items) == [
        {"role": "assistant", "content": [compaction]},
        {"role": "assistant", "content": [SAYING]},
        {"role": "user", "content": "go on"},
    ]
    census = session.census
    assert census is not None
    assert census.reasons() == {"before the compaction": 4}
    assert [aside.place for aside in census.asides()] == ["messages[0]", "messages[1]", "messages[2]", "messages[3]"]
    assert (census.set_aside, census.parts_set_aside) == (3, 1)
    shown = session.including(frozenset({"before the compaction"}))
    assert list(shown.items)[:5] == ITEMS
    check(session)


def test_a_compaction_that_failed_does_nothing(tmp_path: Path) -> None:
    failed = {"role": "assistant", "content": [{"type": "compaction", "content": None}]}
    session = load(tmp_path, dumps([*MESSAGES, failed]))
    assert list(session.items) == [*ITEMS, failed]


def test_odd_messages_are_items(tmp_path: Path) -> None:
    odd: list[Any] = [
        None,
        4,
        "bare",
        ["list"],
        {},
        {"role": "user"},
        {"role": "user", "content": None},
        {"role": 5, "content": 7},
        {"role": "assistant", "content": {"type": "text", "text": "an object"}},
        {"role": "user", "content": [None, {"type": ["tool_use"]}, 3]},
        {"kind": "unknown"},
    ]
    session = load(tmp_path, dumps({**BODY, "messages": odd}))
    assert list(session.items) == [*odd[:5], {"role": "user", "content": None}, *odd[6:]]
    check(session)


def test_results_of_any_shape(tmp_path: Path) -> None:
    nested = {
        **RESULT,
        "content": [SAYING, {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}],
    }
    error = {"type": "web_search_tool_result", "tool_use_id": "s", "content": {"type": "error", "error_code": "x"}}
    bare = {"type": "tool_result", "tool_use_id": "toolu_9"}
    session = load(tmp_path, dumps([{"role": "user", "content": [nested, error, bare, SAYING]}]))
    assert [item["content"] for item in items(session)] == [[nested], [error], [bare], [SAYING]]
    assert session.kind(0) is Kind.TOOL_OUTPUT
    assert "[image/png, 2 bytes]" in preview(items(session)[0]).rest


def test_base64_is_not_shown(tmp_path: Path) -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": "QUJD" * 99}}
    session = load(tmp_path, dumps([{"role": "user", "content": [picture, SAYING]}]))
    assert session.format == "anthropic-messages"
    assert preview(items(session)[0]).rest == "[image/jpeg, 297 bytes] I look."


def test_a_line_with_type_and_text_is_a_message(tmp_path: Path) -> None:
    session = load(tmp_path, dumps([{"type": "assistant", "timestamp": 1, "text": "Done."}]))
    assert session.format == "anthropic-messages"
    assert list(session.items) == [{"role": "assistant", "content": "Done."}]


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        {},
        {"messages": None},
        {"messages": [ASK]},
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]},
        {"role": "assistant", "content": "text"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "x"}]},
        {"memory": {"items": []}},
    ],
)
def test_other_documents_are_not_taken(value: Any) -> None:
    assert anthropic_messages.looks_like(Document(value)) == 0


def test_other_records_are_not_taken() -> None:
    chat = {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": {"name": "f"}}]}
    code = {"type": "assistant", "uuid": "a", "message": {"role": "assistant", "content": [USE]}}
    others: list[list[Any]] = [[], [chat, ASK], [code], [None, 1, "x", [], {}], [{"messages": [ASK]}]]
    for records in others:
        assert anthropic_messages.looks_like(ListRecords(records)) == 0
    assert anthropic_messages.looks_like(Text("hello")) == 0


def test_a_few_other_records_lower_the_certainty() -> None:
    assert anthropic_messages.looks_like(ListRecords([*MESSAGES, {"note": 1}])) == pytest.approx(0.6)


def test_what_has_no_messages_can_not_be_read() -> None:
    with pytest.raises(NotReadable, match="no messages"):
        anthropic_messages.read(Text("hello"))
    with pytest.raises(NotReadable, match="there is no messages"):
        anthropic_messages.read(Document({"a": 1}))


def test_a_real_looking_log_with_a_cut_line() -> None:
    session = load_session(DATA / "anthropic_messages.jsonl")
    assert session.format == "anthropic-messages"
    assert len(session.calls) == 2
    assert [session.kind(index).value for index in range(len(session))][:2] == ["user", "reasoning"]
    assert "tool-call" in {session.kind(index).value for index in range(len(session))}
    assert any("line 3" in warning for warning in session.warnings)
    check(session)
