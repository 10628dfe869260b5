"""Where an item of a session is when the session's list became another."""

from __future__ import annotations

from ctxviz.session.model import Session
from ctxviz.session.table import LazyItems


def same_item(before: Session, index: int, after: Session) -> int:
    """The place of the item in the later session, or of the nearest before it that is still there.

    An item is the same if it is the same part of the record with the same number; where items are
    no parts of records, if it has the same place. 0 in an empty list.
    """
    old, new = before.items, after.items
    last = max(len(new) - 1, 0)
    if not (isinstance(old, LazyItems) and isinstance(new, LazyItems)) or not len(old):
        return min(index, last)
    part_at = old.table.where(min(index, len(old) - 1))
    if new.table.records is None:
        return min(part_at[0], last)
    found = _at(new, *part_at)
    for earlier in range(min(index, len(old) - 1) - 1, -1, -1):
        if found is not None:
            break
        record, part = old.table.where(earlier)
        if after.rows is None or _is_shown(after, record):
            found = _at(new, record, part)
    return min(found or 0, last)


def _at(items: LazyItems, record: int, part: int) -> int | None:
    """The place of a record's part, or of the record's last one if it has fewer now."""
    records, parts = items.table.records, items.table.parts
    assert records is not None  # item i would be record i
    try:
        at = records.index(record)
    except ValueError:
        return None
    while parts is not None and at + 1 < len(records) and records[at + 1] == record and parts[at] < part:
        at += 1
    return at


def _is_shown(session: Session, record: int) -> bool:
    rows = session.rows
    assert rows is not None
    if record >= len(rows.status):
        return False
    code = rows.status[record]
    return not code or rows.reasons[code - 1] in session.included
