"""A user's own word on the providers' rules: a file beside the other settings, for models that changed since."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, get_args

from ctxviz.analysis.providers.errors import ProviderRulesError
from ctxviz.analysis.providers.names import PROVIDER_NAMES, ProviderName
from ctxviz.analysis.providers.rules import GRADES, RULES, Grade, Rule, Rules


def rules_path() -> Path:
    """Where the file is looked for: ``ctxviz/providers.toml`` in the user's configuration folder."""
    if sys.platform == "win32":
        base = os.environ.get("APPDATA") or str(Path.home() / "AppData" / "Roaming")
    else:
        base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "ctxviz" / "providers.toml"


@cache
def rules() -> Rules:
    """The rules with those of the user's file, if there is one, over them. Raises `ProviderRulesError`."""
    path = rules_path()
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return Rules()
    except OSError as error:
        raise ProviderRulesError(f"{path}: {error.strerror}") from error
    return Rules(read_rules(data, str(path)))


def read_rules(data: bytes, path: str) -> list[Rule]:
    """The `[[rule]]` tables of a file: `code`, `provider` and `verdict`, and `model` where it is for some models only.

    Raises `ProviderRulesError`.
    """
    try:
        document = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ProviderRulesError(f"{path}: byte {error.start}: not UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ProviderRulesError(f"{path}: {str(error).splitlines()[0]}") from error
    unknown = sorted(document.keys() - {"rule"})
    if unknown:
        raise ProviderRulesError(f"{path}: {unknown[0]} is not known: there are [[rule]] tables only")
    tables = document.get("rule", [])
    if not isinstance(tables, list):
        raise ProviderRulesError(f"{path}: rule is written as [[rule]], once for each")
    return [_rule(table, f"{path}: rule {number}") for number, table in enumerate(tables, start=1)]


def _rule(table: Any, place: str) -> Rule:
    if not isinstance(table, dict):
        raise ProviderRulesError(f"{place}: is no table")
    for key, value in table.items():
        if key not in ("code", "provider", "model", "verdict", "note"):
            raise ProviderRulesError(f"{place}: {key} is not one of code, provider, model, verdict, note")
        if not isinstance(value, str):
            raise ProviderRulesError(f"{place}: {key} is not text")
    code = _one_of(table, "code", sorted({rule.code for rule in RULES}), place)
    provider = _one_of(table, "provider", PROVIDER_NAMES, place)
    verdict = _one_of(table, "verdict", GRADES, place)
    model = table.get("model", "")
    try:
        re.compile(model)
    except re.error as error:
        raise ProviderRulesError(f"{place}: model is no regular expression: {error}") from error
    name: ProviderName = next(name for name in get_args(ProviderName) if name == provider)
    grade: Grade = next(grade for grade in get_args(Grade) if grade == verdict)
    return Rule(code, "", name, model, grade, table.get("note", "the user's own rule"), "")


def _one_of(table: dict[str, Any], key: str, allowed: Any, place: str) -> str:
    value = table.get(key)
    if value not in allowed:
        given = "is missing" if value is None else f"{value} is not known"
        raise ProviderRulesError(f"{place}: {key} {given}: it is one of {', '.join(allowed)}")
    return str(value)
