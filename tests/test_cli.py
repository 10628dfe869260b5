"""The command line in one process: what it says, and with which exit code."""

from __future__ import annotations

import json
import os
import re
import stat
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import ctxviz
from ctxviz.analysis.bundled import Demo, demos
from ctxviz.analysis.providers.overrides import rules
from ctxviz.cli import main
from ctxviz.cli.commands import program
from tests.export.sessions import HOSTILE, RAW

INT_MAX = 2**31 - 1


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    """Three items of 4, 10 and 4 characters."""
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(["x" * 4, "y" * 10, "z" * 4]))
    return str(path)


class Ran:
    def __init__(self, capsys: pytest.CaptureFixture[str], *args: str) -> None:
        self.code = main(args)
        self.out, self.err = capsys.readouterr()

    @property
    def error(self) -> str:
        """The one line that an error is, without the name before it."""
        assert (self.code, self.out) == (2, "")
        assert self.err.startswith("ctxviz: ")
        assert self.err.endswith("\n")
        line = self.err.removesuffix("\n")
        assert "\n" not in line
        return line.removeprefix("ctxviz: ")

    @property
    def usage_error(self) -> str:
        assert (self.code, self.out) == (2, "")
        assert self.err.startswith("Usage: ctxviz ")
        return self.err.split("\nError: ")[1].rstrip("\n")


def report(capsys: pytest.CaptureFixture[str], session: str, *args: str) -> dict[str, Any]:
    ran = Ran(capsys, "report", session, "--format", "json", *args)
    assert (ran.code, ran.err) == (0, "")
    document: dict[str, Any] = json.loads(ran.out)
    return document


def budget(**given: Any) -> dict[str, Any]:
    keys = ("maxItems", "maxApproxChars", "pinnedPrefixItems", "maxRecentToolResults", "trimOldReasoning")
    return dict.fromkeys(keys) | given


# -- what it says of itself --------------------------------------------------------------------


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "--version")
    assert (ran.code, ran.out, ran.err) == (0, f"ctxviz {ctxviz.__version__}\n", "")


@pytest.mark.parametrize("args", [[], ["--help"], ["-h"]])
def test_help(capsys: pytest.CaptureFixture[str], args: list[str]) -> None:
    ran = Ran(capsys, *args)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Usage: ctxviz [OPTIONS]")
    assert ran.out.isascii()
    for command in ("open", "demo", "report"):
        assert f"\n  {command} " in ran.out


@pytest.mark.parametrize("command", ["open", "demo", "report"])
def test_help_of_a_command(command: str) -> None:
    result = CliRunner().invoke(program, [command, "--help"])
    assert result.exit_code == 0
    for option in ("--max-items N|none", "--pinned-prefix-items N ", "--projector", "--measure", "--budget FILE"):
        assert option in result.output


def test_a_misspelt_command_is_no_session(capsys: pytest.CaptureFixture[str]) -> None:
    assert Ran(capsys, "reprot", "x.json").usage_error == (
        "There is no session and no command 'reprot'. Did you mean report?"
    )


# -- report ------------------------------------------------------------------------------------


def test_a_report_is_a_table(capsys: pytest.CaptureFixture[str], tiny: str) -> None:
    ran = Ran(capsys, "report", tiny, "--max-approx-chars", "8")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("tiny.json   ")
    assert re.search(r"\n  projectedItemCount +2\n", ran.out)
    assert re.search(r"\n·2  1  other +10  y{10} +hole\n", ran.out)


def test_json(capsys: pytest.CaptureFixture[str], tiny: str) -> None:
    document = report(capsys, tiny, "--max-approx-chars", "8")
    assert document["session"]["path"] == tiny
    assert document["settings"] == {
        "projector": "default",
        "measure": "live",
        "at": None,
        "budget": budget(maxApproxChars=8),
    }
    assert document["report"]["projectedItemCount"] == 2
    assert [item["state"] for item in document["items"]] == ["kept", "dropped", "kept"]


def test_markdown(capsys: pytest.CaptureFixture[str], tiny: str) -> None:
    ran = Ran(capsys, "report", tiny, "--format", "markdown")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("# Context report: tiny.json\n")


def test_no_items(capsys: pytest.CaptureFixture[str], tiny: str) -> None:
    assert "items" not in report(capsys, tiny, "--no-items")
    assert "## Items" not in Ran(capsys, "report", tiny, "--no-items", "--format", "markdown").out
    assert "preview" not in Ran(capsys, "report", tiny, "--no-items").out


