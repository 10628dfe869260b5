"""What the main screen shows: reads it, reads it again, follows it, chooses among several conversations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from textual.reactive import var

from ctxviz.analysis.settings import Settings
from ctxviz.session.errors import ConversationNeeded
from ctxviz.session.loading import Progress
from ctxviz.session.model import Conversation, Session
from ctxviz.tui.hints import is_possible
from ctxviz.tui.screens.judging import JudgingScreen
from ctxviz.tui.widgets.items import ItemList
from ctxviz.tui.widgets.title import TitleLine

if TYPE_CHECKING:
    from ctxviz.session.following import Follower
    from ctxviz.tui.app import CtxvizApp
    from ctxviz.tui.watching import Includer, Watcher
    from ctxviz.tui.workers import Loader

_INCLUDED_AT_ONCE = 5_000
"""Items; of more than that another choice is made off the screen's thread."""


@dataclass(frozen=True, eq=False)
class Opening:
    """What to open, and how. `session` is given if it is loaded already."""

    path: str
    settings: Settings
    format: str | None = None
    look: str = ""
    select: int | None = None
    session: Session | None = None
    conversation: str | None = None
    follow: bool = False


class SessionScreen(JudgingScreen):
    """Owns what is open, and everything that brings another session or another state of it."""

    selected: var[int] = var(0, init=False)

    def __init__(self, opening: Opening) -> None:
        super().__init__(opening.settings)
        self.opening = opening
        self._follower: Follower | None = None
        self._watcher: Watcher | None = None
        self._includer: Includer | None = None
        self._following_failed = False
        self._asked_for_another = False

    @property
    def debugger(self) -> CtxvizApp:
        """The application, by its own type."""
        return cast("CtxvizApp", self.app)

    def say(self, text: str, *, bad: bool = False) -> None:
        """Put a sentence above the list."""
        raise NotImplementedError

    def show_empty(self, is_empty: bool) -> None:
        """Say in the list's place why there are no items, or no more."""
        raise NotImplementedError

    def session_changed(self) -> None:
        """Another session is shown, or another state of it."""
        raise NotImplementedError

    # -- reading ------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Show what the screen was opened with."""
        if self.opening.session is None:
            self.load()
            return
        if self.opening.follow:
            self._new_follower().forget()  # it may have grown since it was loaded
        self._show(self.opening.session)

    def open(self, opening: Opening) -> None:
        """Read and show another session in this one's place."""
        self.opening = opening
        self.begin_with(opening.settings)
        if self._watcher is not None:
            self._watcher.stop()
        title = self.query_one(TitleLine)
        title.path, title.follows = opening.path, False
        self.say("")
        self.load()

    def load(self) -> None:
        """Read the session, and show it when it is read."""
        if self.opening.follow:
            self._new_follower()
        self._read(self.opening.conversation)

    def _loader(self) -> Loader:
        """What reads files; a start with a session that is loaded needs none."""
        from ctxviz.tui.workers import Loader

        if not self.query(Loader):
            self.mount(Loader())
        return self.query_one(Loader)

    def _read(self, conversation: str | None) -> None:
        self.progress = Progress(0, None)
        loader = self._loader()
        loader.included = self.session.included if self.session else frozenset()
        loader.prepare = self.examine_ahead
        loader.read(self.opening.path, self.opening.format, conversation)

    def cancel_loading(self) -> None:
        """Stop reading; what was shown before stays."""
        self._loader().cancel()
        self.progress = None
        if self.examination is None:
            self._give_up(f"ctxviz: {self.opening.path}: reading was cancelled", 0)
        else:
            self._follow(is_read=False)

    def _give_up(self, last_words: str, return_code: int) -> None:
        """There is nothing to show: back to the folder that it was chosen from, or out."""
        if not self.debugger.back_to_folder(last_words.removeprefix("ctxviz: ") if return_code else ""):
            self.debugger.leave(last_words, return_code)

    def on_loader_read(self, event: Loader.Read) -> None:
        if self.progress is None:
            return
        self.progress = event.progress
        if self.examination is None:
            self._show_first_items(event.progress)

    def _show_first_items(self, progress: Progress) -> None:
        items = progress.first_items
        if items and (self.session is None or len(self.session) < len(items)):
            self.session = Session(self.opening.path, "", "", progress.format_title or "", list(items))

    def on_loader_loaded(self, event: Loader.Loaded) -> None:
        self._show(event.session)
        if self._asked_for_another:
            self._asked_for_another = False
            self.say("The file holds one conversation.")

    def on_loader_failed(self, event: Loader.Failed) -> None:
        self.progress = None
        self._asked_for_another = False
        if isinstance(event.error, ConversationNeeded) and event.error.conversations:
            self._choose(event.error.conversations)
        elif self.examination is None:
            self._give_up(f"ctxviz: {event.error}", 2)
        else:
            self.say(str(event.error), bad=True)
            self._follow(is_read=False)

    def _show(self, session: Session) -> None:
        reloaded = self.examination is not None
        self.progress = None
        if reloaded:
            self._replace(session)
        else:
            self.show_session(session)
            self._show_list()
            if self.opening.select is not None:
                self.query_one(ItemList).go_to(self.opening.select)
            self.say(self.opening.look)
        self._follow()
        if session.warnings:
            more = len(session.warnings) - 1
            self.say(session.warnings[0] + (f"  (+{more:,}: ! shows all)" if more else ""), bad=True)
        self.session_changed()

    def _replace(self, session: Session) -> None:
        """Show another state of the session: the selected item stays selected."""
        from ctxviz.analysis.same_item import same_item

        before, items = self.session, self.query_one(ItemList)
        index = same_item(before, items.cursor, session) if before else 0
        self.show_session(session)
        self._show_list()
        items.moved_to(index)

    def _show_list(self) -> None:
        has_items = bool(self.session and len(self.session))
        self.show_empty(not has_items)
        self.query_one(ItemList).display = has_items

    def action_reload(self) -> None:
        """Read the file again."""
        if self.opening.path == "-":
            self.say("Standard input can be read once only.")
        elif self.progress is None:
            self.load()

    def action_open_another(self) -> None:
        """Choose among the sessions beside this one."""
        self.debugger.open_folder_of(self.opening.path)

    # -- following ----------------------------------------------------------------------------------

    def _new_follower(self) -> Follower:
        from ctxviz.session.following import Follower

        self._follower = Follower(self.opening.path, self.opening.format, self.opening.conversation)
        return self._follower

    def _follow(self, *, is_read: bool = True) -> None:
        """Follow the file from its last reading on."""
        if not self.opening.follow or self._follower is None or self.session is None:
            return
        if not is_read:
            self._follower.forget()
        if self.session.conversation is not None:
            # That a second one comes is no reason to ask.
            self._follower.conversation = self.session.conversation.id
        self.query_one(TitleLine).follows = True
        if self._watcher is None:
            from ctxviz.tui.watching import Watcher

            self._watcher = Watcher(self.examine_ahead)
            self.mount(self._watcher)
        self._watcher.included = self.session.included
        self._watcher.follow(self._follower)

    def on_watcher_grown(self, event: Watcher.Grown) -> None:
        from ctxviz.analysis.arrivals import arrival, arrival_sentence
        from ctxviz.export.facts import counted

        before, after = self.examination, event.session
        if before is None or self.progress is not None or after.path != before.session.path:
            return  # reading anew finds what came
        is_at_end = self.query_one(ItemList).cursor >= len(before.session) - 1
        # It may be that another choice was made since the file was read.
        self._replace(after.including(before.session.included))
        if is_at_end and self.session and len(self.session):
            self.query_one(ItemList).go_to(len(self.session) - 1)
        now = self.examination
        found = arrival(before, now) if now else None
        if found is None:
            why = "The file was written anew" if event.replaced else "What came changed the list"
            self.say(f"{why}: it has {counted(len(after), 'item')} now, and had {len(before.session):,}.")
        elif found.came or found.left:
            self.say(arrival_sentence(found))
        elif self._following_failed:
            self.say("")
        self._following_failed = False
        self.session_changed()

    def on_watcher_failed(self, event: Watcher.Failed) -> None:
        self._following_failed = True
        self.say(f"{event.error}; it is still followed", bad=True)

    # -- conversations --------------------------------------------------------------------------------

    def _choose(self, conversations: Sequence[Conversation]) -> None:
        from ctxviz.tui.screens.conversations import ConversationsScreen

        now = self.session.conversation if self.session else None

        def taken(conversation: str | None) -> None:
            if conversation is not None:
                self.open(replace(self.opening, conversation=conversation, session=None, look="", select=None))
            elif self.examination is None:
                self._give_up(f"ctxviz: {self.opening.path}: no conversation was chosen", 0)
            else:
                self._follow(is_read=False)

        self.app.push_screen(ConversationsScreen(self.opening.path, conversations, now.id if now else None), taken)

    def action_conversation(self) -> None:
        """Ask for another conversation of the file."""
        if self.session is None or self.session.conversation is None:
            self.say("The file holds one conversation.")
        elif self.opening.path == "-":
            self.say("Standard input can be read once only.")
        elif self.progress is None:
            # Which ones there are now only the file knows.
            self._asked_for_another = True
            self._read(None)

    # -- records set aside ------------------------------------------------------------------------------

    def action_set_aside(self) -> None:
        """List the records that the model did not see."""
        session = self.session
        if session is None or self.examination is None:
            self.say("The file is still being read.")
        elif session.census is None:
            self.say("This format has no records but its items.")
        elif not is_possible("set_aside", session):
            self.say(f"No record of {session.census.read:,} was set aside.")
        else:
            from ctxviz.tui.screens.records import RecordsScreen

            self.app.push_screen(RecordsScreen(session, self.include))

    def include(self, reasons: frozenset[str]) -> None:
        """Put the items that were set aside for these reasons into the list, and take out all others."""
        session = self.session
        if session is None or session.rows is None:
            return
        if self._watcher is not None:
            self._watcher.included = reasons
        if len(session.rows.table) <= _INCLUDED_AT_ONCE:
            self._replace(session.including(reasons))
            self.session_changed()
            return
        if self._includer is None:
            from ctxviz.tui.watching import Includer

            self._includer = Includer(self.examine_ahead)
            self.mount(self._includer)
        self._includer.include(session, reasons)

    def on_includer_included(self, event: Includer.Included) -> None:
        if self.session is not None and event.session.rows is self.session.rows:
            self._replace(event.session)
            self.session_changed()
