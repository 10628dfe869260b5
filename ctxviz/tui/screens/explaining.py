"""The player on the main screen: where it stands, what moves it, and that it plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.reactive import var
from textual.timer import Timer

from ctxviz.analysis.examination import Examination
from ctxviz.projection.selection import Gate
from ctxviz.tui.screens.session import SessionScreen

if TYPE_CHECKING:
    from ctxviz.analysis.playback import Playback

_SPEEDS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0)


class ExplainScreen(SessionScreen):
    """Owns the place in the trace."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "player_step(-1)", "step back", show=False),
        Binding("right", "player_step(1)", "step", show=False),
        Binding("space", "player_play", "play", show=False),
        Binding("plus", "player_speed(1)", "faster", show=False),
        Binding("minus", "player_speed(-1)", "slower", show=False),
    ]

    playback: var[Playback | None] = var(None, init=False)
    """None while the player is closed."""
    playing: var[bool] = var(False, init=False)
    speed: var[float] = var(2.0, init=False)
    """Steps a second."""

    _timer: Timer | None = None

    def show_step(self, playback: Playback) -> None:
        """Another step is shown: bring what it is about into sight."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The player's own keys are free while it is closed."""
        if action.startswith("player_") and self.playback is None:
            return False
        return super().check_action(action, parameters)

    def on_screen_suspend(self) -> None:
        """Something else covers the screen: nobody sees the steps go by."""
        self._stop()

    def _watch_examination(self, examination: Examination | None) -> None:
        super()._watch_examination(examination)
        before = self.playback
        if before is None:
            return
        if examination is None or not len(examination.session):
            self.close_player()
            return
        from ctxviz.analysis.playback import Playback

        index = before.index
        again = Playback.of(examination, before.at)
        is_same = before.examination.session is examination.session and index is not None
        self._go(again.to(again.trace.about(index)) if is_same and index is not None else again)

    def _go(self, playback: Playback) -> None:
        self.playback = playback
        self.show_step(playback)

    def _open(self, at: int | None, index: int = 0) -> None:
        examination = self.examination
        if examination is None:
            self.say("There is nothing to explain until the session is read.")
            return
        if not len(examination.session):
            self.say("There is nothing to explain: the session has no items.")
            return
        from ctxviz.analysis.playback import Playback

        playback = self.playback or Playback.of(examination)
        self._go(playback.to(playback.trace.about(index) if at is None else at))

    def action_explain(self) -> None:
        """Open the player at the decision about the selected item; in it go there."""
        self._stop()
        self._open(None, self.selected_item)

    def explain_at(self, gate: Gate, item: int | None) -> None:
        """Open the player at the decision about an item; without one at a gate's close."""
        self._stop()
        if item is not None:
            self._open(None, item)
        elif self.examination is not None and len(self.examination.session):
            from ctxviz.analysis.playback import Playback

            trace = Playback.of(self.examination).trace
            self._open(trace.span(gate)[1] - 1)

    def close_player(self) -> None:
        """Close the player, if it is open."""
        self._stop()
        self.playback = None

    def action_player_step(self, by: int) -> None:
        """Go some steps on, or back."""
        self._stop()
        if self.playback is not None:
            self._go(self.playback.to(self.playback.at + by))

    def action_player_to(self, at: int) -> None:
        """Go to a step; -1 is the last."""
        self._stop()
        if self.playback is not None:
            self._go(self.playback.to(at if at >= 0 else len(self.playback.trace) - 1))

    def action_player_play(self) -> None:
        """Play, or stop playing; from the last step it plays from the first."""
        if self.playing:
            self._stop()
        elif self.playback is not None:
            if self.playback.at == len(self.playback.trace) - 1:
                self._go(self.playback.to(0))
            self.playing = True
            self._timer = self.set_interval(1 / self.speed, self._tick)

    def action_player_speed(self, by: int) -> None:
        """Play faster, or slower."""
        at = min(max(_SPEEDS.index(self.speed) + by, 0), len(_SPEEDS) - 1)
        self.speed = _SPEEDS[at]
        if self.playing and self._timer is not None:
            self._timer.stop()
            self._timer = self.set_interval(1 / self.speed, self._tick)

    def action_player_cursor(self, by: int) -> None:
        """Select another item, for `e`."""
        raise NotImplementedError

    def _tick(self) -> None:
        playback = self.playback
        if playback is None or playback.at + 1 >= len(playback.trace):
            self._stop()
            return
        self._go(playback.to(playback.at + 1))

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.playing = False
