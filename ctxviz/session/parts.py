"""What a person reads and sees in an item: its texts and its images, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ctxviz.projection.json_value import Json
from ctxviz.session.compact_json import compact_json


@dataclass(frozen=True)
class Image:
    """An image, or another file, that an item carries or points to.

    `media_type` is as the item says it ("image/png"), None if it says nothing. `approx_bytes` is
    the decoded size of embedded data, None if there is only a URL or an id. `url` is None for
    embedded data, which is never shown as text.
    """

    media_type: str | None
    approx_bytes: int | None
    url: str | None

    @property
    def label(self) -> str:
        """The image in one line: `[image/png, 48,213 bytes]` or `[image https://...]`."""
        name = self.media_type or "image"
        if self.approx_bytes is not None:
            return f"[{name}, {self.approx_bytes:,} bytes]"
        return f"[{name} {self.url}]" if self.url else f"[{name}]"


_TEXT_KEYS = ("reasoning_content", "thinking", "summary", "text", "refusal", "content", "output")
"""Where the words stand, in reading order. Calls' arguments are no part of it."""

_DATA_URL = re.compile(r"data:([^;,]{0,127})((?:;[^;,]{0,127}){0,8}),", re.IGNORECASE)
_IMAGE_TYPES = {"image", "input_image", "image_url", "output_image", "computer_screenshot"}


def parts(item: Json) -> Iterator[str | Image]:
    """The texts and images of an item in reading order, found as they are asked for.

    Works on any shape and depth. A bare string is its own text; a number or a truth value is
    its JSON text; what has no words has no parts.
    """
    if isinstance(item, (bool, int, float)):
        yield compact_json(item)
        return
    todo: list[Json] = [item]
    while todo:
        value = todo.pop()
        if isinstance(value, str):
            if value:
                yield _embedded(value) or value
        elif isinstance(value, list):
            todo.extend(reversed(value))
        elif isinstance(value, dict):
            image = _image(value)
            if image is not None:
                yield image
            document = _plain_text_document(value)
            if document:
                yield document
            todo.extend(value[key] for key in reversed(_TEXT_KEYS) if key in value)


def _image(part: dict[str, Json]) -> Image | None:
    """The image that a content part is or holds, in the shapes of OpenAI, Anthropic and MCP."""
    for key, name in (("image_url", None), ("video_url", "video"), ("audio_url", "audio"), ("file_url", "file")):
        pointer = part.get(key)
        url = pointer.get("url") if isinstance(pointer, dict) else pointer
        if isinstance(url, str) and url:
            return _embedded(url) or Image(name, None, url)
    source = part.get("source")
    if isinstance(source, dict) and source.get("type") in ("base64", "url", "file"):
        media_type, data, url = source.get("media_type"), source.get("data"), source.get("url")
        if isinstance(data, str):
            return Image(_text(media_type), base64_bytes(data), None)
        return Image(_text(media_type), None, _text(url))
    file = part.get("file", part)
    if isinstance(file, dict) and isinstance(data := file.get("file_data"), str):
        return _embedded(data) or Image("file", base64_bytes(data), None)
    audio = part.get("input_audio")
    if isinstance(audio, dict) and isinstance(data := audio.get("data"), str):
        sound = _text(audio.get("format"))
        return Image(f"audio/{sound}" if sound else "audio", base64_bytes(data), None)
    type_name = part.get("type")
    if type_name == "image_generation_call" and isinstance(data := part.get("result"), str):
        return Image("image", base64_bytes(data), None)
    if isinstance(type_name, str) and type_name in _IMAGE_TYPES:
        if isinstance(data := part.get("data"), str):
            return Image(_text(part.get("mimeType")) or _text(part.get("media_type")), base64_bytes(data), None)
        return Image(None, None, None)
    return None


def _plain_text_document(part: dict[str, Json]) -> str | None:
    source = part.get("source")
    if isinstance(source, dict) and source.get("type") == "text":
        return _text(source.get("data"))
    return None


def _embedded(text: str) -> Image | None:
    """The image in a `data:` URL, None for any other text."""
    if not text.startswith(("data:", "DATA:")):
        return None
    found = _DATA_URL.match(text)
    if found is None:
        return None
    media_type = found[1] or "text/plain"
    if found[2].lower().endswith(";base64"):
        return Image(media_type, base64_bytes(text, found.end()), None)
    return Image(media_type, len(text) - found.end(), None)


def base64_bytes(data: str, start: int = 0) -> int:
    """The decoded size of base64 text from `start` on, without decoding it; line breaks count as data."""
    length = len(data) - start
    padding = 2 if data.endswith("==") else 1 if data.endswith("=") else 0
    return max(length * 3 // 4 - padding, 0)


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value else None
