"""Looking for words in everything under a folder, byte for byte and decoded."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ormsgpack

_SQLITE = b"SQLite format 3\x00"


def residue(folder: Path, *words: str) -> list[str]:
    """Where one of `words` is found: each file with how it is written there. Letters' case is passed over.

    A copy is looked at, which another process makes: closing a database's file would drop the locks that this process
    holds on it.
    """
    with TemporaryDirectory() as outside:
        copy = Path(outside) / "copy"
        subprocess.run(["cp", "-R", str(folder), str(copy)], check=True)
        files = {path: path.relative_to(copy) for path in sorted(copy.rglob("*")) if path.is_file()}
        read = {path: path.read_bytes() for path in files}
        found = [
            f"{files[path]}: {word} as {how}"
            for path, raw in read.items()
            for word in words
            for how in _forms(raw, word)
        ]
        for path in (path for path, raw in read.items() if raw.startswith(_SQLITE)):
            # A text may be split over pages of the file, or packed into a blob: read as the database reads it.
            found += [f"{files[path]}: {place}" for place in _rows(path, words)]
        return found


def _forms(raw: bytes, word: str) -> list[str]:
    escaped = json.dumps(word)[1:-1]
    forms = {"text": word.encode(), "UTF-16": word.encode("utf-16-le"), "UTF-16 reversed": word.encode("utf-16-be")}
    if escaped != word:
        forms["JSON"] = escaped.encode()
    lowered = raw.lower()
    return [how for how, form in forms.items() if form.lower() in lowered]


def _rows(path: Path, words: tuple[str, ...]) -> Iterator[str]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in db.execute(f'SELECT * FROM "{table}"'):
                told = " ".join(_told(value) for value in row).casefold()
                yield from (f"{word} in table {table}" for word in words if word.casefold() in told)


def _told(value: Any) -> str:
    """A value of a database as text: packed and compressed ones as what is in them."""
    if not isinstance(value, bytes):
        return str(value)
    for unpack in (zlib.decompress, lambda raw: repr(_unpacked(raw)).encode()):
        try:
            return unpack(value).decode("utf-8", "replace")
        except (zlib.error, ValueError):
            continue
    return value.decode("utf-8", "replace")


def _unpacked(raw: bytes) -> Any:
    return ormsgpack.unpackb(raw, ext_hook=lambda _, inner: _unpacked(inner), option=ormsgpack.OPT_NON_STR_KEYS)
