"""Kimi Code's journals, and the context files of the Kimi CLI before it.

A journal (`agents/<id>/wire.jsonl`, protocols 1.4 and 1.5) tells how the context grew and shrank. It
is folded as Kimi Code does when it resumes (MoonshotAI/kimi-code, agent-core-v2: `contextOps.ts`,
`loopEventFold.ts`, `compactionHandoff.ts`). A context file (`context.jsonl`) is the context itself: it
is written anew by a compaction.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.compact_json import compact_json
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.plain import plain_content
from ctxviz.session.formats.shapes import call, message, output, reasoning
from ctxviz.session.opened import Opened
from ctxviz.session.records import Records
from ctxviz.session.table import Builder

NAME = "kimi-cli"
TITLE = "Kimi CLI"
KNOWN_BY = "lines of type context.append_message, context.append_loop_event; roles _checkpoint and _usage"
READS = "the context as the journal's events make it, from the last compaction; tool results as they were sent"
LEAVES_OUT = "the system prompt, which is no item; what was compacted, undone or cleared; requests and usage"

_PREFIXES = (
    "context.", "config.", "llm.", "turn.", "usage.", "tools.", "permission.", "plan_mode.", "swarm_mode.",
    "full_compaction.", "micro_compaction.", "goal.", "profile.", "task.", "cron.", "mcp.",
)  # fmt: skip
_INTERNAL_ROLES = ("_checkpoint", "_usage", "_system_prompt")
_NOTHING = "The file is whole: a session with no message."

COMPACTED = "before the compaction"
UNDONE = "undone"
CLEARED = "cleared"
UNASKED = "not sent: result of no open call"
REPLACED = "replaced before it was sent: tool result"
NO_RECORD = "no record: not an object"

_CLEARED_RESULT = "[Old tool result content cleared]"
_CLEARED_FROM_TOKENS = 100
_ERROR, _EMPTY = "ERROR: Tool execution failed.", "Tool output is empty."


def looks_like(file: Opened) -> float:
    """The share of the records that are of a journal, or of a context file with its own roles."""
    sample = file.sample() if isinstance(file, Records) else ()
    if any(map(_is_context_event, sample)):
        return 0.97 * sum(map(_is_event, sample)) / len(sample)
    if any(map(_is_internal, sample)):
        return 0.95 * sum(map(_has_role, sample)) / len(sample)
    return 0


def _is_event(record: Json) -> bool:
    if not isinstance(record, dict) or "data" in record or "payload" in record:
        return False
    kind = record.get("type")
    if kind == "metadata":
        return "protocol_version" in record
    return isinstance(kind, str) and kind.startswith(_PREFIXES)


def _is_context_event(record: Json) -> bool:
    kind = record.get("type") if isinstance(record, dict) else None
    return isinstance(kind, str) and (kind.startswith("context.") or kind == "turn.prompt") and _is_event(record)


def _has_role(record: Json) -> bool:
    return isinstance(record, dict) and isinstance(record.get("role"), str) and "type" not in record


def _is_internal(record: Json) -> bool:
    return _has_role(record) and isinstance(record, dict) and record["role"] in _INTERNAL_ROLES


def read(file: Opened, conversation: str | None = None) -> Content:
    """The items that the model saw last."""
    if not isinstance(file, Records):
        raise NotReadable("holds no items: a Kimi session is JSON Lines")
    sample = file.sample()
    if not any(map(_is_context_event, sample)) and any(map(_is_internal, sample)):
        return plain_content(file, context_items, _NOTHING)
    fold = _Fold()
    for number, record in file.each():
        fold.take(number, record)
    fold.settle()
    builder = Builder(file)
    for number in fold.order():
        record, reason = file[number], fold.reason(number)
        if reason is not None:
            builder.set_aside(number, reason, event_items(record))
            continue
        items = event_items(record)
        if number in fold.old_results and _is_long(items):
            fold.replaced.add(number)
            items = event_items(record, is_cleared=True)
            builder.leave_out(number, REPLACED)
        builder.add(number, items)
    rows = builder.rows(lambda record, number: event_items(record, number in fold.replaced))
    return Content(rows=rows, nothing="" if len(rows.items()) else _NOTHING)


# What a message of the fold is, a bit each.
_ASKED, _SUMMARY, _RESULT = 1, 2, 4
_NONE = -1
_REASONS = 200


class _Fold:
    """The context as the events made it: messages, each with the records that it consists of.

    Records and messages are known by numbers: a file can have millions.
    """

    def __init__(self) -> None:
        self.old_results: set[int] = set()
        """Records whose results are before the line up to which results are cleared."""
        self.replaced: set[int] = set()
        self._owners: array[int] = array("q")  # a record's message
        self._codes = bytearray()  # why a record is of no message, a place in _places
        self._places: dict[str, int] = {"": 0}
        self._flags = bytearray()  # of each message
        self._dropped = bytearray()  # why a message is in context no more
        self._history: array[int] = array("q")
        self._waiting: list[int] = []  # messages that came while a tool ran: they follow its result
        self._open_calls: dict[str, None] = {}
        self._steps: dict[str, int] = {}
        self._cutoff = 0
        self._used: array[int] = array("q")
        self._reasons: tuple[str, ...] = ()

    # -- events -------------------------------------------------------------------------------------

    def take(self, number: int, record: Json) -> None:
        """The next record."""
        self._owners.append(_NONE)
        self._codes.append(0)
        kind = record.get("type") if isinstance(record, dict) else None
        if not isinstance(record, dict):
            self._aside(number, NO_RECORD)
        elif kind == "context.append_message":
            self._owners[number] = made = self._message(_flags_of(record.get("message")))
            if self._open_calls:
                self._waiting.append(made)
            else:
                self._history.append(made)
        elif kind == "context.append_loop_event":
            event = record.get("event")
            self._loop(number, event if isinstance(event, dict) else {})
        elif kind == "context.apply_compaction":
            self._compact(number, record)
        else:
            if kind == "context.undo":
                self._undo(record.get("count"))
            elif kind == "context.clear":
                self._replace([], CLEARED)
            elif kind == "micro_compaction.apply":
                self._cutoff = _count(record.get("cutoff")) or 0
            self._aside(number, f"bookkeeping: {kind[:40]}" if isinstance(kind, str) else "no record: it has no type")

    def _loop(self, number: int, event: dict[str, Json]) -> None:
        kind = event.get("type")
        if kind == "step.begin":
            # A step that came to nothing counts too where messages are counted (`compactedCount`).
            self._close_calls()
            self._steps = {}
            self._step(event.get("uuid"))
            self._aside(number, "bookkeeping: step.begin")
        elif kind in ("content.part", "tool.call"):
            self._owners[number] = self._step(event.get("stepUuid"))
            if kind == "tool.call":
                self._open_calls[_key(event.get("toolCallId"))] = None
        elif kind == "tool.result":
            call_id = _key(event.get("toolCallId"))
            if call_id not in self._open_calls:
                self._aside(number, UNASKED)
                return
            del self._open_calls[call_id]
            self._owners[number] = made = self._message(_RESULT)
            self._history.append(made)
            self._let_in()
        else:
            self._aside(number, f"bookkeeping: {kind[:40]}" if isinstance(kind, str) else "no record: it has no type")

    def _step(self, uuid: Json) -> int:
        step = _key(uuid)
        if step not in self._steps:
            self._steps[step] = self._message(0)
            self._history.append(self._steps[step])
        return self._steps[step]

    def _let_in(self) -> None:
        if not self._open_calls:
            self._history.extend(self._waiting)
            self._waiting.clear()

    def _close_calls(self) -> None:
        """Calls without a result are answered by Kimi Code with a text that is not in the file: no item."""
        for _ in self._open_calls:
            self._history.append(self._message(_RESULT))
        self._open_calls.clear()
        self._let_in()

    def _compact(self, number: int, record: dict[str, Json]) -> None:
        """The history becomes what the user asked, and then the summary; in older files the summary and a tail.

        Which of the user's messages are kept goes by tokens; how many is in the record. The ones at the
        edge can have been cut, which the record does not tell: they are whole here.
        """
        self._close_calls()
        history = self._history
        self._owners[number] = summary = self._message(_SUMMARY)
        kept, first = _count(record.get("keptUserMessageCount")), _count(record.get("keptHeadUserMessageCount")) or 0
        is_older = record.get("legacyTail")
        if is_older is True or (kept is None and is_older is not False):
            count = _count(record.get("compactedCount"))
            count = _count(record.get("count")) if count is None else count
            self._replace([summary, *history[len(history) if count is None else count :]], COMPACTED)
            return
        asked = [at for at in history if self._flags[at] & _ASKED]
        if kept is not None and kept < len(asked):
            last = max(kept - first, 0)
            asked = [*asked[: min(first, kept)], *(asked[-last:] if last else [])]
        self._replace([*asked, summary], COMPACTED)

    def _undo(self, count: Json) -> None:
        """Back to before the last so many of the user's messages; nothing if there are fewer since the compaction."""
        wanted = _count(count)
        if not wanted:
            return
        self._close_calls()
        for at in range(len(self._history) - 1, -1, -1):
            flags = self._flags[self._history[at]]
            if flags & _SUMMARY:
                return
            wanted -= flags & _ASKED
            if not wanted:
                self._cutoff = min(self._cutoff, at)
                self._replace(self._history[:at], UNDONE, self._cutoff)
                return

    def _replace(self, history: Sequence[int], reason: str, cutoff: int = 0) -> None:
        code = self._code(reason)
        for made in (*self._history, *self._waiting):
            self._dropped[made] = code
        for made in history:
            self._dropped[made] = 0
        self._history = array("q", history)
        self._cutoff = cutoff
        self._waiting.clear()
        self._open_calls.clear()
        self._steps.clear()

    def _message(self, flags: int) -> int:
        self._flags.append(flags)
        self._dropped.append(0)
        return len(self._flags) - 1

    def _aside(self, number: int, reason: str) -> None:
        self._codes[number] = self._code(reason)

    def _code(self, reason: str) -> int:
        if reason not in self._places:
            if len(self._places) >= _REASONS:
                reason = "bookkeeping: other"
            self._places.setdefault(reason, len(self._places))
        return self._places[reason]

    # -- what came out ------------------------------------------------------------------------------

    def settle(self) -> None:
        """All records were taken."""
        self._open_calls.clear()
        self._let_in()
        positions = array("q", [_NONE]) * len(self._flags)
        for position, made in enumerate(self._history):
            positions[made] = position
        owners = self._owners
        used = [number for number, made in enumerate(owners) if made >= 0 and positions[made] >= 0]
        used.sort(key=lambda number: positions[owners[number]])
        self._used = array("q", used)
        self._reasons = tuple(self._places)
        for number in used:
            made = owners[number]
            if self._flags[made] & _RESULT and positions[made] < self._cutoff:
                self.old_results.add(number)

    def reason(self, number: int) -> str | None:
        """Why a record is out of context; None if it is in it."""
        made = self._owners[number]
        return self._reasons[self._codes[number] if made < 0 else self._dropped[made]] or None

    def order(self) -> Iterator[int]:
        """All records: those in context as the model saw them, the others where they stand."""
        at = highest = 0
        for number in self._used:
            highest = max(highest, number)
            yield from (aside for aside in range(at, highest) if self.reason(aside) is not None)
            at = max(at, highest)
            yield number
        yield from (aside for aside in range(at, len(self._owners)) if self.reason(aside) is not None)


