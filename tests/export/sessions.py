"""Small sessions for the tests of this floor."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.analysis.examination import Examination, examine
from ctxviz.analysis.settings import ProjectorName, Settings
from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.json_value import Json
from ctxviz.session.model import Session

HOSTILE = "\x1b[31mred\x1b]0;title\x07 [bold red]markup[/] \u202egnp.exe\u2066 \x9b2J \u2028next\x00\x7f <b>|`"
"""What a terminal, a markup reader or an eye would fall for."""

RAW = [*"\x1b\x07\x9b\x00\x7f\u202e\u2066\u2028"]
"""Characters of `HOSTILE` that no output may hold."""


def session(*items: Json, name: str = "tiny.json", warnings: tuple[str, ...] = (), nothing: str = "") -> Session:
    return Session(f"some/{name}", name, "json-list", "JSON list", items, warnings=warnings, nothing=nothing)


def examined(
    items: Sequence[Json],
    max_items: int | None = None,
    max_chars: int | None = None,
    pinned: int | None = None,
    *,
    tool_results: int | None = None,
    trim: bool | None = None,
    projector: ProjectorName = "default",
) -> Examination:
    budget = ContextBudget(max_items, max_chars, pinned, tool_results, trim)
    return examine(session(*items), Settings(budget, projector))


def sized(*sizes: int) -> list[Json]:
    """Items of these sizes: strings are measured as they are."""
    return ["x" * size for size in sizes]
