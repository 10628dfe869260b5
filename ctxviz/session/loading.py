"""A session file to a `Session`: read, decode, detect, read its format, measure."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ctxviz.projection.json_value import Json
from ctxviz.session.collector import collector_at_rest
from ctxviz.session.decoding import Decoded, Fault, decode
from ctxviz.session.errors import ConversationNeeded, SessionError
from ctxviz.session.formats import Format, detect, format_named, format_names
from ctxviz.session.formats.content import Content, NotReadable, SeveralConversations, type_name
from ctxviz.session.kind import is_item
from ctxviz.session.line_text import begins_with_lines, has_whole_line, values_from
from ctxviz.session.magic import GZIP, SQLITE, ZIP, ZSTD
from ctxviz.session.model import Session
from ctxviz.session.opened import Document, Folder, Opened, Text
from ctxviz.session.progress import FIRST_ITEMS, Progress, Reporter, Stopped
from ctxviz.session.reading import STANDARD_INPUT, open_store
from ctxviz.session.records import ListRecords, Records
from ctxviz.session.store import MemoryStore, Store
from ctxviz.session.text import Encoding, decode_text, encoding_of

if TYPE_CHECKING:
    # Imported when a file is of lines or a long list: the first paint is mostly imports.
    from ctxviz.session.arrays import ArrayRecords
    from ctxviz.session.lines import LineRecords

__all__ = ["Progress", "format_names", "load_session"]


def load_session(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    conversation: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Session:
    """Load the session in a file or a folder, or on standard input (`-`).

    The format is told by the content, or given by its name (`format_names`; `ValueError` for
    another). `conversation` is the id of one of several; where it is not given and there are
    several, or is none of them, `ConversationNeeded` lists them. What can't be read as a session
    raises `SessionError`; what is damaged loads as far as it is whole, with warnings. `progress`
    is called every 50 ms or so, in this thread; whatever it raises ends the loading and passes
    through untouched.
    """
    wanted = None if format is None else format_named(format)
    name = os.fspath(path)
    reporter = Reporter(progress)
    try:
        return _session(name, *_Loading(name, wanted, conversation, reporter).load(), reporter)
    except Stopped as stopped:
        raise stopped.error from None


def _session(
    name: str, found: Format, certainty: float, content: Content, warnings: tuple[str, ...], reporter: Reporter
) -> Session:
    items = content.items if content.rows is None else content.rows.items()
    session = Session(
        path=name,
        name="standard input" if name == STANDARD_INPUT else os.path.basename(name.rstrip(os.sep)) or name,
        format=found.NAME,
        format_title=found.TITLE,
        items=items,
        calls=content.calls,
        warnings=(*warnings, *content.warnings),
        live_forms=content.live_forms,
        stored_forms=content.stored_forms,
        nothing="" if len(items) else content.nothing or "No record of the file was in context.",
        compactions=content.compactions,
        certainty=certainty,
        rows=content.rows,
        conversation=content.conversation,
    )
    session.prepare(lambda done: reporter.measuring(done, session.items, found.TITLE))
    reporter.finished(session.items, found.TITLE)
    return session


HEAD_BYTES = 1 << 20
LISTS_FROM_BYTES = 1 << 20
"""A JSON list longer than this stays in the file and is decoded when looked at."""
_WORD = re.compile(r"\S")
_FIRST = re.compile(rb"[ \t\r\n]*\[(?=[ \t\r\n]*\{)")
_Read = tuple[Format, float, Content, tuple[str, ...]]
"""The format, how sure it is, what it read, and warnings."""


@dataclass(frozen=True)
class _Loading:
    path: str
    wanted: Format | None
    conversation: str | None
    reporter: Reporter

    def load(self) -> _Read:
        if self.path != STANDARD_INPUT and os.path.isdir(self.path):
            return self.opened(Folder(Path(self.path)), "is a folder: name a session file in it")
        store = open_store(self.path, self.reporter.reading)
        head = store.read(0, HEAD_BYTES)
        if head.startswith((SQLITE, ZIP, ZSTD, GZIP)):
            from ctxviz.session.containers import expanded, open_archive, open_database
        if self.path != STANDARD_INPUT:
            if head.startswith(SQLITE):
                return self.opened(open_database(self.path), "a SQLite database of no known format")
            if head.startswith(ZIP):
                return self.opened(open_archive(self.path), "a zip archive of no known format")
        if head.startswith((ZSTD, GZIP)):
            store, more = expanded(store, self.path, self.reporter.reading)
            format, certainty, content, warnings = self.text_store(store)
            return format, certainty, content, (*more, *warnings)
        return self.text_store(store)

    def text_store(self, store: Store) -> _Read:
        """Read a store of text in whatever encoding."""
        head = store.read(0, HEAD_BYTES)
        encoding = encoding_of(head, self.path)
        if encoding.name != "utf-8":
            text, warnings = decode_text(store.read(0, store.size), encoding, self.path, self.reporter.text)
            store, encoding = MemoryStore(text.encode("utf-8", "surrogatepass")), Encoding("utf-8", 0)
            head = store.read(0, HEAD_BYTES)
            format, certainty, content, more = self.stored(store, head, 0)
            return format, certainty, content, (*warnings, *more)
        return self.stored(store, head, encoding.mark_bytes)

    def stored(self, store: Store, head: bytes, start: int) -> _Read:
        """Read a store of UTF-8."""
        self.reporter.all_read(store.size)
        if begins_with_lines(head, start):
            return self.lines(store, start)
        first = _FIRST.match(head, start)
        if store.size > LISTS_FROM_BYTES and first is not None:
            return self.array(store, first.end() - 1)
        text, warnings = decode_text(store.read(0, store.size), Encoding("utf-8", start), self.path, self.reporter.text)
        self.reporter.begin_decoding(len(text), is_text=True)
        with collector_at_rest(store.size):
            format, certainty, content, more = self.text(text)
        return format, certainty, content, (*warnings, *more)

    # -- records that stay in the file ------------------------------------------------------------

    def lines(self, store: Store, start: int) -> _Read:
        from ctxviz.session.lines import LineRecords

        records = LineRecords(store, start)
        format, certainty, content = self.records(records, store)
        warnings = records.warnings(self.path)
        if not len(records):
            fault = next(iter(records.index.faults), None)
            if fault is None:
                raise SessionError(self.path, "holds no items: no line of it is a JSON value")
            raise SessionError(self.path, f"not JSON: {fault.skipped or fault.words}", fault.place)
        return format, certainty, content, warnings

    def array(self, store: Store, start: int) -> _Read:
        from ctxviz.session.arrays import ArrayRecords

        records = ArrayRecords(store, start)
        format, certainty, content = self.records(records, store)
        if records.fault is None:
            return format, certainty, content, ()
        fault, is_whole = records.fault, records.is_whole
        return self.judged(fault, is_whole, format, certainty, content)

    def records(self, records: LineRecords | ArrayRecords, store: Store) -> tuple[Format, float, Content]:
        found = (self.wanted, 1.0) if self.wanted is not None else detect(records)
        assert found is not None  # json-list and json-lines take any records
        format, certainty = found
        self.first_items(records, format)
        records.moved = lambda position: self.reporter.moved(
            position, records.passes * store.size, max(len(records), getattr(records, "counted", 0))
        )
        try:
            with collector_at_rest(store.size):
                return format, certainty, self.read(format, records)
        except NotReadable as error:
            raise SessionError(self.path, str(error), error.place) from error

    def first_items(self, records: LineRecords | ArrayRecords, format: Format) -> None:
        """Show the first items before the file is read: those of its first records."""
        if not self.reporter.is_wanted:
            return
        try:
            first = format.read(ListRecords(records.sample(), shape=records.shape), None)
        except (NotReadable, SeveralConversations):
            return
        items = first.items if first.rows is None else first.rows.items()
        self.reporter.first(items[:FIRST_ITEMS], format.TITLE)

    def opened(self, file: Opened, unknown: str) -> _Read:
        """Detect and read a file that is opened; `unknown` is why it can't be if it is of no format."""
        found = (self.wanted, 1.0) if self.wanted is not None else detect(file)
        if found is None:
            raise SessionError(self.path, unknown)
        try:
            return *found, self.read(found[0], file), ()
        except NotReadable as error:
            raise SessionError(self.path, str(error), error.place) from error

    def read(self, format: Format, file: Opened) -> Content:
        try:
            return format.read(file, self.conversation)
        except SeveralConversations as error:
            raise ConversationNeeded(self.path, error.conversations, self.conversation) from error

    def text(self, text: str) -> _Read:
        if _WORD.search(text) is None:
            words = "white space only" if text else None
            nothing = f"The file holds {words}." if words else "The file is empty."
            warning = f"byte 0: the file holds {words}" if words else "byte 0: the file is empty"
            return self.wanted or format_named("json-list"), 1.0, Content((), nothing=nothing), (warning,)
        if self.wanted is not None and self.wanted.NAME == "json-lines":
            return self.lines(_stored(text), 0)
        decoded = decode(text, self.reporter.document)
        if decoded.end is None and decoded.value is None and _is_prose(text):
            prose = Text(text)
            if self.wanted is not None or detect(prose) is not None:
                return self.opened(prose, "")
        document, found = self.judge(decoded)
        lines = None
        if decoded.fault is not None:
            lines = self.lines_instead(text, decoded, document, found[0] if found else None)
        if lines is not None:
            if not isinstance(lines, Records):
                return self.lines(lines, 0)
            format, certainty, content, _ = self.opened(lines, "")
            told = f"line 1: {len(lines):,} values follow each other over several lines: all are loaded"
            return format, certainty, content, (told,)
        if found is None:
            raise _no_format(decoded, self.path)
        return self.document(decoded, document, *found)

    def judge(self, decoded: Decoded) -> tuple[Opened, tuple[Format, float] | None]:
        """A document as what it is of, and of which format: as it stands, or as a file of one record."""
        document = _opened(decoded)
        found = (self.wanted, 1.0) if self.wanted is not None else detect(document)
        is_none = found is None or (self.wanted is not None and not self.wanted.looks_like(document))
        if not is_none or not isinstance(decoded.value, dict):
            return document, found
        record = ListRecords([decoded.value], _line, "lines")
        single = detect(record) if self.wanted is None else (self.wanted, self.wanted.looks_like(record))
        if single is None or not single[1] or (single[0].NAME == "json-lines" and not is_item(decoded.value)):
            return document, found
        # One that is cut off is no whole record.
        return record if decoded.end is not None else ListRecords([], _line, "lines"), single

    # -- JSON Lines -----------------------------------------------------------------------------------

    # -- JSON Lines -------------------------------------------------------------------------------

    def lines_instead(self, text: str, decoded: Decoded, file: Opened, found: Format | None) -> Store | Records | None:
        """The text as JSON Lines, where that explains it better than one faulty JSON document does."""
        if decoded.end is None:
            if not has_whole_line(text, 0, of_object=True):
                return None
            # One faulty document can have lines that are whole by themselves: the reading with more items counts.
            return self.more_in_lines(text, file, found)
        assert decoded.fault is not None
        glued = text[decoded.fault.position] in "{["
        newline = text.find("\n", decoded.end)
        first = _WORD.search(text)
        if first is not None and text.find("\n", first.start(), decoded.end) >= 0:
            # The first value spans lines.
            stream = _stream(text) if glued else None
            return stream if stream is not None and len(stream) > self.whole_items(file, found) else None
        is_line = isinstance(file, ListRecords) and file.shape == "lines"
        if glued and isinstance(decoded.value, list):
            return self.more_in_lines(text, file, found)
        if is_line or glued or (newline >= 0 and has_whole_line(text, newline + 1, of_object=False)):
            return _stored(text)
        return None

    def more_in_lines(self, text: str, file: Opened, found: Format | None) -> Store | None:
        """The text as lines if they hold more records than the document has items."""
        from ctxviz.session.lines import LineReader

        lines = _stored(text)
        records = sum(len(values) for _, values in LineReader(lines, lines.size).batches(0))
        return lines if records > self.whole_items(file, found) else None

    def whole_items(self, file: Opened, found: Format | None) -> int:
        if found is None:
            return 0
        try:
            return _count(self.read(found, file))
        except (NotReadable, SessionError):
            return 0

    # -- one JSON document ------------------------------------------------------------------------

    def document(self, decoded: Decoded, file: Opened, format: Format, certainty: float) -> _Read:
        fault = decoded.fault
        is_whole = decoded.end is not None
        try:
            content = self.read(format, file)
        except NotReadable as error:
            if fault is None or is_whole:
                raise SessionError(self.path, str(error), error.place) from error
            raise SessionError(self.path, f"{fault.cause}: {error}", fault.place) from error
        if fault is None:
            return format, certainty, content, ()
        return self.judged(fault, is_whole, format, certainty, content)

    def judged(self, fault: Fault, is_whole: bool, format: Format, certainty: float, content: Content) -> _Read:
        """What a file with a fault is worth: its whole items, with a warning, or an error."""
        many = _count(content)
        if many:
            loaded = "1 whole item before it is loaded" if many == 1 else f"{many:,} whole items before it are loaded"
            return format, certainty, content, (f"{fault.place}: {fault.cause}: {content.salvage or loaded}",)
        if is_whole:
            return format, certainty, content, (f"{fault.place}: {fault.cause}: it is passed over",)
        if not fault.at_end:
            raise SessionError(self.path, f"not JSON: {fault.cause}", fault.place)
        content = replace(content, nothing="The file ends before its first whole item.")
        return format, certainty, content, (f"{fault.place}: {fault.cause}: no whole item stands before it",)


