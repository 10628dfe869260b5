"""``learn --list``."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ctxviz.lessons.lesson import Lesson


def lesson_list(lessons: Sequence[Lesson], done: Collection[str]) -> str:
    """A line a lesson: its name, its title, how long it takes, and whether it is done."""
    names = max(len(one.name) for one in lessons)
    titles = max(len(one.title) for one in lessons)
    return "".join(
        f"{one.name:<{names}}  {one.title:<{titles}}  {one.minutes} min{'  done' if one.name in done else ''}\n"
        for one in lessons
    )
