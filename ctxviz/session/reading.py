"""Bytes from a file or a pipe."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import FileIO
from typing import TypeAlias

from ctxviz.session.errors import SessionError
from ctxviz.session.store import FileStore, MemoryStore, Store
from ctxviz.session.text import refuse_binary

CHUNK_BYTES = 1 << 20
MEMORY_BYTES = 1 << 21
"""A file up to this size is held in memory."""
PIPE_BYTES = 1 << 33
"""More than this is not taken from a pipe: it may never end."""
STANDARD_INPUT = "-"


def open_store(path: str, progress: Callable[[int, int | None], None]) -> Store:
    """The bytes of a file, or of standard input for `-`; nothing is ever written to it.

    A file is read when its bytes are asked for, a small one at once. A pipe is read to its end, a
    long one into a temporary file that has no name: `progress` is called after each mebibyte
    with the bytes read; what it raises ends the reading and passes through. Raises `SessionError`
    with the plain cause for what can't be read.
    """
    with _opened(path) as (file, read):
        if file is not None and (size := _size(file)) is not None:
            if size > MEMORY_BYTES:
                return FileStore(os.dup(file.fileno()), size)
            return MemoryStore(_chunk(path, lambda _: file.read(size)) or b"")
        return _spooled(path, read, progress)


def _spooled(path: str, read: _ReadSome, progress: Callable[[int, int | None], None]) -> Store:
    chunks: list[bytes] = []
    done = 0
    temporary: int | None = None
    try:
        while chunk := _chunk(path, read):
            chunks.append(chunk)
            done += len(chunk)
            if done > PIPE_BYTES:
                raise SessionError(path, f"more than {PIPE_BYTES:,} bytes came and no end: reading was given up")
            if done > MEMORY_BYTES:
                if temporary is None:
                    refuse_binary(b"".join(chunks), path)
                    temporary = _temporary_file(path)
                _write(path, temporary, chunks)
                chunks = []
            progress(done, None)
    except BaseException:
        if temporary is not None:
            os.close(temporary)
        raise
    return MemoryStore(b"".join(chunks)) if temporary is None else FileStore(temporary, done)


def _temporary_file(path: str) -> int:
    import tempfile  # long pipes are rare

    try:
        with tempfile.TemporaryFile() as file:
            return os.dup(file.fileno())
    except OSError as error:
        raise SessionError(path, f"no room for what the pipe brings: {_cause(error)}") from error


def _write(path: str, file: int, chunks: list[bytes]) -> None:
    try:
        for chunk in chunks:
            view = memoryview(chunk)
            while view:
                view = view[os.write(file, view) :]
    except OSError as error:
        raise SessionError(path, f"no room for what the pipe brings: {_cause(error)}") from error


_ReadSome: TypeAlias = "Callable[[int], bytes | None]"


@contextmanager
def _opened(path: str) -> Iterator[tuple[FileIO | None, _ReadSome]]:
    """The file, None for standard input, and how to read some bytes of it."""
    if path == STANDARD_INPUT:
        stream = getattr(sys.stdin, "buffer", None)
        if stream is None:
            raise SessionError(path, "there is no standard input")
        # What a pipe has so far, where the stream can tell, rather than waiting for a full chunk.
        yield None, getattr(stream, "read1", stream.read)
        return
    try:
        file = open(path, "rb", buffering=0)  # noqa: SIM115 -- closed below; only opening is guarded here
    except OSError as error:
        raise SessionError(path, _cause(error)) from error
    except ValueError as error:
        # A name that no file can have: a NUL or half a character in it.
        raise SessionError(path, "no such file") from error
    with file:
        yield file, file.read


def _chunk(path: str, read: _ReadSome) -> bytes | None:
    try:
        return read(CHUNK_BYTES)
    except OSError as error:
        raise SessionError(path, _cause(error)) from error
    except ValueError as error:
        raise SessionError(path, "standard input is closed") from error


def _size(file: FileIO) -> int | None:
    status = os.fstat(file.fileno())
    return status.st_size or None if stat.S_ISREG(status.st_mode) else None


def _cause(error: OSError) -> str:
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return "no such file"
    if isinstance(error, IsADirectoryError):
        return "is a folder: name a session file in it"
    if isinstance(error, PermissionError):
        return "no permission"
    if error.errno == errno.ENAMETOOLONG:
        return "no such file: the name is too long"
    return (error.strerror or str(error) or "can't be read").lower()
