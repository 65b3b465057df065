"""Items in PostgreSQL, for several processes at once, with batches that are written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Any, TypeVar

from langgraph.store.base import Item, PutOp
from typing_extensions import override

from stores.encryption import Cipher
from stores.items.base import Items
from stores.items.values import Texts, expiry
from stores.postgres.database import Postgres
from stores.postgres.items_schema import RECONCILE, EscapedForm, make_tables
from stores.postgres.items_writes import Batch, drop_records

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

    def __init__(
        self,
        database: Postgres,
        *,
        clock: Callable[[], datetime],
        texts: Texts,
        omit_expired: bool = False,
        cipher: Cipher | None = None,
    ) -> None:
        super().__init__(clock=clock, texts=texts, omit_expired=omit_expired, cipher=cipher)
        self._database = database
        self.store_id = make_tables(database, cipher)

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
