"""The report for a terminal and as plain text."""

from __future__ import annotations

import re
from io import StringIO

import pytest

from ctxviz.analysis.examination import examine
from ctxviz.analysis.settings import Settings
from ctxviz.export.report_table import report_table
from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.json_value import Json
from tests.export.sessions import HOSTILE, RAW, examined, session, sized

PLAIN = f"""\
tiny.json   JSON list   5 items   1,030 chars
warning: line 1: odd

Settings
  projector              default
  measure                   live
  maxItems                     4
  maxApproxChars              40
  pinnedPrefixItems            1

Report
  sourceItemCount              5
  projectedItemCount           3
  droppedItemCount             2
  sourceApproxChars        1,030
  projectedApproxChars        30
  itemLimitApplied          true
  characterLimitApplied     true
  notes                  maxItems applied: 4
                         maxApproxChars applied: 40

Session
█▁▆{"▂" * 96}▆
◆  pinned: 1 item, 10 chars
●  kept: 2 items, 20 chars
·1 dropped by maxItems: 1 item, 10 chars
·2 dropped by maxApproxChars: 1 item, 990 chars

Findings  1 info
  info     hole  #3  skipped by maxApproxChars, older ones kept
  accepts: openai-chat, openai-responses, anthropic, gemini, bedrock, mistral, deepseek, dashscope,
    glm, hunyuan, minimax, kimi, doubao

    #  kind         chars  preview{" " * 60}  marks
◆   0  other           10  xxxxxxxxxx
●   2  other           10  xxxxxxxxxx
●   4  other           10  xxxxxxxxxx
·1  1  other           10  xxxxxxxxxx
·2  3  other          990  {"x" * 66}…  hole
"""


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")  # the same for all: rich keeps a style's codes for good
    monkeypatch.setenv("COLUMNS", "120")


def test_a_tiny_session_in_full() -> None:
    tiny = session(*sized(10, 10, 10, 990, 10), warnings=("line 1: odd",))
    assert report_table(examine(tiny, Settings(ContextBudget(4, 40, 1)))) == PLAIN


def test_without_items_the_last_table_is_absent() -> None:
    text = report_table(examined(sized(4, 10, 4)), items=False)
    assert "preview" not in text
    assert "kept: 3 items, 18 chars\n\nFindings  nothing found\n" in text


def test_of_each_state_the_first_and_last_three() -> None:
    text = report_table(examined(sized(*[10] * 1009), 1000))
    rows = re.findall(r"^(?:●|·1|  )\s+(\d+|…)  (.*)$", text, re.MULTILINE)
    assert [row for row, _ in rows] == [
        *("9", "10", "11", "…", "1006", "1007", "1008"),
        *("0", "1", "2", "…", "6", "7", "8"),
    ]
    assert [rest for row, rest in rows if row == "…"] == ["994 more", "3 more"]


def test_ascii() -> None:
    tool: Json = {"type": "function_call_output", "call_id": "c", "output": "日本語" * 80}
    text = report_table(examined([tool, *sized(10, 10)], 4, 40, 1), ascii_signs=True)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 100
    assert "PPP" in text


def test_colours_on_a_terminal_only() -> None:
    examination = examined(sized(10, 10, 10, 990, 10), 4, 40, 1)
    plain = report_table(examination)
    assert "\x1b" not in plain
    assert "\x1b" not in report_table(examination, terminal=StringIO())
    coloured = report_table(examination, terminal=Terminal())
    assert "\x1b[38;2;" in coloured
    assert "█" in coloured


def test_exact_colours() -> None:
    text = report_table(examined(sized(10, 10, 10, 990, 10), 4, 40, 1), terminal=Terminal())
    for red, green, blue in ((0xF5, 0xCD, 0x6B), (0x58, 0xB2, 0xF0), (0x8D, 0x8A, 0x86)):
        assert f"\x1b[38;2;{red};{green};{blue}m" in text


def test_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    text = report_table(examined(sized(10, 10, 10, 990, 10), 4, 40, 1), terminal=Terminal())
    assert "38;" not in text


def test_nothing_is_written_to_the_terminal() -> None:
    terminal = Terminal()
    report_table(examined(sized(1)), terminal=terminal)
    assert terminal.getvalue() == ""


def test_hostile_text_is_itself() -> None:
    message: Json = {"role": "user", "content": HOSTILE}
    call: Json = {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": HOSTILE, "arguments": HOSTILE}}]}
    output: Json = {"role": "tool", "tool_call_id": "c", "content": HOSTILE}
    hostile = session(message, call, output, HOSTILE, name=HOSTILE, warnings=(HOSTILE,))
    text = report_table(examine(hostile, Settings()))
    assert not any(character in text for character in RAW)
    assert text.count("[bold red]markup[/]") >= 4
    assert text.count("␛[31mred") >= 4


def test_wide_characters_stay_in_their_column() -> None:
    items: list[Json] = ["日本語" * 50, "x" * 200, "y"]
    text = report_table(examined(items, None, 1, 2))
    marked = [line for line in text.splitlines() if line.endswith("forced")]
    assert len(marked) == 2
    assert "日本語" in marked[0]


def test_an_empty_session_says_why() -> None:
    text = report_table(examine(session(nothing="The file is empty."), Settings()))
    assert text.startswith("tiny.json   JSON list   0 items   0 chars\nThe file is empty.\n")
    assert "Session\n" not in text


def test_limits_that_do_not_act_say_so() -> None:
    text = report_table(examined(sized(1), -1, -1, -1, tool_results=3))
    assert re.search(r"maxItems +no limit\n +maxApproxChars +no limit\n +pinnedPrefixItems +0\n", text)
    assert "\n  maxRecentToolResults 3: set, but only the type-aware projector reads it.\n" in text
    text = report_table(examined(sized(1), projector="type-aware"))
    assert re.search(r"maxRecentToolResults +no limit\n +trimOldReasoning +false\n", text)
