"""What reports say of the file beside its items: records set aside, the conversation, how sure the format is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from ctxviz.analysis.examination import Examination, examine
from ctxviz.analysis.settings import Settings
from ctxviz.export.report_json import report_json
from ctxviz.export.report_markdown import report_markdown
from ctxviz.export.report_table import report_table
from ctxviz.session.loading import load_session
from ctxviz.session.model import Conversation
from tests.export.sessions import HOSTILE, RAW, examined


@pytest.fixture
def aside(tmp_path: Path) -> Examination:
    """A Claude Code session of two messages, a sidechain and a summary; conversation and certainty are made up."""
    records: list[Any] = [{"type": "summary", "summary": "a repair", "leafUuid": "u1"}]
    for at, is_sidechain in enumerate((False, False, True)):
        message = {"role": "assistant" if at % 2 else "user", "content": f"message {at}"}
        parent = f"u{at - 1}" if at else None
        record = {"type": message["role"], "uuid": f"u{at}", "parentUuid": parent, "isSidechain": is_sidechain}
        records.append(record | {"message": message})
    file = tmp_path / "repair.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    session = replace(load_session(file), conversation=Conversation("ses_1", "a | b"), certainty=0.3)
    return examine(session, Settings())


def test_the_table(aside: Examination) -> None:
    lines = report_table(aside).split("\n")
    assert lines[:3] == [
        "repair.jsonl   Claude Code (30 % sure)   2 items   65 chars",
        "conversation ses_1: a | b",
        "4 records read, 2 used, 2 set aside",
    ]


def test_markdown(aside: Examination) -> None:
    text = report_markdown(aside)
    assert "\n| conversation | ses\\_1: a \\| b |\n| format | Claude Code (30 % sure) |\n" in text
    assert "\n| records | 4 records read, 2 used, 2 set aside |\n| items | 2 |\n" in text


def test_json(aside: Examination) -> None:
    session = cast("dict[str, Any]", report_json(aside)["session"])
    assert session["records"] == {"read": 4, "used": 2, "setAside": 2}
    assert (session["conversation"], session["certainty"]) == ("ses_1", 0.3)


def test_nothing_is_said_where_there_is_nothing_to_say() -> None:
    plain = examined(["a"])
    assert report_table(plain).split("\n")[1] == ""
    assert "records" not in report_markdown(plain)
    assert "conversation" not in report_markdown(plain)


def test_a_hostile_title(aside: Examination) -> None:
    session = replace(aside.session, conversation=Conversation(HOSTILE, HOSTILE * 2))
    hostile = examine(session, Settings())
    for text in (report_table(hostile), report_markdown(hostile)):
        assert not any(char in text for char in RAW)
