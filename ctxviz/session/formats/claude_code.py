"""Claude Code's transcripts: a tree of records, of which the model sees one branch.

What the records mean is not published; the rules are those that files of versions 1.0 to 2.1 and
reports about their readers show. The lines of `claude -p --output-format stream-json`, which has
no parents, are read by the same rules.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ctxviz.projection.json_value import Json
from ctxviz.session.compact_json import compact_json
from ctxviz.session.formats.blocks import split_message
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.opened import Opened
from ctxviz.session.records import Records
from ctxviz.session.table import Builder

NAME = "claude-code"
TITLE = "Claude Code"
KNOWN_BY = "records with uuid or sessionId and a message, and bookkeeping records between them"
READS = "the branch that was gone on with, from the last compaction; a block an item; attachments"
LEAVES_OUT = "sidechains, branches that were left, what is before the compaction, bookkeeping"

_BOOKKEEPING = frozenset(
    {
        "summary", "custom-title", "ai-title", "agent-name", "agent-color", "agent-setting", "last-prompt", "mode",
        "permission-mode", "tag", "pr-link", "worktree-state", "relocated", "bridge-session", "atis-latch",
        "frame-link", "queue-operation", "progress", "file-history-snapshot", "file-history-delta",
        "attribution-snapshot", "task-summary", "speculation-accept", "content-replacement", "started", "result",
        # Of stream-json.
        "stream_event", "rate_limit_event", "tool_progress", "tool_use_summary", "auth_status", "keep_alive",
        "control_request", "control_response", "prompt_suggestion",
    }
)  # fmt: skip

SIDECHAIN = "sidechain"
BRANCH = "on a branch that was left"
COMPACTED = "before the compaction"
REPEATED = "repeated in a later line of the message"
REPLACED = "replaced before it was sent: tool result"
EMPTY = "nothing in it"

# What a record is, a bit each.
_NODE, _SIDE, _TALK, _RESULT, _META, _SUMMARY, _BOUNDARY = 1, 2, 4, 8, 16, 32, 64
_ROOT, _LOST = -1, -2
_BLOCKS_REMEMBERED = 1 << 14


def looks_like(file: Opened) -> float:
    """The share of the records that are a transcript's own, if one of them has a message."""
    sample = file.sample() if isinstance(file, Records) else ()
    if not sample or any(map(has_parts, sample)):
        return 0
    messages = sum(map(_is_message, sample))
    matching = messages + sum(map(_is_bookkeeping, sample))
    if messages:
        return 0.95 * matching / len(sample)
    # Files begin with bookkeeping, and some were never gone on with.
    named = any(isinstance(record, dict) and isinstance(record.get("sessionId"), str) for record in sample)
    return 0.6 * matching / len(sample) if named else 0


def has_parts(record: Json) -> bool:
    """Whether a record is Qwen Code's, which took the tree from Claude Code and the messages from Gemini."""
    message = record.get("message") if isinstance(record, dict) else None
    return isinstance(message, dict) and isinstance(message.get("parts"), list)


def _is_message(record: Json) -> bool:
    if not isinstance(record, dict) or record.get("type") not in ("user", "assistant", "system", "attachment"):
        return False
    if not any(isinstance(record.get(key), str) for key in ("uuid", "sessionId", "session_id")):
        return False
    message = record.get("message")
    if isinstance(message, dict):
        return "content" in message or "role" in message
    return record["type"] in ("system", "attachment") and "payload" not in record


def _is_bookkeeping(record: Json) -> bool:
    if not isinstance(record, dict) or "payload" in record:
        return False
    kind = record.get("type")
    return isinstance(kind, str) and (kind in _BOOKKEEPING or kind.startswith("marble-origami"))


def read(file: Opened, conversation: str | None = None) -> Content:
    """The items that the model saw last."""
    if not isinstance(file, Records):
        raise NotReadable("holds no items: a Claude Code transcript is JSON Lines")
    return read_tree(file, "content", split_message)


