"""What differs between two examinations of one session."""

from __future__ import annotations

from ctxviz.analysis.examination import Examination
from ctxviz.projection.report import KEYS


def report_changes(before: Examination, after: Examination) -> dict[str, int]:
    """The report's numbers that differ, under ai4j's keys: after minus before, in characters or items.

    A flag that was set is 1, one that was taken back -1; notes are not compared.
    """
    changes = {}
    for name, key in KEYS.items():
        if key == "notes":
            continue
        change = int(getattr(after.report, name)) - int(getattr(before.report, name))
        if change:
            changes[key] = change
    return changes
