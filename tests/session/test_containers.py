"""Databases, archives and compressed files: nothing is written, and nothing expands without an end."""

from __future__ import annotations

import gzip
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ctxviz.session.archive import Archive
from ctxviz.session.containers import expanded, open_database, zip_module
from ctxviz.session.errors import SessionError
from ctxviz.session.loading import load_session
from ctxviz.session.store import MemoryStore
from tests.session.saving import dumps

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TABLE = "CREATE TABLE agent_messages (id INTEGER PRIMARY KEY, session_id TEXT, message_data TEXT)"


def write(db: sqlite3.Connection, *texts: str) -> None:
    rows = [("s", dumps({"role": "user", "content": text})) for text in texts]
    db.executemany("INSERT INTO agent_messages (session_id, message_data) VALUES (?, ?)", rows)
    db.commit()


def contents(path: Path) -> list[object]:
    return [item["content"] for item in load_session(path).items if isinstance(item, dict)]


def state(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_nothing_is_written(tmp_path: Path, mode: str) -> None:
    file = tmp_path / "s.db"
    db = sqlite3.connect(file)
    db.execute(f"PRAGMA journal_mode = {mode}")
    db.execute(TABLE)
    write(db, "a", "b")
    db.close()
    before = state(tmp_path)
    assert contents(file) == ["a", "b"]
    assert state(tmp_path) == before


def test_a_log_that_was_copied_with_its_database(tmp_path: Path) -> None:
    live, copied = tmp_path / "live", tmp_path / "copied"
    live.mkdir()
    copied.mkdir()
    db = sqlite3.connect(live / "s.db")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute(TABLE)
    write(db, "in the log only")
    for name in ("s.db", "s.db-wal"):
        shutil.copyfile(live / name, copied / name)
    before = state(copied)
    assert contents(copied / "s.db") == ["in the log only"]
    assert state(copied) == before
    # And beside the program that writes, with its files in use.
    names = sorted(path.name for path in live.iterdir())
    assert contents(live / "s.db") == ["in the log only"]
    assert sorted(path.name for path in live.iterdir()) == names
    write(db, "and more")
    assert contents(live / "s.db") == ["in the log only", "and more"]
    db.close()


WRITER = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1])
print("ready", flush=True)
for at in range(10_000):
    row = ("s", '{"role":"user","content":"x"}')
    db.execute("INSERT INTO agent_messages (session_id, message_data) VALUES (?, ?)", row)
    db.commit()
    time.sleep(0.003)
"""


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_while_another_program_writes(tmp_path: Path, mode: str) -> None:
    file = tmp_path / "s.db"
    db = sqlite3.connect(file)
    db.execute(f"PRAGMA journal_mode = {mode}")
    db.execute(TABLE)
    write(db, "first")
    with subprocess.Popen([sys.executable, "-c", WRITER, str(file)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        counts = [len(load_session(file))]
        begin = time.monotonic()
        while counts[-1] < 20 and time.monotonic() - begin < 30:
            counts.append(len(load_session(file)))
        writer.kill()
    assert counts == sorted(counts)
    assert counts[-1] >= 20
    db.close()


def test_a_damaged_database(tmp_path: Path) -> None:
    file = tmp_path / "s.db"
    db = sqlite3.connect(file)
    db.execute(TABLE)
    write(db, *(f"text {at}" * 30 for at in range(300)))
    db.close()
    whole, chance = file.read_bytes(), random.Random(5)
    for at in range(150):
        data = bytearray(whole[: len(whole) * at // 150] if at % 2 else whole)
        for _ in range(chance.randrange(20)):
            if len(data) > 100:
                data[chance.randrange(20, len(data))] = chance.randrange(256)
        file.write_bytes(data)
        try:
            list(load_session(file).items)
        except SessionError as error:
            message = str(error)
            assert "\n" not in message


def test_text_that_is_no_utf8(tmp_path: Path) -> None:
    file = tmp_path / "s.db"
    db = sqlite3.connect(file)
    db.execute(TABLE)
    db.execute("INSERT INTO agent_messages VALUES (1, 's', CAST(x'7b22726f6c65223a2275736572ff227d' AS TEXT))")
    db.commit()
    db.close()
    assert open_database(str(file)).rows("SELECT message_data FROM agent_messages") == [('{"role":"user\ufffd"}',)]


@pytest.mark.parametrize("method", ["stored", "deflated", "zstd"])
def test_an_archive(tmp_path: Path, method: str) -> None:
    zipfile = zip_module()
    methods = {"stored": zipfile.ZIP_STORED, "deflated": zipfile.ZIP_DEFLATED, "zstd": zipfile.ZIP_ZSTANDARD}
    file = tmp_path / "log.eval"
    sample = {"id": 1, "epoch": 1, "messages": [{"role": "user", "content": "q" * 5_000}]}
    with zipfile.ZipFile(file, "w", methods[method]) as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/1_epoch_1.json", dumps(sample))
    assert len(load_session(file)) == 1
    with zipfile.ZipFile(file) as archive, pytest.raises(SessionError, match="expands to more than 1,000 bytes"):
        Archive("x", archive, most_bytes=1_000).read("samples/1_epoch_1.json")
    whole, chance = file.read_bytes(), random.Random(3)
    for at in range(0, len(whole), 7):
        broken = bytearray(whole)
        broken[at] ^= chance.randrange(1, 256)
        for data in (bytes(broken), whole[:at]):
            file.write_bytes(data)
            try:
                load_session(file)
            except SessionError as error:
                message = str(error)
                assert "\n" not in message


LINES = b"".join(dumps({"role": "user", "content": f"text {at}"}).encode() + b"\n" for at in range(4_000))


@pytest.mark.parametrize("kind", ["zstd", "gzip"])
def test_a_compressed_file(tmp_path: Path, kind: str) -> None:
    press = zstd.compress if kind == "zstd" else gzip.compress
    half = len(LINES) // 2
    file = tmp_path / "s.jsonl.z"
    file.write_bytes(press(LINES[:half]) + press(LINES[half:]))
    session = load_session(file)
    assert (len(session), session.warnings) == (4_000, ())
    chance, whole = random.Random(1), press(os.urandom(0) + LINES)
    for at in range(0, len(whole), max(len(whole) // 40, 1)):
        broken = bytearray(whole)
        broken[at] ^= chance.randrange(1, 256)
        for data in (whole[:at], bytes(broken)):
            file.write_bytes(data)
            try:
                load_session(file)
            except SessionError as error:
                message = str(error)
                assert "\n" not in message


@pytest.mark.parametrize("kind", ["zstd", "gzip"])
def test_a_bomb(kind: str) -> None:
    press = zstd.compress if kind == "zstd" else gzip.compress
    store = MemoryStore(press(b"\0" * 20_000_000))
    with pytest.raises(SessionError, match="expands to more than") as caught:
        expanded(store, "bomb", lambda done, total: None, most_by_times=1 << 22)
    assert caught.value.place is not None
    with pytest.raises(SessionError, match="expands to more than"):
        expanded(store, "bomb", lambda done, total: None, most_bytes=1 << 22)
    with pytest.raises(KeyboardInterrupt):
        expanded(store, "bomb", _stop)


def _stop(done: int, total: int | None) -> None:
    raise KeyboardInterrupt


def test_what_is_not_needed_is_not_imported() -> None:
    code = "import sys, ctxviz.session.loading; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert not {"sqlite3", "zipfile", "backports.zstd", "compression.zstd", "msgspec", "subprocess"} & set(
        done.stdout.split()
    )