def read_tree(file: Records, key: str, split: Callable[[Json, Json], list[Json]]) -> Content:
    """The same for a transcript whose messages have their content under another key: `split` makes items of it."""
    tree = _Tree(key, split)
    for number, record in file.each():
        tree.take(number, record)
    tree.settle()
    builder = Builder(file)
    for number in tree.order():
        _add(builder, tree, file, number)
    rows = builder.rows(tree.items)
    return Content(rows=rows, nothing="" if len(rows.items()) else "The file is whole: a transcript with no message.")


def _add(builder: Builder, tree: _Tree, records: Records, number: int) -> None:
    reason = tree.reason(number)
    if reason is not None and not tree.can_have_items(number):
        builder.set_aside(number, reason)
        return
    items = tree.items(records[number], number)
    if reason is None and not items:
        reason = REPEATED if number in tree.repeated else EMPTY
    if reason is not None:
        builder.set_aside(number, reason, items)
        return
    builder.add(number, items)
    for _ in tree.repeated.get(number, ()):
        builder.leave_out(number, REPEATED)
    for _ in range(tree.replaced(items)):
        builder.leave_out(number, REPLACED)


@dataclass(eq=False)
class _Tree:
    """What is known of each record without its text, and which of them the model saw.

    Records are known by their numbers, names (uuids, ids of messages) by their hashes: a file can
    have millions of them.
    """

    key: str
    split: Callable[[Json, Json], list[Json]]
    marks: bytearray = field(default_factory=bytearray)
    parents: array[int] = field(default_factory=lambda: array("q"))
    """Each record's parent; `_ROOT` for none, `_LOST` for one that is not in the file."""
    codes: bytearray = field(default_factory=bytearray)
    """Why each record is out of context: a place in `reasons`, 0 if it is not."""
    reasons: list[str] = field(default_factory=lambda: [""])
    numbers: dict[int, int] = field(default_factory=dict)
    later: dict[int, int] = field(default_factory=dict)
    """The records whose parents were not there yet."""
    boundary: tuple[int, Json] = (-1, None)
    """The last compaction, and what it says of itself."""
    hint: tuple[int, Json] | None = None
    heads: dict[int, int] = field(default_factory=dict)
    """The later lines of an API message, each to its first."""
    replacements: dict[str, Json] = field(default_factory=dict)
    repeats: list[tuple[int, int, int]] = field(default_factory=list)
    """A record, a block in it, and the later line of the message that has the block too."""
    repeated: dict[int, set[int]] = field(default_factory=dict)
    in_context: bytearray = field(default_factory=bytearray)
    moved_to: int = -1
    """After which record what the compaction kept is seen, -1 if it kept nothing."""
    _codes: dict[str, int] = field(default_factory=dict)
    _runs: dict[int, int] = field(default_factory=dict)
    _blocks: dict[int, int] = field(default_factory=dict)
    _has_parents: bool = False

    # -- the first pass -----------------------------------------------------------------------------

    def take(self, number: int, record: Json) -> None:
        """Learn what a record is; they come in the order of the file."""
        self.marks.append(0)
        self.parents.append(_LOST)
        self.codes.append(0)
        if not isinstance(record, dict):
            self._put_aside(number, "no record: not an object")
            return
        kind = record.get("type")
        has_message = isinstance(record.get("message"), dict)
        in_tree = kind in ("user", "assistant", "system", "attachment") if isinstance(kind, str) else has_message
        if in_tree or has_message or isinstance(record.get("uuid"), str):
            # Bookkeeping too, where it has a uuid: parents are `progress` records up to version 2.1.
            self._link(number, record)
        reason = _reason(kind, record, has_message)
        if reason is not None:
            self._put_aside(number, reason)
            self._note(number, kind, record)
        elif kind != "attachment":
            self._talk(number, record)

    def _link(self, number: int, record: dict[str, Json]) -> None:
        side = record.get("isSidechain") is True or isinstance(record.get("parent_tool_use_id"), str)
        self.marks[number] = _NODE | (_SIDE if side else 0)
        if "parentUuid" in record:
            parent = record["parentUuid"]
            if parent is None:
                self.parents[number] = _ROOT
            elif isinstance(parent, str):
                self._has_parents = True
                found = self.numbers.get(hash(parent))
                if found is None:
                    self.later[number] = hash(parent)
                else:
                    self.parents[number] = found
        uuid = record.get("uuid")
        if isinstance(uuid, str):
            self.numbers[hash(uuid)] = number

    def _put_aside(self, number: int, reason: str) -> None:
        code = self._codes.get(reason)
        if code is None:
            # As many as a byte tells apart.
            reason = reason if len(self.reasons) < 250 else "other reasons"
            code = self._codes.get(reason)
        if code is None:
            code = self._codes[reason] = len(self.reasons)
            self.reasons.append(reason)
        self.codes[number] = code

    def _note(self, number: int, kind: Json, record: dict[str, Json]) -> None:
        if kind == "system" and record.get("subtype") == "compact_boundary":
            self.marks[number] |= _BOUNDARY
            if not self.marks[number] & _SIDE:
                self.boundary = number, record.get("compactMetadata", record.get("compact_metadata"))
        elif kind == "last-prompt":
            self.hint = number, record.get("leafUuid")
        elif kind == "content-replacement":
            replacements = record.get("replacements")
            for replacement in replacements if isinstance(replacements, list) else []:
                if isinstance(replacement, dict) and isinstance(call_id := replacement.get("toolUseId"), str):
                    self.replacements[call_id] = replacement.get("replacement")

    def _talk(self, number: int, record: dict[str, Json]) -> None:
        marks = _TALK
        if record.get("isMeta") is True:
            marks |= _META
        if record.get("isCompactSummary") is True:
            marks |= _SUMMARY
        message = record.get("message")
        content = message.get(self.key) if isinstance(message, dict) else None
        blocks = content if isinstance(content, list) else []
        message_id = message.get("id") if isinstance(message, dict) else None
        if record.get("type") == "assistant":
            if isinstance(message_id, str):
                self._line_of(number, message_id, blocks)
        elif record.get("type") == "tool_result" or any(map(_is_result, blocks)):
            marks |= _RESULT
        else:
            self._runs.clear()
        self.marks[number] |= marks

    def _line_of(self, number: int, message_id: str, blocks: Sequence[Json]) -> None:
        """The lines of one API message have a block each, with results between them; some repeat blocks.

        The model sees the message as one, before the results. Of a block that is repeated the last
        time counts: it is the whole one.
        """
        line = hash((message_id, self.marks[number] & _SIDE))
        head = self._runs.setdefault(line, number)
        if head != number:
            self.heads[number] = head
        if len(self._blocks) > _BLOCKS_REMEMBERED:
            self._blocks.clear()
        for block in blocks:
            key = _key(block)
            name = hash((line, key))
            before = self._blocks.get(name)
            if before is not None and before != number:
                self.repeats.append((before, key, number))
            self._blocks[name] = number

    # -- what the model saw -------------------------------------------------------------------------

    def settle(self) -> None:
        """Tell what is in context; all records were taken."""
        for number, name in self.later.items():
            self.parents[number] = self.numbers.get(name, _LOST)
        nodes = self._numbers_with(_NODE, 0)
        main = self._numbers_with(_NODE, _SIDE)
        # The file of a subagent is all sidechain: then that is what is looked at.
        hidden = _SIDE if main else 0
        if hidden and len(main) < len(nodes):
            for number in nodes:
                if self.marks[number] & _SIDE and not self.codes[number]:
                    self._put_aside(number, SIDECHAIN)
        self._see(_Branches(self, main or nodes, hidden))
        for before, key, after in self.repeats:
            if self.codes[after] == 0:
                self.repeated.setdefault(before, set()).add(key)

    def _numbers_with(self, marks: int, without: int) -> array[int]:
        return array(
            "q", (number for number, mark in enumerate(self.marks) if mark & marks == marks and not mark & without)
        )

    def _see(self, branches: _Branches) -> None:
        leaf = branches.leaf()
        if leaf is None:
            return
        compaction = branches.compaction(leaf)
        way = branches.way(leaf, compaction)
        hinted = self._hinted(leaf)
        # Where the hint names a record on the way it may be an old one: nothing is left for it.
        if hinted is not None and branches.has(hinted) and not way.seen[hinted] and hinted >= way.start:
            leaf = hinted
            compaction = branches.compaction(leaf)
            way = branches.way(leaf, compaction)
        branches.join(way, leaf)
        self.in_context = way.seen
        if compaction.kept:
            self.moved_to = compaction.anchor
        for number in branches.members:
            if not way.seen[number] and not self.codes[number]:
                self._put_aside(number, COMPACTED if number < way.start else BRANCH)

    def _hinted(self, leaf: int) -> int | None:
        if self.hint is None or self.hint[0] < leaf:
            return None
        name = self.hint[1]
        return self.numbers.get(hash(name)) if isinstance(name, str) else None

    def has_parents(self) -> bool:
        """Whether any record names its parent: files of version 1.0.x's exports and stream-json do not."""
        return self._has_parents

    def named(self, uuid: Json) -> int | None:
        """The record with a uuid."""
        return self.numbers.get(hash(uuid)) if isinstance(uuid, str) else None

    def reason(self, number: int) -> str | None:
        """Why a record is out of context; None if it is in it."""
        return self.reasons[self.codes[number]] or None

    def order(self) -> Sequence[int]:
        """All records in the order in which the model saw them; what it did not see is where it stands."""
        if not self.heads and self.moved_to < 0:
            return range(len(self.marks))
        return sorted(range(len(self.marks)), key=self._place)

    def _place(self, number: int) -> tuple[int, int, int, int]:
        if self.codes[number]:
            return number, 0, number, number
        head = self.heads.get(number, number)
        if number < self.boundary[0] and number < self.moved_to:
            return self.moved_to, 1, head, number
        return head, 0, head, number

    # -- items --------------------------------------------------------------------------------------

    def can_have_items(self, number: int) -> bool:
        """Whether it is worth looking for items in a record that is set aside."""
        reason = self.reasons[self.codes[number]]
        return not reason.startswith(("bookkeeping: ", "not sent: system"))

    def items(self, record: Json, number: int) -> list[Json]:
        """A record's items; the same each time once it is settled what the model saw."""
        if not isinstance(record, dict):
            return [record]
        message = record.get("message")
        if not isinstance(message, dict):
            if record.get("type") == "attachment":
                return [{"type": "attachment", "attachment": record.get("attachment")}]
            return [record]
        content = message.get(self.key)
        if isinstance(content, list):
            repeated = self.repeated.get(number, ())
            content = [self._as_sent(block) for block in content if not (repeated and _key(block) in repeated)]
            if not content:
                return []
        return self.split(message.get("role", record.get("type")), content)

    def _as_sent(self, block: Json) -> Json:
        if self.replacements and isinstance(block, dict) and _is_result(block):
            call_id = block.get("tool_use_id")
            if isinstance(call_id, str) and call_id in self.replacements:
                return {**block, "content": self.replacements[call_id]}
        return block

    def replaced(self, items: Sequence[Json]) -> int:
        """How many of a record's items are replacements of what stands in it."""
        return sum(map(self._is_replaced, items)) if self.replacements else 0

    def _is_replaced(self, item: Json) -> bool:
        content = item.get("content") if isinstance(item, dict) else None
        block = content[0] if isinstance(content, list) and content else None
        call_id = block.get("tool_use_id") if isinstance(block, dict) else None
        return isinstance(call_id, str) and call_id in self.replacements


