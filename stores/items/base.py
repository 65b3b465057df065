"""The items of a store in SQL, with a record of what the vector index holds, for SQLite and PostgreSQL.

Items are the truth. Each write of an item gets a number, `seq`, that is never used again. The index keeps its vectors
under that number, so a vector can't outlive the value it was made from: every reader joins with the items.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, ClassVar, NotRequired, TypedDict, TypeVar

from langgraph.store.base import GetOp, Item, ListNamespacesOp, PutOp, SearchItem, SearchOp

from stores.encryption import Cipher
from stores.items.form import Form, Texts, literal_prefix, matches, select_namespaces, under

T = TypeVar("T")

_RECORDED = "vector_record r JOIN store s ON s.prefix = r.prefix AND s.key = r.key"


@dataclass(frozen=True, slots=True)
class EmbeddingJob:
    """One write whose vectors are still to be made."""

    seq: int
    value: dict[str, Any]
    fields: list[str] | None


class ItemsOptions(TypedDict):
    """What items of any kind are told, by keyword; see `Items`."""

    clock: Callable[[], datetime]
    texts: Texts
    omit_expired: NotRequired[bool]
    cipher: NotRequired[Cipher | None]


class Items(ABC):
    """A transactional store of items, with a record of what the index has and lacks.

    The SQL here is shared: `?` marks a value, and the class attributes and abstract methods hold what differs.
    Every method may raise StorageError; those that take values or names may raise InvalidInputError.

    Args:
        clock: Gives the time of what is written, with its zone.
        texts: Gives the texts of a value to embed; a write that leaves them unchanged keeps its vectors.
        omit_expired: Hide items past their time to live even before they are swept.
        cipher: Encrypts values and names; None keeps them readable.
    """

    store_id: str
    """Made once with the store; ties an index to it."""

    _form_class: ClassVar[type[Form]] = Form
    _value_column: ClassVar[str]
    _collation: ClassVar[str] = ""
    _among: ClassVar[str]
    """The SQL that compares a column with a list given by `_list`."""
    _with_records: ClassVar[str]
    """The items joined with their records, where they have one."""
    _searched: ClassVar[str]
    _newest_first: ClassVar[str]
    _reconcile: ClassVar[Sequence[str]]

    def __init__(
        self, *, clock: Callable[[], datetime], texts: Texts, omit_expired: bool = False, cipher: Cipher | None = None
    ) -> None:
        self._clock = clock
        self._texts = texts
        self._omit_expired = omit_expired
        self._form = self._form_class(cipher)
        self._columns = f"s.prefix, s.key, {self._value_column}, s.created_at, s.updated_at"

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[None]:
        """Keep what this thread reads within the block as it was at the first read."""

    @abstractmethod
    def put(self, ops: Sequence[PutOp]) -> list[int | None]:
        """Write or delete, all or nothing, in order; return for each op the new `seq` that awaits vectors, or None."""

    @abstractmethod
    def refresh(self, items: Sequence[Item]) -> None:
        """Start the time to live of these items anew, where they have one."""

    @abstractmethod
    def mark_indexed(self, made: Mapping[int, int]) -> None:
        """Record how many vectors the index holds for each `seq`."""

    @abstractmethod
    def scrub(self) -> None:
        """Remove as much of what was deleted as the database can."""

    @abstractmethod
    def close(self) -> None:
        """Close the store; a second call does nothing."""

    @abstractmethod
    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return all rows of a query."""

    @abstractmethod
    def _stream(self, sql: str, values: Sequence[Any]) -> AbstractContextManager[Iterator[Any]]:
        """Yield the rows of a query one by one, so that a large result is not loaded at once."""

    @abstractmethod
    def _write(self, work: Callable[[Callable[..., Any]], T]) -> T:
        """Call `work` with a function that executes SQL, in one transaction, and return its result."""

    @abstractmethod
    def _drop_records(self, execute: Callable[..., Any], names: Sequence[tuple[str, str]]) -> None:
        """Delete the records of these items, and note their vectors as stale."""

    def _list(self, values: Iterable[int]) -> Any:
        return list(values)

    def _moment(self, moment: datetime) -> Any:
        return moment

    def get(self, op: GetOp) -> Item | None:
        """Return one item; start its time to live anew when `op.refresh_ttl`."""
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

    def search(self, op: SearchOp) -> list[SearchItem]:
        """Return the items under the prefix that pass the filter, latest update first; ignore `op.query`."""
        select = f"SELECT {self._columns} FROM {self._searched} WHERE TRUE"
        return self._page(op, select, limit=op.limit, offset=op.offset)

    def without_vectors(
        self, op: SearchOp, *, limit: int, offset: int, exclude: Container[int] = ()
    ) -> list[SearchItem]:
        """Return the items matching `op` that have no vector, latest update first, without the writes in `exclude`."""
        select = f"SELECT {self._columns}, r.seq FROM {self._with_records} WHERE coalesce(r.vectors, 0) = 0"
        return self._page(op, select, limit=limit, offset=offset, exclude=exclude)

    def candidates(self, op: SearchOp, *, limit: int) -> list[tuple[int, int | None]]:
        """Return `(seq, vectors)` of at most `limit` items that match `op` and that have or await vectors."""
        if op.filter or self._omit_expired:
            select = f"SELECT {self._columns}, r.seq, r.vectors FROM {self._with_records} WHERE r.seq IS NOT NULL"
            return [row[-2:] for row in self._passing(op, f"{select} AND coalesce(r.vectors, 1) > 0", limit=limit)]
        where, values = self._under(op.namespace_prefix, "r.prefix")
        return self._rows(
            f"SELECT r.seq, r.vectors FROM vector_record r WHERE coalesce(r.vectors, 1) > 0 AND {where} LIMIT ?",
            [*values, limit],
        )

    def select(self, op: SearchOp, seqs: Sequence[int]) -> dict[int, SearchItem]:
        """Return the items of these writes by `seq`, as far as they are current and match `op`."""
        sql = f"SELECT {self._columns}, r.seq FROM {_RECORDED} WHERE r.seq {self._among}"
        return {row[-1]: self._item(row) for row in self._passing(op, sql, [self._list(seqs)])}

    def namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        """Return the namespaces in use, sorted."""
        where, values = self._under(literal_prefix(op), "s.prefix")
        current, more = self._current()
        rows = self._rows(f"SELECT DISTINCT s.prefix FROM store s WHERE {current} AND {where}", [*more, *values])
        return select_namespaces((self._form.namespace(text) for (text,) in rows), op)

    def sweep(self) -> int:
        """Delete the expired items; return how many."""

        def delete(execute: Callable[..., Any]) -> int:
            sql = "DELETE FROM store WHERE expires_at IS NOT NULL AND expires_at < ? RETURNING prefix, key"
            gone = execute(sql, [self._moment(self._clock())]).fetchall()
            self._drop_records(execute, gone)
            return len(gone)

        return self._write(delete)

    def pending(self, prefix: Sequence[str], *, most_attempts: int) -> list[int]:
        """Return the writes under the prefix that await vectors, failed ones last, hopeless ones left out."""
        where, values = self._under(prefix, "r.prefix")
        rows = self._rows(
            f"SELECT r.seq FROM vector_record r WHERE r.vectors IS NULL AND r.attempts < ? AND {where} "
            "ORDER BY r.attempts, r.seq",
            [most_attempts, *values],
        )
        return [seq for (seq,) in rows]

    def embedding_jobs(self, seqs: Sequence[int]) -> list[EmbeddingJob]:
        """Return what to make vectors of, for those of the writes that are current."""
        sql = (
            f"SELECT s.prefix, s.key, {self._value_column}, r.seq, r.fields FROM {_RECORDED} WHERE r.seq {self._among}"
        )
        return [
            EmbeddingJob(
                row[3], json.loads(self._form.unseal(*row[:3])), None if row[4] is None else json.loads(row[4])
            )
            for row in self._rows(sql, [self._list(seqs)])
        ]

    def mark_failed(self, seqs: Sequence[int], fault: str) -> None:
        """Record one more failed attempt for each `seq`, and why."""
        sql = f"UPDATE vector_record SET attempts = attempts + 1, fault = ? WHERE seq {self._among}"
        self._write(lambda execute: execute(sql, [self._form.encode(fault), self._list(seqs)]))

    def mark_missing(self, seqs: Sequence[int]) -> None:
        """Record that the index lacks the vectors of these writes, so that they are made again."""
        sql = f"UPDATE vector_record SET vectors = NULL, attempts = 0 WHERE seq {self._among}"
        self._write(lambda execute: execute(sql, [self._list(seqs)]))

    def stale(self, *, limit: int) -> dict[int, int | None]:
        """Return writes that are no longer current, and how many vectors the index holds of each; None: unknown."""
        return dict(self._rows("SELECT seq, vectors FROM vector_dead LIMIT ?", [limit]))

    def mark_removed(self, seqs: Iterable[int]) -> None:
        """Record that the index no longer holds vectors of these stale writes."""
        self._write(lambda execute: execute(f"DELETE FROM vector_dead WHERE seq {self._among}", [self._list(seqs)]))

    def vector_counts(self) -> dict[int, int | None]:
        """Return how many vectors the index should hold for each `seq`; None where they are still to be made."""
        return dict(self._rows("SELECT seq, vectors FROM vector_record"))

    def vector_total(self) -> int:
        """Return how many vectors the index should hold."""
        return int(self._rows("SELECT coalesce(sum(vectors), 0) FROM vector_record")[0][0])

    def forget_vectors(self) -> None:
        """Record that the index is empty."""
        self._run(
            "UPDATE vector_record SET vectors = NULL, attempts = 0 WHERE fields IS NULL OR fields <> '[]'",
            "DELETE FROM vector_dead",
        )

    def reconcile(self) -> None:
        """Bring the record in line with items that other programs wrote or deleted, and let failed ones try again."""
        self._run(*self._reconcile)

    def _run(self, *statements: str) -> None:
        self._write(lambda execute: [execute(statement) for statement in statements])

    def _page(
        self, op: SearchOp, select: str, *, limit: int, offset: int, exclude: Container[int] = ()
    ) -> list[SearchItem]:
        order = self._newest_first
        rows = self._passing(op, select, order=order, limit=limit, offset=offset, exclude=exclude)
        return [self._item(row) for row in rows]

    def _passing(
        self, op: SearchOp, select: str, values: Sequence[Any] = (), *, order: str = "",
        limit: int | None = None, offset: int = 0, exclude: Container[int] = (),
    ) -> list[Any]:  # fmt: skip
        """Return the rows of `select` under the prefix of `op` that pass its filter; `exclude` is by last column."""
        where, more = self._under(op.namespace_prefix, "s.prefix")
        current, last = self._current()
        sql, given = f"{select} AND {where} AND {current} {order}", [*values, *more, *last]
        if not op.filter and not exclude:
            return (
                self._rows(sql, given)
                if limit is None
                else self._rows(f"{sql} LIMIT ? OFFSET ?", [*given, limit, offset])
            )
        with self._stream(sql, given) as rows:
            passing = (row for row in rows if matches(self._value(row), op.filter) and row[-1] not in exclude)
            return list(islice(passing, offset, None if limit is None else offset + limit))

    def _current(self) -> tuple[str, list[Any]]:
        if not self._omit_expired:
            return "TRUE", []
        return "(s.expires_at IS NULL OR s.expires_at >= ?)", [self._moment(self._clock())]

    def _under(self, prefix: Sequence[str], column: str) -> tuple[str, list[str]]:
        return under([self._form.encode(label) for label in prefix], f"{column}{self._collation}")

    def _item(self, row: Sequence[Any]) -> SearchItem:
        return SearchItem(self._form.namespace(row[0]), self._form.decode(row[1]), self._value(row), row[3], row[4])

    def _value(self, row: Sequence[Any]) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._form.unseal(*row[:3]))
        return found
