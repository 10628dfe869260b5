"""A session whose file goes on growing."""

from __future__ import annotations

import os
from collections.abc import Callable

from ctxviz.session.loading import Progress, load_session
from ctxviz.session.model import Session

_Signs = tuple[tuple[int, int, int] | None, ...]


class Follower:
    """Tells when a file has changed, and reads it again.

    A file counts as changed when its size, its time or the file itself is another, or those of
    SQLite's log beside it. Half a record at the end is the next time's.
    """

    def __init__(self, path: str, format: str | None, conversation: str | None) -> None:
        self.path = path
        self.format = format
        self.conversation = conversation
        self._seen = self._signs()

    def next(self, progress: Callable[[Progress], None] | None = None) -> Session | None:
        """The session as it is now, None if nothing has changed since the last time.

        Raises `SessionError` if it can't be read now; it is tried again when it changes again.
        """
        signs = self._signs()
        if signs == self._seen:
            return None
        self._seen = signs
        return load_session(self.path, format=self.format, conversation=self.conversation, progress=progress)

    def _signs(self) -> _Signs:
        return tuple(_sign(path) for path in (self.path, f"{self.path}-wal"))


def _sign(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
