"""Real files of many tools, where they are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxviz.session.errors import SessionError
from ctxviz.session.item import describe, full_text, preview
from ctxviz.session.loading import load_session

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
FILES = sorted(path for path in CORPUS.rglob("*") if path.is_file())


@pytest.mark.skipif(not FILES, reason="the shared corpus is not beside the checkout")
def test_every_file_gives_a_session_or_an_error() -> None:
    opened = 0
    for file in FILES:
        try:
            session = load_session(file)
        except SessionError as error:
            cause, message = error.cause, str(error)
            assert cause
            assert "\n" not in message
            continue
        opened += 1
        assert len(session.kinds) == len(session)
        for item in session.items:
            describe(item)
            full_text(item)
            assert len(preview(item).rest) <= 200
    assert opened > 60