def _stored(text: str) -> Store:
    return MemoryStore(text.encode("utf-8", "surrogatepass"))


def _stream(text: str) -> Records | None:
    """Values that follow each other and span lines, as JSON tools print them; None if there is anything else."""
    values, fault = values_from(text, 0, "file")
    return None if fault is not None else ListRecords(values, lambda number: f"value {number + 1:,}", "lines")


def _opened(decoded: Decoded) -> Opened:
    if isinstance(decoded.value, list):
        return ListRecords(decoded.value, shape="list")
    return Document(decoded.value, cut=decoded.end is None)


def _count(content: Content) -> int:
    return len(content.items) if content.rows is None else len(content.rows.items())


def _is_prose(text: str) -> bool:
    """Whether a text does not even begin like JSON."""
    first = _WORD.search(text)
    return first is not None and first[0] not in "{["


def _line(number: int) -> str:
    return f"line {number + 1:,}"


_LIST_KEYS = ("messages", "input", "items")
_KEYS_NAMED = 5


def _no_format(decoded: Decoded, path: str) -> SessionError:
    """Why a document of no known shape is no session."""
    value, fault = decoded.value, decoded.fault
    if fault is not None and not (decoded.end is not None and isinstance(value, dict)):
        cause = f"{fault.cause}, before any item" if fault.at_end else f"not JSON: {fault.cause}"
        return SessionError(path, cause, fault.place)
    if not isinstance(value, dict):
        return SessionError(path, f"holds no items: the JSON value is {type_name(value)}")
    for key in _LIST_KEYS:
        if key in value:
            return SessionError(path, f"holds no items: {key} is {type_name(value[key])}, not a list", key)
    return SessionError(path, f"holds no items: {_keys(value)}")


def _keys(value: dict[str, Json]) -> str:
    if not value:
        return "the JSON object is empty"
    named = ", ".join(_short(key) for key in list(value)[:_KEYS_NAMED])
    more = f" and {len(value) - _KEYS_NAMED:,} more" if len(value) > _KEYS_NAMED else ""
    return f"the JSON object is of no known format, its keys are {named}{more}"


def _short(key: str) -> str:
    words = " ".join(key.split())
    return words if len(words) <= 40 else f"{words[:39]}…"
