"""Qwen Code's transcripts: Claude Code's tree of records with Gemini's messages in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxviz.projection.json_value import Json
from ctxviz.session.formats import claude_code
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.opened import Opened
from ctxviz.session.records import Records, Skipped

NAME = "qwen-code"
TITLE = "Qwen Code"
KNOWN_BY = "records with uuid and parentUuid whose message has parts"
READS = "the branch that was gone on with; each part as an item"
LEAVES_OUT = "branches that were left, system records"


def looks_like(file: Opened) -> float:
    """The share of the records of a transcript in which messages have parts."""
    sample = file.sample() if isinstance(file, Records) else ()
    if not any(isinstance(record, dict) and "uuid" in record and _has_parts(record) for record in sample):
        return 0
    return 0.96 * sum(isinstance(record, dict) and "uuid" in record for record in sample) / len(sample)


def _has_parts(record: Json) -> bool:
    message = record.get("message") if isinstance(record, dict) else None
    return isinstance(message, dict) and isinstance(message.get("parts"), list)


def read(file: Opened, conversation: str | None = None) -> Content:
    """The items that the model saw last."""
    if not isinstance(file, Records):
        raise NotReadable("holds no items: a Qwen Code transcript is JSON Lines")
    return claude_code.read(_AsClaudeCode(file))


class _AsClaudeCode(Records):
    """The records with their messages' parts as Anthropic's blocks."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, number: int) -> Json:
        return _with_blocks(self._records[number])

    def place(self, number: int) -> str:
        return self._records.place(number)

    def sample(self) -> Sequence[Json]:
        return [_with_blocks(record) for record in self._records.sample()]

    def batches(self) -> Iterator[list[Json]]:
        for batch in self._records.batches():
            yield [_with_blocks(record) for record in batch]

    def size_bytes(self, number: int) -> int:
        return self._records.size_bytes(number)

    def beginning(self, number: int) -> Json:
        return _with_blocks(self._records.beginning(number))

    def reached(self, number: int) -> None:
        self._records.reached(number)

    @property
    def skipped(self) -> Sequence[Skipped]:
        return self._records.skipped


def _with_blocks(record: Json) -> Json:
    message = record.get("message") if isinstance(record, dict) else None
    parts = message.get("parts") if isinstance(message, dict) else None
    if not isinstance(record, dict) or not isinstance(message, dict) or not isinstance(parts, list):
        return record
    role = message.get("role")
    content: list[Json] = [_block(part) for part in parts]
    # Records of one message share its uuid (thoughts come first, for one); Claude Code's share an id.
    made = {"role": "assistant" if role == "model" else role, "content": content, "id": record.get("uuid")}
    return {**record, "message": made}


def _block(part: Json) -> Json:
    if not isinstance(part, dict):
        return part
    call, told = part.get("functionCall"), part.get("functionResponse")
    if isinstance(call, dict):
        return {"type": "tool_use", "id": call.get("id"), "name": call.get("name"), "input": call.get("args")}
    if isinstance(told, dict):
        return {"type": "tool_result", "tool_use_id": told.get("id"), "content": told.get("response")}
    if part.get("thought") is True:
        return {"type": "thinking", "thinking": part.get("text")}
    return {"type": "text", "text": part["text"]} if "text" in part else part
