"""Files of a gigabyte: how loading them compares with orjson parsing the same lines and throwing the results away.

    python -m tests.benchmarks.large_files [ITEMS] [FOLDER]

Makes JSON Lines and a JSON list of ITEMS items (1,000,000 without a word) in FOLDER (a temporary one
without a word), prints the ratios and the memory, and removes the files. Needs orjson (the extra `bench`)
and, for a million items, 2.4 GB of disk. Each figure is of a process of its own, after one that
reads the file, so that the disk is not measured.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

WORDS = 'the order of 2026-11-02 was read back as "02/11"\n\tat Reader.next(Reader.java:118), see docs/dates.md; '
NOT_ASCII = "注文の日付を確認しました。次に変換します。"
MIX = """ai4j's maps: 50 % calls and outputs (half each), 30 % assistant, 20 % user messages; lengths log-normal
(median about 540 characters, mean about 900, up to 200,000), a few of 3 MB; 4 % not ASCII; quotes and line breaks"""


def items(count: int) -> Iterator[dict[str, object]]:
    """The mix; the same for the same count."""
    chance = random.Random(2026)
    for at in range(count):
        length = min(int(chance.lognormvariate(6.3, 1.0)), 200_000)
        if at % 200_000 == 199_999:
            length = 3_000_000
        words = NOT_ASCII if chance.random() < 0.04 else WORDS
        text = (words * (length // len(words) + 1))[:length]
        kind = at % 20
        if kind < 5:
            function = {"name": "read_file", "arguments": json.dumps({"path": f"src/part_{at}.py", "note": text[:200]})}
            call = {"id": f"call_{at}", "type": "function", "function": function}
            yield {"type": "message", "role": "assistant", "tool_calls": [call]}
        elif kind < 10:
            yield {"type": "function_call_output", "call_id": f"call_{at - 5}", "output": text + text}
        else:
            role = "user" if kind < 14 else "assistant"
            yield {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}


def write(folder: Path, count: int) -> tuple[Path, Path, Path]:
    """The lines, the same as a list, and the first 10 MB of the lines."""
    lines, array, small = folder / "lines.jsonl", folder / "list.json", folder / "small.jsonl"
    with lines.open("wb") as out, array.open("wb") as listed, small.open("wb") as some:
        listed.write(b"[")
        for at, item in enumerate(items(count)):
            data = json.dumps(item, ensure_ascii=False, separators=(",", ":")).encode()
            out.write(data + b"\n")
            listed.write((b",\n" if at else b"") + data)
            if some.tell() < 10_000_000:
                some.write(data + b"\n")
        listed.write(b"]")
    return lines, array, small


def parsed_and_thrown_away(path: Path) -> float:
    """Seconds that orjson takes for all lines."""
    import orjson

    begin = time.perf_counter()
    with path.open("rb", buffering=1 << 20) as file:
        for line in file:
            orjson.loads(line)
    return time.perf_counter() - begin


def loaded(path: Path, processes: int) -> tuple[float, float, int, float]:
    """Seconds for all sizes, and until the first items; items; the median of a control move in the projector, in ms."""
    from ctxviz.projection.budget import ContextBudget
    from ctxviz.projection.projector import DefaultContextProjector
    from ctxviz.session import scanning
    from ctxviz.session.formats import plain
    from ctxviz.session.loading import Progress, load_session

    if processes < 2:
        scanning.TWO_FROM_BYTES = 1 << 60
    if processes < 1:
        plain.PROCESS_FROM_BYTES = 1 << 60
    first: list[float] = []

    def seen(progress: Progress) -> None:
        if progress.first_items and not first:
            first.append(time.perf_counter() - begin)

    begin = time.perf_counter()
    session = load_session(path, progress=seen)
    seconds = time.perf_counter() - begin
    projector, moves = DefaultContextProjector(), []
    half = session.source("live").index.chars(0, len(session)) // 2
    for step in range(200):
        budget = ContextBudget(max_items=len(session) * 3 // 4 - step, max_approx_chars=half - 997 * step)
        started = time.perf_counter()
        _ = projector.project(session, budget).report
        moves.append(1_000 * (time.perf_counter() - started))
    return seconds, first[0] if first else seconds, len(session), sorted(moves)[len(moves) // 2]


def measured(name: str, *arguments: object) -> list[float]:
    """The figures of one measurement in a process of its own, with its memory in MB last."""
    code = f"from tests.benchmarks.large_files import told; told({name!r}, {', '.join(map(repr, map(str, arguments)))})"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return [float(word) for word in done.stdout.split()]


def told(name: str, path: str, processes: str = "0") -> None:
    """Print the figures of one measurement."""
    found = (parsed_and_thrown_away(Path(path)),) if name == "orjson" else loaded(Path(path), int(processes))
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    others = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(*found, own, others)


def main(count: int, folder: Path) -> None:
    lines, array, small = write(folder, count)
    print(f"{count:,} items, {lines.stat().st_size / 1e6:,.0f} MB of lines. {MIX}\n")
    measured("orjson", lines)
    base = min(measured("orjson", lines)[0] for _ in range(3))
    print(f"orjson, results thrown away   {base:6.2f} s")
    for words, path, processes in (
        ("lines, two processes", lines, 2),
        ("lines, one process", lines, 1),
        ("lines, in the same process", lines, 0),
        ("list", array, 0),
    ):
        best = min((measured("load", path, processes) for _ in range(3)), key=lambda figures: figures[0])
        seconds, first, found, move, own, others = best
        assert found == count
        print(
            f"{words:<29} {seconds:6.2f} s  {seconds / base:5.2f} x   first items {1_000 * first:5.0f} ms"
            f"   control move {move:.3f} ms   memory {own:.0f} MB, of other processes {others:.0f} MB"
        )
    few = min(measured("load", small, 0)[1] for _ in range(5))
    many = min(measured("load", lines, 2)[1] for _ in range(5))
    print(f"first items, against a file of 10 MB: {many / few:.2f} x ({1_000 * many:.1f} ms against {1_000 * few:.1f})")


if __name__ == "__main__":
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    if len(sys.argv) > 2:
        main(wanted, Path(sys.argv[2]))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(wanted, Path(temporary))
