"""SWE-agent's trajectories (`.traj`): the history that the model saw, and the prompt of each step."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.prompts import LazyPrompt
from ctxviz.session.model import ModelCall
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords
from ctxviz.session.table import Builder

NAME = "swe-agent"
TITLE = "SWE-agent"
KNOWN_BY = "an object with history or trajectory whose messages have message_type, agent or system_prompt"
READS = "each message of the history in the shape of OpenAI Chat; each step of the trajectory as a model call"
LEAVES_OUT = "demonstrations' marks, states and times; the replay's settings"

_ROLES = {"ai": "assistant"}


def looks_like(file: Opened) -> float:
    """By the keys of the first messages."""
    document = file.value if isinstance(file, Document) else None
    if not isinstance(document, dict):
        return 0
    history, trajectory = document.get("history"), document.get("trajectory")
    if isinstance(history, list) and history:
        own = sum(
            isinstance(one, dict) and "role" in one and ("message_type" in one or "agent" in one) for one in history
        )
        return 0.95 * own / len(history)
    if isinstance(trajectory, list) and trajectory:
        own = sum(isinstance(one, dict) and (_is_step(one) or _is_raw(one)) for one in trajectory)
        return 0.95 * own / len(trajectory)
    return 0


def _is_step(one: dict[str, Json]) -> bool:
    return "action" in one and "observation" in one and "source" not in one


def _is_raw(one: dict[str, Json]) -> bool:
    return "role" in one and "text" in one and "system_prompt" in one


def read(file: Opened, conversation: str | None = None) -> Content:
    """The history; where a file has none, the messages or steps of its trajectory."""
    document = file.value if isinstance(file, Document) else None
    if not isinstance(document, dict):
        raise NotReadable("holds no items: there is no history")
    key = "history" if isinstance(document.get("history"), list) else "trajectory"
    listed = document.get(key)
    if not isinstance(listed, list):
        raise NotReadable("holds no items: there is neither history nor trajectory")
    records = ListRecords(listed, lambda number: f"{key}[{number}]")
    builder = Builder(records)
    for number, record in records.each():
        builder.add(number, items_of(record, number))
    rows = builder.rows(items_of)
    return Content(
        rows=rows, calls=_calls(document), nothing="" if listed else f"The file is whole: its {key} is empty."
    )


def items_of(record: Json, number: int) -> Sequence[Json]:
    """The items of a message or of a step."""
    if not isinstance(record, dict):
        return (record,)
    role = record.get("role")
    if role is None and _is_step(record):
        return (
            {"role": "assistant", "content": record.get("response", record.get("action"))},
            {"role": "user", "content": record.get("observation")},
        )
    if role is None:
        return (record,)
    content = record.get("content") if "content" in record else record.get("text", record.get("system_prompt"))
    if content is None and "system_prompt" in record:
        content = record["system_prompt"]
    item: dict[str, Json] = {"role": _ROLES.get(role, role) if isinstance(role, str) else role}
    answered = record.get("tool_call_ids")
    if isinstance(answered, list) and answered:
        item["tool_call_id"] = answered[0]
    item["content"] = content
    if record.get("tool_calls"):
        item["tool_calls"] = record["tool_calls"]
    return (item,)


def _calls(document: dict[str, Json]) -> list[ModelCall]:
    steps = document.get("trajectory")
    calls: list[ModelCall] = []
    for number, step in enumerate(steps if isinstance(steps, list) else []):
        if not isinstance(step, dict) or not _is_step(step):
            continue
        prompt = step.get("query", step.get("messages"))
        calls.append(ModelCall(number, None, None, _prompt(prompt) if isinstance(prompt, list) else None))
    return calls


def _prompt(messages: list[Json]) -> LazyPrompt:
    return LazyPrompt(lambda: [item for message in messages for item in items_of(message, 0)])
