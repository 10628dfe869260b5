"""The command line: parses, calls, prints.

What is heavy is imported in the command that needs it: neither `--version` nor a report imports
Textual, and `--version` no rich either.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from enum import Enum
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import click

from ctxviz import __version__
from ctxviz.analysis.settings import PROJECTOR_NAMES, Settings
from ctxviz.export.visible import visible
from ctxviz.projection.budget import KEYS, ContextBudget
from ctxviz.projection.measure import MEASURES

if TYPE_CHECKING:
    from ctxviz.session.model import Session

_INT_MAX: Final = 2**31 - 1
"""The largest limit: ai4j's are Java ints."""

_LOADED_BEFORE_THE_SCREEN: Final = 2_000_000
"""Files up to so many bytes are read before the screen opens, so that their errors never change the terminal."""


class _Failure(click.ClickException):
    """What can't be done, in one line; exit code 2."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"ctxviz: {visible(self.message)}", file=file, err=True)


# -- options -----------------------------------------------------------------------------------


class _NoLimit(Enum):
    """`none` said in so many letters; an option that was not given is None."""

    NO_LIMIT = "none"


_Asked: TypeAlias = "int | _NoLimit | None"


def _limit(ctx: click.Context, param: click.Parameter, text: str | None, *, or_none: bool = True) -> _Asked:
    if text is None:
        return None
    if or_none and text.lower() == "none":
        return _NoLimit.NO_LIMIT
    # No `int` before the length is known: it refuses very long numbers in its own words.
    if re.fullmatch("0*[0-9]{1,10}", text) and int(text[-10:]) <= _INT_MAX:
        return int(text[-10:])
    allowed = f"a whole number from 0 to {_INT_MAX:,}{', or none' if or_none else ''}"
    raise click.BadParameter(f"{text} is not {allowed}.", ctx, param)


def _format_name(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    if name is None:
        return None
    from ctxviz.session.loading import format_names

    if name not in format_names():
        raise click.BadParameter(f"{name} is not one of {', '.join(format_names())}.", ctx, param)
    return name


def _budget_file(ctx: click.Context, param: click.Parameter, path: str | None) -> ContextBudget | None:
    if path is None:
        return None
    try:
        return _read_budget(Path(path).read_bytes())
    except OSError as error:
        raise _Failure(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise _Failure(f"{path}: {error}") from error


def _read_budget(data: bytes) -> ContextBudget:
    try:
        fields = json.loads(data)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start}: not JSON: {error.reason}") from error
    except RecursionError as error:
        raise ValueError("a budget does not nest") from error
    if not isinstance(fields, dict):
        raise ValueError(f"a budget is a JSON object with some of {', '.join(KEYS.values())}")
    for key, number in fields.items():
        if type(number) is int and not -_INT_MAX - 1 <= number <= _INT_MAX:
            raise ValueError(f"{key} does not fit into a Java int: {-_INT_MAX - 1:,} to {_INT_MAX:,}")
    return ContextBudget.from_dict(fields)


_N_OR_NONE = "N|none"
_SETTINGS_OPTIONS = (
    click.option(
        "--max-items", metavar=_N_OR_NONE, callback=_limit, help="How many items may enter the window (gate 1)."
    ),
    click.option(
        "--max-approx-chars", metavar=_N_OR_NONE, callback=_limit, help="How many characters may enter (gate 2)."
    ),
    click.option(
        "--pinned-prefix-items",
        metavar="N",
        callback=partial(_limit, or_none=False),
        help="How many items at the head are pinned.",
    ),
    click.option(
        "--max-recent-tool-results",
        metavar=_N_OR_NONE,
        callback=_limit,
        help="How many of the latest tool outputs stay whole; implies the type-aware projector.",
    ),
    click.option(
        "--trim-old-reasoning/--no-trim-old-reasoning",
        default=None,
        help="Empty the reasoning before the last user message; implies the type-aware projector.",
    ),
    click.option("--projector", type=click.Choice(PROJECTOR_NAMES), help="Which of ai4j's projectors runs."),
    click.option("--measure", type=click.Choice(MEASURES), help="How an item's characters are counted."),
    click.option(
        "--budget", metavar="FILE", callback=_budget_file, help="ai4j's budget keys as JSON; other options override."
    ),
    click.option(
        "--from", "format_name", metavar="FORMAT", callback=_format_name, help="Read the session as this format."
    ),
)
_ascii_option = click.option("--ascii", "ascii_signs", is_flag=True, help="Use ASCII signs only.")
_Command = TypeVar("_Command", bound=Callable[..., Any])


def _settings_options(command: _Command) -> _Command:
    for option in reversed(_SETTINGS_OPTIONS):
        command = option(command)
    return command


def _chosen(base: Settings, given: dict[str, Any]) -> Settings:
    """The settings with what was given on the command line in place of theirs."""
    file: ContextBudget | None = given["budget"]
    changes = {name: given[name] for name in KEYS if given[name] is not None}
    changes = {name: None if value is _NoLimit.NO_LIMIT else value for name, value in changes.items()}
    asked = replace(file or ContextBudget(), **changes)
    implied = "type-aware" if asked.tool_results is not None or asked.trim_old_reasoning else base.projector
    return Settings(
        budget=replace(file or base.budget, **changes),
        projector=given["projector"] or implied,
        measure=given["measure"] or base.measure,
    )


# -- commands ----------------------------------------------------------------------------------


class _Commands(click.Group):
    """Commands, where a first word that is none of them is a session to open."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own_options = {name for param in self.get_params(ctx) for name in param.opts}
        if args and args[0] not in self.commands and args[0] not in own_options:
            self._refuse_misspelt_command(ctx, args[0])
            args = ["open", *args]
        return super().parse_args(ctx, args)

    def _refuse_misspelt_command(self, ctx: click.Context, word: str) -> None:
        close = get_close_matches(word, self.commands, n=1)
        if close and not os.path.lexists(word):
            ctx.fail(f"There is no session and no command '{word}'. Did you mean {close[0]}?")

    def invoke(self, ctx: click.Context) -> Any:
        from ctxviz.session.errors import SessionError

        try:
            return super().invoke(ctx)
        except SessionError as error:
            raise _Failure(str(error)) from error


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ctxviz", message="%(prog)s %(version)s")
@click.pass_context
def commands(ctx: click.Context) -> None:
    """See what a context-window projection keeps of an agent's session, and why.

    \b
    ctxviz SESSION        open a session in the debugger, the same as: ctxviz open SESSION
    ctxviz demo           open a session that comes with the program
    ctxviz report SESSION the report, without a screen
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@commands.command("open")
@click.argument("session")
@_settings_options
@_ascii_option
def open_command(session: str, format_name: str | None, ascii_signs: bool, **given: Any) -> int:
    """Open SESSION in the debugger.

    SESSION is a file, a folder of files to choose from, or - for standard input (keys then come from
    the terminal itself).
    """
    return _open_screen(session, _chosen(Settings(), given), format_name, ascii_signs)


@commands.command("demo")
@click.argument("name", required=False)
@click.option("--list", "list_them", is_flag=True, help="List the demos.")
@_settings_options
@_ascii_option
@click.pass_context
def demo_command(
    ctx: click.Context, /, name: str | None, list_them: bool, format_name: str | None, ascii_signs: bool, **given: Any
) -> int:
    """Open a session that comes with the program, with the settings that it is made for.

    Without a NAME it is the first one. Options override the demo's own settings.
    """
    from ctxviz.analysis.bundled import UnknownDemo, demo, demos

    if list_them:
        from ctxviz.export.demo_list import demo_list

        _print(demo_list(demos(), sys.stdout if _on_terminal() else None))
        return 0
    try:
        chosen = demos()[0] if name is None else demo(name)
    except UnknownDemo as error:
        ctx.fail(str(error))
    return _open_screen(
        str(chosen.path),
        _chosen(chosen.settings, given),
        format_name,
        ascii_signs,
        look=chosen.look,
        select=chosen.select,
    )


@commands.command("report")
@click.argument("session")
@_settings_options
@click.option(
    "--format",
    "output_format",
    type=click.Choice(("table", "json", "markdown")),
    default="table",
    show_default=True,
    help="How the report is written.",
)
@click.option("--no-items", is_flag=True, help="Leave the items out.")
@click.option("-o", "--output", metavar="FILE", default="-", help="Write to FILE, whole or not at all.")
@_ascii_option
def report_command(
    session: str,
    format_name: str | None,
    output_format: str,
    no_items: bool,
    output: str,
    ascii_signs: bool,
    **given: Any,
) -> None:
    """Print the report of a projection of SESSION, without a screen.

    SESSION is a file, or - for standard input.
    """
    from ctxviz.analysis.examination import examine
    from ctxviz.session.loading import load_session

    if output != "-" and os.path.exists(output) and os.path.exists(session) and os.path.samefile(output, session):
        raise _Failure(f"{output}: is the session itself, which is never written to")
    examination = examine(load_session(session, format=format_name), _chosen(Settings(), given))

    items = not no_items
    to_file = output != "-"
    ascii_only = ascii_signs or not (to_file or _writes_unicode())
    if output_format == "json":
        from ctxviz.export.report_json import json_text, report_json

        text = json_text(report_json(examination, items=items), ascii_only=ascii_only)
    elif output_format == "markdown":
        from ctxviz.export.report_markdown import report_markdown

        text = report_markdown(examination, items=items, ascii_signs=ascii_only)
    else:
        from ctxviz.export.report_table import report_table

        terminal = None if to_file else sys.stdout
        text = report_table(examination, items=items, ascii_signs=ascii_only, terminal=terminal)
    if to_file:
        _write(output, text)
    else:
        _print(text)


# -- the screen --------------------------------------------------------------------------------


def _open_screen(
    path: str,
    settings: Settings,
    format_name: str | None,
    ascii_signs: bool,
    look: str = "",
    select: int | None = None,
) -> int:
    """Show a session; what can be known to be wrong without the screen is said without it."""
    if not _on_terminal():
        raise _Failure("standard output is no terminal; for a report without a screen: ctxviz report SESSION")
    with _terminal_input() as take_keys_from_terminal:
        session = _loaded_before(path, format_name)
        take_keys_from_terminal()
    _draw_on_terminal()

    from ctxviz.tui import run

    return run(
        path,
        settings=settings,
        format=format_name,
        look=look,
        select=select,
        ascii_signs=ascii_signs or not _writes_unicode(),
        session=session,
    )


def _loaded_before(path: str, format_name: str | None) -> Session | None:
    """The session, where it comes on standard input or is quickly read; None for what the screen loads."""
    from ctxviz.session.folder import session_files
    from ctxviz.session.loading import load_session

    if path != "-" and os.path.isdir(path):
        session_files(Path(path))  # raises where there is nothing to choose from
        return None
    try:
        status = None if path == "-" else os.stat(path)
    except (OSError, ValueError):
        status = None  # loading says why
    if status is None or _is_standard_input(status):
        return load_session(path, format=format_name)
    if not stat.S_ISREG(status.st_mode):
        return None  # a pipe can be read once only, and may take long
    if status.st_size <= _LOADED_BEFORE_THE_SCREEN or not os.access(path, os.R_OK):
        return load_session(path, format=format_name)
    return None


def _is_standard_input(status: os.stat_result) -> bool:
    """Whether a path like /dev/stdin names what the keys will take the place of."""
    try:
        return os.path.samestat(status, os.fstat(0))
    except OSError:
        return False


@contextlib.contextmanager
def _terminal_input() -> Iterator[Callable[[], None]]:
    """What makes the terminal standard input, for the keys; does nothing where it is already.

    The terminal is opened first: without one, there is no need to read a session from a pipe.
    """
    if sys.stdin is not None and sys.stdin.isatty():
        yield lambda: None
        return
    try:
        terminal = os.open("CONIN$" if os.name == "nt" else "/dev/tty", os.O_RDWR)
    except OSError as error:
        raise _Failure("standard input is no terminal, and there is no other to read keys from") from error
    try:
        yield lambda: _make_standard_input(terminal)
    finally:
        if terminal != 0:  # a program that begins without standard input gets that number
            os.close(terminal)


def _make_standard_input(terminal: int) -> None:
    os.dup2(terminal, 0)
    # Textual asks `sys.__stdin__`, which is None in a program that begins without standard input.
    if sys.__stdin__ is None:
        sys.stdin = sys.__stdin__ = os.fdopen(0, closefd=False)  # type: ignore[misc]


def _draw_on_terminal() -> None:
    """Textual draws on standard error where it can; an error log must not swallow the screen."""
    if os.name != "nt" and sys.__stderr__ is not None and sys.__stdout__ is not None and not sys.__stderr__.isatty():
        os.dup2(sys.__stdout__.fileno(), sys.__stderr__.fileno())


# -- output ------------------------------------------------------------------------------------


def _on_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _writes_unicode() -> bool:
    """Whether standard output takes every character."""
    return sys.stdout is not None and (sys.stdout.encoding or "").lower().replace("_", "-") in ("utf-8", "utf8")


def _print(text: str) -> None:
    from ctxviz.export.writing import ExportError, ReaderLeft, write_out

    try:
        write_out(text)
    except ReaderLeft as error:
        raise click.exceptions.Exit(0) from error
    except ExportError as error:
        raise _Failure(str(error)) from error


def _write(path: str, text: str) -> None:
    from ctxviz.export.writing import ExportError, write_whole

    try:
        write_whole(path, text)
    except ExportError as error:
        raise _Failure(str(error)) from error


def main(args: Sequence[str] | None = None) -> int:
    """The program: runs one command and gives its exit code. Whatever a user can cause ends in a line, not a traceback.

    0 is done, 2 bad usage or unreadable input, 130 interrupted.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = commands.main(sys.argv[1:] if args is None else list(args), "ctxviz", standalone_mode=False)
    except click.UsageError as error:
        # click repeats the words it was given, which can hold anything; its own line breaks stay.
        message = "\n".join(map(visible, error.format_message().split("\n")))
        click.UsageError(message, error.ctx).show()
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return 130
    return code if isinstance(code, int) else 0
