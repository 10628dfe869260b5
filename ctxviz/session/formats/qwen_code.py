"""Qwen Code's transcripts: Claude Code's tree of records with Gemini's messages in it."""

from __future__ import annotations

from ctxviz.projection.json_value import Json
from ctxviz.session.formats.claude_code import has_parts, read_tree
from ctxviz.session.formats.content import Content, NotReadable
from ctxviz.session.formats.gemini import parts_of
from ctxviz.session.formats.shapes import message
from ctxviz.session.opened import Opened
from ctxviz.session.records import Records

NAME = "qwen-code"
TITLE = "Qwen Code"
KNOWN_BY = "records with uuid and parentUuid whose message has parts"
READS = "the branch that was gone on with; each part as an item"
LEAVES_OUT = "branches that were left, system records"


def looks_like(file: Opened) -> float:
    """The share of the records of a transcript in which messages have parts."""
    sample = file.sample() if isinstance(file, Records) else ()
    if not any(isinstance(record, dict) and "uuid" in record and has_parts(record) for record in sample):
        return 0
    return 0.95 * sum(isinstance(record, dict) and "uuid" in record for record in sample) / len(sample)


def read(file: Opened, conversation: str | None = None) -> Content:
    """The items that the model saw last."""
    if not isinstance(file, Records):
        raise NotReadable("holds no items: a Qwen Code transcript is JSON Lines")
    return read_tree(file, "parts", _split)


def _split(role: Json, parts: Json) -> list[Json]:
    speaker = "assistant" if role == "model" else role if isinstance(role, str) else "user"
    return parts_of(speaker, parts) if isinstance(parts, list) else [message(speaker, parts)]
