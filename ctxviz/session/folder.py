"""A folder that is a session, or one whose files may each hold one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ctxviz.session.errors import SessionError
from ctxviz.session.formats import detect, format_named
from ctxviz.session.opened import Folder

_ENDINGS = frozenset(
    {".json", ".jsonl", ".ndjson", ".db", ".sqlite", ".sqlite3", ".eval", ".traj", ".zst", ".gz", ".md"}
)
_HIDDEN_SESSIONS = ".aider.chat.history.md"


@dataclass(frozen=True)
class SessionFile:
    """A file by its path, with its size in bytes and when it was changed, in seconds since 1970."""

    path: Path
    size_bytes: int
    changed: float


def holds_session(folder: Path, format: str | None = None) -> bool:
    """Whether a folder is read as a whole, by a format that has its records in files of their own."""
    opened = Folder(folder)
    return detect(opened) is not None if format is None else format_named(format).looks_like(opened) > 0


def session_files(folder: Path) -> list[SessionFile]:
    """The folder's files with a session's ending, the latest first; all its files if none has one.

    Hidden files are left out, but for aider's history, and so are folders below. Raises
    `SessionError` if the folder can't be read or holds no file at all.
    """
    try:
        with os.scandir(folder) as entries:
            found = [
                (Path(entry.path), entry.stat())
                for entry in entries
                if (not entry.name.startswith(".") or entry.name == _HIDDEN_SESSIONS) and entry.is_file()
            ]
    except OSError as error:
        raise SessionError(str(folder), (error.strerror or "can't be read").lower()) from error
    files = [SessionFile(path, stat.st_size, stat.st_mtime) for path, stat in found]
    named = [file for file in files if file.path.suffix.lower() in _ENDINGS]
    if not files:
        raise SessionError(str(folder), "a folder without any file in it")
    return sorted(named or files, key=lambda file: (-file.changed, file.path.name))
