"""The contract restated as plainly as it can be, and apart from the package, to be held against it."""

from __future__ import annotations

from typing import Any

from ctxviz.projection.budget import ContextBudget


def plain_kept(sizes: list[int], budget: ContextBudget) -> tuple[list[int], bool, bool]:
    """The kept indices, and whether gate 1 and gate 2 were applied."""
    items = list(range(len(sizes)))
    max_items, max_chars, pinned = budget.max_items, budget.max_approx_chars, max(budget.pinned_prefix_items or 0, 0)
    item_limit_applied = char_limit_applied = False
    if max_items is not None and max_items >= 0 and len(items) > max_items:
        head = min(pinned, max_items)
        tail = max_items - head
        items = items[:head] + (items[-tail:] if tail else [])
        item_limit_applied = True
    if max_chars is not None and max_chars >= 0 and sum(sizes[i] for i in items) > max_chars:
        before = items
        prefix, rest = items[:pinned], items[pinned:]
        used, kept = 0, []
        for part in (prefix, rest[::-1]):
            first = True
            for i in part:
                if max_chars > 0 and (first or used + sizes[i] <= max_chars):
                    kept.append(i)
                    used += sizes[i]
                    first = False
        items = sorted(kept)
        char_limit_applied = len(items) < len(before)
    return items, item_limit_applied, char_limit_applied


def plain_walk(sizes: list[int], budget: ContextBudget) -> list[tuple[int, int, bool, bool]]:
    """What gate 2 decides, in its order: (index, used before it, kept, forced); empty if it has nothing to decide."""
    items, limit = list(range(len(sizes))), budget.max_approx_chars
    most, pinned = budget.max_items, max(budget.pinned_prefix_items or 0, 0)
    if most is not None and 0 <= most < len(items):
        head = min(pinned, most)
        items = items[:head] + items[len(items) - (most - head) :]
    if limit is None or limit <= 0 or sum(sizes[i] for i in items) <= limit:
        return []
    walk, used = [], 0
    for part in (items[:pinned], items[pinned:][::-1]):
        first = True
        for i in part:
            fits = used + sizes[i] <= limit
            keep = fits or first
            walk.append((i, used, keep, keep and not fits))
            if keep:
                used += sizes[i]
                first = False
    return walk


def plain_rewritten(items: list[Any], budget: ContextBudget) -> tuple[list[Any], list[str]]:
    """The list that the type-aware projector sends through the gates, and its notes."""
    names: dict[str, str] = {}

    def collect(item: Any) -> None:
        if isinstance(item, dict):
            for call in item.get("tool_calls") or []:
                names[call["id"]] = call.get("name") or call["function"]["name"]
            for part in item["content"] if isinstance(item.get("content"), list) else []:
                collect(part)

    for item in items:
        collect(item)
    result, notes = list(items), []
    keep = budget.max_recent_tool_results
    if keep is not None and keep >= 0:
        outputs = [
            i for i, item in enumerate(items) if isinstance(item, dict) and item.get("type") == "function_call_output"
        ]
        old = outputs[: len(outputs) - keep] if keep < len(outputs) else []
        for i in old:
            call_id = items[i].get("call_id")
            name = names.get(call_id)
            label = "" if call_id is None else f": {name}({call_id})" if name else f": {call_id}"
            result[i] = {"type": "function_call_output", "call_id": call_id, "output": f"[tool result cleared{label}]"}
        if old:
            notes.append(f"tier1 microcompact: cleared {len(old)} old tool result(s), kept recent {keep}")
    if budget.trim_old_reasoning:
        users = [i for i, item in enumerate(items) if isinstance(item, dict) and item.get("role") == "user"]
        end = users[-1] if users else len(items)
        old = [i for i in range(end) if isinstance(items[i], dict) and items[i].get("type") == "reasoning"]
        for i in old:
            result[i] = {k: v for k, v in items[i].items() if k not in ("summary", "content", "text")}
            result[i]["output"] = "[reasoning cleared]"
        if old:
            notes.append(f"tier2 reasoning-trim: cleared {len(old)} reasoning item(s)")
    return result, notes
