"""ATIF: the agent trajectory interchange format (versions 1.0 to 1.7)."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.content import Content, list_under
from ctxviz.session.formats.shapes import call, message, output, reasoning
from ctxviz.session.opened import Document, Opened
from ctxviz.session.records import ListRecords
from ctxviz.session.table import Builder

NAME = "atif"
TITLE = "ATIF trajectory"
KNOWN_BY = "an object with schema_version ATIF-... and steps"
READS = "each step's message, reasoning, calls and results"
LEAVES_OUT = "metrics; steps that are copies of another trajectory's context"


def looks_like(file: Opened) -> float:
    """By the version's name."""
    document = file.value if isinstance(file, Document) else None
    version = document.get("schema_version") if isinstance(document, dict) else None
    return float(isinstance(version, str) and version.startswith("ATIF"))


def read(file: Opened, conversation: str | None = None) -> Content:
    """The steps; a context that was replaced begins anew where it was."""
    steps = list_under(file.value if isinstance(file, Document) else None, "steps")
    records = ListRecords(steps, lambda number: f"steps[{number}]")
    builder = Builder(records)
    for number, record in records.each():
        if _replaces(record):
            builder.move_aside(range(number), "before the compaction")
        builder.add(number, items_of(record, number))
    rows = builder.rows(items_of)
    return Content(rows=rows, nothing="" if steps else "The file is whole: its steps is empty.")


def _replaces(step: Json) -> bool:
    """Whether a step says that the context was compacted and replaced by what follows."""
    extra = step.get("extra") if isinstance(step, dict) else None
    management = extra.get("context_management") if isinstance(extra, dict) else None
    return (
        isinstance(management, dict)
        and management.get("type") == "compaction"
        and management.get("boundary") == "replace"
    )


def items_of(record: Json, number: int) -> Sequence[Json]:
    """A step's items."""
    if not isinstance(record, dict):
        return (record,)
    source = record.get("source")
    role = "assistant" if source == "agent" else source if isinstance(source, str) else "user"
    items: list[Json] = []
    if isinstance(thought := record.get("reasoning_content"), str) and thought:
        items.append(reasoning(thought))
    calls = record.get("tool_calls")
    said = record.get("message")
    if said not in (None, "") or not (items or calls):
        items.append(message(role, said))
    names: dict[str, Json] = {}
    for one in calls if isinstance(calls, list) else []:
        if isinstance(one, dict):
            call_id = one.get("tool_call_id")
            if isinstance(call_id, str):
                names[call_id] = one.get("function_name")
            items.append(call(one.get("function_name"), call_id, one.get("arguments")))
    observation = record.get("observation")
    results = observation.get("results") if isinstance(observation, dict) else None
    for result in results if isinstance(results, list) else []:
        if not isinstance(result, dict) or "content" not in result:
            continue
        answered = result.get("source_call_id")
        if answered is None:
            items.append(message("user", result["content"]))
        else:
            name = names.get(answered) if isinstance(answered, str) else None
            items.append(output(answered, result["content"], name))
    return items
