"""One batch of puts and deletes as a handful of statements, whatever its size."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from langgraph.store.base import PutOp

from stores.items.form import Form, Texts, encode_fields, encode_value, keeps_vectors
from stores.postgres.database import Connection

Name = tuple[str, str]
"""Namespace and key, as the database has them."""

# Rows are locked in the order of their names, so that two batches wait for each other and not crosswise.
_OLD = """
SELECT s.prefix, s.key, s.value::text, r.fields, r.version = s.updated_at FROM store s
JOIN unnest(%s::text[], %s::text[]) AS n (prefix, key) ON s.prefix = n.prefix AND s.key = n.key
LEFT JOIN vector_record r ON r.prefix = s.prefix AND r.key = s.key
ORDER BY s.prefix COLLATE "C", s.key COLLATE "C" FOR UPDATE OF s
"""
_DELETE = """
DELETE FROM store s USING unnest(%s::text[], %s::text[]) AS n (prefix, key)
WHERE s.prefix = n.prefix AND s.key = n.key
"""
_UPSERT = """
INSERT INTO store (prefix, key, value, created_at, updated_at, expires_at, ttl_minutes)
SELECT prefix, key, value::json, %s, %s, expires_at, ttl
FROM unnest(%s::text[], %s::text[], %s::text[], %s::timestamptz[], %s::float8[])
  AS n (prefix, key, value, expires_at, ttl)
ORDER BY prefix COLLATE "C", key COLLATE "C"
ON CONFLICT (prefix, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at,
  expires_at = excluded.expires_at, ttl_minutes = excluded.ttl_minutes
"""
_KEEP_RECORDS = """
UPDATE vector_record r SET version = %s FROM unnest(%s::text[], %s::text[]) AS n (prefix, key)
WHERE r.prefix = n.prefix AND r.key = n.key
"""
_DROP_RECORDS = """
WITH gone AS (
  DELETE FROM vector_record r USING unnest(%s::text[], %s::text[]) AS n (prefix, key)
  WHERE r.prefix = n.prefix AND r.key = n.key RETURNING r.seq, r.vectors)
INSERT INTO vector_dead (seq, vectors)
SELECT seq, vectors FROM gone WHERE vectors IS DISTINCT FROM 0 ON CONFLICT DO NOTHING
"""
_NEW_RECORDS = """
INSERT INTO vector_record (prefix, key, version, fields, vectors)
SELECT prefix, key, %s, fields, vectors
FROM unnest(%s::text[], %s::text[], %s::text[], %s::int[]) WITH ORDINALITY AS n (prefix, key, fields, vectors, place)
ORDER BY place RETURNING prefix, key, seq
"""


class Batch:
    """Writes one batch; of several ops on one key the last counts.

    Args:
        ops: The puts and deletes, in order.
        now: The time of the write.
        expiries: When each op's item expires, or None.
        texts: What of a value would be embedded.
        form: How it is kept.

    Raises:
        InvalidInputError: when a value can't be kept.
    """

    def __init__(
        self, ops: Sequence[PutOp], now: datetime, expiries: Sequence[datetime | None], texts: Texts, form: Form
    ) -> None:
        self._now = now
        self._texts = texts
        self._form = form
        self._names = [form.name(op) for op in ops]
        encoded = [
            None if op.value is None else form.seal(name, encode_value(op.value))
            for op, name in zip(ops, self._names, strict=True)
        ]
        self._values = dict(zip(self._names, encoded, strict=True))
        self._expiries = dict(zip(self._names, expiries, strict=True))
        self._ops = dict(zip(self._names, ops, strict=True))
        self._last = {name: place for place, name in enumerate(self._names)}

    def write(self, db: Connection) -> list[int | None]:
        """Write the batch; return for each op the new `seq` that awaits vectors, or None."""
        old = {(row[0], row[1]): row[2:] for row in db.execute(_OLD, _columns(self._ops))}
        puts = [name for name, value in self._values.items() if value is not None]
        kept = [name for name in puts if name in old and self._keeps_vectors(name, *old[name])]
        fresh = [name for name in sorted(puts, key=self._last.__getitem__) if name not in set(kept)]
        deleted = [name for name, value in self._values.items() if value is None]
        if deleted:
            db.execute(_DELETE, _columns(deleted))
        if puts:
            self._upsert(db, puts)
        if kept:
            db.execute(_KEEP_RECORDS, [self._now, *_columns(kept)])
        drop_records(db.execute, [*deleted, *fresh])
        seqs = self._new_records(db, fresh) if fresh else {}
        return [seqs.get(name) if self._last[name] == place else None for place, name in enumerate(self._names)]

    def _upsert(self, db: Connection, puts: Sequence[Name]) -> None:
        columns = [
            [self._values[name] for name in puts],
            [self._expiries[name] for name in puts],
            [self._ops[name].ttl for name in puts],
        ]
        db.execute(_UPSERT, [self._now, self._now, *_columns(puts), *columns])

    def _new_records(self, db: Connection, fresh: Sequence[Name]) -> dict[Name, int]:
        ops = [self._ops[name] for name in fresh]
        fields = [encode_fields(op) for op in ops]
        vectors = [0 if op.index is False else None for op in ops]
        rows = db.execute(_NEW_RECORDS, [self._now, *_columns(fresh), fields, vectors]).fetchall()
        return {(prefix, key): seq for prefix, key, seq in rows if self._ops[prefix, key].index is not False}

    def _keeps_vectors(self, name: Name, value: str, fields: str | None, is_recorded: bool | None) -> bool:
        old = self._form.unseal(*name, value)
        return bool(is_recorded) and keeps_vectors(self._ops[name], old, fields, self._texts)


def drop_records(execute: Callable[..., Any], names: Sequence[Name]) -> None:
    """Delete the records of these items, and note the vectors that they may have as stale."""
    if names:
        execute(_DROP_RECORDS, _columns(names))


def _columns(names: Any) -> list[list[str]]:
    return [[prefix for prefix, _ in names], [key for _, key in names]]
