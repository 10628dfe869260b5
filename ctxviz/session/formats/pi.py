"""pi's and OpenClaw's sessions: JSON Lines, a line of entries (version 1) or a tree of them (2 and 3).

What goes to the model is what pi's `buildSessionContext` and `transformMessages` let through
(badlogic/pi-mono, packages/coding-agent and packages/ai).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from ctxviz.projection.json_value import Json
from ctxviz.session.compact_json import compact_json
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.shapes import call, message, output, reasoning
from ctxviz.session.opened import Opened
from ctxviz.session.records import Records
from ctxviz.session.table import Builder

NAME = "pi"
TITLE = "pi session"
KNOWN_BY = "a session header and entries of type message with a role"
READS = "the branch of the last entry, from the last compaction's first kept entry, after its summary"
LEAVES_OUT = "other branches, what was compacted, bash runs kept from the context, custom data, labels"

_BOOKKEEPING = frozenset(
    {
        "session", "session_info", "custom", "label", "model_change", "thinking_level_change", "active_tools_change",
        "usage", "context_edit",
    }
)  # fmt: skip
_SEEN = frozenset({"message", "compaction", "branch_summary", "custom_message"})
_ROLES = frozenset({"user", "assistant", "toolResult", "bashExecution", "custom", "hookMessage"})

BRANCH = "on a branch that was left"
COMPACTED = "before the compaction"
EXCLUDED = "kept from the context"
FAILED = "not sent: an answer that failed or was broken off"
EDITED = "replaced by a context edit"
_ROOT, _LOST = -1, -2


def looks_like(file: Opened) -> float:
    """The share of the records that are entries, if a header or messages in pi's words are among them."""
    sample = file.sample() if isinstance(file, Records) else ()
    if any(_is_header(record) or _has_own_words(record) for record in sample):
        return 0.95 * sum(map(_is_entry, sample)) / len(sample)
    # Others have records of this type, too.
    return 0.6 * sum(map(_is_entry, sample)) / len(sample) if any(map(_is_message, sample)) else 0


def _is_entry(record: Json) -> bool:
    kind = record.get("type") if isinstance(record, dict) else None
    if kind == "message":
        return _is_message(record)
    return isinstance(kind, str) and (kind in _SEEN or kind in _BOOKKEEPING)


def _is_header(record: Json) -> bool:
    return isinstance(record, dict) and record.get("type") == "session" and "cwd" in record and "timestamp" in record


def _is_message(record: Json) -> bool:
    if not isinstance(record, dict) or record.get("type") != "message" or "sessionId" in record:
        return False
    inner = record.get("message")
    role = inner.get("role") if isinstance(inner, dict) else None
    return isinstance(role, str) and role in _ROLES


def _has_own_words(record: Json) -> bool:
    inner = record.get("message") if isinstance(record, dict) and _is_message(record) else None
    if not isinstance(inner, dict):
        return False
    return inner.get("role") in ("toolResult", "bashExecution", "hookMessage") or bool(_call_ids({"message": inner}))


def read(file: Opened, conversation: str | None = None) -> Content:
    """What the model saw last."""
    if not isinstance(file, Records):
        raise NotReadable("holds no items: a pi session is JSON Lines")
    entries = _Entries()
    for number, record in file.each():
        entries.take(number, record)
    entries.settle()
    builder = Builder(file)
    for number in entries.order():
        reason = entries.reasons.get(number)
        items = () if reason is not None and reason.startswith("bookkeeping") else entries.items(file[number], number)
        if reason is not None:
            builder.set_aside(number, reason, items)
            continue
        builder.add(number, items)
        if number in entries.edits:
            builder.leave_out(number, EDITED)
    rows = builder.rows(entries.items)
    return Content(rows=rows, nothing="" if len(rows.items()) else "The file is whole: a session with no message.")


