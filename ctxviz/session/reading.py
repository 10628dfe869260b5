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

CHUNK_BYTES = 1 << 20
STANDARD_INPUT = "-"


def read_bytes(path: str, progress: Callable[[int, int | None], None]) -> bytes:
    """All bytes of a file, or of standard input for `-`; nothing is ever written.

    `progress` is called after each mebibyte with the bytes read and those there are, None if
    unknown (a pipe); what it raises ends the reading and passes through. Raises `SessionError`
    with the plain cause for what can't be read.
    """
    chunks: list[bytes] = []
    done = 0
    with _opened(path) as (read, total):
        while chunk := _chunk(path, read):
            chunks.append(chunk)
            done += len(chunk)
            progress(done, total)
    return b"".join(chunks)


_ReadSome: TypeAlias = "Callable[[int], bytes | None]"


@contextmanager
def _opened(path: str) -> Iterator[tuple[_ReadSome, int | None]]:
    """How to read some bytes, and how many there are, None if unknown."""
    if path == STANDARD_INPUT:
        stream = getattr(sys.stdin, "buffer", None)
        if stream is None:
            raise SessionError(path, "there is no standard input")
        # What a pipe has so far, where the stream can tell, rather than waiting for a full chunk.
        yield getattr(stream, "read1", stream.read), None
        return
    try:
        file = open(path, "rb", buffering=0)  # noqa: SIM115 -- closed below; only opening is guarded here
    except OSError as error:
        raise SessionError(path, _cause(error)) from error
    except ValueError as error:
        # A name that no file can have: a NUL or half a character in it.
        raise SessionError(path, "no such file") from error
    with file:
        yield file.read, _size(file)


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
