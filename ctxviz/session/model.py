"""A session: the saved run of an agent."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ctxviz.projection.json_value import Json
from ctxviz.projection.measure import Form, Measure, measure_items
from ctxviz.projection.report import ContextReport
from ctxviz.projection.source import Source
from ctxviz.session.item import KINDS, Kind, kind_code
from ctxviz.session.pairing import ToolNames
from ctxviz.session.table import GLIMPSE_FROM_BYTES, Census, LazyItems, Rows

if TYPE_CHECKING:
    from ctxviz.session.links import Links

_PREPARED_AT_ONCE = 1_000


@dataclass(frozen=True)
class ModelCall:
    """One request to the model that the session recorded.

    `step` restarts at 0 with each run, `run` names the run (ai4j's `turnId`), `report` is the
    projection's recorded report, None where no projector ran. `prompt` is the recorded prompt's
    items, which are the projected ones (rewritten, where a projector rewrites); None where none
    are recorded.
    """

    step: int | None
    run: str | None
    report: ContextReport | None
    prompt: Sequence[Json] | None = None


@dataclass(frozen=True)
class Compaction:
    """A point at which the memory was replaced, as an event of the session records it.

    It happened before the model call with the index `call` (the number of calls before it).
    `items` is the memory after it, with the summary's message first if it has one. Compactions
    by hand are not recorded in ai4j's sessions.
    """

    call: int
    items: Sequence[Json]


@dataclass(frozen=True)
class Conversation:
    """One of several in a file or a folder.

    `id` is what `--conversation` takes, `title` what a person reads (often the first message),
    `items` how many items or messages it has, None if that is not known before it is read,
    `changed` when it was changed last, in seconds since 1970, None if the file does not say.
    """

    id: str
    title: str = ""
    items: int | None = None
    changed: float | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Session:
    """The items of a saved run, with what the file says about them. Nothing in it is ever altered.

    `live_forms` is one form an item as it was while its process lived, None if all were maps;
    `stored_forms` the same for the items as a resumed process reads them back (a summary is made
    anew for each call and so never stored), None if all are stored. `nothing` says in a sentence
    why a session has no items, and is empty if it has some. `warnings` are sentences that begin
    with a place. `certainty` says how sure the format is: 1 if it was named or can't be another,
    else the share of the records looked at that are of it. `rows` has all records with the items
    out of context, None where the format has no such thing; `included` are the reasons whose items
    were put into the list. `conversation` is which one of several was read, None if there was no
    choice.
    """

    path: str
    name: str
    format: str
    format_title: str
    items: Sequence[Json]
    calls: Sequence[ModelCall] = ()
    warnings: tuple[str, ...] = ()
    live_forms: Sequence[Form] | None = None
    stored_forms: Sequence[Form] | None = None
    nothing: str = ""
    compactions: Sequence[Compaction] = ()
    certainty: float = 1.0
    rows: Rows | None = None
    included: frozenset[str] = frozenset()
    conversation: Conversation | None = None

    def __len__(self) -> int:
        return len(self.items)

    def source(self, measure: Measure) -> Source:
        """The items with their sizes under a measure; made once for each measure."""
        made = self._sources.get(measure)
        if made is None:
            forms = {"live": self.live_forms, "resumed": self.stored_forms}.get(measure)
            made = self._sources[measure] = Source(self.items, measure if forms is None else forms)
        return made

    def glimpse(self, index: int) -> Json:
        """The item, of a very large one only what its first bytes say: for a line, never for numbers."""
        return self.items.glimpse(index) if isinstance(self.items, LazyItems) else self.items[index]

    def is_large(self, index: int) -> bool:
        """Whether decoding the item takes so long that the screen must not wait for it."""
        return isinstance(self.items, LazyItems) and self.items.size_bytes(index) > GLIMPSE_FROM_BYTES

    def is_measured(self, measure: Measure) -> bool:
        """Whether the sizes under a measure are known: to find them goes over all items."""
        source = self._sources.get(measure)
        return source is not None and "sizes" in vars(source)

    def including(self, reasons: frozenset[str]) -> Session:
        """The session with the items of records that were set aside for these reasons in the list."""
        if self.rows is None or reasons == self.included:
            return self
        session = replace(self, items=self.rows.items(reasons), included=reasons)
        session.prepare(lambda done: None)
        return session

    @cached_property
    def census(self) -> Census | None:
        """How many records were read, used and set aside; None where the format has no records."""
        return None if self.rows is None else self.rows.census(self.included)

    def prepare(self, between: Callable[[int], None]) -> None:
        """Make the live sizes and the kinds now, so that no one waits for them later.

        `between` is called with the number of items done, every thousand of them; what it raises
        ends the work and passes through.
        """
        if isinstance(self.items, LazyItems):
            source = self._sources["live"] = Source(self.items, "live", self.items.table.sizes)
            vars(self)["kinds"] = self.items.table.kinds
            _ = source.index, source.largest
            return
        forms = self.live_forms
        sizes: array[int] = array("q")
        codes = bytearray()
        for start in range(0, len(self.items), _PREPARED_AT_ONCE):
            between(start)
            stop = start + _PREPARED_AT_ONCE
            some = self.items[start:stop]
            sizes.extend(measure_items(some, "live" if forms is None else forms[start:stop]))
            codes.extend(map(kind_code, some))
        self._sources["live"] = Source(self.items, "live" if forms is None else forms, sizes)
        vars(self)["kinds"] = bytes(codes)

    @cached_property
    def _sources(self) -> dict[Measure, Source]:
        return {}

    @cached_property
    def kinds(self) -> bytes:
        """One byte an item: its kind's place in `Kind`."""
        return bytes(map(kind_code, self.items))

    def kind(self, index: int) -> Kind:
        """What the item is."""
        return KINDS[self.kinds[index]]

    @cached_property
    def links(self) -> Links:
        """Which outputs answer which calls: to find them goes over all items, once."""
        from ctxviz.session.links import find_links  # not needed for the first paint

        return find_links(self.items, self.kinds)

    @property
    def is_linked(self) -> bool:
        """Whether `links` is known already."""
        return "links" in vars(self)

    def link(self, between: Callable[[], None]) -> None:
        """Find `links` now; `between` is called now and then, and what it raises ends the work."""
        from ctxviz.session.links import find_links

        if not self.is_linked:
            vars(self)["links"] = find_links(self.items, self.kinds, between)

    @cached_property
    def tool_names(self) -> ToolNames:
        """The tool of each output whose call is known."""
        return ToolNames(self.glimpse, self.kinds)
