"""The providers whose rules are known, and which of them a session is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from ctxviz.projection.json_value import Json
from ctxviz.session.kind import KINDS, Kind

if TYPE_CHECKING:
    from ctxviz.session.model import Session

ProviderName = Literal[
    "openai-chat",
    "openai-responses",
    "anthropic",
    "gemini",
    "bedrock",
    "mistral",
    "deepseek",
    "dashscope",
    "glm",
    "hunyuan",
    "minimax",
    "kimi",
    "doubao",
]
PROVIDER_NAMES: tuple[ProviderName, ...] = get_args(ProviderName)

_OF_FORMAT: dict[str, ProviderName] = {
    "anthropic-messages": "anthropic",
    "claude-code": "anthropic",
    "openai-responses": "openai-responses",
    "openai-agents": "openai-responses",
    "codex": "openai-responses",
    "gemini": "gemini",
    "qwen-code": "dashscope",
    "kimi-cli": "kimi",
}
_LOOKED_AT = 100
_CALL, _REASONING = KINDS.index(Kind.TOOL_CALL), KINDS.index(Kind.REASONING)
_OUTPUT = KINDS.index(Kind.TOOL_OUTPUT)
_ANTHROPIC_BLOCKS = ("tool_use", "tool_result", "thinking", "redacted_thinking")


def provider_of(session: Session) -> ProviderName:
    """The provider that a session is for: its format says it, else its items do.

    `function_call` items, or `reasoning` items without any `tool_calls`, mean OpenAI's Responses,
    Anthropic's blocks mean Anthropic, else it is OpenAI's Chat. Of a long session a hundred calls,
    thoughts and outputs from its beginning and a hundred calls from its end are looked at.
    """
    known = _OF_FORMAT.get(session.format)
    if known is not None:
        return known
    has_reasoning = has_tool_calls = False
    for index in _telling(session.kinds):
        item = session.glimpse(index)
        if not isinstance(item, dict):
            continue
        content = item.get("content")
        if item.get("type") == "function_call":
            return "openai-responses"
        has_reasoning = has_reasoning or item.get("type") == "reasoning"
        has_tool_calls = has_tool_calls or "tool_calls" in item
        if _is_anthropic(item) or any(map(_is_anthropic, _blocks(content))):
            return "anthropic"
    return "openai-responses" if has_reasoning and not has_tool_calls else "openai-chat"


def _telling(kinds: bytes) -> list[int]:
    """The items whose shape tells whose they are."""
    found: list[int] = []
    for code in (_CALL, _REASONING, _OUTPUT):
        at = kinds.find(code)
        for _ in range(_LOOKED_AT):
            if at < 0:
                break
            found.append(at)
            at = kinds.find(code, at + 1)
    at = len(kinds)
    for _ in range(_LOOKED_AT):
        at = kinds.rfind(_CALL, 0, at)
        if at < 0:
            break
        found.append(at)
    return found


def _is_anthropic(block: Json) -> bool:
    return isinstance(block, dict) and block.get("type") in _ANTHROPIC_BLOCKS


def _blocks(content: Json) -> list[Json]:
    return content if isinstance(content, list) else []
