"""Python's cyclic garbage collector, out of the way while very many values are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MANY_BYTES = 1 << 22


@contextmanager
def collector_at_rest(size_bytes: int) -> Iterator[None]:
    """Decode so many bytes without collections, if they are many.

    A collection looks at every container there is and stops all threads meanwhile: 0.2 s for the
    items of 100 MB, several times while they are decoded and again and again afterwards. JSON
    values hold no cycles, so that nothing is missed: at the end they are set aside for good
    (`gc.freeze`), and freed like any value when no one refers to them.
    """
    if size_bytes < MANY_BYTES or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()
