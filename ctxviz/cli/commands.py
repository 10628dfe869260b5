"""The commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from io import TextIOWrapper
from typing import Any

import click

from ctxviz import __version__
from ctxviz.analysis.settings import Settings
from ctxviz.cli.failure import Failure
from ctxviz.cli.learn import learn_command
from ctxviz.cli.options import ascii_option, chosen_settings, settings_options
from ctxviz.cli.output import on_terminal, print_text, write_file, writes_unicode
from ctxviz.cli.terminal import draw_on_terminal, loaded_before, terminal_input
from ctxviz.cli.toy import try_command
from ctxviz.export.visible import visible


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
        from ctxviz.analysis.providers.errors import ProviderRulesError
        from ctxviz.session.errors import SessionError

        try:
            return super().invoke(ctx)
        except (SessionError, ProviderRulesError) as error:
            raise Failure(str(error)) from error


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ctxviz", message="%(prog)s %(version)s")
@click.pass_context
def program(ctx: click.Context) -> None:
    """See what a context-window projection keeps of an agent's session, and why.

    \b
    ctxviz SESSION        open a session in the debugger, the same as: ctxviz open SESSION
    ctxviz demo           open a session that comes with the program
    ctxviz learn          learn how projection works, in short guided lessons
    ctxviz try 4 10 4     open a toy session of items of these sizes, to change on the screen
    ctxviz report SESSION the report, without a screen
    ctxviz check SESSION  what the projection breaks, without a screen
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@program.command("open")
@click.argument("session")
@settings_options
@ascii_option
@click.option("--follow", is_flag=True, help="Watch the file, and show what is added to it.")
def open_command(
    session: str, format_name: str | None, conversation: str | None, ascii_signs: bool, follow: bool, **given: Any
) -> int:
    """Open SESSION in the debugger.

    SESSION is a file, a folder of files to choose from, or - for standard input (keys then come from
    the terminal itself).
    """
    if follow and session == "-":
        raise Failure("-: standard input can't be followed; name the file")
    settings = chosen_settings(Settings(), given)
    return _open_screen(session, settings, format_name, ascii_signs, conversation=conversation, follow=follow)


@program.command("demo")
@click.argument("name", required=False)
@click.option("--list", "list_them", is_flag=True, help="List the demos.")
@settings_options
@ascii_option
@click.pass_context
def demo_command(
    ctx: click.Context,
    /,
    name: str | None,
    list_them: bool,
    format_name: str | None,
    conversation: str | None,
    ascii_signs: bool,
    **given: Any,
) -> int:
    """Open a session that comes with the program, with the settings that it is made for.

    Without a NAME it is the first one. Options override the demo's own settings.
    """
    from ctxviz.analysis.bundled import UnknownDemo, demo, demos

    if list_them:
        from ctxviz.export.demo_list import demo_list

        print_text(demo_list(demos(), sys.stdout if on_terminal() else None))
        return 0
    try:
        chosen = demos()[0] if name is None else demo(name)
    except UnknownDemo as error:
        ctx.fail(str(error))
    return _open_screen(
        str(chosen.path),
        chosen_settings(chosen.settings, given),
        format_name,
        ascii_signs,
        look=chosen.look,
        select=chosen.select,
        conversation=conversation,
    )


@program.command("report")
@click.argument("session")
@settings_options
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
@ascii_option
def report_command(
    session: str,
    format_name: str | None,
    conversation: str | None,
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
        raise Failure(f"{output}: is the session itself, which is never written to")
    loaded = load_session(session, format=format_name, conversation=conversation)
    examination = examine(loaded, chosen_settings(Settings(), given))

    items = not no_items
    to_file = output != "-"
    ascii_only = ascii_signs or not (to_file or writes_unicode())
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
        write_file(output, text)
    else:
        print_text(text)


@program.command("check")
@click.argument("sessions", nargs=-1, required=True, metavar="SESSION...")
@settings_options
@click.option(
    "--format",
    "output_format",
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="How the findings are written.",
)
@click.option(
    "--fail-on",
    type=click.Choice(("error", "warning")),
    default="error",
    show_default=True,
    help="The least severity that makes the check fail.",
)
@ascii_option
def check_command(
    sessions: tuple[str, ...],
    format_name: str | None,
    conversation: str | None,
    output_format: str,
    fail_on: str,
    ascii_signs: bool,
    **given: Any,
) -> int:
    """Say what a projection of each SESSION breaks.

    Exits with 1 if anything at or above --fail-on was found, with 2 if a session can't be read.
    """
    from ctxviz.analysis.examination import examine
    from ctxviz.analysis.finding import Severity
    from ctxviz.export.check import Checked, check_json, check_text
    from ctxviz.session.errors import SessionError
    from ctxviz.session.loading import load_session

    settings, severity = chosen_settings(Settings(), given), Severity(fail_on)
    checked = []
    for path in sessions:
        try:
            session = load_session(path, format=format_name, conversation=conversation)
        except SessionError as error:
            checked.append(Checked(path, None, str(error)))
        else:
            checked.append(Checked(path, examine(session, settings).findings))
    ascii_only = ascii_signs or not writes_unicode()
    if output_format == "json":
        from ctxviz.export.report_json import json_text

        print_text(json_text(check_json(checked, severity), ascii_only=ascii_only))
    else:
        print_text(check_text(checked, severity))
    for one in checked:
        if one.findings is None:
            Failure(one.error).show()
    if any(one.findings is None for one in checked):
        return 2
    return int(any(one.fails(severity) for one in checked))


program.add_command(try_command)
program.add_command(learn_command)


@program.command("formats")
@click.option("--format", "output_format", type=click.Choice(("table", "json")), default="table", show_default=True)
def formats_command(output_format: str) -> None:
    """List the formats that are read, how each is known, and what is left out."""
    from ctxviz.export.format_list import format_list, formats_json

    if output_format == "json":
        from ctxviz.export.report_json import json_text

        print_text(json_text(formats_json(), ascii_only=not writes_unicode()))
    else:
        print_text(format_list(sys.stdout if on_terminal() else None))


def _open_screen(
    path: str,
    settings: Settings,
    format_name: str | None,
    ascii_signs: bool,
    look: str = "",
    select: int | None = None,
    conversation: str | None = None,
    follow: bool = False,
) -> int:
    """Show a session; what can be known to be wrong without the screen is said without it."""
    if not on_terminal():
        raise Failure("standard output is no terminal; for a report without a screen: ctxviz report SESSION")
    with terminal_input() as take_keys_from_terminal:
        session = loaded_before(path, format_name, conversation)
        take_keys_from_terminal()
    draw_on_terminal()

    from ctxviz.tui import run

    return run(
        path,
        settings=settings,
        format=format_name,
        look=look,
        select=select,
        ascii_signs=ascii_signs or not writes_unicode(),
        session=session,
        conversation=conversation,
        follow=follow,
    )


def run(args: Sequence[str] | None = None) -> int:
    """The program: runs one command and gives its exit code. Whatever a user can cause ends in a line, not a traceback.

    0 is done, 2 bad usage or unreadable input, 130 interrupted.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = program.main(sys.argv[1:] if args is None else list(args), "ctxviz", standalone_mode=False)
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
