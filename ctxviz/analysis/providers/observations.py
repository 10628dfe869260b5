"""What is to be seen in a request, whoever it is for: one pass over its entries.

An observation is a check's name, the items and a sentence. Whether a provider minds is its rule's to say.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ctxviz.analysis.providers.entries import Entry, Text

Seen = tuple[tuple[int, ...], str]
"""The items, and what is said about them."""

_NINE = re.compile(r"[a-zA-Z0-9]{9}")
_ANTHROPIC_ID = re.compile(r"[a-zA-Z0-9_-]+")
_TOLD_EACH = 1_000
_NO_MESSAGES = ("none", "other")
"""Items without a role, of which no rule about messages is."""


@dataclass
class _Group:
    """The calls of one assistant turn, and what became of them."""

    calls: dict[str | None, int] = field(default_factory=dict)
    cuts: dict[str | None, int] = field(default_factory=dict)
    """How many cuts of the session stood before each call."""
    answered: set[str | None] = field(default_factory=set)
    interrupted_by: int | None = None


class Observations:
    """All of a request's, by check. `items` are the places of the entries in the session."""

    def __init__(
        self, items: Sequence[int], entries: Sequence[Entry], *, has_prompt: bool, between: Callable[[], None] | None
    ) -> None:
        self.seen: dict[str, list[Seen]] = {}
        self._items = items
        self._entries = entries
        self._has_prompt = has_prompt
        self._group = _Group()
        self._called: set[str] = set()
        self._many: dict[str, array[int]] = {}
        self._cuts = 0
        """How many places so far have items of the session missing."""
        self._own_ids: set[str] = set()
        for at, entry in enumerate(entries):
            if between is not None and not at % _TOLD_EACH:
                between()
            self._cuts += bool(at) and items[at - 1] + 1 != items[at]
            self._faults(at, entry)
            self._text(at, entry)
            self._order(at, entry)
            self._pairs(at, entry)
        self._close_group()
        self._ends()
        for check, many in self._many.items():
            self._see(check, tuple(many), _OF_MANY[check])

    def _see(self, check: str, items: tuple[int, ...], message: str) -> None:
        self.seen.setdefault(check, []).append((items, message))

    def _see_each(self, check: str, item: int) -> None:
        """The same is to be seen of many items: one observation about all of them, made at the end."""
        items = self._many.setdefault(check, array("q"))
        if not items or items[-1] != item:
            items.append(item)

    # -- one entry ------------------------------------------------------------------------------------

    def _faults(self, at: int, entry: Entry) -> None:
        here = (self._items[at],)
        for fault in entry.faults:
            if fault in _FAULTS:
                self._see(fault, here, _FAULTS[fault])
        if entry.own_id is not None:
            if entry.own_id in self._own_ids:
                self._see("item_id_repeated", here, f"its id {entry.own_id} was there before")
            self._own_ids.add(entry.own_id)
        for call_id in (*entry.calls, *entry.answers):
            if call_id is None:
                continue
            if len(call_id) > 40:
                longer = "call_id_over_64" if len(call_id) > 64 else "call_id_over_40"
                self._see_each(longer, self._items[at])
            if not _NINE.fullmatch(call_id):
                self._see_each("call_id_not_nine", self._items[at])
            if not _ANTHROPIC_ID.fullmatch(call_id):
                self._see_each("call_id_letters", self._items[at])

    def _text(self, at: int, entry: Entry) -> None:
        if entry.role not in ("user", "assistant", "system") or entry.text is Text.SOME:
            return
        here = (self._items[at],)
        if entry.calls:
            if entry.text in (Text.EMPTY, Text.BLANK):
                self._see("empty_text_beside_calls", here, "an empty text stands beside its calls")
            if "empty_block" in entry.faults:
                self._see("empty_block_beside_calls", here, "an empty text block stands beside its calls")
            return
        is_last = entry.role == "assistant" and at == len(self._entries) - 1
        if entry.text in (Text.ABSENT, Text.NULL):
            name = "last_null" if is_last else "null_content"
            self._see(name, here, f"the {entry.role} message has no content")
        elif entry.text is Text.EMPTY:
            name = "last_empty" if is_last else "empty_content"
            self._see(name, here, f"the {entry.role} message is empty")
        else:
            self._see("blank_content", here, f"the {entry.role} message is white space only")
        if entry.role == "assistant":
            self._see("empty_assistant", here, "the assistant message is empty")

    def _order(self, at: int, entry: Entry) -> None:
        if entry.role == "system":
            self._system(at)
        if not at:
            return
        before, here = self._entries[at - 1], (self._items[at],)
        joined = entry.is_piece and before.is_piece
        if entry.role == "user" and before.role == "tool":
            said = "a user message stands right after a tool output"
            self._see("user_after_tool", here, said)
            if not joined:
                self._see("user_after_tool_message", here, said)
        if entry.role == before.role == "user" or (
            entry.role == before.role == "assistant" and not joined and not (entry.calls and entry.is_piece)
        ):
            self._see("roles_repeat", here, f"two {entry.role} messages in a row")
        if entry.calls and before.role == "assistant" and not before.calls and not entry.is_piece:
            self._see("call_after_model", here, "its call follows a message of the model's")
        if _needs_follower(before) and entry.role in ("user", "system", "tool"):
            self._see("reasoning_without_follower", (self._items[at - 1],), "what follows it is not of the model")

    def _system(self, at: int) -> None:
        here, entries = (self._items[at],), self._entries
        if at or self._has_prompt:
            self._see("system_later", here, "a system message stands behind the system prompt")
        if not at:
            self._see("system_first", here, "a system message stands first in the list")
            return
        before = entries[at - 1].role
        after = next((entry.role for entry in entries[at + 1 :] if entry.role != "system"), "end")
        if before in ("assistant", "reasoning", "tool"):
            self._see("system_after_model", here, f"a system message stands after {_named(before)}")
        placed = before in ("user", "tool") and after in ("assistant", "end")
        name = "system_placed" if placed else "system_misplaced"
        self._see(name, here, "a system message stands inside the list")

    # -- pairs ----------------------------------------------------------------------------------------

    def _pairs(self, at: int, entry: Entry) -> None:
        group, here = self._group, self._items[at]
        if entry.calls:
            before = self._entries[at - 1] if at else None
            goes_on = entry.is_piece and before is not None and before.role in ("assistant", "reasoning")
            if not goes_on or group.answered:
                self._close_group()
                group = self._group
            self._new_calls(entry, here)
        elif entry.answers:
            for call_id in entry.answers:
                self._answer(group, call_id, here)
        elif entry.role in ("user", "system", "assistant") and len(group.answered) < len(group.calls):
            if entry.role == "assistant" and entry.is_piece:
                return
            group.interrupted_by = here if group.interrupted_by is None else group.interrupted_by

    def _new_calls(self, entry: Entry, here: int) -> None:
        for call_id in entry.calls:
            if call_id is not None and call_id in self._called:
                self._see("call_id_reused", (here,), f"the call id {call_id} was used before")
            if call_id is not None and call_id in self._group.calls:
                self._see("call_id_twice", (here,), f"the call id {call_id} is there twice in its turn")
            if call_id is not None:
                self._called.add(call_id)
            self._group.calls[call_id] = here
            self._group.cuts[call_id] = self._cuts

    def _answer(self, group: _Group, call_id: str | None, here: int) -> None:
        if call_id in group.answered:
            self._see("answered_twice", (here,), f"the call {call_id} was answered before")
        elif call_id in group.calls:
            group.answered.add(call_id)
            if group.interrupted_by is not None:
                self._see("apart", (here,), f"#{group.interrupted_by} stands between it and its call")
        elif call_id is not None and call_id in self._called:
            self._see("apart", (here,), "other messages stand between it and its call")

    def _close_group(self) -> None:
        group = self._group
        missing = [call_id for call_id in group.calls if call_id not in group.answered]
        told: set[int] = set()
        for call_id in missing if group.answered else ():
            # Calls were made in parallel if nothing stood between them in the session either.
            parallel = [other for other in group.calls if group.cuts[other] == group.cuts[call_id]]
            answered, item = sum(other in group.answered for other in parallel), group.calls[call_id]
            if answered and item not in told:
                told.add(item)
                words = f"{answered} of {len(parallel)} parallel calls {'is' if answered == 1 else 'are'} answered"
                self._see("partly_answered", (item,), words)
        self._group = _Group()

    # -- the ends -------------------------------------------------------------------------------------

    def _ends(self) -> None:
        entries, items = self._entries, self._items
        if not entries:
            return
        messages = [at for at, entry in enumerate(entries) if entry.role not in _NO_MESSAGES]
        first = next((at for at in messages if entries[at].role != "system"), None)
        if messages and first is None:
            self._see("system_only", (items[messages[0]],), "there is no message but the system's")
        if first is not None:
            # Reasoning leads a turn of the model's: what it led to says how the turn begins.
            led_to = next((at for at in range(first, len(entries)) if entries[at].role != "reasoning"), first)
            self._begins_with(led_to)
        if messages:
            last = entries[messages[-1]]
            here = (items[messages[-1]],)
            if last.role in ("assistant", "reasoning") and not last.calls:
                self._see("last_is_model", here, f"the last item is {_named(last.role)}")
            if _needs_follower(last):
                self._see("reasoning_without_follower", here, "nothing follows it")
        self._turn()

    def _begins_with(self, at: int) -> None:
        entry, here = self._entries[at], (self._items[at],)
        if entry.calls:
            self._see("first_is_call", here, "the first item is a tool call")
        elif entry.role == "tool":
            self._see("first_is_output", here, "the first item is a tool output")
        elif entry.role != "user":
            self._see("first_not_user", here, f"the first item is {_named(entry.role)}")

    def _turn(self) -> None:
        """What the model thought: calls that come without it, and thoughts that stand behind a cut.

        The present turn is what stands from the last user message on.
        """
        entries, items = self._entries, self._items
        turn = next((at for at in range(len(entries) - 1, -1, -1) if entries[at].role == "user"), 0)
        thinks = any(entry.has_thought for entry in entries)
        cut = next((at for at, item in enumerate(items) if item != at), len(entries))
        bound = next((at for at in range(cut, len(entries)) if "bound" in entries[at].faults), None)
        if bound is not None:
            self._see(
                "bound_after_cut", (items[bound],), "its thinking is bound to all before it, of which some is gone"
            )
        for at, entry in enumerate(entries):
            if not entry.calls:
                continue
            before = entries[at - 1] if at else None
            leads = not (entry.is_piece and before is not None and before.calls)
            thought = entry.has_thought or (before is not None and before.role == "reasoning")
            if leads and not thought:
                self._see_each("call_without_reasoning_content", items[at])
            if at >= turn and leads and "unsigned" in entry.faults:
                self._see_each("unsigned_call", items[at])
            if at >= turn and leads and thinks and not thought:
                self._see("turn_without_thinking", (items[at],), "its turn does not begin with a thinking block")


