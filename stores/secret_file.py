"""Keeps a secret of this installation in a file of its own."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from secrets import token_hex

from stores.faults import folder_fault, make_private_folder

_BYTES = 32


def own_secret(file: Path) -> str:
    """Return the secret in `file`, 64 hexadecimal digits; it is made at the first call, for the owner's eyes only.

    Raises:
        StorageError: the file can't be read or written.
    """
    make_private_folder(file.parent)
    beside = file.with_name(f".{file.name}.{token_hex(4)}")
    try:
        if not file.exists():
            with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as out:
                out.write(token_hex(_BYTES))
            with contextlib.suppress(FileExistsError):  # another process was quicker: its secret counts
                os.link(beside, file)
            beside.unlink()
        return file.read_text(encoding="ascii").strip()
    except OSError as error:
        raise folder_fault(error, file) from error