@dataclass(frozen=True)
class _Compaction:
    """The last compaction before a leaf: `parents` are the links that it changed.

    `anchor` is what the kept records follow, and `tail` what follows the anchor's other children.
    """

    kept: frozenset[int] = frozenset()
    parents: dict[int, int] = field(default_factory=dict)
    anchor: int = -1
    tail: int = -1


@dataclass(eq=False)
class _Way:
    """The way from a leaf up: what is on it, and where the context starts (0 without a compaction)."""

    seen: bytearray
    start: int = 0
    below: int = 0
    """What stands before a record with a lost parent is looked for below this."""


class _Branches:
    """The records of the tree that are looked at, and the ways through them."""

    def __init__(self, tree: _Tree, members: array[int], hidden: int) -> None:
        self.members = members
        self._tree = tree
        self._hidden = hidden
        self._last_children: array[int] | None = None

    def has(self, number: int) -> bool:
        """Whether a record is looked at."""
        marks = self._tree.marks[number]
        return bool(marks & _NODE) and not marks & self._hidden

    def leaf(self) -> int | None:
        """The last thing that was said, else the last record."""
        marks = self._tree.marks
        said = (number for number in reversed(self.members) if marks[number] & _TALK)
        return next(said, self.members[-1] if self.members else None)

    def way(self, leaf: int, compaction: _Compaction) -> _Way:
        """What the model saw on the way from a leaf up to the last compaction, or to the root."""
        marks = self._tree.marks
        way = _Way(bytearray(len(marks)), below=len(marks))
        at, summary = leaf, -1
        while at >= 0 and not way.seen[at]:
            mark = marks[at]
            said = mark & _TALK and not mark & (_SUMMARY | _META)
            if summary >= 0 and said and at not in compaction.kept:
                break  # Files of 2025 have a summary and no boundary before it.
            way.seen[at] = 1
            if mark & _BOUNDARY:
                way.start = at
                break
            if mark & _SUMMARY:
                summary = at
            at = self._above(at, way, compaction)
        if summary >= 0:
            way.start = way.start or summary
        return way

    def _above(self, at: int, way: _Way, compaction: _Compaction) -> int:
        if at in compaction.parents:
            return compaction.parents[at]
        parent = self._tree.parents[at]
        if parent == compaction.anchor and parent >= 0 and not way.seen[compaction.tail]:
            return compaction.tail
        if parent == _ROOT and self._tree.has_parents():
            return _ROOT
        if parent >= 0 and self.has(parent) and not way.seen[parent]:
            return parent
        return self._before(at, way)

    def _before(self, at: int, way: _Way) -> int:
        """What a record most likely went on from whose parent is lost, is of a sidechain, or closes a circle.

        Claude Code itself stops there when it resumes, which is a known fault (issue 22526: parents
        that were never written); but the process that wrote the record had the history in its
        memory. So it is the record just before it in the file, unless something that stands after
        it goes on from that one: then that one is on another branch.
        """
        if self._last_children is None:
            self._last_children = array("q", [-1]) * len(self._tree.marks)
            for number in self.members:
                parent = self._tree.parents[number]
                if parent >= 0:
                    self._last_children[parent] = number
        number = min(at, way.below) - 1
        while number >= 0 and not (self.has(number) and not way.seen[number] and self._last_children[number] <= at):
            number -= 1
        # Never up again, so that all lost parents of a file together cost one pass.
        way.below = max(number, 0)
        return number

    def compaction(self, leaf: int) -> _Compaction:
        """What the last compaction kept, where the leaf is after it.

        Kept records stay where they are in the file, and what follows hangs on their last; so the
        links are changed as Claude Code does when it loads a file (2.1.88): the first of them
        follows the anchor (the summary, or the boundary itself), the anchor's other children follow
        the last.
        """
        boundary, metadata = self._tree.boundary
        if boundary < 0 or boundary > leaf or not isinstance(metadata, dict):
            return _Compaction()
        listed = metadata.get("preservedMessages", metadata.get("preserved_messages"))
        segment = metadata.get("preservedSegment", metadata.get("preserved_segment"))
        for said, kept in ((listed, self._listed(listed)), (segment, self._segment(segment))):
            kept = [number for number in kept if number < boundary and self.has(number)]
            if kept and isinstance(said, dict):
                anchor = self._tree.named(said.get("anchorUuid", said.get("anchor_uuid")))
                anchor = boundary if anchor is None or anchor < boundary or not self.has(anchor) else anchor
                parents = dict(zip(kept, [anchor, *kept], strict=False))
                return _Compaction(frozenset(kept), parents, anchor, kept[-1])
        return _Compaction()

    def _listed(self, listed: Json) -> list[int]:
        uuids = listed.get("uuids") if isinstance(listed, dict) else None
        found = map(self._tree.named, uuids if isinstance(uuids, list) else [])
        return list(dict.fromkeys(number for number in found if number is not None))

    def _segment(self, segment: Json) -> list[int]:
        """From `headUuid` to `tailUuid`; nothing if the one can't be reached from the other."""
        if not isinstance(segment, dict):
            return []
        head = self._tree.named(segment.get("headUuid", segment.get("head_uuid")))
        at = self._tree.named(segment.get("tailUuid", segment.get("tail_uuid")))
        if head is None or at is None:
            return []
        kept: dict[int, None] = {}
        while at >= 0 and at not in kept:
            kept[at] = None
            if at == head:
                return list(reversed(kept))
            at = self._tree.parents[at]
        return []

    def join(self, way: _Way, leaf: int) -> None:
        """Add what hangs on a way and was seen with it.

        That is: the other lines of its messages; results of their calls (the parent of each of
        several is its own call, so that one way meets one of them); attachments that nothing said
        goes on from, also after the last message, since they go with the next.
        """
        tree, seen = self._tree, way.seen
        marks, parents = tree.marks, tree.parents
        heads = {tree.heads.get(number, number) for number in self.members if seen[number]} if tree.heads else set()
        leads = bytearray(len(marks))
        for number in reversed(self.members):
            if parents[number] >= 0 and (marks[number] & _TALK or leads[number]):
                leads[parents[number]] = 1
        for number in self.members:
            if seen[number]:
                continue
            parent = parents[number]
            if parent == _LOST and number > leaf:
                parent = leaf
            hangs_on = parent >= 0 and seen[parent]
            if not marks[number] & _TALK:
                seen[number] = hangs_on and not leads[number]
            elif marks[number] & _RESULT:
                seen[number] = hangs_on
            elif heads:
                seen[number] = tree.heads.get(number, number) in heads


