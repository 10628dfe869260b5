"""The lessons to choose from, with those that are done marked."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.message import Message
from textual.reactive import reactive
from textual.screen import ModalScreen

from ctxviz.lessons.lesson import lessons
from ctxviz.tui.paint import INKS, LinesView, Panel, Row
from ctxviz.tui.widgets.footer import FooterLine, Pair


class LessonsScreen(ModalScreen[str | None]):
    """Dismissed with the name of a lesson, or None."""

    CSS_PATH = "lessons.tcss"
    COMPONENT_CLASSES = INKS

    BINDINGS = [
        Binding("escape", "dismiss(None)", "close", show=False),
        Binding("q", "app.quit", "quit", show=False),
        Binding("enter", "begin", "begin", show=False),
    ]

    def __init__(self, done: frozenset[str], at: str) -> None:
        super().__init__()
        self.done = done
        self.at = at

    def compose(self) -> ComposeResult:
        yield LessonsHeading(len(self.done))
        yield LessonList(self.done, self.at, id="lessons")
        yield FooterLine()

    def on_mount(self) -> None:
        footer, view = self.query_one(FooterLine), self.query_one(LessonList)
        signs = view.signs
        footer.pairs = (Pair(f"{signs.up} {signs.down}", "choose"), Pair(signs.enter, "begin", "begin"))
        footer.always = (Pair("Esc", "close", "close"), Pair("q", "quit", "leave"))
        view.focus()

    def action_begin(self) -> None:
        self.dismiss(lessons()[self.query_one(LessonList).cursor].name)

    def on_lesson_list_opened(self) -> None:
        self.action_begin()

    async def on_footer_line_asked(self, event: FooterLine.Asked) -> None:
        if event.action == "close":
            self.dismiss(None)
        elif event.action == "leave":
            self.app.exit()
        else:
            await self.run_action(event.action)


class LessonsHeading(Panel):
    """How many are done."""

    def __init__(self, done: int) -> None:
        super().__init__()
        self.done = done

    def rows(self, width: int, height: int) -> Iterable[Row]:
        extra = self.row().add("   ").add(f"{self.done}", "strong").add(f" of {len(lessons())} done", "muted")
        return [self.end_heading(self.heading(width, "Lessons", focused=True, extra=extra), width, focused=True)]


class LessonList(LinesView, can_focus=True):
    """Two rows a lesson: its title, and what one knows after it."""

    BINDINGS = [
        Binding("up,k", "move(-1)", "up", show=False),
        Binding("down,j", "move(1)", "down", show=False),
        Binding("home", "move(-1000)", "first", show=False),
        Binding("end", "move(1000)", "last", show=False),
    ]

    cursor: reactive[int] = reactive(0)

    class Opened(Message):
        """The chosen lesson is to begin."""

    def __init__(self, done: frozenset[str], at: str, *, id: str) -> None:
        super().__init__(id=id)
        self.done = done
        names = [one.name for one in lessons()]
        to_do = next((place for place, name in enumerate(names) if name not in done), names.index(at))
        self.set_reactive(LessonList.cursor, to_do)

    def remake(self, width: int) -> None:
        self.set_reactive(LessonList.count, 2 * len(lessons()))
        self._show_cursor()

    def validate_cursor(self, cursor: int) -> int:
        return min(max(cursor, 0), len(lessons()) - 1)

    def watch_cursor(self) -> None:
        self._show_cursor()
        self.refresh()

    def _show_cursor(self) -> None:
        first, top, height = 2 * self.cursor, self.scroll_offset.y, self.size.height
        if height:
            self.scroll_to(y=min(max(top, first + 2 - height), first), animate=False, force=True)

    def action_move(self, by: int) -> None:
        self.cursor += by

    def line(self, number: int, width: int) -> Row:
        at, part = divmod(number, 2)
        lesson, at_cursor = lessons()[at], at == self.cursor
        row = self.row(self.inks_on("cursor") if at_cursor else None)
        row.add(self.signs.cursor if at_cursor else " ", "accent").to(2)
        if part:
            return row.to(8).fit(lesson.learnt, width - 10, "muted").to(width)
        is_done = lesson.name in self.done
        row.add(self.signs.done if is_done else " ", "accent").to(4).right(6, str(at + 1), "muted").to(8)
        row.add(lesson.title, "strong").add("   ").add(f"{lesson.minutes} min", "muted").add("   ")
        return row.add(lesson.name, "muted").to(width)

    def on_click(self, event: events.Click) -> None:
        at = (event.y + self.scroll_offset.y) // 2
        if at < len(lessons()):
            self.cursor = at
            self.post_message(self.Opened())
