"""Small session files for the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ctxviz.session.loading import load_session
from ctxviz.session.model import Session

USER: dict[str, Any] = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "q"}]}
CALL: dict[str, Any] = {
    "type": "message",
    "role": "assistant",
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "grep", "arguments": "{}"}}],
}
OUTPUT: dict[str, Any] = {"type": "function_call_output", "call_id": "c1", "output": "日本 😀"}
REASONING: dict[str, Any] = {"id": "rs_1", "summary": [{"text": "hm", "type": "summary_text"}], "type": "reasoning"}
ITEMS: list[Any] = [USER, CALL, OUTPUT, REASONING]


def dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def event(
    kind: str, payload: Any = None, *, step: Any = 0, message: str | None = None, turn: Any = "t1"
) -> dict[str, Any]:
    return {
        "event": {"message": message, "payload": payload, "step": step, "turnId": turn, "type": kind},
        "sequence": 1,
    }


def report(**changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "characterLimitApplied": False,
        "droppedItemCount": 1,
        "itemLimitApplied": True,
        "notes": ["maxItems applied: 1"],
        "projectedApproxChars": 2,
        "projectedItemCount": 1,
        "sourceApproxChars": 4,
        "sourceItemCount": 2,
    }
    return {**fields, **changes}


def snapshot(items: list[Any], *, summary: str | None = None, events: list[Any] | None = None) -> dict[str, Any]:
    memory: dict[str, Any] = {"items": items} | ({} if summary is None else {"summary": summary})
    metadata = {"attributes": {}, "createdAtEpochMs": 1, "sessionId": "s", "updatedAtEpochMs": 2}
    return {"events": events or [], "memory": memory, "metadata": metadata, "runId": "r", "sessionId": "s"}


def load(folder: Path, content: str | bytes, **options: Any) -> Session:
    """Load a file with this content; its name says nothing about its format."""
    file = folder / "session.dat"
    file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return load_session(file, **options)
