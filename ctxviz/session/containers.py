"""Files that are containers: SQLite databases, zip archives, compressed files."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ctxviz.session.archive import Archive
from ctxviz.session.database import Database
from ctxviz.session.errors import SessionError
from ctxviz.session.magic import ZSTD
from ctxviz.session.store import FileStore, Store

if TYPE_CHECKING:
    import sqlite3

MOST_BYTES = 1 << 33
"""Nothing is expanded to more than this."""
MOST_TIMES, MOST_BYTES_BY_TIMES = 1_000, 1 << 28
"""What grows more than so many times is a bomb if it grows beyond so many bytes."""
_PIECE_BYTES = 1 << 20
_WAL_MODE = 2
_BUSY_SECONDS = 5.0


# -- SQLite ---------------------------------------------------------------------------------------


def open_database(path: str) -> Database:
    """Open a SQLite file to read. Nothing is written, not even beside it.

    A database in WAL mode makes files beside it when it is opened, unless it is called immutable;
    so it is called that if its log is empty. With a log, a program that writes has made those
    files already; where they are missing (a copy), database and log are copied and opened there.
    """
    import sqlite3

    try:
        return Database(path, _connection(path))
    except (sqlite3.Error, OSError, ValueError) as error:  # ValueError: names that are no UTF-8
        raise SessionError(path, f"the SQLite database can't be read: {error}") from error


def _connection(path: str) -> sqlite3.Connection:
    import sqlite3

    def connect(options: str, file: str = path) -> sqlite3.Connection:
        uri = f"{Path(file).absolute().as_uri()}?{options}"
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False, timeout=_BUSY_SECONDS)
        # Text that is no UTF-8 is shown, not refused.
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
        return connection

    with open(path, "rb") as file:
        is_wal = file.read(20)[18:20] == bytes([_WAL_MODE, _WAL_MODE])
    log = f"{path}-wal" if is_wal else f"{path}-journal"
    has_log = os.path.exists(log) and os.path.getsize(log) > 0
    if is_wal and not has_log:
        return connect("mode=ro&immutable=1")
    if not is_wal or os.path.exists(f"{path}-shm"):
        try:
            return connect("mode=ro")
        except sqlite3.Error:
            if not has_log:
                raise
    return _in_a_copy(path, log, connect)


def _in_a_copy(path: str, log: str, connect: Callable[[str, str], sqlite3.Connection]) -> sqlite3.Connection:
    """Open a copy: SQLite applies the log to it, and the copy is gone as soon as it is open."""
    import shutil
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "copy")
        shutil.copyfile(path, copy)
        shutil.copyfile(log, copy + log.removeprefix(path))
        source = connect("mode=rw", copy)
        try:
            import sqlite3

            whole = sqlite3.connect(":memory:", check_same_thread=False)
            whole.text_factory = source.text_factory
            source.backup(whole)
        finally:
            source.close()
        return whole


# -- zip ------------------------------------------------------------------------------------------


def open_archive(path: str) -> Archive:
    """Open a zip archive to read."""
    zipfile = zip_module()
    try:
        return Archive(path, zipfile.ZipFile(path))
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise SessionError(path, f"the zip archive can't be read: {error}") from error


def zip_module() -> Any:
    """The module `zipfile`, one that knows zstd: Python's own does from 3.14 on."""
    import sys

    if sys.version_info >= (3, 14):
        import zipfile
    else:
        from backports.zstd import zipfile
    return zipfile


# -- compressed files -----------------------------------------------------------------------------


def expanded(
    store: Store,
    path: str,
    progress: Callable[[int, int | None], None],
    *,
    most_bytes: int = MOST_BYTES,
    most_by_times: int = MOST_BYTES_BY_TIMES,
) -> tuple[Store, tuple[str, ...]]:
    """What a zstd or gzip file holds, in a temporary file without a name, and warnings.

    Of one that is cut off or damaged, what came before. Raises `SessionError` for a bomb, and
    where nothing can be read at all. `progress` is called after each mebibyte with the bytes read
    and those there are; what it raises passes through.
    """
    import tempfile

    pieces = _zstd_pieces if store.read(0, 4) == ZSTD else _gzip_pieces
    done = 0
    warnings: tuple[str, ...] = ()
    with tempfile.TemporaryFile() as file:
        try:
            for position, data in pieces(store):
                done += len(data)
                if done > most_bytes or (done > most_by_times and done > MOST_TIMES * store.size):
                    words = f"expands to more than {done:,} bytes from {store.size:,}: reading was given up"
                    raise SessionError(path, words, f"byte {position:,}")
                _write(file, path, data)
                progress(position, store.size)
        except _Damaged as error:
            if not done:
                raise SessionError(path, f"the compressed data can't be read: {error}", "byte 0") from error
            warnings = (f"byte {error.position:,}: {error}: what came before it is read",)
        return FileStore(os.dup(file.fileno()), done), warnings


class _Damaged(Exception):
    def __init__(self, position: int, cause: str) -> None:
        self.position = position
        super().__init__(cause)


def _write(file: IO[bytes], path: str, data: bytes) -> None:
    try:
        file.write(data)
        file.flush()
    except OSError as error:
        raise SessionError(path, f"no room for what it expands to: {error.strerror}") from error


def _zstd_pieces(store: Store) -> Iterator[tuple[int, bytes]]:
    import sys

    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    position, decompressor, rest = 0, zstd.ZstdDecompressor(), b""
    begun = False
    while True:
        if decompressor.needs_input and not rest:
            rest = store.read(position, 1 << 16)
            position += len(rest)
            if not rest:
                if begun:
                    raise _Damaged(position, "the compressed data ends too early")
                return
        begun = True
        try:
            data = decompressor.decompress(rest, _PIECE_BYTES)
        except zstd.ZstdError as error:
            raise _Damaged(position, f"the compressed data is damaged ({error})") from error
        rest = b""
        if data:
            yield position, data
        if decompressor.eof:
            rest = decompressor.unused_data
            decompressor, begun = zstd.ZstdDecompressor(), False


def _gzip_pieces(store: Store) -> Iterator[tuple[int, bytes]]:
    position, rest = 0, b""
    decompressor, begun = zlib.decompressobj(zlib.MAX_WBITS | 16), False
    while True:
        if not rest:
            rest = store.read(position, 1 << 16)
            position += len(rest)
            if not rest:
                if begun:
                    raise _Damaged(position, "the compressed data ends too early")
                return
        begun = True
        try:
            data = decompressor.decompress(rest, _PIECE_BYTES)
        except zlib.error as error:
            raise _Damaged(position, f"the compressed data is damaged ({error})") from error
        rest = decompressor.unconsumed_tail
        if data:
            yield position, data
        if decompressor.eof:
            # Padding may follow the last member.
            rest = decompressor.unused_data.lstrip(b"\0")
            decompressor, begun = zlib.decompressobj(zlib.MAX_WBITS | 16), False
