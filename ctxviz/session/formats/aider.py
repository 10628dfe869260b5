"""aider's `.aider.chat.history.md` (aider/utils.py, ``split_chat_history_markdown``)."""

from __future__ import annotations

from dataclasses import dataclass, field

from ctxviz.session.formats.content import Content, NotReadable, chosen
from ctxviz.session.formats.shapes import message
from ctxviz.session.model import Conversation
from ctxviz.session.opened import Opened, Text
from ctxviz.session.records import ListRecords
from ctxviz.session.table import Builder

NAME = "aider"
TITLE = "aider history"
KNOWN_BY = "a text with lines “# aider chat started at”"
READS = "one chat: lines after “#### ” as the user's, the rest as the assistant's"
LEAVES_OUT = "lines after “> ”, which are aider's own; headings of the assistant, which the format can't tell"

_START = "# aider chat started at "


@dataclass
class _Block:
    role: str
    line: int
    lines: list[str] = field(default_factory=list)


def looks_like(file: Opened) -> float:
    """A text in which chats are started."""
    if not isinstance(file, Text):
        return 0
    return float(file.text.startswith(_START) or f"\n{_START}" in file.text)


def read(file: Opened, conversation: str | None = None) -> Content:
    """One chat's messages."""
    if not isinstance(file, Text) or not looks_like(file):
        raise NotReadable("holds no items: it is no history of aider's")
    chats = _chats(file.text)
    known = [
        Conversation(
            key, next((" ".join(block.lines)[:80] for block in blocks if block.role == "user"), ""), len(blocks)
        )
        for key, blocks in chats.items()
    ]
    one = chosen(known[::-1], conversation)
    blocks = chats[one.id]
    records = ListRecords(["\n".join(block.lines) for block in blocks], lambda number: f"line {blocks[number].line:,}")
    builder = Builder(records)
    for number, text in records.each():
        role = blocks[number].role
        if role == "tool":
            builder.set_aside(number, "not sent: aider's own output", (message("user", text),))
        else:
            builder.add(number, (message(role, text),))
    roles = ["user" if block.role == "tool" else block.role for block in blocks]
    rows = builder.rows(lambda text, number: (message(roles[number], text),))
    return Content(
        rows=rows, conversation=one if len(known) > 1 else None, nothing="" if blocks else "The chat is empty."
    )


def _chats(text: str) -> dict[str, list[_Block]]:
    chats: dict[str, list[_Block]] = {}
    blocks: list[_Block] = []
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip("\r")
        if line.startswith(_START):
            key = line[len(_START) :].strip()
            while key in chats:
                key += "'"
            blocks = chats[key] = []
            continue
        if line.startswith("# "):
            continue
        role, said = "assistant", line
        for mark, speaker in (("#### ", "user"), ("> ", "tool")):
            if line.startswith(mark):
                role, said = speaker, line[len(mark) :]
        if not said.strip() and (not blocks or role != blocks[-1].role):
            continue
        if not blocks or blocks[-1].role != role:
            blocks.append(_Block(role, number))
        blocks[-1].lines.append(said)
    for found in chats.values():
        for block in found:
            while block.lines and not block.lines[-1].strip():
                block.lines.pop()
    return chats