_OF_MANY = {
    "call_id_over_64": "a call id of more than 64 characters",
    "call_id_over_40": "a call id of more than 40 characters",
    "call_id_not_nine": "a call id that is not of 9 letters and digits",
    "call_id_letters": "a call id with other characters than letters, digits, _ and -",
    "call_without_reasoning_content": "its call comes without reasoning_content",
    "unsigned_call": "its call has no thought signature",
}
"""What is mostly so of all calls or of none."""

_FAULTS = {
    "text_before_result": "a text stands before its tool result",
    "id_not_fc": "its id does not begin with fc",
    "tool_calls_field": "tool_calls is no field of a Responses item",
    "no_content_key": "it has no content beside its calls",
    "assistant_input_text": "its text is input_text, which is the user's",
    "image_url_object": "its image_url is an object",
    "developer": "its role is developer",
    "image_part": "an image makes its content a list",
    "reasoning_without_summary": "the reasoning has no summary list",
}


def _needs_follower(entry: Entry) -> bool:
    """Whether it is reasoning that OpenAI stored: it has an id, and does not bring itself along encrypted."""
    return entry.role == "reasoning" and entry.own_id is not None and "encrypted" not in entry.faults


def _a(role: str) -> str:
    return f"an {role}" if role[:1] in "aeiou" else f"a {role}"


def _named(role: str) -> str:
    return "reasoning" if role == "reasoning" else f"{_a(role)} message"
