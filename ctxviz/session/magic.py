"""How files begin that are containers of others."""

from __future__ import annotations

SQLITE = b"SQLite format 3\0"
ZIP = b"PK\x03\x04"
ZSTD = b"\x28\xb5\x2f\xfd"
GZIP = b"\x1f\x8b\x08"
