"""A guided lesson: steps on a session, each of which may ask for a prediction that the projector answers.

No answer is written in a lesson's file: it is worked out from the projection that the step reveals, so
that a lesson can't be wrong about the rule. Numbers in a text are written `{size:1}` and filled in.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ctxviz.analysis.bundled import demo
from ctxviz.analysis.examination import Examination, examine
from ctxviz.analysis.settings import PROJECTOR_NAMES, Settings
from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.measure import MEASURES
from ctxviz.projection.projection import DROPPED_BY_CHARS, DROPPED_BY_ITEMS, KEPT, PINNED, Mark
from ctxviz.projection.report import KEYS
from ctxviz.projection.selection import Gate
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from ctxviz.session.toy import Toy

_FOLDER = Path(__file__).parent
_FILL = re.compile(r"\{(\w+)(?::(\d+))?\}")
_STATES = {
    PINNED: "pinned",
    KEPT: "kept",
    DROPPED_BY_ITEMS: "dropped by maxItems",
    DROPPED_BY_CHARS: "dropped by maxApproxChars",
}


class LessonError(ValueError):
    """A lesson's file is wrong. Its text is one line with file, place and cause."""


@dataclass(frozen=True)
class Scene:
    """What the screen shows: settings, and the item that is selected (None leaves the selection)."""

    settings: Settings
    select: int | None


@dataclass(frozen=True)
class Show:
    """Where the player stands: at the decision about an item, or at a gate's close."""

    gate: Gate
    item: int | None


@dataclass(frozen=True)
class Ask:
    """A question with its answers, of which one is right.

    `kind` says how the answers are to be judged: `kept` (exactly which of the items in all answers
    stay), `state` (what becomes of `item`), `report` (the value of `field`), `changes` (the one field of
    the report that changes), `finding` (the one code that is found, or none).
    """

    kind: str
    question: str
    answers: tuple[str, ...]
    values: tuple[Any, ...]
    item: int | None
    field: str


@dataclass(frozen=True)
class Step:
    """A text on a scene; if it asks something, what is shown and said once it is answered."""

    text: str
    scene: Scene
    ask: Ask | None
    reveal_text: str
    reveal: Scene
    show: Show | None


@dataclass(frozen=True)
class Lesson:
    """One lesson. `session_name` is a bundled session, or `toy` are the sizes of a made one."""

    name: str
    title: str
    minutes: int
    learnt: str
    session_name: str
    toy: tuple[int, ...]
    steps: tuple[Step, ...]

    def load(self) -> Session:
        """The session that the lesson is on."""
        return Toy.of(self.toy).session() if self.toy else load_session(demo(self.session_name).path)


def right_answers(ask: Ask, before: Examination, after: Examination) -> list[int]:
    """The places of the answers that the projections give: in a sound lesson there is one."""
    judged = _JUDGES[ask.kind](ask, before, after)
    return [at for at, value in enumerate(ask.values) if judged(value)]


def filled(text: str, examination: Examination) -> str:
    """The text with its numbers: `{size:3}`, `{used:3}`, `{total:3}`, `{over:3}`, `{state:3}` are of item 3;
    `{projectedItemCount}` and the like are the report's, `{maxItems}` and the like the budget's; `{kept}`
    and `{dropped}` list items.
    """
    return _FILL.sub(lambda found: _value(found[1], found[2], examination), text)


def _value(name: str, index: str | None, examination: Examination) -> str:
    report, budget = examination.report.to_dict(), examination.settings.budget.to_dict()
    if index is not None:
        decision = examination.projection.decision(int(index))
        used, limit = decision.used or 0, decision.limit or 0
        numbers = {
            "size": decision.size,
            "used": used,
            "total": used + decision.size,
            "over": used + decision.size - limit,
            "whole": examination.projection.original.sizes[int(index)],
        }
        return _STATES[examination.projection.states[int(index)]] if name == "state" else f"{numbers[name]:,}"
    if name in ("kept", "dropped"):
        kept = set(examination.projection.kept)
        items = [at for at in range(len(examination.session)) if (at in kept) == (name == "kept")]
        return ", ".join(f"#{at}" for at in items) or "nothing"
    value = report[name] if name in report else budget[name]
    if isinstance(value, bool):
        return str(value).lower()
    return "no limit" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


_Judge = Callable[[Ask, Examination, Examination], Callable[[Any], bool]]


def _kept(ask: Ask, before: Examination, after: Examination) -> Callable[[Any], bool]:
    asked = {index for items in ask.values for index in items}
    stay = asked & set(after.projection.kept)
    return lambda items: set(items) == stay


def _state(ask: Ask, before: Examination, after: Examination) -> Callable[[Any], bool]:
    index = ask.item or 0
    words = {_STATES[after.projection.states[index]], *(mark.value for mark in after.projection.marks(index))}
    if Mark.CLEARED in after.projection.marks(index):
        words = {Mark.CLEARED.value}
    return lambda word: word in words


def _report(ask: Ask, before: Examination, after: Examination) -> Callable[[Any], bool]:
    return lambda value: bool(after.report.to_dict()[ask.field] == value)


