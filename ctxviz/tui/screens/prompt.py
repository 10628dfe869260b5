"""A line to type into, over the footer."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.reactive import reactive
from textual.screen import ModalScreen
from textual.widgets import Input

from ctxviz.tui.paint import INKS, Panel, Row


class Prompt(ModalScreen[str | None]):
    """Asks for one line; dismissed with it, or with None on Esc.

    `problem` says in a few words what is wrong with an answer, or "" if it can be taken.
    """

    CSS_PATH = ["input.tcss", "prompt.tcss"]
    COMPONENT_CLASSES = INKS

    BINDINGS = [Binding("escape", "dismiss(None)", "close", show=False)]

    def __init__(self, title: str, hint: str, problem: Callable[[str], str], initial: str = "") -> None:
        super().__init__()
        self.prompt_title = title
        self.hint = hint
        self.problem = problem
        self.initial = initial

    def compose(self) -> ComposeResult:
        with Vertical(id="prompt"):
            yield PromptHeading(self.prompt_title)
            with Horizontal():
                yield PromptMark()
                box = Input(self.initial, select_on_focus=False, compact=True)
                box.cursor_blink = self.app.animation_level == "full"
                yield box
            yield PromptHint(self.hint)

    def on_mount(self) -> None:
        box = self.query_one(Input)
        box.cursor_position = len(self.initial)

    def on_input_changed(self, event: Input.Changed) -> None:
        self.query_one(PromptHint).wrong = ""

    def on_input_submitted(self, event: Input.Submitted) -> None:
        wrong = self.problem(event.value)
        if wrong:
            self.query_one(PromptHint).wrong = wrong
        else:
            self.dismiss(event.value)


class PromptHeading(Panel):
    """What is asked for."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.heading_title = title

    def rows(self, width: int, height: int) -> Iterable[Row]:
        tail = (
            self.row().add(self.signs.enter, "key").add(" take it   ", "muted").add("Esc", "key").add(" close", "muted")
        )
        return [self.end_heading(self.heading(width, self.heading_title, focused=True), width, focused=True, tail=tail)]


class PromptMark(Panel):
    """The sign before what is typed."""

    def rows(self, width: int, height: int) -> Iterable[Row]:
        return [self.row().to(2).add(self.signs.prompt, "accent")]


class PromptHint(Panel):
    """What can be typed, or what is wrong with what was."""

    wrong: reactive[str] = reactive("")

    def __init__(self, hint: str) -> None:
        super().__init__()
        self.hint = hint

    def rows(self, width: int, height: int) -> Iterable[Row]:
        return [self.row().to(4).add(self.wrong or self.hint, "bad" if self.wrong else "muted")]
