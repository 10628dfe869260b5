"""ai4j's type-aware projector: old tool results and old reasoning are cleared before the gates."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload
from weakref import WeakKeyDictionary

from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.json_value import Json
from ctxviz.projection.measure import Form, Measure, approx_chars
from ctxviz.projection.projection import ContextProjection
from ctxviz.projection.projector import run_gates
from ctxviz.projection.source import Items, Source, as_source


class TypeAwareContextProjector:
    """ai4j's ``TypeAwareContextProjector`` (commit 6955545).

    Tier 1 (`maxRecentToolResults` set) replaces all but the latest tool outputs by a placeholder,
    tier 2 (`trimOldReasoning`) empties the reasoning before the last user item; then the default
    rule runs on the rewritten list. Only maps are seen: live provider objects pass untouched.
    """

    def project(
        self, items: Items, budget: ContextBudget | None, *, measure: Measure | Sequence[Form] = "live"
    ) -> ContextProjection:
        """Project the items; see `ContextProjector.project`. `cleared` of the result has the placeholders."""
        original = as_source(items, measure)
        budget = budget or ContextBudget()
        rewriting = _rewriting(original, budget.tool_results, bool(budget.trim_old_reasoning))
        return run_gates(rewriting.source, budget, original=original, cleared=rewriting.cleared, notes=rewriting.notes)


@dataclass(frozen=True, eq=False)
class _Rewriting:
    source: Source
    cleared: dict[int, Json]
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Facts:
    """What the tiers need to know of a list: found once, whatever the budget."""

    outputs: list[int]
    old_reasoning: list[int]
    tool_names: dict[str, str]
    rewritings: dict[tuple[int | None, bool], _Rewriting]


_facts: WeakKeyDictionary[Source, _Facts] = WeakKeyDictionary()
_REWRITINGS_KEPT = 4


def _rewriting(source: Source, tool_results: int | None, trim: bool) -> _Rewriting:
    facts = _facts_of(source)
    made = facts.rewritings.get((tool_results, trim))
    if made is None:
        made = _rewrite(source, facts, tool_results, trim)
        if len(facts.rewritings) == _REWRITINGS_KEPT:
            del facts.rewritings[next(iter(facts.rewritings))]
        facts.rewritings[tool_results, trim] = made
    return made


def _facts_of(source: Source) -> _Facts:
    facts = _facts.get(source)
    if facts is None:
        facts = _facts[source] = _find_facts(source)
    return facts


def _find_facts(source: Source) -> _Facts:
    outputs: list[int] = []
    reasoning: list[int] = []
    names: dict[str, str] = {}
    last_user = len(source)
    for index, item in enumerate(source.items):
        if not isinstance(item, dict) or not source.is_map(index):
            continue
        kind = item.get("type")
        if kind == "function_call_output":
            outputs.append(index)
        elif kind == "reasoning":
            reasoning.append(index)
        if item.get("role") == "user":
            last_user = index
        names.update(_tool_names(item))
    old_reasoning = [index for index in reasoning if index < last_user]
    return _Facts(outputs, old_reasoning, names, {})


def _tool_names(item: dict[str, Json]) -> Iterator[tuple[str, str]]:
    """The call ids and tool names of a map item, also of the maps in its `content` list."""
    calls = item.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        if not isinstance(call, dict):
            continue
        function = call.get("function")
        name = call.get("name") or (function.get("name") if isinstance(function, dict) else None)
        if isinstance(call.get("id"), str) and isinstance(name, str):
            yield call["id"], name  # type: ignore[misc]
    content = item.get("content")
    for part in content if isinstance(content, list) else []:
        if isinstance(part, dict):
            yield from _tool_names(part)


def _rewrite(source: Source, facts: _Facts, tool_results: int | None, trim: bool) -> _Rewriting:
    cleared: dict[int, Json] = {}
    notes = []
    if tool_results is not None:
        old = facts.outputs[: max(len(facts.outputs) - tool_results, 0)]
        for index in old:
            cleared[index] = _cleared_output(source.items[index], facts.tool_names)
        if old:
            notes.append(f"tier1 microcompact: cleared {len(old)} old tool result(s), kept recent {tool_results}")
    if trim and facts.old_reasoning:
        for index in facts.old_reasoning:
            cleared[index] = _cleared_reasoning(source.items[index])
        notes.append(f"tier2 reasoning-trim: cleared {len(facts.old_reasoning)} reasoning item(s)")
    if not cleared:
        return _Rewriting(source, cleared, ())
    sizes = array("q", source.sizes)
    # A rewritten item is a new live map, whatever its form was before.
    measure: Measure = "content" if source.measure == "content" else "live"
    for index, item in cleared.items():
        sizes[index] = approx_chars(item, measure)
    return _Rewriting(Source(_Rewritten(source.items, cleared), source.measure, sizes), cleared, tuple(notes))


class _Rewritten(Sequence[Json]):
    """Items with placeholders in the places of some; the others are not looked at before they are asked for."""

    def __init__(self, items: Sequence[Json], cleared: dict[int, Json]) -> None:
        self._items = items
        self._cleared = cleared

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> Json: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Json]: ...
    def __getitem__(self, index: int | slice) -> Json | Sequence[Json]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        return self._cleared[at] if at in self._cleared else self._items[at]


def _cleared_output(item: Json, tool_names: dict[str, str]) -> Json:
    assert isinstance(item, dict)  # `_find_facts` lists maps only
    call_id = item.get("call_id")
    if call_id is None:
        return {"type": "function_call_output", "call_id": None, "output": "[tool result cleared]"}
    name = tool_names.get(str(call_id))
    label = f"{name}({call_id})" if name else call_id
    return {"type": "function_call_output", "call_id": call_id, "output": f"[tool result cleared: {label}]"}


def _cleared_reasoning(item: Json) -> Json:
    assert isinstance(item, dict)  # as above
    kept = {key: value for key, value in item.items() if key not in ("summary", "content", "text")}
    return {**kept, "output": "[reasoning cleared]"}


def knows(source: Source) -> bool:
    """Whether what the tiers need to know of a list is known already: to find it goes over all items."""
    return source in _facts


def tool_outputs(source: Source) -> Sequence[int]:
    """The places of the items that `maxRecentToolResults` counts, oldest first."""
    return _facts_of(source).outputs
