"""The Markdown report: whole tables, whatever a session says."""

from __future__ import annotations

import re

from ctxviz.analysis.examination import examine
from ctxviz.analysis.settings import Settings
from ctxviz.export.report_markdown import escaped, report_markdown
from ctxviz.projection.budget import ContextBudget
from tests.export.sessions import HOSTILE, RAW, examined, session, sized


def test_a_tiny_session_in_full() -> None:
    tiny = session(*sized(4, 10, 4), warnings=("line 1: odd",))
    text = report_markdown(examine(tiny, Settings(ContextBudget(max_approx_chars=8))))
    assert text.startswith(
        "# Context report: tiny.json\n\n| session | value |\n| --- | ---: |\n| session | some/tiny.json |\n"
    )
    assert "\n- Warning: line 1: odd\n" in text
    assert "\n| maxItems | no limit |\n| maxApproxChars | 8 |\n| pinnedPrefixItems | 0 |\n" in text
    assert "\n| sourceItemCount | 3 |\n| projectedItemCount | 2 |\n| droppedItemCount | 1 |\n" in text
    assert "\n| itemLimitApplied | false |\n| characterLimitApplied | true |\n" in text
    assert "\n| notes | maxApproxChars applied: 8 |\n" in text
    strip = re.search("```text\n(.*)\n```", text)
    assert strip
    assert re.fullmatch("▆{18}▂{44}▆{18}", strip[1])
    assert "\n- ● kept: 2 items, 8 chars\n- ·2 dropped by maxApproxChars: 1 item, 10 chars\n" in text
    assert text.endswith(
        "| # | state | kind | chars | reason |\n"
        "| ---: | --- | --- | ---: | --- |\n"
        "| 0 | kept | other | 4 | Kept: 4 used + 4 = 8 ≤ 8, 0 left. |\n"
        "| 1 | dropped, gate 2, hole | other | 10 | Dropped by maxApproxChars: 4 used + 10 = 14 > 8, over by 6;"
        " then #0 still fitted; it would fit at maxApproxChars 14. |\n"
        "| 2 | kept | other | 4 | Kept: 0 used + 4 = 4 ≤ 8, 4 left. |\n"
    )


def test_without_items() -> None:
    assert "## Items" not in report_markdown(examined(sized(4, 10, 4)), items=False)


def test_ascii() -> None:
    assert report_markdown(examined(sized(*range(20)), 4, 40, 1), ascii_signs=True).isascii()


def test_an_empty_session_says_why() -> None:
    text = report_markdown(examine(session(nothing="The file is empty."), Settings()))
    assert "\n- The file is empty.\n" in text
    assert "## Session" not in text
    assert "| notes | none |" in text


def test_hostile_text_is_itself() -> None:
    text = report_markdown(examine(session("x", name=HOSTILE, warnings=(HOSTILE,)), Settings()))
    assert not any(character in text for character in RAW)
    assert "<b>" not in text
    assert "[bold" not in text.replace("\\[", "")
    for line in text.splitlines():
        assert not line.startswith("|") or len(re.findall(r"(?<!\\)\|", line)) in (3, 6)


def test_a_setting_that_does_not_act_is_named() -> None:
    text = report_markdown(examined(sized(1), trim=True))
    assert "| trimOldReasoning |" not in text
    assert "\n\ntrimOldReasoning true: set, but only the type-aware projector reads it.\n\n" in text


def test_escaping() -> None:
    assert escaped("a|b") == "a\\|b"
    assert escaped("`code` *b* _i_ ~s~ [l](u) $m$") == "\\`code\\` \\*b\\* \\_i\\_ \\~s\\~ \\[l\\](u) \\$m\\$"
    assert escaped("<script>&lt;") == "&lt;script>&amp;lt;"
    assert escaped("\\|") == "\\\\\\|"
    assert escaped("one\ntwo") == "one␊two"
