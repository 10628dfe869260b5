"""Where answers go: files, which appear whole or not at all, and standard output."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import sys


class ExportError(Exception):
    """A file that can't be written. Its text is one line: the path and the cause."""

    def __init__(self, path: str, cause: str) -> None:
        self.path = path
        self.cause = cause
        super().__init__(f"{path}: {cause}")


def write_whole(path: str, text: str) -> None:
    """Write a UTF-8 file with newlines as they are in the text; one that was there is replaced at once.

    A reader sees the old file or the new one, and on any error the old one stays and nothing else is
    left. A link is followed, and a file keeps its permissions. What is no regular file (a pipe, a
    device) is written to as it is. Raises `ExportError`.
    """
    try:
        _write(os.path.realpath(path), text.encode("utf-8"))
    except OSError as error:
        raise ExportError(path, _cause(path, error)) from error


class ReaderLeft(Exception):
    """Whoever read standard output has gone, as `head` does: no error."""


def write_out(text: str) -> None:
    """Write to standard output. Raises `ReaderLeft`, and `ExportError` if it is closed or full."""
    if sys.stdout is None:
        raise ExportError("standard output", "closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # What is left in the buffer would fail again, loudly, when the program ends.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise ReaderLeft from error
        raise ExportError("standard output", error.strerror or str(error)) from error


def _write(target: str, data: bytes) -> None:
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with open(target, "wb", buffering=0) as file:  # a folder refuses; /dev/null must not be replaced
            file.write(data)
        return
    if mode is not None and not os.access(target, os.W_OK):
        # Replacing asks the folder for permission, never the file.
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    temporary = os.path.join(os.path.dirname(target), f".ctxviz-{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as file:
            if mode is not None:
                os.chmod(temporary, stat.S_IMODE(mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _cause(path: str, error: OSError) -> str:
    folder = os.path.dirname(os.path.realpath(path))
    if isinstance(error, IsADirectoryError) or os.path.isdir(path):
        return "is a folder"
    if not os.path.exists(folder):
        return f"there is no folder {folder}"
    if isinstance(error, NotADirectoryError):
        return f"{folder} is no folder"
    if isinstance(error, PermissionError):
        what = "the file" if os.path.exists(path) and not os.access(path, os.W_OK) else f"the folder {folder}"
        return f"{what} is not writable"
    return error.strerror or str(error)
