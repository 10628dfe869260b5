"""Bytes from a file or a pipe, and the text in them."""

from __future__ import annotations

import codecs
import errno
import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from typing import TypeAlias

from ctxviz.session.errors import SessionError

CHUNK_BYTES = 1 << 20
STANDARD_INPUT = "-"


def read_bytes(path: str, progress: Callable[[int, int | None], None]) -> bytes:
    """All bytes of a file, or of standard input for `-`; nothing is ever written.

    `progress` is called after each mebibyte with the bytes read and those there are, None if
    unknown (a pipe); what it raises ends the reading and passes through. Raises `SessionError`
    with the plain cause for what can't be read.
    """
    chunks: list[bytes] = []
    done = 0
    with _opened(path) as (read, total):
        while chunk := _chunk(path, read):
            chunks.append(chunk)
            done += len(chunk)
            progress(done, total)
    return b"".join(chunks)


_ReadSome: TypeAlias = "Callable[[int], bytes | None]"


@contextmanager
def _opened(path: str) -> Iterator[tuple[_ReadSome, int | None]]:
    """How to read some bytes, and how many there are, None if unknown."""
    if path == STANDARD_INPUT:
        stream = getattr(sys.stdin, "buffer", None)
        if stream is None:
            raise SessionError(path, "there is no standard input")
        # What a pipe has so far, where the stream can tell, rather than waiting for a full chunk.
        yield getattr(stream, "read1", stream.read), None
        return
    try:
        file = open(path, "rb", buffering=0)  # noqa: SIM115 -- closed below; only opening is guarded here
    except OSError as error:
        raise SessionError(path, _cause(error)) from error
    except ValueError as error:
        # A name that no file can have: a NUL or half a character in it.
        raise SessionError(path, "no such file") from error
    with file:
        yield file.read, _size(file)


def _chunk(path: str, read: _ReadSome) -> bytes | None:
    try:
        return read(CHUNK_BYTES)
    except OSError as error:
        raise SessionError(path, _cause(error)) from error
    except ValueError as error:
        raise SessionError(path, "standard input is closed") from error


def _size(file: FileIO) -> int | None:
    status = os.fstat(file.fileno())
    return status.st_size or None if stat.S_ISREG(status.st_mode) else None


def _cause(error: OSError) -> str:
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return "no such file"
    if isinstance(error, IsADirectoryError):
        return "is a folder: name a session file in it"
    if isinstance(error, PermissionError):
        return "no permission"
    if error.errno == errno.ENAMETOOLONG:
        return "no such file: the name is too long"
    return (error.strerror or str(error) or "can't be read").lower()


# -- bytes to text ------------------------------------------------------------------------------

_MAGICS = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF file (image, sound or video)"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x7fELF", "an ELF program"),
    (b"MZ", "a Windows program"),
    (b"\xca\xfe\xba\xbe", "a Java class or a macOS program"),
    (b"\xcf\xfa\xed\xfe", "a macOS program"),
    (b"\x00asm", "a WebAssembly module"),
    (b"PAR1", "a Parquet file"),
    (b"OggS", "an Ogg file"),
    (b"ID3", "an MP3 file"),
)
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_SAMPLE_BYTES = 1 << 16
_CONTROLS = re.compile(rb"[\x01-\x06\x0e-\x1a\x1c-\x1f\x7f]")
_CONTROLS_OR_NUL = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]")
_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")
_INVALID_SHARE = 0.1
"""Beyond this share of its bytes, invalid or control bytes mean that a file is no text."""


@dataclass(frozen=True, slots=True)
class Text:
    """A file's text without its byte-order mark. `warnings` begin with a place."""

    text: str
    warnings: tuple[str, ...] = ()


def decode_text(data: bytes, path: str, progress: Callable[[int], None]) -> Text:
    """The text in a file's bytes: UTF-8, or UTF-16 or UTF-32 by its mark or by its NULs (RFC 4627, section 3).

    Invalid bytes are replaced by U+FFFD, with one warning. Raises `SessionError` for binary data.
    `progress` is called after each mebibyte with the bytes done; what it raises passes through.
    """
    for magic, name in _MAGICS:
        if data.startswith(magic):
            raise SessionError(path, f"binary data, not a session: it seems to be {name}", "byte 0")
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _decoded(data, len(mark), encoding, path, progress)
    encoding = json.detect_encoding(data[:4])
    if encoding.startswith("utf-8") or not _is_text_in(data, encoding):
        encoding = "utf-8"
    return _decoded(data, 0, encoding, path, progress)


def _is_text_in(data: bytes, encoding: str) -> bool:
    """Whether a guess from four bytes holds: NULs at the start can be padding, too."""
    sample = data[: min(len(data) & ~3 or len(data), _SAMPLE_BYTES)]
    try:
        text = sample.decode(encoding, "surrogatepass")
    except UnicodeDecodeError:
        return False
    return "\0" not in text


def _decoded(data: bytes, start: int, encoding: str, path: str, progress: Callable[[int], None]) -> Text:
    if encoding == "utf-8":
        _refuse_controls(data, path)
    try:
        # UTF-16 holds half characters as they are; in UTF-8 they are invalid.
        return Text(_strictly(data, start, encoding, "strict" if encoding == "utf-8" else "surrogatepass", progress))
    except UnicodeDecodeError:
        pass
    body = data[start:]
    if encoding != "utf-8":
        width = "UTF-16" if encoding.startswith("utf-16") else "UTF-32"
        warning = f"byte {start + _first_invalid(body, encoding):,}: what is no {width} is replaced by U+FFFD"
        return Text(body.decode(encoding, "replace"), (warning,))
    first = start + _first_invalid(body, encoding)
    invalid = len(_ESCAPED_BYTE.findall(body.decode("utf-8", "surrogateescape")))
    if invalid > _INVALID_SHARE * len(data):
        share = f"{invalid:,} of {len(data):,} bytes are no UTF-8"
        raise SessionError(path, f"binary data or an unknown encoding: {share}", f"byte {first:,}")
    many = "1 byte that is no UTF-8 is" if invalid == 1 else f"{invalid:,} bytes that are no UTF-8 are"
    return Text(body.decode("utf-8", "replace"), (f"byte {first:,}: {many} replaced by U+FFFD",))


def _strictly(data: bytes, start: int, encoding: str, errors: str, progress: Callable[[int], None]) -> str:
    """Decode piece by piece: one call for all would stop every other thread until it is done."""
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    pieces: list[str] = []
    for at in range(start, len(data), CHUNK_BYTES):
        pieces.append(decoder.decode(data[at : at + CHUNK_BYTES]))
        progress(at)
    pieces.append(decoder.decode(b"", True))
    return "".join(pieces)


def _first_invalid(body: bytes, encoding: str) -> int:
    try:
        body.decode(encoding, "strict" if encoding == "utf-8" else "surrogatepass")
    except UnicodeDecodeError as error:
        return error.start
    return 0


def _refuse_controls(data: bytes, path: str) -> None:
    """Raise for data that is UTF-8 by chance.

    NULs count only where no JSON is: crashes leave blocks of them in text files.
    """
    sample = data[:_SAMPLE_BYTES]
    nuls = sample.count(0)
    has_json = b"{" in data or b"[" in data
    controls = len(_CONTROLS.findall(sample)) + (0 if has_json else nuls)
    if controls > _INVALID_SHARE * (len(sample) - (nuls if has_json else 0)):
        first = _CONTROLS.search(sample) if has_json else _CONTROLS_OR_NUL.search(sample)
        place = f"byte {first.start() if first is not None else 0:,}"
        raise SessionError(path, "binary data, not a session: control characters", place)
