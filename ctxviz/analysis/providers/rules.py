"""Which rule each provider has, how sure it is, and where and when that was seen. One that ages is one line to change.

Verdicts: `E` is a hard error (HTTP 400), `E?` one of weak or contradicting evidence, `U` is not known,
`T` tolerated: a row that silences a wider one. A provider without a row for a check has no such rule
that is known of. Addresses `gh:owner/repository#number` are GitHub's issues.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ctxviz.analysis.providers.names import ProviderName

Grade = Literal["E", "E?", "U", "T"]
GRADES: tuple[Grade, ...] = get_args(Grade)


@dataclass(frozen=True)
class Rule:
    """What a provider says to what a check sees.

    `model` is a regular expression that is searched for in the model's name, "" for any model; rules
    for a model go before those for any, later ones before earlier ones. Without a model's name those
    for any model count, which are about the newest ones.
    """

    code: str
    check: str
    provider: ProviderName
    model: str
    grade: Grade
    source: str
    date: str


OC: ProviderName = "openai-chat"
OR: ProviderName = "openai-responses"
AM: ProviderName = "anthropic"
GG: ProviderName = "gemini"
BC: ProviderName = "bedrock"
MI: ProviderName = "mistral"
DS: ProviderName = "deepseek"
QW: ProviderName = "dashscope"
GL: ProviderName = "glm"
HY: ProviderName = "hunyuan"
MM: ProviderName = "minimax"
KI: ProviderName = "kimi"
DB: ProviderName = "doubao"

_MISTRAL = "mistral-common protocol/instruct/validator.py @039465db"
_BOUND = "https://platform.claude.com/docs/build-with-claude/preserved-thinking/fix-bound-to-a-different-conversation"
_OLD_CLAUDE = r"claude-(2|3|instant)|(opus|sonnet|haiku)-4(?![-.][6-9])"
"""Before 4.6: prefill lives."""
_MANUAL_THINKING = r"claude-(2|3|instant)|(opus|sonnet|haiku)-4(?![-.][7-9])"
"""Up to 4.6."""
_PLACED_SYSTEM = r"opus-(4[-.][89]|[5-9])|fable|mythos|(sonnet|haiku)-(5[-.][5-9]|[6-9])"
_PRESERVED = r"(fable|mythos)-(5[-.][1-9]|[6-9])|(opus|sonnet|haiku)-(5[-.][5-9]|[6-9])"
_NOT_PRESERVED = rf"^(?!.*({_PRESERVED}))"
_NOT_CLAUDE = r"^(?!.*claude)"
_OLD_GEMINI = r"gemini-([12]|3(?![.]\d)|3\.[0-4]|3\.5(?!-flash-lite))"
"""Before 3.6, but for 3.5-flash-lite."""


def _each(code: str, checks: Sequence[str], *rows: tuple[ProviderName, Grade, str, str]) -> list[Rule]:
    """The same rows, provider to date, for each of some checks."""
    return [Rule(code, check, row[0], "", *row[1:]) for check in checks for row in rows]


RULES: tuple[Rule, ...] = (
    # A tool output without its call.
    Rule("orphan-output", "orphan_output", OC, "", "E", "gh:microsoft/semantic-kernel#12708", "2025-07-12"),
    Rule("orphan-output", "orphan_output", OR, "", "E", "gh:continuedev/continue#10092", "2026-02-01"),
    Rule("orphan-output", "orphan_output", AM, "", "E", "gh:anthropics/claude-code#18947", "2026-01-18"),
    Rule("orphan-output", "orphan_output", GG, "", "E", "gh:langchain-ai/langchain#27799", "2024-10-31"),
    Rule("orphan-output", "orphan_output", BC, "", "E", "gh:strands-agents/harness-sdk#1435", "2026-01-09"),
    Rule("orphan-output", "orphan_output", MI, "", "E", _MISTRAL, "2025-12-04"),
    Rule("orphan-output", "orphan_output", DS, "", "E", "gh:FoundationAgents/OpenManus#227", "2025-03-08"),
    Rule("orphan-output", "orphan_output", QW, "", "E", "gh:QwenLM/qwen-code#2360", "2026-03-13"),
    Rule("orphan-output", "orphan_output", GL, "", "U", "gh:lobehub/lobehub#11408", "2026-01-11"),
    Rule("orphan-output", "orphan_output", HY, "", "U", "gh:FoundationAgents/OpenManus#894", "2025-03-22"),
    Rule("orphan-output", "orphan_output", MM, "", "E", "gh:anomalyco/opencode#32609", "2026-06-16"),
    Rule("orphan-output", "orphan_output", KI, "", "E", "gh:MoonshotAI/kimi-cli#2396", "2026-05-29"),
    Rule("orphan-output", "orphan_output", DB, "", "U", "no report found", "2026-12-01"),
    # A call without its output.
    Rule("orphan-call", "orphan_call", OC, "", "E", "gh:BerriAI/litellm#10696", "2025-05-09"),
    Rule("orphan-call", "orphan_call", OR, "", "E", "gh:bytedance/trae-agent#245", "2025-08-04"),
    Rule("orphan-call", "orphan_call", AM, "", "E", "gh:OpenHands/OpenHands#7512", "2025-03-25"),
    Rule("orphan-call", "orphan_call", GG, "", "E", "gh:vertesia/llumiverse#620", "2026-08-27"),
    Rule("orphan-call", "orphan_call", BC, "", "E", "gh:anomalyco/opencode#41780", "2026-08-11"),
    Rule("orphan-call", "orphan_call", MI, "", "E", _MISTRAL, "2025-12-04"),
    Rule("orphan-call", "orphan_call", DS, "", "E", "gh:bytedance/deer-flow#2809", "2026-05-09"),
    Rule("orphan-call", "orphan_call", QW, "", "E", "gh:QwenLM/qwen-code#315", "2025-08-13"),
    Rule("orphan-call", "orphan_call", GL, "", "U", "gh:lobehub/lobehub#11408", "2026-01-11"),
    Rule("orphan-call", "orphan_call", HY, "", "U", "gh:FoundationAgents/OpenManus#894", "2025-03-22"),
    Rule("orphan-call", "orphan_call", MM, "", "U", "gh:MiniMax-AI/MiniMax-M2#76", "2026-06-16"),
    Rule("orphan-call", "orphan_call", KI, "", "U", "no report found", "2026-12-01"),
    Rule("orphan-call", "orphan_call", DB, "", "U", "no report found", "2026-12-01"),
    # Some calls of a turn answered, others not.
    Rule("partial-parallel-answers", "partly_answered", OC, "", "E", "gh:langchain-ai/langchainjs#6621", "2024-08-23"),
    Rule("partial-parallel-answers", "partly_answered", OR, "", "E", "gh:symgraph/GhidrAssist#78", "2026-03-12"),
    Rule("partial-parallel-answers", "partly_answered", AM, "", "E", "gh:OpenHands/OpenHands#7512", "2025-03-25"),
    Rule("partial-parallel-answers", "partly_answered", GG, "", "E", "gh:docker/docker-agent#2959", "2026-06-02"),
    Rule("partial-parallel-answers", "partly_answered", BC, "", "E", "gh:anomalyco/opencode#41780", "2026-08-11"),
    Rule("partial-parallel-answers", "partly_answered", MI, "", "E", _MISTRAL, "2025-12-04"),
    Rule(
        "partial-parallel-answers", "partly_answered", DS, "", "E", "gh:NousResearch/hermes-agent#56980", "2026-07-02"
    ),
    Rule("partial-parallel-answers", "partly_answered", QW, "", "E", "gh:QwenLM/qwen-code#315", "2025-08-13"),
    Rule("partial-parallel-answers", "partly_answered", GL, "", "U", "gh:lobehub/lobehub#11408", "2026-01-11"),
    # A message between a call and its output.
    Rule("output-not-adjacent", "apart", OC, "", "E", "gh:BerriAI/litellm#10696", "2025-05-09"),
    Rule("output-not-adjacent", "apart", AM, "", "E", "gh:OpenHands/OpenHands#7512", "2025-03-25"),
    Rule("output-not-adjacent", "apart", GG, "", "E", "gh:vertesia/llumiverse#620", "2026-08-27"),
    Rule("output-not-adjacent", "apart", BC, "", "E", "gh:anomalyco/opencode#41780", "2026-08-11"),
    Rule("output-not-adjacent", "apart", MI, "", "E", _MISTRAL, "2025-12-04"),
    Rule("output-not-adjacent", "apart", DS, "", "E", "gh:bytedance/deer-flow#2809", "2026-05-09"),
    Rule("output-not-adjacent", "apart", QW, "", "E?", "gh:QwenLM/qwen-code#315", "2025-08-13"),
    Rule("output-not-adjacent", "apart", GL, "", "U", "gh:lobehub/lobehub#11408", "2026-01-11"),
    Rule("output-not-adjacent", "apart", MM, "", "E", "gh:anomalyco/opencode#32609", "2026-06-16"),
    Rule(
        "output-not-adjacent",
        "text_before_result",
        AM,
        "",
        "E",
        "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls",
        "2026-12-01",
    ),
    # Reasoning and what it led to.
    Rule("orphan-reasoning", "orphan_reasoning", OR, "", "E", "gh:openai/openai-node#1567", "2025-07-01"),
    Rule("orphan-reasoning", "reasoning_without_follower", OR, "", "E", "gh:mastra-ai/mastra#14048", "2026-03-10"),
    Rule("orphan-reasoning", "reasoning_without_summary", OR, "", "E?", "gh:newo-ether/Agora#141", "2026-09-21"),
    Rule("call-without-reasoning", "cut_follower", OR, "", "E", "gh:mastra-ai/mastra#10713", "2025-12-01"),
    Rule(
        "call-without-reasoning",
        "turn_without_thinking",
        AM,
        _MANUAL_THINKING,
        "E?",
        "gh:pydantic/pydantic-ai#2075",
        "2025-08-04",
    ),
    Rule(
        "call-without-reasoning",
        "turn_without_thinking",
        BC,
        _MANUAL_THINKING,
        "E?",
        "gh:pydantic/pydantic-ai#2075",
        "2025-08-04",
    ),
    Rule("bound-thinking", "bound_after_cut", AM, "", "U", _BOUND, "2026-12-01"),
    Rule("bound-thinking", "bound_after_cut", AM, _PRESERVED, "E?", _BOUND, "2026-12-01"),
    Rule("bound-thinking", "bound_after_cut", AM, _NOT_PRESERVED, "T", _BOUND, "2026-12-01"),
    Rule("call-without-reasoning", "unsigned_call", GG, "", "E?", "gh:octos-org/octos#1897", "2026-08-03"),
    Rule(
        "call-without-reasoning",
        "unsigned_call",
        GG,
        r"gemini-(1|2)",
        "T",
        "https://ai.google.dev/gemini-api/docs/thought-signatures",
        "2026-12-01",
    ),
    Rule(
        "call-without-reasoning",
        "call_without_reasoning_content",
        DS,
        "",
        "E?",
        "gh:rikkahub/rikkahub#1587",
        "2026-07-26",
    ),
    Rule(
        "call-without-reasoning",
        "call_without_reasoning_content",
        KI,
        "thinking",
        "E?",
        "gh:continuedev/continue#11600",
        "2026-03-18",
    ),
    # The first message.
    Rule("first-not-user", "first_is_call", GG, "", "E", "gh:google-gemini/gemini-cli#11814", "2025-10-23"),
    Rule("first-not-user", "first_not_user", GG, "", "U", "gh:NousResearch/hermes-agent#55427", "2026-06-30"),
    Rule(
        "first-not-user",
        "first_not_user",
        AM,
        r"claude-(2|instant)",
        "E",
        "gh:langchain4j/langchain4j#940",
        "2024-09-13",
    ),
    *_each(
        "first-not-user",
        ("first_not_user", "first_is_call", "first_is_output"),
        (BC, "E", "gh:langgenius/dify#12340", "2025-01-03"),
        (HY, "E", "gh:FoundationAgents/OpenManus#894", "2025-03-22"),
        (DS, "U", "no report found", "2026-12-01"),
        (QW, "U", "no report found", "2026-12-01"),
        (GL, "U", "no report found", "2026-12-01"),
    ),
    Rule("call-not-after-user", "call_after_model", GG, "", "E", "gh:continuedev/continue#11047", "2026-03-05"),
    # System messages in the list.
    Rule("system-not-first", "system_first", AM, "", "E", "gh:LeenHawk/gproxy#209", "2026-09-04"),
    Rule("system-not-first", "system_misplaced", AM, "", "E", "gh:anthropics/claude-code#73821", "2026-07-03"),
    Rule("system-not-first", "system_placed", AM, "", "E?", "gh:anthropics/claude-code#61412", "2026-05-22"),
    Rule("system-not-first", "system_placed", AM, _PLACED_SYSTEM, "T", "gh:anthropics/claude-code#73821", "2026-07-03"),
    *_each(
        "system-not-first",
        ("system_first", "system_misplaced", "system_placed"),
        (GG, "E", "Please use a valid role: user, model (several stored files)", "2026-12-01"),
        (BC, "E?", "mid-list system: newest Claude only", "2026-12-01"),
    ),
    Rule("system-not-first", "system_after_model", MI, "", "E", _MISTRAL, "2025-12-04"),
    Rule("system-not-first", "system_later", QW, "", "U", "no report found", "2026-12-01"),
    Rule("system-not-first", "system_later", GL, "", "U", "no report found", "2026-12-01"),
    Rule("system-not-first", "system_later", MM, "", "E?", "gh:MiniMax-AI/MiniMax-M2#76", "2026-06-16"),
    Rule(
        "system-not-first", "system_first", OC, r"^o1-(mini|preview)", "E", "gh:tailcallhq/forgecode#1177", "2025-07-22"
    ),
    Rule(
        "system-not-first", "system_later", OC, r"^o1-(mini|preview)", "E", "gh:tailcallhq/forgecode#1177", "2025-07-22"
    ),
    Rule("bad-role", "developer", QW, "", "E", "gh:DayuanJiang/next-ai-draw-io#304", "2025-12-18"),
    # Messages without anything in them.
    Rule("empty-content", "null_content", OC, "", "E", "gh:run-llama/llama_index#17921", "2025-02-25"),
    Rule("empty-content", "last_null", OC, "", "E", "gh:run-llama/llama_index#17921", "2025-02-25"),
    Rule("empty-content", "null_content", AM, "", "E", "gh:anthropics/claude-code#6774", "2025-08-28"),
    # Anthropic lets the last assistant message be empty.
    Rule("empty-content", "empty_content", AM, "", "E", "gh:anthropics/claude-code#6774", "2025-08-28"),
    Rule("empty-content", "no_content_key", DB, "", "E?", "gh:AstrBotDevs/AstrBot#6852", "2026-03-23"),
    *_each(
        "empty-content",
        ("null_content", "empty_content", "last_null", "last_empty"),
        (OR, "U", "no report found", "2026-12-01"),
        (GG, "E", "gh:vercel/ai#3775", "2026-05-19"),
        (BC, "E", "The text field in the ContentBlock object is blank", "2026-12-01"),
        (DS, "U", "no report found", "2026-12-01"),
        (QW, "E?", "gh:ikechan8370/chatgpt-plugin#629", "2024-03-01"),
        (GL, "U", "no report found", "2026-12-01"),
        (HY, "E", "gh:MarkPDFdown/markpdfdown#14", "2025-03-22"),
        (KI, "E", "gh:MoonshotAI/kimi-cli#2396", "2026-05-29"),
        (MM, "E?", "gh:MiniMax-AI/MiniMax-M2#76", "2026-06-16"),
        (DB, "E?", "gh:AstrBotDevs/AstrBot#6852", "2026-03-23"),
    ),
    Rule("empty-content", "blank_content", AM, "", "E", "gh:home-assistant/core#175637", "2026-07-04"),
    Rule(
        "empty-content",
        "blank_content",
        BC,
        "",
        "E",
        "The text field in the ContentBlock object is blank",
        "2026-12-01",
    ),
    Rule("empty-content", "empty_block_beside_calls", AM, "", "E", "gh:anthropics/claude-code#59812", "2026-05-16"),
    Rule("empty-content", "empty_text_beside_calls", DB, "", "E?", "gh:lidge-jun/opencodex#796", "2026-07-31"),
    Rule("empty-content", "empty_assistant", MI, "", "E?", _MISTRAL, "2025-12-04"),
    # Ids.
    Rule("duplicate-call-id", "answered_twice", OC, "", "E", "gh:neuron-core/neuron-ai#46", "2025-04-22"),
    Rule("duplicate-call-id", "answered_twice", OR, "", "E?", "gh:NousResearch/hermes-agent#111443", "2026-09-15"),
    Rule("duplicate-call-id", "answered_twice", AM, "", "E", "gh:sipeed/picoclaw#1793", "2026-03-19"),
    Rule("duplicate-call-id", "answered_twice", GG, "", "E", "gh:vertesia/llumiverse#620", "2026-08-27"),
    Rule("duplicate-call-id", "answered_twice", BC, "", "E", "gh:strands-agents/harness-sdk#1435", "2026-01-09"),
    Rule("duplicate-call-id", "answered_twice", MI, "", "E", _MISTRAL, "2025-12-04"),
    Rule("duplicate-call-id", "answered_twice", DS, "", "U", "no report found", "2026-12-01"),
    Rule("duplicate-call-id", "answered_twice", QW, "", "U", "no report found", "2026-12-01"),
    Rule("duplicate-call-id", "answered_twice", GL, "", "U", "no report found", "2026-12-01"),
    Rule("duplicate-call-id", "answered_twice", MM, "", "E?", "gh:can1357/oh-my-pi#2055", "2026-06-16"),
    Rule("duplicate-call-id", "call_id_reused", OC, "", "U", "no report found", "2026-12-01"),
    Rule("duplicate-call-id", "item_id_repeated", OR, "", "E", "gh:vercel/ai#13307", "2026-03-10"),
    Rule("duplicate-call-id", "call_id_reused", OR, "", "E?", "gh:NousResearch/hermes-agent#111443", "2026-09-15"),
    Rule("duplicate-call-id", "call_id_twice", MI, "", "E", _MISTRAL, "2025-12-04"),
    Rule("duplicate-call-id", "call_id_reused", AM, "", "E", "gh:anthropics/claude-code#20901", "2026-01-26"),
    Rule("duplicate-call-id", "call_id_reused", GG, "", "U", "no report found", "2026-12-01"),
    Rule("duplicate-call-id", "call_id_reused", BC, "", "E?", "as Anthropic's", "2026-12-01"),
    Rule("duplicate-call-id", "call_id_reused", MM, "", "E?", "gh:can1357/oh-my-pi#2055", "2026-06-16"),
    Rule("bad-call-id", "call_id_over_64", OC, "", "E", "gh:decolua/9router#3167", "2026-08-09"),
    Rule("bad-call-id", "call_id_over_40", OC, "", "U", "gh:agno-agi/agno#5382", "2025-11-11"),
    Rule("bad-call-id", "call_id_over_64", OR, "", "E", "gh:RooCodeInc/Roo-Code#10763", "2026-01-16"),
    Rule("bad-call-id", "call_id_letters", AM, "", "E", "gh:HKUDS/nanobot#4356", "2026-06-15"),
    Rule("bad-call-id", "call_id_not_nine", MI, "", "E", _MISTRAL, "2025-12-04"),
    Rule("bad-item-id", "id_not_fc", OR, "", "E", "gh:nodetool-ai/nodetool#4252", "2026-07-13"),
    # Fields and parts.
    Rule("wrong-part-type", "assistant_input_text", OR, "", "E", "gh:jeremychone/rust-genai#119", "2026-01-17"),
    Rule("wrong-part-type", "image_url_object", OR, "", "E?", "the field is a string (API reference)", "2026-12-01"),
    Rule("wrong-part-type", "image_part", DS, "", "E?", "gh:tailcallhq/forgecode#2008", "2025-11-27"),
    Rule("unknown-field", "tool_calls_field", OR, "", "E?", "gh:BerriAI/litellm#13420", "2025-08-08"),
    # The order of roles.
    Rule("roles-not-alternating", "roles_repeat", BC, "", "E", "gh:langchain-ai/langchainjs#6724", "2024-09-10"),
    Rule("roles-not-alternating", "roles_repeat", HY, "", "E", "gh:FoundationAgents/OpenManus#894", "2025-03-22"),
    Rule(
        "roles-not-alternating",
        "roles_repeat",
        GG,
        r"gemini-1\.0",
        "E",
        "gh:NousResearch/hermes-agent#55427",
        "2026-06-30",
    ),
    Rule("roles-not-alternating", "roles_repeat", QW, "", "U", "gh:ikechan8370/chatgpt-plugin#629", "2024-03-01"),
    Rule("roles-not-alternating", "roles_repeat", GL, "", "U", "no report found", "2026-12-01"),
    Rule(
        "roles-not-alternating",
        "roles_repeat",
        DS,
        "deepseek-reasoner",
        "U",
        "gh:deepseek-ai/DeepSeek-R1#21",
        "2025-01-25",
    ),
    Rule("roles-not-alternating", "user_after_tool", MI, "", "E", "gh:pipecat-ai/pipecat-flows#178", "2025-08-22"),
    Rule(
        "roles-not-alternating",
        "user_after_tool_message",
        BC,
        "",
        "E",
        "gh:langchain-ai/langchainjs#6724",
        "2024-09-10",
    ),
    Rule("roles-not-alternating", "user_after_tool", HY, "", "E", "gh:FoundationAgents/OpenManus#894", "2025-03-22"),
    # The last message.
    Rule("last-not-user-or-tool", "last_is_model", AM, "", "E", "gh:strands-agents/sdk-python#1694", "2026-08-28"),
    Rule(
        "last-not-user-or-tool",
        "last_is_model",
        AM,
        _OLD_CLAUDE,
        "T",
        "gh:router-for-me/CLIProxyAPI#5319",
        "2026-08-28",
    ),
    Rule("last-not-user-or-tool", "last_is_model", GG, "", "E", "gh:LibreChat-AI/agents#323", "2026-07-21"),
    Rule("last-not-user-or-tool", "last_is_model", GG, _OLD_GEMINI, "T", "gh:LibreChat-AI/agents#323", "2026-07-21"),
    Rule("last-not-user-or-tool", "last_is_model", BC, "", "E", "gh:strands-agents/sdk-python#1694", "2026-08-28"),
    Rule(
        "last-not-user-or-tool",
        "last_is_model",
        BC,
        _OLD_CLAUDE,
        "T",
        "gh:router-for-me/CLIProxyAPI#5319",
        "2026-08-28",
    ),
    Rule("last-not-user-or-tool", "last_is_model", BC, _NOT_CLAUDE, "U", "no report found", "2026-12-01"),
    Rule("last-not-user-or-tool", "last_is_model", MI, "", "E", _MISTRAL, "2025-12-04"),
    Rule("last-not-user-or-tool", "last_is_model", HY, "", "E", "gh:FoundationAgents/OpenManus#894", "2025-03-22"),
    Rule("last-not-user-or-tool", "last_is_model", DS, "", "U", "no report found", "2026-12-01"),
    Rule("last-not-user-or-tool", "last_is_model", QW, "", "U", "no report found", "2026-12-01"),
    Rule("last-not-user-or-tool", "last_is_model", GL, "", "U", "no report found", "2026-12-01"),
    # Nothing left.
    *_each(
        "empty",
        ("no_message",),
        (OC, "E", "tokenparty-net/llm-xlate FINDINGS.md, item 20", "2026-09-10"),
        (OR, "E", "tokenparty-net/llm-xlate FINDINGS.md, item 30", "2026-09-10"),
        (AM, "E", "messages: at least one message is required", "2026-12-01"),
        (GG, "E", "gh:vercel/ai#3775", "2026-05-19"),
        (BC, "E", "gh:langgenius/dify#12340", "2025-01-03"),
        (MI, "E", _MISTRAL, "2025-12-04"),
        (DS, "E?", "no report found", "2026-12-01"),
        (QW, "E?", "no report found", "2026-12-01"),
        (GL, "E", "gh:HKUDS/nanobot#3082", "2026-04-13"),
        (HY, "E?", "gh:FoundationAgents/OpenManus#894", "2025-03-22"),
        (MM, "E", "gh:anomalyco/opencode#32609", "2026-06-16"),
        (KI, "E", "gh:MoonshotAI/kimi-cli#2396", "2026-05-29"),
        (DB, "E?", "gh:AstrBotDevs/AstrBot#6852", "2026-03-23"),
    ),
    Rule("no-user", "system_only", GL, "", "E", "gh:HKUDS/nanobot#3082", "2026-04-13"),
)


class Rules:
    """Rules to look up. `overrides` are a user's: they go before all others, for every check of their code."""

    def __init__(self, overrides: Sequence[Rule] = ()) -> None:
        self.overrides = tuple(overrides)
        self._by_check: dict[tuple[ProviderName, str], list[Rule]] = {}
        self._codes: dict[str, set[str]] = {}
        for rule in RULES:
            self._by_check.setdefault((rule.provider, rule.check), []).append(rule)
            self._codes.setdefault(rule.check, set()).add(rule.code)

    def rule(self, check: str, provider: ProviderName, model: str | None) -> Rule | None:
        """The rule that counts for a check, None where there is none or what it sees is tolerated."""
        known = self._by_check.get((provider, check), [])
        codes = self._codes.get(check, set())
        own = [rule for rule in self.overrides if rule.provider == provider and rule.code in codes]
        found = _best(own, model) or _best(known, model)
        return None if found is None or found.grade == "T" else found


def _best(rules: Sequence[Rule], model: str | None) -> Rule | None:
    """The last rule for the model, else the last one for any."""
    for_model = [rule for rule in rules if rule.model and model is not None and _matches(rule.model, model)]
    for_any = [rule for rule in rules if not rule.model]
    found = for_model or for_any
    return found[-1] if found else None


def _matches(pattern: str, model: str) -> bool:
    return re.search(pattern, model, re.IGNORECASE) is not None
