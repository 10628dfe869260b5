"""Numbers that are typed: the prompts that ask for them."""

from __future__ import annotations

from ctxviz.tui.controls import GREATEST, Control
from ctxviz.tui.screens.prompt import Prompt


def limit_prompt(control: Control, begun_with: str) -> Prompt:
    """Asks for a control's value; `typed_limit` reads the answer."""
    none = ", or none" if control.has_no_limit else ""
    now = "no limit" if control.value is None else f"{control.value:,}"

    def problem(text: str) -> str:
        try:
            value = typed_limit(text)
        except ValueError:
            return f"“{text}” is no whole number{none}"
        if value is None:
            return "" if control.has_no_limit else f"{control.label} has no “none”: 0 pins nothing"
        return "" if 0 <= value <= GREATEST else f"from 0 to {GREATEST:,}"

    return Prompt(control.label, f"a whole number from 0 to {GREATEST:,}{none}; now {now}", problem, begun_with)


def size_prompt(title: str, now: int | None, greatest: int) -> Prompt:
    """Asks for a toy item's size; `typed_limit` reads the answer."""

    def problem(text: str) -> str:
        try:
            value = typed_limit(text)
        except ValueError:
            value = None
        return "" if value is not None and 0 <= value <= greatest else f"a whole number from 0 to {greatest:,}"

    hint = f"characters, from 0 to {greatest:,}" + ("" if now is None else f"; now {now:,}")
    return Prompt(title, hint, problem)


def typed_limit(text: str) -> int | None:
    """The number that was typed, None for no limit; raises `ValueError` for anything else."""
    text = text.strip().lower().replace(",", "")
    if text in ("none", "no limit", "inf", "∞"):
        return None
    if not (text.removeprefix("-").isascii() and text.removeprefix("-").isdecimal()) or len(text) > 20:
        raise ValueError(f"no whole number: {text}")
    return int(text)


def item_prompt(count: int) -> Prompt:
    """Asks for an item's number; `typed_item` reads the answer."""

    def problem(text: str) -> str:
        return "" if typed_item(text) in range(count) else f"items are numbered from 0 to {count - 1:,}"

    return Prompt("Go to item", f"0 to {count - 1:,}", problem)


def typed_item(text: str) -> int:
    """The item's number, -1 for what is none."""
    text = text.strip().removeprefix("#").replace(",", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 20 else -1