@pytest.mark.parametrize("demo", demos(), ids=lambda demo: demo.name)
@pytest.mark.parametrize("output_format", ["table", "json", "markdown"])
def test_a_report_of_each_demo(capsys: pytest.CaptureFixture[str], demo: Demo, output_format: str) -> None:
    args = [
        f"--{re.sub('[A-Z]', lambda match: '-' + match[0].lower(), key)}={value}"
        for key, value in demo.settings.budget.to_dict().items()
        if type(value) is int
    ]
    if demo.settings.budget.trim_old_reasoning:
        args.append("--trim-old-reasoning")
    ran = Ran(capsys, "report", str(demo.path), "--format", output_format, *args)
    assert (ran.code, ran.err) == (0, "")
    if output_format == "json":
        document = json.loads(ran.out)
        assert document["settings"] == demo.settings.to_dict()
        assert document["session"]["items"] == len(document["items"])
        in_window = sum(item["state"] != "dropped" for item in document["items"])
        assert document["report"]["projectedItemCount"] == in_window
    else:
        assert "sourceItemCount" in ran.out


def test_warnings_are_part_of_the_output(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text('["one", "two", "thr')
    for output_format in ("table", "json", "markdown"):
        ran = Ran(capsys, "report", str(path), "--format", output_format)
        assert (ran.code, ran.err) == (0, "")
        assert "line 1, column " in ran.out


def test_an_empty_file_is_an_empty_session(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "empty.json"
    path.touch()
    for output_format in ("table", "markdown"):
        ran = Ran(capsys, "report", str(path), "--format", output_format)
        assert (ran.code, ran.err) == (0, "")
        assert "The file is empty." in ran.out
    assert report(capsys, str(path))["items"] == []


@pytest.mark.parametrize("output_format", ["table", "json", "markdown"])
def test_hostile_text_never_reaches_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, output_format: str
) -> None:
    folder = tmp_path / "\x1b[31m\u202e[bold]"
    folder.mkdir()
    path = folder / "\x9b2J.json"
    call = {"role": "assistant", "tool_calls": [{"id": HOSTILE, "function": {"name": HOSTILE, "arguments": HOSTILE}}]}
    output = {"role": "tool", "tool_call_id": HOSTILE, "content": HOSTILE}
    path.write_text(json.dumps([{"role": "user", "content": HOSTILE}, call, output, HOSTILE]))
    ran = Ran(capsys, "report", str(path), "--format", output_format, "--max-items", "3")
    assert (ran.code, ran.err) == (0, "")
    assert not any(character in ran.out for character in RAW)
    if output_format == "table":
        assert "[bold red]markup[/]" in ran.out


def test_stdin(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b'["a", "b"]')))
    document = report(capsys, "-")
    assert document["session"]["path"] == "-"
    assert document["report"]["sourceItemCount"] == 2


def test_a_given_format(capsys: pytest.CaptureFixture[str], tiny: str) -> None:
    assert report(capsys, tiny, "--from", "json-list")["session"]["format"] == "json-list"
    assert re.match(
        r"Invalid value for '--from': nosuch is not one of ai4j-snapshot, .*json-lines",
        Ran(capsys, "report", tiny, "--from", "nosuch").usage_error,
    )


def test_ascii(capsys: pytest.CaptureFixture[str], tiny: str) -> None:
    for output_format in ("table", "json", "markdown"):
        assert Ran(capsys, "report", tiny, "--ascii", "--format", output_format).out.isascii()


# -- settings ----------------------------------------------------------------------------------


def test_all_options(capsys: pytest.CaptureFixture[str], tiny: str) -> None:
    settings = report(
        capsys,
        tiny,
        *("--max-items", "2", "--max-approx-chars", "none", "--pinned-prefix-items", "1"),
        *("--max-recent-tool-results", "0", "--trim-old-reasoning", "--measure", "content"),
    )["settings"]
    assert settings == {
        "projector": "type-aware",
        "measure": "content",
        "at": None,
        "budget": budget(maxItems=2, pinnedPrefixItems=1, maxRecentToolResults=0, trimOldReasoning=True),
    }


@pytest.mark.parametrize(
    ("args", "projector"),
    [
        (["--max-recent-tool-results", "3"], "type-aware"),
        (["--trim-old-reasoning"], "type-aware"),
        (["--max-recent-tool-results", "3", "--projector", "default"], "default"),
        (["--trim-old-reasoning", "--projector", "default"], "default"),
        (["--max-recent-tool-results", "none"], "default"),
        (["--no-trim-old-reasoning"], "default"),
        (["--projector", "type-aware"], "type-aware"),
        ([], "default"),
    ],
)
def test_which_options_imply_the_type_aware_projector(
    capsys: pytest.CaptureFixture[str], tiny: str, args: list[str], projector: str
) -> None:
    assert report(capsys, tiny, *args)["settings"]["projector"] == projector


