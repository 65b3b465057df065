"""The database of items: the table of LangGraph's `SqliteStore`, and beside it the record of what the index holds."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from stores.encryption import Cipher, check_key
from stores.faults import BUSY_SECONDS, database_faults, make_private_folder

# The table that `SqliteStore` makes with its migrations 0 to 4, less an index that the primary key makes needless.
# It is written out here because importing that store loads numpy, which a conversation without a search never needs.
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

# `vectors` is NULL until the vectors of a write are in the index. `version` is the item's `updated_at`: where the two
# differ, another program wrote the item. AUTOINCREMENT keeps a `seq` from ever being used twice.
_RECORD = """
CREATE TABLE IF NOT EXISTS vector_record (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  prefix TEXT NOT NULL,
  key TEXT NOT NULL,
  version TEXT NOT NULL,
  fields TEXT,
  vectors INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  fault TEXT,
  UNIQUE (prefix, key)
);
CREATE INDEX IF NOT EXISTS vector_record_pending ON vector_record (prefix) WHERE vectors IS NULL;
CREATE TABLE IF NOT EXISTS vector_dead (seq INTEGER PRIMARY KEY, vectors INTEGER);
CREATE TABLE IF NOT EXISTS vector_store (id TEXT NOT NULL);
"""

# FULL: what a put acknowledged outlives a power cut. secure_delete: forgotten text is overwritten in the file.
_TUNING = """
PRAGMA journal_mode=WAL;
PRAGMA synchronous=FULL;
PRAGMA journal_size_limit=16777216;
PRAGMA secure_delete=ON;
"""

# Both ways: records of items that are gone or were replaced die, and items without a record get one.
RECONCILE = (
    "INSERT OR IGNORE INTO vector_dead (seq, vectors) SELECT r.seq, r.vectors FROM vector_record r "
    "LEFT JOIN store s ON s.prefix = r.prefix AND s.key = r.key WHERE s.key IS NULL OR s.updated_at <> r.version",
    "DELETE FROM vector_record WHERE seq IN (SELECT seq FROM vector_dead)",
    "INSERT INTO vector_record (prefix, key, version) SELECT s.prefix, s.key, s.updated_at FROM store s "
    "LEFT JOIN vector_record r ON r.prefix = s.prefix AND r.key = s.key WHERE r.seq IS NULL",
    "UPDATE vector_record SET attempts = 0 WHERE vectors IS NULL",
)


def open_items_database(path: Path | str, cipher: Cipher | None = None) -> tuple[sqlite3.Connection, str]:
    """Open or create the database at `path` (`:memory:` for none on disk).

    Returns:
        The connection, in autocommit mode and usable from any thread, and the store's id.

    Raises:
        StorageError: when the file is damaged or not of this cipher's key, or its folder cannot be written.
    """
    if str(path) != ":memory:":
        make_private_folder(Path(path).parent)
    with database_faults(path):
        connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=BUSY_SECONDS)
        try:
            connection.executescript(_TUNING)
            connection.executescript(_ITEMS + _RECORD)
            check_key(connection.execute, cipher, table="store", where=f"The database {path}")
            connection.execute(
                "INSERT INTO vector_store SELECT ? WHERE NOT EXISTS (SELECT 1 FROM vector_store)", (uuid4().hex,)
            )
            (store_id,) = connection.execute("SELECT id FROM vector_store").fetchone()
        except BaseException:
            connection.close()
            raise
    return connection, store_id


def timestamp(moment: datetime) -> str:
    """Return a moment as text that sorts by time, and that `SqliteStore` and `Item` read."""
    return moment.astimezone(UTC).isoformat(sep=" ", timespec="microseconds")
