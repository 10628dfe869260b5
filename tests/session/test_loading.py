"""A session file to a session, damaged ones as far as they are whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.measure import Form, measure_items
from ctxviz.session.errors import SessionError
from ctxviz.session.item import Kind
from ctxviz.session.loading import Progress, load_session
from tests.session.saving import CALL, ITEMS, OUTPUT, REASONING, USER, dumps, event, load, report, snapshot


def test_the_session_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "a b.json"
    file.write_text(dumps(snapshot(ITEMS, summary="so far")), encoding="utf-8")
    session = load_session(file)
    assert (session.path, session.name) == (str(file), "a b.json")
    assert [session.kind(at) for at in range(len(session))] == [
        Kind.SYSTEM,
        Kind.USER,
        Kind.TOOL_CALL,
        Kind.TOOL_OUTPUT,
        Kind.REASONING,
    ]
    assert session.tool_names.get(3) == "grep"
    live: list[Form] = ["map", "map", "map", "map", "provider"]
    stored: list[Form] = ["map", "stored", "stored", "stored", "stored"]
    assert session.source("live").sizes == measure_items(session.items, live)
    assert session.source("resumed").sizes == measure_items(session.items, stored)


def test_sizes_and_kinds_are_there_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    items = [USER, CALL, OUTPUT] * 1_000
    session = load(tmp_path, dumps(items))

    def refuse(*_: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr("ctxviz.session.model.kind_code", refuse)
    monkeypatch.setattr("ctxviz.projection.source.measure_items", refuse)
    assert len(session.kinds) == len(session.source("live").sizes) == 3_000
    assert session.source("live") is session.source("live")
    assert session.source("live").sizes[:3] == measure_items([USER, CALL, OUTPUT], "live")


@pytest.mark.parametrize(
    ("content", "nothing"),
    [
        (b"", "The file is empty."),
        (b"\xef\xbb\xbf", "The file is empty."),
        (b" \r\n\t", "The file holds white space only."),
        ("\ufeff\n".encode("utf-16-le"), "The file holds white space only."),
    ],
)
def test_nothing_in_the_file(tmp_path: Path, content: bytes, nothing: str) -> None:
    session = load(tmp_path, content)
    assert (len(session), session.format, session.nothing) == (0, "json-list", nothing)
    assert len(session.warnings) == 1
    assert session.kinds == b""
    assert load(tmp_path, content, format="openai-chat").format == "openai-chat"


CUT: list[tuple[str, list[Any], str, str]] = [
    (
        '[{"a":1},{"a":2},{"a',
        [{"a": 1}, {"a": 2}],
        "json-list",
        "line 1, column 21: the file ends in the middle of a string: 2 whole items before it are loaded",
    ),
    (
        '{"messages":[\n{"role":"user"},\n{"role":',
        [{"role": "user"}],
        "openai-chat",
        "line 3, column 9: the file ends in the middle of an object: 1 whole item before it is loaded",
    ),
    (
        '{"input":[1,2],"model":"x',
        [1, 2],
        "openai-responses",
        "line 1, column 26: the file ends in the middle of a string: 2 whole items before it are loaded",
    ),
    (
        '{"messages":[{"role":"user"}] oops',
        [{"role": "user"}],
        "openai-chat",
        "line 1, column 31: a comma or } was expected, not o: 1 whole item before it is loaded",
    ),
    (
        '[{"a":1},{"a":2},]',
        [{"a": 1}, {"a": 2}],
        "json-list",
        "line 1, column 18: a value was expected, not ]: 2 whole items before it are loaded",
    ),
    (
        '{"messages":[{"role":"user"}]}\0\0',
        [{"role": "user"}],
        "openai-chat",
        "line 1, column 31: more text after the end of the JSON value: 1 whole item before it is loaded",
    ),
    (
        '[{"a":1}]\ngarbage',
        [{"a": 1}],
        "json-list",
        "line 2, column 1: more text after the end of the JSON value: 1 whole item before it is loaded",
    ),
    (
        '{"messages": [\n  {"role":"user"},\n  {"role":"tool"}\n] x',
        [{"role": "user"}, {"role": "tool"}],
        "openai-chat",
        "line 4, column 3: a comma or } was expected, not x: 2 whole items before it are loaded",
    ),
]


@pytest.mark.parametrize(("text", "items", "name", "warning"), CUT)
def test_damaged_documents(tmp_path: Path, text: str, items: list[Any], name: str, warning: str) -> None:
    session = load(tmp_path, text)
    assert (session.items, session.format, session.warnings) == (items, name, (warning,))
    assert load(tmp_path, text, format=name).warnings == (warning,)


@pytest.mark.parametrize(
    "text", ["[", '[{"a":', '{"messages":[', '{"messages":[{"role":"us', '{"role":"user","content":"cu']
)
def test_cut_off_before_the_first_whole_item(tmp_path: Path, text: str) -> None:
    session = load(tmp_path, text)
    assert len(session) == 0
    assert session.nothing == "The file ends before its first whole item."
    assert session.warnings[0].endswith(": no whole item stands before it")


@pytest.mark.parametrize(
    ("text", "place", "cause"),
    [
        ("hello", "line 1, column 1", "not JSON: a value was expected, not h"),
        ("\n\n  <html>", "line 3, column 3", "not JSON: a value was expected, not <"),
        ("[nope", "line 1, column 2", "not JSON: a value was expected, not n"),
        ('{"messages":[nope]}', "line 1, column 14", "not JSON: a value was expected, not n"),
        ("12 apples", "line 1, column 4", "not JSON: more text after the end of the JSON value"),
        ('{"a":1,"b', "line 1, column 10", "the file ends in the middle of a string, before any item"),
        ("x" * 48_212 + "{", "line 1, column 1", "not JSON: a value was expected, not x"),
    ],
)
def test_what_is_no_json(tmp_path: Path, text: str, place: str, cause: str) -> None:
    with pytest.raises(SessionError) as caught:
        load(tmp_path, text)
    assert (caught.value.place, caught.value.cause) == (place, cause)
    assert str(caught.value) == f"{tmp_path / 'session.dat'}: {place}: {cause}"


def test_a_snapshot_cut_off_before_its_memory(tmp_path: Path) -> None:
    events = [
        event("MEMORY_COMPRESS", report()),
        event("MODEL_REQUEST", {"items": [USER]}),
        event("MODEL_REQUEST", {"items": [USER, REASONING]}),
        event("MODEL_REQUEST", {"items": [USER, CALL, OUTPUT]}),
    ]
    text = dumps(snapshot(ITEMS, events=events))
    session = load(tmp_path, text[: text.rindex("MODEL_REQUEST")])
    assert (session.format, session.items) == ("ai4j-snapshot", [USER, REASONING])
    assert session.live_forms == ["map", "provider"]
    assert len(session.calls) == 2
    assert session.warnings[0].endswith(
        "the file ends in the middle of a string:"
        " it has no memory: the 2 items of its last whole MODEL_REQUEST event are loaded"
    )
    session = load(tmp_path, text[: text.index('"metadata"')])
    assert session.items == ITEMS
    assert session.warnings[0].endswith("4 whole items before it are loaded")


def test_a_snapshot_cut_off_before_its_first_prompt(tmp_path: Path) -> None:
    text = dumps(snapshot(ITEMS, events=[event("STEP_START"), event("MODEL_REQUEST", {"items": [USER]})]))
    with pytest.raises(SessionError, match="before its first whole MODEL_REQUEST event") as caught:
        load(tmp_path, text[: text.index("MODEL_REQUEST")])
    assert caught.value.place is not None
    assert caught.value.place.startswith("line 1, column ")


def test_cuts_anywhere_in_a_snapshot_lose_no_whole_item(tmp_path: Path) -> None:
    text = dumps(snapshot(ITEMS))
    at = text.index('{"items":[') + len('{"items":[')
    ends = []
    for item in ITEMS:
        at += len(dumps(item))
        ends.append(at)
        at += 1
    for cut in range(text.index('"items":['), len(text)):
        whole = sum(end <= cut for end in ends)
        try:
            session = load(tmp_path, text[:cut])
        except SessionError:
            assert whole == 0
            continue
        assert session.items == ITEMS[:whole]
        assert len(session.warnings) == 1


def test_awkward_but_allowed(tmp_path: Path) -> None:
    text = (
        '\ufeff{"messages":[],"messages":[{"role":"user","content":"\\ud83d","n":1e400,"a\u2028b":NaN,"big":%s}]}'
        % ("7" * 5_000)
    )
    session = load(tmp_path, text)
    assert session.warnings == ()
    item: Any = session.items[0]
    assert item["content"] == "\ud83d"
    assert item["n"] == float("inf")
    assert session.source("live").sizes[0] > 5_000
    assert session.source("resumed").sizes[0] > 5_000


@pytest.mark.parametrize("template", ["[%s,1]", '{"messages":[%s,1]}', '{"memory":{"items":[%s,1]},"events":[]}'])
def test_twenty_thousand_levels(tmp_path: Path, template: str) -> None:
    depth = 20_000
    session = load(tmp_path, template % ('{"a":[' * depth + "1" + "]}" * depth))
    assert len(session) == 2
    assert session.warnings == ()
    assert session.source("live").sizes[0] == depth * 6 + 1
    assert session.source("resumed").sizes[0] == depth * 8 + 1


# -- progress -------------------------------------------------------------------------------------


@pytest.fixture
def every_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("decoding", "progress"):
        monkeypatch.setattr(f"ctxviz.session.{module}.TICK_SECONDS", -1)


BIG_ITEMS = [{**USER, "n": number} for number in range(500)]


@pytest.mark.usefixtures("every_tick")
@pytest.mark.parametrize(
    ("text", "title"),
    [
        (dumps(BIG_ITEMS), "JSON list"),
        ("\n".join(dumps({**item, "long": "x" * 10_000}) for item in BIG_ITEMS), "JSON Lines"),
        (dumps({"tools": [1, 2], "messages": BIG_ITEMS}), "OpenAI Chat"),
        (dumps({"input": BIG_ITEMS}), "OpenAI Responses"),
        (dumps({"items": BIG_ITEMS}), "ai4j memory"),
        (dumps({"compactResult": {"memory": {"items": [1]}}, **snapshot(BIG_ITEMS)}), "ai4j snapshot"),
        (dumps({"state": {"memorySnapshot": {"items": BIG_ITEMS}}}), "ai4j CLI session"),
    ],
)
def test_progress(tmp_path: Path, text: str, title: str) -> None:
    seen: list[Progress] = []
    session = load(tmp_path, text, progress=seen.append)
    total = len(text.encode())
    assert {progress.bytes_total for progress in seen} == {total}
    done = [progress.bytes_done for progress in seen]
    assert done == sorted(done)
    assert done[-1] == total
    assert {progress.format_title for progress in seen if progress.items_done is not None} == {title}
    counts = [progress.items_done for progress in seen if progress.items_done is not None]
    assert counts == sorted(counts)
    assert len(set(counts)) > (2 if title == "JSON Lines" else 400)
    assert counts[-1] == len(session) == 500
    for progress in seen:
        if progress.first_items is not None:
            first = [{**item, "long": None} for item in progress.first_items if isinstance(item, dict)]
            assert first == [{**item, "long": None} for item in BIG_ITEMS[: len(first)]]
            assert len(first) <= min(progress.items_done or 0, 200)


@pytest.mark.usefixtures("every_tick")
@pytest.mark.parametrize(
    "kind", [KeyboardInterrupt, ValueError, OSError, StopIteration, RecursionError, SessionError, LookupError]
)
def test_cancelling_passes_through_anywhere(tmp_path: Path, kind: type[BaseException]) -> None:
    error = kind("x", "y", "z")
    ticks = 0
    text = "\n".join([*map(dumps, ITEMS), "bad", json.dumps(USER)])
    for content in (text, dumps({"messages": ITEMS})):
        load(tmp_path, content, progress=lambda _: None)
        limit = 0
        while True:
            limit += 1
            ticks = 0

            def cancel(_: Progress, limit: int = limit) -> None:
                nonlocal ticks
                ticks += 1
                if ticks == limit:
                    raise error

            raised: BaseException | None = None
            try:
                load(tmp_path, content, progress=cancel)
            except BaseException as caught:
                raised = caught
            if raised is None:
                break
            assert raised is error
        assert limit > 3
