"""What ai4j's clients make of a list: each row of the table of its conversions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxviz.analysis.providers.entries import entry_of
from ctxviz.analysis.providers.observations import Observations
from ctxviz.analysis.providers.request import Client, NotSent, client_of, request, sent
from ctxviz.projection.measure import approx_chars
from tests.analysis.providers.examples import function_call, function_output, judged, reasoning, typed, user
from tests.session.test_item import ITEMS

CALL: Any = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
TYPED_CALL: Any = {"type": "message", "role": "assistant", "tool_calls": [CALL]}
IMAGE: Any = {"type": "input_image", "image_url": {"url": "https://example.org/a.png"}}

CHAT: list[tuple[Any, Any]] = [
    (typed("user", "hi", " you"), {"role": "user", "content": "hi you"}),
    (
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "see"}, IMAGE]},
        {
            "role": "user",
            "content": [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": IMAGE["image_url"]}],
        },
    ),
    (TYPED_CALL, {"role": "assistant", "tool_calls": [CALL]}),
    (
        {**typed("assistant", "so"), "tool_calls": [CALL]},
        {"role": "assistant", "content": "so", "tool_calls": [CALL]},
    ),
    (function_output("c1"), {"role": "tool", "tool_call_id": "c1", "content": "r"}),
    (typed("system", "summary"), {"role": "system", "content": "summary"}),
    (user(), user()),
    (
        {"type": "message", "role": "user", "content": [{"type": "input_image", "image_url": "https://example.org/b"}]},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://example.org/b"}}]},
    ),
    # ToolCall has no place for what else a call has, and takes its arguments as text.
    (
        {**TYPED_CALL, "tool_calls": [{**CALL, "extra_content": {}, "function": {"name": "f", "arguments": {"a": 1}}}]},
        {"role": "assistant", "tool_calls": [{**CALL, "function": {"name": "f", "arguments": "{a=1}"}}]},
    ),
    # Calls of anyone but the assistant, and what is no call, are not read.
    ({**typed("user", "hi"), "tool_calls": [CALL]}, {"role": "user", "content": "hi"}),
    ({**typed("assistant", "so"), "tool_calls": [3, {"id": "c"}]}, {"role": "assistant", "content": "so"}),
    ({**function_output("c1"), "output": {"a": [1]}}, {"role": "tool", "tool_call_id": "c1", "content": "{a=[1]}"}),
]
MESSAGES: list[tuple[Any, Any]] = [
    (typed("user", "hi"), {"role": "user", "content": "[{type=input_text, text=hi}]"}),
    ({"type": "message", "role": "user", "content": []}, {"role": "user", "content": "[]"}),
    ({"type": "message", "role": "user", "content": ""}, {"role": "user", "content": ""}),
    ({"type": "message", "role": "user"}, {"role": "user"}),
    ({"type": "message", "content": "hi"}, {"role": "user", "content": "hi"}),
    (
        {**TYPED_CALL, "content": ""},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {"a": 1}}]},
    ),
    (
        {"type": "function_call_output", "call_id": "c1", "output": None},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1"}]},
    ),
    (
        {**typed("assistant", "so"), "tool_calls": [CALL]},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "[{type=input_text, text=so}]"},
                {"type": "tool_use", "id": "c1", "name": "f", "input": {"a": 1}},
            ],
        },
    ),
    (
        {
            "type": "message",
            "role": "assistant",
            "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": " "}}],
        },
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f"}]},
    ),
    (
        {
            "type": "message",
            "role": "assistant",
            "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "x"}}],
        },
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": "x"}]},
    ),
    (
        function_output("c1"),
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "r"}]},
    ),
    (typed("system", "s"), {"role": "system", "content": "[{type=input_text, text=s}]"}),
]


@pytest.mark.parametrize(("item", "message"), CHAT)
def test_chat(item: Any, message: Any) -> None:
    assert sent(item, "ChatModelClient") == message


@pytest.mark.parametrize(("item", "message"), MESSAGES)
def test_messages(item: Any, message: Any) -> None:
    assert sent(item, "MessagesModelClient") == message


@pytest.mark.parametrize("item", [typed("user", "hi"), reasoning(), function_call("c", "fc_1"), TYPED_CALL])
def test_responses_as_they_are(item: Any) -> None:
    assert sent(item, "ResponsesModelClient") is item


@pytest.mark.parametrize(
    ("client", "item"),
    [
        ("ChatModelClient", typed("assistant", "")),
        ("ChatModelClient", {"type": "message", "role": "assistant", "content": []}),
        ("ChatModelClient", {"type": "message", "role": "user"}),
        ("ChatModelClient", {"type": "function_call_output", "call_id": None, "output": "r"}),
        ("ChatModelClient", {"type": "function_call_output", "call_id": "c"}),
        (
            "ChatModelClient",
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]},
        ),
        ("ChatModelClient", {"type": "message", "content": [{"type": "input_text", "text": "nobody's"}]}),
        ("ChatModelClient", {"type": "message", "role": "user", "content": [{**IMAGE, "image_url": {}}]}),
        ("ChatModelClient", "bare"),
        ("MessagesModelClient", None),
        ("ChatModelClient", {"type": 3}),
        ("ChatModelClient", reasoning()),
        ("ChatModelClient", function_call("c", "fc_1")),
        ("MessagesModelClient", reasoning()),
        ("MessagesModelClient", function_call("c", "fc_1")),
    ],
)
def test_left_out(client: Client, item: Any) -> None:
    made = sent(item, client)
    assert isinstance(made, NotSent)
    assert client in made.why


def test_a_request_says_what_each_message_was_made_of() -> None:
    made = request([(4, typed("user", "q")), (5, reasoning()), (7, function_output("c"))], "ChatModelClient")
    assert [message["role"] for message in made.messages if isinstance(message, dict)] == ["user", "tool"]
    assert (made.items, list(made.not_sent)) == ((4, 7), [5])


def test_each_provider_has_a_client() -> None:
    assert (client_of("openai-chat"), client_of("openai-responses"), client_of("anthropic"), client_of("gemini")) == (
        "ChatModelClient",
        "ResponsesModelClient",
        "MessagesModelClient",
        "ChatModelClient",
    )


def test_the_text_of_a_list_is_as_long_as_it_is_measured() -> None:
    content: Any = [{"type": "input_text", "text": "hü"}, None, 1.5, True]
    made = sent({"type": "message", "role": "user", "content": content}, "MessagesModelClient")
    assert isinstance(made, dict)
    assert len(str(made["content"])) == approx_chars(content)


@given(st.lists(ITEMS, max_size=8), st.sampled_from(["ai4j-snapshot", "json-list"]))
def test_nothing_raises_whatever_the_items_are(items: list[Any], format: str) -> None:
    findings = judged(items, format=format)
    assert len(findings.verdicts) == 13
    for client in ("ChatModelClient", "ResponsesModelClient", "MessagesModelClient"):
        request(enumerate(items), client)
    entries = [entry_of(item) for item in items]
    assert Observations(range(len(items)), entries, has_prompt=False, between=None).seen is not None
