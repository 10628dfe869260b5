"""What items are and say, in every shape that real files hold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxviz.projection.json_value import Json
from ctxviz.session.item import KINDS, Image, Kind, Preview, ToolCall, describe, full_text, kind_code, kind_of, preview

GREP: Json = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "grep", "arguments": '{"pattern":"dueDate","path":"src"}'},
}
READ = {"id": "call_2", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "a b.txt"}'}}
PIXEL = "iVBORw0KGgo="
RESULT: Json = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "42"}]}

KIND_TABLE: list[tuple[Any, Kind]] = [
    ("text", Kind.OTHER),
    (None, Kind.OTHER),
    (7, Kind.OTHER),
    ([], Kind.OTHER),
    ({}, Kind.OTHER),
    ({"type": "message"}, Kind.OTHER),
    ({"type": ["x"], "role": {"y": 1}}, Kind.OTHER),
    ({"role": "system", "content": "s"}, Kind.SYSTEM),
    ({"role": "developer", "content": "s"}, Kind.SYSTEM),
    ({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "q"}]}, Kind.USER),
    ({"role": "user", "content": None}, Kind.USER),
    ({"role": "user", "content": [{"type": "text", "text": "so?"}, RESULT]}, Kind.TOOL_OUTPUT),
    ({"role": "assistant", "content": "a"}, Kind.ASSISTANT),
    ({"role": "assistant", "tool_calls": None}, Kind.ASSISTANT),
    ({"role": "assistant", "tool_calls": []}, Kind.ASSISTANT),
    ({"role": "assistant", "tool_calls": [GREP]}, Kind.TOOL_CALL),
    ({"role": "assistant", "content": "I look.", "tool_calls": [GREP]}, Kind.TOOL_CALL),
    ({"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}}, Kind.TOOL_CALL),
    ({"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {}}]}, Kind.TOOL_CALL),
    ({"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}, Kind.REASONING),
    ({"type": "function_call", "name": "f", "call_id": "c"}, Kind.TOOL_CALL),
    ({"type": "function_call", "role": "assistant"}, Kind.TOOL_CALL),
    ({"type": "custom_tool_call", "input": "raw"}, Kind.TOOL_CALL),
    ({"type": "web_search_call", "id": "ws_1"}, Kind.TOOL_CALL),
    ({"type": "function_call_output", "call_id": "c"}, Kind.TOOL_OUTPUT),
    ({"type": "computer_call_output", "output": {}}, Kind.TOOL_OUTPUT),
    ({"type": "tool_search_output"}, Kind.TOOL_OUTPUT),
    ({"role": "tool", "tool_call_id": "c", "content": "r"}, Kind.TOOL_OUTPUT),
    ({"role": "function", "name": "f", "content": "r"}, Kind.TOOL_OUTPUT),
    ({"type": "reasoning", "summary": []}, Kind.REASONING),
    ({"type": "item_reference", "id": "x"}, Kind.OTHER),
]


@pytest.mark.parametrize(("item", "kind"), KIND_TABLE)
def test_kind(item: Json, kind: Kind) -> None:
    assert kind_of(item) is kind
    assert KINDS[kind_code(item)] is kind


def test_kinds_are_the_words_of_reports() -> None:
    assert [str(kind) for kind in KINDS] == [
        "system",
        "user",
        "assistant",
        "tool-call",
        "tool-output",
        "reasoning",
        "other",
    ]


PREVIEW_TABLE: list[tuple[Any, str | None, Preview]] = [
    ({"role": "assistant", "tool_calls": [GREP]}, None, Preview("→", "grep", "(dueDate, src)")),
    (
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "input_text", "text": "I\nlook"}],
            "tool_calls": [GREP],
        },
        None,
        Preview("→", "grep", "(dueDate, src)  I look"),
    ),
    (
        {"role": "assistant", "tool_calls": [GREP, READ]},
        None,
        Preview("→", "grep", "(dueDate, src); → read_file(a b.txt)"),
    ),
    ({"type": "function_call", "name": "now", "arguments": "{}"}, None, Preview("→", "now", "()")),
    ({"type": "function_call", "name": "now"}, None, Preview("→", "now", "()")),
    ({"type": "function_call", "arguments": "not json"}, None, Preview("→", "function", "(not json)")),
    (
        {"type": "function_call", "name": "f", "arguments": '{"a":[1,{"b":null}],"c":true,"d":1.5}'},
        None,
        Preview("→", "f", '([1,{"b":null}], true, 1.5)'),
    ),
    (
        {"type": "custom_tool_call", "name": "patch", "input": "*** Begin\nPatch"},
        None,
        Preview("→", "patch", "(*** Begin Patch)"),
    ),
    (
        {"type": "local_shell_call", "action": {"command": ["ls", "-l"]}},
        None,
        Preview("→", "local_shell", '(["ls","-l"])'),
    ),
    (
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "ok"}, {"type": "tool_use", "name": "f", "input": {"x": "y"}}],
        },
        None,
        Preview("→", "f", "(y)  ok"),
    ),
    ({"type": "function_call_output", "call_id": "c", "output": "a\t\tb\n"}, "grep", Preview("←", "grep", " a b")),
    ({"role": "tool", "name": "f", "content": "r"}, None, Preview("←", "f", " r")),
    ({"role": "tool", "content": "r"}, None, Preview("←", "", " r")),
    (
        {"type": "function_call_output", "call_id": "c"},
        "grep",
        Preview("←", "grep", ' {"type":"function_call_output","call_id":"c"}'),
    ),
    ({"role": "user", "content": "  many   words\u2028here "}, None, Preview("", "", "many words here")),
    ({"role": "user", "content": ""}, None, Preview("", "", '{"role":"user","content":""}')),
    (
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "First"}, {"text": "second"}]},
        None,
        Preview("", "", "First second"),
    ),
    (
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "see"},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}},
            ],
        },
        None,
        Preview("", "", "see [image/png, 8 bytes]"),
    ),
    (
        {"role": "user", "content": [{"type": "input_image", "image_url": "https://a.example/b.png"}]},
        None,
        Preview("", "", "[image https://a.example/b.png]"),
    ),
    ({"role": "user", "content": [{"type": "input_image", "file_id": "file_1"}]}, None, Preview("", "", "[image]")),
    ("bare", None, Preview("", "", "bare")),
    ("", None, Preview("", "", '""')),
    (None, None, Preview("", "", "null")),
    (1.0, None, Preview("", "", "1.0")),
    (True, None, Preview("", "", "true")),
    ({"mapping": {"a": [1]}}, None, Preview("", "", '{"mapping":{"a":[1]}}')),
]


@pytest.mark.parametrize(("item", "tool_name", "expected"), PREVIEW_TABLE)
def test_preview(item: Json, tool_name: str | None, expected: Preview) -> None:
    assert preview(item, tool_name) == expected


def test_a_preview_looks_at_no_more_than_it_shows() -> None:
    class Watched(str):
        """A text that can't be split, joined or searched whole."""

        def split(self, *_: object) -> Any:
            raise AssertionError

        def strip(self, *_: object) -> Any:
            raise AssertionError

    long = Watched("word " * 10_000_000)
    assert preview({"role": "user", "content": long}, limit=20).rest == "word word word word "
    assert preview({"type": "function_call_output", "output": long}, "f", limit=10).rest == " word word"
    assert preview({"type": "function_call", "name": "f", "arguments": long}, limit=10).rest == "(word word"


