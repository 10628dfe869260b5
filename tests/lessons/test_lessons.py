"""Every lesson against the projector: a question has one right answer, and what a text refers to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ctxviz.analysis.examination import Examination, examine
from ctxviz.analysis.settings import Settings
from ctxviz.lessons.answers import filled, right_answers, scenes
from ctxviz.lessons.lesson import Lesson, LessonError, lesson, lessons, read_lesson
from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS

LONGEST = 234
"""Letters of a text: three rows of 80 cells."""
TOPICS = (
    "budget",
    "gate-1",
    "gate-2",
    "forced",
    "holes",
    "more-keeps-less",
    "lost-pin",
    "pairs",
    "clearing",
    "measures",
)


def test_the_topics_are_there_in_their_order() -> None:
    assert tuple(one.name for one in lessons()) == TOPICS
    with pytest.raises(LookupError, match="there are budget, gate-1"):
        lesson("none")


@pytest.mark.parametrize("one", lessons(), ids=lambda one: str(one.name))
def test_a_lesson_is_sound(one: Lesson) -> None:
    count = len(one.load())
    assert 1 <= one.minutes <= 5
    assert one.learnt.endswith(".")
    for step in one.steps:
        before, after = scenes(one, step)
        texts = [filled(step.text, before), filled(step.reveal_text, after)]
        if step.ask is not None:
            (right,) = right_answers(step.ask, before, after)
            assert [at for at, why_not in enumerate(step.ask.why_not) if not why_not] == [right]
            texts += step.ask.why_not
            assert step.ask.question.endswith("?")
            assert before.settings != after.settings or step.ask.kind in ("finding", "kept")
            texts.append(step.ask.question)
        for text in texts:
            assert len(text) <= LONGEST
            assert text == text.strip()
            assert not text or text[-1] in ".?"
            assert "{" not in text
            assert "!" not in text
            for number in re.findall(r"#(\d+)", text):
                assert int(number) < count
        for index in (step.scene.select, step.reveal.select, step.show.item if step.show else None):
            assert index is None or index < count
        if step.show is not None and step.show.item is not None and step.show.gate == 2:
            assert after.projection.used_before(step.show.item) is not None  # the player has a step about it


_NUMBER = re.compile(r"\{[^}]*\}|#\d+|(?<![\w.])(\d+(?:,\d{3})*)")

WRITTEN_OUT = {
    "gate-1": {"6", "7"},  # too many by one; tested below
    "lost-pin": {"6,138", "22"},
    "more-keeps-less": {"13", "14"},
    "pairs": {"17", "400"},
    "gate-2": {"14"},
}
"""Numbers that are neither of the budget nor of the report nor of an item, each looked after below or in its step."""


@pytest.mark.parametrize("one", lessons(), ids=lambda one: str(one.name))
def test_a_number_written_out_is_one_of_the_scene(one: Lesson) -> None:
    for step in one.steps:
        known: set[str] = set(WRITTEN_OUT.get(one.name, ())) | {"1", "2", "3"}
        for examination in scenes(one, step):
            numbers = [*examination.settings.budget.to_dict().values(), *examination.report.to_dict().values()]
            numbers += examination.projection.source.sizes if one.toy else ()
            known |= {f"{number:,}" for number in numbers if type(number) is int}
        texts = [step.text, step.reveal_text]
        texts += [step.ask.question, *step.ask.why_not] if step.ask is not None else []
        for text in texts:
            assert {number for number in _NUMBER.findall(text) if number} <= known, text


def after(name: str, step: int) -> Examination:
    """What the step of that number, from 1, reveals."""
    return scenes(lesson(name), lesson(name).steps[step - 1])[1]


def kept_at(name: str, chars: int) -> tuple[int, ...]:
    """What a lesson's session keeps at that maxApproxChars alone."""
    return examine(lesson(name).load(), Settings(ContextBudget(max_approx_chars=chars))).projection.kept


def test_what_the_texts_say_of_gate_1() -> None:
    assert after("gate-1", 1).projection.kept == (7, 8, 9, 10, 11)
    assert after("gate-1", 2).projection.kept == (0, 1, 9, 10, 11)
    assert after("gate-1", 3).projection.states[11] == DROPPED_BY_ITEMS
    assert "newest-lost" in {finding.code for finding in after("gate-1", 3).findings}


def test_what_the_texts_say_of_gate_2() -> None:
    assert after("gate-2", 1).projection.kept == (0, 2)
    assert after("forced", 2).projection.kept == (3,)
    assert "over-budget" in {finding.code for finding in after("forced", 4).findings}
    assert after("forced", 4).report.notes == ("maxItems applied: 1",)


def test_what_the_texts_say_of_holes() -> None:
    shown = after("holes", 1)
    assert shown.projection.states[20] == DROPPED_BY_CHARS
    assert 19 in shown.projection.kept
    assert 35 == len(shown.session) - 1 == shown.projection.kept[-1]
    assert any(finding.code == "orphan-call" and 19 in finding.items for finding in after("holes", 2).findings)