def _flags_of(said: Json) -> int:
    """Whether a message is the user's own: it survives compactions, and is what undoing counts."""
    if not isinstance(said, dict) or said.get("role") != "user":
        return 0
    origin = said.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    if kind == "compaction_summary":
        return _SUMMARY
    is_slash = kind in ("skill_activation", "plugin_command")
    by_user = isinstance(origin, dict) and origin.get("trigger") == "user-slash"
    return _ASKED if kind in (None, "user") or (is_slash and by_user) else 0


def _count(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _key(value: Json) -> str:
    return value if isinstance(value, str) else compact_json(value, 200)


# -- items ------------------------------------------------------------------------------------------


def event_items(record: Json, is_cleared: bool = False) -> list[Json]:
    """The items of an event; none of one that says nothing to the model."""
    if not isinstance(record, dict):
        return [record]
    kind, event = record.get("type"), record.get("event")
    if kind == "context.append_message":
        return message_items(record.get("message"))
    if kind == "context.apply_compaction":
        return _summary(record)
    if kind != "context.append_loop_event" or not isinstance(event, dict):
        return []
    kind = event.get("type")
    if kind == "content.part":
        return _split("assistant", [event.get("part")])
    if kind == "tool.call":
        return [call(event.get("name"), event.get("toolCallId"), event.get("args"))]
    if kind == "tool.result":
        told = _CLEARED_RESULT if is_cleared else _as_sent(event.get("result"))
        return [output(event.get("toolCallId"), told)]
    return []


def context_items(record: Json) -> Sequence[Json] | str:
    """The items of a line of a context file."""
    if not isinstance(record, dict):
        return NO_RECORD
    role = record.get("role")
    if isinstance(role, str) and role in _INTERNAL_ROLES:
        return f"bookkeeping: {role}"
    return message_items(record)


def message_items(said: Json) -> list[Json]:
    """The items of a message: its thoughts, its words with files, its calls."""
    if not isinstance(said, dict):
        return [said]
    role, content = said.get("role"), said.get("content")
    if role == "tool":
        return [output(said.get("toolCallId", said.get("tool_call_id")), _plain(content))]
    items = _split(role, content) if isinstance(content, list) else [message(str(role), content)]
    calls = said.get("toolCalls", said.get("tool_calls"))
    made = [_called(one) for one in calls] if isinstance(calls, list) else []
    return [*(() if made and content in (None, "", []) else items), *made]


def _split(role: Json, parts: Sequence[Json]) -> list[Json]:
    items: list[Json] = []
    together: list[Json] = []
    for part in parts:
        if isinstance(part, dict) and part.get("type") == "think":
            if together:
                items.append(message(str(role), together))
                together = []
            items.append(reasoning(part.get("think")))
        else:
            together.append(_as_block(part))
    if together:
        items.append(message(str(role), together))
    return items


def _as_block(part: Json) -> Json:
    """A content part with the keys that OpenAI gives images, sounds and films."""
    if isinstance(part, dict):
        for key, name in (("imageUrl", "image_url"), ("audioUrl", "audio_url"), ("videoUrl", "video_url")):
            if key in part and name not in part:
                return {**{other: value for other, value in part.items() if other != key}, name: part[key]}
    return part


def _called(one: Json) -> Json:
    if not isinstance(one, dict):
        return one
    function = one.get("function")
    told = function if isinstance(function, dict) else one
    return call(told.get("name"), one.get("id", one.get("toolCallId")), told.get("arguments", told.get("args")))


def _summary(record: dict[str, Json]) -> list[Json]:
    """The message that a compaction leaves: its text with a preface, in older files a message."""
    for told in (record.get("contextSummary"), record.get("summary")):
        if isinstance(told, str):
            return [message("user", told)]
    return message_items(record.get("summary")) if record.get("summary") is not None else [message("user", "")]


def _plain(content: Json) -> Json:
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict):
        only = content[0]
        return only["text"] if only.get("type") == "text" and isinstance(only.get("text"), str) else content
    return content


