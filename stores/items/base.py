"""The items of a store in SQL, for SQLite and PostgreSQL."""

import json
import sys
from abc import abstractmethod
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from operator import itemgetter
from typing import Any, ClassVar

from langgraph.store.base import GetOp, Item, ListNamespacesOp, PutOp, SearchItem, SearchOp

from stores.encryption import Cipher
from stores.items.form import (
    Form,
    Texts,
    encode_value,
    expiry,
    keeps_vectors,
    literal_prefix,
    matches,
    select_namespaces,
    timestamp,
)  # fmt: skip
from stores.items.record import RECORDED, Execute, Name, VectorRecord

_NEWEST_FIRST = "ORDER BY s.updated_at DESC, r.seq DESC NULLS LAST, s.prefix, s.key"
_UPSERT = (
    "INSERT INTO store (prefix, key, value, created_at, updated_at, expires_at, ttl_minutes) "
    "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (prefix, key) DO UPDATE SET value = excluded.value, "
    "updated_at = excluded.updated_at, expires_at = excluded.expires_at, ttl_minutes = excluded.ttl_minutes"
)


@dataclass(frozen=True, slots=True)
class ItemsOptions:
    """The options of `Items`.

    Attributes:
        clock: Gives the current time, timezone-aware.
        texts: Returns the texts of a value to embed; a write that leaves them unchanged keeps its vectors.
        omit_expired: Hide expired items even before they are deleted.
        cipher: Encrypts values and names; None stores them as plain text.
    """

    clock: Callable[[], datetime]
    texts: Texts
    omit_expired: bool = False
    cipher: Cipher | None = None


