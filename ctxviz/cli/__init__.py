"""Floor 6: the command line. Parses, calls, prints.

What is heavy is imported in the command that needs it: neither `--version` nor a report imports
Textual, and `--version` no rich either.
"""

from ctxviz.cli.commands import main, program

__all__ = ["main", "program"]
