"""``report --format json``."""

from __future__ import annotations

import json

from ctxviz import __version__
from ctxviz.analysis.examination import Examination
from ctxviz.analysis.explanation import explain
from ctxviz.analysis.findings import Verdict
from ctxviz.export.visible import escape_hidden
from ctxviz.projection.json_value import Json


def report_json(examination: Examination, *, items: bool = True) -> dict[str, Json]:
    """The whole answer as data, keys in the order in which they are written; without `items` that key is absent.

    `approxChars` are the sizes that the gates saw: a cleared item has its placeholder's. `verdicts` has
    an object a provider: `answer` is "accepts", "refuses", "likely refuses" or "unknown", `code` and
    `items` are of the worst finding that it is for.
    """
    session, census = examination.session, examination.session.census
    records: Json = None
    if census is not None:
        records = {"read": census.read, "used": census.used, "setAside": census.set_aside}
    document: dict[str, Json] = {
        "ctxviz": __version__,
        "session": {
            "path": session.path,
            "format": session.format,
            "items": len(session),
            "calls": len(session.calls),
            "warnings": list(session.warnings),
            "certainty": round(session.certainty, 2),
            "conversation": session.conversation.id if session.conversation else None,
            "records": records,
        },
        "settings": examination.settings.to_dict(),
        "report": examination.report.to_dict(),
    }
    if items:
        document["items"] = [_item(examination, index) for index in range(len(session))]
    findings = examination.findings
    found: list[Json] = [finding.to_dict() for finding in findings]
    document["findings"] = found
    document["verdicts"] = [_verdict(verdict) for verdict in findings.verdicts]
    return document


def _verdict(verdict: Verdict) -> dict[str, Json]:
    finding = verdict.finding
    return {
        "provider": verdict.provider,
        "answer": verdict.answer,
        "code": finding.code if finding else None,
        "items": list(finding.items) if finding else [],
    }


def json_text(document: Json, *, ascii_only: bool = False) -> str:
    """JSON of two spaces a level with a newline at the end.

    Other letters than ASCII stay as they are unless `ascii_only`; what hides or can't be encoded is
    escaped either way.
    """
    return escape_hidden(json.dumps(document, indent=2, ensure_ascii=ascii_only)) + "\n"


def _item(examination: Examination, index: int) -> dict[str, Json]:
    explanation = explain(examination, index)
    decision = explanation.decision
    return {
        "index": index,
        "kind": examination.session.kind(index).value,
        "approxChars": decision.size,
        "state": decision.state.value,
        "gate": decision.gate,
        "marks": [mark.value for mark in decision.marks],
        "reason": explanation.sentence,
    }
