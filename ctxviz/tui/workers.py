"""What takes long, off the screen's thread: widgets without a face that post what they find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual import work
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from ctxviz.session.errors import SessionError
from ctxviz.session.item import full_text
from ctxviz.session.loading import Progress, load_session
from ctxviz.session.model import Session


class _Cancelled(Exception):
    """Raised in the loading thread to end it."""


class Loader(Widget):
    """Reads a session: posts `Read` as it goes, then one `Loaded` or one `Failed`; nothing if cancelled."""

    DEFAULT_CSS = "Loader { display: none; }"

    @dataclass(eq=False, repr=False)
    class Read(Message):
        """A part of the file is read."""

        progress: Progress

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, Loader.Read)

    @dataclass(eq=False, repr=False)
    class Loaded(Message):
        """The file is read whole."""

        session: Session

    @dataclass(eq=False, repr=False)
    class Failed(Message):
        """The file can't be read."""

        error: SessionError

    included: frozenset[str] = frozenset()
    """The reasons whose items are put into the list."""
    prepare: Callable[[Session], None] | None = None
    """What is to be done with the session before it is posted."""

    def cancel(self) -> None:
        """Stop reading."""
        self.workers.cancel_node(self)

    @work(thread=True, exclusive=True)
    def read(self, path: str, format: str | None, conversation: str | None = None) -> None:
        """Begin to read; an earlier reading that still runs is cancelled."""
        worker = get_current_worker()

        def report(progress: Progress) -> None:
            if worker.is_cancelled:
                raise _Cancelled
            self.post_message(self.Read(progress))

        try:
            session = load_session(path, format=format, conversation=conversation, progress=report)
            session = session.including(self.included)
            if self.prepare:
                self.prepare(session)
        except _Cancelled:
            return
        except SessionError as error:
            self.post_message(self.Failed(error))
        else:
            if not worker.is_cancelled:
                self.post_message(self.Loaded(session))


class Finder(Widget):
    """Finds text in the items: posts one `Found`."""

    DEFAULT_CSS = "Finder { display: none; }"

    @dataclass(eq=False, repr=False)
    class Found(Message):
        """A search ended at this item, or at none."""

        index: int | None
        text: str

    @work(thread=True, exclusive=True)
    def find(self, session: Session, text: str, start: int, by: int) -> None:
        """Look at every item once, from `start` on and around the end, forwards or back (`by` 1 or -1)."""
        worker, wanted, count = get_current_worker(), text.casefold(), len(session)
        for at in range(count):
            index = (start + by * at) % count
            if worker.is_cancelled:
                return
            told = f"{session.tool_names.get(index) or ''}\n{full_text(session.items[index])}"
            if wanted in told.casefold():
                self.post_message(self.Found(index, text))
                return
        self.post_message(self.Found(None, text))
