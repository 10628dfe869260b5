"""Measures beyond the recorded vectors: provider objects, depth, odd numbers, readable text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxviz.projection.java_double import java_double, shortest
from ctxviz.projection.measure import Form, approx_chars, is_provider_object, measure_items, measured_text
from ctxviz.projection.utf16 import utf16_units

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=30,
)
FORMS: tuple[Form, ...] = ("map", "provider", "stored", "content")


@given(JSON)
def test_a_size_is_the_length_of_its_text(value: Any) -> None:
    for form in FORMS:
        assert measure_items([value], [form])[0] == utf16_units(measured_text(value, form))


def test_a_provider_object() -> None:
    call: dict[str, Any] = {
        "arguments": '{"q": 1}',
        "call_id": "c",
        "id": "fc",
        "name": "sql",
        "status": "completed",
        "type": "function_call",
    }
    assert is_provider_object(call)
    assert measured_text(call, "provider") == (
        "ResponseItem(id=fc, type=function_call, role=null, status=completed, partial=null, content=null, callId=c, "
        'name=sql, arguments={"q": 1}, output=null, serverLabel=null, summary=null, extraBody=null)'
    )
    message: dict[str, Any] = {"content": [{"text": "hi", "type": "output_text"}], "id": "m", "type": "message"}
    assert "content=[ResponseContentPart(type=output_text, text=hi, imageUrl=null, " in measured_text(
        message, "provider"
    )


@pytest.mark.parametrize(
    "item",
    [
        None,
        "text",
        {"type": "reasoning", "id": "r", "summary": []},
        {"arguments": "", "type": "function_call"},
        {"extra": 1, "id": "r", "type": "reasoning"},
        {"id": "r", "type": 7},
    ],
)
def test_what_is_no_provider_object(item: Any) -> None:
    assert not is_provider_object(item)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (0.001, "0.001"),
        (0.0001, "1.0E-4"),
        (9_999_999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (1.5e300, "1.5E300"),
        (-123456789.125, "-1.23456789125E8"),
        (5e-324, "4.9E-324"),
        (1.7976931348623157e308, "1.7976931348623157E308"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
        (float("nan"), "NaN"),
    ],
)
def test_java_double(value: float, text: str) -> None:
    assert java_double(value) == text
    assert shortest(value) == text


@pytest.mark.parametrize(
    ("value", "jdk_17", "shortest_text"),
    [
        (2e23, "1.9999999999999998E23", "2.0E23"),
        (1e23, "9.999999999999999E22", "1.0E23"),
        (2.0**-44, "5.6843418860808015E-14", "5.684341886080802E-14"),
        (-(2.0**-44), "-5.6843418860808015E-14", "-5.684341886080802E-14"),
    ],
)
def test_digits_that_depend_on_the_jdk(value: float, jdk_17: str, shortest_text: str) -> None:
    """What JDK 17.0.15 prints: a live map has it, fastjson2 writes the shortest."""
    assert java_double(value) == jdk_17 == measured_text([value], "map")[1:-1]
    assert shortest(value) == shortest_text == measured_text([value], "stored")[1:-1]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_both_texts_of_a_double_are_that_double(value: float) -> None:
    """JDK 17's digits can name a neighbour of numbers near the least; everywhere else they name the number."""
    assert float(shortest(value)) == value
    if abs(value) > 1e-300:
        assert float(java_double(value)) == pytest.approx(value, rel=1e-15)


def test_what_json_has_no_number_for_is_null_in_a_store() -> None:
    assert measured_text([float("nan"), float("inf")], "stored") == "[null,null]"
    assert measured_text({"a": float("nan")}, "map") == "{a=NaN}"


def test_depth_and_huge_integers_are_measured() -> None:
    nested: Any = []
    for _ in range(20_000):
        nested = [nested]
    assert approx_chars(nested) == 40_002
    assert approx_chars(nested, "resumed") == 40_002
    assert approx_chars(nested, "content") == 0
    assert approx_chars(10**6_000) == 6_001
    assert measured_text([-(10**40_000) + 1], "map") == f"[-{'9' * 40_000}]"


def test_a_lone_surrogate_is_one_unit_and_an_emoji_two() -> None:
    assert approx_chars("\ud83d") == 1
    assert approx_chars("😀") == 2


def test_content_counts_words_only() -> None:
    item: Any = {
        "role": "user",
        "content": [
            {"type": "input_text", "text": "Look:"},
            {"type": "input_image", "image_url": {"url": "data:AAAA"}},
        ],
    }
    assert approx_chars(item, "content") == len("Look:")
    call: Any = {"tool_calls": [{"id": "call_1", "function": {"name": "grep", "arguments": "{}"}}]}
    assert approx_chars(call, "content") == 2


def test_wrong_measures_are_refused() -> None:
    with pytest.raises(ValueError, match="no such measure"):
        measure_items(["a"], "tokens")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="1 forms for 2 items"):
        measure_items(["a", "b"], ["map"])