@pytest.mark.parametrize("tail", ["", "\\", "\\u", "\\u00", "\\u0041", "\\\\", "\\\\\\", '\\"', "x"])
def test_long_arguments_are_previewed_from_their_beginning(tail: str) -> None:
    limit = 20
    head = 8 * limit + 64
    opening = '{"path":"src","patch":"'
    arguments = opening + "p" * (head - len(opening) - len(tail)) + tail + "p" * 1000 + '"}'
    shown = preview({"type": "function_call", "name": "f", "arguments": arguments}, limit=limit)
    assert shown.rest == "(src, " + "p" * (limit - 6)


def test_describe_a_call_with_text() -> None:
    item: Json = {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [GREP, {"id": 5, "custom": {"name": "p", "input": "raw"}}],
    }
    description = describe(item)
    assert description.kind is Kind.TOOL_CALL
    assert description.role == "assistant"
    assert description.text == "I look."
    assert description.calls == (
        ToolCall("grep", "call_1", '{"pattern":"dueDate","path":"src"}'),
        ToolCall("p", None, "raw"),
    )
    assert description.call_id is None


def test_describe_outputs() -> None:
    assert describe({"type": "function_call_output", "call_id": "c", "output": "r"}).call_id == "c"
    assert describe({"role": "tool", "tool_call_id": "c", "content": "r"}).call_id == "c"
    anthropic = describe({"role": "user", "content": [RESULT, {"type": "text", "text": "go on"}]})
    assert (anthropic.call_id, anthropic.text, anthropic.role) == ("t1", "42\ngo on", "user")
    assert describe({"type": "function_call", "call_id": "c"}).call_id is None