@dataclass(eq=False)
class _Entries:
    """What is known of each entry without its text. Ids are known by their hashes."""

    parents: array[int] = field(default_factory=lambda: array("q"))
    """Each entry's parent; `_ROOT` for none, `_LOST` for one that is not in the file."""
    reasons: dict[int, str] = field(default_factory=dict)
    edits: dict[int, Json] = field(default_factory=dict)
    """What an entry's content was replaced with."""
    summary: int = -1
    """The last compaction on the branch, -1 if there is none."""
    kept: int = -1
    """From which entry on it kept all."""
    _numbers: dict[int, int] = field(default_factory=dict)
    _called: dict[int, int] = field(default_factory=dict)
    """A call's id to the entry that made it: OpenClaw hangs results on it."""
    _later: dict[int, int] = field(default_factory=dict)
    _compactions: dict[int, Json] = field(default_factory=dict)
    _edits: list[tuple[int, Json, Json]] = field(default_factory=list)
    _has_parents: bool = False
    _last: int = -1

    def take(self, number: int, record: Json) -> None:
        """Learn what an entry is; they come in the order of the file."""
        self.parents.append(_LOST)
        if not isinstance(record, dict):
            self.reasons[number] = "no record: not an object"
            return
        reason = _reason(record)
        if reason is not None:
            self.reasons[number] = reason
        kind = record.get("type")
        if kind == "session":
            # The header is no entry; OpenClaw's first entries hang on it.
            self.parents[number] = _ROOT
        else:
            self._last = number
            self._link(number, record)
        if isinstance(entry := record.get("id"), str):
            self._numbers[hash(entry)] = number
        if kind == "compaction":
            self._compactions[number] = record.get("firstKeptEntryId", record.get("firstKeptEntryIndex"))
        elif kind == "context_edit":
            self._edits.append((number, record.get("targetId"), record.get("replacement")))
        for call_id in _call_ids(record):
            self._called[hash(call_id)] = number

    def _link(self, number: int, record: dict[str, Json]) -> None:
        parent = record.get("parentId", "")
        if parent is None:
            self.parents[number] = _ROOT
        elif isinstance(parent, str) and "parentId" in record:
            self._has_parents = True
            found = self._found(hash(parent))
            if found is None:
                self._later[number] = hash(parent)
            else:
                self.parents[number] = found

    def _found(self, name: int) -> int | None:
        return self._numbers.get(name, self._called.get(name))

    def settle(self) -> None:
        """Tell what is in context; all entries were taken."""
        for number, name in self._later.items():
            found = self._found(name)
            self.parents[number] = _LOST if found is None else found
        seen = self._branch()
        self.summary = max((number for number in self._compactions if seen[number]), default=-1)
        if self.summary >= 0:
            self.kept = self._kept_from(self._compactions[self.summary])
        for number, target, replacement in self._edits:
            at = self._numbers.get(hash(target)) if isinstance(target, str) else None
            if at is not None and seen[number] and seen[at]:
                self._edit(at, replacement)
        for number in range(len(self.parents)):
            if number in self.reasons or number == self.summary:
                continue
            if not seen[number]:
                self.reasons[number] = BRANCH
            elif number < self.kept or number in self._compactions:
                self.reasons[number] = COMPACTED

    def _edit(self, number: int, replacement: Json) -> None:
        if isinstance(replacement, dict):
            self.edits[number] = replacement.get("content")
            if self.reasons.get(number) == EDITED:
                del self.reasons[number]
        elif replacement is None:
            self.edits.pop(number, None)
            self.reasons.setdefault(number, EDITED)

    def _branch(self) -> bytearray:
        """The entries from the last one to the root; all, where entries have no parents (version 1).

        Where a parent is lost, or parents go in a circle, the way goes on with the entry just before
        in the file, unless a later one goes on from that: then it is on another branch.
        """
        count = len(self.parents)
        if not self._has_parents:
            return bytearray(b"\1" * count)
        last_children = array("q", [-1]) * count
        for number, parent in enumerate(self.parents):
            if parent >= 0:
                last_children[parent] = number
        seen = bytearray(count)
        at, below = self._last, count
        while at >= 0 and not seen[at]:
            seen[at] = 1
            parent = self.parents[at]
            if parent == _LOST or (parent >= 0 and seen[parent]):
                parent = min(at, below) - 1
                while parent >= 0 and (seen[parent] or last_children[parent] > at):
                    parent -= 1
                below = max(parent, 0)  # Never up again: all lost parents together cost one pass.
            at = parent
        return seen

    def _kept_from(self, first: Json) -> int:
        """The entry from which a compaction kept all, itself if it kept none.

        By id; in files of version 1 by its place among all records, the header's is 0.
        """
        number: int | None = None
        if isinstance(first, str):
            number = self._numbers.get(hash(first))
        elif isinstance(first, int) and not isinstance(first, bool):
            number = first if 0 < first < self.summary else None
        return self.summary if number is None or number > self.summary else number

    def order(self) -> Sequence[int]:
        """All records in the order in which the model saw them: a summary stands before what was kept."""
        if self.summary < 0:
            return range(len(self.parents))
        rest = (range(self.kept), [self.summary], range(self.kept, self.summary))
        return [*(number for part in rest for number in part), *range(self.summary + 1, len(self.parents))]

    def items(self, record: Json, number: int) -> Sequence[Json]:
        """An entry's items."""
        if not isinstance(record, dict):
            return (record,)
        kind = record.get("type")
        if kind in ("compaction", "branch_summary"):
            return (message("user", record.get("summary")),)
        if kind == "custom_message":
            return (message("user", self.edits.get(number, record.get("content"))),)
        inner = record.get("message")
        if kind != "message" or not isinstance(inner, dict):
            return (record,)
        if number in self.edits:
            inner = {**inner, "content": self.edits[number]}
        return _message_items(inner)


