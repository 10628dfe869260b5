"""Made-up sizes, items and budgets."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ctxviz.projection.budget import ContextBudget

SIZES = st.lists(st.one_of(st.integers(0, 12), st.integers(0, 400), st.sampled_from([0, 1, 5_000])), max_size=200)


def limits(greatest: int) -> st.SearchStrategy[int | None]:
    return st.one_of(st.none(), st.integers(-2, greatest), st.just(0))


BUDGETS = st.builds(
    ContextBudget,
    max_items=limits(220),
    max_approx_chars=st.one_of(limits(60), limits(20_000)),
    pinned_prefix_items=limits(220),
    max_recent_tool_results=limits(8),
    trim_old_reasoning=st.sampled_from([None, True, False]),
)

_TEXT = st.text(max_size=20)
_CALL_IDS = st.sampled_from(["a", "b", "c", "d", "é"])
_CALLS = st.one_of(
    st.fixed_dictionaries({"id": _CALL_IDS, "function": st.fixed_dictionaries({"name": _TEXT.filter(bool)})}),
    st.fixed_dictionaries({"id": _CALL_IDS, "name": _TEXT.filter(bool)}),
)
_ASSISTANT = st.fixed_dictionaries({"role": st.just("assistant"), "tool_calls": st.lists(_CALLS, max_size=3)})

ITEMS: st.SearchStrategy[list[Any]] = st.lists(
    st.one_of(
        st.none(),
        st.integers(),
        _TEXT,
        st.fixed_dictionaries({"role": st.sampled_from(["user", "system"]), "content": _TEXT}),
        _ASSISTANT,
        st.fixed_dictionaries({"role": st.just("assistant"), "content": st.lists(_ASSISTANT, max_size=2)}),
        st.fixed_dictionaries(
            {"type": st.just("function_call_output"), "output": _TEXT}, optional={"call_id": _CALL_IDS}
        ),
        st.fixed_dictionaries(
            {"type": st.just("reasoning"), "id": _TEXT}, optional={"summary": _TEXT, "content": _TEXT, "text": _TEXT}
        ),
    ),
    max_size=40,
)
