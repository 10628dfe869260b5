"""Zip archives, read in memory and never unpacked to disk."""

from __future__ import annotations

from typing import Any

from ctxviz.projection.json_value import Json
from ctxviz.session.decoding import decode
from ctxviz.session.errors import SessionError

MOST_BYTES = 1 << 30
"""A member that expands to more is not read."""
_PIECE_BYTES = 1 << 20


class Archive:
    """An open zip archive. `names` are its members' names in order. A damaged one raises `SessionError`."""

    def __init__(self, path: str, zip_file: Any, most_bytes: int = MOST_BYTES) -> None:
        self.path = path
        self._zip = zip_file
        self._most_bytes = most_bytes
        self.names: tuple[str, ...] = tuple(zip_file.namelist())

    def read(self, name: str) -> bytes:
        """A member's bytes."""
        pieces: list[bytes] = []
        done = 0
        try:
            with self._zip.open(name) as member:
                while piece := member.read(_PIECE_BYTES):
                    done += len(piece)
                    if done > self._most_bytes:
                        # What the archive says of the size is not to be trusted: it is counted.
                        raise SessionError(self.path, f"expands to more than {self._most_bytes:,} bytes", name)
                    pieces.append(piece)
        except SessionError:
            raise
        except Exception as error:  # damaged members raise what their compression's module raises
            cause = str(error) or type(error).__name__
            raise SessionError(self.path, f"the zip archive can't be read: {cause}", name) from error
        return b"".join(pieces)

    def json(self, name: str) -> Json:
        """A member's JSON value, as far as it is whole."""
        return decode(self.read(name).decode("utf-8-sig", "replace")).value
