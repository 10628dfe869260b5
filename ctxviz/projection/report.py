"""What a projection did, in numbers: ai4j's ``ContextReport``."""

from __future__ import annotations

from dataclasses import dataclass

from ctxviz.projection.json_value import Json

KEYS = {
    "source_item_count": "sourceItemCount",
    "projected_item_count": "projectedItemCount",
    "dropped_item_count": "droppedItemCount",
    "source_approx_chars": "sourceApproxChars",
    "projected_approx_chars": "projectedApproxChars",
    "item_limit_applied": "itemLimitApplied",
    "character_limit_applied": "characterLimitApplied",
    "notes": "notes",
}
"""Python name to ai4j's key, in the order of the screen."""


@dataclass(frozen=True)
class ContextReport:
    """The eight fields of ai4j's report; characters are UTF-16 units of the measure used.

    With the type-aware projector the source figures are of the list after clearing, as in ai4j.
    `character_limit_applied` is False when gate 2 ran and lost nothing, even if the result is
    over the limit: ai4j says so too.
    """

    source_item_count: int
    projected_item_count: int
    dropped_item_count: int
    source_approx_chars: int
    projected_approx_chars: int
    item_limit_applied: bool
    character_limit_applied: bool
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Json]:
        """ai4j's eight keys; `notes` is a list."""
        values: dict[str, Json] = {key: getattr(self, name) for name, key in KEYS.items()}
        return {**values, "notes": list(self.notes)}
