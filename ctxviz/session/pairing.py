"""Which call a tool output answers, and which tool it came from."""

from __future__ import annotations

from collections.abc import Callable

from ctxviz.projection.json_value import Json
from ctxviz.session.calls import answered_ids, own_name, raw_calls
from ctxviz.session.kind import KINDS, Kind

_TOOL_CALL, _TOOL_OUTPUT = KINDS.index(Kind.TOOL_CALL), KINDS.index(Kind.TOOL_OUTPUT)
_CALLS_LOOKED_AT = 2_000
_NAMES_KEPT = 10_000


class ToolNames:
    """The tool that each output came from, found when it is asked for.

    The name is that of the nearest earlier call with the output's id (ids can repeat), else the
    one that the output carries itself. A message with the results of several tools names them
    all: "grep, read_file". A call that is more than 2,000 calls back is not found here.
    """

    def __init__(self, item_at: Callable[[int], Json], kinds: bytes) -> None:
        self._item_at = item_at
        self._kinds = kinds
        self._names: dict[int, str | None] = {}

    def get(self, index: int) -> str | None:
        """The tool's name, None for what is no output and where it is unknown."""
        if self._kinds[index] != _TOOL_OUTPUT:
            return None
        if index not in self._names:
            if len(self._names) >= _NAMES_KEPT:
                self._names.clear()
            self._names[index] = self._find(index)
        return self._names[index]

    def _find(self, index: int) -> str | None:
        item = self._item_at(index)
        wanted = answered_ids(item)
        names: dict[str, str | None] = {}
        at = index
        for _ in range(_CALLS_LOOKED_AT if wanted else 0):
            at = self._kinds.rfind(_TOOL_CALL, 0, at)
            if at < 0:
                break
            for call in reversed(list(raw_calls(self._item_at(at)))):
                if call.call_id in wanted and call.call_id is not None:
                    names.setdefault(call.call_id, call.name)
            if len(names) == len(set(wanted)):
                break
        found = dict.fromkeys(name for call_id in wanted if (name := names.get(call_id)))
        return ", ".join(found) or own_name(item)
