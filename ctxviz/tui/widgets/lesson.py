"""The lesson's own rows above the list: a text, a question with its answers, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import wrap

from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.reactive import reactive

from ctxviz.tui.paint import Panel, Row

LETTERS = "abcd"
_INSET = 2
_WRONG = "Not quite: "


@dataclass(frozen=True)
class Page:
    """What stands in the panel now.

    `place` is the step in words. While `answers` are there one is to be given; when one was,
    `given` is its place, `right` that of the right one, and `why_not` says what is wrong with the given one.
    """

    title: str
    place: str
    text: str
    question: str = ""
    answers: tuple[str, ...] = ()
    given: int | None = None
    right: int | None = None
    why_not: str = ""


class LessonPanel(Panel, can_focus=True):
    """Draws a page; says `Answered`, `Forward` and `Back`."""

    BINDINGS = [
        *(Binding(f"{letter},{at + 1}", f"answer({at})", letter, show=False) for at, letter in enumerate(LETTERS)),
        Binding("enter", "forward", "go on", show=False),
        Binding("backspace", "back", "back", show=False),
        # The player's, which stands below: its keys work without going there.
        Binding("left", "screen.player_step(-1)", "step back", show=False),
        Binding("right", "screen.player_step(1)", "step", show=False),
        Binding("home", "screen.player_to(0)", "first step", show=False),
        Binding("end", "screen.player_to(-1)", "last step", show=False),
        Binding("space", "screen.player_play", "play", show=False),
        Binding("up,k", "screen.player_cursor(-1)", "item above", show=False),
        Binding("down,j", "screen.player_cursor(1)", "item below", show=False),
    ]

    page: reactive[Page | None] = reactive(None)

    @dataclass(eq=False, repr=False)
    class Answered(Message):
        """An answer was given: its place."""

        at: int

    class Forward(Message):
        """The person wants to go on."""

    class Back(Message):
        """The person wants to see the step before."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "answer":
            page = self.page
            return page is not None and page.given is None and parameters[0] in range(len(page.answers))
        return True

    def action_answer(self, at: int) -> None:
        self.post_message(self.Answered(at))

    def action_forward(self) -> None:
        self.post_message(self.Forward())

    def action_back(self) -> None:
        self.post_message(self.Back())

    def height_at(self, width: int) -> int:
        """How many rows the page takes at a width."""
        return len(list(self.rows(width, 99)))

    def rows(self, width: int, height: int) -> Iterable[Row]:
        page = self.page
        if page is None:
            return []
        extra = self.row().add("  ").add(page.title, "muted")
        tail = self.row().add(page.place, "muted")
        heading = self.heading(width, "Lesson", focused=self.has_focus, extra=extra)
        rows = [self.end_heading(heading, width, focused=self.has_focus, tail=tail)]
        if page.given is not None:
            rows += self._outcome(page, width)
        rows += [self.row().to(_INSET).add(line) for line in self._wrapped(page.text, width)]
        if page.question and page.given is None:
            rows.append(self.row().to(_INSET).add(page.question, "strong"))
            rows += self._answers(page, width)
        return rows

    def _wrapped(self, text: str, width: int) -> list[str]:
        """The lines of a text, with the signs of this screen."""
        for sign, shown in (("→", self.signs.becomes), ("←", self.signs.output), ("≤", self.signs.at_most)):
            text = text.replace(sign, shown)
        return wrap(text, max(width - 2 * _INSET, 8), break_on_hyphens=False)  # codes of findings stay whole

    def _outcome(self, page: Page, width: int) -> list[Row]:
        """Whether the answer was right, and which one is."""
        assert page.given is not None  # what is asked for here
        right = page.right if page.right is not None else page.given
        answer = page.answers[right]
        if page.given == right:
            return [self.row().to(_INSET).add("Right: ", "accent").add(answer, "strong")]
        first, *more = self._wrapped(f"{_WRONG}{page.answers[page.given]}. {page.why_not}", width)
        rows = [self.row().to(_INSET).add(_WRONG, "bad").add(first[len(_WRONG) :])]
        rows += [self.row().to(_INSET).add(line) for line in more]
        return [*rows, self.row().to(_INSET).add("The answer is ", "muted").add(answer, "strong")]

    def _answers(self, page: Page, width: int) -> list[Row]:
        """The answers in a row if they fit, else in a row each."""
        needed = sum(len(answer) + 7 for answer in page.answers)
        rows = [self.row().to(_INSET)]
        for at, answer in enumerate(page.answers):
            if at and needed > width - _INSET:
                rows.append(self.row().to(_INSET))
            rows[-1].add(f" {LETTERS[at]} ", "key", hit=at).add(f"{answer}    ", "text", hit=at)
        return rows

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        page, hit = self.page, self.hit_at(event)
        if page is not None and page.given is None and isinstance(hit, int):
            self.post_message(self.Answered(hit))
