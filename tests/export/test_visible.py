"""Nothing in a session's text acts on the terminal or hides."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxviz.export.visible import escape_hidden, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "␛[2J"),
        ("a\0b", "a␀b"),
        ("line\nline\ttab\r", "line␊line␉tab␍"),
        ("\x7f", "␡"),
        ("\x9b31m", "⟨U+009B⟩31m"),
        ("\u202egnp\u202c", "⟨U+202E⟩gnp⟨U+202C⟩"),
        ("\u2066a\u2069\u200e\u061c", "⟨U+2066⟩a⟨U+2069⟩⟨U+200E⟩⟨U+061C⟩"),
        ("\u2028\u2029", "⟨U+2028⟩⟨U+2029⟩"),
        ("a\u200bb\ufeff\u00ad", "a⟨U+200B⟩b⟨U+FEFF⟩⟨U+00AD⟩"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("\ud83d alone", "⟨U+D83D⟩ alone"),
    ],
)
def test_what_acts_or_hides_becomes_a_sign(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text", ["", "plain", "日本語", "e\u0301", "👨\u200d👩\u200d👧", "می\u200cخواهم", "a\u00a0b", "[bold]"]
)
def test_what_only_shows_stays(text: str) -> None:
    assert visible(text) == text


def test_text_without_such_characters_is_the_same_object() -> None:
    text = "plain text " * 1000
    assert visible(text) is text


@given(st.text())
def test_the_result_can_be_written_and_holds_no_control(text: str) -> None:
    shown = visible(text)
    shown.encode()
    assert not any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in shown)
    assert visible(shown) == shown


@given(st.text())
def test_escaped_json_is_the_same_json(text: str) -> None:
    escaped = escape_hidden(json.dumps(text, ensure_ascii=False))
    escaped.encode()
    assert json.loads(escaped) == json.loads(json.dumps(text))
    assert visible(escaped) == escaped
