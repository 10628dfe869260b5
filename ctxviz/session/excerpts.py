"""The text of one very long item, made where no one waits for it.

Run as a module, this is a process that decodes one record of an open file and writes the beginning
of its item's text: to decode 100 MB holds a process up for a good part of a second.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Literal, get_args

from ctxviz.projection.json_value import Json
from ctxviz.projection.measure import Form, measured_text
from ctxviz.session.item import full_text
from ctxviz.session.lines import LineRecords
from ctxviz.session.model import Session
from ctxviz.session.store import FileStore
from ctxviz.session.table import LazyItems

Text = Literal["text", "json", "measured"]
MOST_CHARS = 1_000_000


def excerpt(session: Session, index: int, text: Text, form: Form, most: int = MOST_CHARS) -> tuple[str, int]:
    """The first `most` characters of an item's text, and how many it has; may take seconds.

    In a process of its own where the format says in a function of a record what the items are, and
    the file's lines are the records; else here.
    """
    items = session.items
    if isinstance(items, LazyItems) and items.named and os.name == "posix":
        records = items.records
        if isinstance(records, LineRecords) and isinstance(records.store, FileStore):
            record, part = items.table.where(index)
            made = _in_a_process(records, records.store, items.named, record, part, text, form, most)
            if made is not None:
                return made
    return _cut(_TEXTS[text](items[index], form), most)


def _in_a_process(
    records: LineRecords, store: FileStore, named: str, record: int, part: int, text: Text, form: Form, most: int
) -> tuple[str, int] | None:
    start, length = records.index.starts[record], records.index.lengths[record]
    numbers = (store.descriptor, store.size, start, length, records.index.glued.get(record, 0))
    arguments = [*map(str, numbers), named, str(part), text, form, str(most)]
    try:
        done = subprocess.run(
            [sys.executable, "-m", __name__, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=(store.descriptor,),
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    except OSError:
        return None
    head, _, body = done.stdout.partition(b"\n")
    return (body.decode("utf-8", "surrogatepass"), int(head)) if done.returncode == 0 and head.isdigit() else None


def _cut(text: str, most: int) -> tuple[str, int]:
    return text[:most], len(text)


def _json(item: Json, form: Form) -> str:
    try:
        return json.dumps(item, ensure_ascii=False, indent=2)
    except (RecursionError, ValueError):
        return measured_text(item, "stored")


_TEXTS: dict[Text, Callable[[Json, Form], str]] = {
    "text": lambda item, form: full_text(item),
    "json": _json,
    "measured": measured_text,
}


def _main(arguments: list[str]) -> None:
    descriptor, size, start, length, place = map(int, arguments[:5])
    named, part, text, form, most = arguments[5:]
    records = LineRecords(FileStore(descriptor, size), 0)
    records.index.put(start, length, 1)
    records.index.glued[0] = place
    module, function = named.split(":")
    item = getattr(import_module(module), function)(records[0])[int(part)]
    wanted = next(name for name in get_args(Text) if name == text)
    shown, total = _cut(_TEXTS[wanted](item, form), int(most))  # type: ignore[arg-type]
    sys.stdout.buffer.write(f"{total}\n".encode() + shown.encode("utf-8", "surrogatepass"))


if __name__ == "__main__":
    _main(sys.argv[1:])
