"""A rich console that makes text for somewhere else."""

from __future__ import annotations

from io import StringIO
from typing import TextIO, cast

from rich.console import Console

_PLAIN_WIDTH = 100


def text_console(terminal: TextIO | None) -> tuple[Console, StringIO]:
    """A console and the buffer that it writes to, for text that goes to `terminal` later.

    It has that one's width, and its colours unless NO_COLOR is set. Without a terminal, or where
    it is a pipe, there are no colours. Nothing is marked up, and long lines stay whole.
    """
    buffer = StringIO()
    if terminal is None:
        console = Console(file=buffer, width=_PLAIN_WIDTH, color_system=None, force_terminal=False)
    else:
        # rich asks the stream; it must not write to it, for its errors are ours to tell.
        real = Console(file=terminal)
        console = Console(
            file=buffer,
            width=real.width,
            color_system=cast("None", real.color_system),  # one of the names that it takes
            force_terminal=real.is_terminal,
            no_color=real.no_color,
            legacy_windows=False,
        )
    return console, buffer
