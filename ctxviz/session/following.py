"""A session whose file goes on growing."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

from ctxviz.session.formats.plain import add_batch
from ctxviz.session.lines import LineReader, LineRecords
from ctxviz.session.loading import Progress, load_session
from ctxviz.session.model import Session
from ctxviz.session.reading import open_store
from ctxviz.session.store import Store
from ctxviz.session.table import Builder, LazyItems

_Sign = tuple[int, int, int] | None
"""A file's number, size in bytes and time; None where there is no file."""


class Follower:
    """Tells when a file has changed, and reads it again.

    A file counts as changed when its size, its time or the file itself is another, or those of
    SQLite's log beside it; a folder when any file in it does. It is made before the file is read
    for the first time: what comes while it is read is found then. `replaced` says whether the file
    that was read last is another one than before, or shorter: it did not simply grow.
    """

    def __init__(self, path: str, format: str | None = None, conversation: str | None = None) -> None:
        self.path = path
        self.format = format
        self.conversation = conversation
        self.replaced = False
        self._replaced_since = False
        self._last: Session | None = None
        self._seen: dict[str, _Sign] = self._signs()

    def next(self, progress: Callable[[Progress], None] | None = None) -> Session | None:
        """The session as it is now, None if nothing has changed since the last time.

        Raises `SessionError` if it can't be read now; it is tried again when it changes again.
        """
        signs, before = self._signs(), self._seen
        if signs == before:
            return None
        self._seen = signs
        self._replaced_since |= _replaced(before.get(self.path), signs.get(self.path))
        session = None
        if self._last is not None and not self._replaced_since:
            session = appended(self._last)
        if session is None:
            session = load_session(self.path, format=self.format, conversation=self.conversation, progress=progress)
        self._last = session
        self.replaced, self._replaced_since = self._replaced_since, False
        return session

    def forget(self) -> None:
        """Take the file as changed, for it is not known whether the last reading is the newest."""
        self._seen = {}

    def _signs(self) -> dict[str, _Sign]:
        log = f"{self.path}-wal"
        signs = {self.path: _sign(self.path), log: _sign(log)}
        if os.path.isdir(self.path):
            for folder, _, names in os.walk(self.path):
                signs.update((name, _sign(name)) for name in (os.path.join(folder, name) for name in names))
        return signs


def _replaced(before: _Sign, after: _Sign) -> bool:
    """Whether a file is another one than before, or shorter, or gone: what comes next is not what was added."""
    return before is not None and (after is None or before[0] != after[0] or before[1] > after[1])


def appended(session: Session) -> Session | None:
    """The session with the lines that its file has got since; None where all must be read again.

    That is so for all but JSON Lines of a format that looks at single records, whose file has
    grown, and ended in a whole line before.
    """
    rows, items = session.rows, session.items
    if rows is None or not isinstance(items, LazyItems) or items.named is None or session.included:
        return None
    records = rows.records
    if not isinstance(records, LineRecords):
        return None
    store = open_store(session.path, lambda done, total: None)
    old = records.store.size
    if store.size <= old or records.store.read(old - 1, 1) != b"\n" or _differs(store, records.store):
        return None
    module, function = items.named.split(":")
    items_of = getattr(import_module(module), function)
    grown = LineRecords(store, records.start)
    grown.index.extend(records.index)
    builder = Builder(grown)
    builder.collected = rows.collected()
    reader = LineReader(store, store.size)
    number = len(records)
    for _, values in reader.batches(old):
        add_batch(builder, items_of, number, values)
        number += len(values)
    grown.index.extend(reader.index)
    grown.is_read = True
    made = builder.rows(rows.remake, items.named)
    session = replace(
        session, items=made.items(), rows=made, warnings=grown.warnings(session.path), nothing=session.nothing
    )
    session.prepare(lambda done: None)
    return session


def _differs(store: Store, before: Store) -> bool:
    """Whether the file is another now: by what it begins with, and by what it ended in."""
    end = max(before.size - _COMPARED_BYTES, 0)
    return any(
        store.read(start, _COMPARED_BYTES) != before.read(start, _COMPARED_BYTES)
        for start in (0,)
        if before.size >= _COMPARED_BYTES
    ) or store.read(end, before.size - end) != before.read(end, before.size - end)


_COMPARED_BYTES = 1 << 12


def _sign(path: str) -> _Sign:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
