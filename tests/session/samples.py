"""A small session in each format, made up for the tests: what it holds is known."""

from __future__ import annotations

import io
import sqlite3
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.session.saving import CALL, OUTPUT, USER, dumps, event, report, snapshot


@dataclass(frozen=True)
class Sample:
    """`items` and `aside` are how many items and records set aside it has, `several` how many conversations."""

    format: str
    data: bytes
    items: int
    aside: int = 0
    calls: int = 0
    several: int = 0
    conversation: str | None = None


def lines(*records: Any) -> bytes:
    return "".join(dumps(record) + "\n" for record in records).encode()


def _claude(at: int, role: str, content: Any, **more: Any) -> dict[str, Any]:
    base = {"type": role, "uuid": f"u{at}", "parentUuid": f"u{at - 1}" if at else None, "sessionId": "s"}
    return base | {"message": {"role": role, "content": content}} | more


def _rollout(kind: str, payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-01-01T00:00:00Z", "type": kind, "payload": payload}


def _database(script: str, rows: dict[str, list[tuple[Any, ...]]]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "db"
        db = sqlite3.connect(file)
        db.executescript(script)
        for table, values in rows.items():
            db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values[0]))})", values)
        db.commit()
        db.close()
        return file.read_bytes()


def _zip(members: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in members.items():
            archive.writestr(name, dumps(value))
    return buffer.getvalue()


_USE = {"type": "tool_use", "id": "t1", "name": "grep", "input": {"q": "日本"}}
_RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "found"}]}
_CHAT_CALL = {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "grep", "arguments": "{}"}}]}
_CHAT = [{"role": "user", "content": "q"}, _CHAT_CALL, {"role": "tool", "tool_call_id": "c1", "content": "found"}]
_RESPONSES = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "q"}]},
    {"type": "reasoning", "id": "rs_1", "summary": []},
    {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "grep", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c1", "output": "found"},
]
_EVENTS = [event("MEMORY_COMPRESS", report()), event("MODEL_REQUEST", {"items": [USER, CALL]})]
_LANGCHAIN = [
    {"type": "human", "data": {"content": "q", "id": "1"}},
    {"type": "ai", "data": {"content": "", "id": "2", "tool_calls": [{"name": "grep", "args": {"q": 1}, "id": "c1"}]}},
    {"type": "tool", "data": {"content": "found", "tool_call_id": "c1", "artifact": [1, 2]}},
    {"type": "ai", "data": {"content": "gone", "id": "9"}},
    {"type": "remove", "data": {"content": "", "id": "9"}},
]
_GEMINI_PARTS = [
    {"role": "user", "parts": [{"text": "q"}]},
    {"role": "model", "parts": [{"functionCall": {"name": "grep", "args": {}}}]},
    {"role": "user", "parts": [{"functionResponse": {"name": "grep", "response": {"output": "found"}}}]},
]
_GEMINI_CLI = [
    {"sessionId": "s", "projectHash": "h", "startTime": "t"},
    {"id": "1", "type": "user", "content": "q"},
    {"id": "2", "type": "gemini", "content": "a", "thoughts": [{"subject": "so", "description": "on"}]},
    {"id": "3", "type": "info", "content": "shown only"},
    {"id": "4", "type": "user", "content": "taken back"},
    {"$rewindTo": "4"},
]
_TOOL_PART = {
    "type": "tool",
    "callID": "c1",
    "tool": "grep",
    "state": {"status": "completed", "input": {}, "output": "x"},
}
_OPENCODE = _database(
    "CREATE TABLE session (id TEXT, title TEXT); CREATE TABLE message (id TEXT, session_id TEXT, data TEXT);"
    "CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);",
    {
        "session": [("s", "a repair")],
        "message": [("m1", "s", dumps({"role": "user"})), ("m2", "s", dumps({"role": "assistant"}))],
        "part": [
            ("p1", "m1", "s", dumps({"type": "text", "text": "q"})),
            ("p2", "m1", "s", dumps({"type": "text", "text": "x", "ignored": True})),
            ("p3", "m2", "s", dumps(_TOOL_PART)),
            ("p4", "m2", "s", dumps({"type": "step-finish"})),
        ],
    },
)
_AGENTS = _database(
    "CREATE TABLE agent_sessions (session_id TEXT);"
    "CREATE TABLE agent_messages (id INTEGER PRIMARY KEY, session_id TEXT, message_data TEXT, created_at TEXT);",
    {
        "agent_sessions": [("one",), ("two",)],
        "agent_messages": [
            (1, "one", dumps(_RESPONSES[0]), "2026-01-01 00:00:00"),
            (2, "two", dumps(_RESPONSES[0]), "2026-01-01 00:00:01"),
            (3, "one", dumps(_RESPONSES[2]), "2026-01-01 00:00:02"),
        ],
    },
)
_AI4J_DB = _database(
    "CREATE TABLE ai4j_agent_memory (session_id TEXT, entry_type TEXT, entry_index INTEGER, entry_json TEXT);",
    {
        "ai4j_agent_memory": [
            ("s", "summary", 0, '"so far"'),
            ("s", "item", 0, dumps(USER)),
            ("s", "item", 1, dumps(CALL)),
        ]
    },
)
_INSPECT_SAMPLE = {
    "id": 1,
    "epoch": 1,
    "input": "q",
    "messages": [
        {"role": "user", "content": "attachment://a"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "function": "grep", "arguments": {"q": 1}}]},
        {"role": "tool", "tool_call_id": "c1", "function": "grep", "content": "found"},
    ],
    "attachments": {"a": "a long question"},
    "events": [{"event": "model", "input": [{"role": "user", "content": "attachment://a"}]}, {"event": "store"}],
}
_HISTORY = [
    {"role": "system", "content": "s", "agent": "main", "message_type": "system_prompt"},
    {
        "role": "assistant",
        "content": "t",
        "agent": "main",
        "message_type": "action",
        "tool_calls": _CHAT_CALL["tool_calls"],
    },
    {"role": "tool", "content": "found\r\n", "agent": "main", "message_type": "observation", "tool_call_ids": ["c1"]},
]
_STEP = {"action": "ls", "observation": "a", "response": "I look", "messages": _HISTORY[:1]}
_METADATA = {"function_name": "execute_bash", "tool_call_id": "t1"}
_OPENHANDS = [
    {"id": 0, "source": "user", "action": "message", "args": {"content": "q"}},
    {"id": 1, "source": "agent", "action": "run", "args": {"command": "ls"}, "tool_call_metadata": _METADATA},
    {"id": 2, "source": "agent", "observation": "run", "content": "a", "cause": 1, "tool_call_metadata": _METADATA},
    {"id": 3, "source": "environment", "observation": "agent_state_changed", "content": ""},
]
_AIDER = b"""
# aider chat started at 2026-01-01 10:00:00

> Aider v0.80

#### fix the dates

I will.

# aider chat started at 2026-01-02 10:00:00

#### and the times
"""
_UI = [
    {"id": "1", "role": "user", "parts": [{"type": "text", "text": "q"}]},
    {
        "id": "2",
        "role": "assistant",
        "parts": [
            {"type": "step-start"},
            {"type": "tool-grep", "toolCallId": "c1", "state": "output-available", "input": {}, "output": {"n": 1}},
            {"type": "text", "text": "a"},
        ],
    },
]
_PYDANTIC = [
    {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "q"}]},
    {
        "kind": "response",
        "parts": [{"part_kind": "tool-call", "tool_name": "f", "args": {"n": 1}, "tool_call_id": "c"}],
    },
    {"kind": "request", "parts": [{"part_kind": "tool-return", "tool_name": "f", "content": 4, "tool_call_id": "c"}]},
]
_SHAREGPT = {
    "conversations": [
        {"from": "human", "value": "q"},
        {"from": "function_call", "value": '{"name": "f", "arguments": {"n": 1}}'},
        {"from": "observation", "value": "4"},
        {"from": "gpt", "value": "a"},
    ]
}
_PI = [
    {"type": "session", "version": 3, "id": "h", "cwd": "/"},
    {"type": "message", "id": "a", "parentId": "h", "message": {"role": "user", "content": "q"}},
    {"type": "message", "id": "b", "parentId": "h", "message": {"role": "user", "content": "asked again"}},
    {
        "type": "message",
        "id": "c",
        "parentId": "b",
        "message": {"role": "assistant", "content": [{"type": "toolCall", "id": "t", "name": "f", "arguments": {}}]},
    },
]
_ATIF = {
    "schema_version": "ATIF-v1.5",
    "steps": [
        {"step_id": 1, "source": "user", "message": "q"},
        {
            "step_id": 2,
            "source": "agent",
            "message": "I look",
            "tool_calls": [{"tool_call_id": "c", "function_name": "f", "arguments": {}}],
            "observation": {"results": [{"source_call_id": "c", "content": "found"}]},
        },
    ],
}
_QWEN = [
    {
        "type": "user",
        "uuid": "a",
        "parentUuid": None,
        "sessionId": "s",
        "message": {"role": "user", "parts": [{"text": "q"}]},
    },
    {
        "type": "assistant",
        "uuid": "b",
        "parentUuid": "a",
        "sessionId": "s",
        "message": {"role": "model", "parts": [{"thought": True, "text": "hm"}, {"text": "a"}]},
    },
]

