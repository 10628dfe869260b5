"""Whatever happens to a file, loading it gives a session or a `SessionError`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctxviz.session.errors import SessionError
from ctxviz.session.item import Kind, describe, full_text, preview
from ctxviz.session.loading import format_names, load_session
from ctxviz.session.model import Session
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
