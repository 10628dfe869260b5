"""How far the gates are in a step of the player: what reaches each, and what it has walked over."""

from __future__ import annotations

from ctxviz.analysis.playback import Playback, Progress, span_words
from ctxviz.projection.selection import Gate
from ctxviz.projection.trace import GateClosed, GateOpened, GateSkipped
from ctxviz.tui.paint import Panel, Row

_LEFT = 2
_GATES: tuple[tuple[Gate, str], ...] = ((1, "maxItems"), (2, "maxApproxChars"))


def gate_rows(panel: Panel, playback: Playback, width: int) -> list[Row]:
    """A row a gate, and under a gate that has something to do what it does; as many rows in each step."""
    rows: list[Row] = []
    for gate, name in _GATES:
        opened, progress = playback.trace[playback.trace.span(gate)[0]], playback.progress(gate)
        row = panel.row().to(_LEFT)
        _add_gate(panel, row, gate, progress)
        words = _passage(panel, playback, gate)
        room = width - 5 - len(words) - row.cells
        limit = getattr(opened, "limit", None)
        named = name if limit is None else f"{name} {limit:,}"
        # In a narrow column the limit stands in the comparison already.
        named = next((text for text in (f"  {named}", f"  {name}") if len(text) <= room), "")
        row.add(named, "muted").right(width - 2, words, "muted" if progress == "before" else "text")
        rows.append(row)
        if isinstance(opened, GateOpened):
            rows += [_cut(panel, playback, opened)] if gate == 1 else _walks(panel, playback, opened, width)
    return rows


def gates_row(panel: Panel, playback: Playback, width: int) -> Row:
    """Both gates in one row; where there is no room for both the one at work."""
    row = panel.row().to(_LEFT)
    for gate, _ in _GATES:
        row.add("   " if gate == 2 else "")
        _add_gate(panel, row, gate, playback.progress(gate)).add(_passage(panel, playback, gate, brief=True), "muted")
    if row.cells > width - 2:
        gate = 2 if playback.progress(1) == "done" else 1
        row = panel.row().to(_LEFT)
        _add_gate(panel, row, gate, playback.progress(gate)).add(_passage(panel, playback, gate, brief=True), "muted")
    opened = playback.trace[playback.trace.span(2)[0]]
    if isinstance(opened, GateOpened):
        for name, done, total, progress, _ in _each_walk(playback, opened):
            words = f"   {name} {done:,} of {total:,}"
            if row.cells + len(words) <= width - 2:
                row.add(words, "text" if progress == "now" else "muted")
    return row


def _add_gate(panel: Panel, row: Row, gate: Gate, progress: Progress) -> Row:
    _add_mark(panel, row, progress)
    return row.add(f"gate {gate} ", {"before": "muted", "now": "accent", "done": "strong"}[progress])


def _add_mark(panel: Panel, row: Row, progress: Progress) -> Row:
    signs = panel.signs
    sign = {"before": signs.undecided, "now": signs.play, "done": signs.done}[progress]
    return row.add(f"{sign} ", {"before": "muted", "now": "accent", "done": "text"}[progress])


def _passage(panel: Panel, playback: Playback, gate: Gate, *, brief: bool = False) -> str:
    """What reaches the gate, held against its limit, or how many items pass the first one."""
    start, stop = playback.trace.span(gate)
    first, last = playback.trace[start], playback.trace[stop - 1]
    if isinstance(first, GateSkipped):
        number = first.item_count if gate == 1 else first.approx_chars
        return "no limit" if first.limit is None else f"{number:,} {panel.signs.at_most} {first.limit:,}"
    assert isinstance(first, GateOpened)  # a gate that is not skipped opens
    if gate == 2:
        return f"{first.approx_chars:,} > {first.limit:,}"
    assert isinstance(last, GateClosed)  # what opens is closed
    return f"{first.item_count:,} {panel.signs.becomes} {last.item_count:,}{'' if brief else ' items'}"


def _cut(panel: Panel, playback: Playback, opened: GateOpened) -> Row:
    selection, row = playback.examination.projection.selection, panel.row().to(_LEFT + 11)
    parts = [f"first {opened.head:,}"] if opened.head else []
    parts += [f"last {opened.newest:,}"] if opened.newest else []
    row.add(", ".join(parts) or "nothing is kept", "muted")
    if playback.progress(1) == "done":
        span = span_words(selection.head, selection.tail).replace("–", panel.signs.dash)
        row.add(f"; {span} cut", "muted")
    return row


def _each_walk(playback: Playback, opened: GateOpened) -> list[tuple[str, int, int, Progress, int]]:
    """Gate 2's walks that have items: name, decided, all of them, how far it is, characters kept."""
    if not opened.limit:
        return []
    trace = playback.trace
    weighed, used = trace.weighed(playback.known_to), trace.used(playback.known_to)
    found: list[tuple[str, int, int, Progress, int]] = []
    for at, (name, total) in enumerate((("prefix", opened.head), ("tail", opened.newest))):
        has_begun = playback.progress(2) != "before" and (at == 0 or weighed[0] == opened.head)
        progress: Progress = "done" if weighed[at] == total else "now" if has_begun else "before"
        if total:
            found.append((name, weighed[at], total, progress, used[at]))
    return found


def _walks(panel: Panel, playback: Playback, opened: GateOpened, width: int) -> list[Row]:
    last, signs, rows = len(playback.examination.session) - 1, panel.signs, []
    for name, done, total, progress, used in _each_walk(playback, opened):
        row = _add_mark(panel, panel.row().to(_LEFT + 2), progress)
        way, begin = ("forwards", 0) if name == "prefix" else ("backwards", last)
        row.add(signs.pinned if name == "prefix" else signs.kept, "pinned" if name == "prefix" else "kept")
        share, chars = f"{done:,} of {total:,}", f"{used:,}"
        end = width - 2 - max(len(f"{opened.limit:,}") + 3, len(chars) + 2)
        room = end - len(share) - row.cells - 2
        words = (f" {name}, {way} from #{begin}", f" {name}, {way}", f" {name}")
        row.add(next((text for text in words if len(text) <= room), ""), "muted")
        rows.append(row.right(end, share, "text").right(width - 2, chars, "text"))
    return rows
