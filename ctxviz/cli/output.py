"""Text to standard output or a file."""

from __future__ import annotations

import sys

import click

from ctxviz.cli.failure import Failure


def on_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def writes_unicode() -> bool:
    """Whether standard output takes every character."""
    return sys.stdout is not None and (sys.stdout.encoding or "").lower().replace("_", "-") in ("utf-8", "utf8")


def print_text(text: str) -> None:
    from ctxviz.export.writing import ExportError, ReaderLeft, write_out

    try:
        write_out(text)
    except ReaderLeft as error:
        raise click.exceptions.Exit(0) from error
    except ExportError as error:
        raise Failure(str(error)) from error


def write_file(path: str, text: str) -> None:
    from ctxviz.export.writing import ExportError, write_whole

    try:
        write_whole(path, text)
    except ExportError as error:
        raise Failure(str(error)) from error
