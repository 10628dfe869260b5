"""What is read again while a session is shown, off the screen's thread; imported when it is needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from textual import work
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from ctxviz.session.errors import SessionError
from ctxviz.session.following import Follower
from ctxviz.session.loading import Progress
from ctxviz.session.model import Session


class _Cancelled(Exception):
    """Raised in the watching thread to end it."""


class Watcher(Widget):
    """Follows a file: posts `Grown` whenever it was read again, `Failed` when it could not be."""

    DEFAULT_CSS = "Watcher { display: none; }"

    @dataclass(eq=False, repr=False)
    class Grown(Message):
        """The file changed, and this is what it holds now; `replaced` if it is another file, or shorter."""

        session: Session
        replaced: bool

    @dataclass(eq=False, repr=False)
    class Failed(Message):
        """The file changed, and can't be read."""

        error: SessionError

    included: frozenset[str] = frozenset()
    """The reasons whose items are put into the list."""

    def __init__(self, prepare: Callable[[Session], None]) -> None:
        super().__init__()
        self.prepare = prepare
        """What is to be done with a session before it is posted."""

    def stop(self) -> None:
        """Follow no more."""
        self.workers.cancel_node(self)

    @work(thread=True, exclusive=True)
    def follow(self, follower: Follower) -> None:
        """Watch until the widget is gone; an earlier watch ends."""
        worker = get_current_worker()

        def stop(_: Progress) -> None:
            if worker.is_cancelled:
                raise _Cancelled

        wait = _LOOKED_EACH_SECONDS
        while not worker.cancelled_event.wait(wait):
            began = monotonic()
            try:
                session = follower.next(stop)
                if session is not None:
                    session = session.including(self.included)
                    _ = session.census
                    self.prepare(session)
            except _Cancelled:
                return
            except SessionError as error:
                self.post_message(self.Failed(error))
            else:
                if session is not None and not worker.is_cancelled:
                    self.post_message(self.Grown(session, follower.replaced))
            # A large file that grows without a pause must not take all the time there is.
            wait = max(_LOOKED_EACH_SECONDS, _REST_TIMES * (monotonic() - began))


_LOOKED_EACH_SECONDS = 0.5
_REST_TIMES = 3


class Includer(Widget):
    """Puts the items of records that were set aside into a long list: posts one `Included`."""

    DEFAULT_CSS = "Includer { display: none; }"

    @dataclass(eq=False, repr=False)
    class Included(Message):
        """The session with the items in its list."""

        session: Session

    def __init__(self, prepare: Callable[[Session], None]) -> None:
        super().__init__()
        self.prepare = prepare
        """What is to be done with a session before it is posted."""

    @work(thread=True, exclusive=True)
    def include(self, session: Session, reasons: frozenset[str]) -> None:
        """Put in the items of these reasons, and take out all others; an earlier choice is dropped."""
        worker = get_current_worker()
        made = session.including(reasons)
        _ = made.census
        self.prepare(made)
        if not worker.is_cancelled:
            self.post_message(self.Included(made))
