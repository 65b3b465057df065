"""SQLite databases: open one, run a transaction, and turn database errors into messages that say what to do."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.errors import StorageError
from stores.private_files import make_private_file

BUSY_SECONDS = 30.0
"""How long a statement waits for a lock of another connection."""

_CLOSED = frozenset({"no active connection", "Connection closed"})
"""Messages of aiosqlite's ValueError for a closed connection."""
_ADVICE = {
    "SQLITE_FULL": "The disk is full. Nothing that was acknowledged is lost; free some space and try again.",
    "SQLITE_READONLY": "The file or its folder is read-only. Allow writing, or set CONCIERGE_DATA_DIR elsewhere.",
    "SQLITE_CANTOPEN": "It cannot be opened. Check that its folder may be written, or set CONCIERGE_DATA_DIR.",
    "SQLITE_PERM": "Access is denied. Check the permissions of the folder, or set CONCIERGE_DATA_DIR.",
    "SQLITE_NOTADB": "Restore it from a backup, or move it away to start empty.",
    "SQLITE_CORRUPT": "The database is damaged. Restore it from a backup, or move it away to start empty.",
    "SQLITE_BUSY": "Another process keeps it locked. Stop that process and try again.",
    "SQLITE_IOERR": "The disk failed to read or write. Check it, and the space left on it, then try again.",
}


@contextmanager
def database_faults(path: Path | str) -> Iterator[None]:
    """Turn database errors of the block into a `StorageError` that says which file failed, why, and what to do."""
    try:
        yield
    except (sqlite3.Error, ValueError) as error:
        if isinstance(error, ValueError) and str(error) not in _CLOSED:
            raise
        name = getattr(error, "sqlite_errorname", None) or ""
        advice = next((text for code, text in _ADVICE.items() if name.startswith(code)), "")
        is_misuse = isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error).lower()
        if is_misuse or isinstance(error, ValueError):
            advice = "It was closed; open it again."
        raise StorageError(f"The database {path} cannot be used: {error}. {advice}".rstrip()) from error


def open_database(path: Path | str, script: str) -> sqlite3.Connection:
    """Connect to the SQLite file at `path` in autocommit mode, run `script`, and return the connection, for any thread.

    Creates the file and its folder if they do not exist, unless `path` is `:memory:`. Raises StorageError.
    """
    if str(path) != ":memory:":
        make_private_file(Path(path))
    with database_faults(path):
        db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=BUSY_SECONDS)
        try:
            db.executescript(script)
        except BaseException:
            db.close()
            raise
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Run the block in a transaction on a connection in autocommit mode; roll back if it raises."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
