"""The limits of a projection: ai4j's ``ContextBudget``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ctxviz.projection.json_value import Json

KEYS = {
    "max_items": "maxItems",
    "max_approx_chars": "maxApproxChars",
    "pinned_prefix_items": "pinnedPrefixItems",
    "max_recent_tool_results": "maxRecentToolResults",
    "trim_old_reasoning": "trimOldReasoning",
}
"""Python name to ai4j's key, in ai4j's order."""


@dataclass(frozen=True)
class ContextBudget:
    """What a projector may let into the window (ai4j commit 6955545).

    ``None`` is ai4j's ``null``: not set. A negative ``max_items``, ``max_approx_chars`` or
    ``max_recent_tool_results`` acts like ``None``, a negative ``pinned_prefix_items`` like 0;
    0 is a limit like any other and keeps nothing. The numbers are kept as they were given:
    read the limits that act from `item_limit`, `char_limit`, `prefix_items` and `tool_results`.
    The last two fields are read by the type-aware projector only.
    """

    max_items: int | None = None
    max_approx_chars: int | None = None
    pinned_prefix_items: int | None = None
    max_recent_tool_results: int | None = None
    trim_old_reasoning: bool | None = None

    @property
    def item_limit(self) -> int | None:
        """The limit of gate 1, or None if gate 1 never runs."""
        return _limit(self.max_items)

    @property
    def char_limit(self) -> int | None:
        """The limit of gate 2, or None if gate 2 never runs."""
        return _limit(self.max_approx_chars)

    @property
    def prefix_items(self) -> int:
        """How many items at the head are asked to be pinned; they can still be lost."""
        return max(self.pinned_prefix_items or 0, 0)

    @property
    def tool_results(self) -> int | None:
        """How many of the latest tool outputs stay whole, or None if all do."""
        return _limit(self.max_recent_tool_results)

    def to_dict(self) -> dict[str, Json]:
        """All five fields under ai4j's keys."""
        return {key: getattr(self, name) for name, key in KEYS.items()}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Json]) -> ContextBudget:
        """Read ai4j's keys; a missing key is None.

        Raises `ValueError`, naming the key, for one that ai4j's budget does not have and for a
        value of another type than it takes.
        """
        names = {key: name for name, key in KEYS.items()}
        for key, value in fields.items():
            if key not in names:
                raise ValueError(f"{key} is not a budget key: {', '.join(names)}")
            kind, kind_name = (bool, "true or false") if key == "trimOldReasoning" else (int, "a whole number")
            if value is not None and type(value) is not kind:
                raise ValueError(f"{key} takes {kind_name} or null")
        return cls(**{names[key]: value for key, value in fields.items()})  # type: ignore[arg-type]


def _limit(value: int | None) -> int | None:
    return None if value is None or value < 0 else value
