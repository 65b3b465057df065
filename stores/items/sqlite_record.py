"""The record in SQLite of what the index of vectors holds and lacks."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from stores.faults import database_faults
from stores.items.base import Job
from stores.items.namespaces import under
from stores.items.sqlite_schema import RECONCILE, open_items_database

_CHUNK = 500


class SqliteRecord:
    """The connection and the record. One lock serves all threads; statements are short."""

    def __init__(self, path: Path | str) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._db, self.store_id = open_items_database(path)

    def close(self) -> None:
        """Close the database; a second call does nothing."""
        with self._lock:
            self._db.close()

    def scrub(self) -> None:
        """Leave no deleted byte in the file's journal; freed pages are zeroed as they are freed."""
        with self._lock, database_faults(self.path):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    @contextmanager
    def steady(self) -> Iterator[None]:
        """Nothing is written within the block, except by the thread that holds it."""
        with self._lock:
            yield

    def awaiting(self, prefix: Sequence[str], *, most_attempts: int) -> list[int]:
        """Writes under the prefix that await vectors, those that failed last, without those that failed too often."""
        where, values = under(prefix, "r.prefix")
        rows = self._all(
            f"SELECT r.seq FROM vector_record r WHERE r.vectors IS NULL AND r.attempts < ? AND {where} "
            "ORDER BY r.attempts, r.seq",
            [most_attempts, *values],
        )
        return [seq for (seq,) in rows]

    def jobs(self, seqs: Sequence[int]) -> list[Job]:
        """What to make vectors of, for those of the writes that are current."""
        found: list[Job] = []
        for chunk in self._chunks(seqs):
            rows = self._all(
                "SELECT r.seq, s.value, r.fields FROM vector_record r JOIN store s ON s.prefix = r.prefix "
                f"AND s.key = r.key WHERE r.seq IN ({','.join('?' * len(chunk))})",
                chunk,
            )
            found += [
                Job(seq, json.loads(value), None if fields is None else json.loads(fields))
                for seq, value, fields in rows
            ]
        return found

    def indexed(self, made: Mapping[int, int]) -> None:
        """Record how many vectors the index holds for each `seq`."""
        self._many(
            "UPDATE vector_record SET vectors = ?, attempts = 0, fault = NULL WHERE seq = ?",
            [(vectors, seq) for seq, vectors in made.items()],
        )

    def failed(self, seqs: Sequence[int], fault: str) -> None:
        """Record one more failed attempt for each `seq`, and why."""
        self._many(
            "UPDATE vector_record SET attempts = attempts + 1, fault = ? WHERE seq = ?", [(fault, seq) for seq in seqs]
        )

    def faults(self) -> dict[int, str]:
        """Why the vectors of each `seq` could not be made; empty when all could."""
        return dict(self._all("SELECT seq, fault FROM vector_record WHERE vectors IS NULL AND fault IS NOT NULL"))

    def lost(self, seqs: Sequence[int]) -> None:
        """Have the vectors of each `seq` made again."""
        self._many("UPDATE vector_record SET vectors = NULL, attempts = 0 WHERE seq = ?", [(seq,) for seq in seqs])

    def dead(self, *, limit: int) -> dict[int, int | None]:
        """Writes that are no longer current, and how many vectors the index holds of them; None: perhaps some."""
        return dict(self._all("SELECT seq, vectors FROM vector_dead LIMIT ?", [limit]))

    def buried(self, seqs: Iterable[int]) -> None:
        """Record that the index holds nothing of these any more."""
        self._many("DELETE FROM vector_dead WHERE seq = ?", [(seq,) for seq in seqs])

    def vector_counts(self) -> dict[int, int | None]:
        """Vectors that the index should hold for each `seq`; None where they are still to be made."""
        return dict(self._all("SELECT seq, vectors FROM vector_record"))

    def vector_total(self) -> int:
        """How many vectors the index should hold."""
        return int(self._all("SELECT coalesce(sum(vectors), 0) FROM vector_record")[0][0])

    def forget_vectors(self) -> None:
        """Record that the index is empty."""
        with self._transaction() as db:
            db.execute("UPDATE vector_record SET vectors = NULL, attempts = 0 WHERE fields IS NULL OR fields <> '[]'")
            db.execute("DELETE FROM vector_dead")

    def reconcile(self) -> None:
        """Bring the record in line with items that other programs wrote or deleted, and let failed ones try again."""
        with self._transaction() as db:
            for statement in RECONCILE:
                db.execute(statement)

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._lock, database_faults(self.path):
            return self._db.execute(sql, values).fetchall()

    def _many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self._transaction() as db:
            db.executemany(sql, rows)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All statements of the block take effect, or none."""
        with self._lock, database_faults(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @staticmethod
    def _chunks(seqs: Sequence[int]) -> Iterator[Sequence[int]]:
        for start in range(0, len(seqs), _CHUNK):
            yield seqs[start : start + _CHUNK]