@pytest.mark.parametrize(
    ("part", "image"),
    [
        (
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}},
            Image("image/png", 8, None),
        ),
        ({"type": "image", "source": {"type": "url", "url": "https://a"}}, Image(None, None, "https://a")),
        (
            {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "AAAA"}},
            Image("application/pdf", 3, None),
        ),
        ({"type": "image", "data": "AA==", "mimeType": "image/gif"}, Image("image/gif", 1, None)),
        ({"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}, Image("audio/wav", 3, None)),
        ({"type": "file", "file": {"file_data": "data:text/csv;base64,AAAA"}}, Image("text/csv", 3, None)),
        ({"type": "video_url", "video_url": {"url": "https://v"}}, Image("video", None, "https://v")),
        ({"type": "image_url", "image_url": "data:,plain"}, Image("text/plain", 5, None)),
    ],
)
def test_images(part: dict[str, Json], image: Image) -> None:
    item: Json = {"role": "user", "content": [{"type": "text", "text": "see"}, part]}
    description = describe(item)
    assert description.images == (image,)
    assert description.text == "see"
    assert full_text(item) == f"see\n{image.label}"


def test_base64_never_becomes_text() -> None:
    data = "QUJD" * 5_000
    item: Json = {"type": "function_call_output", "call_id": "c", "output": f"data:image/jpeg;base64,{data}"}
    assert describe(item).text == ""
    assert full_text(item) == "[image/jpeg, 15,000 bytes]"
    assert preview(item).rest == " [image/jpeg, 15,000 bytes]"


def test_full_text() -> None:
    item: Json = {"role": "assistant", "content": "I look.", "tool_calls": [GREP]}
    assert full_text(item) == 'I look.\ngrep({"pattern":"dueDate","path":"src"})'
    anthropic: Json = {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {"x": [1, "ü"]}}]}
    assert full_text(anthropic) == 'f({"x":[1,"ü"]})'
    assert full_text({"odd": 1}) == '{"odd":1}'
    assert full_text(None) == "null"
    assert full_text("  as it is\n") == "  as it is\n"


def test_deep_items_are_described() -> None:
    deep: Any = {"text": "bottom"}
    for _ in range(20_000):
        deep = {"content": [deep]}
    assert describe(deep).text == "bottom"
    assert preview(deep).rest == "bottom"
    bare: Any = 1
    for _ in range(20_000):
        bare = {"x": [bare]}
    assert full_text(bare) == '{"x":[' * 20_000 + "1" + "]}" * 20_000
    assert len(preview(bare).rest) == 200


KEYS = st.sampled_from(
    ["type", "role", "content", "text", "tool_calls", "function", "name", "arguments", "id", "call_id", "output", "x"]
) | st.sampled_from(
    ["source", "image_url", "input", "summary", "url", "data", "file", "input_audio", "function_call", "tool_use_id"]
)
WORDS = st.sampled_from(
    ["message", "assistant", "user", "tool", "reasoning", "tool_use", "tool_result", "function_call", "image", "base64"]
) | st.sampled_from(
    ["function_call_output", "a_call", "data:image/png;base64,AA", "", " ", "{", '{"a":"b', "\ud83d", "\0"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | WORDS
ITEMS = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=12
)


@given(ITEMS, st.integers(0, 40))
def test_nothing_raises_whatever_an_item_holds(item: Json, limit: int) -> None:
    code = kind_code(item)
    description = describe(item)
    assert KINDS[code] is description.kind
    shown = preview(item, limit=limit)
    assert len(shown.rest) <= limit
    assert (shown.arrow == "→") == (description.kind is Kind.TOOL_CALL) == bool(description.calls)
    assert (shown.arrow == "←") == (description.kind is Kind.TOOL_OUTPUT)
    assert full_text(item)


@given(ITEMS)
def test_json_of_an_item_without_words_is_json(item: Json) -> None:
    if not describe(item).text and not describe(item).images and not describe(item).calls:
        text = full_text(item)
        assert json.dumps(json.loads(text)) == json.dumps(item)


def test_anthropics_own_tools_and_thoughts() -> None:
    use: Json = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "q"}}
    told: Json = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}
    thought: Json = {"type": "thinking", "thinking": "hm"}
    table: list[tuple[list[Json], Kind]] = [
        ([use], Kind.TOOL_CALL),
        ([told], Kind.TOOL_OUTPUT),
        ([thought, {"type": "redacted_thinking", "data": "x"}], Kind.REASONING),
        ([thought, {"type": "text", "text": "a"}], Kind.ASSISTANT),
        ([], Kind.ASSISTANT),
    ]
    for blocks, kind in table:
        assert kind_of({"role": "assistant", "content": blocks}) is kind
    assert describe({"role": "assistant", "content": [use]}).calls[0].call_id == "s1"
    assert describe({"role": "assistant", "content": [told]}).call_id == "s1"
