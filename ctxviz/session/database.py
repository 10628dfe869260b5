"""SQLite files, read and never written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from ctxviz.projection.json_value import Json
from ctxviz.session.decoding import decode
from ctxviz.session.errors import SessionError
from ctxviz.session.records import SAMPLE_RECORDS, Records

if TYPE_CHECKING:
    import sqlite3  # imported where one is opened: most sessions are no databases


class Database:
    """An open SQLite file. `tables` has each table's column names, all in lower case.

    Queries may come from any thread, one at a time. A file that is damaged raises `SessionError`.
    """

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._lock = Lock()
        names = [str(row[0]) for row in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
        self.tables: dict[str, tuple[str, ...]] = {
            name.lower(): tuple(str(row[1]).lower() for row in self.rows(f"PRAGMA table_info({quoted(name)})"))
            for name in names
        }

    def has(self, table: str, *columns: str) -> bool:
        """Whether there is a table of this name with all these columns."""
        return table in self.tables and set(columns) <= set(self.tables[table])

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        import sqlite3

        try:
            with self._lock:
                return self._connection.execute(query, values).fetchall()
        except (sqlite3.Error, ValueError) as error:  # ValueError: names that are no UTF-8
            raise SessionError(self.path, f"the SQLite database can't be read: {error}") from error


class RowRecords(Records):
    """Rows as records: `ids` in order, `fetch` gives the JSON value of one, `place` its place in words."""

    def __init__(self, ids: Sequence[Any], fetch: Callable[[Any], Json], place: Callable[[Any], str]) -> None:
        self.ids = ids
        self._fetch = fetch
        self._place = place

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, number: int) -> Json:
        try:
            return self._fetch(self.ids[number])
        except SessionError as error:
            return f"({error.cause})"  # the file changed after it was opened

    def place(self, number: int) -> str:
        """Where the record stands."""
        return self._place(self.ids[number])

    def sample(self) -> Sequence[Json]:
        """Records from the beginning."""
        return [self[number] for number in range(min(len(self), SAMPLE_RECORDS))]


def quoted(name: str) -> str:
    """A table's or column's name for a query."""
    return '"' + name.replace('"', '""') + '"'


def json_of(text: object) -> Json:
    """The JSON value of a column: decoded as far as it is whole, a value that is no JSON as it is."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    if not isinstance(text, str):
        return text if isinstance(text, (int, float)) else None
    decoded = decode(text)
    return text if decoded.fault is not None and decoded.value is None else decoded.value
