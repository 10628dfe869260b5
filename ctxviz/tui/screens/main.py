"""The main screen: owns session, settings and selection; wires the parts, which know nothing of one another."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.reactive import var
from textual.widget import Widget

from ctxviz.analysis.examination import Examination
from ctxviz.analysis.explanation import what_it_is
from ctxviz.analysis.filtering import ItemFilter
from ctxviz.analysis.finding import Finding, Severity
from ctxviz.projection.projection import KEPT, PINNED
from ctxviz.tui.arrange import arrange
from ctxviz.tui.hints import ALWAYS, Part, footer_pairs, is_possible
from ctxviz.tui.keys import COMMANDS, Command
from ctxviz.tui.layout import Layout, layout
from ctxviz.tui.screens.explaining import ExplainScreen
from ctxviz.tui.screens.session import Opening
from ctxviz.tui.widgets.budget import Budget
from ctxviz.tui.widgets.footer import FooterLine
from ctxviz.tui.widgets.heading import ItemsHeading
from ctxviz.tui.widgets.items import ItemList
from ctxviz.tui.widgets.notice import Notice
from ctxviz.tui.widgets.report import ReportView
from ctxviz.tui.widgets.strip import SessionStrip
from ctxviz.tui.widgets.tabs import TabBar
from ctxviz.tui.widgets.title import TitleLine
from ctxviz.tui.widgets.why import WhyView

if TYPE_CHECKING:
    from ctxviz.analysis.findings import Findings
    from ctxviz.analysis.playback import Playback
    from ctxviz.tui.widgets.findings import FindingsView
    from ctxviz.tui.widgets.player import PlayerView
    from ctxviz.tui.workers import Finder

__all__ = ["MainScreen", "Opening"]

# What opens above the main screen is imported when it is opened: the first paint is mostly imports.


def bindings_of(commands: Sequence[Command]) -> list[BindingType]:
    """The bindings of commands, one for each of their keys."""
    found: list[BindingType] = []
    for command in commands:
        for key in filter(None, command.keys.split(",")):
            action = f"type_number('{key}')" if command.action == "type_number" else command.action
            found.append(
                Binding(key, action, command.name, show=False, id=None if "," in command.keys else command.action)
            )
    return found


_Part = TypeVar("_Part", bound=Widget)


class MainScreen(ExplainScreen):
    """Composes and wires the parts, which know nothing of one another; list, tabs, words."""

    commands: ClassVar[tuple[Command, ...]] = COMMANDS
    """What can be done here: keys, key list and palette are made from it."""
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_of(COMMANDS),
        Binding("escape", "close", "close", show=False),
    ]

    tab: var[str] = var("", init=False)
    """The tab that is shown; the first one until another is chosen."""
    place: var[Layout | None] = var(None, init=False)

    def __init__(self, opening: Opening) -> None:
        super().__init__(opening)
        self._find_text = ""
        self._wide_tab = False

    def compose(self) -> ComposeResult:
        # Before there are parts: a class of the screen that comes later styles all of them again.
        self.add_class(f"-{self._layout().mode}")
        yield TitleLine(self.opening.path).data_bind(
            MainScreen.examination, MainScreen.progress, MainScreen.findings, MainScreen.playback
        )
        yield from self.compose_under_title()
        yield SessionStrip().data_bind(
            MainScreen.examination,
            MainScreen.progress,
            MainScreen.selected,
            MainScreen.findings,
            MainScreen.playback,
        )
        yield Notice()
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield ItemsHeading().data_bind(
                    MainScreen.session, MainScreen.examination, MainScreen.progress, MainScreen.playback
                )
                yield ItemList().data_bind(
                    MainScreen.session,
                    MainScreen.examination,
                    MainScreen.findings,
                    MainScreen.filter,
                    MainScreen.playback,
                )
            with Vertical(id="side"):
                yield Budget().data_bind(
                    MainScreen.examination,
                    MainScreen.settings,
                    MainScreen.progress,
                    MainScreen.active,
                    MainScreen.place,
                )
                yield ReportView(in_tab=False, id="report").data_bind(
                    MainScreen.examination, MainScreen.previous, MainScreen.progress
                )
                yield TabBar()
                with Vertical(id="pages"):
                    yield WhyView(id="page-why").data_bind(
                        MainScreen.examination, MainScreen.selected, MainScreen.findings
                    )
        yield FooterLine()

    def compose_under_title(self) -> ComposeResult:
        """What a kind of this screen puts between the title and the strip."""
        yield from ()

    def on_mount(self) -> None:
        self._lay_out()
        self.begin()
        self.begun()

    def begun(self) -> None:
        """All parts are there."""
        self.query_one(ItemList).focus()

    # -- the list -------------------------------------------------------------------------------------

    def on_item_list_highlighted(self, event: ItemList.Highlighted) -> None:
        self.selected = event.index

    def on_item_list_scrolled(self, event: ItemList.Scrolled) -> None:
        self.query_one(SessionStrip).visible_items = (event.first, event.end)

    def on_session_strip_moved(self, event: SessionStrip.Moved) -> None:
        items = self.query_one(ItemList)
        items.cursor = event.index
        items.show_cursor(center=True)

    def on_item_list_opened(self, event: ItemList.Opened) -> None:
        if self.session is None:
            return
        from ctxviz.tui.screens.reading import ReadingScreen, item_pages, large_item_pages

        session, index, why = self.session, event.index, ""
        if self.examination is not None:
            size = self.examination.projection.original.sizes[event.index]
            why = f", {size:,} chars"
        form = session.source(self.settings.measure).form(index)
        large = session.is_large(index)
        pages = large_item_pages(session, index, form) if large else item_pages(session.items[index], form)
        self.app.push_screen(ReadingScreen(f"#{index}  {self._what(index)}{why}", pages))

    def _what(self, index: int) -> str:
        return what_it_is(self.examination, index) if self.examination else ""

    def action_go_to(self) -> None:
        count = len(self.session) if self.session else 0
        if not count:
            return

        from ctxviz.tui.numbers import item_prompt, typed_item

        def taken(text: str | None) -> None:
            if text is not None:
                self.go_to_item(typed_item(text))

        self.app.push_screen(item_prompt(count), taken)

    def action_dropped(self, by: int) -> None:
        if self.examination is None:
            return
        states, at = self.examination.projection.states, self.selected_item + by
        while 0 <= at < len(states) and states[at] in (PINNED, KEPT):
            at += by
        if 0 <= at < len(states):
            self.go_to_item(at)
        else:
            self.say(f"No dropped item {'after' if by > 0 else 'before'} #{self.selected_item}.")

    def action_find(self) -> None:
        from ctxviz.tui.screens.prompt import Prompt

        def taken(text: str | None) -> None:
            if text:
                self._find_text = text
                self._find(1, from_here=True)

        hint = "any part of an item's text, upper and lower case alike"
        self.app.push_screen(
            Prompt("Find text", hint, lambda text: "" if text else "nothing to find", self._find_text), taken
        )

    def action_find_again(self, by: int) -> None:
        if self._find_text:
            self._find(by)
        else:
            self.action_find()

    def _find(self, by: int, *, from_here: bool = False) -> None:
        if self.session is not None and len(self.session):
            from ctxviz.tui.workers import Finder

            if not self.query(Finder):
                self.mount(Finder())
            self.query_one(Finder).find(
                self.session, self._find_text, self.selected_item + (0 if from_here else by), by
            )

    def on_finder_found(self, event: Finder.Found) -> None:
        if event.index is None:
            self.say(f"“{event.text}” is in no item.")
        else:
            self.go_to_item(event.index)

    # -- findings ---------------------------------------------------------------------------------------

    @property
    def selected_item(self) -> int:
        return self.query_one(ItemList).cursor

    def go_to_item(self, index: int) -> None:
        items = self.query_one(ItemList)
        items.go_to(index)
        if items.cursor != index:
            self.filter = ItemFilter()
            items.go_to(index)
            self.say("All items are shown again: the filter hid that one.")

    def watch_findings(self, findings: Findings | None) -> None:
        tabs = self.query_one(TabBar)
        counts = [(tabs.signs.bad, Severity.ERROR), (tabs.signs.warning, Severity.WARNING)]
        found = [(sign, findings.count(severity)) for sign, severity in counts] if findings else []
        tabs.counts = " ".join(f"{sign}{count:,}" for sign, count in found if count)

    def watch_filter(self) -> None:
        self.call_next(self._say_filter)  # when the list has it

    def _say_filter(self) -> None:
        if self.filter and self.examination is not None:
            shown, count = len(self.query_one(ItemList).listed), len(self.examination.session)
            self.say(f"{shown:,} of {count:,} items: {self.filter}. & changes it, Esc shows all.")

    def finding_reached(self, finding: Finding) -> None:
        cast("FindingsView", self._page("Findings")).choose(finding)

    def on_findings_view_asked(self, event: FindingsView.Asked) -> None:
        items = event.finding.items
        if items:
            at = bisect_right(items, self.selected_item)
            self.go_to_item(items[at if at < len(items) else 0])

    def on_title_line_findings_clicked(self) -> None:
        self.tab = "Findings"

    # -- the player -------------------------------------------------------------------------------------

    def show_step(self, playback: Playback) -> None:
        items, index = self.query_one(ItemList), playback.shown_item(self.selected_item)
        if abs(index - items.cursor) == 1:
            items.cursor = index  # a neighbour comes into sight by one row
        if items.cursor != index:
            self.go_to_item(index)

    def action_explain(self) -> None:
        super().action_explain()
        if self.playback is not None:
            self._player().focus()

    def _player(self) -> PlayerView:
        """The player, made when it is first opened: a start that does not need it does not pay for it."""
        from ctxviz.tui.widgets.player import PlayerView

        made = self.query(PlayerView)
        if made:
            return made.first()
        player = self._bound(PlayerView(), "playback", "playing", "speed")
        self.query_one("#side").mount(player, before="#report")
        return player

    def watch_playback(self, before: Playback | None, after: Playback | None) -> None:
        if (before is None) is (after is None):
            return
        self._player()
        self._lay_out()
        if after is not None:
            self._player().focus()
        elif self.focused is None or self.focused is self._player():
            self.query_one(ItemList).focus()

    def on_player_view_sought(self, event: PlayerView.Sought) -> None:
        self.action_player_to(max(event.at, 0))

    def action_player_cursor(self, by: int) -> None:
        self.query_one(ItemList).action_move(by)

    # -- tabs and layout --------------------------------------------------------------------------------

    def on_resize(self) -> None:
        self._lay_out()

    def watch_examination(self, before: Examination | None, after: Examination | None) -> None:
        if after and (before is None or before.settings.projector != after.settings.projector):
            self._lay_out()

    def watch_active(self) -> None:
        self._update_footer()

    def _lay_out(self) -> None:
        place = self._layout()
        if place == self.place:
            return
        self.place = place
        arrange(self, place)
        tabs = self.query_one(TabBar)
        if self.tab not in tabs.tabs:
            self.tab = tabs.tabs[0]
        self._show_tab()
        self._update_footer()

    def _layout(self) -> Layout:
        width, height = self.app.size  # known before this screen has its own
        type_aware, needs_room = self.settings.projector == "type-aware", self.tab == "Findings"
        return layout(
            width,
            height,
            type_aware=type_aware,
            wide_tab=self._wide_tab,
            needs_room=needs_room,
            player=self.playback is not None,
        )

    def _bound(self, widget: _Part, *names: str) -> _Part:
        """A part that is made later than the others, which follows these of the screen's values.

        `data_bind` is for parts that are made while the screen is composed.
        """

        def follows(name: str) -> Callable[[object], None]:
            return lambda value: setattr(widget, name, value)

        for name in names:
            self.watch(self, name, follows(name))
        return widget

    def _page(self, tab: str) -> Widget:
        """The page of a tab; those that are not shown first are made when they are first looked at."""
        name = {"Report": "page-report", "Why": "page-why", "Content": "page-content", "Findings": "page-findings"}[tab]
        made = self.query(f"#{name}")
        if made:
            return made.first()
        page: Widget
        if tab == "Report":
            page = self._bound(ReportView(in_tab=True, id=name), "examination", "previous", "progress")
            page.note_rows = self.place.note_rows if self.place else 0
        elif tab == "Content":
            from ctxviz.tui.widgets.content import ContentView

            page = self._bound(ContentView(id=name), "session", "examination", "selected")
        else:
            from ctxviz.tui.widgets.findings import FindingsView

            page = self._bound(FindingsView(id=name), "examination", "findings")
        page.set_class(self.place is not None and self.place.mode != "wide", "-compact")
        page.display = False
        self.query_one("#pages").mount(page)
        return page

    def _show_tab(self) -> None:
        self.query_one(TabBar).active = self.tab
        if self.tab:
            shown = self._page(self.tab)
            for page in self.query_one("#pages").children:
                page.display = page is shown

    def watch_tab(self) -> None:
        self._lay_out()
        self._show_tab()
        self._update_footer()

    def on_tab_bar_chosen(self, event: TabBar.Chosen) -> None:
        self.tab = event.tab

    def on_tab_bar_scroll_asked(self, event: TabBar.ScrollAsked) -> None:
        page = self._page(self.tab)
        if self.tab == "Findings":
            cast("FindingsView", page).move(event.way)
        elif event.way == "enter":
            self.action_open_selected()
        else:
            getattr(page, f"scroll_{event.way}")(animate=False)

    def action_next_tab(self) -> None:
        self.query_one(TabBar).action_choose(1)

    def action_previous_tab(self) -> None:
        self.query_one(TabBar).action_choose(-1)

    def action_widen(self) -> None:
        self._wide_tab = not self._wide_tab
        self._lay_out()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.query_one(ItemsHeading).focused = isinstance(event.widget, ItemList)
        self._update_footer()

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        if isinstance(event.widget, ItemList):
            self.query_one(ItemsHeading).focused = False

    # -- words ------------------------------------------------------------------------------------------

    def say(self, text: str, *, bad: bool = False) -> None:
        """Put a sentence above the list."""
        notice = self.query_one(Notice)
        notice.bad = bad
        notice.text = text

    def on_title_line_warnings_clicked(self) -> None:
        self.action_messages()

    def action_messages(self) -> None:
        warnings = self.session.warnings if self.session else ()
        if not warnings:
            self.say("The file was read whole: nothing was skipped.")
            return
        from ctxviz.tui.screens.reading import Page, ReadingScreen

        count = len(warnings)
        title = f"{count:,} warning{'' if count == 1 else 's'} from reading {self.session.name if self.session else ''}"
        self.app.push_screen(ReadingScreen(title, [Page("Warnings", lambda: "\n".join(warnings))]))

    def action_close(self) -> None:
        if self.progress is not None:
            self.cancel_loading()
        elif self.playback is not None:
            self.close_player()
        elif self.filter:
            self.filter = ItemFilter()
            self.say("")
        elif self.query_one(Notice).text:
            self.say("")

    def show_empty(self, is_empty: bool) -> None:
        from ctxviz.tui.widgets.empty import EmptyView

        if is_empty and not self.query(EmptyView):
            self.query_one("#left").mount(self._bound(EmptyView(), "examination"))
        for empty in self.query(EmptyView):
            empty.display = is_empty

    def session_changed(self) -> None:
        """Other keys may matter now."""
        self._update_footer()

    def _update_footer(self) -> None:
        footer, focused = self.query_one(FooterLine), self.focused
        part: Part = "tabs" if isinstance(focused, TabBar) else "budget" if isinstance(focused, Budget) else "list"
        if self.playback is not None and part == "list":
            part = "player"
        narrow = self.place is not None and self.place.mode != "wide"
        footer.pairs = footer_pairs(self.examination, part, self.active, footer.signs, narrow=narrow, tab=self.tab)
        footer.always = ALWAYS[:1] if part == "player" and narrow else ALWAYS

    async def on_footer_line_asked(self, event: FooterLine.Asked) -> None:
        await self.run_action(event.action)

    def action_open_selected(self) -> None:
        self.query_one(ItemList).action_open()

    def action_keys(self) -> None:
        from ctxviz.tui.screens.keys import KeysScreen

        self.app.push_screen(KeysScreen(self.session, self.commands))

    def action_commands(self) -> None:
        from ctxviz.tui.effects import effect
        from ctxviz.tui.screens.palette import Choice, PaletteScreen

        def ask(action: str) -> str:
            return effect(
                action, self.examination, self.opened_with, self._active_label(), self._find_text, self.findings
            )

        choices = [
            Choice(command.action, command.label, command.name, lambda action=command.action: ask(action))  # type: ignore[misc]
            for command in self.commands
            if command.action != "commands" and is_possible(command.action, self.session)
        ]

        async def taken(action: str | None) -> None:
            if action:
                await self.run_action(action)

        self.app.push_screen(PaletteScreen(choices), taken)

    def _active_label(self) -> str:
        control = self.control(self.active)
        return control.label if control else "trimOldReasoning"

    async def action_theme(self) -> None:
        await self.app.run_action("switch_theme")

    async def action_quit(self) -> None:
        self.app.exit()
