"""What a person can choose about a projection."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from ctxviz.analysis.providers.names import ProviderName
from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.json_value import Json
from ctxviz.projection.measure import Measure
from ctxviz.projection.projector import ContextProjector, DefaultContextProjector
from ctxviz.projection.type_aware import TypeAwareContextProjector

ProjectorName = Literal["default", "type-aware"]

PROJECTORS: dict[ProjectorName, ContextProjector] = {
    "default": DefaultContextProjector(),
    "type-aware": TypeAwareContextProjector(),
}
PROJECTOR_NAMES: tuple[ProjectorName, ...] = get_args(ProjectorName)


@dataclass(frozen=True)
class Settings:
    """The inputs of an examination; two with equal fields are equal.

    `provider` is whose rules the findings go by, None for the one that the session is of; `model`
    is the model's name where a rule depends on it, None for the newest ones.
    """

    budget: ContextBudget = field(default_factory=ContextBudget)
    projector: ProjectorName = "default"
    measure: Measure = "live"
    provider: ProviderName | None = None
    model: str | None = None

    def to_dict(self) -> dict[str, Json]:
        """As `report --format json` prints them; `at` is null: the whole session.

        `provider` and `model` are there if they were chosen.
        """
        chosen: dict[str, Json] = {"provider": self.provider, "model": self.model}
        return {
            "projector": self.projector,
            "measure": self.measure,
            "at": None,
            "budget": self.budget.to_dict(),
            **{name: value for name, value in chosen.items() if value is not None},
        }
