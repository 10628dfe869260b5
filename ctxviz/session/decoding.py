"""JSON text to values: any depth, any length, cut off or faulty, with progress on the way.

Follows Python's `json` in what it accepts (NaN, lone surrogates, the last of duplicate keys) and
takes what it refuses but JSON's own rules or real files have: control characters in strings,
integers of any length, nesting of any depth, a byte-order mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from json.decoder import JSONDecodeError, JSONDecoder, scanstring  # type: ignore[attr-defined]
from time import monotonic
from typing import TypeAlias

from ctxviz.projection.json_value import Json

Tick: TypeAlias = "Callable[[int, tuple[str, ...], list[Json] | None], None]"
"""Called while a text is decoded, every 50 ms or so: the position, and of the list that is being
read the keys that lead to it from the root, and its elements so far (None between lists). What it
raises ends the decoding and passes through."""

TICK_SECONDS = 0.05


@dataclass(frozen=True)
class Fault:
    """Why and where a text stops being JSON.

    `position` counts characters from 0, `line` and `column` from 1. `at_end` is True if the text
    is well-formed as far as it goes: it was cut off.
    """

    position: int
    line: int
    column: int
    cause: str
    at_end: bool

    @property
    def place(self) -> str:
        """ "line 1, column 48,213"."""
        return f"line {self.line:,}, column {self.column:,}"


@dataclass(frozen=True)
class Decoded:
    """What a text holds, as far as it is whole.

    With a fault, `value` is what was whole before it: elements of a list are whole or absent,
    members of an object are there as far as they go. `end` is the position behind the value, None
    if the value itself is not whole (text behind a whole value is a fault too).
    """

    value: Json
    end: int | None
    fault: Fault | None


def decode(text: str, tick: Tick | None = None, *, start: int = 0, whole: str = "file") -> Decoded:
    """Decode a text that holds one JSON value from `start` to its end; never raises for what stands in it.

    `whole` is what the text is, for the words of a fault ("the file ends in the middle of a
    string").
    """
    return _Decoder(text, tick, whole).run(start)


scan_value: Callable[[str, int], tuple[Json, int]] = JSONDecoder(strict=False).scan_once  # type: ignore[attr-defined]
"""The value at a position of a text and the position behind it, by the C scanner.

Raises `StopIteration` or `ValueError` where no value is, or one with an integer of more than
4,300 digits, and `RecursionError` for one that is nested too deep: `decode` copes with these."""

_SPACE = re.compile(r"[ \t\n\r]*")
_WORD = re.compile(r"-?[A-Za-z]+")
_NUMBER = re.compile(r"-?\d+")
_NUMBER_LIKE = re.compile(r"-?[0-9][-+.eE0-9]*|-")
_NUMBER_CUT = re.compile(r"(?:\.|[eE][-+]?)?\Z")
_ESCAPE_CUT = re.compile(r"\\(?:u[0-9a-fA-F]{0,4})?")
_LITERALS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")


def space_end(text: str, pos: int) -> int:
    """The first position from `pos` on that is no white space of JSON's."""
    match = _SPACE.match(text, pos)
    return match.end() if match is not None else pos


_BACKSLASHES_AT_END = re.compile(r"(\\+)(?:u[0-9a-fA-F]{0,3})?$")


def in_open_string(head: str) -> str:
    """The beginning of a JSON text with the string that it breaks off in closed."""
    found = _BACKSLASHES_AT_END.search(head, max(len(head) - 64, 0))
    if found is not None and len(found[1]) % 2:
        head = head[: found.end(1) - 1]
    return head + '"'


class _Stop(Exception):
    """The fault at a position; internal."""

    def __init__(self, position: int, cause: str, at_end: bool = False) -> None:
        self.position, self.cause, self.at_end = position, cause, at_end
        super().__init__(cause)


class _Decoder:
    """Objects on the path from the root, and what the C scanner refuses, are walked here without
    recursion; all else is scanned an element at a time, so that other threads get their turn."""

    def __init__(self, text: str, tick: Tick | None, whole: str) -> None:
        self.text = text
        self.tick = tick
        self.whole = whole
        self.root: Json = None
        self.stack: list[dict[str, Json] | list[Json]] = []
        # Parallel to `stack`: the key whose value is being read, "" in a list.
        self.keys: list[str] = []
        # How many containers are open around an element that the scanner refused, if it did.
        self.refused_at: int | None = None
        self.due = monotonic() + TICK_SECONDS

    def run(self, start: int) -> Decoded:
        text = self.text
        try:
            end = self._walk(self._skip(start + text.startswith("\ufeff", start)))
        except _Stop as stop:
            return Decoded(self.root, None, self._fault(stop))
        rest = self._skip(end)
        if rest < len(text):
            return Decoded(self.root, end, self._fault(_Stop(rest, "more text after the end of the JSON value")))
        return Decoded(self.root, end, None)

    def _walk(self, pos: int) -> int:
        stack, keys, text = self.stack, self.keys, self.text
        while True:
            value, pos, opened = self._value(pos)
            if opened:
                pos = self._enter(value, pos)
                if text[pos : pos + 1] != _closing(stack[-1]):
                    pos = self._key(pos) if isinstance(stack[-1], dict) else pos
                    continue
                value, pos = self._leave(), pos + 1
            elif not stack:
                self.root = value
                return pos
            # A value is whole: put it into what holds it, which may be whole then, too.
            while stack:
                top = stack[-1]
                if isinstance(top, dict):
                    top[keys[-1]] = value
                else:
                    top.append(value)
                if self.tick is not None and monotonic() >= self.due:
                    self._report(pos)
                pos = self._skip(pos)
                char = text[pos : pos + 1]
                if char == ",":
                    pos = self._skip(pos + 1)
                    if isinstance(top, dict):
                        pos = self._key(pos)
                    break
                if char != _closing(top):
                    name = "an object" if isinstance(top, dict) else "a list"
                    self._unexpected(pos, f"in the middle of {name}", f"a comma or {_closing(top)} was expected")
                value, pos = self._leave(), pos + 1
            else:
                return pos

    def _value(self, pos: int) -> tuple[Json, int, bool]:
        """The value at a position, the position behind it, and whether it is a container just opened."""
        text, stack = self.text, self.stack
        in_list = bool(stack) and isinstance(stack[-1], list)
        if in_list and self.refused_at is None:
            try:
                value, end = scan_value(text, pos)
            except (ValueError, StopIteration, RecursionError):
                self.refused_at = len(stack)
            else:
                if end >= len(text) - 2 and type(value) in (int, float) and _NUMBER_CUT.match(text, end):
                    raise self._cut("a number")
                return value, end, False
        char = text[pos : pos + 1]
        if char == "{":
            return {}, pos + 1, True
        if char == "[":
            return [], pos + 1, True
        value, end = self._scalar(pos, char)
        if self.refused_at == len(stack):
            self.refused_at = None
        return value, end, False

    def _enter(self, container: Json, pos: int) -> int:
        assert isinstance(container, (dict, list))
        if not self.stack:
            self.root = container
        elif isinstance(parent := self.stack[-1], dict):
            # At once, so that what is whole in it is there even if it never ends. In a list a
            # container is put when it is whole.
            parent[self.keys[-1]] = container
        self.stack.append(container)
        self.keys.append("")
        return self._skip(pos)

    def _leave(self) -> Json:
        self.keys.pop()
        container = self.stack.pop()
        if self.refused_at == len(self.stack):
            self.refused_at = None
        return container

    def _key(self, pos: int) -> int:
        """Read a member's key and colon; the position of its value."""
        text = self.text
        if text[pos : pos + 1] != '"':
            self._unexpected(pos, "in the middle of an object", "a key in double quotes was expected")
        self.keys[-1], pos = self._string(pos)
        pos = self._skip(pos)
        if text[pos : pos + 1] != ":":
            self._unexpected(pos, "in the middle of an object", "a colon was expected")
        return self._skip(pos + 1)

    def _string(self, pos: int) -> tuple[str, int]:
        try:
            value, end = scanstring(self.text, pos + 1, False)
        except JSONDecodeError as error:
            if error.msg.startswith("Unterminated"):
                raise self._cut("a string") from None
            escape = self.text.rfind("\\", pos, error.pos + 1)
            if _ESCAPE_CUT.fullmatch(self.text, escape):
                raise self._cut("a string") from None
            raise _Stop(escape, "a string has an escape that JSON does not have") from None
        return value, end

    def _scalar(self, pos: int, char: str) -> tuple[Json, int]:
        text = self.text
        if char == '"':
            return self._string(pos)
        number = _NUMBER_LIKE.match(text, pos)
        if number is not None and number.end() == len(text) and (self.stack or number[0] == "-"):
            raise self._cut("a number")
        try:
            return scan_value(text, pos)
        except StopIteration:
            pass
        except ValueError:
            digits = _NUMBER.match(text, pos)
            if digits is not None:
                return _integer(digits[0]), digits.end()
        word = _WORD.match(text, pos)
        if word is not None and word.end() == len(text) and any(name.startswith(word[0]) for name in _LITERALS):
            raise self._cut("a word")
        inside = "an object" if self.stack and isinstance(self.stack[-1], dict) else "a list"
        where = f"in the middle of {inside}" if self.stack else "before a value begins"
        self._unexpected(pos, where, "a value was expected")
        raise AssertionError  # `_unexpected` always raises

    def _skip(self, pos: int) -> int:
        return space_end(self.text, pos)

    def _report(self, pos: int) -> None:
        assert self.tick is not None
        top = self.stack[-1]
        on_path = isinstance(top, list) and all(isinstance(container, dict) for container in self.stack[:-1])
        self.tick(pos, tuple(self.keys[:-1]), top if on_path and isinstance(top, list) else None)
        self.due = monotonic() + TICK_SECONDS

    def _unexpected(self, pos: int, where: str, expected: str) -> None:
        if pos >= len(self.text):
            raise _Stop(len(self.text), f"the {self.whole} ends {where}", True)
        raise _Stop(pos, f"{expected}, not {_shown(self.text[pos])}")

    def _cut(self, token: str) -> _Stop:
        return _Stop(len(self.text), f"the {self.whole} ends in the middle of {token}", True)

    def _fault(self, stop: _Stop) -> Fault:
        line = self.text.count("\n", 0, stop.position) + 1
        column = stop.position - self.text.rfind("\n", 0, stop.position)
        return Fault(stop.position, line, column, stop.cause, stop.at_end)


def _integer(digits: str) -> int:
    """An integer of any length: Python's `int` takes 4,300 digits at most, and more in quadratic time."""
    if len(digits) <= 4_000:
        return int(digits)
    if digits.startswith("-"):
        return -_integer(digits[1:])
    low = len(digits) // 2
    shift: int = 10**low
    return _integer(digits[:-low]) * shift + _integer(digits[-low:])


def _closing(container: dict[str, Json] | list[Json]) -> str:
    return "}" if isinstance(container, dict) else "]"


def _shown(char: str) -> str:
    return char if char.isprintable() and not char.isspace() else f"U+{ord(char):04X}"
