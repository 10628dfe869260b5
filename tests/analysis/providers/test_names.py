"""Which provider a session is for."""

from __future__ import annotations

from typing import Any

import pytest

from ctxviz.analysis.providers.names import PROVIDER_NAMES, provider_of
from ctxviz.session.formats import format_names
from ctxviz.session.model import Session
from tests.analysis.providers.examples import (
    answer,
    assistant,
    calls,
    function_call,
    function_output,
    reasoning,
    system,
    typed,
    user,
)

USE: Any = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
RESULT: Any = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "r"}
TYPED_CALLS: Any = {"type": "message", **calls("c1")}


def of(items: list[Any], format: str = "json-list") -> str:
    return provider_of(Session("made.json", "made.json", format, format, items))


@pytest.mark.parametrize(
    ("items", "provider"),
    [
        ([], "openai-chat"),
        ([user(), assistant(), system(), 3, None, "bare", [1], {}], "openai-chat"),
        ([user(), calls("c1"), answer("c1")], "openai-chat"),
        ([user(), function_call("c1"), function_output("c1")], "openai-responses"),
        ([typed("user", "q"), reasoning(), typed("assistant", "a")], "openai-responses"),
        ([typed("user", "q"), reasoning(), TYPED_CALLS, function_output("c1")], "openai-chat"),
        ([typed("user", "q"), TYPED_CALLS, function_output("c1")], "openai-chat"),
        ([user(), {"role": "assistant", "content": [USE]}], "anthropic"),
        ([{"role": "user", "content": [RESULT]}, user()], "anthropic"),
        ([user(), {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}], "anthropic"),
        ([user(), USE, RESULT], "anthropic"),
    ],
)
def test_by_the_items(items: list[Any], provider: str) -> None:
    assert of(items) == provider
    assert of(items, "ai4j-snapshot") == provider


@pytest.mark.parametrize(
    ("format", "provider"),
    [
        ("claude-code", "anthropic"),
        ("anthropic-messages", "anthropic"),
        ("codex", "openai-responses"),
        ("openai-responses", "openai-responses"),
        ("openai-agents", "openai-responses"),
        ("gemini", "gemini"),
        ("qwen-code", "dashscope"),
        ("openai-chat", "openai-chat"),
    ],
)
def test_by_the_format(format: str, provider: str) -> None:
    assert format in format_names()
    assert provider in PROVIDER_NAMES
    assert of([user(), assistant()], format) == provider


def test_a_long_session_is_not_read_whole() -> None:
    class Counted(list[Any]):
        read = 0

        def __getitem__(self, at: Any) -> Any:
            self.read += 1
            return super().__getitem__(at)

    items = Counted([calls("c1"), answer("c1")] * 50_000)
    session = Session("made.json", "made.json", "json-list", "json-list", items)
    assert session.kinds  # known before anyone asks for a provider
    items.read = 0
    assert provider_of(session) == "openai-chat"
    assert items.read <= 400
