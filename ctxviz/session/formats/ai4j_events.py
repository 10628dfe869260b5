"""The events of an ai4j snapshot: which requests the model got, and what the projector reported."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ctxviz.projection.json_value import Json
from ctxviz.projection.report import KEYS, ContextReport
from ctxviz.session.formats.ai4j_memory import summary_of, with_summary
from ctxviz.session.model import Compaction, ModelCall


@dataclass(frozen=True, eq=False)
class EventLog:
    """What the events tell, in their order."""

    calls: list[ModelCall] = field(default_factory=list)
    compactions: list[Compaction] = field(default_factory=list)


def event_log(events: Json) -> EventLog:
    """Read the events; what is malformed is passed over.

    A step's events come in the order MEMORY_COMPRESS "compacted", STEP_START, MEMORY_COMPRESS
    "context projection" (only where a projector is set), MODEL_REQUEST (``BaseAgentRuntime``,
    commit 6955545).
    """
    log = EventLog()
    report: ContextReport | None = None
    reported_in: tuple[Json, Json] | None = None
    for record in events if isinstance(events, list) else []:
        event = record.get("event") if isinstance(record, dict) else None
        if not isinstance(event, dict):
            continue
        kind, payload, step = event.get("type"), event.get("payload"), (event.get("turnId"), event.get("step"))
        if kind == "MEMORY_COMPRESS" and isinstance(payload, dict):
            if "sourceItemCount" in payload:
                report, reported_in = read_report(payload), step
            elif isinstance(memory := payload.get("memory"), dict) and isinstance(items := memory.get("items"), list):
                log.compactions.append(Compaction(len(log.calls), with_summary(items, summary_of(memory))))
        elif kind == "MODEL_REQUEST":
            prompt = payload.get("items") if isinstance(payload, dict) else None
            log.calls.append(
                ModelCall(
                    step=_int(event.get("step")),
                    run=turn if isinstance(turn := event.get("turnId"), str) else None,
                    report=report if reported_in == step else None,
                    prompt=prompt if isinstance(prompt, list) else None,
                )
            )
            report = reported_in = None
    return log


def read_report(payload: dict[str, Json]) -> ContextReport | None:
    """A recorded ``ContextReport``, None if a field is missing or of another type."""
    fields: dict[str, Any] = {name: payload.get(key) for name, key in KEYS.items()}
    notes = fields["notes"]
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        return None
    types = {name: bool if name.endswith("_applied") else int for name in fields if name != "notes"}
    if any(type(fields[name]) is not kind for name, kind in types.items()):
        return None
    return ContextReport(**{**fields, "notes": tuple(notes)})


def _int(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
