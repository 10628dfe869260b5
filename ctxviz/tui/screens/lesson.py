"""A guided lesson on the real screen: asks for a prediction, then shows what the projector does."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.reactive import var

from ctxviz.analysis.examination import Examination
from ctxviz.lessons.answers import filled, right_answers, scenes
from ctxviz.lessons.lesson import Lesson, Scene, Step, lessons
from ctxviz.lessons.progress import done_lessons, read_progress, remember
from ctxviz.tui.keys import COMMANDS, Command
from ctxviz.tui.layout import Layout, layout
from ctxviz.tui.screens.main import MainScreen
from ctxviz.tui.screens.session import Opening
from ctxviz.tui.widgets.footer import FooterLine, Pair
from ctxviz.tui.widgets.lesson import LessonPanel, Page
from ctxviz.tui.widgets.notice import Notice

_NOT_IN_LESSONS = {"open_another", "conversation", "set_aside", "messages", "reload"}


class LessonScreen(MainScreen):
    """The main screen with a lesson above it, which sets the scene; everything on it can be moved as ever."""

    commands: ClassVar[tuple[Command, ...]] = tuple(
        command for command in COMMANDS if command.action not in _NOT_IN_LESSONS
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+n", "forward", show=False),
        Binding("ctrl+b", "back", show=False),
        Binding("O,R", "not_here", show=False),
    ]
    page: var[Page | None] = var(None, init=False)

    def __init__(self, lesson: Lesson | None) -> None:
        first = lesson or lessons()[0]
        opening = Opening("lesson", first.steps[0].scene.settings, session=first.load())
        super().__init__(opening)
        self.lesson = first
        self.is_chosen = lesson is not None
        self._at = 0
        self._given: int | None = None
        self._scenes: dict[int, tuple[Examination, Examination]] = {}

    def compose_under_title(self) -> ComposeResult:
        yield LessonPanel().data_bind(LessonScreen.page)

    def begun(self) -> None:
        self._show_page()
        self._set_scene(self._step.scene)
        self.say(read_progress().problem)
        if self.is_chosen:
            self.query_one(LessonPanel).focus()
        else:
            self.choose()

    # -- where it is ----------------------------------------------------------------------------------

    @property
    def _step(self) -> Step:
        return self.lesson.steps[self._at]

    @property
    def _is_over(self) -> bool:
        return self._at >= len(self.lesson.steps)

    def begin_lesson(self, lesson: Lesson) -> None:
        """Show a lesson from its first step."""
        self.lesson, self._at, self._given = lesson, 0, None
        self._scenes.clear()
        self.close_player()
        self.begin_with(lesson.steps[0].scene.settings)
        self.show_session(lesson.load())
        self._show_list()
        self._show_page()
        self._set_scene(self._step.scene)
        self.query_one(LessonPanel).focus()

    def choose(self) -> None:
        """Ask for a lesson."""
        from ctxviz.tui.screens.lessons import LessonsScreen

        def taken(name: str | None) -> None:
            if name is not None:
                self.is_chosen = True
                self.begin_lesson(next(one for one in lessons() if one.name == name))
            elif not self.is_chosen:
                self.app.exit()
            else:
                self.query_one(LessonPanel).focus()

        self.app.push_screen(LessonsScreen(done_lessons(), self.lesson.name), taken)

    def _examinations(self) -> tuple[Examination, Examination]:
        if self._at not in self._scenes:
            self._scenes[self._at] = scenes(self.lesson, self._step)
        return self._scenes[self._at]

    def _set_scene(self, scene: Scene) -> None:
        self.opened_with = scene.settings
        self.settings = scene.settings
        if scene.select is not None:
            self.go_to_item(scene.select)

    # -- the page -------------------------------------------------------------------------------------

    def _show_page(self) -> None:
        lesson, count = self.lesson, len(self.lesson.steps)
        if self._is_over:
            following = self._following()
            more = f" Enter begins the next lesson: {following.title}." if following else " It was the last lesson."
            self.page = Page(lesson.title, "done", lesson.learnt + more)
        else:
            step, (before, after) = self._step, self._examinations()
            place = f"step {self._at + 1} of {count}"
            ask = step.ask
            if ask is None:
                self.page = Page(lesson.title, place, filled(step.text, before))
            elif self._given is None:
                self.page = Page(lesson.title, place, filled(step.text, before), ask.question, ask.answers)
            else:
                right = right_answers(ask, before, after)[0]
                text = filled(step.reveal_text, after)
                self.page = Page(
                    lesson.title, place, text, ask.question, ask.answers, self._given, right, ask.why_not[self._given]
                )
        self._lay_out()

    def watch_page(self) -> None:
        self._update_footer()

    def on_lesson_panel_answered(self, event: LessonPanel.Answered) -> None:
        if self._is_over or self._step.ask is None or self._given is not None:
            return
        self._given = event.at
        self._reveal()

    def _reveal(self) -> None:
        """Show what the projector does, and say what was right."""
        step = self._step
        self._show_page()
        self._set_scene(step.reveal)
        self._show_player(step)

    def _show_player(self, step: Step) -> None:
        if step.show is not None:
            self.explain_at(step.show.gate, step.show.item)
        # The keys of the lesson stay at hand; Tab goes to the player.
        self.query_one(LessonPanel).focus()

    def action_forward(self) -> None:
        """Go on: to the answer, to the next step, to the next lesson."""
        if self._is_over:
            following = self._following()
            if following is not None:
                self.begin_lesson(following)
            else:
                self.choose()
            return
        if self._step.ask is not None and self._given is None:
            self.say("Answer first: a letter, or a click. Any answer shows what happens.")
            return
        self._go_to(self._at + 1)

    def action_back(self) -> None:
        """See the question again, or the step before."""
        if self._given is not None:
            self._go_to(self._at)
        elif self._at:
            self._go_to(self._at - 1)

    def _go_to(self, at: int) -> None:
        self._at, self._given = at, None
        self.say("")
        self.close_player()
        if self._is_over:
            problem = remember(done_lessons() | {self.lesson.name})
            if problem:
                self.say(problem)
            self._show_page()
        else:
            self._show_page()
            self._set_scene(self._step.scene)
            if self._step.ask is None:
                self._show_player(self._step)
        self.query_one(LessonPanel).focus()

    def _following(self) -> Lesson | None:
        names = [one.name for one in lessons()]
        at = names.index(self.lesson.name) + 1
        return lessons()[at] if at < len(names) else None

    def on_lesson_panel_forward(self) -> None:
        self.action_forward()

    def on_lesson_panel_back(self) -> None:
        self.action_back()

    # -- the screen -----------------------------------------------------------------------------------

    def action_close(self) -> None:
        if self.playback is not None and not isinstance(self.focused, LessonPanel):
            self.close_player()
            self.query_one(LessonPanel).focus()
        elif self.filter:
            super().action_close()
        elif self.query_one(Notice).text:
            self.say("")
        else:
            self.choose()

    def action_not_here(self) -> None:
        self.say("A lesson has its own session: Esc shows the lessons, q leaves.")

    def _lay_out(self) -> None:
        panel = self.query_one(LessonPanel)
        panel.styles.height = panel.height_at(self.app.size.width)
        super()._lay_out()

    def _layout(self) -> Layout:
        """The rows that the lesson takes are not there for the rest."""
        width, height = self.app.size
        panel = self.query(LessonPanel)
        taken = panel.first().height_at(width) if panel else 0
        return layout(
            width,
            max(height - taken, 1),
            type_aware=self.settings.projector == "type-aware",
            wide_tab=self._wide_tab,
            needs_room=self.tab == "Findings",
            player=self.playback is not None,
        )

    def _update_footer(self) -> None:
        super()._update_footer()
        footer = self.query_one(FooterLine)
        page = self.page
        if page is None or not isinstance(self.focused, LessonPanel):
            return
        pairs = [Pair("Esc", "lessons", "close"), Pair("Tab", "to the screen")]
        if self._at or self._given is not None:
            pairs.insert(0, Pair("Backspace", "back", "back"))
        if page.answers and page.given is None:
            pairs.insert(0, Pair(f"a{footer.signs.dash}{'abcd'[len(page.answers) - 1]}", "answer"))
        else:
            pairs.insert(0, Pair(footer.signs.enter, "go on", "forward"))
        if self.playback is not None:
            pairs.insert(1, Pair(f"{footer.signs.right} {footer.signs.left}", "step"))
        footer.pairs = tuple(pairs)
