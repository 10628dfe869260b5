"""Lengths as Java counts them."""

from __future__ import annotations


def utf16_units(text: str) -> int:
    """UTF-16 code units: 2 for a character beyond the basic plane, 1 for a lone surrogate."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) >> 1
