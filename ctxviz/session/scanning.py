"""Long JSON Lines in processes of their own: the screen stays free, and two are twice as fast.

Run as a module, this is such a process: it goes over a part of the lines of an open file and
writes what it found to its standard output.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from selectors import EVENT_READ, DefaultSelector
from time import monotonic
from typing import IO, TYPE_CHECKING, cast

from ctxviz.session.decoding import TICK_SECONDS
from ctxviz.session.lines import LineIndex, LineReader, LineRecords
from ctxviz.session.store import FileStore
from ctxviz.session.table import Builder, Collected

if TYPE_CHECKING:
    from ctxviz.session.formats.plain import ItemsOf

TWO_FROM_BYTES = 50_000_000
_PROCESSES = 2
_LENGTH_BYTES = 8


def scan(records: LineRecords, items_of: ItemsOf, builder: Builder) -> bool:
    """Read all records in processes of their own; False, with nothing done, where that does not pay or can't be.

    What `records.moved` raises ends the processes and passes through.
    """
    store = records.store
    size = store.size - records.start
    if not isinstance(store, FileStore) or os.name != "posix":
        return False
    count = min(_PROCESSES, os.cpu_count() or 1) if size >= TWO_FROM_BYTES else 1
    bounds = [records.start + size * part // count for part in range(count)]
    starts = [records.start, *(_line_start(store, bound) for bound in bounds[1:])]
    stops = [*starts[1:], store.size]
    try:
        with _processes(store, list(zip(starts, stops, strict=True)), items_of) as processes:
            results = _results(processes, records)
    except _Failed:
        return False
    for index, collected in results:
        builder.extend(collected, len(records.index.starts))
        records.index.extend(index)
    records.is_read = True
    return True


class _Failed(Exception):
    """A process ended before it was done."""


@dataclass(eq=False)
class _Process:
    process: subprocess.Popen[bytes]
    start: int
    position: int
    records: int = 0
    result: tuple[LineIndex, Collected] | None = None


def _line_start(store: FileStore, position: int) -> int:
    """Where the line after the one at this position begins."""
    while position < store.size:
        some = store.read(position, 1 << 20)
        newline = some.find(b"\n")
        if newline >= 0:
            return position + newline + 1
        if not some:
            break
        position += len(some)
    return store.size


@contextmanager
def _processes(store: FileStore, parts: list[tuple[int, int]], items_of: ItemsOf) -> Iterator[list[_Process]]:
    name = f"{items_of.__module__}:{items_of.__qualname__}"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    begun: list[_Process] = []
    try:
        for start, stop in parts:
            arguments = [store.descriptor, start, stop, store.size, name]
            try:
                process = subprocess.Popen(
                    [sys.executable, "-m", __name__, *map(str, arguments)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    pass_fds=(store.descriptor,),
                    env=environment,
                )
            except OSError as error:
                raise _Failed from error
            begun.append(_Process(process, start, start))
        yield begun
    finally:
        for part in begun:
            part.process.kill()
            part.process.communicate()


def _results(processes: list[_Process], records: LineRecords) -> list[tuple[LineIndex, Collected]]:
    with DefaultSelector() as selector:
        for part in processes:
            selector.register(cast("IO[bytes]", part.process.stdout), EVENT_READ, part)
        while selector.get_map():
            for key, _ in selector.select(TICK_SECONDS):
                part = key.data
                message = _received(cast("IO[bytes]", key.fileobj))
                if isinstance(message[0], int):
                    part.position, part.records = message
                else:
                    part.result = message
                    selector.unregister(key.fileobj)
            records.counted = sum(part.records for part in processes)
            records.moved(records.start + sum(part.position - part.start for part in processes))
    return [part.result for part in processes if part.result is not None]


def _received(pipe: IO[bytes]) -> tuple[int, int] | tuple[LineIndex, Collected]:
    head = pipe.read(_LENGTH_BYTES)
    length = int.from_bytes(head, "big")
    data = pipe.read(length) if len(head) == _LENGTH_BYTES else b""
    if not data or len(data) < length:
        raise _Failed
    return cast("tuple[int, int] | tuple[LineIndex, Collected]", pickle.loads(data))


def _send(message: object) -> None:
    data = pickle.dumps(message, protocol=5)
    sys.stdout.buffer.write(len(data).to_bytes(_LENGTH_BYTES, "big") + data)
    sys.stdout.buffer.flush()


def _main(descriptor: str, start: str, stop: str, size: str, name: str) -> None:
    import gc

    from ctxviz.session.formats.plain import add_batch

    gc.disable()  # JSON values hold no cycles
    module, function = name.split(":")
    items_of = getattr(import_module(module), function)
    reader = LineReader(FileStore(int(descriptor), int(size)), int(stop))
    builder = Builder(LineRecords(reader.store, 0))
    due = monotonic() + TICK_SECONDS
    number = 0
    for position, values in reader.batches(int(start)):
        add_batch(builder, items_of, number, values)
        number += len(values)
        if monotonic() >= due:
            _send((position, number))
            due = monotonic() + TICK_SECONDS
    _send((reader.index, builder.collected))


if __name__ == "__main__":
    _main(*sys.argv[1:])