_MAPPING = {
    "a": {
        "id": "a",
        "parent": None,
        "message": {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["q"]}},
    },
    "b": {
        "id": "b",
        "parent": "a",
        "message": {"author": {"role": "assistant"}, "content": {"content_type": "text", "parts": ["a"]}},
    },
}
_AMP = [
    {"role": "user", "messageId": 1, "content": [{"type": "text", "text": "q"}]},
    {"role": "assistant", "messageId": 2, "content": [{"type": "text", "text": "a"}]},
]
_SPECSTORY = b"""<!-- Generated by SpecStory, Markdown v2.1.0 -->

# 2026-05-10 09:00:00Z

<!-- Claude Code Session s (2026-05-10 09:00:00Z) -->

_**User (2026-05-10 09:00:00Z)**_

Where is it?

---

_**Agent (2026-05-10 09:00:05Z)**_

There.
"""

SAMPLES: tuple[Sample, ...] = (
    Sample(
        "ai4j-snapshot", dumps(snapshot([USER, CALL, OUTPUT], summary="so far", events=_EVENTS)).encode(), 4, calls=1
    ),
    Sample("ai4j-cli", dumps({"state": {"memorySnapshot": {"items": [USER, CALL], "summary": "s"}}}).encode(), 3),
    Sample("ai4j-memory", dumps({"items": [None, "s", 1, USER], "summary": "s"}).encode(), 5),
    Sample(
        "ai4j-chat-memory",
        dumps({"items": [{"role": "user", "text": "q", "summary": False, "empty": False}]}).encode(),
        1,
    ),
    Sample("ai4j-jdbc", _AI4J_DB, 3),
    Sample(
        "ai4j-trace",
        lines(
            {"spanId": "1", "type": "MODEL", "attributes": {"items": dumps([USER])}},
            {"spanId": "2", "type": "TOOL", "attributes": {"tool": "f"}},
            {"spanId": "3", "type": "MODEL", "attributes": {"items": dumps([USER, CALL])}},
        ),
        2,
        calls=2,
    ),
    Sample(
        "ai4j-io",
        lines(
            {"nodeType": "MODEL", "inputs": {"items": [USER, CALL, OUTPUT]}, "step": 0, "turnId": "t"},
            {"nodeType": "TOOL", "inputs": {"name": "f"}, "outputs": {}},
        ),
        3,
        calls=1,
    ),
    Sample(
        "claude-code",
        lines(
            {"type": "summary", "summary": "a repair", "leafUuid": "u2"},
            _claude(0, "user", "q"),
            _claude(1, "assistant", [{"type": "thinking", "thinking": "hm"}, _USE]),
            _claude(2, "user", [_RESULT], toolUseResult={"stdout": "found"}),
            _claude(9, "user", "aside", isSidechain=True, parentUuid=None),
        ),
        4,
        2,
    ),
    Sample(
        "codex",
        lines(
            _rollout("session_meta", {"id": "s"}),
            _rollout("response_item", _RESPONSES[0]),
            _rollout("compacted", {"message": "", "replacement_history": _RESPONSES[:2]}),
            _rollout("response_item", _RESPONSES[2]),
            _rollout("event_msg", {"type": "token_count", "info": None}),
        ),
        3,
        3,
    ),
    Sample("gemini", dumps({"contents": _GEMINI_PARTS, "systemInstruction": {}}).encode(), 3),
    Sample("gemini", lines(*_GEMINI_CLI), 3, 4),
    Sample("opencode", _OPENCODE, 3, 2),
    Sample("openai-agents", _AGENTS, 2, several=2, conversation="one"),
    Sample("langchain", dumps(_LANGCHAIN).encode(), 3, 2),
    Sample("vercel-ai", dumps(_UI).encode(), 4),
    Sample("inspect", dumps({"version": 2, "eval": {}, "samples": [_INSPECT_SAMPLE]}).encode(), 3, calls=1),
    Sample("inspect", _zip({"header.json": {}, "samples/1_epoch_1.json": _INSPECT_SAMPLE}), 3, calls=1),
    Sample("swe-agent", dumps({"history": _HISTORY, "trajectory": [_STEP], "info": {}}).encode(), 3, calls=1),
    Sample("openhands", dumps(_OPENHANDS).encode(), 3, 1),
    Sample("atif", dumps(_ATIF).encode(), 4),
    Sample("pydantic-ai", dumps(_PYDANTIC).encode(), 3),
    Sample("pi", lines(*_PI), 2, 2),
    Sample("qwen-code", lines(*_QWEN), 3),
    Sample(
        "grok-cli", lines({"type": "system", "content": "s"}, {"type": "tool_result", "id": "c", "content": "r"}), 2
    ),
    Sample(
        "cursor",
        lines({"role": "user", "message": {"content": "q"}}, {"role": "assistant", "message": {"content": [_USE]}}),
        2,
    ),
    Sample(
        "droid",
        lines({"type": "session_start"}, {"type": "message", "message": {"role": "assistant", "content": [_USE]}}),
        1,
        1,
    ),
    Sample(
        "antigravity",
        lines(
            {
                "step_index": 0,
                "source": "USER_EXPLICIT",
                "type": "USER_INPUT",
                "status": "DONE",
                "created_at": "t",
                "content": "q",
            },
            {
                "step_index": 1,
                "source": "MODEL",
                "type": "PLANNER_RESPONSE",
                "status": "DONE",
                "created_at": "t",
                "content": "a",
            },
        ),
        2,
    ),
    Sample(
        "copilot-cli",
        lines(
            {"type": "session.start", "data": {"sessionId": "s"}},
            {"type": "user.message", "data": {"content": "q"}},
            {"type": "assistant.message", "data": {"content": "a"}},
        ),
        2,
        1,
    ),
    Sample(
        "kimi-cli",
        lines(
            {"type": "metadata", "protocol_version": "1.4"},
            {"type": "context.append_message", "message": {"role": "user", "content": "q"}},
        ),
        1,
        1,
    ),
    Sample("chatgpt", dumps({"title": "t", "current_node": "b", "mapping": _MAPPING}).encode(), 2),
    Sample("amp", dumps({"id": "T-1", "created": 1, "title": "t", "messages": _AMP}).encode(), 2),
    Sample(
        "hermes",
        dumps({"session_id": "s", "model": "m", "platform": "p", "session_start": "t", "messages": _CHAT}).encode(),
        3,
    ),
    Sample("specstory", _SPECSTORY, 2),
    Sample("aider", _AIDER, 2, 1, several=2, conversation="2026-01-01 10:00:00"),
    Sample("sharegpt", dumps([_SHAREGPT, _SHAREGPT]).encode(), 4, several=2, conversation="2"),
    Sample(
        "anthropic-messages", dumps({"system": "s", "messages": [{"role": "user", "content": [_RESULT]}]}).encode(), 1
    ),
    Sample("openai-responses", dumps({"instructions": "i", "input": _RESPONSES}).encode(), 4),
    Sample("openai-responses", lines(*_RESPONSES), 4),
    Sample("openai-chat", dumps({"model": "m", "messages": _CHAT}).encode(), 3),
    Sample("openai-chat", lines({"messages": _CHAT[:1]}, {"messages": _CHAT}), 3, calls=2),
    Sample("json-list", dumps([1, "a", None, {"x": 1}]).encode(), 4),
    Sample("json-lines", lines("a", {"x": 1}), 2),
)
