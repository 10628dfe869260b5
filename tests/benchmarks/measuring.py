"""What a key costs, and what a start costs: measured the same way in benchmarks and in ratio tests."""

from __future__ import annotations

import asyncio
import os
import pty
import select
import signal
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any
from unittest.mock import patch

from textual import events
from textual.pilot import Pilot

from ctxviz.session.model import Session
from ctxviz.tui.app import CtxvizApp
from ctxviz.tui.screens.main import MainScreen
from tests.tui.opening import app_on, main_screen, session_of


def long_session(count: int) -> Session:
    """A coding session of so many items: calls, outputs of many sizes, messages."""
    items: list[Any] = []
    for n in range(count // 4 + 1):
        function = {"name": "read_file", "arguments": '{"path": "a.py"}'}
        call = {"id": f"call_{n}", "type": "function", "function": function}
        items += [
            {"role": "user", "content": f"Question {n}: what does the module do?"},
            {"role": "assistant", "tool_calls": [call]},
            {"type": "function_call_output", "call_id": f"call_{n}", "output": "line of code\n" * (n * 7919 % 97)},
            {"role": "assistant", "content": "It reads the file and counts the lines. " * (n % 5)},
        ]
    session = session_of(items[:count])
    session.prepare(lambda done: None)
    _ = session.tool_names
    return session


async def key_costs(app: CtxvizApp, pilot: Pilot[None], keys: Sequence[str]) -> list[float]:
    """Milliseconds of work from each key to the repainted screen.

    Work of the screen's thread, not time that passed: a screen is painted at most 60 times a second,
    and the wait for its turn is not the program's. Findings that follow in a thread are not in it.
    """
    costs = []
    for key in keys:
        begin = time.thread_time()
        painted = 0

        def display(*args: Any, shown: Callable[..., None] = app._display) -> None:
            nonlocal painted
            shown(*args)
            painted += 1

        with patch.object(app, "_display", display):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
            for _ in range(100):
                await asyncio.sleep(0.005)
                if painted and not app.screen._dirty_widgets:
                    break
        costs.append(1_000 * (time.thread_time() - begin))
        await pilot.pause()
    return costs


CONTROL_KEYS = ("i", "C", "p", "P", "c", "I") * 5
LIST_KEYS = ("j", "pagedown", "d", "k", "D", "pageup") * 5


async def frame_costs(count: int, keys: Sequence[str] = CONTROL_KEYS, size: tuple[int, int] = (120, 40)) -> list[float]:
    """The cost of each key on a session of `count` items under all three limits."""
    session = long_session(count)
    chars = sum(session.source("live").sizes)
    app = app_on(session, max_items=count * 3 // 4, max_approx_chars=chars // 3, pinned_prefix_items=5)
    async with app.run_test(size=size) as pilot:
        await pilot.pause(0.1)
        assert isinstance(app.screen, MainScreen)
        await key_costs(app, pilot, keys[:4])
        before = main_screen(app).examination
        costs = await key_costs(app, pilot, keys)
        assert keys is not CONTROL_KEYS or main_screen(app).examination is not before
    return costs


EMPTY_APP = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("first paint")
Empty().run()
"""


OURS = """
import sys
from ctxviz.cli import main
sys.argv[1:] = ["demo"]
sys.exit(main())
"""
"""What the installed `ctxviz demo` runs."""


def first_paint(command: Sequence[str], sign: bytes) -> float:
    """Seconds of work until a command has painted `sign` on a terminal of 120 x 36 cells.

    Work and not time that passed: other tests run beside this one, and neither program waits for anything.
    """
    begin = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS="120", LINES="36")
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # both as installed: compiled once, not at each start
        os.execv(command[0], list(command))
    seen = b""
    try:
        while sign not in seen and time.perf_counter() - begin < 60:
            ready, _, _ = select.select([terminal], [], [], 60)
            seen += os.read(terminal, 65_536) if ready else b""
    finally:
        os.kill(child, signal.SIGKILL)
        _, _, used = os.wait4(child, 0)
        os.close(terminal)
    assert sign in seen
    return used.ru_utime + used.ru_stime


def first_paints(rounds: int) -> tuple[float, float]:
    """The median first paint of `ctxviz demo`, and of a Textual app with one line of text, in turn."""
    command = [sys.executable, "-c", OURS]
    ours, empty = [], []
    first_paint(command, b"ContextReport")
    for _ in range(rounds):
        ours.append(first_paint(command, b"ContextReport"))
        empty.append(first_paint([sys.executable, "-c", EMPTY_APP], b"first paint"))
    return statistics.median(ours), statistics.median(empty)


def ratio_holds(measure: Callable[[], float], limit: float) -> bool:
    """Whether a ratio is within its limit, at the first or the second try: machines are noisy."""
    return measure() <= limit or measure() <= limit
