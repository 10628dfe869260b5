"""One step of the player: written out as a sum with what follows from it, or in a line of a list."""

from __future__ import annotations

from ctxviz.analysis.playback import Playback, Telling
from ctxviz.projection.trace import Cleared, Decided
from ctxviz.tui.paint import Panel, Row
from ctxviz.tui.widgets.items import state_sign

_LEFT = 2


def shown(panel: Panel, words: str) -> str:
    """Words of a telling in the signs that this terminal can show."""
    return words.replace("→", panel.signs.becomes).replace("–", panel.signs.dash)


def subject_row(panel: Panel, playback: Playback, said: Telling, width: int) -> Row:
    """The item under decision, and what it is."""
    row = panel.row().to(_LEFT).add(f"{panel.signs.play} ", "accent").add(f"#{playback.index}", "accent").add("  ")
    return row.fit(said.subject, width - row.cells - 2)


def sum_rows(panel: Panel, said: Telling, width: int) -> list[Row]:
    """What is added, number under number, and the sum held against the limit."""
    if not said.terms:
        return [panel.row().to(_LEFT).fit(shown(panel, said.outcome), width - _LEFT - 2)]
    if len(said.terms) == 1:
        row = panel.row().to(_LEFT).add(f"{said.total:,}", "strong").add(f" {said.terms[0][1]}", "muted")
        _compare(panel, row, said, apart="  ")
        return [row.add("   ").fit(said.outcome, width - row.cells - 2, "muted")]
    end = _LEFT + 3 + max(8, len(f"{said.total:,}"))
    rows = []
    for at, (number, what) in enumerate(said.terms):
        row = panel.row().to(_LEFT + 2).add("+" if at else "", "muted").right(end, f"{number:,}")
        rows.append(row.add("   ").add(what, "muted"))
    rows.append(panel.row().to(_LEFT + 2).add(panel.signs.light * (end - _LEFT - 2), "track"))
    row = panel.row().right(end, f"{said.total:,}", "strong")
    room = width - end - len(f"{said.limit or 0:,}") - len(said.outcome) - 5
    _compare(panel, row, said, apart="  " if room >= 5 else " ")
    return [*rows, row.add("   ").fit(said.outcome, width - row.cells - 2, "muted")]


def sum_row(panel: Panel, playback: Playback, said: Telling, width: int) -> Row:
    """The same in one line."""
    row = panel.row().to(_LEFT)
    if playback.index is not None:
        row.add(f"{panel.signs.play} ", "accent").add(f"#{playback.index}", "accent").add("   ")
    else:
        row.add(said.title, "strong").add("   " if said.terms or said.outcome else "")
    if said.terms:
        row.add(" + ".join(f"{number:,}" for number, _ in said.terms), "text" if len(said.terms) > 1 else "strong")
        if len(said.terms) > 1:
            row.add(" = ", "muted").add(f"{said.total:,}", "strong")
        else:
            row.add(f" {said.terms[0][1]}", "muted")
        _compare(panel, row, said, apart=" ")
        row.add("   ")
    return row.fit(shown(panel, said.outcome), width - row.cells - 2, "muted")


def _compare(panel: Panel, row: Row, said: Telling, apart: str) -> None:
    if said.limit is not None:
        sign = ">" if said.is_over else panel.signs.at_most
        row.add(apart).add(sign, "bad" if said.is_over else "muted").add(apart).add(f"{said.limit:,}", "strong")


def verdict_row(panel: Panel, said: Telling, width: int) -> Row:
    """What follows."""
    row = panel.row().to(_LEFT)
    if said.state is not None:
        row.add(*state_sign(panel.signs, said.state)).to(_LEFT + 3)
    row.add(shown(panel, said.verdict), "strong")
    return row.fit(said.rest, width - row.cells - 2, "muted")


def step_row(panel: Panel, playback: Playback, at: int, width: int) -> Row:
    """A step in a line of the list of steps: numbers in columns, then what came of it."""
    step, is_now = playback.trace[at], at == playback.at
    row = panel.row(panel.inks_on("cursor") if is_now else None)
    row.add(panel.signs.cursor if is_now else " ", "accent").to(_LEFT + 1)
    ink, main = ("text", "strong") if is_now else ("muted", "muted")
    if not isinstance(step, Decided):
        return _line_about_a_gate(panel, row, playback.to(at).telling(), isinstance(step, Cleared), width, ink, main)
    number = max(6, len(f"{step.limit:,}") + 1)
    over = step.total > step.limit
    row.add(f"#{step.index}", main).to(_LEFT + 1 + max(6, len(str(len(playback.examination.session))) + 2))
    begin = row.cells
    row.right(begin + number, f"{step.used:,}", ink).add(" + ", ink)
    row.right(begin + 3 + 2 * number, f"{step.size:,}", ink).add(" = ", ink)
    row.right(begin + 6 + 3 * number, f"{step.total:,}", main).add(" ")
    row.add(">" if over else panel.signs.at_most, "bad" if over else ink).add(f" {step.limit:,}", ink)
    if row.cells + 11 <= width:
        row.to(width - 10).add(*state_sign(panel.signs, playback.examination.projection.states[step.index]))
        row.right(width - 2, "forced" if step.forced else "keep" if step.kept else "skip", ink)
    return row.to(width)


def _line_about_a_gate(panel: Panel, row: Row, said: Telling, is_tier: bool, width: int, ink: str, main: str) -> Row:
    row.add(said.title, main).add("   ")
    if said.terms:
        over = said.is_over
        row.add(f"{said.total:,} {said.terms[0][1]} ", ink)
        row.add(">" if over else panel.signs.at_most, "bad" if over else ink).add(f" {said.limit:,}", ink)
    else:
        row.fit(shown(panel, said.outcome if is_tier else said.verdict), width - row.cells - 2, ink)
    return row.to(width)
