"""The JSON report: keys, order and values as the design has them."""

from __future__ import annotations

import json
from textwrap import indent

import ctxviz
from ctxviz.analysis.examination import examine
from ctxviz.analysis.providers.names import PROVIDER_NAMES
from ctxviz.analysis.settings import Settings
from ctxviz.export.report_json import json_text, report_json
from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.json_value import Json
from tests.export.sessions import HOSTILE, RAW, examined, session, sized

EXPECTED = """\
{
  "ctxviz": "VERSION",
  "session": {
    "path": "some/tiny.json",
    "format": "json-list",
    "items": 3,
    "calls": 0,
    "warnings": [
      "line 1: odd"
    ],
    "certainty": 1.0,
    "conversation": null,
    "records": null
  },
  "settings": {
    "projector": "default",
    "measure": "live",
    "at": null,
    "budget": {
      "maxItems": null,
      "maxApproxChars": 8,
      "pinnedPrefixItems": null,
      "maxRecentToolResults": null,
      "trimOldReasoning": null
    }
  },
  "report": {
    "sourceItemCount": 3,
    "projectedItemCount": 2,
    "droppedItemCount": 1,
    "sourceApproxChars": 18,
    "projectedApproxChars": 8,
    "itemLimitApplied": false,
    "characterLimitApplied": true,
    "notes": [
      "maxApproxChars applied: 8"
    ]
  },
  "items": [
    {
      "index": 0,
      "kind": "other",
      "approxChars": 4,
      "state": "kept",
      "gate": null,
      "marks": [],
      "reason": "Kept: 4 used + 4 = 8 ≤ 8, 0 left."
    },
    {
      "index": 1,
      "kind": "other",
      "approxChars": 10,
      "state": "dropped",
      "gate": 2,
      "marks": [
        "hole"
      ],
      "reason": "Dropped by maxApproxChars: 4 used + 10 = 14 > 8, over by 6; then #0 still fitted; \
it would fit at maxApproxChars 14."
    },
    {
      "index": 2,
      "kind": "other",
      "approxChars": 4,
      "state": "kept",
      "gate": null,
      "marks": [],
      "reason": "Kept: 0 used + 4 = 4 ≤ 8, 4 left."
    }
  ],
  "findings": [
    {
      "code": "hole",
      "severity": "info",
      "certainty": "certain",
      "items": [
        1
      ],
      "message": "skipped by maxApproxChars, older ones kept"
    }
  ],
  "verdicts": VERDICTS
}
""".replace("VERSION", ctxviz.__version__).replace(
    "VERDICTS",
    indent(
        json.dumps(
            [{"provider": name, "answer": "accepts", "code": None, "items": []} for name in PROVIDER_NAMES], indent=2
        ),
        "  ",
    ).lstrip(),
)


def test_a_tiny_session_in_full() -> None:
    tiny = session(*sized(4, 10, 4), warnings=("line 1: odd",))
    examination = examine(tiny, Settings(ContextBudget(max_approx_chars=8)))
    assert json_text(report_json(examination)) == EXPECTED


def test_without_items_their_key_is_absent() -> None:
    document = report_json(examined(sized(4, 10, 4)), items=False)
    assert list(document) == ["ctxviz", "session", "settings", "report", "findings", "verdicts"]


def test_what_is_no_ascii_stays_and_what_can_not_be_written_is_escaped() -> None:
    examination = examine(session("x", name="日本 😀 \ud800.json"), Settings())
    text = json_text(report_json(examination))
    assert "日本 😀 \\ud800.json" in text
    assert json.loads(text.encode())["session"]["path"] == "some/日本 😀 \ud800.json"


def test_ascii_only() -> None:
    examination = examine(session("x", name="日本 😀.json"), Settings())
    text = json_text(report_json(examination), ascii_only=True)
    assert text.isascii()
    assert json.loads(text) == report_json(examination)


def test_hostile_text_is_escaped_and_the_same() -> None:
    examination = examine(session("x", name=HOSTILE, warnings=(HOSTILE,)), Settings())
    for ascii_only in (False, True):
        text = json_text(report_json(examination), ascii_only=ascii_only)
        assert not any(character in text for character in RAW)
        assert json.loads(text)["session"]["warnings"] == [HOSTILE]


def test_an_item_has_the_size_that_the_gates_saw() -> None:
    output: Json = {"type": "function_call_output", "call_id": "c", "output": "x" * 99}
    examination = examined([output, output], tool_results=1, projector="type-aware")
    items = report_json(examination)["items"]
    assert isinstance(items, list)
    first = items[0]
    assert isinstance(first, dict)
    assert first["approxChars"] == examination.projection.source.sizes[0] < examination.projection.original.sizes[0]
    assert first["marks"] == ["cleared"]
    assert first["kind"] == "tool-output"
