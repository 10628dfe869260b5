"""Which tool an output came from."""

from __future__ import annotations

from collections.abc import Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.calls import answered_ids, own_name, raw_calls
from ctxviz.session.kind import KINDS, Kind, kind_code

_TOOL_CALL, _TOOL_OUTPUT = KINDS.index(Kind.TOOL_CALL), KINDS.index(Kind.TOOL_OUTPUT)


def tool_names(items: Sequence[Json]) -> dict[int, str]:
    """For each tool output whose tool is known: its index to the tool's name.

    The name is that of the nearest earlier call with the output's id (ids can repeat), else the
    one that the output carries itself. A message with the results of several tools names them
    all: "grep, read_file".
    """
    names: dict[int, str] = {}
    name_of_id: dict[str, str | None] = {}
    for index, item in enumerate(items):
        code = kind_code(item)
        if code == _TOOL_CALL:
            for call in raw_calls(item):
                if call.call_id is not None:
                    name_of_id[call.call_id] = call.name
        elif code == _TOOL_OUTPUT:
            found = dict.fromkeys(name for call_id in answered_ids(item) if (name := name_of_id.get(call_id)))
            name = ", ".join(found) or own_name(item)
            if name:
                names[index] = name
    return names
