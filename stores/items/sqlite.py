"""Items in SQLite, in the table of `SqliteStore`, with batches that are written whole or not at all."""

import json
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar, Unpack
from uuid import uuid4

from langgraph.store.base import Item, PutOp
from typing_extensions import override

from stores.encryption import Cipher, check_key
from stores.faults import BUSY_SECONDS, database_faults
from stores.items.base import Items, ItemsOptions
from stores.items.form import encode_fields, encode_value, expiry, keeps_vectors
from stores.private_files import make_private_folder

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


T = TypeVar("T")
Execute = Callable[..., sqlite3.Cursor]


class SqliteItems(Items):
    """`Items` in one SQLite file, for all threads of one process; one lock serves them, as statements are short.

    Args:
        path: The file, or `:memory:`.
        clock, texts, omit_expired, cipher: See `Items`.

    Raises:
        StorageError: when the file is damaged or of another key, or its folder cannot be written.
    """

    _value_column = "s.value"
    _among = "IN (SELECT value FROM json_each(?))"
    _with_records = "store s LEFT JOIN vector_record r ON r.prefix = s.prefix AND r.key = s.key"
    _searched = "store s"
    _newest_first = "ORDER BY s.updated_at DESC, s.rowid DESC"
    _reconcile = RECONCILE

    def __init__(self, path: Path | str, **options: Unpack[ItemsOptions]) -> None:
        super().__init__(**options)
        self.path = path
        self._lock = threading.RLock()
        self._db, self.store_id = open_items_database(path, options.get("cipher"))

    @override
    def close(self) -> None:
        with self._lock:
            self._db.close()

    @override
    def scrub(self) -> None:
        # Freed pages are zeroed as they are freed; what remains is the journal.
        with self._lock, database_faults(self.path):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    @override
    @contextmanager
    def snapshot(self) -> Iterator[None]:
        with self._lock:
            yield

    @override
    def put(self, ops: Sequence[PutOp]) -> list[int | None]:
        now = self._clock()
        expiries = [expiry(now, op.ttl) for op in ops]
        values = [None if op.value is None else encode_value(op.value) for op in ops]
        rows = list(zip(ops, values, expiries, strict=True))
        return self._write(lambda execute: [self._put(execute, *row, now) for row in rows])

    @override
    def refresh(self, items: Sequence[Item]) -> None:
        if not items or not self._rows("SELECT 1 FROM store WHERE expires_at IS NOT NULL LIMIT 1"):
            return

        def renew(execute: Execute) -> None:
            for item in items:
                name = self._form.name(item)
                row = execute("SELECT ttl_minutes FROM store WHERE prefix = ? AND key = ?", name).fetchone()
                if row and row[0] is not None:
                    expires = self._optional_moment(expiry(self._clock(), row[0]))
                    execute("UPDATE store SET expires_at = ? WHERE prefix = ? AND key = ?", (expires, *name))

        self._write(renew)

    @override
    def mark_indexed(self, made: Mapping[int, int]) -> None:
        sql = "UPDATE vector_record SET vectors = ?, attempts = 0, fault = NULL WHERE seq = ?"
        self._write(lambda execute: [execute(sql, (vectors, seq)) for seq, vectors in made.items()])

    def _put(
        self, execute: Execute, op: PutOp, value: str | None, expires: datetime | None, now: datetime
    ) -> int | None:
        name = self._form.name(op)
        if value is None:
            execute("DELETE FROM store WHERE prefix = ? AND key = ?", name)
            self._drop_records(execute, [name])
            return None
        old = execute(
            f"SELECT s.value, r.fields FROM {self._with_records} "
            "WHERE s.prefix = ? AND s.key = ? AND r.version = s.updated_at",
            name,
        ).fetchone()
        moment = timestamp(now)
        execute(
            "INSERT INTO store (prefix, key, value, created_at, updated_at, expires_at, ttl_minutes) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (prefix, key) DO UPDATE SET value = excluded.value, "
            "updated_at = excluded.updated_at, expires_at = excluded.expires_at, ttl_minutes = excluded.ttl_minutes",
            (*name, self._form.seal(name, value), moment, moment, self._optional_moment(expires), op.ttl),
        )
        if old and keeps_vectors(op, self._form.unseal(*name, old[0]), old[1], self._texts):
            execute("UPDATE vector_record SET version = ? WHERE prefix = ? AND key = ?", (moment, *name))
            return None
        self._drop_records(execute, [name])
        cursor = execute(
            "INSERT INTO vector_record (prefix, key, version, fields, vectors) VALUES (?, ?, ?, ?, ?)",
            (*name, moment, encode_fields(op), 0 if op.index is False else None),
        )
        return None if op.index is False else cursor.lastrowid

    @override
    def _drop_records(self, execute: Execute, names: Sequence[tuple[str, str]]) -> None:
        for name in names:
            sql = "DELETE FROM vector_record WHERE prefix = ? AND key = ? RETURNING seq, vectors"
            gone = execute(sql, name).fetchone()
            if gone and gone[1] != 0:
                execute("INSERT OR IGNORE INTO vector_dead (seq, vectors) VALUES (?, ?)", gone)

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
        with self._lock, database_faults(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                result = work(self._db.execute)
                self._db.execute("COMMIT")
                return result
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @override
    def _list(self, values: Iterable[int]) -> str:
        return json.dumps(list(values))

    @override
    def _moment(self, moment: datetime) -> str:
        return timestamp(moment)

    @staticmethod
    def _optional_moment(moment: datetime | None) -> str | None:
        return None if moment is None else timestamp(moment)
