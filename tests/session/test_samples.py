"""Each format, on a small session of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxviz.projection.measure import approx_chars
from ctxviz.session.errors import ConversationNeeded
from ctxviz.session.formats import format_names
from ctxviz.session.item import Kind
from ctxviz.session.loading import load_session
from tests.session.samples import SAMPLES, Sample
from tests.session.saving import load


def test_every_format_has_a_sample() -> None:
    assert {sample.format for sample in SAMPLES} == set(format_names())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.format)
def test_a_sample(tmp_path: Path, sample: Sample) -> None:
    if sample.several:
        with pytest.raises(ConversationNeeded) as needed:
            load(tmp_path, sample.data)
        assert len(needed.value.conversations) == sample.several
        with pytest.raises(ConversationNeeded, match="no conversation nothing"):
            load(tmp_path, sample.data, conversation="nothing")
    session = load(tmp_path, sample.data, conversation=sample.conversation)
    aside = session.census.set_aside if session.census else 0
    found = session.format, len(session), aside, len(session.calls)
    assert found == (sample.format, sample.items, sample.aside, sample.calls)
    assert session.warnings == () or len(session.calls) > 1
    assert (session.conversation.id if session.conversation else None) == sample.conversation
    if session.live_forms is None:
        assert list(session.source("live").sizes) == [approx_chars(item) for item in session.items]
    assert list(session.items) == list(session.items)
    for call in session.calls:
        assert call.prompt is None or list(call.prompt) == list(call.prompt)
    # Nothing is beside the file that was not there.
    assert [path.name for path in tmp_path.iterdir()] == ["session.dat"]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.format)
def test_what_was_set_aside_can_be_shown(tmp_path: Path, sample: Sample) -> None:
    session = load(tmp_path, sample.data, conversation=sample.conversation)
    if session.rows is None or session.census is None:
        return
    asides = session.census.asides()
    assert len(asides) == session.census.set_aside + session.census.parts_set_aside
    assert all(aside.place and aside.reason for aside in asides)
    choices = session.rows.choices()
    everything = session.including(frozenset(choices))
    assert len(everything) == len(session) + sum(choices.values())
    assert everything.including(frozenset()).items == session.items
    assert len(everything.kinds) == len(everything.source("live").sizes) == len(everything)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.format)
def test_outputs_find_their_calls(tmp_path: Path, sample: Sample) -> None:
    session = load(tmp_path, sample.data, conversation=sample.conversation)
    calls = [at for at in range(len(session)) if session.kind(at) is Kind.TOOL_CALL]
    for at in range(len(session)):
        if session.kind(at) is Kind.TOOL_OUTPUT and any(call < at for call in calls):
            assert session.tool_names.get(at)


def test_a_folder_of_opencode(tmp_path: Path) -> None:
    from tests.session.saving import dumps

    for name, value in {
        "session/p/s.json": {"id": "s", "title": "a repair"},
        "message/s/m1.json": {"id": "m1", "role": "user", "time": {"created": 1}},
        "part/m1/p1.json": {"id": "p1", "type": "text", "text": "q"},
    }.items():
        file = tmp_path / "storage" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dumps(value), encoding="utf-8")
    for folder in (tmp_path, tmp_path / "storage"):
        session = load_session(folder)
        assert (session.format, list(session.items)) == ("opencode", [{"role": "user", "content": "q"}])
