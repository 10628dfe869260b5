"""Every rule has a list that shows it and one that just avoids it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ctxviz.analysis.providers.names import PROVIDER_NAMES
from ctxviz.analysis.providers.rules import RULES, Rule, Rules
from ctxviz.projection.budget import ContextBudget
from tests.analysis.providers.examples import (
    Items,
    answer,
    assistant,
    calls,
    codes,
    function_call,
    function_output,
    judged,
    reasoning,
    system,
    typed,
    user,
)

A, B = "abcdefgh1", "abcdefgh2"
OR = "openai-responses"
THOUGHT: Any = {"type": "thinking", "thinking": "hm", "signature": "s"}
USE: Any = {"type": "tool_use", "id": A, "name": "f", "input": {}}
RESULT: Any = {"type": "tool_result", "tool_use_id": A, "content": "r"}
TEXT: Any = {"type": "text", "text": "t"}
IMAGE: Any = {"type": "input_image", "image_url": "https://example.org/a.png"}

CUT = ContextBudget(max_items=3, pinned_prefix_items=1)
CUT_AT_THE_END = ContextBudget(max_items=2, pinned_prefix_items=2)


def with_image(url: Any) -> Any:
    return {"type": "message", "role": "user", "content": [{**IMAGE, "image_url": url}]}


def signed(call_id: str) -> Any:
    made = calls(call_id)
    made["tool_calls"][0]["extra_content"] = {"google": {"thought_signature": "s"}}
    return made


def said(text: str) -> Any:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def result() -> Any:
    return {"role": "user", "content": [RESULT]}


LISTS: dict[str, tuple[Items, Items]] = {
    "orphan_output": ([user(), answer(A), user()], [user(), calls(A), answer(A)]),
    "orphan_call": ([user(), calls(A), user()], [user(), calls(A), answer(A)]),
    "partly_answered": ([user(), calls(A, B), answer(A), user()], [user(), calls(A, B), answer(A), answer(B)]),
    "apart": ([user(), calls(A), user(), answer(A)], [user(), calls(A), answer(A)]),
    "text_before_result": (
        [user(), {"role": "assistant", "content": [USE]}, {"role": "user", "content": [TEXT, RESULT]}],
        [user(), {"role": "assistant", "content": [USE]}, {"role": "user", "content": [RESULT, TEXT]}],
    ),
    "reasoning_without_follower": ([user(), reasoning(), user()], [user(), reasoning(), assistant(), user()]),
    "reasoning_without_summary": (
        [user(), {"type": "reasoning", "id": "rs_1", "output": "[reasoning cleared]"}, assistant()],
        [user(), reasoning(), assistant()],
    ),
    "turn_without_thinking": (
        [
            {"role": "assistant", "content": [THOUGHT]},
            {"role": "assistant", "content": [{**USE, "id": B}]},
            {"role": "user", "content": [{**RESULT, "tool_use_id": B}]},
            user("next"),
            {"role": "assistant", "content": [USE]},
            {"role": "user", "content": [RESULT]},
        ],
        [user(), {"role": "assistant", "content": [THOUGHT, USE]}, {"role": "user", "content": [RESULT]}],
    ),
    "unsigned_call": ([user(), calls(A), answer(A)], [user(), calls(A, extra_content={"google": {}}), answer(A)]),
    "call_without_reasoning_content": (
        [user(), calls(A), answer(A)],
        [user(), calls(A, reasoning_content="so"), answer(A)],
    ),
    "first_is_call": ([calls(A), answer(A), user()], [user(), calls(A), answer(A)]),
    "first_not_user": ([assistant(), user()], [user(), assistant(), user()]),
    "first_is_output": ([answer(A), user()], [user(), calls(A), answer(A)]),
    "call_after_model": ([user(), assistant(), calls(A), answer(A)], [user(), calls(A), answer(A)]),
    "system_first": ([system(), user()], [user(), assistant(), user()]),
    "system_misplaced": ([user(), system(), user()], [user(), assistant(), user()]),
    "system_placed": ([user(), system(), assistant(), user()], [user(), assistant(), user()]),
    "system_after_model": ([user(), assistant(), system(), user()], [user(), system(), assistant(), user()]),
    "system_later": ([user(), system(), user()], [user(), assistant(), user()]),
    "developer": ([{"role": "developer", "content": "s"}, user()], [system(), user()]),
    "null_content": ([user(), assistant(None), user()], [user(), assistant("a"), user()]),
    "no_content_key": (
        [user(), {"role": "assistant", "tool_calls": calls(A)["tool_calls"]}, answer(A)],
        [user(), calls(A), answer(A)],
    ),
    "empty_content": ([user(), assistant(), user("")], [user(), assistant(), user(" .")]),
    "blank_content": ([user(), assistant(), user(" \n")], [user(), assistant(), user(" .")]),
    "last_null": ([user(), assistant(None)], [user(), assistant("a")]),
    "last_empty": ([user(), assistant("")], [user(), assistant("a")]),
    "empty_text_beside_calls": (
        [user(), {**calls(A), "content": ""}, answer(A)],
        [user(), {**calls(A), "content": "t"}, answer(A)],
    ),
    "empty_block_beside_calls": (
        [user(), {"role": "assistant", "content": [{**TEXT, "text": ""}, USE]}, {"role": "user", "content": [RESULT]}],
        [user(), {"role": "assistant", "content": [TEXT, USE]}, {"role": "user", "content": [RESULT]}],
    ),
    "empty_assistant": ([user(), assistant(""), user()], [user(), assistant("a"), user()]),
    "answered_twice": ([user(), calls(A), answer(A), answer(A)], [user(), calls(A, B), answer(A), answer(B)]),
    "call_id_reused": (
        [user(), calls(A), answer(A), calls(A), answer(A)],
        [user(), calls(A), answer(A), calls(B), answer(B)],
    ),
    "call_id_twice": ([user(), calls(A, A), answer(A)], [user(), calls(A, B), answer(A), answer(B)]),
    "item_id_repeated": (
        [user(), function_call(A, "fc_1"), function_output(A), function_call(B, "fc_1"), function_output(B)],
        [user(), function_call(A, "fc_1"), function_output(A), function_call(B, "fc_2"), function_output(B)],
    ),
    "call_id_over_64": ([user(), calls("c" * 65), answer("c" * 65)], [user(), calls("c" * 40), answer("c" * 40)]),
    "call_id_over_40": ([user(), calls("c" * 41), answer("c" * 41)], [user(), calls("c" * 40), answer("c" * 40)]),
    "call_id_letters": ([user(), calls("a.b"), answer("a.b")], [user(), calls("a_b-1"), answer("a_b-1")]),
    "call_id_not_nine": ([user(), calls("call_1234"), answer("call_1234")], [user(), calls(A), answer(A)]),
    "id_not_fc": (
        [user(), function_call(A, "call_1"), function_output(A)],
        [user(), function_call(A, "fc_1"), function_output(A)],
    ),
    "assistant_input_text": (
        [user(), typed("assistant", "a"), user()],
        [user(), {"role": "assistant", "content": [{"type": "output_text", "text": "a"}]}, user()],
    ),
    "image_url_object": ([with_image({"url": "https://example.org/a.png"})], [with_image("https://example.org/a.png")]),
    "image_part": (
        [user([{"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}])],
        [user([{"type": "text", "text": "q"}])],
    ),
    "tool_calls_field": (
        [user(), {"type": "message", **calls(A)}, function_output(A)],
        [user(), function_call(A), function_output(A)],
    ),
    "roles_repeat": ([user(), user()], [user(), assistant(), user()]),
    "user_after_tool": ([user(), calls(A), answer(A), user()], [user(), calls(A), answer(A), assistant(), user()]),
    "user_after_tool_message": (
        [user(), calls(A), answer(A), user()],
        [
            user(),
            {"role": "assistant", "content": [USE]},
            *({"role": "user", "content": [one]} for one in (RESULT, TEXT)),
        ],
    ),
    "last_is_model": ([user(), assistant()], [user(), assistant(), user()]),
    "no_message": ([], [user()]),
    "system_only": ([system()], [system(), user()]),
}
"""By check: a list that shows it, and one that just avoids it."""

CUT_LISTS: dict[str, tuple[Items, ContextBudget, ContextBudget]] = {
    "orphan_reasoning": (
        [user(), reasoning(), assistant(), user()],
        ContextBudget(max_items=3, pinned_prefix_items=2),
        ContextBudget(max_items=4, pinned_prefix_items=2),
    ),
    "cut_follower": (
        [user(), reasoning(), function_call(A, "fc_1"), function_output(A)],
        ContextBudget(max_items=3, pinned_prefix_items=1),
        ContextBudget(max_items=4, pinned_prefix_items=1),
    ),
    "bound_after_cut": (
        [user(), assistant(), user("next"), {"role": "assistant", "content": [THOUGHT, TEXT]}, user()],
        ContextBudget(max_items=3),
        ContextBudget(max_items=5),
    ),
}
MODELS = {
    r"^o1-(mini|preview)": "o1-mini",
    "thinking": "kimi-k2-thinking",
    r"claude-(2|instant)": "claude-2.1",
    r"gemini-1\.0": "gemini-1.0-pro",
    "deepseek-reasoner": "deepseek-reasoner",
    "preserved thinking": "claude-opus-5-5",
}
"""A model for each condition that is not one of the named ones."""


def model_for(rule: Rule) -> str | None:
    if not rule.model:
        return None
    known = [*MODELS.values(), "claude-3-7-sonnet", "claude-opus-5", "gemini-2.5-flash"]
    return next(name for name in known if re.search(rule.model, name))


def severity(rule: Rule) -> str:
    return {"E": "error", "E?": "likely", "U": "unknown"}[rule.grade]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.provider}-{rule.check}-{rule.model}")
def test_a_list_that_shows_it_and_one_that_just_avoids_it(rule: Rule) -> None:
    model = model_for(rule)
    cut = None
    if rule.check in CUT_LISTS:
        items, cut, whole = CUT_LISTS[rule.check]
        shows = judged(items, provider=rule.provider, model=model, budget=cut)
        avoids = judged(items, provider=rule.provider, model=model, budget=whole)
    elif rule.check == "no_message":
        shows = judged([user()], provider=rule.provider, model=model, budget=ContextBudget(max_items=0))
        avoids = judged([user()], provider=rule.provider, model=model)
        assert shows.verdict.finding is not None
        assert shows.verdict.finding.code == "empty"
        assert avoids.verdict.answer == "accepts"
        return
    else:
        items, others = LISTS[rule.check]
        shows = judged(items, provider=rule.provider, model=model)
        avoids = judged(others, provider=rule.provider, model=model)
    if rule.grade == "T":
        assert rule.code not in codes(shows)
        assert rule.code in codes(judged(items, provider=rule.provider, budget=cut))  # what is silenced
        return
    assert codes(shows)[rule.code] == severity(rule)
    assert rule.code not in codes(avoids)


def test_the_rules_are_whole() -> None:
    assert {rule.provider for rule in RULES} == set(PROVIDER_NAMES)
    assert set(LISTS) | set(CUT_LISTS) == {rule.check for rule in RULES}
    for rule in RULES:
        assert rule.source
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", rule.date)
    keys = [(rule.check, rule.provider, rule.model) for rule in RULES]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("check", "provider", "grades"),
    [
        (
            "last_is_model",
            "anthropic",
            {
                "claude-3-7-sonnet-20250219": None,
                "claude-sonnet-4-20250514": None,
                "claude-opus-4@20250514": None,
                "claude-sonnet-4.5": None,
                "claude-haiku-4-5": None,
                "claude-sonnet-4-6": "E",
                "claude-opus-5": "E",
            },
        ),
        ("turn_without_thinking", "anthropic", {"claude-sonnet-4-6": "E?", "claude-opus-4-7": None, None: None}),
        (
            "system_placed",
            "anthropic",
            {"claude-opus-4-8": None, "claude-sonnet-5": "E?", "claude-sonnet-5-5": None, "claude-haiku-4-5": "E?"},
        ),
        ("system_first", "anthropic", {"claude-opus-4-8": "E", "claude-haiku-4-5": "E"}),
        (
            "bound_after_cut",
            "anthropic",
            {
                "claude-fable-5-1": "E?",
                "claude-opus-5-5": "E?",
                "claude-opus-5": None,
                "claude-fable-5": None,
                None: "U",
            },
        ),
        (
            "last_is_model",
            "gemini",
            {
                "gemini-2.5-flash-lite": None,
                "gemini-3-pro-preview": None,
                "gemini-3.1-flash-lite": None,
                "gemini-3.5-flash": None,
                "gemini-3.5-flash-lite": "E",
                "gemini-3.6-flash": "E",
            },
        ),
        ("last_is_model", "bedrock", {"us.anthropic.claude-sonnet-4-6": "E", "amazon.nova-pro": "U", None: "E"}),
        ("unsigned_call", "gemini", {"gemini-2.5-pro": None, "gemini-3-pro-preview": "E?"}),
    ],
)
def test_the_models_name_decides(check: str, provider: Any, grades: dict[str | None, str | None]) -> None:
    for model, grade in grades.items():
        found = Rules().rule(check, provider, model)
        assert (found.grade if found else None) == grade, model


@pytest.mark.parametrize(
    ("items", "provider"),
    [
        # A refusal has no content and is not empty.
        ([user(), {**assistant(None), "refusal": "no"}, user()], "openai-chat"),
        # The built-in tools' calls have no content.
        ([user(), {"type": "mcp_call", "id": "mcp_1", "name": "f", "arguments": "{}", "output": "r"}, user()], OR),
        # Signed in the call, as Google's own OpenAI-compatible answers are.
        ([user(), signed(A), answer(A)], "gemini"),
        # Read out of a shape without signatures.
        ([user(), function_call(A), function_output(A)], "gemini"),
        # Reasoning that OpenAI did not store.
        ([user(), {"type": "reasoning", "summary": []}, user()], OR),
        # One turn of the model's in several items.
        ([user(), function_call(A), function_output(A), said("so"), function_call(B), function_output(B)], "bedrock"),
        # A result and a text of one message.
        ([user(), {"role": "assistant", "content": [USE]}, result(), {"role": "user", "content": [TEXT]}], "bedrock"),
        # Parallel calls in neighbouring items, answered in another order.
        ([user(), function_call(A), function_call(B), function_output(B), function_output(A)], "openai-chat"),
        # What is no message neither begins nor ends a list.
        ([{"type": "mcp_list_tools", "tools": []}, user(), {"type": "compaction"}], "bedrock"),
        # The last assistant message may be empty.
        ([user(), assistant("")], "anthropic"),
    ],
)
def test_what_is_well(items: Items, provider: Any) -> None:
    model = "claude-haiku-4-5" if provider == "anthropic" else None
    assert judged(items, provider=provider, model=model).verdict.answer == "accepts"


def test_a_turn_that_begins_with_reasoning_begins_with_what_that_led_to() -> None:
    items = [reasoning(), function_call(A, "fc_1"), function_output(A), user()]
    found = [(one.code, tuple(one.items)) for one in judged(items, provider="gemini") if one.code == "first-not-user"]
    assert found == [("first-not-user", (1,))]
    assert codes(judged(items, provider="gemini"))["first-not-user"] == "error"


def test_a_users_rule_goes_before_all_others() -> None:
    def grade(rules: Rules, model: str | None) -> str | None:
        found = rules.rule("last_is_model", "anthropic", model)
        return found.grade if found else None

    assert [grade(Rules(), model) for model in (None, "claude-haiku-4-5", "claude-next")] == ["E", None, "E"]
    own = Rule("last-not-user-or-tool", "", "anthropic", "claude-next", "T", "seen today", "2026-12-01")
    assert [grade(Rules([own]), model) for model in (None, "claude-haiku-4-5", "claude-next")] == ["E", None, None]
    for_all = Rule("last-not-user-or-tool", "", "anthropic", "", "U", "seen today", "2026-12-01")
    assert [grade(Rules([for_all, own]), model) for model in (None, "claude-haiku-4-5", "claude-next")] == [
        "U",
        "U",
        None,
    ]
