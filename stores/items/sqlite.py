"""Items in SQLite, in the table of `SqliteStore`, with batches that are written whole or not at all."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Container, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from langgraph.store.base import GetOp, Item, ListNamespacesOp, PutOp, SearchItem, SearchOp

from config.errors import InvalidInputError
from stores.faults import database_faults
from stores.filters import matches
from stores.items.base import Texts, encode_value
from stores.items.namespaces import from_text, literal_prefix, select_namespaces, to_text, under
from stores.items.sqlite_record import SqliteRecord
from stores.items.sqlite_schema import timestamp

_COLUMNS = "s.prefix, s.key, s.value, s.created_at, s.updated_at"
_RECORDED = "store s JOIN vector_record r ON r.prefix = s.prefix AND r.key = s.key"
_NEWEST_FIRST = "ORDER BY s.updated_at DESC, s.rowid DESC"


class SqliteItems(SqliteRecord):
    """`stores.items.base.Items` in one SQLite file, for all threads of one process.

    Args:
        path: The file, or `:memory:`.
        clock: Gives the time of what is written, with its zone.
        texts: What of a value would be embedded; a write that leaves it unchanged keeps its vectors.
        omit_expired: Hide items past their time to live even before they are swept.

    Raises:
        StorageError: when the file is damaged, or its folder cannot be written.
    """

    def __init__(
        self, path: Path | str, *, clock: Callable[[], datetime], texts: Texts, omit_expired: bool = False
    ) -> None:
        super().__init__(path)
        self._clock = clock
        self._texts = texts
        self._omit_expired = omit_expired

    def get(self, op: GetOp) -> Item | None:
        """One item; its time to live starts anew when `op.refresh_ttl`."""
        rows = self._all(
            f"SELECT {_COLUMNS}, s.ttl_minutes FROM store s WHERE s.prefix = ? AND s.key = ? AND {self._current()}",
            [to_text(op.namespace), op.key],
        )
        if not rows:
            return None
        item = _item(rows[0])
        if op.refresh_ttl and rows[0][-1] is not None:
            self.refresh([item])
        return Item(**{name: getattr(item, name) for name in Item.__slots__})

    def search(self, op: SearchOp) -> list[SearchItem]:
        """Items under the prefix that pass the filter, latest update first; `op.query` plays no part."""
        with self._lock:
            rows = self._passing(op, f"SELECT {_COLUMNS} FROM store s WHERE 1", order=_NEWEST_FIRST)
            return [_item(row) for row in islice(rows, op.offset, op.offset + op.limit)]

    def without_vectors(
        self, op: SearchOp, *, limit: int, offset: int, leave_out: Container[int] = ()
    ) -> list[SearchItem]:
        """Items that `op` could return and that have no vector, latest update first; `leave_out` names writes."""
        select = (
            f"SELECT {_COLUMNS}, r.seq FROM store s LEFT JOIN vector_record r ON r.prefix = s.prefix AND r.key = s.key "
            "WHERE coalesce(r.vectors, 0) = 0"
        )
        with self._lock:
            rows = (row for row in self._passing(op, select, order=_NEWEST_FIRST) if row[-1] not in leave_out)
            return [_item(row) for row in islice(rows, offset, offset + limit)]

    def candidates(self, op: SearchOp, *, limit: int) -> list[tuple[int, int | None]]:
        """`(seq, vectors)` of the items that `op` could return and that have or await vectors; at most `limit`."""
        where, values = under(op.namespace_prefix, "r.prefix")
        present = "coalesce(r.vectors, 1) > 0"
        if op.filter or self._omit_expired:
            with self._lock:
                rows = self._passing(op, f"SELECT {_COLUMNS}, r.seq, r.vectors FROM {_RECORDED} WHERE {present}")
                return [row[-2:] for row in islice(rows, limit)]
        return self._all(
            f"SELECT r.seq, r.vectors FROM vector_record r WHERE {present} AND {where} LIMIT ?", [*values, limit]
        )

    def pick(self, op: SearchOp, seqs: Sequence[int]) -> dict[int, SearchItem]:
        """The items of these writes, as far as they are current and `op` could return them."""
        found: dict[int, SearchItem] = {}
        for chunk in self._chunks(seqs):
            marks = ",".join("?" * len(chunk))
            select = f"SELECT {_COLUMNS}, r.seq FROM {_RECORDED} WHERE r.seq IN ({marks})"
            with self._lock:
                found.update((row[-1], _item(row)) for row in self._passing(op, select, chunk))
        return found

    def namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        """Namespaces in use, sorted."""
        where, values = under(literal_prefix(op), "s.prefix")
        rows = self._all(f"SELECT DISTINCT s.prefix FROM store s WHERE {self._current()} AND {where}", values)
        return select_namespaces((from_text(text) for (text,) in rows), op)

    def put(self, ops: Sequence[PutOp]) -> list[int | None]:
        """Write or delete, all or nothing, in order. Returns for each op the new `seq` that awaits vectors, or None."""
        values = [None if op.value is None else encode_value(op.value) for op in ops]
        now = self._clock()
        for op in ops:
            _expiry(now, op.ttl)
        with self._transaction() as db:
            return [self._put(db, op, value, now) for op, value in zip(ops, values, strict=True)]

    def refresh(self, items: Sequence[Item]) -> None:
        """Start the time to live of these items anew, where they have one."""
        if not items or not self._all("SELECT 1 FROM store WHERE expires_at IS NOT NULL LIMIT 1"):
            return
        with self._transaction() as db:
            for item in items:
                where = (to_text(item.namespace), item.key)
                row = db.execute("SELECT ttl_minutes FROM store WHERE prefix = ? AND key = ?", where).fetchone()
                if row and row[0] is not None:
                    expiry = _expiry(self._clock(), row[0])
                    db.execute("UPDATE store SET expires_at = ? WHERE prefix = ? AND key = ?", (expiry, *where))

    def sweep(self) -> int:
        """Delete expired items; returns how many."""
        with self._transaction() as db:
            gone = db.execute(
                "DELETE FROM store WHERE expires_at IS NOT NULL AND expires_at < ? RETURNING prefix, key",
                (timestamp(self._clock()),),
            ).fetchall()
            for prefix, key in gone:
                self._drop_record(db, prefix, key)
        return len(gone)

    def _put(self, db: sqlite3.Connection, op: PutOp, value: str | None, now: datetime) -> int | None:
        where = (to_text(op.namespace), op.key)
        if op.value is None or value is None:
            db.execute("DELETE FROM store WHERE prefix = ? AND key = ?", where)
            self._drop_record(db, *where)
            return None
        kept = self._keeps_vectors(db, op, where)
        moment = timestamp(now)
        db.execute(
            "INSERT INTO store (prefix, key, value, created_at, updated_at, expires_at, ttl_minutes) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (prefix, key) DO UPDATE SET value = excluded.value, "
            "updated_at = excluded.updated_at, expires_at = excluded.expires_at, ttl_minutes = excluded.ttl_minutes",
            (*where, value, moment, moment, _expiry(now, op.ttl), op.ttl),
        )
        if kept:
            db.execute("UPDATE vector_record SET version = ? WHERE prefix = ? AND key = ?", (moment, *where))
            return None
        self._drop_record(db, *where)
        return self._new_record(db, op, moment)

    def _keeps_vectors(self, db: sqlite3.Connection, op: PutOp, where: tuple[str, str]) -> bool:
        """True when the new value would give the vectors that the item has, or awaits."""
        old = db.execute(
            f"SELECT s.value, r.fields FROM {_RECORDED} WHERE s.prefix = ? AND s.key = ? AND r.version = s.updated_at",
            where,
        ).fetchone()
        if old is None or op.value is None or old[1] != _fields(op):
            return False
        return op.index is False or self._texts(json.loads(old[0]), op.index) == self._texts(op.value, op.index)

    def _new_record(self, db: sqlite3.Connection, op: PutOp, version: str) -> int | None:
        cursor = db.execute(
            "INSERT INTO vector_record (prefix, key, version, fields, vectors) VALUES (?, ?, ?, ?, ?)",
            (to_text(op.namespace), op.key, version, _fields(op), 0 if op.index is False else None),
        )
        return None if op.index is False else cursor.lastrowid

    @staticmethod
    def _drop_record(db: sqlite3.Connection, prefix: str, key: str) -> None:
        gone = db.execute(
            "DELETE FROM vector_record WHERE prefix = ? AND key = ? RETURNING seq, vectors", (prefix, key)
        ).fetchone()
        if gone and gone[1] != 0:
            db.execute("INSERT OR IGNORE INTO vector_dead (seq, vectors) VALUES (?, ?)", gone)

    def _passing(self, op: SearchOp, select: str, values: Sequence[Any] = (), *, order: str = "") -> Iterator[Any]:
        """Rows of `select` under the prefix of `op` that pass its filter, one by one; hold the lock while reading."""
        where, more = under(op.namespace_prefix, "s.prefix")
        with database_faults(self.path):
            cursor = self._db.execute(f"{select} AND {self._current()} AND {where} {order}", [*values, *more])
            for row in cursor:
                if not op.filter or matches(json.loads(row[2]), op.filter):
                    yield row

    def _current(self) -> str:
        if not self._omit_expired:
            return "1"
        return f"(s.expires_at IS NULL OR s.expires_at >= '{timestamp(self._clock())}')"


def _expiry(now: datetime, minutes: float | None) -> str | None:
    try:
        return None if minutes is None else timestamp(now + timedelta(minutes=minutes))
    except (ValueError, OverflowError) as error:
        raise InvalidInputError(f"ttl is {minutes} minutes: {error}. Give a number, or None to keep it.") from error


def _fields(op: PutOp) -> str | None:
    return "[]" if op.index is False else None if op.index is None else json.dumps(op.index)


def _item(row: Sequence[Any]) -> SearchItem:
    prefix, key, value, created, updated = row[:5]
    return SearchItem(from_text(prefix), key, json.loads(value), created, updated)
