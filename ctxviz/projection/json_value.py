"""The values that a session is made of: what JSON can say, as Python holds it."""

from __future__ import annotations

from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
"""Any JSON value. Strings can hold lone surrogates, floats can be infinite or NaN."""
