"""Claude Code's transcripts: a tree of records, of which the model sees one branch.

What the records mean is not published; the rules are those that files of versions 1.0 to 2.1 and
reports about their readers show.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
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

_CHAIN = frozenset({"user", "assistant", "attachment", "system"})
_BOOKKEEPING = frozenset(
    {
        "summary", "custom-title", "ai-title", "agent-name", "agent-setting", "last-prompt", "mode", "permission-mode",
        "tag", "pr-link", "worktree-state", "relocated", "bridge-session", "atis-latch", "frame-link",
        "queue-operation", "progress", "file-history-snapshot", "file-history-delta", "attribution-snapshot",
        "task-summary", "speculation-accept", "content-replacement", "started", "result", "stream_event",
    }
)  # fmt: skip

SIDECHAIN = "sidechain"
BRANCH = "on a branch that was left"
COMPACTED = "before the compaction"
REPEATED = "repeated in a later line of the message"


def looks_like(file: Opened) -> float:
    """The share of the records that are a transcript's own, if one of them has a message."""
    if not isinstance(file, Records):
        return 0
    sample = file.sample()
    if any(map(has_parts, sample)):
        return 0
    messages = sum(map(_is_message, sample))
    matching = messages + sum(map(_is_bookkeeping, sample))
    if not messages:
        # A file that was hardly begun: nothing but bookkeeping, and a session's name in it.
        named = any(isinstance(record, dict) and "sessionId" in record for record in sample)
        return 0.6 * matching / len(sample) if sample and named else 0
    return 0.95 * matching / len(sample)


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
        return "content" in message and "parts" not in message
    return record["type"] in ("system", "attachment") and "payload" not in record


def _is_bookkeeping(record: Json) -> bool:
    kind = record.get("type") if isinstance(record, dict) else None
    return isinstance(kind, str) and kind in _BOOKKEEPING and isinstance(record, dict) and "payload" not in record


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
    verdicts = tree.verdicts()
    builder = Builder(file)
    for number in range(len(file)):
        record = file[number]
        items = tree.items(record, number)
        reason = verdicts.get(number)
        if reason is None and not items:
            reason = REPEATED if number in tree.repeated else "nothing in it"
        if reason is None:
            builder.add(number, items)
            for _ in tree.repeated.get(number, ()):
                builder.leave_out(number, REPEATED)
        else:
            builder.set_aside(number, reason, items)
    rows = builder.rows(tree.items)
    return Content(rows=rows, nothing="" if len(rows.items()) else "The file is whole: a transcript with no message.")


