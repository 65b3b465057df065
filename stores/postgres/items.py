"""Items in PostgreSQL, for several processes at once, with batches that are written whole or not at all."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar, Unpack
from uuid import uuid4

from langgraph.store.base import Item, PutOp
from typing_extensions import override

from stores.encryption import Cipher, check_key
from stores.items.base import Items, ItemsOptions
from stores.items.form import Form, expiry
from stores.postgres.database import Connection, Postgres
from stores.postgres.items_writes import Batch, drop_records

# The columns of `PostgresStore`, so that a database it made can be used on. Where the table is made here, a value is
# JSON and not JSONB, which knows no NUL and rounds numbers; and text is compared as bytes, which prefixes rely on.
_ITEMS = """
CREATE TABLE IF NOT EXISTS store (
  prefix TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  value JSON NOT NULL,
  created_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at TIMESTAMPTZ,
  ttl_minutes DOUBLE PRECISION,
  PRIMARY KEY (prefix, key)
);
ALTER TABLE store ADD COLUMN IF NOT EXISTS expires_at TIMESTAMPTZ;
ALTER TABLE store ADD COLUMN IF NOT EXISTS ttl_minutes DOUBLE PRECISION;
CREATE INDEX IF NOT EXISTS idx_store_expires_at ON store (expires_at) WHERE expires_at IS NOT NULL;
"""

# `vectors` is NULL until the vectors of a write are in the index. `version` is the item's `updated_at`: where the two
# differ, another program wrote the item. A sequence never gives a number twice, not even after a rollback.
_RECORD = """
CREATE SEQUENCE IF NOT EXISTS vector_seq;
CREATE TABLE IF NOT EXISTS vector_record (
  seq BIGINT PRIMARY KEY DEFAULT nextval('vector_seq'),
  prefix TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  version TIMESTAMPTZ NOT NULL,
  fields TEXT,
  vectors INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  fault TEXT,
  UNIQUE (prefix, key)
);
CREATE INDEX IF NOT EXISTS vector_record_pending ON vector_record (prefix) WHERE vectors IS NULL;
CREATE TABLE IF NOT EXISTS vector_dead (seq BIGINT PRIMARY KEY, vectors INTEGER);
CREATE TABLE IF NOT EXISTS vector_store (id TEXT NOT NULL);
"""

# Both ways: records of items that are gone or were replaced die, and items without a record get one.
RECONCILE = (
    "WITH gone AS (DELETE FROM vector_record r WHERE NOT EXISTS (SELECT 1 FROM store s WHERE s.prefix = r.prefix "
    "AND s.key = r.key AND s.updated_at = r.version) RETURNING seq, vectors) "
    "INSERT INTO vector_dead (seq, vectors) SELECT seq, vectors FROM gone ON CONFLICT DO NOTHING",
    "INSERT INTO vector_record (prefix, key, version) SELECT s.prefix, s.key, s.updated_at FROM store s "
    "LEFT JOIN vector_record r ON r.prefix = s.prefix AND r.key = s.key WHERE r.seq IS NULL ON CONFLICT DO NOTHING",
    "UPDATE vector_record SET attempts = 0 WHERE vectors IS NULL AND attempts > 0",
)


def make_tables(database: Postgres, cipher: Cipher | None = None) -> str:
    """Create what is missing and return the store's id; several processes may begin at once.

    Raises:
        StorageError: the database is not of this cipher's key.
    """

    def make(db: Connection) -> str:
        db.execute("SELECT pg_advisory_xact_lock(hashtextextended('travel-concierge tables', 0))")
        if db.execute("SELECT to_regclass('vector_store')").fetchall()[0][0] is None:
            db.execute(_ITEMS + _RECORD)
        check_key(lambda sql: db.execute(sql.encode()), cipher, table="store", where=f"The database {database.address}")
        db.execute("INSERT INTO vector_store SELECT %s WHERE NOT EXISTS (SELECT 1 FROM vector_store)", (uuid4().hex,))
        return str(db.execute("SELECT id FROM vector_store").fetchall()[0][0])

    return database.write(make)


class EscapedForm(Form):
    """Names as PostgreSQL can keep them: without NUL. Only those with control characters change."""

    @override
    def encode(self, text: str) -> str:
        return super().encode(text).replace("\x01", "\x01\x01").replace("\x00", "\x010")

    @override
    def decode(self, kept: str) -> str:
        return super().decode(re.sub("\x01(.)", lambda found: "\x00" if found[1] == "0" else found[1], kept))


T = TypeVar("T")
Execute = Callable[..., Any]


class PostgresItems(Items):
    """`Items` in one PostgreSQL database, for all threads of all processes that use it.

    Writes are short transactions, which wait for each other row by row.

    Args:
        database: The database; `close` closes it.
        clock, texts, omit_expired, cipher: See `Items`.

    Raises:
        StorageError: when the database fails.
    """

    _form_class = EscapedForm
    _value_column = "s.value::text"
    _collation = ' COLLATE "C"'  # Bytes are compared, whatever the order of the database.
    _among = "= ANY(?)"
    # Looked up row by row: joined as sets, everybody's records would be read for one user's items.
    _with_records = _searched = (
        "store s LEFT JOIN LATERAL "
        "(SELECT seq, vectors FROM vector_record v WHERE v.prefix = s.prefix AND v.key = s.key LIMIT 1) r ON TRUE"
    )
    _newest_first = "ORDER BY s.updated_at DESC, r.seq DESC NULLS LAST, s.prefix, s.key"
    _reconcile = RECONCILE

    def __init__(self, database: Postgres, **options: Unpack[ItemsOptions]) -> None:
        super().__init__(**options)
        self._database = database
        self.store_id = make_tables(database, options.get("cipher"))

    @override
    def close(self) -> None:
        self._database.close()

    @override
    def scrub(self) -> None:
        """Do nothing: the database reclaims deleted rows when it next vacuums, which its operator schedules."""

    @override
    def snapshot(self) -> AbstractContextManager[None]:
        return self._database.snapshot()

    @override
    def put(self, ops: Sequence[PutOp]) -> list[int | None]:
        now = self._clock()
        batch = Batch(ops, now, [expiry(now, op.ttl) for op in ops], self._texts, self._form)
        return self._database.write(batch.write)

    @override
    def refresh(self, items: Sequence[Item]) -> None:
        if not items:
            return
        names = [list(column) for column in zip(*(self._form.name(item) for item in items), strict=True)]
        living = (
            "SELECT s.prefix, s.key FROM store s JOIN unnest(?::text[], ?::text[]) AS n (prefix, key) "
            "ON s.prefix = n.prefix AND s.key = n.key WHERE s.ttl_minutes IS NOT NULL ORDER BY s.prefix, s.key"
        )
        if not self._rows(f"{living} LIMIT 1", names):
            return
        renew = (
            "UPDATE store SET expires_at = ? + ttl_minutes * interval '1 minute' "
            f"WHERE (prefix, key) IN ({living} FOR UPDATE OF s)"
        )
        self._write(lambda execute: execute(renew, [self._clock(), *names]))

    @override
    def mark_indexed(self, made: Mapping[int, int]) -> None:
        """Record how many vectors the index holds for each `seq`.

        A write that another process has replaced meanwhile is recorded as stale, so that its vectors are removed.
        """

        def record(execute: Execute) -> None:
            rows = execute(
                "UPDATE vector_record r SET vectors = made.vectors, attempts = 0, fault = NULL "
                "FROM unnest(?::bigint[], ?::int[]) AS made (seq, vectors) WHERE r.seq = made.seq RETURNING r.seq",
                [list(made), list(made.values())],
            )
            for seq in made.keys() - {seq for (seq,) in rows}:
                note = "INSERT INTO vector_dead (seq, vectors) VALUES (?, ?) ON CONFLICT DO NOTHING"
                execute(note, [seq, made[seq]])

        self._write(record)

    @override
    def _drop_records(self, execute: Execute, names: Sequence[tuple[str, str]]) -> None:
        drop_records(execute, names)

    @override
    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._database.rows(_marked(sql), values)

    @override
    @contextmanager
    def _stream(self, sql: str, values: Sequence[Any]) -> Iterator[Iterator[Any]]:
        with self._database.reading() as db, db.transaction(), db.cursor("passing") as cursor:
            cursor.itersize = 500
            yield iter(cursor.execute(_marked(sql), values))

    @override
    def _write(self, work: Callable[[Execute], T]) -> T:
        return self._database.write(lambda db: work(lambda sql, values=(): db.execute(_marked(sql), values)))


def _marked(sql: str) -> str:
    return sql.replace("?", "%s")