@pytest.mark.parametrize("text", ["0", "7", "007", str(INT_MAX), "0" * 5000 + "7"])
def test_limits_that_are_taken(capsys: pytest.CaptureFixture[str], tiny: str, text: str) -> None:
    expected = int(text[-10:])
    assert report(capsys, tiny, "--max-items", text)["settings"]["budget"]["maxItems"] == expected
    assert report(capsys, tiny, f"--pinned-prefix-items={text}")["settings"]["budget"]["pinnedPrefixItems"] == expected


@pytest.mark.parametrize("text", ["none", "None", "NONE"])
def test_no_limit(capsys: pytest.CaptureFixture[str], tiny: str, text: str) -> None:
    assert report(capsys, tiny, "--max-items", text)["settings"]["budget"]["maxItems"] is None


@pytest.mark.parametrize("option", ["--max-items", "--max-approx-chars", "--max-recent-tool-results"])
@pytest.mark.parametrize("text", ["-3", "abc", "", "1.5", "1_000", " 7", "٣", str(INT_MAX + 1), "9" * 5000])
def test_limits_that_are_refused(capsys: pytest.CaptureFixture[str], tiny: str, option: str, text: str) -> None:
    assert Ran(capsys, "report", tiny, option, text).usage_error == (
        f"Invalid value for '{option}': {text} is not a whole number from 0 to 2,147,483,647, or none."
    )


@pytest.mark.parametrize("text", ["-1", "none", str(INT_MAX + 1)])
def test_the_prefix_has_no_none(capsys: pytest.CaptureFixture[str], tiny: str, text: str) -> None:
    assert Ran(capsys, "report", tiny, "--pinned-prefix-items", text).usage_error == (
        f"Invalid value for '--pinned-prefix-items': {text} is not a whole number from 0 to 2,147,483,647."
    )


def test_usage_errors_show_what_they_repeat(capsys: pytest.CaptureFixture[str], tiny: str) -> None:
    for args in (["report", tiny, "--max-items", HOSTILE], ["report", tiny, f"--{HOSTILE}"], ["demo", HOSTILE]):
        ran = Ran(capsys, *args)
        assert ran.code == 2
        assert not any(character in ran.err for character in RAW)
        assert "31mred" in ran.err


# -- budget files ------------------------------------------------------------------------------


def test_a_budget_file(capsys: pytest.CaptureFixture[str], tiny: str, tmp_path: Path) -> None:
    path = tmp_path / "budget.json"
    path.write_text('\ufeff{"maxItems": 2, "maxApproxChars": -1, "pinnedPrefixItems": null}', encoding="utf-8")
    settings = report(capsys, tiny, "--budget", str(path))["settings"]
    assert settings["budget"] == budget(maxItems=2, maxApproxChars=-1)
    assert settings["projector"] == "default"


def test_options_override_the_file(capsys: pytest.CaptureFixture[str], tiny: str, tmp_path: Path) -> None:
    path = tmp_path / "budget.json"
    path.write_text('{"maxItems": 2, "maxApproxChars": 9}')
    for args in (["--max-items", "none", "--budget", str(path)], ["--budget", str(path), "--max-items", "none"]):
        assert report(capsys, tiny, *args)["settings"]["budget"] == budget(maxApproxChars=9)


def test_a_file_implies_the_projector_as_options_do(
    capsys: pytest.CaptureFixture[str], tiny: str, tmp_path: Path
) -> None:
    path = tmp_path / "budget.json"
    path.write_text('{"maxRecentToolResults": 2}')
    assert report(capsys, tiny, "--budget", str(path))["settings"]["projector"] == "type-aware"
    args = ["--budget", str(path), "--max-recent-tool-results", "none"]
    assert report(capsys, tiny, *args)["settings"]["projector"] == "default"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "line 1, column 1: not JSON: Expecting value"),
        ('{"maxItems": 3,}', "line 1, column 1[56]: not JSON: .*"),
        ("[]", "a budget is a JSON object with some of maxItems, .*"),
        ('{"max_items": 3}', "max_items is not a budget key: maxItems, .*"),
        ('{"\\u001b[31m": 3}', "␛\\[31m is not a budget key: maxItems, .*"),
        ('{"maxItems": "3"}', "maxItems takes a whole number or null"),
        ('{"maxItems": true}', "maxItems takes a whole number or null"),
        ('{"maxItems": 2147483648}', "maxItems does not fit into a Java int: -2,147,483,648 to 2,147,483,647"),
        ('{"trimOldReasoning": 1}', "trimOldReasoning takes true or false or null"),
        ("[" * 100_000, "a budget does not nest"),
        ('{"maxItems": ' + "9" * 5000 + "}", ".*"),
    ],
)
def test_budget_files_that_are_refused(
    capsys: pytest.CaptureFixture[str], tiny: str, tmp_path: Path, text: str, cause: str
) -> None:
    path = tmp_path / "budget.json"
    path.write_text(text)
    error = Ran(capsys, "report", tiny, "--budget", str(path)).error
    assert error.startswith(f"{path}: ")
    assert re.fullmatch(cause, error.removeprefix(f"{path}: "))


