"""What can be wrong with a user's own rules."""

from __future__ import annotations


class ProviderRulesError(ValueError):
    """The file of rules can't be used. Its text is one line with file, place and cause."""
