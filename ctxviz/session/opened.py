"""A file as its container shows it, before its format is known."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ctxviz.projection.json_value import Json
from ctxviz.session.archive import Archive
from ctxviz.session.database import Database
from ctxviz.session.records import Records


@dataclass(frozen=True, eq=False)
class Document:
    """One JSON value that is no list: mostly an object.

    `cut` says that the file is not whole; `value` is what was whole before the fault: elements of
    lists are whole or absent, members of objects are there as far as they go.
    """

    value: Json
    cut: bool = False


@dataclass(frozen=True, eq=False)
class Text:
    """A text that is no JSON."""

    text: str


@dataclass(frozen=True)
class Folder:
    """A folder."""

    path: Path


Opened: TypeAlias = "Records | Document | Database | Archive | Text | Folder"
"""What a format looks at. JSON lists and JSON Lines are `Records` alike."""
