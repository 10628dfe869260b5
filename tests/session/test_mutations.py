"""Whatever happens to a file, loading it gives a session or a `SessionError`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctxviz.projection.json_value import Json
from ctxviz.session.errors import ConversationNeeded, SessionError
from ctxviz.session.item import Kind, describe, full_text, preview
from ctxviz.session.loading import format_names, load_session
from ctxviz.session.model import Session
from tests.session.samples import SAMPLES
from tests.session.saving import CALL, ITEMS, OUTPUT, USER, dumps, event, report, snapshot

EVENTS = [
    event("MEMORY_COMPRESS", report()),
    event("MODEL_REQUEST", {"items": [USER, CALL]}),
    event("MEMORY_COMPRESS", {"memory": {"items": [OUTPUT], "summary": "s"}}, message="compacted"),
]
DOCUMENTS = [
    dumps(snapshot(ITEMS, summary="so far", events=EVENTS)),
    dumps({"compactResult": {"memory": {"items": []}}, **snapshot(ITEMS, events=EVENTS)}),
    dumps({"state": {"memorySnapshot": {"items": ITEMS, "summary": "s"}}}),
    dumps({"items": [None, "s", 1, *ITEMS], "summary": "s"}),
    dumps({"model": "m", "messages": ITEMS}),
    dumps({"instructions": "i", "input": ITEMS}),
    dumps(ITEMS),
    "\n".join(map(dumps, ITEMS)),
    "\r\n".join(map(dumps, [*ITEMS, None, 1, [2]])) + "\r\n",
    dumps(USER),
]
BYTES = [text.encode(encoding) for text in DOCUMENTS for encoding in ("utf-8", "utf-8-sig", "utf-16")]
BYTES += [sample.data for sample in SAMPLES]
ODD: list[Json] = [
    None,
    True,
    0,
    -1,
    1.5,
    10**30,
    "",
    "text",
    "\ud83d",
    [],
    [None],
    {},
    {"type": "text"},
    {"id": ["x"]},
]

Mutation = Callable[[bytes], bytes]


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    data = draw(st.sampled_from(BYTES))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        stop = draw(st.integers(start, min(start + 40, len(data))))
        other = draw(st.sampled_from(BYTES))
        kind = draw(st.integers(0, 6))
        if kind == 0:
            data = data[:start]
        elif kind == 1:
            data = data[:start] + data[stop:]
        elif kind == 2 and start < len(data):
            data = data[:start] + bytes([data[start] ^ (1 << draw(st.integers(0, 7)))]) + data[start + 1 :]
        elif kind == 3:
            data = data[:stop] + data[start:]
        elif kind == 4:
            data = data[:start] + other[draw(st.integers(0, len(other))) :]
        elif kind == 5:
            data = data[:start] + b"\0" * draw(st.integers(1, 50)) + data[start:]
        else:
            data = data[:start] + draw(st.binary(max_size=8)) + data[start:]
    return data


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=400, deadline=None)
@given(data=mutated(), wanted=st.none() | st.sampled_from(format_names()))
def test_mutations(tmp_path: Path, data: bytes, wanted: str | None) -> None:
    file = tmp_path / "mutated"
    file.write_bytes(data)
    try:
        session = load_session(file, format=wanted)
    except SessionError as error:
        message = str(error)
        assert "\n" not in message
        return
    check(session)


def documents(data: bytes) -> list[Json]:
    """The records of a sample, or its one document; none of what is no text."""
    try:
        return [json.loads(line) for line in data.splitlines()]
    except ValueError:
        pass
    try:
        return [json.loads(data)]
    except ValueError:
        return []


SWAPPED = [records for sample in SAMPLES if (records := documents(sample.data))]


@st.composite
def swapped(draw: st.DrawFn) -> bytes:
    """A sample in which some values are of other types, some keys are missing and some records come again."""
    records = draw(st.sampled_from(SWAPPED))
    values: list[Json] = json.loads(json.dumps(records))
    for _ in range(draw(st.integers(1, 4))):
        here: Json = values
        for _ in range(draw(st.integers(1, 7))):
            keys = range(len(here)) if isinstance(here, list) else list(here) if isinstance(here, dict) else []
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            inner = here[key]  # type: ignore[index, call-overload]
            if not isinstance(inner, (list, dict)) or not inner or draw(st.integers(0, 3)) == 0:
                _swap(draw, here, key, values)
                break
            here = inner
    return b"\n".join(json.dumps(value).encode() for value in values)


def _swap(draw: st.DrawFn, here: Any, key: Any, values: list[Json]) -> None:
    kind = draw(st.integers(0, 3))
    if kind == 0 and isinstance(here, dict):
        del here[key]
    elif kind == 1:
        here[key] = json.loads(json.dumps(draw(st.sampled_from(values))))
    else:
        here[key] = json.loads(json.dumps(draw(st.sampled_from(ODD))))
    if len(json.dumps(values[:50], default=str)) > 100_000:
        values[:] = values[:1]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=600, deadline=None)
@given(data=swapped(), format=st.sampled_from(format_names()), is_named=st.booleans())
def test_swapped_types(tmp_path: Path, data: bytes, format: str, is_named: bool) -> None:
    file = tmp_path / "swapped"
    file.write_bytes(data)
    try:
        session = load_session(file, format=format if is_named else None)
    except ConversationNeeded as needed:
        for conversation in needed.conversations[:2]:
            check(load_session(file, format=format if is_named else None, conversation=conversation.id))
    except SessionError as error:
        message = str(error)
        assert "\n" not in message
    else:
        check(session)


def check(session: Session) -> None:
    assert (
        len(session.kinds) == len(session) == len(session.source("live").sizes) == len(session.source("resumed").sizes)
    )
    assert bool(session.nothing) == (len(session) == 0)
    assert all("\n" not in warning for warning in session.warnings)
    assert all(
        session.tool_names.get(index) is None or session.kind(index) is Kind.TOOL_OUTPUT
        for index in range(len(session))
    )
    if session.census is not None:
        assert len(session.census.asides()) >= session.census.set_aside
        assert len(list(session.including(frozenset(session.census.reasons())).items)) >= len(session)
    for call in session.calls:
        list(call.prompt or ())
    for item in session.items:
        describe(item)
        preview(item)
        full_text(item)


@pytest.mark.parametrize("text", DOCUMENTS)
def test_every_cut(tmp_path: Path, text: str) -> None:
    data = text.encode()
    file = tmp_path / "cut"
    count = 0
    for cut in range(len(data) + 1):
        file.write_bytes(data[:cut])
        try:
            session = load_session(file)
        except SessionError:
            continue
        check(session)
        count += 1
    assert count > 1
