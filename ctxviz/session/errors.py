"""What goes wrong when a session is read."""

from __future__ import annotations


class SessionError(Exception):
    """A session that can't be read: which file, where in it, and why.

    `path` is what the user named (`-` for standard input), `place` a line and column, a byte or
    a key ("line 3, column 14", "byte 0", "memory.items"), None if the whole file is meant.
    Its text is one line.
    """

    def __init__(self, path: str, cause: str, place: str | None = None) -> None:
        self.path = path
        self.cause = cause
        self.place = place
        super().__init__(": ".join(part for part in (path, place, cause) if part))
