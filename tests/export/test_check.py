"""What `check` writes."""

from __future__ import annotations

import json

from ctxviz.analysis.finding import Severity
from ctxviz.export.check import Checked, check_json, check_text, finding_lines
from ctxviz.projection.json_value import Json
from tests.export.sessions import HOSTILE, RAW, examined

CALL: Json = {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f"}}]}
RESULT: Json = {"role": "tool", "tool_call_id": "c", "content": "r"}
USER: Json = {"role": "user", "content": "q"}
BAD = Checked("bad.json", examined([USER, CALL, RESULT], 1).findings)
LOST = Checked("lost.json", examined([USER, USER], 1).findings)
GOOD = Checked("good.json", examined([USER, CALL, RESULT]).findings)
GONE = Checked(HOSTILE, None, f"{HOSTILE}: No such file or directory")


def test_text() -> None:
    assert check_text([BAD, GOOD, LOST], Severity.ERROR) == (
        "failed  bad.json: 2 errors, 1 warning; openai-chat refuses it (400), orphan-output at #2\n"
        "        error    no-user        #0  no user message is in the window\n"
        "        error    orphan-output  #2  its call #1 was dropped by maxItems\n"
        "        warning  task-lost      #0  the first user message, dropped by maxItems\n"
        "ok      good.json: nothing found; openai-chat accepts it\n"
        "ok      lost.json: 1 warning; openai-chat accepts it\n"
        "        warning  task-lost  #0  the first user message, dropped by maxItems\n"
    )
    assert check_text([LOST], Severity.WARNING).startswith("failed  lost.json")
    assert not any(character in check_text([GONE], Severity.ERROR) for character in RAW)


def test_json() -> None:
    document = json.loads(json.dumps(check_json([BAD, GOOD, GONE], Severity.ERROR)))
    bad, good, gone = document["files"]
    assert (bad["path"], bad["ok"]) == ("bad.json", False)
    assert bad["findings"][1] == {
        "code": "orphan-output",
        "severity": "error",
        "certainty": "certain",
        "items": [2],
        "message": "its call #1 was dropped by maxItems",
        "provider": "openai-chat",
    }
    assert (good["ok"], good["findings"]) == (True, [])
    assert (gone["ok"], gone["error"]) == (False, GONE.error)
    assert "findings" not in gone


def test_many_findings_are_cut() -> None:
    findings = examined([USER, CALL, RESULT], 1).findings
    assert list(finding_lines(findings, 2))[-1] == "and 1 more"
