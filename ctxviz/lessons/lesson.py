"""A guided lesson: steps on a session, each of which may ask for a prediction that the projector answers.

No answer is marked as right by itself: it is worked out from the projection that the step reveals (`answers`),
so that a lesson can't be wrong about the rule. Numbers in a text are written `{size:1}` and filled in.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct, ValidationError, convert

from ctxviz.analysis.bundled import UnknownDemo, demo
from ctxviz.analysis.settings import PROJECTOR_NAMES, Settings
from ctxviz.projection.budget import ContextBudget
from ctxviz.projection.measure import MEASURES
from ctxviz.projection.report import KEYS
from ctxviz.projection.selection import Gate
from ctxviz.session.loading import load_session
from ctxviz.session.model import Session
from ctxviz.session.toy import MOST_CHARS, MOST_ITEMS, Toy

Kind = Literal["kept", "state", "report", "changes", "finding"]

_FOLDER = Path(__file__).parent


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
    the report that changes), `finding` (the one code that is found, or nothing). `why_not` says of each
    answer why it is not the one; of the one that is it says "".
    """

    kind: Kind
    question: str
    answers: tuple[str, ...]
    values: tuple[Any, ...]
    why_not: tuple[str, ...]
    item: int
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


# -- files ----------------------------------------------------------------------------------------------

_Index = Annotated[int, Meta(ge=0)]
_Value = bool | int | str | list[_Index]
_T = TypeVar("_T")


class _ShowTable(Struct, forbid_unknown_fields=True):
    gate: Gate
    item: _Index | None = None


class _SceneTable(Struct, forbid_unknown_fields=True, kw_only=True):
    """`budget` as a whole; what is not there stays as it was."""

    text: str
    budget: dict[str, Any] | None = None
    projector: str | None = None
    measure: str | None = None
    select: _Index | None = None
    show: _ShowTable | None = None


class _AskTable(Struct, forbid_unknown_fields=True):
    kind: Kind
    question: str
    answers: Annotated[list[_Value], Meta(min_length=2, max_length=4)]
    why_not: list[str]
    item: _Index | None = None
    field: str | None = None


class _StepTable(_SceneTable, forbid_unknown_fields=True, kw_only=True):
    ask: _AskTable | None = None
    reveal: _SceneTable | None = None


class _LessonTable(Struct, forbid_unknown_fields=True):
    order: int
    title: str
    minutes: int
    learnt: str
    step: Annotated[list[dict[str, Any]], Meta(min_length=1)]
    session: str | None = None
    toy: (
        Annotated[list[Annotated[int, Meta(ge=0, le=MOST_CHARS)]], Meta(min_length=1, max_length=MOST_ITEMS)] | None
    ) = None


@cache
def lessons() -> tuple[Lesson, ...]:
    """The lessons in the order in which they teach. Raises `LessonError`."""
    ordered = sorted((read_lesson(path) for path in _FOLDER.glob("*.toml")), key=lambda one: (one[0], one[1].name))
    return tuple(lesson for _, lesson in ordered)


def lesson(name: str) -> Lesson:
    """The lesson of that name; raises `LookupError` with all names in its text if there is none."""
    for one in lessons():
        if one.name == name:
            return one
    raise LookupError(f"no lesson is called {name}: there are {', '.join(one.name for one in lessons())}")


def read_lesson(path: Path) -> tuple[int, Lesson]:
    """A lesson's file: its place in the order, and the lesson. Raises `LessonError`."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LessonError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LessonError(f"{path}: {str(error).splitlines()[0]}") from error
    table = _converted(document, _LessonTable, str(path))
    if (table.session is None) == (table.toy is None):
        raise LessonError(f"{path}: a lesson has either a session or a toy")
    if table.session is not None:
        try:
            demo(table.session)
        except UnknownDemo as error:
            raise LessonError(f"{path}: {error.args[0]}") from error
    steps: list[Step] = []
    settings = Settings()
    for number, one in enumerate(table.step, start=1):
        place = f"{path}: step {number}"
        steps.append(_step(_converted(one, _StepTable, place), settings, place))
        settings = steps[-1].reveal.settings
    toy = tuple(table.toy or ())
    return table.order, Lesson(
        path.stem, table.title, table.minutes, table.learnt, table.session or "", toy, tuple(steps)
    )


def _converted(document: object, shape: type[_T], place: str) -> _T:
    try:
        return convert(document, shape)
    except ValidationError as error:
        cause, _, where = str(error).partition(" - at `$.")
        raise LessonError(f"{place}: {where.rstrip('`') + ': ' if where else ''}{cause}") from error


def _step(table: _StepTable, settings: Settings, place: str) -> Step:
    scene = Scene(_settings(table, settings, place), table.select)
    if table.ask is None or table.reveal is None:
        if table.ask is not None or table.reveal is not None:
            raise LessonError(f"{place}: ask and reveal stand together or not at all")
        return Step(table.text, scene, None, "", scene, _show(table.show))
    reveal = Scene(
        _settings(table.reveal, scene.settings, place),
        table.select if table.reveal.select is None else table.reveal.select,
    )
    return Step(table.text, scene, _ask(table.ask, place), table.reveal.text, reveal, _show(table.reveal.show))


def _show(table: _ShowTable | None) -> Show | None:
    return None if table is None else Show(table.gate, table.item)


def _settings(table: _SceneTable, before: Settings, place: str) -> Settings:
    projector, measure = table.projector or before.projector, table.measure or before.measure
    if projector not in PROJECTOR_NAMES:
        raise LessonError(f"{place}: projector {projector} is not known")
    if measure not in MEASURES:
        raise LessonError(f"{place}: measure {measure} is not known")
    try:
        budget = before.budget if table.budget is None else ContextBudget.from_dict(table.budget)
    except ValueError as error:
        raise LessonError(f"{place}: {error}") from error
    return Settings(budget, projector, measure)


def _ask(table: _AskTable, place: str) -> Ask:
    if len(table.why_not) != len(table.answers):
        raise LessonError(f"{place}: why_not has a sentence for each answer, an empty one for the right one")
    if (table.item is not None) != (table.kind == "state") or (table.field is not None) != (table.kind == "report"):
        raise LessonError(
            f"{place}: item goes with the kind state, field with the kind report, and neither with others"
        )
    wanted = {"kept": (list,), "report": (bool, int)}.get(table.kind, (str,))
    for value in table.answers:
        if not isinstance(value, wanted):
            raise LessonError(f"{place}: {value!r} is no answer of the kind {table.kind}")
    fields = table.answers if table.kind == "changes" else [table.field] if table.field is not None else []
    for name in fields:
        if name not in KEYS.values():
            raise LessonError(f"{place}: {name} is no field of the report")
    values = tuple(tuple(value) if isinstance(value, list) else value for value in table.answers)
    answers = tuple(map(_answer, values))
    return Ask(table.kind, table.question, answers, values, tuple(table.why_not), table.item or 0, table.field or "")


def _answer(value: object) -> str:
    if isinstance(value, tuple):
        *first, last = [f"#{at}" for at in value] or ["none"]
        return f"{', '.join(first)} and {last}" if first else last
    return str(value).lower() if isinstance(value, bool) else f"{value:,}" if isinstance(value, int) else str(value)
