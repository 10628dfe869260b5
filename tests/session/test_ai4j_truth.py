"""The sessions that ai4j wrote itself: what its projector did at every model call is reproduced exactly."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.measure import Form, measure_items
from ctxviz.projection.projector import ContextProjector, DefaultContextProjector
from ctxviz.projection.type_aware import TypeAwareContextProjector
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session

HERE = Path(__file__).parent / "data"
SHARED = Path(__file__).parents[3] / "shared" / "sessions" / "ai4j"
COPIED = sorted(HERE.glob("*.truth.json"))
ALL = sorted(SHARED.glob("*.truth.json"))

FORM_OF_LETTER: dict[str, Form] = {"M": "map", "S": "map", "P": "provider", "J": "stored"}
PROJECTORS: dict[str | None, type[ContextProjector]] = {
    "DefaultContextProjector": DefaultContextProjector,
    "TypeAwareContextProjector": TypeAwareContextProjector,
}


def read_both(truth_file: Path) -> tuple[Session, dict[str, Any]]:
    session_file = truth_file.with_name(truth_file.name.replace(".truth.json", ".json"))
    truth: dict[str, Any] = json.loads(truth_file.read_text(encoding="utf-8"))
    return load_session(session_file), truth


def first_call_held(calls: list[dict[str, Any]]) -> int:
    """The first call whose items are still in memory: the source shrinks where the memory was compacted."""
    falls = [
        at for at, (before, call) in enumerate(pairwise(calls), 1) if call["inputItemCount"] < before["inputItemCount"]
    ]
    return falls[-1] if falls else 0


def check(truth_file: Path) -> tuple[int, int]:
    """Check every call that the file still holds; how many were checked and were not, of those with a report."""
    session, truth = read_both(truth_file)
    calls = truth["calls"]
    assert [call.step for call in session.calls] == [call["step"] for call in calls]
    recorded = [call.report.to_dict() if call.report else None for call in session.calls]
    assert recorded == [call.get("report") for call in calls]
    held = first_call_held(calls)
    checked = 0
    for call in calls[held:]:
        assert call["summaryAtFront"] == (session.stored_forms is not None)
        source = session.items[: call["inputItemCount"]]
        forms = [FORM_OF_LETTER[letter] for letter in call["itemForms"]]
        assert list(measure_items(source, forms)) == call["itemSizes"]
        if call.get("report") is None:
            continue
        budget = None if call["budget"] is None else ContextBudget.from_dict(call["budget"])
        projection = PROJECTORS[truth["projector"]]().project(source, budget, measure=forms)
        assert projection.report.to_dict() == call["report"]
        assert list(projection.kept) == call["projectedIndices"]
        assert [index for index in projection.kept if index in projection.cleared] == call["replacedIndices"]
        checked += 1
    return checked, sum(call.get("report") is not None for call in calls[:held])


@pytest.mark.parametrize("truth_file", COPIED, ids=lambda path: path.name.removesuffix(".truth.json"))
def test_copied_sessions(truth_file: Path) -> None:
    checked, missing = check(truth_file)
    assert (checked, missing) == (12, 0)


@pytest.mark.parametrize("truth_file", COPIED, ids=lambda path: path.name.removesuffix(".truth.json"))
def test_prompts_are_the_projected_items(truth_file: Path) -> None:
    session, truth = read_both(truth_file)
    for call, expected in zip(session.calls, truth["calls"], strict=True):
        assert call.prompt is not None
        assert len(call.prompt) == len(expected["projectedIndices"])
        for item, index in zip(call.prompt, expected["projectedIndices"], strict=True):
            assert index in expected["replacedIndices"] or item == session.items[index]


def test_live_forms_are_those_of_a_process_that_was_never_resumed() -> None:
    session, truth = read_both(HERE / "typeaware-responses.truth.json")
    letters = truth["calls"][-1]["itemForms"]
    assert set(letters) == {"M", "P"}
    assert session.live_forms is not None
    assert list(session.live_forms[: len(letters)]) == [FORM_OF_LETTER[letter] for letter in letters]


@pytest.mark.skipif(not ALL, reason="the shared sessions are not beside the checkout")
def test_all_shared_sessions() -> None:
    counts = [check(truth_file) for truth_file in ALL]
    assert len(counts) == 16
    assert sum(checked for checked, _ in counts) == 459
    assert sum(missing for _, missing in counts) == 28
