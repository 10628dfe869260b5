"""Zip archives, read in memory and never unpacked to disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxviz.projection.json_value import Json
from ctxviz.session.decoding import decode
from ctxviz.session.errors import SessionError

if TYPE_CHECKING:
    import zipfile  # imported where one is opened


class Archive:
    """An open zip archive. `names` are its members' names in order. A damaged one raises `SessionError`."""

    def __init__(self, path: str, zip_file: zipfile.ZipFile) -> None:
        self.path = path
        self._zip = zip_file
        self.names: tuple[str, ...] = tuple(zip_file.namelist())

    def read(self, name: str) -> bytes:
        """A member's bytes."""
        import zipfile

        try:
            return self._zip.read(name)
        except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError) as error:
            raise SessionError(self.path, f"the zip archive can't be read: {error}", name) from error

    def json(self, name: str) -> Json:
        """A member's JSON value, as far as it is whole."""
        return decode(self.read(name).decode("utf-8-sig", "replace")).value
