"""The terminal, and what is done before the screen takes it."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ctxviz.cli.failure import Failure

if TYPE_CHECKING:
    from ctxviz.session.model import Session

_LOADED_BEFORE_THE_SCREEN: Final = 2_000_000
"""Files up to so many bytes are read before the screen opens, so that their errors never change the terminal."""


def loaded_before(path: str, format_name: str | None, conversation: str | None) -> Session | None:
    """The session, where it comes on standard input or is quickly read; None for what the screen loads.

    Also None where a conversation must be chosen first, which the screen asks for.
    """
    from ctxviz.session.errors import ConversationNeeded

    try:
        return _loaded(path, format_name, conversation)
    except ConversationNeeded as error:
        if conversation is not None or not error.conversations or path == "-":
            raise
        return None


def _loaded(path: str, format_name: str | None, conversation: str | None) -> Session | None:
    from ctxviz.session.loading import load_session

    if path != "-" and os.path.isdir(path):
        from ctxviz.session.folder import holds_session, session_files

        if not holds_session(Path(path), format_name):
            session_files(Path(path))  # raises where there is nothing to choose from
        return None
    try:
        status = None if path == "-" else os.stat(path)
    except (OSError, ValueError):
        status = None  # loading says why
    if status is None or _is_standard_input(status):
        return load_session(path, format=format_name, conversation=conversation)
    if not stat.S_ISREG(status.st_mode):
        return None  # a pipe can be read once only, and may take long
    if status.st_size <= _LOADED_BEFORE_THE_SCREEN or not os.access(path, os.R_OK):
        return load_session(path, format=format_name, conversation=conversation)
    return None


def _is_standard_input(status: os.stat_result) -> bool:
    """Whether a path like /dev/stdin names what the keys will take the place of."""
    try:
        return os.path.samestat(status, os.fstat(0))
    except OSError:
        return False


@contextlib.contextmanager
def terminal_input() -> Iterator[Callable[[], None]]:
    """What makes the terminal standard input, for the keys; does nothing where it is already.

    The terminal is opened first: without one, there is no need to read a session from a pipe.
    """
    if sys.stdin is not None and sys.stdin.isatty():
        yield lambda: None
        return
    try:
        terminal = os.open("CONIN$" if os.name == "nt" else "/dev/tty", os.O_RDWR)
    except OSError as error:
        raise Failure("standard input is no terminal, and there is no other to read keys from") from error
    try:
        yield lambda: _make_standard_input(terminal)
    finally:
        if terminal != 0:  # a program that begins without standard input gets that number
            os.close(terminal)


def _make_standard_input(terminal: int) -> None:
    os.dup2(terminal, 0)
    # Textual asks `sys.__stdin__`, which is None in a program that begins without standard input.
    if sys.__stdin__ is None:
        sys.stdin = sys.__stdin__ = os.fdopen(0, closefd=False)  # type: ignore[misc]


def draw_on_terminal() -> None:
    """Textual draws on standard error where it can; an error log must not swallow the screen."""
    if os.name != "nt" and sys.__stderr__ is not None and sys.__stdout__ is not None and not sys.__stderr__.isatty():
        os.dup2(sys.__stdout__.fileno(), sys.__stderr__.fileno())
