"""The player: the gates, the decision under way written out, the tally, and the last steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.reactive import reactive

from ctxviz.analysis.playback import Playback, Telling, span_words, telling
from ctxviz.projection.selection import Gate
from ctxviz.projection.trace import Cleared, Decided, GateOpened, GateSkipped
from ctxviz.tui.paint import Panel, Row
from ctxviz.tui.widgets.items import state_sign

_LEFT = 2
_LEAST_STEPS = 3


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
    """Draws a playback and says what is asked of it; moves nothing itself."""

    BINDINGS = [
        Binding("left", "screen.player_step(-1)", "step back", show=False),
        Binding("right", "screen.player_step(1)", "step", show=False),
        Binding("pageup", "screen.player_step(-10)", "ten steps back", show=False),
        Binding("pagedown", "screen.player_step(10)", "ten steps", show=False),
        Binding("home", "screen.player_to(0)", "first step", show=False),
        Binding("end", "screen.player_to(-1)", "last step", show=False),
        Binding("space", "screen.player_play", "play", show=False),
        Binding("plus", "screen.player_speed(1)", "faster", show=False),
        Binding("minus", "screen.player_speed(-1)", "slower", show=False),
        Binding("up,k", "screen.player_cursor(-1)", "item above", show=False),
        Binding("down,j", "screen.player_cursor(1)", "item below", show=False),
    ]

    playback: reactive[Playback | None] = reactive(None)
    playing: reactive[bool] = reactive(False)
    speed: reactive[float] = reactive(2.0)
    compact: reactive[bool] = reactive(False)
    """For one column: the gates in a row, the sum in a line."""

    @dataclass(eq=False, repr=False)
    class Sought(Message):
        """The person points at a step."""

        at: int

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, PlayerView.Sought)

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

    # -- wide -----------------------------------------------------------------------------------------

    def _large(self, playback: Playback, said: Telling, width: int, height: int) -> list[Row]:
        """Blank rows give way first, then the transport, then what says the same elsewhere."""
        blank = self.row()
        head = [self._heading(playback, width)]
        parts: list[tuple[int, list[Row]]] = [
            (1, [blank]),
            (2, [self._transport(playback, width)]),
            (1, [blank]),
            (4, self._gates(playback, width)),
            (1, [blank]),
            (3, [self._decision_heading(said, width)]),
            (0, [blank]),
            (4, self._subject(playback, said, width)),
            (0, [blank] if said.terms else []),
            (4, self._sum(said, width)),
            (0, [blank]),
            (4, [self._verdict(said, width)]),
            (1, [blank]),
            (4, self._tally(playback, width)),
            (1, [blank]),
            (3, [self._steps_heading(width)]),
        ]
        for level in (0, 1, 2, 3):
            taken = len(head) + sum(len(rows) for _, rows in parts)
            if taken + _LEAST_STEPS <= height:
                break
            # From the bottom up, so that what is read first keeps its place.
            for at in range(len(parts) - 1, -1, -1):
                if parts[at][0] == level and taken + _LEAST_STEPS > height:
                    taken -= len(parts[at][1])
                    parts[at] = (level, [])
        rows = [*head, *(row for _, some in parts for row in some)]
        return [*rows, *self._steps(playback, width, height - len(rows))]

    def _heading(self, playback: Playback, width: int) -> Row:
        tail = self.row().add("step ", "muted").add(f"{playback.at + 1:,}", "strong")
        tail.add(f" of {len(playback.trace):,}", "muted")
        extra = None
        if self.compact:
            extra = self.row().add("  ").add(f"{self.signs.play} ", "accent").add(self._speed(), "muted")
        heading = self.heading(width, "Explain", focused=self.has_focus, extra=extra)
        return self.end_heading(heading, width, focused=self.has_focus, tail=tail)

    def _speed(self) -> str:
        number = f"{self.speed:g}"
        return f"{number} step{'' if self.speed == 1 else 's'}/s"

    def _transport(self, playback: Playback, width: int) -> Row:
        signs, last = self.signs, len(playback.trace) - 1
        row = self.row().to(_LEFT)
        row.add(signs.to_first, "muted", hit=_Jump(0)).add("   ")
        row.add(signs.step_back, "text", hit=_Jump(playback.at - 1)).add("   ")
        row.add(f"{signs.play} ", "accent", hit="play").add("pause" if self.playing else "play", "accent", hit="play")
        row.add("   ").add(signs.to_last, "muted", hit=_Jump(last)).add("    ")
        speed = self._speed()
        room = width - row.cells - len(speed) - 5
        if room >= 8:
            at = (room - 1) * playback.at // max(last, 1)
            seek = _Seek(row.cells, room)
            row.add(signs.heavy * at, "accent", hit=seek).add(signs.knob, "accent", hit=seek)
            row.add(signs.light * (room - 1 - at), "track", hit=seek)
        return row.right(width - 2, speed, "muted")

    def _gates(self, playback: Playback, width: int) -> list[Row]:
        trace, budget = playback.trace, playback.examination.settings.budget
        rows: list[Row] = []
        gates: tuple[tuple[Gate, str, int | None], ...] = (
            (1, "maxItems", budget.item_limit),
            (2, "maxApproxChars", budget.char_limit),
        )
        for gate, name, limit in gates:
            start, stop = trace.span(gate)
            first, last = trace[start], trace[stop - 1]
            progress = playback.progress(gate)
            row = self.row().to(_LEFT)
            row.add(self._mark(progress), "accent" if progress == "now" else "muted").add(" ")
            row.add(f"gate {gate}", "strong" if progress != "before" else "muted").add("   ")
            row.add(name, "muted").add("" if limit is None else f" {limit:,}", "muted")
            number = self._number(first)
            if limit is None:
                words = "no limit"
            elif isinstance(first, GateSkipped):
                words = f"{number:,} {self.signs.at_most} {limit:,}"
            elif gate == 1:
                words = f"{number:,} {self.signs.becomes} {self._number(last):,} items"
            else:
                words = f"{number:,} > {limit:,}"
            rows.append(row.right(width - 2, words, "text" if progress != "before" else "muted"))
            if gate == 1 and isinstance(first, GateOpened):
                rows.append(self._cut(playback, first, progress == "done"))
            if gate == 2 and isinstance(first, GateOpened):
                rows += self._walks(playback, first, width)
        return rows

    def _mark(self, progress: str) -> str:
        return {"before": self.signs.undecided, "now": self.signs.play, "done": self.signs.done}[progress]

    def _number(self, step: object) -> int:
        gate, items, chars = (getattr(step, name) for name in ("gate", "item_count", "approx_chars"))
        return int(items if gate == 1 else chars)

    def _cut(self, playback: Playback, opened: GateOpened, is_done: bool) -> Row:
        selection = playback.examination.projection.selection
        parts = [f"first {opened.head:,}"] if opened.head else []
        parts.append(f"last {opened.newest:,}" if opened.newest else "none of the newest")
        words = ", ".join(parts)
        if is_done:
            words += f"; {self._dashed(span_words(selection.head, selection.tail))} cut"
        return self.row().to(_LEFT + 11).add(words, "muted")

    def _dashed(self, words: str) -> str:
        return words.replace("–", self.signs.dash)

    def _walks(self, playback: Playback, opened: GateOpened, width: int) -> list[Row]:
        trace, count = playback.trace, len(playback.examination.session)
        known = playback.known_to
        weighed, used = trace.weighed(known), trace.used(known)
        rows = []
        walks = (
            ("prefix, forwards from #0", "pinned", self.signs.pinned, opened.head),
            (f"tail, backwards from #{count - 1}", "kept", self.signs.kept, opened.newest),
        )
        for at, (words, ink, sign, total) in enumerate(walks):
            if not total or not opened.limit:
                continue
            is_open = playback.progress(2) != "before" and (at == 0 or weighed[0] == opened.head)
            progress = "done" if weighed[at] == total else "now" if is_open else "before"
            row = self.row().to(_LEFT + 2).add(self._mark(progress), "accent" if progress == "now" else "muted")
            row.add(" ").add(sign, ink).add(f" {words}", "muted")
            chars = f"{used[at]:,}"
            row.right(width - 2 - max(len(chars), 8), f"{weighed[at]:,} of {total:,}", "text")
            rows.append(row.right(width - 2, chars, "text"))
        return rows

    def _decision_heading(self, said: Telling, width: int) -> Row:
        extra = self.row().add("  ").add(said.place, "muted") if said.place else None
        return self.end_heading(self.heading(width, said.title, focused=False, extra=extra), width, focused=False)

    def _subject(self, playback: Playback, said: Telling, width: int) -> list[Row]:
        if playback.index is None:
            return []
        row = self.row().to(_LEFT).add(f"{self.signs.play} ", "accent").add(f"#{playback.index}", "accent").add("  ")
        return [row.fit(said.subject, width - row.cells - 2)]

    def _sum(self, said: Telling, width: int) -> list[Row]:
        if not said.terms:
            return [self.row().to(_LEFT + 2).fit(self._arrows(said.outcome), width - 6)] if said.outcome else []
        end = _LEFT + 3 + max(8, len(f"{said.total:,}"))
        rows = []
        if len(said.terms) > 1:
            for at, (number, what) in enumerate(said.terms):
                row = self.row().to(_LEFT + 2).add("+" if at else "", "muted").right(end, f"{number:,}")
                rows.append(row.add("   ").add(what, "muted"))
            rows.append(self.row().to(_LEFT + 2).add(self.signs.light * (end - _LEFT - 2), "track"))
        row = self.row().right(end, f"{said.total:,}", "strong")
        if len(said.terms) == 1:
            row.add(f" {said.terms[0][1]}", "muted")
        self._compare(row, said)
        return [*rows, row.add("   ").fit(said.outcome, width - row.cells - 2, "muted")]

    def _compare(self, row: Row, said: Telling) -> None:
        if said.limit is not None:
            sign = ">" if said.is_over else self.signs.at_most
            row.add("  ").add(sign, "bad" if said.is_over else "muted").add("  ").add(f"{said.limit:,}", "strong")

    def _arrows(self, words: str) -> str:
        return words.replace("→", self.signs.becomes)

    def _verdict(self, said: Telling, width: int) -> Row:
        row = self.row().to(_LEFT)
        if said.state is not None:
            row.add(*state_sign(self.signs, said.state)).add(" ")
        row.add(self._dashed(said.verdict), "strong")
        return row.fit(said.rest, width - row.cells - 2, "muted")

    # -- tally ----------------------------------------------------------------------------------------

    def _tally(self, playback: Playback, width: int) -> list[Row]:
        """The characters used, to scale, with the limit on the bar; blank rows where gate 2 is not at work."""
        if playback.progress(2) == "before" or not playback.examination.projection.selection.char_gate_ran:
            return []
        return [self._bar(playback, width - 2 - _LEFT), self._legend(playback, width)]

    def _shares(self, playback: Playback) -> tuple[int, int, int, int]:
        """The characters of the prefix, of the tail, of the item under decision, and the limit."""
        step, limit = playback.step, playback.examination.settings.budget.char_limit or 0
        return (*playback.trace.used(playback.known_to), step.size if isinstance(step, Decided) else 0, limit)

    def _bar(self, playback: Playback, room: int) -> Row:
        prefix, tail, size, limit = self._shares(playback)
        scale = max(prefix + tail + size, limit, 1)
        signs, row = self.signs, self.row().to(_LEFT)

        def cells(chars: int) -> int:
            return chars * room // scale

        line = [(signs.light, "track")] * room
        for begin, chars, sign, ink in (
            (0, prefix, signs.strip_pinned, "pinned"),
            (prefix, tail, signs.strip_pinned, "kept"),
            (prefix + tail, size, signs.weighing, "accent"),
        ):
            first, last = cells(begin), cells(begin + chars)
            for cell in range(first, max(last, first + bool(chars))):
                if cell < room:
                    line[cell] = (sign, ink)
        line[min(cells(limit), room - 1)] = (signs.limit, "strong")
        for sign, ink in line:
            row.add(sign, ink)
        return row

    def _legend(self, playback: Playback, width: int) -> Row:
        prefix, tail, size, limit = self._shares(playback)
        signs, row = self.signs, self.row().to(_LEFT)
        if prefix:
            row.add(signs.pinned, "pinned").add(f" {prefix:,}   ", "pinned")
        row.add(signs.kept, "kept").add(f" {tail:,}   ", "kept")
        if size:
            row.add(signs.play, "accent").add(f" {size:,}", "accent")
        return self._left(row, limit - prefix - tail, limit, width)

    def _left(self, row: Row, left: int, limit: int, width: int) -> Row:
        words = f"{left:,} left of " if left >= 0 else f"{-left:,} over "
        if row.cells + len(words) + len(f"{limit:,}") + 3 > width - 2:
            return row
        row.to(width - 2 - len(words) - len(f"{limit:,}")).add(words, "muted" if left >= 0 else "bad")
        return row.add(f"{limit:,}", "strong")

    # -- steps ----------------------------------------------------------------------------------------

    def _steps_heading(self, width: int) -> Row:
        tail = self.row().add("e", "key").add(" the step about the selected item", "muted")
        return self.end_heading(self.heading(width, "Steps", focused=False), width, focused=False, tail=tail)

    def _steps(self, playback: Playback, width: int, height: int) -> list[Row]:
        """This step and those before it, the newest first."""
        rows = []
        for at in range(playback.at, max(playback.at - height, -1), -1):
            row = self._step_row(playback, at, width, is_now=at == playback.at)
            row.hits.append((0, width, _Jump(at)))
            rows.append(row)
        return rows

    def _step_row(self, playback: Playback, at: int, width: int, *, is_now: bool) -> Row:
        step = playback.trace[at]
        said = telling(playback.examination, playback.trace, step)
        row = self.row(self.inks_on("cursor") if is_now else None)
        row.add(self.signs.cursor if is_now else " ", "accent").to(_LEFT + 1)
        ink = "text" if is_now else "muted"
        if isinstance(step, Decided):
            number = max(6, len(f"{step.limit:,}") + 1)
            row.add(f"#{step.index}", "strong" if is_now else ink).to(_LEFT + 7)
            row.right(_LEFT + 7 + number, f"{step.used:,}", ink).add(" + ", ink)
            row.right(_LEFT + 10 + 2 * number, f"{step.size:,}", ink).add(" = ", ink)
            row.right(_LEFT + 13 + 3 * number, f"{step.total:,}", "strong" if is_now else ink).add(" ")
            over = step.total > step.limit
            row.add(">" if over else self.signs.at_most, "bad" if over else ink).add(f" {step.limit:,}", ink)
            word = "forced" if step.forced else "keep" if step.kept else "skip"
            sign = state_sign(self.signs, playback.examination.projection.states[step.index])
            if row.cells + 12 <= width:
                row.to(width - 11).add(*sign).to(width - 8).add(word, ink)
            return row.to(width)
        row.add(said.title, "strong" if is_now else ink).add("   ")
        if said.terms:
            row.add(f"{said.total:,} {said.terms[0][1]}", ink)
            self._compare(row, said)
        elif isinstance(step, Cleared):
            row.fit(self._arrows(said.outcome), width - row.cells - 2, ink)
        else:
            row.fit(said.verdict, width - row.cells - 2, ink)
        return row.to(width)

    # -- one column -----------------------------------------------------------------------------------

    def _small(self, playback: Playback, said: Telling, width: int, height: int) -> list[Row]:
        blank = self.row()
        prefix, tail, _, limit = self._shares(playback)
        has_tally = playback.progress(2) != "before" and playback.examination.projection.selection.char_gate_ran
        bar = self.row()
        if has_tally:
            words = 14 + 2 * len(f"{limit:,}")
            bar = self._bar(playback, max(width - words - 4, 8))
            self._left(bar, limit - prefix - tail, limit, width)
        sums = self.row().to(_LEFT)
        if playback.index is not None:
            sums.add(f"{self.signs.play} ", "accent").add(f"#{playback.index}", "accent").add("   ")
        else:
            sums.add(said.title, "strong").add("   ")
        if said.terms:
            sums.add(" + ".join(f"{number:,}" for number, _ in said.terms))
            sums.add(f" = {said.total:,}" if len(said.terms) > 1 else f" {said.terms[0][1]}", "strong")
            self._compare(sums, said)
        sums.add("   ").fit(self._arrows(said.outcome), width - sums.cells - 2, "muted")
        parts = [
            (4, [self._gates_in_a_row(playback, width)]),
            (1, [blank]),
            (3, [bar] if has_tally else []),
            (0, [blank]),
            (4, [sums, self._verdict(said, width)]),
            (2, [blank]),
        ]
        for level in (0, 1, 2, 3):
            taken = 1 + sum(len(rows) for _, rows in parts)
            if taken + _LEAST_STEPS > height:
                parts = [part if part[0] != level else (level, []) for part in parts]
        rows = [self._heading(playback, width), *(row for _, some in parts for row in some)]
        return [*rows, *self._steps(playback, width, height - len(rows))]

    def _gates_in_a_row(self, playback: Playback, width: int) -> Row:
        trace, row = playback.trace, self.row().to(_LEFT)
        gates: tuple[Gate, Gate] = (1, 2)
        for gate in gates:
            start, stop = trace.span(gate)
            first, progress = trace[start], playback.progress(gate)
            row.add("   " if gate == 2 else "")
            row.add(self._mark(progress), "accent" if progress == "now" else "muted").add(" ")
            row.add(f"gate {gate} ", "strong" if progress != "before" else "muted")
            if isinstance(first, GateSkipped):
                limit = first.limit
                words = "no limit" if limit is None else f"{self._number(first):,} {self.signs.at_most} {limit:,}"
            elif isinstance(first, GateOpened) and gate == 1:
                words = f"{self._number(first):,} {self.signs.becomes} {self._number(trace[stop - 1]):,}"
            else:
                words = f"{self._number(first):,} > {getattr(first, 'limit', 0):,}"
            row.add(words, "muted")
            if gate == 2 and isinstance(first, GateOpened) and first.limit:
                weighed = trace.weighed(playback.known_to)
                for name, number, total in (("prefix", weighed[0], first.head), ("tail", weighed[1], first.newest)):
                    words = f"   {name} {number:,} of {total:,}"
                    if total and row.cells + len(words) <= width - 2:
                        row.add(words, "text" if name == "tail" else "muted")
        return row

    # -- mouse ----------------------------------------------------------------------------------------

    def _point(self, event: events.MouseEvent) -> None:
        if self.playback is None:
            return
        hit = self.hit_at(event)
        if isinstance(hit, _Seek):
            last = len(self.playback.trace) - 1
            self.post_message(self.Sought(round((event.x - hit.begin) * last / max(hit.width - 1, 1))))
        elif isinstance(hit, _Jump):
            self.post_message(self.Sought(hit.at))

    async def on_mouse_down(self, event: events.MouseDown) -> None:
        if self.hit_at(event) == "play":
            await self.run_action("screen.player_play")
            return
        self.capture_mouse()
        self._point(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self.app.mouse_captured is self and isinstance(self.hit_at(event), _Seek):
            self._point(event)

    def on_mouse_up(self) -> None:
        self.release_mouse()
