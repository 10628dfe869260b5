"""Which lessons are done: a small file in the user's state folder."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from ctxviz.export.writing import ExportError, write_whole


def progress_path() -> Path:
    """``ctxviz/lessons.json`` in the user's state folder."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    else:
        base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(base) / "ctxviz" / "lessons.json"


@dataclass(frozen=True)
class Progress:
    """The names of the lessons that were finished; `problem` is one line about what could not be read, or ""."""

    done: frozenset[str] = frozenset()
    problem: str = ""


def read_progress() -> Progress:
    """What is kept; nothing is done if there is no file yet. Never raises."""
    path = progress_path()
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Progress()
    except OSError as error:
        return Progress(problem=f"{path}: {error.strerror}: no lesson is marked as done")
    except (ValueError, RecursionError):
        document = None
    names = document.get("done") if isinstance(document, dict) else None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return Progress(
            problem=f"{path}: not a list of lessons: none is marked as done, and the next one begins it anew"
        )
    return Progress(frozenset(names))


def done_lessons() -> frozenset[str]:
    """The names of the lessons that were finished, as far as they can be read."""
    return read_progress().done


def remember(done: frozenset[str]) -> str:
    """Keep which lessons are done; what went wrong in one line, "" if nothing did."""
    path = progress_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(str(path), json.dumps({"done": sorted(done)}, indent=1) + "\n")
    except OSError as error:
        return f"{path}: {error.strerror}: progress is not kept"
    except ExportError as error:
        return f"{error}: progress is not kept"
    return ""


def forget() -> str:
    """Forget all progress; what went wrong in one line, "" if nothing did."""
    try:
        progress_path().unlink(missing_ok=True)
    except OSError as error:
        return f"{progress_path()}: {error.strerror}"
    return ""
