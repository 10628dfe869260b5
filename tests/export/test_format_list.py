"""The list of formats: a phrase a line, wrapped where there is a terminal, and as data."""

from __future__ import annotations

from io import StringIO
from typing import Any, cast

import pytest

from ctxviz.export.format_list import format_list, formats_json
from ctxviz.session.loading import format_names


def test_each_format_has_its_name_and_three_phrases() -> None:
    blocks = format_list().removesuffix("\n").split("\n\n")
    assert [block.split()[0] for block in blocks] == list(format_names())
    for block in blocks:
        assert [line[:14].strip() for line in block.split("\n")[1:]] == ["known by", "reads", "leaves out"]


@pytest.mark.parametrize("width", [60, 200])
def test_on_a_terminal_what_is_continued_stands_under_its_beginning(
    monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    lines = format_list(Terminal()).split("\n")
    assert max(map(len, lines)) <= width
    assert any(line.startswith(" " * 14) for line in lines) == (width == 60)
    words = " ".join(" ".join(lines).split())
    for format in cast("list[dict[str, Any]]", formats_json()):
        assert f"leaves out {' '.join(format['leavesOut'].split())}" in words


def test_as_data() -> None:
    document = cast("list[dict[str, Any]]", formats_json())
    assert [format["name"] for format in document] == list(format_names())
    assert {tuple(format) for format in document} == {("name", "title", "knownBy", "reads", "leavesOut")}
