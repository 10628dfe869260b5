"""Bytes and encodings."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from ctxviz.session.errors import SessionError
from ctxviz.session.loading import load_session
from tests.session.saving import ITEMS, dumps, load

TEXT = dumps(ITEMS)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_encodings(tmp_path: Path, encoding: str, mark: str) -> None:
    session = load(tmp_path, (mark + TEXT).encode(encoding))
    assert session.items == ITEMS
    assert session.warnings == ()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_encodings_of_json_lines(tmp_path: Path, encoding: str, mark: str) -> None:
    session = load(tmp_path, (mark + "\r\n".join(map(dumps, ITEMS)) + "\r\n").encode(encoding))
    assert (session.format, session.items, session.warnings) == ("json-lines", ITEMS, ())


def test_text_longer_than_a_chunk(tmp_path: Path) -> None:
    items = ["é" * 700_001, "😀" * 300_001, "x"]
    assert load(tmp_path, dumps(items)).items == items


def test_half_characters_in_utf16_stay(tmp_path: Path) -> None:
    assert load(tmp_path, '\ufeff["a\ud83d"]'.encode("utf-16-le", "surrogatepass")).items == ["a\ud83d"]


def test_invalid_bytes_are_replaced(tmp_path: Path) -> None:
    session = load(tmp_path, b'["' + b"x" * 1_231 + b"\xff..\xe6\x97" + b'", "y"]')
    assert session.items == ["x" * 1_231 + "\ufffd..\ufffd", "y"]
    assert session.warnings == ("byte 1,233: 3 bytes that are no UTF-8 are replaced by U+FFFD",)


def test_a_cut_character(tmp_path: Path) -> None:
    session = load(tmp_path, TEXT.encode()[: TEXT.encode().index("本".encode()) + 2])
    assert session.items == ITEMS[:2]
    assert session.warnings[0].endswith("2 bytes that are no UTF-8 are replaced by U+FFFD")
    assert "the file ends in the middle of a string: 2 whole items before it are loaded" in session.warnings[1]


def test_utf16_cut_in_a_unit(tmp_path: Path) -> None:
    session = load(tmp_path, ("\ufeff" + TEXT).encode("utf-16-le")[:-1])
    assert session.items == ITEMS
    assert session.warnings[0].startswith("byte ")


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        (b"\x89PNG\r\n\x1a\n....", "byte 0", "a PNG image"),
        (b"PK\x03\x04....", None, "the zip archive can't be read"),
        (b"\x1f\x8b\x08....", "byte 0", "the compressed data can't be read"),
        (b"SQLite format 3\x00...", None, "the SQLite database can't be read"),
        (b"\x7fELF....", "byte 0", "an ELF program"),
        (b"%PDF-1.7", "byte 0", "a PDF document"),
        (b"\x28\xb5\x2f\xfd....", "byte 0", "the compressed data can't be read"),
        (b"ab" + bytes(range(128, 256)), "byte 2", "binary data or an unknown encoding: 128 of 130 bytes are no UTF-8"),
        (b"ab\0\0\0\0\0\0\0", "byte 2", "control characters"),
        (b"{ab\1\2\3\4\5\6", "byte 3", "control characters"),
    ],
)
def test_binary_data(tmp_path: Path, data: bytes, place: str | None, words: str) -> None:
    with pytest.raises(SessionError) as caught:
        load(tmp_path, data)
    assert caught.value.place == place
    assert words in caught.value.cause


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("nothing.json", "no such file"),
        ("", "is a folder: name a session file in it"),
        ("file/x.json", "no such file"),
        ("n\0l", "no such file"),
        ("half\ud83d", "no such file"),
        ("x" * 300, "no such file: the name is too long"),
    ],
)
def test_what_can_not_be_opened(tmp_path: Path, name: str, cause: str) -> None:
    (tmp_path / "file").write_text("[]")
    path = f"{tmp_path}/{name}" if name else str(tmp_path)
    with pytest.raises(SessionError) as caught:
        load_session(path)
    assert (caught.value.cause, caught.value.path, caught.value.place) == (cause, path, None)


def test_other_causes_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(SessionError, match="no permission"):
        load_session("secret.json")

    def fail(*_: Any, **__: Any) -> Any:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("builtins.open", fail)
    with pytest.raises(SessionError, match="input/output error"):
        load_session("broken.json")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    session = load_session("-")
    assert (session.items, session.path, session.name) == (ITEMS, "-", "standard input")


def test_no_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SessionError, match="there is no standard input"):
        load_session("-")
    closed = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdin", closed)
    closed.close()
    with pytest.raises(SessionError, match="standard input is closed"):
        load_session("-")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_has_no_known_size(tmp_path: Path) -> None:
    from threading import Thread

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=lambda: pipe.write_text(json.dumps([1, 2])))
    writer.start()
    totals = []
    session = load_session(pipe, progress=lambda progress: totals.append(progress.bytes_total))
    writer.join()
    assert session.items == [1, 2]
    assert totals[0] is None
    assert totals[-1] == 6


def test_the_file_is_not_touched(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    file.write_text(TEXT, encoding="utf-8")
    before = (file.read_bytes(), file.stat().st_mtime_ns)
    load_session(file)
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
    assert [path.name for path in tmp_path.iterdir()] == ["s.json"]
