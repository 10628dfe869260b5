"""A long list that stays in its file gives the same as one that is decoded whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctxviz.projection.json_value import Json
from ctxviz.session import arrays, loading
from ctxviz.session.arrays import ArrayRecords
from ctxviz.session.errors import SessionError
from ctxviz.session.store import MemoryStore
from tests.session.saving import load

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**25), 10**25) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)
ELEMENTS = st.lists(st.dictionaries(st.text(max_size=4), VALUES, min_size=0, max_size=4) | VALUES, max_size=30)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None)
@given(
    elements=ELEMENTS, indent=st.sampled_from([None, 0, 1, "\t"]), window=st.integers(1, 300), is_ascii=st.booleans()
)
def test_the_elements(elements: list[Json], indent: int | str | None, window: int, is_ascii: bool) -> None:
    data = b"\n " + json.dumps(elements, indent=indent, ensure_ascii=is_ascii).encode("utf-8", "surrogatepass") + b"\n"
    records = ArrayRecords(MemoryStore(data), data.index(b"["))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "WINDOW_BYTES", window)
        assert [value for batch in records.batches() for value in batch] == elements
    assert [records[number] for number in range(len(records))] == elements
    assert [value for batch in records.batches() for value in batch] == elements
    assert records.fault is None


ITEMS: list[Json] = [{"role": "user", "content": f"}},{{ {at}", "more": [{"a": 1}, {"b": [{}]}]} for at in range(40)]


@pytest.mark.parametrize("indent", [None, 1])
def test_every_cut_and_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, indent: int | None) -> None:
    whole = json.dumps(ITEMS, indent=indent)
    for at in range(0, len(whole), 37):
        for text in (whole[:at], whole[:at] + "\x01" + whole[at:], whole + whole[at : at + 9]):
            monkeypatch.setattr(loading, "LISTS_FROM_BYTES", 1 << 30)
            try:
                here = load(tmp_path, text)
            except SessionError as error:
                expected = str(error)
                monkeypatch.setattr(loading, "LISTS_FROM_BYTES", 1)
                monkeypatch.setattr(arrays, "WINDOW_BYTES", 200)
                with pytest.raises(SessionError) as caught:
                    load(tmp_path, text)
                assert str(caught.value) == expected
                continue
            monkeypatch.setattr(loading, "LISTS_FROM_BYTES", 1)
            monkeypatch.setattr(arrays, "WINDOW_BYTES", 200)
            there = load(tmp_path, text)
            assert (there.items, there.warnings, there.kinds) == (here.items, here.warnings, here.kinds)
