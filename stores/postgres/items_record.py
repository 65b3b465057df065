"""The record in PostgreSQL of what the index of vectors holds and lacks, for all processes that share it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from stores.items.base import Job
from stores.items.namespaces import under
from stores.postgres.database import Connection, Postgres
from stores.postgres.items_schema import RECONCILE, escaped, make_tables


class PostgresRecord:
    """The database and the record. Writes are short transactions, which wait for each other row by row."""

    def __init__(self, database: Postgres) -> None:
        self._database = database
        self.store_id = make_tables(database)

    def close(self) -> None:
        """Close the database; a second call does nothing."""
        self._database.close()

    def scrub(self) -> None:
        """Nothing to do: the database reclaims deleted rows when it next vacuums, which is its operator's schedule."""

    def steady(self) -> AbstractContextManager[None]:
        """What this thread reads within the block is of one moment, whatever any process writes meanwhile."""
        return self._database.steady()

    def awaiting(self, prefix: Sequence[str], *, most_attempts: int) -> list[int]:
        """Writes under the prefix that await vectors, those that failed last, without those that failed too often."""
        where, values = below(prefix, "r.prefix")
        rows = self._database.rows(
            f"SELECT r.seq FROM vector_record r WHERE r.vectors IS NULL AND r.attempts < %s AND {where} "
            "ORDER BY r.attempts, r.seq",
            [most_attempts, *values],
        )
        return [seq for (seq,) in rows]

    def jobs(self, seqs: Sequence[int]) -> list[Job]:
        """What to make vectors of, for those of the writes that are current."""
        rows = self._database.rows(
            "SELECT r.seq, s.value::text, r.fields FROM vector_record r JOIN store s ON s.prefix = r.prefix "
            "AND s.key = r.key WHERE r.seq = ANY(%s)",
            [list(seqs)],
        )
        return [
            Job(seq, json.loads(value), None if fields is None else json.loads(fields)) for seq, value, fields in rows
        ]

    def indexed(self, made: Mapping[int, int]) -> None:
        """Record how many vectors the index holds for each `seq`.

        A write that another process has replaced meanwhile is recorded as dead, so that its vectors go again.
        """

        def record(db: Connection) -> None:
            rows = db.execute(
                "UPDATE vector_record r SET vectors = made.vectors, attempts = 0, fault = NULL "
                "FROM unnest(%s::bigint[], %s::int[]) AS made (seq, vectors) WHERE r.seq = made.seq RETURNING r.seq",
                [list(made), list(made.values())],
            )
            for seq in made.keys() - {seq for (seq,) in rows}:
                bury = "INSERT INTO vector_dead (seq, vectors) VALUES (%s, %s) ON CONFLICT DO NOTHING"
                db.execute(bury, [seq, made[seq]])

        self._database.write(record)

    def failed(self, seqs: Sequence[int], fault: str) -> None:
        """Record one more failed attempt for each `seq`, and why."""
        self._change(
            "UPDATE vector_record SET attempts = attempts + 1, fault = %s WHERE seq = ANY(%s)",
            [escaped(fault), list(seqs)],
        )

    def faults(self) -> dict[int, str]:
        """Why the vectors of each `seq` could not be made; empty when all could."""
        sql = "SELECT seq, fault FROM vector_record WHERE vectors IS NULL AND fault IS NOT NULL"
        return dict(self._database.rows(sql))

    def lost(self, seqs: Sequence[int]) -> None:
        """Have the vectors of each `seq` made again."""
        self._change("UPDATE vector_record SET vectors = NULL, attempts = 0 WHERE seq = ANY(%s)", [list(seqs)])

    def dead(self, *, limit: int) -> dict[int, int | None]:
        """Writes that are no longer current, and how many vectors the index holds of them; None: perhaps some."""
        return dict(self._database.rows("SELECT seq, vectors FROM vector_dead LIMIT %s", [limit]))

    def buried(self, seqs: Iterable[int]) -> None:
        """Record that the index holds nothing of these any more."""
        self._change("DELETE FROM vector_dead WHERE seq = ANY(%s)", [list(seqs)])

    def vector_counts(self) -> dict[int, int | None]:
        """Vectors that the index should hold for each `seq`; None where they are still to be made."""
        return dict(self._database.rows("SELECT seq, vectors FROM vector_record"))

    def vector_total(self) -> int:
        """How many vectors the index should hold."""
        return int(self._database.rows("SELECT coalesce(sum(vectors), 0) FROM vector_record")[0][0])

    def forget_vectors(self) -> None:
        """Record that the index is empty."""

        def forget(db: Connection) -> None:
            db.execute("UPDATE vector_record SET vectors = NULL, attempts = 0 WHERE fields IS NULL OR fields <> '[]'")
            db.execute("DELETE FROM vector_dead")

        self._database.write(forget)

    def reconcile(self) -> None:
        """Bring the record in line with items that other programs wrote or deleted, and let failed ones try again."""

        def repair(db: Connection) -> None:
            for statement in RECONCILE:
                db.execute(statement)

        self._database.write(repair)

    def _change(self, sql: str, values: Sequence[Any]) -> None:
        self._database.write(lambda db: db.execute(sql, values).rowcount)


def below(prefix: Sequence[str], column: str) -> tuple[str, list[str]]:
    """`stores.items.namespaces.under` in the words of PostgreSQL: bytes are compared, whatever the database's order."""
    if not prefix:
        return "TRUE", []
    where, values = under([escaped(label) for label in prefix], f'{column} COLLATE "C"')
    return where.replace("?", "%s"), values
