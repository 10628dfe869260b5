"""The command line as a program: imports, pipes, encodings, terminals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import ctxviz
from ctxviz.analysis.bundled import demos

ROOT = Path(__file__).parents[1]
DEMO = str(demos()[0].path)
posix = pytest.mark.skipif(os.name == "nt", reason="POSIX pipes and terminals")


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    unwanted = ("PYTHONIOENCODING", "PYTHONUTF8", "NO_COLOR", "FORCE_COLOR", "COLUMNS")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **(extra or {})}


def run(*args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "ctxviz", *args],
        input=stdin,
        capture_output=True,
        env=environment(env),
        check=False,
        timeout=60,
    )


def imported(*args: str) -> set[str]:
    """The top-level packages that a command has imported."""
    code = (
        "import sys; from ctxviz.cli import main; code = main(sys.argv[1:]);"
        "sys.stderr.write(' '.join({name.split('.')[0] for name in sys.modules})); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, env=environment(), check=True, timeout=60
    )
    return set(done.stderr.decode().split())


def test_as_a_module() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout.decode().strip(), done.stderr) == (0, f"ctxviz {ctxviz.__version__}", b"")


def test_what_is_not_imported() -> None:
    assert not imported("--version") & {"textual", "rich"}
    assert not imported() & {"textual", "rich"}
    assert not imported("demo", "--list") & {"textual", "rich"}
    assert not imported("report", DEMO, "--format", "json") & {"textual", "rich"}
    assert not imported("report", DEMO, "--format", "markdown") & {"textual", "rich"}
    assert "textual" not in imported("report", DEMO)


def test_standard_input() -> None:
    done = run("report", "-", "--format", "json", stdin=b'["a", "b"]')
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["report"]["sourceItemCount"] == 2


def test_an_error_is_a_line() -> None:
    done = run("report", "nosuch.json")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().strip() == "ctxviz: nosuch.json: no such file"


def test_a_pipe_has_no_colours() -> None:
    done = run("report", DEMO)
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout


def test_no_screen_on_a_pipe() -> None:
    done = run(DEMO)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().strip() == (
        "ctxviz: standard output is no terminal; for a report without a screen: ctxviz report SESSION"
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
@pytest.mark.parametrize("output_format", ["table", "json", "markdown"])
def test_other_encodings_get_ascii(tmp_path: Path, encoding: str, output_format: str) -> None:
    path = tmp_path / "日本.json"
    path.write_text(json.dumps([{"role": "user", "content": "日本語 \ud800 \x1b[2J é 😀"}, "x" * 9]))
    args = ["report", str(path), "--format", output_format, "--max-approx-chars", "5", "--pinned-prefix-items", "1"]
    done = run(*args, env={"PYTHONIOENCODING": encoding})
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode(encoding)
    assert text.isascii()
    assert "\\u65e5" in text
    if output_format == "json":
        assert json.loads(text)["session"]["path"] == str(path)


def test_errors_in_other_encodings() -> None:
    done = run("report", "日本\udcff.json", env={"PYTHONIOENCODING": "latin-1"})
    assert done.returncode == 2
    assert done.stderr.decode("ascii").startswith("ctxviz: \\u65e5\\u672c")


@posix
@pytest.mark.parametrize("output_format", ["table", "json", "markdown"])
def test_a_reader_that_leaves_early(tmp_path: Path, output_format: str) -> None:
    path = tmp_path / "long.json"
    path.write_text(json.dumps([{"role": "user", "content": f"{number}"} for number in range(5000)]))
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.Popen(
        [sys.executable, "-m", "ctxviz", "report", str(path), "--format", output_format],
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    os.close(writing)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, b"")


@posix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has that device")
def test_a_full_device() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ctxviz", "report", DEMO],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr.decode() == "ctxviz: standard output: No space left on device\n"


@posix
def test_closed_standard_output() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" -m ctxviz report "$1" >&-', sys.executable, DEMO],
        stderr=subprocess.PIPE,
        env=environment(),
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr.decode()) == (2, "ctxviz: standard output: closed\n")


@posix
def test_an_interruption_leaves_no_traceback() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "ctxviz", "report", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        # A shell's background job passes on that it takes no interruptions.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdin
    # More than a pipe holds: when all of it is taken the program is at work, and waits for the end.
    process.stdin.write(b" " * 1_000_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    process.stdin.close()
    process.stdin = None
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output, errors.strip()) == (130, b"", b"")


# -- a real terminal ---------------------------------------------------------------------------

IN_TERMINAL = """
import fcntl, sys, termios
fcntl.ioctl(1, termios.TIOCSCTTY, 0)
import ctxviz.tui
def run(path, *, session, settings, look, **_):
    print("opened", path, session and len(session), bool(look), flush=True)
    print("key", sys.__stdin__.isatty(), sys.__stderr__.isatty(), repr(open(0, closefd=False).readline()), flush=True)
    return 7
ctxviz.tui.run = run
from ctxviz.cli import main
sys.exit(main())
"""


def in_terminal(*args: str, stdin: bytes | None = None, keys: bytes = b"k\n", quiet: bool = False) -> tuple[int, str]:
    """Run with a screen that says what it was opened with and the line that it reads from the keyboard."""
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", IN_TERMINAL, *args],
        stdin=theirs if stdin is None else subprocess.PIPE,
        stdout=theirs,
        stderr=subprocess.DEVNULL if quiet else theirs,
        start_new_session=True,
        env=environment({"TERM": "xterm-256color"}),
    )
    os.close(theirs)
    os.write(ours, keys)
    if process.stdin:
        process.stdin.write(stdin or b"")
        process.stdin.close()
    said = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux says so that nobody has the terminal open any more
            break
        if not piece:
            break
        said += piece
    os.close(ours)
    return process.wait(timeout=60), said.decode()


@posix
def test_a_session_in_a_terminal() -> None:
    code, said = in_terminal(DEMO)
    assert code == 7
    assert f"opened {DEMO} " in said
    assert "key True True 'k\\n'" in said


@posix
def test_keys_come_from_the_terminal_while_standard_input_is_a_session() -> None:
    for path in ("-", "/dev/stdin"):
        code, said = in_terminal(path, stdin=b'["a", "b", "c"]')
        assert code == 7
        assert f"opened {path} 3 False" in said
        assert "key True True 'k\\n'" in said


@posix
def test_keys_come_from_the_terminal_while_standard_input_is_something_else() -> None:
    code, said = in_terminal("demo", stdin=b"not for us")
    assert code == 7
    assert "True" in said
    assert "key True True 'k\\n'" in said


@posix
def test_the_screen_is_drawn_while_errors_go_elsewhere() -> None:
    code, said = in_terminal(DEMO, quiet=True)
    assert code == 7
    assert "key True True 'k\\n'" in said


@posix
def test_a_bad_session_on_standard_input() -> None:
    code, said = in_terminal("-", stdin=b"{not json")
    assert code == 2
    assert "ctxviz: -: " in said
    assert "opened" not in said


@posix
def test_a_list_of_demos_in_colour() -> None:
    code, said = in_terminal("demo", "--list")
    assert code == 0
    assert "\x1b[1m" in said
    assert demos()[0].title in said
