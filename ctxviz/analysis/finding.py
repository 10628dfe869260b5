"""What is wrong or surprising about a projection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ctxviz.projection.json_value import Json


class Severity(StrEnum):
    """How bad it is; in this order, the worst first."""

    ERROR = "error"
    """The request is refused, or the projection is of no use."""
    WARNING = "warning"
    """Something that people count on is lost, or it is not known whether a provider refuses it."""
    INFO = "info"
    """Worth knowing."""


class Certainty(StrEnum):
    """How sure it is that it happens."""

    CERTAIN = "certain"
    LIKELY = "likely"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Finding:
    """One thing found.

    `items` are places in the session's list, increasing; empty where no item is to blame (an empty
    projection). `message` is a sentence without its full stop, that begins in lower case and does
    not name the code. `provider` is the one whose rule it is, None for what holds anywhere.
    """

    code: str
    severity: Severity
    certainty: Certainty
    items: Sequence[int]
    message: str
    provider: str | None = None

    def to_dict(self) -> dict[str, Json]:
        """As ``report`` and ``check`` print it; `provider` only where there is one."""
        found: dict[str, Json] = {
            "code": self.code,
            "severity": self.severity.value,
            "certainty": self.certainty.value,
            "items": list(self.items),
            "message": self.message,
        }
        if self.provider is not None:
            found["provider"] = self.provider
        return found
