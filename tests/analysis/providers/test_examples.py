"""The twelve examples that the rules were gathered with, and what each provider says to them."""

from __future__ import annotations

from typing import Any

import pytest

from ctxviz.projection.budget import ContextBudget
from tests.analysis.providers.examples import (
    Items,
    answer,
    assistant,
    calls,
    function_call,
    function_output,
    judged,
    reasoning,
    system,
    typed,
    user,
)

A, B = "abcdefgh1", "abcdefgh2"
COLUMNS = (
    "openai-chat",
    "openai-responses",
    "anthropic",
    "gemini",
    "bedrock",
    "mistral",
    "deepseek",
    "dashscope",
    "glm",
)
EXAMPLES: dict[str, tuple[Items, str]] = {
    # E refuses, ? likely refuses, U unknown, T accepts: a letter for each of the columns above.
    "1": ([user(), calls(A), answer(A)], "T T T ? T T ? T T"),
    "2": ([answer(A), user()], "E E E E E E E E U"),
    "3": ([user(), calls(A), user("next")], "E E E E E E E E U"),
    "4": ([user(), calls(A, B), answer(A), user("next")], "E E E E E E E E U"),
    "5": ([user(), calls(A), user("wait"), answer(A)], "E T E E E E E ? U"),
    "6": ([user(), calls(A), answer(A), answer(A)], "E ? E E E E ? U U"),
    "7": ([assistant("hello"), user()], "T T T U E T U U U"),
    "8": ([system("summary of the past"), user()], "T T E E ? T T T T"),
    "9": ([user("q1"), user("q2")], "T T T T E T T U U"),
    "10": ([user(), assistant(""), user("again")], "T U E E E ? U ? U"),
    "11": ([user(), assistant("half an answer")], "T T E E E E U U U"),
}
ANSWERS = {"E": "refuses", "?": "likely refuses", "U": "unknown", "T": "accepts"}
CODES = {
    "2": "orphan-output",
    "3": "orphan-call",
    "4": "partial-parallel-answers",
    "5": "output-not-adjacent",
    "6": "duplicate-call-id",
    "7": "first-not-user",
    "8": "system-not-first",
    "9": "roles-not-alternating",
    "10": "empty-content",
    "11": "last-not-user-or-tool",
}


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("provider", COLUMNS)
def test_the_table(name: str, provider: Any) -> None:
    items, row = EXAMPLES[name]
    findings = judged(items, provider=provider)
    expected = ANSWERS[row.split()[COLUMNS.index(provider)]]
    assert findings.verdict.answer == expected
    if expected != "accepts" and name in CODES:
        assert CODES[name] in [finding.code for finding in findings]


def test_6_at_deepseek_is_unknown_once_the_reasoning_comes_back() -> None:
    items = [user(), calls(A, reasoning_content="so"), answer(A), answer(A)]
    assert judged(items, provider="deepseek").verdict.answer == "unknown"
    assert judged(items[:3], provider="deepseek").verdict.answer == "accepts"


@pytest.mark.parametrize(
    ("provider", "answer"),
    [("dashscope", "unknown"), ("glm", "unknown"), ("minimax", "likely refuses"), ("anthropic", "refuses")],
)
def test_8_beside_a_system_prompt(provider: Any, answer: str) -> None:
    """In ai4j the summary stands behind the system prompt, which is no item."""
    items = [typed("system", "summary of the past"), typed("user", "q")]
    assert judged(items, format="ai4j-snapshot", provider=provider).verdict.answer == answer


def test_10_as_ai4js_clients_send_it() -> None:
    items = [typed("user", "q"), typed("assistant", ""), typed("user", "again")]
    chat = judged(items, format="ai4j-snapshot", provider="openai-chat")
    assert [(one.code, one.items) for one in chat] == [("not-sent", (1,))]
    assert judged(items, format="ai4j-snapshot", provider="anthropic").verdict.answer == "accepts"


def test_11_by_model() -> None:
    items, _ = EXAMPLES["11"]
    for provider, model, expected in (
        ("anthropic", "claude-haiku-4-5", "accepts"),
        ("anthropic", "claude-opus-5", "refuses"),
        ("gemini", "gemini-3.6-flash", "refuses"),
        ("gemini", "gemini-3.5-flash-lite", "refuses"),
        ("gemini", "gemini-3.5-flash", "accepts"),
        ("gemini", "gemini-2.5-flash", "accepts"),
        ("bedrock", "anthropic.claude-3-7-sonnet", "accepts"),
    ):
        assert judged(items, provider=provider, model=model).verdict.answer == expected, model


def test_12a_reasoning_without_what_it_led_to() -> None:
    items = [typed("user", "q"), reasoning(), typed("user", "q2")]
    assert judged(items, format="openai-responses").verdict.answer == "refuses"
    own = [*items[:1], reasoning(encrypted_content="x"), *items[2:]]
    assert judged(own, format="openai-responses").verdict.answer == "accepts"
    for provider in ("openai-chat", "anthropic"):
        findings = judged(items, format="ai4j-snapshot", provider=provider)
        assert findings.verdict.answer == "accepts"
        assert 1 in findings.not_sent


def test_12b_a_call_without_its_reasoning() -> None:
    session = [user(), reasoning(), function_call(A, "fc_1"), function_output(A)]
    budget = ContextBudget(max_items=3, pinned_prefix_items=1)  # the reasoning is cut out
    findings = judged(session, format="openai-responses", budget=budget)
    assert [(one.code, one.items) for one in findings if one.severity == "error"] == [("call-without-reasoning", (2,))]
    without_id = [*session[:2], function_call(A), session[3]]
    assert judged(without_id, format="openai-responses", budget=budget).verdict.answer == "accepts"
    for provider in ("openai-chat", "anthropic"):
        findings = judged(session, format="ai4j-snapshot", provider=provider, budget=budget)
        assert findings.verdict.answer == "refuses"
        assert ("orphan-output", (3,)) in [(one.code, one.items) for one in findings]


def test_a_run_that_ended_with_its_answer_is_no_request() -> None:
    items = [user(), assistant("done"), user("next"), assistant("done as well")]
    assert judged(items, format="anthropic-messages").verdict.answer == "refuses"
    assert judged(items, format="claude-code").verdict.answer == "accepts"
    budget = ContextBudget(max_items=2, pinned_prefix_items=2)  # the list ends within the session
    assert "last-not-user-or-tool" in [one.code for one in judged(items, format="claude-code", budget=budget)]
