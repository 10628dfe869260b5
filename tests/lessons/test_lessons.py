"""Every lesson against the projector: a question has one right answer, and what a text refers to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ctxviz.lessons.lesson import Lesson, LessonError, filled, lesson, lessons, read_lesson, right_answers, scenes
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
            assert len(right_answers(step.ask, before, after)) == 1
            assert step.ask.question.endswith("?")
            assert before.settings != after.settings or step.ask.kind in ("finding", "kept")
            texts.append(step.ask.question)
        for text in texts:
            assert len(text) <= LONGEST
            assert "{" not in text
            assert "!" not in text
            for number in re.findall(r"#(\d+)", text):
                assert int(number) < count
        for index in (step.scene.select, step.reveal.select, step.show.item if step.show else None):
            assert index is None or index < count
        if step.show is not None and step.show.item is not None and step.show.gate == 2:
            assert after.projection.used_before(step.show.item) is not None  # the player has a step about it


def test_what_the_texts_say_by_hand() -> None:
    """Sentences whose numbers are written out: as the projector has them."""

    def kept(name: str, step: int) -> tuple[int, ...]:
        return scenes(lesson(name), lesson(name).steps[step])[1].projection.kept

    def state(name: str, step: int, item: int) -> int:
        return scenes(lesson(name), lesson(name).steps[step])[1].projection.states[item]

    assert kept("gate-1", 0) == (7, 8, 9, 10, 11)
    assert kept("gate-1", 1) == (0, 1, 9, 10, 11)
    assert state("gate-1", 2, 11) == DROPPED_BY_ITEMS
    assert state("holes", 0, 20) == DROPPED_BY_CHARS
    assert 19 in kept("holes", 0)
    assert kept("forced", 1) == (3,)
    assert kept("lost-pin", 0)[:2] == (0, 2)
    before, after = scenes(lesson("measures"), lesson("measures").steps[1])
    assert before.report.dropped_item_count == 0
    assert after.report.dropped_item_count == 1


GOOD = """
order = 1
title = "T"
minutes = 1
learnt = "L."
toy = [1, 2]
[[step]]
text = "t"
ask = { kind = "kept", question = "q?", answers = [[0], [1]] }
[step.reveal]
text = "r"
budget = { maxItems = 1 }
"""


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("order = ", "Invalid value"),
        (GOOD.replace("order = 1", ""), "order is missing"),
        (GOOD.replace("order = 1", 'order = "a"'), "order is a whole number"),
        (GOOD.replace("toy = [1, 2]", ""), "either a session or a toy"),
        (GOOD.replace('title = "T"', ""), "title is missing"),
        (GOOD.replace('text = "r"', ""), "step 1: text is missing"),
        (GOOD.replace('"kept"', '"guess"'), "step 1: kind guess is not one of kept, state"),
        (GOOD.replace("[[0], [1]]", "[[0]]"), "step 1: a question has 2 to 4 answers"),
        (GOOD.replace("maxItems", "max_items"), "step 1: "),
        (GOOD + "show = { gate = 3 }\n", "step 1: gate is 1 or 2"),
        (GOOD + 'measure = "old"\n', "step 1: old is not known"),
        (GOOD.replace('kind = "kept"', 'kind = "report", field = "count"'), "step 1: count is no field"),
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
