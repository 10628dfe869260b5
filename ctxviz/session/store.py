"""Bytes that are read at any place, when they are looked at."""

from __future__ import annotations

import io
import os
import weakref
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer as Buffer


class Store(Protocol):
    """A file's bytes, or bytes in memory.

    `size` is how many there were when it was opened. A file that shrinks afterwards gives fewer
    bytes than asked for; one that grows is seen up to `size`.
    """

    @property
    def size(self) -> int:
        """How many bytes there are."""
        ...

    def read(self, start: int, count: int) -> bytes:
        """Up to `count` bytes from `start` on."""
        ...


class _Raw(io.RawIOBase):
    """A store as a stream that begins at a position; several can go over one at the same time."""

    def __init__(self, store: Store, position: int) -> None:
        self._store = store
        self._position = position

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer)
        data = self._store.read(self._position, len(view))
        view[: len(data)] = data
        self._position += len(data)
        return len(data)


def stream(store: Store, position: int) -> io.BufferedReader:
    """The store from a position on, to be read in order: lines come out of it faster than out of pieces."""
    return io.BufferedReader(_Raw(store, position), 1 << 18)


class MemoryStore:
    """Bytes in memory."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.size = len(data)

    def read(self, start: int, count: int) -> bytes:
        """Up to `count` bytes from `start` on."""
        return self.data[start : start + count]


class FileStore:
    """An open file. Closed when no one refers to it any more.

    Read by position, not mapped: a file that another program cuts off would kill a process that maps it.
    """

    def __init__(self, descriptor: int, size: int) -> None:
        self.descriptor = descriptor
        self.size = size
        weakref.finalize(self, os.close, descriptor)

    def read(self, start: int, count: int) -> bytes:
        """Up to `count` bytes from `start` on."""
        pieces: list[bytes] = []
        count = min(count, self.size - start)
        while count > 0:
            try:
                piece = os.pread(self.descriptor, count, start)
            except OSError:
                break  # what can't be read any more is missing, as from a file that was cut off
            if not piece:
                break
            pieces.append(piece)
            start, count = start + len(piece), count - len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)
