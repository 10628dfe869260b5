"""Which lessons are done: a small file in the user's state folder."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from ctxviz.export.writing import ExportError, write_whole


def progress_path() -> Path:
    """``ctxviz/lessons.json`` in the user's state folder."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    else:
        base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(base) / "ctxviz" / "lessons.json"


def done_lessons() -> frozenset[str]:
    """The names of the lessons that were finished; none if the file is not there or can't be read."""
    try:
        document = json.loads(progress_path().read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return frozenset()
    names = document.get("done") if isinstance(document, dict) else None
    return frozenset(name for name in names if isinstance(name, str)) if isinstance(names, list) else frozenset()


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