def test_budget_files_that_can_not_be_read(capsys: pytest.CaptureFixture[str], tiny: str, tmp_path: Path) -> None:
    missing = tmp_path / "nosuch.json"
    assert Ran(capsys, "report", tiny, "--budget", str(missing)).error == f"{missing}: No such file or directory"
    assert Ran(capsys, "report", tiny, "--budget", str(tmp_path)).error == f"{tmp_path}: Is a directory"
    binary = tmp_path / "binary"
    binary.write_bytes(b'{"maxItems\xff": 3}')
    assert (
        Ran(capsys, "report", tiny, "--budget", str(binary)).error == f"{binary}: byte 10: not JSON: invalid start byte"
    )


# -- sessions that can't be read ---------------------------------------------------------------


def test_a_missing_session(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert Ran(capsys, "report", str(tmp_path / "nosuch.json")).error == f"{tmp_path / 'nosuch.json'}: no such file"


def test_a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert Ran(capsys, "report", str(tmp_path)).error.startswith(f"{tmp_path}: is a folder")


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n\0\0", b"{not json", b"just words\n", b'{"a": 1}', b"\x00\xff" * 99]
)
def test_what_is_no_session(capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad"
    path.write_bytes(data)
    assert Ran(capsys, "report", str(path)).error.startswith(f"{path}: ")


def test_no_permission(capsys: pytest.CaptureFixture[str], tiny: str) -> None:
    Path(tiny).chmod(0)
    if os.access(tiny, os.R_OK):
        pytest.skip("root may read anything")
    assert Ran(capsys, "report", tiny).error == f"{tiny}: no permission"


def test_a_path_shows_its_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    assert Ran(capsys, "report", "no\x1b[31m\nsuch\u202e").error == "no␛[31m␊such⟨U+202E⟩: no such file"
    assert Ran(capsys, "report", "nul\0byte").error == "nul␀byte: no such file"
    assert Ran(capsys, "report", "half\udcff").error == "half⟨U+DCFF⟩: no such file"


# -- output files ------------------------------------------------------------------------------


@pytest.mark.parametrize("output_format", ["table", "json", "markdown"])
def test_an_output_file_has_what_standard_output_has(
    capsys: pytest.CaptureFixture[str], tiny: str, tmp_path: Path, output_format: str
) -> None:
    target = tmp_path / "out"
    ran = Ran(capsys, "report", tiny, "--format", output_format, "-o", str(target))
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    text = target.read_text(encoding="utf-8")
    assert text == Ran(capsys, "report", tiny, "--format", output_format, "-o", "-").out


def test_output_errors(capsys: pytest.CaptureFixture[str], tiny: str, tmp_path: Path) -> None:
    target = tmp_path / "no" / "out"
    assert Ran(capsys, "report", tiny, "-o", str(target)).error == f"{target}: there is no folder {tmp_path / 'no'}"
    assert Ran(capsys, "report", tiny, "-o", str(tmp_path)).error == f"{tmp_path}: is a folder"


def test_a_failed_write_leaves_the_old_file(
    capsys: pytest.CaptureFixture[str], tiny: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    assert Ran(capsys, "report", tiny, "-o", str(target)).error == f"{target}: No space left on device"
    assert target.read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["out", "tiny.json"]


def test_the_session_is_never_written_to(capsys: pytest.CaptureFixture[str], tiny: str, tmp_path: Path) -> None:
    before = Path(tiny).read_bytes()
    same = str(tmp_path / "." / "tiny.json")
    assert Ran(capsys, "report", tiny, "-o", same).error == f"{same}: is the session itself, which is never written to"
    assert Path(tiny).read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="POSIX devices")
def test_an_output_device(capsys: pytest.CaptureFixture[str], tiny: str) -> None:
    assert Ran(capsys, "report", tiny, "-o", "/dev/null").code == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


# -- demos -------------------------------------------------------------------------------------


def test_the_list_of_demos(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "demo", "--list")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert len(lines) == len(demos())
    for line, demo in zip(lines, demos(), strict=True):
        assert re.fullmatch(rf"{demo.name} +{re.escape(demo.title)} +{re.escape(demo.look)}", line)
    assert len({line.index(demo.title) for line, demo in zip(lines, demos(), strict=True)}) == 1


def test_an_unknown_demo(capsys: pytest.CaptureFixture[str]) -> None:
    error = Ran(capsys, "demo", "nosuch").usage_error
    assert "nosuch" in error
    assert all(demo.name in error for demo in demos())


# -- interruption ------------------------------------------------------------------------------


def test_an_interruption(capsys: pytest.CaptureFixture[str], tiny: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ctxviz.session.loading.load_session", interrupt)
    ran = Ran(capsys, "report", tiny)
    assert (ran.code, ran.out, ran.err.strip()) == (130, "", "")


# -- formats and conversations -------------------------------------------------------------------


def test_formats(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "formats")
    assert (ran.code, ran.err) == (0, "")
    assert "\nclaude-code         Claude Code\n  known by    " in ran.out
    listed = Ran(capsys, "formats", "--format", "json")
    assert "claude-code" in [format["name"] for format in json.loads(listed.out)]


@pytest.fixture
def talks(tmp_path: Path) -> str:
    """Two conversations of one item each."""
    path = tmp_path / "talks.json"
    turns = [{"from": "human", "value": "hello"}]
    path.write_text(json.dumps([{"id": name, "conversations": turns} for name in ("one", "two")]))
    return str(path)


def test_one_of_several_conversations(capsys: pytest.CaptureFixture[str], talks: str) -> None:
    assert Ran(capsys, "report", talks).error == (
        f"{talks}: holds 2 conversations: choose one with --conversation: one, two"
    )
    assert Ran(capsys, "report", talks, "--conversation", "3").error == (
        f"{talks}: no conversation 3: there are one, two"
    )
    session = report(capsys, talks, "--conversation", "two")["session"]
    assert (session["conversation"], session["items"], session["records"]["read"]) == ("two", 1, 1)


# -- check ---------------------------------------------------------------------------------------


@pytest.fixture
def broken(tmp_path: Path) -> str:
    """A session whose call is cut from its output by a budget of one item."""
    path = tmp_path / "broken.json"
    call = {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f"}}]}
    output = {"role": "tool", "tool_call_id": "c", "content": "r"}
    path.write_text(json.dumps([{"role": "user", "content": "q"}, call, output]))
    return str(path)


def test_check(capsys: pytest.CaptureFixture[str], broken: str) -> None:
    ran = Ran(capsys, "check", broken)
    assert (ran.code, ran.out) == (0, f"ok      {broken}: nothing found; openai-chat accepts it\n")
    ran = Ran(capsys, "check", broken, "--max-items", "1")
    assert ran.code == 1
    assert ran.out.startswith(f"failed  {broken}: 2 errors")
    ran = Ran(capsys, "check", broken, "--max-items", "2")
    assert (ran.code, "task-lost" in ran.out) == (1, True)
    assert Ran(capsys, "check", broken, "--max-items", "1", "--provider", "glm").out.count("(unknown)") >= 1


def test_check_fails_on_warnings_if_asked_to(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    path.write_text('[{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]')
    assert Ran(capsys, "check", str(path), "--max-items", "1").code == 0
    assert Ran(capsys, "check", str(path), "--max-items", "1", "--fail-on", "warning").code == 1


def test_check_reports_all_and_2_wins(capsys: pytest.CaptureFixture[str], broken: str, tmp_path: Path) -> None:
    gone = str(tmp_path / "gone.json")
    ran = Ran(capsys, "check", gone, broken, "--max-items", "1", "--format", "json")
    assert ran.code == 2
    files = json.loads(ran.out)["files"]
    assert [(one["path"], one["ok"], "error" in one) for one in files] == [(gone, False, True), (broken, False, False)]
    assert ran.err.count("\n") == 1
    assert gone in ran.err


def test_a_broken_file_of_rules_is_an_error(
    capsys: pytest.CaptureFixture[str], broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    (tmp_path / "ctxviz").mkdir()
    (tmp_path / "ctxviz" / "providers.toml").write_text("rule = 3")
    rules.cache_clear()
    ran = Ran(capsys, "check", broken)
    rules.cache_clear()
    assert (ran.code, ran.out) == (2, "")
    assert "providers.toml: rule is written as [[rule]]" in ran.err