def _changes(ask: Ask, before: Examination, after: Examination) -> Callable[[Any], bool]:
    old, new = before.report.to_dict(), after.report.to_dict()
    return lambda field: old[field] != new[field]


def _finding(ask: Ask, before: Examination, after: Examination) -> Callable[[Any], bool]:
    codes = {finding.code for finding in after.findings} or {"nothing"}
    return lambda code: code in codes


_JUDGES: dict[str, _Judge] = {
    "kept": _kept,
    "state": _state,
    "report": _report,
    "changes": _changes,
    "finding": _finding,
}


# -- files ----------------------------------------------------------------------------------------------


@cache
def lessons() -> tuple[Lesson, ...]:
    """The lessons in the order in which they teach. Raises `LessonError`."""
    return tuple(lesson for _, lesson in sorted(read_lesson(path) for path in _FOLDER.glob("*.toml")))


def lesson(name: str) -> Lesson:
    """The lesson of that name; raises `LookupError` with all names in its text if there is none."""
    for one in lessons():
        if one.name == name:
            return one
    raise LookupError(f"no lesson is called {name}: there are {', '.join(one.name for one in lessons())}")


def read_lesson(path: Path) -> tuple[int, Lesson]:
    """A lesson's file and its place in the order. Raises `LessonError`."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LessonError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LessonError(f"{path}: {str(error).splitlines()[0]}") from error
    place = str(path)
    try:
        steps = document["step"]
        order, made = document["order"], _lesson(path.stem, document, place)
    except KeyError as error:
        raise LessonError(f"{place}: {error.args[0]} is missing") from error
    if type(order) is not int or not steps:
        raise LessonError(f"{place}: order is a whole number, and there is at least one [[step]]")
    return order, made


def _lesson(name: str, document: dict[str, Any], place: str) -> Lesson:
    toy, session = tuple(document.get("toy", ())), document.get("session", "")
    if bool(toy) == bool(session):
        raise LessonError(f"{place}: a lesson has either a session or a toy")
    steps: list[Step] = []
    settings, select = Settings(), None
    for number, table in enumerate(document["step"], start=1):
        step = _step(table, settings, select, f"{place}: step {number}")
        settings, select = step.reveal.settings, None
        steps.append(step)
    return Lesson(name, document["title"], document["minutes"], document["learnt"], session, toy, tuple(steps))


def _step(table: dict[str, Any], settings: Settings, select: int | None, place: str) -> Step:
    try:
        scene = Scene(_settings(table, settings, place), table.get("select", select))
        asked, revealed = table.get("ask"), table.get("reveal", {})
        ask = _ask(asked, place) if asked is not None else None
        reveal = Scene(_settings(revealed, scene.settings, place), revealed.get("select", scene.select))
        show = revealed.get("show", table.get("show"))
        return Step(
            table["text"],
            scene,
            ask,
            revealed["text"] if ask is not None else "",
            reveal,
            None if show is None else Show(_gate(show["gate"], place), show.get("item")),
        )
    except KeyError as error:
        raise LessonError(f"{place}: {error.args[0]} is missing") from error


def _gate(gate: object, place: str) -> Gate:
    if gate == 1:
        return 1
    if gate == 2:
        return 2
    raise LessonError(f"{place}: gate is 1 or 2")


def _settings(table: dict[str, Any], before: Settings, place: str) -> Settings:
    """The settings with what a table changes: `budget` as a whole, `projector`, `measure`."""
    projector, measure = table.get("projector", before.projector), table.get("measure", before.measure)
    if projector not in PROJECTOR_NAMES or measure not in MEASURES:
        raise LessonError(f"{place}: {projector if projector not in PROJECTOR_NAMES else measure} is not known")
    try:
        budget = ContextBudget.from_dict(table["budget"]) if "budget" in table else before.budget
    except ValueError as error:
        raise LessonError(f"{place}: {error}") from error
    return Settings(budget, projector, measure)


def _ask(table: dict[str, Any], place: str) -> Ask:
    kind = table["kind"]
    if kind not in _JUDGES:
        raise LessonError(f"{place}: kind {kind} is not one of {', '.join(_JUDGES)}")
    values = tuple(tuple(value) if isinstance(value, list) else value for value in table["answers"])
    if not 2 <= len(values) <= 4:
        raise LessonError(f"{place}: a question has 2 to 4 answers")
    field = table.get("field", "")
    fields = values if kind == "changes" else (field,) if kind == "report" else ()
    for name in fields:
        if name not in KEYS.values():
            raise LessonError(f"{place}: {name} is no field of the report")
    return Ask(kind, table["question"], tuple(map(_answer, values)), values, table.get("item"), field)


def _answer(value: object) -> str:
    if isinstance(value, tuple):
        return (
            " and ".join(filter(None, [", ".join(f"#{at}" for at in value[:-1]), f"#{value[-1]}"])) if value else "none"
        )
    return str(value).lower() if isinstance(value, bool) else f"{value:,}" if isinstance(value, int) else str(value)


def scenes(lesson: Lesson, step: Step) -> tuple[Examination, Examination]:
    """The examinations before and after a step's question is answered."""
    session = lesson.load()
    return examine(session, step.scene.settings), examine(session, step.reveal.settings)
