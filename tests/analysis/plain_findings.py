"""The findings about states and pairs restated as plainly as they can be, apart from the package."""

from __future__ import annotations

from typing import Any

from ctxviz.projection.budget import ContextBudget

Found = tuple[str, tuple[int, ...]]
"""A code and the items."""


def role(item: Any) -> str:
    return str(item.get("role", item.get("type", ""))) if isinstance(item, dict) else ""


def call_ids(item: Any) -> list[str]:
    if role(item) == "function_call":
        return [item["call_id"]]
    return [call["id"] for call in item.get("tool_calls", [])] if isinstance(item, dict) else []


def output_id(item: Any) -> str | None:
    is_output = role(item) in ("tool", "function_call_output")
    return (item.get("call_id") or item.get("tool_call_id")) if is_output else None


def plain_findings(items: list[Any], sizes: list[int], budget: ContextBudget, kept: list[int]) -> set[Found]:
    """All of them; `sizes` are of the list that went through the gates, `over-budget` stands without its items."""
    found: set[Found] = set()
    count, inside = len(items), set(kept)
    if not count:
        return found
    users = [i for i in range(count) if role(items[i]) == "user"]
    if not kept:
        found.add(("empty", ()))
    if count - 1 not in inside:
        found.add(("newest-lost", (count - 1,)))
    if users and not inside & set(users):
        found.add(("no-user", (users[0],)))
    if users and users[0] not in inside:
        found.add(("task-lost", (users[0],)))
    prefix = max(budget.pinned_prefix_items or 0, 0)
    for i in range(count):
        if i not in inside and i < prefix:
            found.add(("pinned-lost", (i,)))
        if i not in inside and role(items[i]) in ("system", "developer"):
            found.add(("system-lost", (i,)))
    limit = budget.max_approx_chars
    used = sum(sizes[i] for i in kept)
    if limit is not None and 0 <= limit < used:
        found.add(("over-budget", ()))

    survivors = list(range(count))
    most = budget.max_items
    if most is not None and 0 <= most < count:
        head = min(prefix, most)
        survivors = survivors[:head] + (survivors[-(most - head) :] if most > head else [])
        prefix = min(prefix, head)
    behind = [i for i in kept if i >= prefix]
    holes = [i for i in survivors if i >= prefix and i not in inside and behind and i > behind[0]]
    if holes:
        found.add(("hole", tuple(holes)))

    for i in range(count):
        answered = output_id(items[i])
        if role(items[i]) in ("tool", "function_call_output") and i in inside:
            before = [j for j in range(i) if answered is not None and answered in call_ids(items[j])]
            if not before or before[-1] not in inside:
                found.add(("orphan-output", (i,)))
        for call_id in call_ids(items[i]):
            if i not in inside:
                continue
            answers = []
            for j in range(i + 1, count):
                if output_id(items[j]) == call_id:
                    nearest = [k for k in range(j) if call_id in call_ids(items[k])][-1]
                    answers += [j] * (nearest == i)
            is_open = all(call_ids(items[j]) for j in range(i, count))
            if any(j not in inside for j in answers) or (not answers and not is_open):
                found.add(("orphan-call", (i,)))
    return found
