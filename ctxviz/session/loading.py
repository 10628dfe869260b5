"""A session file to a `Session`: read, decode, detect, read its format, measure."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ctxviz.projection.json_value import Json
from ctxviz.session.collector import collector_at_rest
from ctxviz.session.containers import SQLITE, ZIP, open_archive, open_database
from ctxviz.session.decoding import Decoded, decode
from ctxviz.session.errors import ConversationNeeded, SessionError
from ctxviz.session.formats import Format, detect, format_named, format_names
from ctxviz.session.formats.content import Content, NotReadable, SeveralConversations, type_name
from ctxviz.session.formats.json_lines import is_item
from ctxviz.session.lines import (
    Lines,
    LinesInMemory,
    begins_with_lines,
    has_whole_line,
    read_lines,
    read_stream,
)
from ctxviz.session.model import Session
from ctxviz.session.opened import Document, Folder, Opened, Text
from ctxviz.session.progress import Progress, Reporter
from ctxviz.session.reading import STANDARD_INPUT, read_bytes
from ctxviz.session.records import ListRecords
from ctxviz.session.text import Replacements, decode_text, encoding_of, line_blocks

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
    found, certainty, content, warnings = _Loading(name, wanted, conversation, reporter).load()
    session = Session(
        path=name,
        name="standard input" if name == STANDARD_INPUT else os.path.basename(name.rstrip(os.sep)) or name,
        format=found.NAME,
        format_title=found.TITLE,
        items=content.items if content.rows is None else content.rows.items(),
        calls=content.calls,
        warnings=(*warnings, *content.warnings),
        live_forms=content.live_forms,
        stored_forms=content.stored_forms,
        nothing=content.nothing,
        compactions=content.compactions,
        certainty=certainty,
        rows=content.rows,
        conversation=content.conversation,
    )
    session.prepare(lambda done: reporter.measuring(done, session.items, found.TITLE))
    reporter.finished(session.items, found.TITLE)
    return session


_WORD = re.compile(r"\S")
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
        head = _head(self.path)
        if head.startswith(SQLITE):
            return self.opened(open_database(self.path), "a SQLite database of no known format")
        if head.startswith(ZIP):
            return self.opened(open_archive(self.path), "a zip archive of no known format")
        data = read_bytes(self.path, self.reporter.reading)
        size = len(data)
        self.reporter.all_read(size)
        encoding = encoding_of(data, self.path)
        start = encoding.mark_bytes
        if encoding.name == "utf-8" and begins_with_lines(data, start):
            self.reporter.begin_decoding(size, is_text=False)
            replacements = Replacements()
            with collector_at_rest(size):
                lines = read_lines(line_blocks(data, start, replacements), self.reporter.lines)
            format, certainty, content, warnings = self.lines(lines)
            return format, certainty, content, (*replacements.warnings(size, self.path), *warnings)
        text, replaced = decode_text(data, encoding, self.path, self.reporter.text)
        del data
        self.reporter.begin_decoding(len(text), is_text=True)
        with collector_at_rest(size):
            format, certainty, content, warnings = self.text(text)
        return format, certainty, content, (*replaced, *warnings)

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
        decoded = decode(text, self.reporter.document)
        if decoded.end is None and decoded.value is None and _is_prose(text):
            prose = Text(text)
            if self.wanted is not None or detect(prose) is not None:
                return self.opened(prose, "")
        document = _opened(decoded)
        found = (self.wanted, 1.0) if self.wanted is not None else detect(document)
        if found is None and isinstance(decoded.value, dict):
            # A single record: a file of one line. One that is cut off is no whole record.
            record = ListRecords([decoded.value], _line, "lines")
            found = detect(record)
            if found is not None and found[0].NAME == "json-lines" and not is_item(decoded.value):
                found = None
            if found is not None:
                document = record if decoded.end is not None else ListRecords([], _line, "lines")
        lines = None
        if decoded.fault is not None:
            lines = self.lines_instead(text, decoded, document, found[0] if found else None)
        if lines is not None:
            return self.lines(lines)
        if found is None:
            raise _no_format(decoded, self.path)
        return self.document(decoded, document, *found)

    # -- JSON Lines -----------------------------------------------------------------------------------

    # -- JSON Lines -------------------------------------------------------------------------------

    def lines_instead(self, text: str, decoded: Decoded, file: Opened, found: Format | None) -> Lines | None:
        """The text as JSON Lines, where that explains it better than one faulty JSON document does."""
        if decoded.end is None:
            if not has_whole_line(text, 0, of_object=True):
                return None
            # One faulty document can have lines that are whole by themselves: the reading with more items counts.
            lines = read_lines([(0, text)], self.reporter.lines)
            return lines if len(lines.values) > self.whole_items(file, found) else None
        assert decoded.fault is not None
        glued = text[decoded.fault.position] in "{["
        newline = text.find("\n", decoded.end)
        first = _WORD.search(text)
        if first is not None and text.find("\n", first.start(), decoded.end) >= 0:
            # The first value spans lines.
            return read_stream(text) if glued else None
        is_line = isinstance(file, ListRecords) and file.shape == "lines"
        if is_line or glued or (newline >= 0 and has_whole_line(text, newline + 1, of_object=False)):
            return read_lines([(0, text)], self.reporter.lines)
        return None

    def whole_items(self, file: Opened, found: Format | None) -> int:
        if found is None:
            return 0
        try:
            return _count(self.read(found, file))
        except (NotReadable, SessionError):
            return 0

    def lines(self, lines: Lines) -> _Read:
        if lines.values:
            records = LinesInMemory(lines)
            format, certainty, content, warnings = self.opened(records, "")
            return format, certainty, content, (*lines.warnings, *warnings)
        if lines.first_fault is None:
            raise SessionError(self.path, "holds no items: no line of it is a JSON value")
        raise SessionError(self.path, f"not JSON: {lines.first_fault.cause}", lines.first_fault.place)

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


def _head(path: str) -> bytes:
    """A file's first bytes; nothing of standard input, and of what can't be read."""
    if path == STANDARD_INPUT or not os.path.isfile(path):
        return b""
    try:
        with open(path, "rb") as file:
            return file.read(64)
    except (OSError, ValueError):
        return b""


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
