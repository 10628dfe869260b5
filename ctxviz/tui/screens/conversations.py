"""The conversations of a file, to choose one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ctxviz.export.facts import counted
from ctxviz.export.visible import visible
from ctxviz.session.model import Conversation
from ctxviz.tui.screens.palette import Choice, PaletteScreen


def conversations_screen(conversations: Sequence[Conversation]) -> PaletteScreen:
    """A screen that is dismissed with the id of the chosen conversation, or None."""
    choices = [_choice(conversation) for conversation in conversations]
    return PaletteScreen(choices, f"{len(choices):,} conversations in this file", "open it")


def _choice(conversation: Conversation) -> Choice:
    title = visible(conversation.title or conversation.id)
    told = [f"id {visible(conversation.id)}"]
    if conversation.changed is not None:
        told.append(f"changed {_when(conversation.changed)}")
    items = "" if conversation.items is None else counted(conversation.items, "item")
    return Choice(conversation.id, items, title, lambda: ", ".join(told))


def _when(seconds: float) -> str:
    try:
        return f"{datetime.fromtimestamp(seconds):%Y-%m-%d %H:%M}"
    except (OverflowError, OSError, ValueError):
        return "at an unknown time"
