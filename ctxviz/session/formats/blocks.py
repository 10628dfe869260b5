"""Anthropic's messages as items: one for each call, result and thought, one for what stands between them."""

from __future__ import annotations

from collections.abc import Iterator

from ctxviz.projection.json_value import Json

_ALONE = frozenset({"thinking", "redacted_thinking", "compaction"})


def split_message(role: Json, content: Json) -> list[Json]:
    """The items of a message; each is a message of the same role.

    Tool uses, tool results (also those of the server's own tools, whose types end alike), thinking
    blocks and compactions are an item each; neighbouring other blocks stay together. Content that
    is no list stays as it is.
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
    kind = block_type(block)
    return kind is not None and (kind in _ALONE or kind.endswith(("tool_use", "tool_result")))


def block_type(block: Json) -> str | None:
    """The type of a content block; None if it has none that is a string."""
    kind = block.get("type") if isinstance(block, dict) else None
    return kind if isinstance(kind, str) else None


def block_types(content: Json) -> set[str]:
    """The types of a content list's blocks."""
    return {kind for kind in map(block_type, blocks_of(content)) if kind is not None}


def blocks_of(content: Json) -> Iterator[dict[str, Json]]:
    """The blocks of a content list; nothing for any other content."""
    return (block for block in (content if isinstance(content, list) else []) if isinstance(block, dict))
