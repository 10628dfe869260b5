"""Floor 6: the command line. Parses, calls, prints.

What is heavy is imported in the command that needs it: neither `--version` nor a report imports
Textual, and `--version` no rich either.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence


def main(args: Sequence[str] | None = None) -> int:
    """The program: runs one command and gives its exit code (`commands.run`)."""
    # Imports make objects that stay, and the collector looks through all of them again and again: without it the
    # first paint comes a tenth earlier. The screen switches it on when it is ready; a report ends before it matters.
    gc.disable()
    try:
        from ctxviz.cli.commands import run

        return run(args)
    finally:
        gc.enable()
