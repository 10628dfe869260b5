"""The bundled sessions as a table: in colour on a terminal, as plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from ctxviz.analysis.bundled import Demo


def demo_list(demos: Sequence[Demo], terminal: TextIO | None = None) -> str:
    """Name, title and what to look at, ending in a newline.

    On a `terminal` the last stands under the others, wrapped; without one a demo is one line.
    """
    names = max((len(demo.name) for demo in demos), default=0)
    if terminal is None:
        titles = max((len(demo.title) for demo in demos), default=0)
        return "".join(f"{demo.name:<{names}}  {demo.title:<{titles}}  {demo.look}\n" for demo in demos)

    from rich.padding import Padding
    from rich.text import Text

    from ctxviz.export.console import text_console

    console, buffer = text_console(terminal)
    for demo in demos:
        console.print(Text.assemble((f"{demo.name:<{names}}", "bold"), f"  {demo.title}"))
        console.print(Padding(Text(demo.look, "#8d8a86"), (0, 0, 0, names + 2)))
    return buffer.getvalue()
