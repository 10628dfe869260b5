"""Nothing of the surroundings may reach a test: no colour switches, no Textual variables, no real state."""

from __future__ import annotations

import os
import sys

import pytest

BASELINE_PYTHON = (3, 11)
"""The Python that the snapshots were accepted on."""


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("update_snapshots", False) and sys.version_info[:2] != BASELINE_PYTHON:
        raise pytest.UsageError("snapshots are accepted on Python 3.11 only: they are that version's pictures")


@pytest.fixture(autouse=True)
def _plain_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    own = tmp_path_factory.getbasetemp() / "own-folders"
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(own))
    for name in list(os.environ):
        of_textual = name.startswith("TEXTUAL") and "SNAPSHOT" not in name
        if of_textual or name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("TERM", "xterm-256color")
