"""The tables of items in PostgreSQL: that of LangGraph's `PostgresStore`, and beside it the record of the index."""

from __future__ import annotations

import re
from uuid import uuid4

from typing_extensions import override

from stores.encryption import Cipher, check_key
from stores.items.form import Form
from stores.postgres.database import Connection, Postgres

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
