"""What goes wrong when a session is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxviz.session.model import Conversation


class SessionError(Exception):
    """A session that can't be read: which file, where in it, and why.

    `path` is what the user named (`-` for standard input), `place` a line and column, a byte or
    a key ("line 3, column 14", "byte 0", "memory.items"), None if the whole file is meant.
    Its text is one line.
    """

    def __init__(self, path: str, cause: str, place: str | None = None) -> None:
        self.path = path
        self.cause = cause
        self.place = place
        super().__init__(": ".join(part for part in (path, place, cause) if part))


class ConversationNeeded(SessionError):
    """The file holds several conversations and none was named, or one that it does not hold."""

    def __init__(self, path: str, conversations: Sequence[Conversation], wanted: str | None) -> None:
        self.conversations = tuple(conversations)
        named = ", ".join(conversation.id for conversation in self.conversations[:_NAMED])
        more = len(self.conversations) - _NAMED
        known = f"{named} and {more:,} more" if more > 0 else named
        if wanted is not None:
            cause = f"no conversation {wanted}: there {'are' if known else 'is none'} {known}".rstrip()
        elif self.conversations:
            cause = f"holds {len(self.conversations):,} conversations: choose one with --conversation: {known}"
        else:
            cause = "holds no conversation"
        super().__init__(path, cause)


_NAMED = 5
