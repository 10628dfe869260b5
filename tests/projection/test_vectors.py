"""The recorded answers of ai4j's own classes (commit 6955545) and fastjson2: all match, bit for bit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.measure import approx_chars, measured_text
from ctxviz.projection.projector import DefaultContextProjector
from ctxviz.projection.type_aware import TypeAwareContextProjector

VECTORS = Path(__file__).parents[1] / "vectors"


def lines(name: str) -> list[Any]:
    with (VECTORS / name).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_the_files_are_whole() -> None:
    counts = {path.name: len(lines(path.name)) for path in VECTORS.glob("*.jsonl")}
    assert counts == {"approx-chars.jsonl": 300, "default-projector.jsonl": 500, "type-aware-projector.jsonl": 200}


@pytest.mark.parametrize("vector", lines("approx-chars.jsonl"))
def test_approx_chars(vector: dict[str, Any]) -> None:
    item = json.loads(vector["json"])
    assert measured_text(item, "map") == vector["live"]
    assert approx_chars(item, "live") == vector["liveChars"]
    assert measured_text(item, "stored") == vector["resumed"]
    assert approx_chars(item, "resumed") == vector["resumedChars"]


@pytest.mark.parametrize("vector", lines("default-projector.jsonl"))
def test_default_projector(vector: dict[str, Any]) -> None:
    projection = DefaultContextProjector().project(vector["items"], ContextBudget.from_dict(vector["budget"] or {}))
    assert list(projection.source.sizes) == vector["sizes"]
    assert list(projection.kept) == vector["kept"]
    assert projection.items == [vector["items"][index] for index in vector["kept"]]
    assert projection.report.to_dict() == vector["report"]


@pytest.mark.parametrize("vector", lines("type-aware-projector.jsonl"))
def test_type_aware_projector(vector: dict[str, Any]) -> None:
    projection = TypeAwareContextProjector().project(vector["items"], ContextBudget.from_dict(vector["budget"] or {}))
    assert list(projection.original.sizes) == vector["sizes"]
    assert [list(item.items()) if isinstance(item, dict) else item for item in projection.items] == [
        list(item.items()) if isinstance(item, dict) else item for item in vector["projectedItems"]
    ]
    assert projection.report.to_dict() == vector["report"]
