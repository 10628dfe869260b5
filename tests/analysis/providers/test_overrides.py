"""A user's own rules: read, refused in a line, and gone by."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxviz.analysis.providers.errors import ProviderRulesError
from ctxviz.analysis.providers.overrides import read_rules, rules, rules_path
from tests.analysis.providers.examples import assistant, judged, user

GOOD = b"""
[[rule]]
code = "last-not-user-or-tool"
provider = "anthropic"
model = "claude-next"
verdict = "T"
note = "seen on 2026-12-01"
"""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    (tmp_path / "ctxviz").mkdir()
    rules.cache_clear()
    yield_path = rules_path()
    assert yield_path == tmp_path / "ctxviz" / "providers.toml"
    return yield_path


def test_the_users_file_counts(config: Path) -> None:
    items = [user(), assistant()]
    assert judged(items, provider="anthropic", model="claude-next").verdict.answer == "refuses"
    config.write_bytes(GOOD)
    rules.cache_clear()
    assert judged(items, provider="anthropic", model="claude-next").verdict.answer == "accepts"
    assert judged(items, provider="anthropic", model="claude-opus-5").verdict.answer == "refuses"
    rules.cache_clear()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"[[rule]\n", "providers.toml: "),
        (b"\xff", "byte 0: not UTF-8"),
        (b"[other]\n", "other is not known"),
        (b"rule = 3\n", "rule is written as [[rule]]"),
        (b"rule = [3]\n", "rule 1: is no table"),
        (GOOD.replace(b"last-not", b"lost-not"), "rule 1: code lost-not-user-or-tool is not known"),
        (GOOD.replace(b'provider = "anthropic"', b""), "rule 1: provider is missing"),
        (GOOD.replace(b'"T"', b'"X"'), "rule 1: verdict X is not known: it is one of E, E?, U, T"),
        (GOOD.replace(b'"claude-next"', b'"("'), "rule 1: model is no regular expression"),
        (GOOD.replace(b"note", b"remark"), "rule 1: remark is not one of"),
        (GOOD.replace(b'"T"', b"1"), "rule 1: verdict is not text"),
    ],
)
def test_a_broken_file_is_refused_in_a_line(text: bytes, words: str) -> None:
    with pytest.raises(ProviderRulesError) as caught:
        read_rules(text, "providers.toml")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
