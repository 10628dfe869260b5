"""The bundled sessions: all there, all readable, each with settings that show something."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxviz.analysis import bundled
from ctxviz.analysis.bundled import Demo, UnknownDemo, demo, demos
from ctxviz.analysis.examination import examine
from ctxviz.session.loading import load_session

FIXTURES = Path(__file__).parents[2] / "fixtures"


def test_every_session_file_has_an_entry() -> None:
    files = {path.name for path in FIXTURES.iterdir() if path.suffix in (".json", ".jsonl")} - {"index.json"}
    assert files == {one.path.name for one in demos()}


def test_names_are_unique() -> None:
    names = [one.name for one in demos()]
    assert len(set(names)) == len(names) > 0


@pytest.mark.parametrize("one", demos(), ids=lambda one: one.name)
def test_a_demo_loads_and_shows_something(one: Demo) -> None:
    session = load_session(one.path)
    assert session.warnings == ()
    assert one.title
    assert one.look
    assert one.select is None or 0 <= one.select < len(session)
    report = examine(session, one.settings).report
    assert report.dropped_item_count > 0


def test_a_demo_by_name() -> None:
    for one in demos():
        assert demo(one.name) is one


def test_an_unknown_name_lists_all() -> None:
    with pytest.raises(UnknownDemo) as error:
        demo("nosuch")
    text = str(error.value)
    assert "nosuch" in text
    assert "\n" not in text
    assert all(one.name in text for one in demos())


def test_an_installed_package_has_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "ctxviz"
    (package / "_fixtures").mkdir(parents=True)
    (package / "_fixtures" / "index.json").write_text(
        '[{"name": "one", "file": "one.json", "title": "t", "look": "l", "select": null,'
        ' "settings": {"projector": "default", "measure": "live", "budget": {"maxItems": 3}}}]'
    )
    monkeypatch.setattr(bundled, "_PACKAGE", package)
    demos.cache_clear()
    try:
        (one,) = demos()
        assert one.path == package / "_fixtures" / "one.json"
        assert one.settings.budget.max_items == 3
    finally:
        monkeypatch.undo()
        demos.cache_clear()