def _as_sent(result: Json) -> Json:
    """A tool's result as the model gets it: with the mark of an error, and the note that users don't see.

    After agent-core's `toolResultRender.ts`.
    """
    if not isinstance(result, dict) or "output" not in result:
        return result
    told, note, failed = _plain(result["output"]), result.get("note"), result.get("isError") is True
    has_note = isinstance(note, str) and bool(note)
    if isinstance(told, str):
        if failed:
            if not told:
                told = f"{_ERROR} {_EMPTY}"
            elif not told.lstrip().startswith("ERROR:"):
                told = f"{_ERROR}\n{told}"
        elif not told.strip():
            told = _EMPTY
        return f"{told}\n{note}" if has_note else told
    if not isinstance(told, list):
        return told
    parts = [_as_block(part) for part in told] or [{"type": "text", "text": _EMPTY}]
    before: list[Json] = [{"type": "text", "text": _ERROR}] if failed else []
    return [*before, *parts, *([{"type": "text", "text": note}] if has_note else [])]


def _is_long(items: Sequence[Json]) -> bool:
    """Whether a result has so many tokens, as Kimi Code estimates them, that it is worth clearing."""
    told = items[0].get("output") if items and isinstance(items[0], dict) else None
    texts = [told] if isinstance(told, str) else []
    if isinstance(told, list):
        texts = [text for part in told if isinstance(part, dict) and isinstance(text := part.get("text"), str)]
    tokens = 0
    for text in texts:
        ascii_chars = sum(char < "\x80" for char in text[: 8 * _CLEARED_FROM_TOKENS])
        tokens += (ascii_chars + 3) // 4 + len(text[: 8 * _CLEARED_FROM_TOKENS]) - ascii_chars
    return tokens >= _CLEARED_FROM_TOKENS
