"""Translate faults of disks and databases into errors that say what to do."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.errors import StorageError

BUSY_SECONDS = 30.0
"""How long a statement waits for another connection before it gives up."""

_ADVICE = {
    "SQLITE_FULL": "The disk is full. Nothing that was acknowledged is lost; free some space and try again.",
    "SQLITE_READONLY": "The file or its folder is read-only. Allow writing, or set CONCIERGE_DATA_DIR elsewhere.",
    "SQLITE_CANTOPEN": "It cannot be opened. Check that its folder may be written, or set CONCIERGE_DATA_DIR.",
    "SQLITE_PERM": "Access is denied. Check the permissions of the folder, or set CONCIERGE_DATA_DIR.",
    "SQLITE_NOTADB": "It is not a database. Restore it from a backup, or move it away to start empty.",
    "SQLITE_CORRUPT": "The database is damaged. Restore it from a backup, or move it away to start empty.",
    "SQLITE_BUSY": "Another process keeps it locked. Stop that process and try again.",
    "SQLITE_IOERR": "The disk failed to read or write. Check it, and the space left on it, then try again.",
}


def database_fault(error: sqlite3.Error, path: Path | str) -> StorageError:
    """Return a StorageError that says which file failed, what happened and what to do."""
    name = getattr(error, "sqlite_errorname", None) or ""
    advice = next((text for code, text in _ADVICE.items() if name.startswith(code)), "")
    if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error).lower():
        advice = "It was closed; open it again."
    return StorageError(f"The database {path} cannot be used: {error}. {advice}".rstrip())


def folder_fault(error: OSError, path: Path | str) -> StorageError:
    """Return a StorageError for a folder or plain file at `path`."""
    if error.errno == errno.ENOSPC:
        advice = "The disk is full; free some space."
    elif error.errno in (errno.ENOTDIR, errno.EEXIST):
        advice = "Something else stands where a folder is needed; move it away, or set CONCIERGE_DATA_DIR."
    else:
        advice = "Allow writing there, or set CONCIERGE_DATA_DIR to another folder."
    return StorageError(f"The folder {path} cannot be used: {error.strerror or error}. {advice}")


@contextmanager
def database_faults(path: Path | str) -> Iterator[None]:
    """Turn database errors of the block into `StorageError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise database_fault(error, path) from error


def make_private_folder(path: Path) -> None:
    """Create `path` and its missing parents, for the owner alone; an existing folder is left as it is.

    Raises:
        StorageError: when it cannot be created or written.
    """
    try:
        # `parents=True` would give the parents another mode.
        for folder in reversed([path, *path.parents]):
            if not folder.is_dir():
                folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise folder_fault(error, path) from error
