"""The providers whose rules are known, and which of them a session is for."""

from __future__ import annotations

from typing import Literal, get_args

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
