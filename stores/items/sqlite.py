"""Items in SQLite, in the table of LangGraph's `SqliteStore`."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from typing_extensions import override

from stores.encryption import check_key
from stores.faults import database_faults, open_database, transaction
from stores.items.base import Items, ItemsOptions
from stores.items.record import TABLES, Execute

T = TypeVar("T")

# The table that `SqliteStore` creates in its migrations 0 to 4, without an index that the primary key makes redundant.
# It is copied here because importing that store loads numpy, which is not needed before the first semantic search.
_ITEMS = """
CREATE TABLE IF NOT EXISTS store (
  prefix TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  expires_at TIMESTAMP,
  ttl_minutes REAL,
  PRIMARY KEY (prefix, key)
);
CREATE INDEX IF NOT EXISTS idx_store_expires_at ON store (expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS store_migrations (v INTEGER PRIMARY KEY);
INSERT OR IGNORE INTO store_migrations (v) VALUES (0), (1), (2), (3), (4);
"""
# AUTOINCREMENT never reuses a `seq`.
_RECORD = TABLES.format(number="INTEGER PRIMARY KEY AUTOINCREMENT", name="TEXT", moment="TEXT")
# FULL: an acknowledged put survives a power cut. secure_delete: deleted text is overwritten in the file.
_TUNING = """
PRAGMA journal_mode=WAL;
PRAGMA synchronous=FULL;
PRAGMA journal_size_limit=16777216;
PRAGMA secure_delete=ON;
"""


class SqliteItems(Items):
    """`Items` in one SQLite file, for all threads of one process, which share one connection and its lock.

    Args:
        path: The file, or `:memory:`.
        options: See `ItemsOptions`.

    Raises:
        StorageError: when the file is damaged or encrypted with another key, or its folder cannot be written.
    """

    def __init__(self, path: Path | str, options: ItemsOptions) -> None:
        super().__init__(options)
        self.path = path
        self._lock = threading.RLock()
        self._db = open_database(path, _TUNING + _ITEMS + _RECORD)
        with ExitStack() as undo, database_faults(path):
            undo.callback(self._db.close)
            check_key(self._db.execute, options.cipher, table="store", where=f"The database {path}")
            new_id = "INSERT INTO vector_store SELECT ? WHERE NOT EXISTS (SELECT 1 FROM vector_store)"
            self._db.execute(new_id, (uuid4().hex,))
            (self.store_id,) = self._db.execute("SELECT id FROM vector_store").fetchone()
            undo.pop_all()

    @override
    def close(self) -> None:
        with self._lock:
            self._db.close()

    @override
    def scrub(self) -> None:
        # Pages are zeroed when they are freed, so only the journal still contains deleted text.
        self._rows("PRAGMA wal_checkpoint(TRUNCATE)")

    @override
    @contextmanager
    def snapshot(self) -> Iterator[None]:
        with self._lock:
            yield

    @override
    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._stream(sql, values) as rows:
            return list(rows)

    @override
    @contextmanager
    def _stream(self, sql: str, values: Sequence[Any]) -> Iterator[Iterator[Any]]:
        with self._lock, database_faults(self.path):
            yield self._db.execute(sql, values)

    @override
    def _write(self, work: Callable[[Execute], T]) -> T:
        with self._lock, database_faults(self.path), transaction(self._db):
            return work(self._db.execute)
