"""Each format by its content."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.json_value import Json
from ctxviz.projection.measure import measured_text
from ctxviz.session.errors import SessionError
from ctxviz.session.formats import formats
from ctxviz.session.formats.content import NotReadable, SeveralConversations
from ctxviz.session.loading import format_names, load_session
from ctxviz.session.opened import Document, Text
from ctxviz.session.records import ListRecords
from tests.session.saving import CALL, ITEMS, OUTPUT, REASONING, USER, dumps, event, load, report, snapshot

SUMMARY_ITEM = {"type": "message", "role": "system", "content": [{"type": "input_text", "text": "so far"}]}


def test_names_are_those_of_modules() -> None:
    assert [format.NAME for format in formats()] == list(format_names())
    assert len(set(format_names())) == len(format_names())
    assert format_names()[-2:] == ("json-list", "json-lines")
    for format in formats():
        assert all((format.TITLE, format.KNOWN_BY, format.READS, format.LEAVES_OUT))


DETECTED: list[tuple[Any, str, str, list[Any]]] = [
    (snapshot(ITEMS), "ai4j-snapshot", "ai4j snapshot", ITEMS),
    ({"memory": {"items": ITEMS}, "metadata": {}}, "ai4j-snapshot", "ai4j snapshot", ITEMS),
    ({"sessionId": "s", "state": {"memorySnapshot": {"items": ITEMS}}}, "ai4j-cli", "ai4j CLI session", ITEMS),
    ({"items": [None, "s", 1]}, "ai4j-memory", "ai4j memory", [None, "s", 1]),
    ({"model": "m", "messages": ITEMS, "tools": [{}]}, "openai-chat", "OpenAI Chat", ITEMS),
    (
        {"system": "s", "messages": [{"role": "user", "content": "q"}]},
        "anthropic-messages",
        "Anthropic Messages",
        [{"role": "user", "content": "q"}],
    ),
    ({"instructions": "i", "input": ITEMS}, "openai-responses", "OpenAI Responses", ITEMS),
    ({"input": "hello"}, "openai-responses", "OpenAI Responses", ["hello"]),
    ([1, "a", None, {"x": 1}], "json-list", "JSON list", [1, "a", None, {"x": 1}]),
    ({"role": "user", "content": "q"}, "openai-chat", "OpenAI Chat", [{"role": "user", "content": "q"}]),
    (
        {"type": "custom_tool_call", "input": "raw"},
        "openai-responses",
        "OpenAI Responses",
        [{"type": "custom_tool_call", "input": "raw"}],
    ),
]


@pytest.mark.parametrize(("document", "name", "title", "items"), DETECTED)
@pytest.mark.parametrize("indent", [None, "\t"])
def test_detection(tmp_path: Path, document: Any, name: str, title: str, items: list[Any], indent: str | None) -> None:

    session = load(tmp_path, json.dumps(document, indent=indent))
    assert (session.format, session.format_title) == (name, title)
    assert session.items == items
    assert session.warnings == ()
    assert session.nothing == ""


def test_a_summary_is_the_first_item(tmp_path: Path) -> None:
    for document in (
        snapshot(ITEMS, summary="so far"),
        {"state": {"memorySnapshot": {"items": ITEMS, "summary": "so far"}}},
        {"items": ITEMS, "summary": "so far"},
    ):
        session = load(tmp_path, dumps(document))
        assert session.items == [SUMMARY_ITEM, *ITEMS]
        assert session.live_forms == ["map", "map", "map", "map", "provider"]
        assert session.stored_forms == ["map", "stored", "stored", "stored", "stored"]
        assert measured_text(session.items[0], "map").startswith(
            "{type=message, role=system, content=[{type=input_text,"
        )


@pytest.mark.parametrize("summary", [None, "", " \n"])
def test_a_blank_summary_is_none(tmp_path: Path, summary: str | None) -> None:
    session = load(tmp_path, dumps(snapshot([USER], summary=summary)))
    assert session.items == [USER]
    assert session.live_forms is None
    assert session.stored_forms is None


def test_forms_only_where_ai4j_wrote(tmp_path: Path) -> None:
    assert load(tmp_path, dumps([REASONING])).live_forms is None
    assert load(tmp_path, dumps({"items": [REASONING]})).live_forms == ["provider"]


def test_model_calls(tmp_path: Path) -> None:
    other = event("STEP_START", message="react")
    events = [
        event("MEMORY_COMPRESS", report(), step=0),
        event("MODEL_REQUEST", {"items": [USER], "model": "m"}, step=0),
        event("MODEL_REQUEST", {"items": [USER, CALL]}, step=1),
        other,
        event("MEMORY_COMPRESS", report(sourceItemCount=9), step=2),
        event("MODEL_REQUEST", None, step=2, turn="t2"),
        event("MEMORY_COMPRESS", report(notes=[]), step=2, turn="t2"),
        event("MODEL_REQUEST", {"items": "odd"}, step=2, turn="t2"),
    ]
    session = load(tmp_path, dumps(snapshot(ITEMS, events=events)))
    assert [(call.step, call.run) for call in session.calls] == [(0, "t1"), (1, "t1"), (2, "t2"), (2, "t2")]
    assert [call.report.to_dict() if call.report else None for call in session.calls] == [
        {**report()},
        None,
        None,
        {**report(notes=[])},
    ]
    assert [call.prompt for call in session.calls] == [[USER], [USER, CALL], None, None]


@pytest.mark.parametrize(
    "bad",
    [
        report(sourceItemCount=None),
        report(sourceItemCount="2"),
        report(sourceItemCount=2.0),
        report(itemLimitApplied=1),
        report(droppedItemCount=True),
        report(notes="x"),
        report(notes=[1]),
    ],
)
def test_malformed_reports_and_events_are_passed_over(tmp_path: Path, bad: Any) -> None:
    events: list[Any] = [
        None,
        "x",
        {},
        {"event": 5},
        event("MEMORY_COMPRESS", bad),
        event("MODEL_REQUEST", 5, step="x", turn=7),
    ]
    session = load(tmp_path, dumps(snapshot(ITEMS, events=events)))
    assert [(call.step, call.run, call.report) for call in session.calls] == [(None, None, None)]


def test_compactions(tmp_path: Path) -> None:
    events = [
        event("MODEL_REQUEST", {"items": [USER]}, step=0),
        event(
            "MEMORY_COMPRESS",
            {"memory": {"items": [OUTPUT], "summary": "so far"}, "summary": "so far"},
            message="compacted",
        ),
        event("MEMORY_COMPRESS", {"memory": "odd"}, message="compacted"),
        event("MODEL_REQUEST", {"items": [USER]}, step=1),
        event("MEMORY_COMPRESS", {"memory": {"items": []}}, message="compacted"),
    ]
    session = load(tmp_path, dumps(snapshot(ITEMS, events=events)))
    assert [(compaction.call, list(compaction.items)) for compaction in session.compactions] == [
        (1, [SUMMARY_ITEM, OUTPUT]),
        (2, []),
    ]


@pytest.mark.parametrize(
    ("document", "nothing"),
    [
        (
            snapshot([]),
            "The file is whole: an ai4j snapshot whose memory.items is empty. It was saved before the first message.",
        ),
        (
            snapshot([], events=[event("MODEL_REQUEST")]),
            "The file is whole: an ai4j snapshot whose memory.items is empty."
            " It records 1 model call, so its memory was cleared.",
        ),
        (
            {"state": {"memorySnapshot": {"items": []}}},
            "The file is whole: an ai4j CLI session whose state.memorySnapshot.items is empty."
            " It was saved before the first message.",
        ),
        ({"items": []}, "The file is whole: an ai4j memory whose items is empty."),
        ({"messages": []}, "The file is whole: a request whose messages is empty."),
        ({"input": []}, "The file is whole: a request whose input is empty."),
        ([], "The file is whole: a JSON list with nothing in it."),
    ],
)
def test_nothing(tmp_path: Path, document: Any, nothing: str) -> None:
    session = load(tmp_path, dumps(document))
    assert list(session.items) == []
    assert (session.nothing, session.warnings) == (nothing, ())


@pytest.mark.parametrize(
    ("document", "cause", "place"),
    [
        ({}, "holds no items: the JSON object is empty", None),
        ({"a": 1, "b": 2}, "holds no items: the JSON object is of no known format, its keys are a, b", None),
        (
            dict.fromkeys("abcdefgh"),
            "holds no items: the JSON object is of no known format, its keys are a, b, c, d, e and 3 more",
            None,
        ),
        ({"messages": {"0": {}}}, "holds no items: messages is an object, not a list", "messages"),
        ({"input": 5}, "holds no items: input is a number, not a list", "input"),
        ({"items": None}, "holds no items: items is null, not a list", "items"),
        (
            {"events": [], "memory": {"items": "x"}},
            "holds no items: memory.items is a string, not a list",
            "memory.items",
        ),
        ({"events": [], "memory": {}}, "holds no items: memory has no items", "memory.items"),
        ({"events": []}, "holds no items: there is no memory", "memory.items"),
        (
            {"state": {"memorySnapshot": []}},
            "holds no items: state.memorySnapshot has no items",
            "state.memorySnapshot.items",
        ),
        ("text", "holds no items: the JSON value is a string", None),
        (None, "holds no items: the JSON value is null", None),
        (True, "holds no items: the JSON value is true or false", None),
        (12, "holds no items: the JSON value is a number", None),
    ],
)
def test_what_holds_no_items(tmp_path: Path, document: Json, cause: str, place: str | None) -> None:
    with pytest.raises(SessionError) as caught:
        load(tmp_path, dumps(document))
    assert (caught.value.cause, caught.value.place) == (cause, place)
    assert caught.value.path == str(tmp_path / "session.dat")


@pytest.mark.parametrize("name", format_names())
def test_a_format_asked_for(tmp_path: Path, name: str) -> None:
    for document in ({"odd": 1}, "text", 5):
        if name == "json-lines":
            # Any value on a line is an item, if the user says so.
            assert load(tmp_path, dumps(document), format=name).items == [document]
        else:
            with pytest.raises(SessionError):
                load(tmp_path, dumps(document), format=name)


@pytest.mark.parametrize(("document", "name"), [(document, name) for document, name, *_ in DETECTED])
def test_a_format_asked_for_by_its_name(tmp_path: Path, document: Any, name: str) -> None:
    assert load(tmp_path, dumps(document), format=name).format == name


def test_a_format_asked_for_overrules_detection(tmp_path: Path) -> None:
    body = {"messages": [USER], "input": [CALL]}
    assert load(tmp_path, dumps(body)).items == [USER]
    assert load(tmp_path, dumps(body), format="openai-responses").items == [CALL]
    assert load(tmp_path, dumps(body), format="json-lines").items == [body]


def test_an_unknown_format_lists_the_names(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no such format: yaml \\(ai4j-snapshot, ai4j-cli,"):
        load_session(tmp_path / "x", format="yaml")


def test_every_format_copes_with_any_document() -> None:
    documents: list[Any] = [None, 1, "s", [], {}, {"memory": 1}, {"state": []}, {"items": {}}, {"type": [], "role": {}}]
    documents += [
        {"type": kind, "message": kind, "payload": kind, "parts": kind} for kind in (None, 1, "s", [1], {"a": 1})
    ]
    for format in formats():
        for value in documents:
            for file in (
                Document(value),
                ListRecords([value, *documents]),
                ListRecords([], shape="lines"),
                Text("words"),
            ):
                assert 0 <= format.looks_like(file) <= 1
                with suppress(NotReadable, SeveralConversations):
                    content = format.read(file)
                    items = content.items if content.rows is None else content.rows.items()
                    assert len(list(items)) == len(items)
