"""The player: the gates, the decision under way written out, the tally, and the last steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.reactive import reactive

from ctxviz.analysis.playback import Playback, Telling
from ctxviz.projection.trace import GateOpened
from ctxviz.tui.paint import Panel, Row
from ctxviz.tui.widgets.gates import gate_rows, gates_row
from ctxviz.tui.widgets.steps import step_row, subject_row, sum_row, sum_rows, verdict_row
from ctxviz.tui.widgets.tally import add_left, bar_row, left_cells, legend_row, tally

_LEFT = 2
_LEAST_STEPS = 3
_SPEED_CELLS = len("0.5 steps/s")
_LEAST_SEEK = 8


@dataclass(frozen=True)
class _Jump:
    """What a click means: another step."""

    at: int


@dataclass(frozen=True)
class _Seek:
    """What a click on the seek bar means: where it begins and how long it is."""

    begin: int
    width: int


class PlayerView(Panel, can_focus=True):
    """Draws a playback and says what is asked of it; moves nothing itself.

    No part moves from step to step: each takes the rows that it needs at most in this playback.
    """

    BINDINGS = [
        Binding("pageup", "screen.player_step(-10)", "ten steps back", show=False),
        Binding("pagedown", "screen.player_step(10)", "ten steps", show=False),
        Binding("home", "screen.player_to(0)", "first step", show=False),
        Binding("end", "screen.player_to(-1)", "last step", show=False),
        Binding("up,k", "screen.player_cursor(-1)", "item above", show=False),
        Binding("down,j", "screen.player_cursor(1)", "item below", show=False),
    ]

    playback: reactive[Playback | None] = reactive(None)
    """None while the player is closed."""
    playing: reactive[bool] = reactive(False)
    speed: reactive[float] = reactive(2.0)
    """Steps a second."""

    @dataclass(eq=False, repr=False)
    class Sought(Message):
        """The person points at a step."""

        at: int

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, PlayerView.Sought)

    def __init__(self) -> None:
        super().__init__()
        self._seeking: _Seek | None = None

    @property
    def compact(self) -> bool:
        """For one column: the gates in a row, the sum in a line."""
        return self.has_class("-compact")

    def rows(self, width: int, height: int) -> Iterable[Row]:
        playback = self.playback
        if playback is None:
            return []
        said = playback.telling()
        return (
            self._small(playback, said, width, height) if self.compact else self._large(playback, said, width, height)
        )

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    # -- two columns ----------------------------------------------------------------------------------

    def _large(self, playback: Playback, said: Telling, width: int, height: int) -> list[Row]:
        blank, one = self.row(), tally(playback)
        parts: list[tuple[int, Row]] = [
            (5, self._heading(playback, width)),
            (1, blank),
            (2, self._transport(playback, width)),
            (1, blank),
            *((4, row) for row in gate_rows(self, playback, width)),
            (1, blank),
            (3, self._decision_heading(said, width)),
            *self._decision(playback, said, width),
        ]
        if one is not None:
            parts += [(1, blank), (4, bar_row(self, one, width - 2 - _LEFT)), (4, legend_row(self, one, width))]
        parts += [(1, blank), (3, self._steps_heading(width))]
        rows = _that_fit(parts, height - _LEAST_STEPS)
        return [*rows, *self._steps(playback, playback.at, width, height - len(rows))]

    def _decision(self, playback: Playback, said: Telling, width: int) -> list[tuple[int, Row]]:
        """The sum and the verdict; where any step weighs an item, with the rows that this takes."""
        blank, verdict = self.row(), verdict_row(self, said, width)
        sums = [(4, row) for row in sum_rows(self, said, width)]
        if playback.index is not None:
            subject = subject_row(self, playback, said, width)
            return [(0, blank), (4, subject), (0, blank), *sums, (0, blank), (4, verdict)]
        rows = [(0, blank), *sums, (0, blank), (4, verdict)]
        opened = playback.trace[playback.trace.span(2)[0]]
        if isinstance(opened, GateOpened) and opened.limit:
            rows += [(4, blank)] * 4 + [(0, blank)]
        return rows

    def _heading(self, playback: Playback, width: int) -> Row:
        tail = self.row().add("step ", "muted").add(f"{playback.at + 1:,}", "strong")
        tail.add(f" of {len(playback.trace):,}", "muted")
        extra = None
        if self.compact:
            extra = self.row().add("  ").add(f"{self.signs.play} ", "accent", hit="play")
            extra.add(self._speed(), "accent" if self.playing else "muted", hit="play")
        heading = self.heading(width, "Explain", focused=self.has_focus, extra=extra)
        return self.end_heading(heading, width, focused=self.has_focus, tail=tail)

    def _speed(self) -> str:
        number = f"{self.speed:g}"
        return f"{number} step{'' if self.speed == 1 else 's'}/s"

    def _transport(self, playback: Playback, width: int) -> Row:
        signs, last = self.signs, len(playback.trace) - 1
        row = self.row().to(_LEFT).add(signs.to_first, "muted", hit=_Jump(0))
        row.to(_LEFT + 3).add(f"{signs.step_back} ", "text", hit=_Jump(playback.at - 1)).to(_LEFT + 6)
        row.add(f"{signs.play} {'pause' if self.playing else 'play'}", "accent", hit="play")
        row.to(_LEFT + 14).add(signs.to_last, "muted", hit=_Jump(last)).to(_LEFT + 18)
        room = width - row.cells - _SPEED_CELLS - 4
        if room >= _LEAST_SEEK:
            at = (room - 1) * playback.at // max(last, 1)
            seek = _Seek(row.cells, room)
            row.add(signs.heavy * at, "accent", hit=seek).add(signs.knob, "accent", hit=seek)
            row.add(signs.light * (room - 1 - at), "track", hit=seek)
        return row.right(width - 2, self._speed(), "muted")

    def _decision_heading(self, said: Telling, width: int) -> Row:
        extra = self.row().add("  ").add(said.place, "muted") if said.place else None
        return self.end_heading(self.heading(width, said.title, focused=False, extra=extra), width, focused=False)

    def _steps_heading(self, width: int) -> Row:
        tail = self.row().add("e", "key").add(" the step about the selected item", "muted")
        return self.end_heading(self.heading(width, "Steps", focused=False), width, focused=False, tail=tail)

    def _steps(self, playback: Playback, at: int, width: int, height: int) -> list[Row]:
        """A step and those before it, the newest first."""
        rows = []
        for number in range(at, max(at - height, -1), -1):
            row = step_row(self, playback, number, width)
            row.hits.append((0, width, _Jump(number)))
            rows.append(row)
        return rows

    # -- one column -----------------------------------------------------------------------------------

    def _small(self, playback: Playback, said: Telling, width: int, height: int) -> list[Row]:
        blank, one = self.row(), tally(playback)
        parts: list[tuple[int, Row]] = [(5, self._heading(playback, width)), (4, gates_row(self, playback, width))]
        if one is not None:
            bar = bar_row(self, one, width - 2 * _LEFT - left_cells(one) - 3)
            parts += [(1, blank), (3, add_left(bar, one, width))]
        sums, verdict = sum_row(self, playback, said, width), verdict_row(self, said, width)
        parts += [(0, blank), (5, sums), (5, verdict), (2, blank)]
        rows = _that_fit(parts, height - _LEAST_STEPS)
        return [*rows, *self._steps(playback, playback.at - 1, width, height - len(rows))]

    # -- mouse ----------------------------------------------------------------------------------------

    def _seek(self, event: events.MouseEvent) -> None:
        if self.playback is not None and self._seeking is not None:
            last, bar = len(self.playback.trace) - 1, self._seeking
            place = min(max(event.x - bar.begin, 0), bar.width - 1)
            self.post_message(self.Sought(round(place * last / (bar.width - 1))))

    async def on_mouse_down(self, event: events.MouseDown) -> None:
        hit = self.hit_at(event)
        if hit == "play":
            await self.run_action("screen.player_play")
        elif isinstance(hit, _Jump):
            self.post_message(self.Sought(max(hit.at, 0)))
        elif isinstance(hit, _Seek):
            self._seeking = hit
            self.capture_mouse()
            self._seek(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._seek(event)

    def on_mouse_up(self) -> None:
        self._seeking = None
        self.release_mouse()


def _that_fit(parts: list[tuple[int, Row]], height: int) -> list[Row]:
    """The rows, without those of the least level where there is no room for all, from the bottom up."""
    parts = parts.copy()
    for level in range(5):
        for at in range(len(parts) - 1, -1, -1):
            if len(parts) <= height:
                break
            if parts[at][0] == level:
                del parts[at]
    return [row for _, row in parts]
