"""JSON of every kind of fault."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ctxviz.projection.json_value import Json
from ctxviz.session.decoding import decode

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@given(JSON, st.sampled_from([None, 1]), st.booleans())
def test_equal_to_the_standard_decoder(value: Json, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    decoded = decode(text)
    assert decoded.fault is None
    assert decoded.end == len(text)
    assert json.dumps(decoded.value) == json.dumps(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("\ufeff[1]", [1]),
        ('{"a":1,"b":2,"a":3}', {"a": 3, "b": 2}),
        (r'["\ud83d"]', ["\ud83d"]),
        (r'["\ud83d\ude00"]', ["😀"]),
        ("[1e400,-1e400,1E+2]", [math.inf, -math.inf, 100.0]),
        ("[Infinity,-Infinity]", [math.inf, -math.inf]),
        ('["a\u2028b\u2029c\x85d"]', ["a\u2028b\u2029c\x85d"]),
        ('{"a\tb":"c\0\nd"}', {"a\tb": "c\0\nd"}),
        (" \r\n\t[ 1 , 2 ] \n", [1, 2]),
        ("12", 12),
        ('"s"', "s"),
        ("{}", {}),
        ('{"a":{},"b":[],"c":[[],{}]}', {"a": {}, "b": [], "c": [[], {}]}),
    ],
)
def test_what_real_files_hold(text: str, value: Json) -> None:
    decoded = decode(text)
    assert decoded.fault is None
    assert decoded.value == value


def test_nan() -> None:
    assert str(decode("[NaN]").value) == "[nan]"


@pytest.mark.parametrize("template", ["%s", "[%s]", '{"a":%s}', '[{"a":[%s]}]', "[-%s,1]"])
def test_integers_of_any_length(template: str) -> None:
    digits = "123456789" * 1_000
    decoded = decode(template % digits)
    assert decoded.fault is None
    value: Any = decoded.value
    while isinstance(value, (list, dict)):
        value = value[0] if isinstance(value, list) else value["a"]
    assert abs(value) % 10**9 == 123456789
    assert abs(value) > 10**8_998


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]"), ('{"a":[', "]}")])
def test_any_depth(opening: str, closing: str) -> None:
    depth = 20_000
    decoded = decode(opening * depth + "1" + closing * depth)
    assert decoded.fault is None
    value: Any = decoded.value
    for _ in range(depth * len(closing)):
        value = value[0] if isinstance(value, list) else value["a"]
    assert value == 1


FAULTS: list[tuple[str, Json, str, bool, str]] = [
    ("", None, "the file ends before a value begins", True, "line 1, column 1"),
    ("\n ", None, "the file ends before a value begins", True, "line 2, column 2"),
    ("[", [], "the file ends in the middle of a list", True, "line 1, column 2"),
    ("[1,2", [1], "the file ends in the middle of a number", True, "line 1, column 5"),
    ("[1,2.", [1], "the file ends in the middle of a number", True, "line 1, column 6"),
    ("[1,2 ", [1, 2], "the file ends in the middle of a list", True, "line 1, column 6"),
    ("[1,2,", [1, 2], "the file ends in the middle of a list", True, "line 1, column 6"),
    ("[1,-", [1], "the file ends in the middle of a number", True, "line 1, column 5"),
    ("[1,tru", [1], "the file ends in the middle of a word", True, "line 1, column 7"),
    ("[1,-Inf", [1], "the file ends in the middle of a word", True, "line 1, column 8"),
    ('["a","b', ["a"], "the file ends in the middle of a string", True, "line 1, column 8"),
    ('["a","b\\', ["a"], "the file ends in the middle of a string", True, "line 1, column 9"),
    ('["a","\\ud8', ["a"], "the file ends in the middle of a string", True, "line 1, column 11"),
    ('["a","\\ud83d\\u', ["a"], "the file ends in the middle of a string", True, "line 1, column 15"),
    ('[{"a":1},{"b":2', [{"a": 1}], "the file ends in the middle of a number", True, "line 1, column 16"),
    ('[{"a":1},{"b":{"c":[1', [{"a": 1}], "the file ends in the middle of a number", True, "line 1, column 22"),
    (
        '{"a":[1,2],"b":{"c":1,"d',
        {"a": [1, 2], "b": {"c": 1}},
        "the file ends in the middle of a string",
        True,
        "line 1, column 25",
    ),
    ('{"a"', {}, "the file ends in the middle of an object", True, "line 1, column 5"),
    ('{"a":', {}, "the file ends in the middle of an object", True, "line 1, column 6"),
    ('{"a":1,', {"a": 1}, "the file ends in the middle of an object", True, "line 1, column 8"),
    ("nope", None, "a value was expected, not n", False, "line 1, column 1"),
    ("<html>", None, "a value was expected, not <", False, "line 1, column 1"),
    ("[1,\n2,\n\0]", [1, 2], "a value was expected, not U+0000", False, "line 3, column 1"),
    ("[1,]", [1], "a value was expected, not ]", False, "line 1, column 4"),
    ("[1 2]", [1], "a comma or ] was expected, not 2", False, "line 1, column 4"),
    ('{"a":1 "b"}', {"a": 1}, 'a comma or } was expected, not "', False, "line 1, column 8"),
    ("{a:1}", {}, "a key in double quotes was expected, not a", False, "line 1, column 2"),
    ('{"a" 1}', {}, "a colon was expected, not 1", False, "line 1, column 6"),
    ('[1,{"a":"\\q"}]', [1], "a string has an escape that JSON does not have", False, "line 1, column 10"),
    ('["\\u12"]', [], "a string has an escape that JSON does not have", False, "line 1, column 3"),
    ("[1] [2]", [1], "more text after the end of the JSON value", False, "line 1, column 5"),
    ("12 apples", 12, "more text after the end of the JSON value", False, "line 1, column 4"),
]


@pytest.mark.parametrize(("text", "value", "cause", "at_end", "place"), FAULTS)
def test_faults(text: str, value: Json, cause: str, at_end: bool, place: str) -> None:
    decoded = decode(text)
    assert decoded.fault is not None
    assert (decoded.value, decoded.fault.cause, decoded.fault.at_end, decoded.fault.place) == (
        value,
        cause,
        at_end,
        place,
    )
    assert decoded.end is None or decoded.fault.cause.startswith("more text")


def test_places_are_grouped() -> None:
    fault = decode('["' + "x" * 48_210).fault
    assert fault is not None
    assert fault.place == "line 1, column 48,213"


@given(st.lists(st.dictionaries(st.text(max_size=3), JSON, max_size=3), max_size=5), st.data())
def test_a_cut_loses_no_whole_element(items: list[Json], data: st.DataObject) -> None:
    texts = [json.dumps(item, ensure_ascii=False) for item in items]
    text = '{"a":{"b":0},"items":[' + ",".join(texts) + "]}"
    cut = data.draw(st.integers(0, len(text)))
    whole, end = 0, text.index("[") + 1
    while whole < len(items) and end + len(texts[whole]) <= cut:
        end += len(texts[whole]) + 1
        whole += 1
    decoded = decode(text[:cut])
    found = decoded.value.get("items", []) if isinstance(decoded.value, dict) else []
    assert found == items[:whole]
    assert (decoded.fault is None) == (cut == len(text))
    assert decoded.fault is None or decoded.fault.at_end


@given(st.text(alphabet='{}[]",:\\ut0123456789.-eE \n\0ntrf\ufeff\ud800'))
@example('"\\')
@example("-")
@example("[" * 30)
def test_any_text(text: str) -> None:
    decoded = decode(text)
    assert decoded.fault is None or 0 <= decoded.fault.position <= len(text)


def test_progress_is_told_and_can_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctxviz.session.decoding.TICK_SECONDS", -1)
    seen: list[tuple[int, tuple[str, ...], list[Json] | None]] = []

    def tick(position: int, path: tuple[str, ...], items: list[Json] | None) -> None:
        seen.append((position, path, None if items is None else items.copy()))

    decode('{"a":{"b":[1,{"c":[2]}]}}', tick)
    assert (13, ("a", "b"), [1]) not in seen
    assert (12, ("a", "b"), [1]) in seen
    assert (22, ("a", "b"), [1, {"c": [2]}]) in seen

    class Cancelled(ValueError):
        pass

    def cancel(position: int, path: tuple[str, ...], items: list[Json] | None) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        decode("[1,2]", cancel)
