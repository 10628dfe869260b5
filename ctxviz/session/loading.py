"""A session file to a `Session`: read, decode, detect, read its format, measure."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace

from ctxviz.projection.json_value import Json
from ctxviz.session.collector import collector_at_rest
from ctxviz.session.decoding import Decoded, decode
from ctxviz.session.errors import SessionError
from ctxviz.session.formats import FORMATS, Format, format_named, format_names, json_lines, json_list
from ctxviz.session.formats.content import Content, NotReadable, type_name
from ctxviz.session.lines import Lines, begins_with_lines, has_whole_line, read_lines, read_stream
from ctxviz.session.model import Session
from ctxviz.session.progress import Progress, Reporter
from ctxviz.session.reading import STANDARD_INPUT, read_bytes
from ctxviz.session.text import Replacements, decode_text, encoding_of, line_blocks

__all__ = ["Progress", "format_names", "load_session"]


def load_session(
    path: str | os.PathLike[str], *, format: str | None = None, progress: Callable[[Progress], None] | None = None
) -> Session:
    """Load the session in a file, or on standard input (`-`).

    The format is told by the content, or given by its name (`format_names`; `ValueError` for
    another). What can't be read as a session raises `SessionError`; what is damaged loads as far
    as it is whole, with warnings. `progress` is called every 50 ms or so, in this thread; whatever
    it raises ends the loading and passes through untouched.
    """
    wanted = None if format is None else format_named(format)
    name = os.fspath(path)
    reporter = Reporter(progress)
    found, content, warnings = _read(name, wanted, reporter)
    session = Session(
        path=name,
        name="standard input" if name == STANDARD_INPUT else os.path.basename(name),
        format=found.NAME,
        format_title=found.TITLE,
        items=content.items,
        calls=content.calls,
        warnings=warnings,
        live_forms=content.live_forms,
        stored_forms=content.stored_forms,
        nothing=content.nothing,
        compactions=content.compactions,
    )
    session.prepare(lambda done: reporter.measuring(done, session.items, found.TITLE))
    reporter.finished(session.items, found.TITLE)
    return session


_WORD = re.compile(r"\S")
_Read = tuple[Format, Content, tuple[str, ...]]
"""The format, what it read, and warnings."""


def _read(path: str, wanted: Format | None, reporter: Reporter) -> _Read:
    data = read_bytes(path, reporter.reading)
    size = len(data)
    reporter.all_read(size)
    encoding = encoding_of(data, path)
    start = encoding.mark_bytes
    if encoding.name == "utf-8" and wanted in (None, json_lines) and begins_with_lines(data, start):
        reporter.begin_decoding(size, is_text=False)
        replacements = Replacements()
        with collector_at_rest(size):
            lines = read_lines(line_blocks(data, start, replacements), reporter.lines)
        format, content, warnings = _from_lines(lines, path)
        return format, content, (*replacements.warnings(size, path), *warnings)
    text, replaced = decode_text(data, encoding, path, reporter.text)
    del data
    reporter.begin_decoding(len(text), is_text=True)
    with collector_at_rest(size):
        format, content, warnings = _read_text(text, wanted, path, reporter)
    return format, content, (*replaced, *warnings)


def _read_text(text: str, wanted: Format | None, path: str, reporter: Reporter) -> _Read:
    if _WORD.search(text) is None:
        words = "white space only" if text else None
        nothing = f"The file holds {words}." if words else "The file is empty."
        warning = f"byte 0: the file holds {words}" if words else "byte 0: the file is empty"
        return wanted or json_list, Content((), nothing=nothing), (warning,)
    if wanted is json_lines:
        return _from_lines(read_lines([(0, text)], reporter.lines), path)
    decoded = decode(text, reporter.document)
    if wanted is not None:
        return _from_document(decoded, wanted, path)
    found = next((format for format in FORMATS if format.looks_like(decoded.value)), None)
    lines = None if decoded.fault is None else _lines_instead(text, decoded, found, reporter)
    if lines is not None:
        return _from_lines(lines, path)
    if found is None:
        raise _no_format(decoded, path)
    return _from_document(decoded, found, path)


# -- JSON Lines -----------------------------------------------------------------------------------


def _lines_instead(text: str, decoded: Decoded, found: Format | None, reporter: Reporter) -> Lines | None:
    """The text as JSON Lines, where that explains it better than one faulty JSON document does."""
    if decoded.end is None:
        if not has_whole_line(text, 0, of_object=True):
            return None
        # One faulty document can have lines that are whole by themselves: the reading with more items counts.
        lines = read_lines([(0, text)], reporter.lines)
        return lines if len(lines.values) > _whole_items(decoded, found) else None
    assert decoded.fault is not None
    glued = text[decoded.fault.position] in "{["
    newline = text.find("\n", decoded.end)
    first = _WORD.search(text)
    if first is not None and text.find("\n", first.start(), decoded.end) >= 0:
        # The first value spans lines.
        return read_stream(text) if glued else None
    if found is json_lines or glued or (newline >= 0 and has_whole_line(text, newline + 1, of_object=False)):
        return read_lines([(0, text)], reporter.lines)
    return None


def _whole_items(decoded: Decoded, found: Format | None) -> int:
    if found is None:
        return 0
    try:
        return len(found.read(decoded.value, cut=True).items)
    except NotReadable:
        return 0


def _from_lines(lines: Lines, path: str) -> _Read:
    if lines.values:
        return json_lines, json_lines.read(lines.values), lines.warnings
    if lines.first_fault is None:
        raise SessionError(path, "holds no items: no line of it is a JSON value")
    raise SessionError(path, f"not JSON: {lines.first_fault.cause}", lines.first_fault.place)


# -- one JSON document ----------------------------------------------------------------------------


def _from_document(decoded: Decoded, format: Format, path: str) -> _Read:
    fault = decoded.fault
    is_whole = decoded.end is not None
    try:
        content = format.read(decoded.value, cut=not is_whole)
    except NotReadable as error:
        if fault is None or is_whole:
            raise SessionError(path, str(error), error.place) from error
        raise SessionError(path, f"{fault.cause}: {error}", fault.place) from error
    if fault is None:
        return format, content, ()
    if content.items:
        many = len(content.items)
        loaded = "1 whole item before it is loaded" if many == 1 else f"{many:,} whole items before it are loaded"
        return format, content, (f"{fault.place}: {fault.cause}: {content.salvage or loaded}",)
    if is_whole:
        return format, content, (f"{fault.place}: {fault.cause}: it is passed over",)
    if not fault.at_end:
        raise SessionError(path, f"not JSON: {fault.cause}", fault.place)
    content = replace(content, nothing="The file ends before its first whole item.")
    return format, content, (f"{fault.place}: {fault.cause}: no whole item stands before it",)


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
