"""Files that are containers: SQLite databases, zip archives, compressed files."""

from __future__ import annotations

from ctxviz.session.archive import Archive
from ctxviz.session.database import Database
from ctxviz.session.errors import SessionError

SQLITE, ZIP = b"SQLite format 3\0", b"PK\x03\x04"
ZSTD, GZIP = b"\x28\xb5\x2f\xfd", b"\x1f\x8b"


def open_database(path: str) -> Database:
    """Open a SQLite file to read; nothing is written, not even beside it."""
    import sqlite3
    from pathlib import Path

    uri = f"{Path(path).absolute().as_uri()}?mode=ro"
    try:
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
        return Database(path, connection)
    except sqlite3.Error as error:
        raise SessionError(path, f"the SQLite database can't be read: {error}") from error


def open_archive(path: str) -> Archive:
    """Open a zip archive to read."""
    import zipfile

    try:
        return Archive(path, zipfile.ZipFile(path))
    except (OSError, zipfile.BadZipFile) as error:
        raise SessionError(path, f"the zip archive can't be read: {error}") from error
