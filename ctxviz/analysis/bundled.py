"""The sessions that come with the program, each with the settings that it is made to show."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ctxviz.analysis.settings import Settings
from ctxviz.projection.budget import ContextBudget

_PACKAGE = Path(__file__).parents[1]


@dataclass(frozen=True)
class Demo:
    """One bundled session. `look` says what to look at, `select` is the item that it opens on."""

    name: str
    title: str
    look: str
    select: int | None
    settings: Settings
    path: Path


class UnknownDemo(LookupError):
    """No bundled session has that name. Its text is one line with all names."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no demo is called {name}: there are {', '.join(demo.name for demo in demos())}")


@cache
def demos() -> tuple[Demo, ...]:
    """The bundled sessions in the order in which they teach; reads none of them."""
    folder = _folder()
    entries = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return tuple(_demo(folder, entry) for entry in entries)


def demo(name: str) -> Demo:
    """The bundled session of that name. Raises `UnknownDemo`."""
    for one in demos():
        if one.name == name:
            return one
    raise UnknownDemo(name)


def _folder() -> Path:
    """In an installed package they are inside it, in a checkout beside it."""
    installed = _PACKAGE / "_fixtures"
    return installed if installed.is_dir() else _PACKAGE.parent / "fixtures"


def _demo(folder: Path, entry: dict[str, Any]) -> Demo:
    settings = entry["settings"]
    return Demo(
        name=entry["name"],
        title=entry["title"],
        look=entry["look"],
        select=entry["select"],
        settings=Settings(
            budget=ContextBudget.from_dict(settings["budget"]),
            projector=settings["projector"],
            measure=settings["measure"],
        ),
        path=folder / entry["file"],
    )