@dataclass(eq=False)
class _Tree:
    """What is known of each record without its text."""

    key: str
    split: Callable[[Json, Json], list[Json]]
    reasons: dict[int, str] = field(default_factory=dict)
    """Why a record can't be in context, whatever branch it is on."""
    chain: list[int] = field(default_factory=list)
    """The records of the tree, in the order of the file."""
    parents: dict[int, Json] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    """uuid to record; of one that stands twice the last."""
    sidechains: set[int] = field(default_factory=set)
    talk: array[int] = field(default_factory=lambda: array("q"))
    """User and assistant records."""
    boundaries: dict[int, Json] = field(default_factory=dict)
    summaries: set[int] = field(default_factory=set)
    groups: dict[str, list[int]] = field(default_factory=dict)
    """An API message's id to its records."""
    results: list[int] = field(default_factory=list)
    hint: tuple[int, Json] | None = None
    replacements: dict[str, Json] = field(default_factory=dict)
    blocks: dict[tuple[str, int], int] = field(default_factory=dict)
    repeated: dict[int, set[int]] = field(default_factory=dict)
    has_parents: bool = False

    # -- the first pass -----------------------------------------------------------------------------

    def take(self, number: int, record: Json) -> None:
        if not isinstance(record, dict):
            self.reasons[number] = "no record: not an object"
            return
        kind = record.get("type")
        if not isinstance(kind, str) or kind not in _CHAIN:
            self.reasons[number] = f"bookkeeping: {kind[:40]}" if isinstance(kind, str) else "no record: it has no type"
            self._note(number, kind, record)
            return
        self.chain.append(number)
        uuid = record.get("uuid")
        if isinstance(uuid, str):
            self.numbers[uuid] = number
        parent = record.get("parentUuid")
        self.parents[number] = parent
        self.has_parents = self.has_parents or isinstance(parent, str)
        if record.get("isSidechain") is True or isinstance(record.get("parent_tool_use_id"), str):
            self.sidechains.add(number)
        if kind == "system":
            subtype = record.get("subtype")
            if subtype == "compact_boundary":
                self.boundaries[number] = record.get("compactMetadata")
            named = f" {subtype[:40]}" if isinstance(subtype, str) else ""
            self.reasons[number] = f"not sent: system{named}"
        elif record.get("isApiErrorMessage") is True:
            self.reasons[number] = "not sent: an API error shown to the person"
        elif record.get("isVisibleInTranscriptOnly") is True and record.get("isCompactSummary") is not True:
            self.reasons[number] = "not sent: visible in the transcript only"
        elif kind != "attachment":
            self._talk(number, record)

    def _note(self, number: int, kind: Json, record: dict[str, Json]) -> None:
        if kind == "last-prompt":
            self.hint = number, record.get("leafUuid")
        elif kind == "content-replacement":
            replacements = record.get("replacements")
            for replacement in replacements if isinstance(replacements, list) else []:
                if isinstance(replacement, dict) and isinstance(call_id := replacement.get("toolUseId"), str):
                    self.replacements[call_id] = replacement.get("replacement")

    def _talk(self, number: int, record: dict[str, Json]) -> None:
        self.talk.append(number)
        if record.get("isCompactSummary") is True:
            self.summaries.add(number)
        message = record.get("message")
        if not isinstance(message, dict):
            return
        content = message.get(self.key)
        blocks = content if isinstance(content, list) else []
        message_id = message.get("id")
        if record["type"] == "assistant" and isinstance(message_id, str):
            self.groups.setdefault(message_id, []).append(number)
            for block in blocks:
                self._block(number, message_id, block)
        elif any(isinstance(block, dict) and block.get("type") == "tool_result" for block in blocks):
            self.results.append(number)

    def _block(self, number: int, message_id: str, block: Json) -> None:
        """The lines of one message can repeat blocks: the last time counts, it is the whole one."""
        key = message_id, _key(block)
        before = self.blocks.get(key)
        if before is not None and before != number:
            self.repeated.setdefault(before, set()).add(key[1])
        self.blocks[key] = number

    # -- what the model saw -------------------------------------------------------------------------

    def verdicts(self) -> dict[int, str]:
        """Each record that is out of context, with the reason."""
        found = dict(self.reasons)
        # The file of a subagent is all sidechain: then that is what is looked at.
        only_sidechain = len(self.sidechains) == len(self.chain)
        main = self.chain if only_sidechain else [at for at in self.chain if at not in self.sidechains]
        for number in self.sidechains if not only_sidechain else ():
            found[number] = SIDECHAIN
        seen = self._branch(main) if self.has_parents else set(main)
        start = self._start(seen)
        kept = self._kept(start)
        for number in main:
            if number in found:
                continue
            if number < start and number not in kept:
                found[number] = COMPACTED
            elif number not in seen and number not in kept:
                found[number] = BRANCH
        return found

    def _branch(self, main: Sequence[int]) -> set[int]:
        """The records from the leaf to the root, with the other lines of their messages and their calls' results."""
        seen: set[int] = set()
        at = last = self._leaf(main)
        place = {number: index for index, number in enumerate(main)}
        while at is not None and at not in seen:
            seen.add(at)
            parent = self.parents[at]
            following = self.numbers.get(parent) if isinstance(parent, str) else None
            if isinstance(parent, str) and (following is None or following in seen or following not in place):
                # The chain breaks off (its record is lost, or parents go in a circle): what stands
                # before it in the file is most likely what it went on from.
                index = place[at] - 1
                while index >= 0 and main[index] in seen:
                    index -= 1
                following = main[index] if index >= 0 else None
            at = following
        for number in main:
            # What was attached after the last message goes with the next call.
            parent = self.parents[number]
            if last is not None and number > last and isinstance(parent, str) and self.numbers.get(parent) in seen:
                seen.add(number)
        for group in self.groups.values():
            if not seen.isdisjoint(group):
                seen.update(number for number in group if number in place)
        for number in self.results:
            parent = self.parents.get(number)
            if number in place and isinstance(parent, str) and self.numbers.get(parent) in seen:
                seen.add(number)
        return seen

    def _leaf(self, main: Sequence[int]) -> int | None:
        members = set(main)
        last = next((number for number in reversed(self.talk) if number in members), main[-1] if main else None)
        if self.hint is not None and last is not None and self.hint[0] > last:
            leaf = self.hint[1]
            hinted = self.numbers.get(leaf) if isinstance(leaf, str) else None
            if hinted in members:
                return hinted
        return last

    def _start(self, seen: set[int]) -> int:
        """Where the context begins: at the last compaction on the branch, 0 if there is none."""
        boundaries = [number for number in self.boundaries if number in seen]
        summaries = [number for number in self.summaries if number in seen]
        # Files of 2025 have the summary only.
        last = max(boundaries, default=-1)
        last_summary = max(summaries, default=-1)
        between = [number for number in self.talk if last < number < last_summary and number in seen]
        return max(last, 0) if last >= 0 and not between else max(last, last_summary, 0)

    def _kept(self, start: int) -> set[int]:
        """What a compaction kept from before it (`preservedSegment`, `preservedMessages`)."""
        metadata = self.boundaries.get(start)
        if not isinstance(metadata, dict):
            return set()
        kept: set[int] = set()
        for key in ("preservedMessages", "preservedSegment"):
            kept.update(self._known(metadata.get(key)))
        segment = metadata.get("preservedSegment")
        if isinstance(segment, dict) and len(kept) >= 2:
            head, at = min(kept), max(kept)
            while at > head:
                parent = self.parents.get(at)
                above = self.numbers.get(parent) if isinstance(parent, str) else None
                if above is None or above >= at:
                    break
                at = above
                kept.add(at)
        return {number for number in kept if number < start}

    def _known(self, value: Json) -> Iterable[int]:
        if isinstance(value, str):
            return (self.numbers[value],) if value in self.numbers else ()
        members = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
        return [number for member in members for number in self._known_flat(member)]

    def _known_flat(self, value: Json) -> Iterable[int]:
        listed = value if isinstance(value, list) else [value]
        return [self.numbers[uuid] for uuid in listed if isinstance(uuid, str) and uuid in self.numbers]

    # -- items --------------------------------------------------------------------------------------

    def items(self, record: Json, number: int) -> list[Json]:
        """A record's items; the same each time once all records were taken."""
        if not isinstance(record, dict):
            return []
        message = record.get("message")
        if not isinstance(message, dict):
            kind = record.get("type")
            if kind == "attachment":
                return [{"type": "attachment", "attachment": record.get("attachment")}]
            if isinstance(kind, str) and (kind in _BOOKKEEPING or kind == "system"):
                return []
            return [record]
        content = message.get(self.key)
        if isinstance(content, list):
            repeated = self.repeated.get(number, ())
            content = [self._as_sent(block) for block in content if not (repeated and _key(block) in repeated)]
            if not content:
                return []
        return self.split(message.get("role", record.get("type")), content)

    def _as_sent(self, block: Json) -> Json:
        if self.replacements and isinstance(block, dict) and block.get("type") == "tool_result":
            call_id = block.get("tool_use_id")
            if isinstance(call_id, str) and call_id in self.replacements:
                return {**block, "content": self.replacements[call_id]}
        return block


def _key(block: Json) -> int:
    """Tells the blocks of one message apart."""
    if isinstance(block, dict) and block.get("type") == "tool_use" and isinstance(call_id := block.get("id"), str):
        return hash(("tool_use", call_id))
    return hash(compact_json(block))
