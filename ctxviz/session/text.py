"""The text in a file's bytes."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from ctxviz.session.errors import SessionError

BLOCK_BYTES = 1 << 20

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


@dataclass(frozen=True)
class Encoding:
    """A codec's name, and how many bytes its mark takes."""

    name: str
    mark_bytes: int


def encoding_of(data: bytes, path: str) -> Encoding:
    """UTF-8, or UTF-16 or UTF-32 by its byte-order mark or by its NULs (RFC 4627, section 3).

    Raises `SessionError` for binary data.
    """
    refuse_binary(data, path)
    found = next((Encoding(name, len(mark)) for mark, name in _BOMS if data.startswith(mark)), None)
    if found is None:
        guess = json.detect_encoding(data[:4])
        found = Encoding("utf-8" if guess.startswith("utf-8") or not _is_text_in(data, guess) else guess, 0)
    if found.name == "utf-8":
        _refuse_controls(data, path)
    return found


def refuse_binary(data: bytes, path: str) -> None:
    """Raise `SessionError` for the beginning of a file of a known kind that is no text."""
    for magic, name in _MAGICS:
        if data.startswith(magic):
            raise SessionError(path, f"binary data, not a session: it seems to be {name}", "byte 0")


def text_of(some: bytes) -> str:
    """UTF-8 as text: half characters stay, what is no UTF-8 is replaced by U+FFFD."""
    try:
        return some.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        return some.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return some.decode("utf-8", "replace")


class Replacements:
    """What is no UTF-8 in a file that should be: replaced by U+FFFD, counted in bytes, told once."""

    def __init__(self) -> None:
        self._count = 0
        self._first = 0

    def decode(self, some: bytes, offset: int) -> str:
        """The text of some whole characters that stand at this offset of the file."""
        try:
            return some.decode("utf-8")
        except UnicodeDecodeError as error:
            start = error.start
        try:
            return some.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            pass
        if not self._count:
            self._first = offset + start
        self._count += len(_ESCAPED_BYTE.findall(some.decode("utf-8", "surrogateescape")))
        return some.decode("utf-8", "replace")

    def extend(self, other: Replacements) -> None:
        """Take over what was counted in a later part of the file."""
        if not self._count:
            self._first = other._first
        self._count += other._count

    def warnings(self, size_bytes: int, path: str) -> tuple[str, ...]:
        """At most one warning; raises `SessionError` if so much of the file is invalid that it is no text."""
        if not self._count:
            return ()
        place = f"byte {self._first:,}"
        if self._count > _INVALID_SHARE * size_bytes:
            share = f"{self._count:,} of {size_bytes:,} bytes are no UTF-8"
            raise SessionError(path, f"binary data or an unknown encoding: {share}", place)
        many = "1 byte that is no UTF-8 is" if self._count == 1 else f"{self._count:,} bytes that are no UTF-8 are"
        return (f"{place}: {many} replaced by U+FFFD",)


def decode_text(
    data: bytes, encoding: Encoding, path: str, progress: Callable[[int], None]
) -> tuple[str, tuple[str, ...]]:
    """The whole text without its mark, and warnings that begin with a place.

    Invalid bytes are replaced by U+FFFD. Raises `SessionError` for binary data. `progress` is
    called after each mebibyte with the bytes done; what it raises passes through.
    """
    if encoding.name != "utf-8":
        return _decode_wide(data, encoding, progress)
    replacements = Replacements()
    pieces: list[str] = []
    # Piece by piece: one call for all would stop every other thread until it is done.
    start = encoding.mark_bytes
    while start < len(data):
        stop = _character_start(data, start + BLOCK_BYTES)
        pieces.append(replacements.decode(data[start:stop], start))
        progress(stop)
        start = stop
    return "".join(pieces), replacements.warnings(len(data), path)


def _character_start(data: bytes, at: int) -> int:
    """The last position up to `at` where a UTF-8 character begins."""
    if at >= len(data):
        return len(data)
    return next((start for start in range(at, at - 4, -1) if data[start] & 0xC0 != 0x80), at)


def _decode_wide(data: bytes, encoding: Encoding, progress: Callable[[int], None]) -> tuple[str, tuple[str, ...]]:
    # Half characters are whole units here, and can stand alone.
    decoder = codecs.getincrementaldecoder(encoding.name)("surrogatepass")
    pieces: list[str] = []
    for start in range(encoding.mark_bytes, len(data), BLOCK_BYTES):
        stop = start + BLOCK_BYTES
        try:
            pieces.append(decoder.decode(data[start:stop], stop >= len(data)))
        except UnicodeDecodeError:
            width = "UTF-16" if encoding.name.startswith("utf-16") else "UTF-32"
            warning = f"byte {start:,}: what is no {width} from here on is replaced by U+FFFD"
            return data[encoding.mark_bytes :].decode(encoding.name, "replace"), (warning,)
        progress(stop)
    return "".join(pieces), ()


def _is_text_in(data: bytes, encoding: str) -> bool:
    """Whether a guess from four bytes holds: NULs at the start can be padding, too."""
    sample = data[: min(len(data) & ~3 or len(data), _SAMPLE_BYTES)]
    try:
        text = sample.decode(encoding, "surrogatepass")
    except UnicodeDecodeError:
        return False
    return "\0" not in text


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
