"""Anthropic's messages as items: one for each call, result and thought, one for what stands between them."""

from __future__ import annotations

from ctxviz.projection.json_value import Json

_ALONE = frozenset({"thinking", "redacted_thinking", "compaction"})


def split_message(role: Json, content: Json) -> list[Json]:
    """The items of a message; each is a message of the same role.

    Tool uses, tool results and thinking blocks (of all kinds, also the server's own tools) are an
    item each; neighbouring other blocks stay together. Content that is no list stays as it is.
    """
    if not isinstance(content, list):
        return [{"role": role, "content": content}]
    items: list[Json] = []
    together: list[Json] = []
    for block in content:
        if is_alone(block):
            if together:
                items.append({"role": role, "content": together})
                together = []
            items.append({"role": role, "content": [block]})
        else:
            together.append(block)
    if together or not items:
        items.append({"role": role, "content": together})
    return items


def is_alone(block: Json) -> bool:
    """Whether a block is an item by itself."""
    kind = block.get("type") if isinstance(block, dict) else None
    return isinstance(kind, str) and (kind in _ALONE or kind.endswith(("tool_use", "tool_result")))


def block_types(content: Json) -> set[str]:
    """The types of a content list's blocks."""
    blocks = content if isinstance(content, list) else []
    return {kind for block in blocks if isinstance(block, dict) and isinstance(kind := block.get("type"), str)}