def _reason(kind: Json, record: dict[str, Json], has_message: bool) -> str | None:
    """Why a record can't be in context, whatever branch it is on; None if it can."""
    if kind == "system":
        subtype = record.get("subtype")
        return f"not sent: system {subtype[:40]}" if isinstance(subtype, str) else "not sent: system"
    if kind == "attachment" and not has_message:
        return None
    if not has_message and kind not in ("user", "assistant"):
        if not isinstance(kind, str):
            return "no record: it has no type"
        return f"bookkeeping: {kind[:40]}" if _is_bookkeeping(record) else f"unknown record: {kind[:40]}"
    if record.get("isApiErrorMessage") is True:
        return "not sent: an API error shown to the person"
    if record.get("isVisibleInTranscriptOnly") is True and record.get("isCompactSummary") is not True:
        return "not sent: visible in the transcript only"
    return None


def _is_result(block: Json) -> bool:
    return isinstance(block, dict) and block.get("type") == "tool_result"


def _key(block: Json) -> int:
    """Tells the blocks of one message apart."""
    if isinstance(block, dict):
        # A call is streamed with its input last, a thought with its signature last.
        for key in ("id", "text", "thinking", "signature"):
            value = block.get(key)
            if isinstance(value, str) and value:
                return hash((key, value))
    return hash(compact_json(block))
