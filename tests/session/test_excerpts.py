"""Very long items: a line shows their beginning, and the text is made elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctxviz.projection.json_value import Json
from ctxviz.projection.measure import measured_text
from ctxviz.session.excerpts import excerpt
from ctxviz.session.item import full_text, preview
from ctxviz.session.loading import load_session
from tests.session.saving import dumps

LONG: Json = {"role": "user", "content": "begin 日本 " + "word " * 900_000}
SHORT: Json = {"role": "user", "content": "q"}


@pytest.mark.parametrize("text", ["lines", "list", "body", "glued"])
def test_the_beginning_of_a_long_item(tmp_path: Path, text: str) -> None:
    file = tmp_path / "long"
    written = {
        "lines": f"{dumps(SHORT)}\n{dumps(LONG)}\n{dumps(SHORT)}\n",
        "list": dumps([SHORT, LONG, SHORT]),
        "body": dumps({"messages": [SHORT, LONG, SHORT]}),
        "glued": f"{dumps(SHORT)}{dumps(LONG)}\n{dumps(SHORT)}\n",
    }[text]
    file.write_text(written, encoding="utf-8")
    session = load_session(file)
    assert len(session) == 3
    assert session.is_large(1) == (text in ("lines", "list", "glued"))
    shown, whole = preview(session.glimpse(1)), preview(LONG)
    assert shown == whole if text != "glued" else shown.rest
    for page, expected in (
        ("text", full_text(LONG)),
        ("json", json.dumps(LONG, ensure_ascii=False, indent=2)),
        ("measured", measured_text(LONG, "map")),
    ):
        found = excerpt(session, 1, page, "map", most=1_000)  # type: ignore[arg-type]
        assert found == (expected[:1_000], len(expected))
