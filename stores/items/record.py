"""SQL tables that record which vectors the index holds and which it lacks.

Each write of an item gets a number, `seq`, which is never reused. The index stores its vectors under that number, and
searches join it with the items, so a vector of a value that was replaced or deleted is never a result.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from langgraph.store.base import PutOp

from stores.items.form import Form, encode_fields, under

T = TypeVar("T")
Name = tuple[str, str]
"""Namespace and key in their stored form."""
Execute = Callable[..., Any]
"""Executes SQL, in which `?` marks a value, in a transaction, and returns a cursor."""

# `vectors` counts the vectors of a write in the index; it is NULL until they are there. `version` is the item's
# `updated_at`; if the two differ, another program has written the item.
TABLES = """
CREATE TABLE IF NOT EXISTS vector_record (
  seq {number},
  prefix {name} NOT NULL,
  key {name} NOT NULL,
  version {moment} NOT NULL,
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
# Deletes the records of items that were deleted or replaced, and creates the records that items lack.
_RECONCILE = (
    "INSERT INTO vector_dead (seq, vectors) SELECT r.seq, r.vectors FROM vector_record r "
    "LEFT JOIN store s ON s.prefix = r.prefix AND s.key = r.key "
    "WHERE s.key IS NULL OR s.updated_at <> r.version ON CONFLICT DO NOTHING",
    "DELETE FROM vector_record WHERE seq IN (SELECT seq FROM vector_dead)",
    "INSERT INTO vector_record (prefix, key, version) SELECT s.prefix, s.key, s.updated_at FROM store s "
    "LEFT JOIN vector_record r ON r.prefix = s.prefix AND r.key = s.key WHERE r.seq IS NULL ON CONFLICT DO NOTHING",
    "UPDATE vector_record SET attempts = 0 WHERE vectors IS NULL AND attempts > 0",
)
_ADD_STALE = "INSERT INTO vector_dead (seq, vectors) VALUES (?, ?) ON CONFLICT DO NOTHING"
_MAX_ATTEMPTS = 3
RECORDED = "vector_record r JOIN store s ON s.prefix = r.prefix AND s.key = r.key"


@dataclass(frozen=True, slots=True)
class EmbeddingJob:
    """A write that lacks its vectors."""

    seq: int
    value: dict[str, Any]
    fields: list[str] | None


class VectorRecord(ABC):
    """Records how many vectors the index holds of each write. Every method may raise StorageError."""

    _form: Form
    _value_column: ClassVar[str] = "s.value"
    _collation: ClassVar[str] = ""
    _among: ClassVar[str] = "IN (SELECT value FROM json_each(?))"
    """SQL that tests whether a column is in a JSON list of numbers."""

    @abstractmethod
    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return all rows of a query."""

    @abstractmethod
    def _write(self, work: Callable[[Execute], T]) -> T:
        """Call `work` in one transaction, with a function that executes SQL, and return its result."""

    def pending(self, prefix: Sequence[str]) -> list[int]:
        """Return the writes under the prefix that lack vectors and have attempts left; failed ones come last."""
        where, values = self._under(prefix, "r.prefix")
        pending = f"r.vectors IS NULL AND r.attempts < {_MAX_ATTEMPTS} AND {where}"
        rows = self._rows(f"SELECT r.seq FROM vector_record r WHERE {pending} ORDER BY r.attempts, r.seq", values)
        return [seq for (seq,) in rows]

    def failed(self) -> int:
        """Return how many writes have used up their attempts at making vectors."""
        failed = f"vectors IS NULL AND attempts >= {_MAX_ATTEMPTS}"
        return int(self._rows(f"SELECT count(*) FROM vector_record WHERE {failed}")[0][0])

    def embedding_jobs(self, seqs: Sequence[int]) -> list[EmbeddingJob]:
        """Return the jobs of those writes that are current and lack vectors."""
        columns = f"s.prefix, s.key, {self._value_column}, r.seq, r.fields"
        rows = self._rows(
            f"SELECT {columns} FROM {RECORDED} WHERE r.vectors IS NULL AND r.seq {self._among}", _list(seqs)
        )
        return [
            EmbeddingJob(seq, json.loads(self._form.unseal(prefix, key, value)), fields and json.loads(fields))
            for prefix, key, value, seq, fields in rows
        ]

    def mark_indexed(self, made: Mapping[int, int]) -> None:
        """Record how many vectors the index holds for each `seq`; if a write was replaced meanwhile, they are stale."""
        sql = "UPDATE vector_record SET vectors = ?, attempts = 0, fault = NULL WHERE seq = ? RETURNING seq"

        def record(execute: Execute) -> None:
            for seq, vectors in sorted(made.items()):
                if not execute(sql, (vectors, seq)).fetchall():
                    execute(_ADD_STALE, (seq, vectors))

        self._write(record)

    def mark_failed(self, seqs: Sequence[int], fault: str) -> None:
        """Record a failed attempt, and its cause, for each `seq`."""
        sql = f"UPDATE vector_record SET attempts = attempts + 1, fault = ? WHERE seq {self._among}"
        self._write(lambda execute: execute(sql, [self._form.encode(fault), *_list(seqs)]))

    def mark_missing(self, seqs: Sequence[int]) -> None:
        """Record that the index has lost the vectors of these writes, so that they are made again."""
        sql = f"UPDATE vector_record SET vectors = NULL, attempts = 0 WHERE seq {self._among}"
        self._write(lambda execute: execute(sql, _list(seqs)))

    def stale(self, *, limit: int) -> dict[int, int | None]:
        """Return writes that are no longer current, each with its number of vectors in the index, None if unknown."""
        return dict(self._rows("SELECT seq, vectors FROM vector_dead LIMIT ?", [limit]))

    def mark_removed(self, seqs: Iterable[int]) -> None:
        """Record that the index no longer holds vectors of these stale writes."""
        self._write(lambda execute: execute(f"DELETE FROM vector_dead WHERE seq {self._among}", _list(seqs)))

    def vector_counts(self) -> dict[int, int | None]:
        """Return how many vectors the index should hold for each `seq`; None for those that lack them."""
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
        """Update the records for items that other programs wrote or deleted, and allow retries of failed ones."""
        self._run(*_RECONCILE)

    def _run(self, *statements: str) -> None:
        self._write(lambda execute: [execute(statement) for statement in statements])

    def _record(self, execute: Execute, name: Name, op: PutOp, moment: str) -> None:
        self._drop_record(execute, name)
        if op.value is not None:
            execute(
                "INSERT INTO vector_record (prefix, key, version, fields, vectors) VALUES (?, ?, ?, ?, ?)",
                (*name, moment, encode_fields(op), 0 if op.index is False else None),
            )

    def _drop_record(self, execute: Execute, name: Name) -> None:
        """Delete the record of an item, and record its vectors as stale."""
        sql = "DELETE FROM vector_record WHERE prefix = ? AND key = ? RETURNING seq, vectors"
        for seq, vectors in execute(sql, name).fetchall():
            if vectors != 0:
                execute(_ADD_STALE, (seq, vectors))

    def _under(self, prefix: Sequence[str], column: str) -> tuple[str, list[str]]:
        return under([self._form.encode(label) for label in prefix], f"{column}{self._collation}")


def _list(values: Iterable[int]) -> list[str]:
    return [json.dumps(list(values))]
