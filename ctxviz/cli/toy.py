"""``ctxviz try``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from ctxviz.analysis.settings import Settings
from ctxviz.cli.failure import Failure
from ctxviz.cli.options import ascii_option, chosen_settings, projection_options
from ctxviz.cli.output import on_terminal, writes_unicode
from ctxviz.cli.terminal import draw_on_terminal

_SIZES = (4, 10, 4)


@click.command("try")
@click.argument("sizes", nargs=-1, type=click.IntRange(0), metavar="[SIZE]...")
@projection_options
@ascii_option
@click.pass_context
def try_command(ctx: click.Context, /, sizes: tuple[int, ...], ascii_signs: bool, **given: Any) -> int:
    """Open a toy: a session of items of these SIZES, in characters, to change on the screen.

    Without sizes it is 4 10 4. Without a limit maxApproxChars is half of all characters.
    """
    from ctxviz.session.toy import MOST_CHARS, MOST_ITEMS, Toy

    if len(sizes) > MOST_ITEMS:
        ctx.fail(f"A toy has {MOST_ITEMS} items at most.")
    if max(sizes, default=0) > MOST_CHARS:
        ctx.fail(f"An item of a toy has {MOST_CHARS:,} characters at most.")
    toy = Toy.of(sizes or _SIZES)
    settings = chosen_settings(Settings(), given)
    if settings.budget.item_limit is None and settings.budget.char_limit is None:
        half = sum(toy.sizes) // 2
        settings = replace(settings, budget=replace(settings.budget, max_approx_chars=half))
    if not on_terminal():
        raise Failure("standard output is no terminal; for a report without a screen: ctxviz report SESSION")
    draw_on_terminal()

    from ctxviz.tui import play

    return play(toy, settings=settings, ascii_signs=ascii_signs or not writes_unicode())
