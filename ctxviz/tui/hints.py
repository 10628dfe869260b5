"""Which commands matter: which keys the footer shows, and what there is nothing to do for."""

from __future__ import annotations

from typing import Literal

from ctxviz.analysis.examination import Examination
from ctxviz.session.model import Session
from ctxviz.tui.keys import COMMANDS
from ctxviz.tui.signs import Signs
from ctxviz.tui.widgets.budget import TRIM, ControlName
from ctxviz.tui.widgets.footer import Pair

Part = Literal["list", "budget", "tabs", "player"]

ALWAYS = (Pair("?", "keys", "keys"), Pair("^p", "commands", "commands"))
_PAIR_OF = {"max_items": "items", "max_approx_chars": "chars", "pinned_prefix_items": "pinned", TRIM: "trim"}


def is_possible(action: str, session: Session | None) -> bool:
    """Whether a session has what the command is about; of most commands every session has it."""
    if action == "set_aside":
        census = session.census if session else None
        aside = census is not None and (census.set_aside or census.parts_set_aside)
        return session is not None and bool(aside or session.included)
    if action == "conversation":
        return session is not None and session.conversation is not None
    return True


def footer_pairs(
    examination: Examination | None, part: Part, active: ControlName, signs: Signs, *, narrow: bool, tab: str = ""
) -> tuple[Pair, ...]:
    """The pairs in order; the footer shows as many as there is room for."""
    if examination is None:
        return (Pair("Esc", "cancel", "close"), Pair("j k", "move"), *_from_table("items", "chars", "pinned", "quit"))
    budget = ["items", "chars", "pinned", "unlimited"]
    if examination.settings.projector == "type-aware":
        budget = ["tool results", *budget]
    if not len(examination.session):
        more = (Pair("O", "open", "open_another"), Pair("R", "read again", "reload"), Pair("q", "quit", "quit"))
        return (*_from_table(*budget), *more)
    if part == "player":
        ends, close = Pair("Home End", "ends" if narrow else "first, last"), Pair("Esc", "close", "close")
        walk = (Pair(f"{signs.right} {signs.left}", "step"), ends, Pair("space", "play", "player_play"))
        speed, to_item = Pair(f"+ {signs.minus}", "speed"), Pair("e", "to the selected item", "explain")
        return (*walk, close, speed, to_item) if narrow else (*walk, speed, to_item, close)
    if narrow:
        budget = [_PAIR_OF.get(active, "tool results"), "unlimited"]
    if tab == "Findings" and not narrow:
        go = (Pair(signs.enter, "go to the item"),) if part == "tabs" else ()
        return (*_from_table("finding"), *go, *_from_table("its pair", "provider", "explain", "filter", *budget))
    if part == "tabs":
        own = (Pair(f"{signs.left} {signs.right}", "tab"), Pair(f"{signs.up} {signs.down}", "scroll"))
        return (*own, *_from_table("wide", *budget, "dropped"))
    if part == "budget":
        choose, number = Pair(f"{signs.up} {signs.down}", "control"), Pair(f"0{signs.dash}9", "type")
        if narrow:
            return (*_from_table(*budget), number, choose)
        step = Pair(f"{signs.left} {signs.right}", "step")
        return (step, choose, number, *_from_table(*budget, "projector", "measure", "reset"))
    read = Pair(signs.enter, "read", "open_selected")
    aside = ("set aside",) if is_possible("set_aside", examination.session) else ()
    first = _from_table(*budget, "dropped", "finding", "explain")
    return (*first, *_from_table(*aside), read, *_from_table("its pair", "filter", "find", "go to", "measure"))


def _from_table(*names: str) -> tuple[Pair, ...]:
    pairs = []
    for name in names:
        commands = [command for command in COMMANDS if command.footer == name]
        pairs.append(Pair(" ".join(command.label for command in commands), name, commands[0].action))
    return tuple(pairs)