def test_what_the_texts_say_of_a_larger_limit() -> None:
    keeps = [limit for limit in range(30) if 0 in kept_at("more-keeps-less", limit)]
    assert keeps == [10, 11, 12, 13, *range(20, 30)]
    assert len(kept_at("more-keeps-less", 10)) == 3


def test_what_the_texts_say_of_a_lost_pin() -> None:
    shown = after("lost-pin", 1)
    assert shown.projection.kept[:2] == (0, 2)
    assert len(shown.projection.kept) == 22
    assert sum(shown.projection.source.sizes[:3]) == 6138
    assert 27 == len(shown.session) - 1 == shown.projection.kept[-1]
    assert {"task-lost", "pinned-lost"} <= {finding.code for finding in after("lost-pin", 2).findings}
    assert after("lost-pin", 3).projection.kept == (0, 1, 2, 27)


def test_what_the_texts_say_of_pairs() -> None:
    assert {15, 16, 17} <= set(after("pairs", 1).projection.kept)
    assert 14 not in after("pairs", 1).projection.kept
    assert 14 in after("pairs", 2).projection.kept


def test_what_the_texts_say_of_clearing() -> None:
    shown = after("clearing", 3)
    assert set(range(48)) - set(shown.projection.kept) == {1, 2, 3, 4, 5, 6}


def test_what_the_texts_say_of_measures() -> None:
    live, resumed = scenes(lesson("measures"), lesson("measures").steps[0])
    assert all(
        more > less for less, more in zip(live.projection.source.sizes, resumed.projection.source.sizes, strict=True)
    )
    before, restarted = scenes(lesson("measures"), lesson("measures").steps[1])
    assert before.report.dropped_item_count == 0
    assert restarted.report.dropped_item_count == 1
    assert restarted.projection.kept[0] == 1


GOOD = """
order = 1
title = "T"
minutes = 1
learnt = "L."
toy = [1, 2]
[[step]]
text = "t"
ask = { kind = "kept", question = "q?", answers = [[0], [1]], why_not = ["n.", ""] }
[step.reveal]
text = "r"
budget = { maxItems = 1 }
"""


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("order = ", "Invalid value"),
        (GOOD.replace("order = 1", ""), "missing required field `order`"),
        (GOOD.replace("order = 1", 'order = "a"'), "order: Expected `int`, got `str`"),
        (GOOD.replace("toy = [1, 2]", ""), "either a session or a toy"),
        (GOOD.replace("toy = [1, 2]", 'session = "none"'), "no demo is called none"),
        (GOOD.replace("toy = [1, 2]", "toy = [-1]"), "toy[0]: Expected `int` >= 0"),
        (GOOD.replace('title = "T"', ""), "missing required field `title`"),
        (GOOD.replace("title", "titel"), "`titel`"),
        (GOOD[: GOOD.index("[[step]]")] + "step = []", "step: Expected `array` of length >= 1"),
        (GOOD.replace('text = "r"', ""), "step 1: reveal: Object missing required field `text`"),
        (GOOD.replace("[step.reveal]", "[step.revael]"), "step 1: Object contains unknown field `revael`"),
        (GOOD[: GOOD.index("[step.reveal]")], "step 1: ask and reveal stand together"),
        (GOOD.replace('"kept"', '"guess"'), "step 1: ask.kind: Invalid enum value 'guess'"),
        (GOOD.replace("[[0], [1]]", "[[0]]"), "step 1: ask.answers: Expected `array` of length >= 2"),
        (GOOD.replace("[[0], [1]]", "[0, 1]"), "step 1: 0 is no answer of the kind kept"),
        (GOOD.replace('["n.", ""]', '["n."]'), "step 1: why_not has a sentence for each answer"),
        (GOOD.replace('"kept"', '"state"'), "step 1: item goes with the kind state"),
        (GOOD.replace("maxItems", "max_items"), "step 1: max_items is not a budget key"),
        (GOOD + "show = { gate = 3 }\n", "step 1: reveal.show.gate: Invalid enum value 3"),
        (GOOD + 'measure = "old"\n', "step 1: measure old is not known"),
        (GOOD + 'projector = "new"\n', "step 1: projector new is not known"),
        (GOOD.replace('kind = "kept"', 'kind = "report", field = "count"').replace("[[0], [1]]", "[0, 1]"), "no field"),
    ],
)
def test_a_broken_file_is_refused_in_a_line(tmp_path: Path, wrong: str, words: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(wrong)
    with pytest.raises(LessonError) as caught:
        read_lesson(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_teachers_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    order, made = read_lesson(path)
    assert (order, made.name, made.toy) == (1, "mine", (1, 2))
    (step,) = made.steps
    assert step.ask is not None
    assert right_answers(step.ask, *scenes(made, step)) == [1]