def _reason(record: dict[str, Json]) -> str | None:
    """Why an entry can't be in context, whatever branch it is on; None if it can."""
    kind = record.get("type")
    if not isinstance(kind, str):
        return "no record: it has no type"
    if kind in _BOOKKEEPING:
        return f"bookkeeping: {kind}"
    if kind not in _SEEN:
        return f"unknown record: {kind[:40]}"
    inner = record.get("message")
    if kind != "message" or not isinstance(inner, dict):
        return None
    if inner.get("excludeFromContext") is True:
        return EXCLUDED
    return FAILED if inner.get("role") == "assistant" and inner.get("stopReason") in ("error", "aborted") else None


def _call_ids(record: dict[str, Json]) -> list[str]:
    inner = record.get("message")
    content = inner.get("content") if isinstance(inner, dict) else None
    blocks = content if isinstance(content, list) else []
    ids = (block.get("id") for block in blocks if isinstance(block, dict) and block.get("type") == "toolCall")
    return [call_id for call_id in ids if isinstance(call_id, str)]


def _message_items(inner: dict[str, Json]) -> Sequence[Json]:
    role, content = inner.get("role"), inner.get("content")
    if role == "toolResult":
        return (output(inner.get("toolCallId"), content, inner.get("toolName")),)
    if role == "bashExecution":
        return (message("user", _bash(inner)),)
    if role in ("custom", "hookMessage"):
        return (message("user", content),)
    if role in ("compactionSummary", "branchSummary"):
        return (message("user", inner.get("summary")),)
    if role not in ("user", "assistant", "system", "developer"):
        return (inner,)
    if not isinstance(content, list):
        return (message(str(role), content),)
    return _blocks(str(role), content)


def _bash(run: dict[str, Json]) -> str:
    """A command that the person ran, as pi words it for the model (`bashExecutionToText`)."""
    given, code, path = (_text(run.get(key)) for key in ("output", "exitCode", "fullOutputPath"))
    shown = f"```\n{given}\n```" if given else "(no output)"
    if run.get("cancelled") is True:
        shown += "\n\n(command cancelled)"
    elif code not in ("", "0"):
        shown += f"\n\nCommand exited with code {code}"
    if run.get("truncated") is True and path:
        shown += f"\n\n[Output truncated. Full output: {path}]"
    return f"Ran `{_text(run.get('command'))}`\n{shown}"


def _text(value: Json) -> str:
    return value if isinstance(value, str) else "" if value is None else compact_json(value)


def _blocks(role: str, content: list[Json]) -> list[Json]:
    """One item for each call and each thought, one for what stands between them."""
    items: list[Json] = []
    together: list[Json] = []
    for block in content:
        kind = block.get("type") if isinstance(block, dict) else None
        if not isinstance(block, dict) or kind not in ("toolCall", "thinking"):
            together.append(block)
            continue
        if together:
            items.append(message(role, together))
            together = []
        if kind == "toolCall":
            items.append(call(block.get("name"), block.get("id"), block.get("arguments")))
        else:
            items.append(reasoning(block.get("thinking")))
    if together:
        items.append(message(role, together))
    return items
