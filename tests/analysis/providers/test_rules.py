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
THOUGHT: Any = {"type": "thinking", "thinking": "hm", "signature": "s"}
USE: Any = {"type": "tool_use", "id": A, "name": "f", "input": {}}
RESULT: Any = {"type": "tool_result", "tool_use_id": A, "content": "r"}
TEXT: Any = {"type": "text", "text": "t"}
IMAGE: Any = {"type": "input_image", "image_url": "https://example.org/a.png"}

CUT = ContextBudget(max_items=3, pinned_prefix_items=1)
CUT_AT_THE_END = ContextBudget(max_items=2, pinned_prefix_items=2)


def with_image(url: Any) -> Any:
    return {"type": "message", "role": "user", "content": [{**IMAGE, "image_url": url}]}


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
    "system_later": ([user(), system(), user()], [system(), user(), assistant(), user()]),
    "developer": ([{"role": "developer", "content": "s"}, user()], [system(), user()]),
    "null_content": ([user(), assistant(None), user()], [user(), assistant("a"), user()]),
    "no_content_key": (
        [user(), {"role": "assistant", "tool_calls": calls(A)["tool_calls"]}, answer(A)],
        [user(), calls(A), answer(A)],
    ),
    "empty_content": ([user(), assistant(), user("")], [user(), assistant(), user(" .")]),
    "blank_content": ([user(), assistant(), user(" \n")], [user(), assistant(), user(" .")]),
    "empty_text_beside_calls": (
        [user(), {"role": "assistant", "content": [{**TEXT, "text": ""}, USE]}, {"role": "user", "content": [RESULT]}],
        [user(), {"role": "assistant", "content": [TEXT, USE]}, {"role": "user", "content": [RESULT]}],
    ),
    "empty_assistant": ([user(), assistant(""), user()], [user(), assistant("a"), user()]),
    "answered_twice": ([user(), calls(A), answer(A), answer(A)], [user(), calls(A, B), answer(A), answer(B)]),
    "call_id_reused": (
        [user(), calls(A), answer(A), calls(A), answer(A)],
        [user(), calls(A), answer(A), calls(B), answer(B)],
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
    "tool_calls_field": (
        [user(), {"type": "message", **calls(A)}, function_output(A)],
        [user(), function_call(A), function_output(A)],
    ),
    "roles_repeat": ([user(), user()], [user(), assistant(), user()]),
    "user_after_tool": ([user(), calls(A), answer(A), user()], [user(), calls(A), answer(A), assistant(), user()]),
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
}
MODELS = {
    r"^o1-(mini|preview)": "o1-mini",
    "thinking": "kimi-k2-thinking",
    r"claude-(2|instant)": "claude-2.1",
    r"gemini-1\.0": "gemini-1.0-pro",
    "deepseek-reasoner": "deepseek-reasoner",
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
        shows, avoids = (judged(items, provider=rule.provider, model=model) for items in LISTS[rule.check])
    if rule.grade == "T":
        others = [one for one in RULES if (one.provider, one.code) == (rule.provider, rule.code) and one is not rule]
        assert others  # what is silenced
        assert rule.code not in codes(shows)
        assert rule.code in codes(judged(LISTS[rule.check][0], provider=rule.provider))
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
