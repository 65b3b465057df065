"""Items in PostgreSQL, for several processes at once."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar
from uuid import uuid4

from typing_extensions import override

from stores.encryption import Cipher, check_key
from stores.items.base import Items, ItemsOptions
from stores.items.form import Form
from stores.items.record import TABLES, Execute
from stores.postgres.database import Connection, Postgres

T = TypeVar("T")

# The columns of LangGraph's `PostgresStore`, whose databases can be used here. If the table is created here, a value is
# JSON and not JSONB, which rejects NUL and rounds numbers; and text is compared as bytes, as prefix ranges require.
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
CREATE SEQUENCE IF NOT EXISTS vector_seq;
"""
# A sequence never reuses a number, not even after a rollback.
_RECORD = TABLES.format(
    number="BIGINT PRIMARY KEY DEFAULT nextval('vector_seq')", name='TEXT COLLATE "C"', moment="TIMESTAMPTZ"
)


def _make_tables(database: Postgres, cipher: Cipher | None) -> str:
    """Create missing tables and return the store's id; several processes may do so at once."""

    def make(db: Connection) -> str:
        db.execute("SELECT pg_advisory_xact_lock(hashtextextended('travel-concierge tables', 0))")
        if db.execute("SELECT to_regclass('vector_store')").fetchall()[0][0] is None:
            db.execute((_ITEMS + _RECORD).encode())
        check_key(lambda sql: db.execute(sql.encode()), cipher, table="store", where=f"The database {database.address}")
        db.execute("INSERT INTO vector_store SELECT %s WHERE NOT EXISTS (SELECT 1 FROM vector_store)", (uuid4().hex,))
        return str(db.execute("SELECT id FROM vector_store").fetchall()[0][0])

    return database.write(make)


class EscapedForm(Form):
    """A form without NUL, which PostgreSQL text cannot contain; escapes only the characters 0 and 1."""

    @override
    def encode(self, text: str) -> str:
        return super().encode(text).replace("\x01", "\x01\x01").replace("\x00", "\x010")

    @override
    def decode(self, stored: str) -> str:
        return super().decode(re.sub("\x01(.)", lambda match: "\x00" if match[1] == "0" else match[1], stored))


class PostgresItems(Items):
    """`Items` in one PostgreSQL database, for all threads of all processes that use it.

    Writes are short transactions, which wait for each other row by row.

    Args:
        database: The database; `close` closes it.
        options: See `ItemsOptions`.

    Raises:
        StorageError: when the database fails, or is encrypted with another key.
    """

    _form_class = EscapedForm
    _value_column = "s.value::text"
    _collation = ' COLLATE "C"'  # compares bytes, whatever the collation of the database
    _among = "= ANY(ARRAY(SELECT value::bigint FROM json_array_elements_text(?)))"
    # LATERAL looks records up row by row; a plain join would read the records of all users for one user's items.
    _with_records = (
        "store s LEFT JOIN LATERAL "
        "(SELECT * FROM vector_record v WHERE v.prefix = s.prefix AND v.key = s.key LIMIT 1) r ON TRUE"
    )
    _locked = " FOR UPDATE OF s"

    def __init__(self, database: Postgres, options: ItemsOptions) -> None:
        super().__init__(options)
        self._database = database
        self.store_id = _make_tables(database, options.cipher)

    @override
    def close(self) -> None:
        self._database.close()

    @override
    def scrub(self) -> None:
        """Do nothing: the database erases deleted rows when it next vacuums, which its operator schedules."""

    @override
    def snapshot(self) -> AbstractContextManager[None]:
        return self._database.snapshot()

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
