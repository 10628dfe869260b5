"""The options that choose a projection's settings."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import click

from ctxviz.analysis.providers.names import PROVIDER_NAMES
from ctxviz.analysis.settings import PROJECTOR_NAMES, Settings
from ctxviz.cli.failure import Failure
from ctxviz.projection.budget import KEYS, ContextBudget
from ctxviz.projection.measure import MEASURES

_INT_MAX: Final = 2**31 - 1
"""The largest limit: ai4j's are Java ints."""


class _NoLimit(Enum):
    """`none` said in so many letters; an option that was not given is None."""

    NO_LIMIT = "none"


_Asked: TypeAlias = "int | _NoLimit | None"


def _limit(ctx: click.Context, param: click.Parameter, text: str | None, *, or_none: bool = True) -> _Asked:
    if text is None:
        return None
    if or_none and text.lower() == "none":
        return _NoLimit.NO_LIMIT
    # No `int` before the length is known: it refuses very long numbers in its own words.
    if re.fullmatch("0*[0-9]{1,10}", text) and int(text[-10:]) <= _INT_MAX:
        return int(text[-10:])
    allowed = f"a whole number from 0 to {_INT_MAX:,}{', or none' if or_none else ''}"
    raise click.BadParameter(f"{text} is not {allowed}.", ctx, param)


def _format_name(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    if name is None:
        return None
    from ctxviz.session.loading import format_names

    if name not in format_names():
        raise click.BadParameter(f"{name} is not one of {', '.join(format_names())}.", ctx, param)
    return name


def _budget_file(ctx: click.Context, param: click.Parameter, path: str | None) -> ContextBudget | None:
    if path is None:
        return None
    try:
        return _read_budget(Path(path).read_bytes())
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise Failure(f"{path}: {error}") from error


def _read_budget(data: bytes) -> ContextBudget:
    try:
        fields = json.loads(data)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start}: not JSON: {error.reason}") from error
    except RecursionError as error:
        raise ValueError("a budget does not nest") from error
    if not isinstance(fields, dict):
        raise ValueError(f"a budget is a JSON object with some of {', '.join(KEYS.values())}")
    for key, number in fields.items():
        if type(number) is int and not -_INT_MAX - 1 <= number <= _INT_MAX:
            raise ValueError(f"{key} does not fit into a Java int: {-_INT_MAX - 1:,} to {_INT_MAX:,}")
    return ContextBudget.from_dict(fields)


_N_OR_NONE = "N|none"
_SETTINGS_OPTIONS = (
    click.option(
        "--max-items", metavar=_N_OR_NONE, callback=_limit, help="How many items may enter the window (gate 1)."
    ),
    click.option(
        "--max-approx-chars", metavar=_N_OR_NONE, callback=_limit, help="How many characters may enter (gate 2)."
    ),
    click.option(
        "--pinned-prefix-items",
        metavar="N",
        callback=partial(_limit, or_none=False),
        help="How many items at the head are pinned.",
    ),
    click.option(
        "--max-recent-tool-results",
        metavar=_N_OR_NONE,
        callback=_limit,
        help="How many of the latest tool outputs stay whole; implies the type-aware projector.",
    ),
    click.option(
        "--trim-old-reasoning/--no-trim-old-reasoning",
        default=None,
        help="Empty the reasoning before the last user message; implies the type-aware projector.",
    ),
    click.option("--projector", type=click.Choice(PROJECTOR_NAMES), help="Which of ai4j's projectors runs."),
    click.option("--measure", type=click.Choice(MEASURES), help="How an item's characters are counted."),
    click.option(
        "--budget", metavar="FILE", callback=_budget_file, help="ai4j's budget keys as JSON; other options override."
    ),
    click.option(
        "--provider",
        type=click.Choice(PROVIDER_NAMES),
        help="Whose rules the findings go by; else the session says it.",
    ),
    click.option("--model", metavar="NAME", help="The model, where a provider's rule depends on it."),
)
_FILE_OPTIONS = (
    click.option(
        "--from", "format_name", metavar="FORMAT", callback=_format_name, help="Read the session as this format."
    ),
    click.option("--conversation", metavar="ID", help="Which one, where the file holds several conversations."),
)
ascii_option = click.option("--ascii", "ascii_signs", is_flag=True, help="Use ASCII signs only.")
_Command = TypeVar("_Command", bound=Callable[..., Any])


def projection_options(command: _Command) -> _Command:
    """The options that choose the settings."""
    for option in reversed(_SETTINGS_OPTIONS):
        command = option(command)
    return command


def settings_options(command: _Command) -> _Command:
    """The same, and how the file is read."""
    for option in reversed(_FILE_OPTIONS):
        command = option(command)
    return projection_options(command)


def chosen_settings(base: Settings, given: dict[str, Any]) -> Settings:
    """The settings with what was given on the command line in place of theirs."""
    file: ContextBudget | None = given["budget"]
    changes = {name: given[name] for name in KEYS if given[name] is not None}
    changes = {name: None if value is _NoLimit.NO_LIMIT else value for name, value in changes.items()}
    asked = replace(file or ContextBudget(), **changes)
    implied = "type-aware" if asked.tool_results is not None or asked.trim_old_reasoning else base.projector
    return Settings(
        budget=replace(file or base.budget, **changes),
        projector=given["projector"] or implied,
        measure=given["measure"] or base.measure,
        provider=given["provider"] or base.provider,
        model=given["model"] or base.model,
    )
