"""Real files of many tools, where they are at hand: each loads as what it is, or says why not.

`corpus.tsv` has a row a file (and a conversation): its format, items, recorded model calls and
records set aside. They were counted by hand in at least two files a format, or all there are.
"""

from __future__ import annotations

import csv
from contextlib import suppress
from pathlib import Path

import pytest

from ctxviz.projection.measure import approx_chars
from ctxviz.session.errors import ConversationNeeded, SessionError
from ctxviz.session.formats import formats
from ctxviz.session.item import describe, full_text, preview
from ctxviz.session.loading import load_session

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
FILES = sorted(path for path in CORPUS.rglob("*") if path.is_file())
needs_corpus = pytest.mark.skipif(not FILES, reason="the shared corpus is not beside the checkout")

with (Path(__file__).parent / "corpus.tsv").open(encoding="utf-8", newline="") as table:
    ROWS = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


@needs_corpus
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['file']} {row['conversation']}".strip())
def test_a_file_of_the_table(row: dict[str, str]) -> None:
    path, conversation = CORPUS / row["file"], row["conversation"] or None
    if row["format"] == "several":
        with pytest.raises(ConversationNeeded) as needed:
            load_session(path)
        assert len(needed.value.conversations) == int(row["items"])
        return
    if row["format"] == "error":
        with pytest.raises(SessionError) as caught:
            load_session(path)
        assert caught.value.cause == row["why not"]
        assert "\n" not in str(caught.value)
        return
    session = load_session(path, conversation=conversation)
    aside = session.census.set_aside if session.census else 0
    found = session.format, len(session), len(session.calls), aside
    assert found == (row["format"], int(row["items"]), int(row["calls"]), int(row["set aside"]))


@needs_corpus
def test_the_table_has_every_file() -> None:
    named = {row["file"] for row in ROWS}
    files = {str(path.relative_to(CORPUS)) for path in FILES if path.name != "INDEX.tsv"}
    assert {name for name in files if not name.startswith("opencode/storage_v2/")} <= named


@needs_corpus
def test_every_item_can_be_shown_and_has_its_size() -> None:
    for row in ROWS:
        if row["format"] in ("several", "error"):
            continue
        session = load_session(CORPUS / row["file"], conversation=row["conversation"] or None)
        assert len(session.kinds) == len(session)
        if not session.live_forms:
            assert list(session.source("live").sizes) == [approx_chars(item) for item in session.items]
        for item in session.items:
            describe(item)
            full_text(item)
            assert len(preview(item).rest) <= 200


@needs_corpus
def test_no_format_is_wrong_about_a_file_of_another() -> None:
    # A format asked for by name, too, gives a session or an error and nothing else.
    for row in ROWS[::7]:
        for format in formats():
            with suppress(SessionError):
                load_session(CORPUS / row["file"], format=format.NAME)
