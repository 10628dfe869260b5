"""Text from a session, made safe to show: nothing in it acts on the terminal or hides."""

from __future__ import annotations

import json
import re

_HIDDEN_BEYOND_ASCII = (
    "\x80-\x9f"  # controls; U+009B alone begins a terminal's escape sequence
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # bidirectional marks: they reorder what stands around them
    "\u2028\u2029"  # line and paragraph separators
    "\u00ad\u180e\u200b\u2060-\u2065\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"  # no width: text can hide in these
    "\ud800-\udfff"  # lone surrogates: no encoding can write them
)
_HIDDEN = re.compile(f"[\x00-\x1f\x7f{_HIDDEN_BEYOND_ASCII}]")
_HIDDEN_IN_JSON = re.compile(f"[\x7f{_HIDDEN_BEYOND_ASCII}]")


def visible(text: str) -> str:
    """The text in one line, with a sign for each character that would act, hide or not be written.

    An ASCII control becomes its picture (``␛``, ``␊``), anything else its number (``⟨U+202E⟩``). Joiners
    (U+200C, U+200D) stay: scripts and emoji need them. Text without such characters is returned as it is.
    """
    # All of these are unprintable, so that for nearly every text this is the whole cost.
    return text if text.isprintable() else _HIDDEN.sub(_sign, text)


def escape_hidden(json_text: str) -> str:
    """The same JSON with escapes for what `visible` has signs for, so that it is valid UTF-8 and safe to show."""
    return _HIDDEN_IN_JSON.sub(_escape, json_text)


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"


def _escape(match: re.Match[str]) -> str:
    # JSON's encoder leaves DEL as it is.
    return "\\u007f" if match[0] == "\x7f" else json.dumps(match[0])[1:-1]
