"""Small lists that show a rule, and lists that just avoid it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ctxviz.analysis.examination import examine
from ctxviz.analysis.findings import Findings
from ctxviz.analysis.settings import Settings
from ctxviz.projection.budget import ContextBudget
from ctxviz.session.model import Session

Items = list[Any]


def user(text: Any = "q") -> Any:
    return {"role": "user", "content": text}


def assistant(text: Any = "a") -> Any:
    return {"role": "assistant", "content": text}


def system(text: str = "s") -> Any:
    return {"role": "system", "content": text}


def calls(*ids: str, **more: Any) -> Any:
    made = [{"id": one, "type": "function", "function": {"name": "f", "arguments": "{}"}} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": made, **more}


def answer(call_id: str, content: Any = "r") -> Any:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def function_call(call_id: str, own_id: str | None = None) -> Any:
    item = {"type": "function_call", "call_id": call_id, "name": "f", "arguments": "{}"}
    return item if own_id is None else {**item, "id": own_id}


def function_output(call_id: str) -> Any:
    return {"type": "function_call_output", "call_id": call_id, "output": "r"}


def reasoning(**more: Any) -> Any:
    return {"type": "reasoning", "id": "rs_1", "summary": [], **more}


def typed(role: str, *texts: str) -> Any:
    return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text} for text in texts]}


def judged(
    items: Items,
    *,
    format: str = "openai-chat",
    provider: Any = None,
    model: str | None = None,
    budget: ContextBudget | None = None,
) -> Findings:
    """The findings about a list, in a session of a format, by a provider's rules."""
    session = Session("made.json", "made.json", format, format, list(items))
    return examine(session, Settings(budget or ContextBudget(), provider=provider, model=model)).findings


def codes(findings: Sequence[Any]) -> dict[str, str]:
    """Each code found with its severity and certainty, in a word: error, likely, unknown."""
    return {
        one.code: one.severity.value if one.certainty.value == "certain" else one.certainty.value for one in findings
    }
