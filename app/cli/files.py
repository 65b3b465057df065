"""Writes private data to a file."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from uuid import uuid4

from config.errors import StorageError


def write_private(file: Path, text: str) -> None:
    """Write `text` as UTF-8 for the owner's eyes only; the file is there whole, or as it was before.

    Raises:
        StorageError: it can't be written there.
    """
    beside = file.with_name(f".{file.name}.{uuid4().hex[:8]}")
    try:
        opened = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(opened, "w", encoding="utf-8", newline="") as out:
            out.write(text)
        os.replace(beside, file)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise StorageError(f"{file} cannot be written: {error.strerror or error}. Choose another place.") from error
