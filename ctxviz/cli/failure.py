"""What ends a command."""

from __future__ import annotations

from typing import IO, Any

import click

from ctxviz.export.visible import visible


class Failure(click.ClickException):
    """What can't be done, in one line; exit code 2."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"ctxviz: {visible(self.message)}", file=file, err=True)