class Items(VectorRecord):
    """A transactional store of items, with a record of the vectors that the index holds and lacks.

    Subclasses share this SQL, in which `?` marks a value; class attributes and abstract methods cover the differences.
    Every method may raise StorageError; those that take values or names may raise InvalidInputError.
    """

    store_id: str
    """Created with the store; identifies the store's vector index."""

    _form_class: ClassVar[type[Form]] = Form
    _with_records: ClassVar[str] = "store s LEFT JOIN vector_record r ON r.prefix = s.prefix AND r.key = s.key"
    """SQL of all items, each joined with its record if it has one."""
    _locked: ClassVar[str] = ""
    """SQL that locks the selected rows against other writers."""

    def __init__(self, options: ItemsOptions) -> None:
        self._options = options
        self._form = self._form_class(options.cipher)
        self._columns = f"s.prefix, s.key, {self._value_column}, s.created_at, s.updated_at"

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[None]:
        """Let this thread read, within the block, the data as it was at its first read."""

    @abstractmethod
    def scrub(self) -> None:
        """Erase the bytes of deleted items, if the database has a command for that."""

    @abstractmethod
    def close(self) -> None:
        """Close the store; a second call does nothing."""

    @abstractmethod
    def _stream(self, sql: str, values: Sequence[Any]) -> AbstractContextManager[Iterator[Any]]:
        """Yield the rows of a query one by one, so that a large result is not loaded at once."""

    def get(self, op: GetOp) -> Item | None:
        """Return one item, or None; restart its time to live if `op.refresh_ttl`."""
        current, values = self._current()
        rows = self._rows(
            f"SELECT {self._columns}, s.ttl_minutes FROM store s WHERE s.prefix = ? AND s.key = ? AND {current}",
            [*self._form.name(op), *values],
        )
        if not rows:
            return None
        item = self._item(rows[0])
        if op.refresh_ttl and rows[0][-1] is not None:
            self.refresh([item])
        return Item(**{name: getattr(item, name) for name in Item.__slots__})

    def put(self, ops: Sequence[PutOp]) -> None:
        """Write or delete items in one transaction. No two of `ops` may be for the same item."""
        now = self._options.clock()
        rows = [
            (self._form.name(op), op, None if op.value is None else encode_value(op.value), expiry(now, op.ttl))
            for op in ops
        ]

        def write(execute: Execute) -> None:
            # Rows are locked in the order of their names, so that two batches cannot deadlock.
            unchanged = {row[0] for row in sorted(rows, key=itemgetter(0)) if self._put(execute, timestamp(now), *row)}
            for name, op, *_ in rows:
                if name not in unchanged:
                    self._record(execute, name, op, timestamp(now))

        self._write(write)

    def _put(
        self, execute: Execute, moment: str, name: Name, op: PutOp, value: str | None, expires: str | None
    ) -> bool:
        """Write or delete one item; return True if its vectors are still valid."""
        if value is None:
            execute("DELETE FROM store WHERE prefix = ? AND key = ?", name)
            return False
        old = execute(
            f"SELECT {self._value_column}, r.fields FROM {self._with_records} "
            f"WHERE s.prefix = ? AND s.key = ? AND r.version = s.updated_at{self._locked}",
            name,
        ).fetchall()
        execute(_UPSERT, (*name, self._form.seal(name, value), moment, moment, expires, op.ttl))
        if not old or not keeps_vectors(op, self._form.unseal(*name, old[0][0]), old[0][1], self._options.texts):
            return False
        execute("UPDATE vector_record SET version = ? WHERE prefix = ? AND key = ?", (moment, *name))
        return True

    def refresh(self, items: Sequence[Item]) -> None:
        """Restart the time to live of those items that have one."""
        if not items or not self._rows("SELECT 1 FROM store WHERE expires_at IS NOT NULL LIMIT 1"):
            return

        def renew(execute: Execute) -> None:
            for name in sorted(map(self._form.name, items)):
                for (minutes,) in execute(
                    "SELECT ttl_minutes FROM store WHERE prefix = ? AND key = ?", name
                ).fetchall():
                    if minutes is not None:
                        expires = expiry(self._options.clock(), minutes)
                        execute("UPDATE store SET expires_at = ? WHERE prefix = ? AND key = ?", (expires, *name))

        self._write(renew)

    def search(self, op: SearchOp) -> list[SearchItem]:
        """Return the items under the prefix that match the filter, latest update first; ignore `op.query`."""
        select = f"SELECT {self._columns} FROM {self._with_records} WHERE TRUE"
        return self._page(op, select, limit=op.limit, offset=op.offset)

    def without_vectors(
        self, op: SearchOp, *, limit: int, offset: int, exclude: Container[int] = ()
    ) -> list[SearchItem]:
        """Return the items that match `op` and have no vectors, latest update first; `exclude` is a set of `seq`."""
        select = f"SELECT {self._columns}, r.seq FROM {self._with_records} WHERE coalesce(r.vectors, 0) = 0"
        return self._page(op, select, limit=limit, offset=offset, exclude=exclude)

    def candidates(self, op: SearchOp, *, limit: int) -> list[tuple[int, int | None]]:
        """Return `(seq, vectors)` of at most `limit` items that match `op` and have vectors or wait for them."""
        if op.filter or self._options.omit_expired:
            select = f"SELECT {self._columns}, r.seq, r.vectors FROM {self._with_records} WHERE r.seq IS NOT NULL"
            return [row[-2:] for row in self._passing(op, f"{select} AND coalesce(r.vectors, 1) > 0", limit=limit)]
        where, values = self._under(op.namespace_prefix, "r.prefix")
        return self._rows(
            f"SELECT r.seq, r.vectors FROM vector_record r WHERE coalesce(r.vectors, 1) > 0 AND {where} LIMIT ?",
            [*values, limit],
        )

    def select(self, op: SearchOp, seqs: Sequence[int]) -> dict[int, SearchItem]:
        """Return, by `seq`, the items of those writes that are current and match `op`."""
        sql = f"SELECT {self._columns}, r.seq FROM {RECORDED} WHERE r.seq {self._among}"
        return {row[-1]: self._item(row) for row in self._passing(op, sql, [json.dumps(list(seqs))])}

    def namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        """Return the namespaces in use, sorted."""
        where, values = self._under(literal_prefix(op), "s.prefix")
        current, more = self._current()
        rows = self._rows(f"SELECT DISTINCT s.prefix FROM store s WHERE {current} AND {where}", [*more, *values])
        return select_namespaces((self._form.namespace(text) for (text,) in rows), op)

    def sweep(self) -> int:
        """Delete the expired items; return how many."""

        def delete(execute: Execute) -> int:
            sql = "DELETE FROM store WHERE expires_at IS NOT NULL AND expires_at < ? RETURNING prefix, key"
            expired = execute(sql, [timestamp(self._options.clock())]).fetchall()
            for name in expired:
                self._drop_record(execute, name)
            return len(expired)

        return self._write(delete)

    def _page(
        self, op: SearchOp, select: str, *, limit: int, offset: int, exclude: Container[int] = ()
    ) -> list[SearchItem]:
        rows = self._passing(op, select, order=_NEWEST_FIRST, limit=limit, offset=offset, exclude=exclude)
        return [self._item(row) for row in rows]

    def _passing(
        self, op: SearchOp, select: str, values: Sequence[Any] = (), *, order: str = "",
        limit: int = sys.maxsize, offset: int = 0, exclude: Container[int] = (),
    ) -> list[Any]:  # fmt: skip
        """Return the rows of `select` under the prefix of `op` that match its filter; `exclude` is by last column."""
        where, prefix_values = self._under(op.namespace_prefix, "s.prefix")
        current, current_values = self._current()
        sql, values = f"{select} AND {where} AND {current} {order}", [*values, *prefix_values, *current_values]
        if not op.filter and not exclude:
            return self._rows(f"{sql} LIMIT ? OFFSET ?", [*values, limit, offset])
        with self._stream(sql, values) as rows:
            passing = (row for row in rows if matches(self._value(row), op.filter) and row[-1] not in exclude)
            return list(islice(passing, offset, offset + limit))

    def _current(self) -> tuple[str, list[str]]:
        if not self._options.omit_expired:
            return "TRUE", []
        return "(s.expires_at IS NULL OR s.expires_at >= ?)", [timestamp(self._options.clock())]

    def _item(self, row: Sequence[Any]) -> SearchItem:
        return SearchItem(self._form.namespace(row[0]), self._form.decode(row[1]), self._value(row), row[3], row[4])

    def _value(self, row: Sequence[Any]) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self._form.unseal(*row[:3]))
        return value
