"""JSON Lines with everything that crashes, tools and Windows do to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ctxviz.session.errors import SessionError
from tests.session.saving import ITEMS, dumps, load

A: dict[str, Any] = {"role": "user", "content": "a"}
B: dict[str, Any] = {"role": "assistant", "content": "b"}
C: dict[str, Any] = {"role": "user", "content": "c\u2028d\x85e"}
LINES = "".join(f"{dumps(item)}\n" for item in (A, B, C))


@pytest.mark.parametrize(
    "text",
    [
        LINES,
        LINES[:-1],
        LINES.replace("\n", "\r\n"),
        LINES.replace("\n", "\n\n \t\n"),
        "\ufeff" + LINES,
        "\n\n" + LINES,
        LINES.replace("{", " {"),
    ],
)
def test_whole(tmp_path: Path, text: str) -> None:
    session = load(tmp_path, text)
    assert (session.format, session.format_title) == ("openai-chat", "OpenAI Chat")
    assert session.items == [A, B, C]
    assert session.warnings == ()


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ('null\n"s"\n{"x":1}\n', [None, "s", {"x": 1}]),
        ("[1]\n[2]\n", [[1], [2]]),
        ("1\n2\n", [1, 2]),
        ('{"lines":[{"a":1}]}\n{"lines":[]}\n', [{"lines": [{"a": 1}]}, {"lines": []}]),
        ("1e400\n" + "9" * 5_000 + "\n", [float("inf"), 10**5_000 - 1]),
    ],
)
def test_a_line_can_be_any_value(tmp_path: Path, text: str, items: list[Any]) -> None:
    session = load(tmp_path, text)
    assert session.items == items
    assert (session.format, session.warnings) == ("json-lines", ())


BAD: list[tuple[str, list[Any], list[str]]] = [
    (
        f'{dumps(A)}\n{{"role": nope}}\n{dumps(B)}\n',
        [A, B],
        ["line 2, column 10: a value was expected, not n: the line is skipped"],
    ),
    (
        f"nonsense\n{dumps(A)}\n{dumps(B)}\n",
        [A, B],
        ["line 1, column 1: a value was expected, not n: the line is skipped"],
    ),
    (
        f'{{"role":"user","content":"cut\n{dumps(A)}\n{dumps(B)}\n',
        [A, B],
        ["line 1, column 30: the line ends in the middle of a string: the line is skipped"],
    ),
    (
        f"{dumps(A)}\n{dumps(B)[:-9]}",
        [A],
        ["line 2, column 26: the file ends in the middle of a string: the line is skipped"],
    ),
    (
        f"{dumps(A)}\n" + "\0" * 9_000 + f"\n{dumps(B)}\n",
        [A, B],
        ["line 2, column 1: 9,000 NUL characters and nothing else: the line is skipped"],
    ),
    ("\0\0\0\0\n" + dumps(A), [A], ["line 1, column 1: 4 NUL characters and nothing else: the line is skipped"]),
    (
        f"{dumps(A)}\n\0\0{dumps(B)}\0\n",
        [A, B],
        ["line 2, column 1: 3 NUL characters around the value: it is loaded without them"],
    ),
    (
        f"{dumps(A)}\n{dumps(B)}\0",
        [A, B],
        ["line 2, column 1: 1 NUL character around the value: it is loaded without them"],
    ),
    (
        f"{dumps(A)}{dumps(B)}\n{dumps(C)}\n",
        [A, B, C],
        ["line 1, column 1: 2 values stand on one line: all are loaded"],
    ),
    (
        f"{dumps(A)}\n{dumps(B)}, {dumps(C)}\n",
        [A, B],
        ["line 2, column 35: a value was expected, not ,: the rest of the line is skipped"],
    ),
    (
        f"{dumps(A)}\n12 apples\n",
        [A],
        ["line 2, column 4: more text after the end of the JSON value: the line is skipped"],
    ),
]


@pytest.mark.parametrize(("text", "items", "warnings"), BAD)
def test_bad_lines(tmp_path: Path, text: str, items: list[Any], warnings: list[str]) -> None:
    session = load(tmp_path, text)
    assert session.format in ("openai-chat", "json-lines")
    assert session.items == items
    assert list(session.warnings) == warnings


def test_many_bad_lines(tmp_path: Path) -> None:
    session = load(tmp_path, dumps(A) + "\n" + "x\n" * 1_034)
    assert len(session.warnings) == 21
    assert session.warnings[-1] == "1,014 more lines have faults like these"


def test_values_that_span_lines(tmp_path: Path) -> None:

    session = load(tmp_path, "\n".join(json.dumps(item, indent=2) for item in ITEMS))
    assert session.format == "json-lines"
    assert session.items == ITEMS
    assert session.warnings == ("line 1: 4 values follow each other over several lines: all are loaded",)


def test_no_line_is_json(tmp_path: Path) -> None:
    with pytest.raises(SessionError) as caught:
        load(tmp_path, "# notes\nnothing here\n", format="json-lines")
    assert (caught.value.place, caught.value.cause) == ("line 1, column 1", "not JSON: a value was expected, not #")


def test_deep_and_long_lines(tmp_path: Path) -> None:
    deep = '{"a":' * 20_000 + "1" + "}" * 20_000
    session = load(tmp_path, f"{dumps(A)}\n{deep}\n{dumps(B)}\n")
    assert len(session) == 3
    assert session.source("live").sizes[1] == 20_000 * 4 + 1
    assert session.warnings == ()


def test_lines_in_several_blocks(tmp_path: Path) -> None:
    item = {"role": "user", "content": "é" * 1_000}
    lines = [dumps({**item, "n": number}) for number in range(2_000)]
    lines[1_500] = "bad"
    data = "\n".join(lines).encode().replace(b'"n":1700', b'"n":"\xff"')
    session = load(tmp_path, data)
    assert len(session) == 1_999
    assert session.items[1_699] == {**item, "n": "\ufffd"}
    assert session.warnings == (
        f"byte {data.index(0xFF):,}: 1 byte that is no UTF-8 is replaced by U+FFFD",
        "line 1,501, column 1: a value was expected, not b: the line is skipped",
    )


def test_the_short_way_gives_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for text, *_ in BAD] + [LINES, "[1]\n[2]\nx\n", "1\n\n2", '{"messages":[]}\n[\n']
    short = [load(tmp_path, text) for text in texts]
    monkeypatch.setattr("ctxviz.session.loading.begins_with_lines", lambda data, start: False)
    for text, session in zip(texts, short, strict=True):
        long = load(tmp_path, text)
        assert (long.items, long.warnings, long.format) == (session.items, session.warnings, session.format)
