"""The formats that sessions are saved in, one module each.

A format is added by its module and its name in `NAMES`. The module is imported when a file may be
of its format.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Protocol, cast

from ctxviz.session.formats.content import Content
from ctxviz.session.opened import Opened


class Format(Protocol):
    """What a module here has.

    `NAME` is for `--from`, and with underscores the module's own name; `TITLE` is for the screen.
    `KNOWN_BY`, `READS` and `LEAVES_OUT` say in a phrase what `ctxviz formats` tells.
    """

    NAME: str
    TITLE: str
    KNOWN_BY: str
    READS: str
    LEAVES_OUT: str

    def looks_like(self, file: Opened) -> float:
        """How sure it is that a file, possibly cut off, is of this format: 0 to 1.

        1 if it can't be any other. Of records the share of a sample that is of the format (files
        begin with records that say little). By content, never by a file's name.
        """
        ...

    def read(self, file: Opened, conversation: str | None = None) -> Content:
        """What the file holds; `conversation` is the id of the one asked for, where it holds several.

        Raises `NotReadable` if the file is not of this format, and `SeveralConversations` if one
        must be chosen.
        """
        ...


NAMES = (
    "ai4j-snapshot",
    "ai4j-cli",
    "ai4j-chat-memory",
    "ai4j-memory",
    "ai4j-jdbc",
    "ai4j-trace",
    "ai4j-io",
    "claude-code",
    "codex",
    "droid",
    "pi",
    "gemini",
    "opencode",
    "openai-agents",
    "langchain",
    "vercel-ai",
    "inspect",
    "swe-agent",
    "openhands",
    "atif",
    "pydantic-ai",
    "qwen-code",
    "grok-cli",
    "cursor",
    "aider",
    "sharegpt",
    "antigravity",
    "copilot-cli",
    "kimi-cli",
    "chatgpt",
    "amp",
    "hermes",
    "specstory",
    "anthropic-messages",
    "openai-responses",
    "openai-chat",
    "json-list",
    "json-lines",
)
"""In order of detection: of two that are equally sure the first is taken, and the first that is
certain at once. So the narrow stand before the wide."""


def format_names() -> tuple[str, ...]:
    """The names that `--from` takes."""
    return NAMES


def formats() -> Iterator[Format]:
    """All formats in order of detection, each imported when it is its turn."""
    return map(_module, NAMES)


def format_named(name: str) -> Format:
    """The format of this name; raises `ValueError`, listing the names, if there is none."""
    if name not in NAMES:
        raise ValueError(f"no such format: {name} ({', '.join(NAMES)})")
    return _module(name)


def detect(file: Opened) -> tuple[Format, float] | None:
    """The format that is surest that the file is its own, and how sure; None if none thinks so."""
    best: tuple[Format, float] | None = None
    for format in formats():
        certainty = format.looks_like(file)
        if certainty >= 1:
            return format, 1.0
        if certainty > (best[1] if best else 0):
            best = format, certainty
    return best


def _module(name: str) -> Format:
    return cast("Format", import_module(f"{__name__}.{name.replace('-', '_')}"))
