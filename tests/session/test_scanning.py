"""Lines that are read in processes of their own give the same as lines read here."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ctxviz.session import scanning
from ctxviz.session.formats import plain
from ctxviz.session.loading import Progress, load_session
from ctxviz.session.model import Session
from tests.session.saving import dumps

pytestmark = pytest.mark.skipif(not hasattr(os, "pread"), reason="files are handed to processes on POSIX only")


ODD = [b"\n", b"{torn\n", b"\0\0\0\n", b'{"type":"todo_state"}\n', b"[1]\n", b'"\xff"\n']


def lines(count: int, seed: int) -> bytes:
    """Messages of Droid's (which has records that are set aside), and every kind of fault."""
    chance = random.Random(seed)
    written: list[bytes] = [b'{"type":"session_start"}\n']
    for at in range(count):
        text = chance.choice(["plain ", "日本 ", '"quoted" \\n ']) * chance.randrange(1, 200)
        blocks = [{"type": "text", "text": text}, {"type": "tool_use", "id": f"t{at}", "name": "f", "input": {"n": at}}]
        record: dict[str, Any] = {"type": "message", "message": {"role": "assistant", "content": blocks}}
        line = dumps(record).encode()
        odd = chance.random()
        if odd < 0.05:
            written.append(
                chance.choice([b"\n", b"{torn\n", b"\0\0\0\n", b'{"type":"todo_state"}\n', b"[1]\n", b'"\xff"\n'])
            )
        written.append(line * 2 + b"\n" if odd > 0.97 else line + b"\0\n" if odd > 0.95 else line + b"\n")
    return b"".join(written)


@pytest.fixture
def in_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "PROCESS_FROM_BYTES", 1)
    monkeypatch.setattr(scanning, "TWO_FROM_BYTES", 1)


def facts(session: Session) -> Any:
    assert session.census is not None
    asides = [(aside.place, aside.reason, aside.record) for aside in session.census.asides()]
    return session.format, session.warnings, session.kinds, list(session.source("live").sizes), asides


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("format", [None, "json-lines"])
def test_the_same_comes_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, format: str | None) -> None:
    file = tmp_path / "long.jsonl"
    file.write_bytes(lines(4_000, seed))
    assert file.stat().st_size > 2_200_000
    here = load_session(file, format=format)
    monkeypatch.setattr(plain, "PROCESS_FROM_BYTES", 1)
    for two_from in (1, 1 << 40):
        monkeypatch.setattr(scanning, "TWO_FROM_BYTES", two_from)
        there = load_session(file, format=format)
        assert facts(there) == facts(here)
        assert there.items == here.items


@pytest.mark.usefixtures("in_processes")
def test_cancelling_ends_the_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "long.jsonl"
    file.write_bytes(lines(4_000, 1))
    begun: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def note(*args: Any, **kwargs: Any) -> Any:
        begun.append(popen(*args, **kwargs))
        return begun[-1]

    monkeypatch.setattr("ctxviz.session.scanning.subprocess.Popen", note)

    def cancel(progress: Progress) -> None:
        if begun:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_session(file, progress=cancel)
    assert begun
    assert all(process.returncode is not None for process in begun)


@pytest.mark.usefixtures("in_processes")
@pytest.mark.parametrize("command", [["false"], ["true"], ["no such program"]])
def test_a_process_that_fails_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    file = tmp_path / "long.jsonl"
    file.write_bytes(lines(3_500, 2))
    popen = subprocess.Popen
    monkeypatch.setattr("ctxviz.session.scanning.subprocess.Popen", lambda args, **kwargs: popen(command, **kwargs))
    session = load_session(file)
    assert len(session) > 6_000
