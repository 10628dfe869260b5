"""``ctxviz learn``."""

from __future__ import annotations

import click

from ctxviz.cli.failure import Failure
from ctxviz.cli.options import ascii_option
from ctxviz.cli.output import on_terminal, print_text, writes_unicode
from ctxviz.cli.terminal import draw_on_terminal
from ctxviz.export.visible import visible


@click.command("learn")
@click.argument("name", required=False, metavar="[LESSON]")
@click.option("--list", "list_them", is_flag=True, help="List the lessons, and which are done.")
@click.option("--reset", is_flag=True, help="Forget which lessons are done.")
@ascii_option
@click.pass_context
def learn_command(ctx: click.Context, /, name: str | None, list_them: bool, reset: bool, ascii_signs: bool) -> int:
    """Learn how projection works, in short guided lessons.

    Without a LESSON they are listed to choose from.
    """
    from ctxviz.lessons.lesson import LessonError, lesson, lessons
    from ctxviz.lessons.progress import forget, read_progress

    if reset:
        problem = forget()
        if problem:
            raise Failure(problem)
        if not list_them and name is None:
            print_text("No lesson is done.\n")
            return 0
    try:
        chosen = lesson(name) if name is not None else None
        known = lessons()
    except LookupError as error:
        ctx.fail(str(error.args[0]))
    except LessonError as error:
        raise Failure(str(error)) from error
    if list_them:
        from ctxviz.lessons.lesson_list import lesson_list

        progress = read_progress()
        print_text(lesson_list(known, progress.done))
        if progress.problem:
            click.echo(f"ctxviz: {visible(progress.problem)}", err=True)
        return 0
    if not on_terminal():
        raise Failure("standard output is no terminal; the lessons without a screen: ctxviz learn --list")
    draw_on_terminal()

    from ctxviz.tui import teach

    return teach(chosen, ascii_signs=ascii_signs or not writes_unicode())
