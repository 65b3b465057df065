"""Items in PostgreSQL, for several processes at once, with batches that are written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from langgraph.store.base import GetOp, Item, ListNamespacesOp, PutOp, SearchItem, SearchOp

from config.errors import InvalidInputError
from stores.filters import matches
from stores.items.base import Texts
from stores.items.namespaces import from_text, literal_prefix, select_namespaces, to_text
from stores.postgres.database import Connection, Postgres
from stores.postgres.items_record import PostgresRecord, below
from stores.postgres.items_schema import escaped, unescaped
from stores.postgres.items_writes import Batch

_COLUMNS = "s.prefix, s.key, s.value::text, s.created_at, s.updated_at"
# Looked up row by row: joined as sets, everybody's records would be read for one user's items.
_BOTH = (
    "store s LEFT JOIN LATERAL "
    "(SELECT seq, vectors FROM vector_record v WHERE v.prefix = s.prefix AND v.key = s.key LIMIT 1) r ON TRUE"
)
_RECORDED = "vector_record r JOIN store s ON s.prefix = r.prefix AND s.key = r.key"
_NEWEST_FIRST = "ORDER BY s.updated_at DESC, r.seq DESC NULLS LAST, s.prefix, s.key"


class PostgresItems(PostgresRecord):
    """`stores.items.base.Items` in one PostgreSQL database, for all threads of all processes that use it.

    Args:
        database: The database; `close` closes it.
        clock: Gives the time of what is written, with its zone.
        texts: What of a value would be embedded; a write that leaves it unchanged keeps its vectors.
        omit_expired: Hide items past their time to live even before they are swept.

    Raises:
        StorageError: when the database fails.
    """

    def __init__(
        self, database: Postgres, *, clock: Callable[[], datetime], texts: Texts, omit_expired: bool = False
    ) -> None:
        super().__init__(database)
        self._clock = clock
        self._texts = texts
        self._omit_expired = omit_expired

    def get(self, op: GetOp) -> Item | None:
        """One item; its time to live starts anew when `op.refresh_ttl`."""
        current, values = self._current()
        rows = self._database.rows(
            f"SELECT {_COLUMNS}, s.ttl_minutes FROM store s WHERE s.prefix = %s AND s.key = %s AND {current}",
            [escaped(to_text(op.namespace)), escaped(op.key), *values],
        )
        if not rows:
            return None
        item = _item(rows[0])
        if op.refresh_ttl and rows[0][-1] is not None:
            self.refresh([item])
        return Item(**{name: getattr(item, name) for name in Item.__slots__})

    def search(self, op: SearchOp) -> list[SearchItem]:
        """Items under the prefix that pass the filter, latest update first; `op.query` plays no part."""
        select = f"SELECT {_COLUMNS} FROM {_BOTH} WHERE TRUE"
        return [_item(row) for row in self._passing(op, select, order=_NEWEST_FIRST, start=op.offset, most=op.limit)]

    def without_vectors(
        self, op: SearchOp, *, limit: int, offset: int, leave_out: Container[int] = ()
    ) -> list[SearchItem]:
        """Items that `op` could return and that have no vector, latest update first; `leave_out` names writes."""
        select = f"SELECT {_COLUMNS}, r.seq FROM {_BOTH} WHERE coalesce(r.vectors, 0) = 0"
        rows = self._passing(op, select, order=_NEWEST_FIRST, start=offset, most=limit, leave_out=leave_out)
        return [_item(row) for row in rows]

    def candidates(self, op: SearchOp, *, limit: int) -> list[tuple[int, int | None]]:
        """`(seq, vectors)` of the items that `op` could return and that have or await vectors; at most `limit`."""
        if op.filter or self._omit_expired:
            select = f"SELECT {_COLUMNS}, r.seq, r.vectors FROM {_BOTH} WHERE r.seq IS NOT NULL"
            rows = self._passing(op, f"{select} AND coalesce(r.vectors, 1) > 0", most=limit)
            return [row[-2:] for row in rows]
        where, values = below(op.namespace_prefix, "r.prefix")
        return self._database.rows(
            f"SELECT r.seq, r.vectors FROM vector_record r WHERE coalesce(r.vectors, 1) > 0 AND {where} LIMIT %s",
            [*values, limit],
        )

    def pick(self, op: SearchOp, seqs: Sequence[int]) -> dict[int, SearchItem]:
        """The items of these writes, as far as they are current and `op` could return them."""
        select = f"SELECT {_COLUMNS}, r.seq FROM {_RECORDED} WHERE r.seq = ANY(%s)"
        return {row[-1]: _item(row) for row in self._passing(op, select, [list(seqs)])}

    def namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        """Namespaces in use, sorted."""
        where, values = below(literal_prefix(op), "s.prefix")
        current, more = self._current()
        sql = f"SELECT DISTINCT s.prefix FROM store s WHERE {current} AND {where}"
        rows = self._database.rows(sql, [*more, *values])
        return select_namespaces((from_text(unescaped(text)) for (text,) in rows), op)

    def put(self, ops: Sequence[PutOp]) -> list[int | None]:
        """Write or delete, all or nothing, in order. Returns for each op the new `seq` that awaits vectors, or None."""
        now = self._clock()
        batch = Batch(ops, now, [_expiry(now, op.ttl) for op in ops], self._texts)
        return self._database.write(batch.write)

    def refresh(self, items: Sequence[Item]) -> None:
        """Start the time to live of these items anew, where they have one."""
        if not items:
            return
        names = [[escaped(to_text(item.namespace)) for item in items], [escaped(item.key) for item in items]]
        living = (
            "SELECT s.prefix, s.key FROM store s JOIN unnest(%s::text[], %s::text[]) AS n (prefix, key) "
            "ON s.prefix = n.prefix AND s.key = n.key WHERE s.ttl_minutes IS NOT NULL ORDER BY s.prefix, s.key"
        )
        if not self._database.rows(f"{living} LIMIT 1", names):
            return
        renew = (
            "UPDATE store SET expires_at = %s + ttl_minutes * interval '1 minute' "
            f"WHERE (prefix, key) IN ({living} FOR UPDATE OF s)"
        )
        self._change(renew, [self._clock(), *names])

    def sweep(self) -> int:
        """Delete expired items; returns how many."""

        def delete(db: Connection) -> int:
            gone = db.execute(
                "DELETE FROM store WHERE expires_at < %s RETURNING prefix, key", [self._clock()]
            ).fetchall()
            Batch.drop_records(db, gone)
            return len(gone)

        return self._database.write(delete)

    def _passing(
        self,
        op: SearchOp,
        select: str,
        values: Sequence[Any] = (),
        *,
        order: str = "",
        start: int = 0,
        most: int | None = None,
        leave_out: Container[int] = (),
    ) -> list[Any]:
        """Rows of `select` under the prefix of `op` that pass its filter, from `start` on; `leave_out` by last column.

        What must be judged here is read in portions, so that a page of a large namespace does not load all of it.
        """
        where, more = below(op.namespace_prefix, "s.prefix")
        current, last = self._current()
        sql = f"{select} AND {where} AND {current} {order}"
        given = [*values, *more, *last]
        if not op.filter and not leave_out:
            return self._database.rows(f"{sql} LIMIT %s OFFSET %s", [*given, most, start])
        with self._database.reading() as db, db.transaction(), db.cursor("passing") as cursor:
            cursor.itersize = 500
            rows = (
                row
                for row in cursor.execute(sql, given)
                if matches(json.loads(row[2]), op.filter) and row[-1] not in leave_out
            )
            return list(islice(rows, start, None if most is None else start + most))

    def _current(self) -> tuple[str, list[datetime]]:
        if not self._omit_expired:
            return "TRUE", []
        return "(s.expires_at IS NULL OR s.expires_at >= %s)", [self._clock()]


def _expiry(now: datetime, minutes: float | None) -> datetime | None:
    try:
        return None if minutes is None else now + timedelta(minutes=minutes)
    except (ValueError, OverflowError) as error:
        raise InvalidInputError(f"ttl is {minutes} minutes: {error}. Give a number, or None to keep it.") from error


def _item(row: Sequence[Any]) -> SearchItem:
    prefix, key, value, created, updated = row[:5]
    return SearchItem(from_text(unescaped(prefix)), unescaped(key), json.loads(value), created, updated)
