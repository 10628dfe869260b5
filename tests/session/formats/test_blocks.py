"""Messages of Anthropic's are split into items."""

from __future__ import annotations

from typing import Any

import pytest

from ctxviz.session.formats.blocks import block_type, block_types, blocks_of, split_message

TEXT: dict[str, Any] = {"type": "text", "text": "hm"}
IMAGE: dict[str, Any] = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}


def message(role: Any, *blocks: Any) -> dict[str, Any]:
    return {"role": role, "content": list(blocks)}


@pytest.mark.parametrize("content", ["hello", "", None, 7, True, {"type": "text"}])
def test_what_is_no_list_stays_as_it_is(content: Any) -> None:
    assert split_message("user", content) == [{"role": "user", "content": content}]


@pytest.mark.parametrize(
    "kind",
    [
        "tool_use",
        "tool_result",
        "thinking",
        "redacted_thinking",
        "compaction",
        "server_tool_use",
        "mcp_tool_use",
        "mcp_tool_result",
        "web_search_tool_result",
        "bash_code_execution_tool_result",
    ],
)
def test_calls_results_and_thoughts_are_items_of_their_own(kind: str) -> None:
    alone: dict[str, Any] = {"type": kind}
    assert split_message("assistant", [TEXT, IMAGE, alone, alone, TEXT]) == [
        message("assistant", TEXT, IMAGE),
        message("assistant", alone),
        message("assistant", alone),
        message("assistant", TEXT),
    ]


def test_other_blocks_stay_together() -> None:
    blocks: list[Any] = [
        TEXT,
        IMAGE,
        {"type": "document"},
        {"type": "never_seen"},
        {"type": 3},
        {},
        None,
        1,
        "bare",
        ["x"],
    ]
    assert split_message("user", blocks) == [message("user", *blocks)]


def test_an_empty_list_is_one_item() -> None:
    assert split_message("assistant", []) == [message("assistant")]


@pytest.mark.parametrize("role", ["system", None, 5, ["user"], {"a": 1}])
def test_any_role_is_kept(role: Any) -> None:
    assert split_message(role, [TEXT]) == [message(role, TEXT)]


def test_types_of_blocks() -> None:
    assert block_types([TEXT, IMAGE, {"type": ["text"]}, {}, None, "text", 4]) == {"text", "image"}
    assert block_types("text") == block_types(None) == block_types({"type": "text"}) == set()
    assert list(blocks_of([TEXT, 1, None, [TEXT]])) == [TEXT]
    assert block_type("text") is None
