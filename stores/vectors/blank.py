"""Blanking what Chroma leaves of this process's memory in the files of a new index.

An index that holds nothing yet is written as the memory was that it is given: with pieces of whatever was there before,
words of a conversation among them, and for as long as fewer vectors are written than make Chroma save it.
"""

from __future__ import annotations

import struct
from pathlib import Path

_HEADER = struct.Struct("<i4Q")
_VERSION = 1
_FILES = ("data_level0.bin", "length.bin")


def blank_unwritten(folder: Path) -> None:
    """Write zeros over the contents of those indexes under `folder` whose header says that they hold nothing."""
    for path in folder.glob("*/header.bin"):
        raw = path.read_bytes()
        if len(raw) < _HEADER.size:
            continue
        version, _, capacity, count, size = _HEADER.unpack(raw[: _HEADER.size])
        if version != _VERSION or count:
            continue
        for name, width in zip(_FILES, (size, 4), strict=True):
            _blank(path.with_name(name), capacity * width)


def _blank(path: Path, length: int) -> None:
    if path.exists() and path.stat().st_size == length:
        with path.open("r+b") as file:
            file.write(bytes(length))
