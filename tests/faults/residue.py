"""Searches all files of a folder for words, byte for byte and decoded."""

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
    """Return where one of `words` occurs, in any case: each file, with the form of the word in it.

    Another process copies the files first: closing a database file here would drop the locks that this process holds.
    """
    with TemporaryDirectory() as outside:
        copy = Path(outside) / "copy"
        subprocess.run(["cp", "-R", str(folder), str(copy)], check=True)
        files = {path: path.relative_to(copy) for path in sorted(copy.rglob("*")) if path.is_file()}
        read = {path: path.read_bytes() for path in files}
        places = [
            f"{files[path]}: {word} as {how}"
            for path, raw in read.items()
            for word in words
            for how in _forms(raw, word)
        ]
        for path in (path for path, raw in read.items() if raw.startswith(_SQLITE)):
            # A text may be split over pages of the file, or packed into a blob, so it is read through the database.
            places += [f"{files[path]}: {place}" for place in _rows(path, words)]
        return places


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
                text = " ".join(_text(value) for value in row).casefold()
                yield from (f"{word} in table {table}" for word in words if word.casefold() in text)


def _text(value: Any) -> str:
    """Return a value of a database as text, unpacked and decompressed."""
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
