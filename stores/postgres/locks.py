"""Locks that processes hold against each other in one PostgreSQL database, for as long as they live."""

from __future__ import annotations

import contextlib
import threading

import psycopg

from stores.postgres.database import Connection, Postgres

_TAKE = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"
_TAKE_SHARED = "SELECT pg_try_advisory_lock_shared(hashtextextended(%s, 0))"
_GIVE = "SELECT pg_advisory_unlock(hashtextextended(%s, 0))"


class PostgresLocks:
    """Locks by name, all on one connection: the server lets go of them when this process ends, however it ends.

    Args:
        database: Where the locks are.
        owner: What the names belong to; locks of different owners never meet.

    Raises:
        StorageError: from every method, when the database fails.
    """

    def __init__(self, database: Postgres, owner: str) -> None:
        self._database = database
        self._owner = owner
        self._mutex = threading.Lock()
        self._held: set[str] = set()
        self._connection: Connection = database.connect()

    def take(self, name: str) -> bool:
        """Take the lock `name` if it is free, without waiting; False also when this process holds it."""
        with self._mutex, self._database.faults():
            if name in self._held or not self._ask(_TAKE, name):
                return False
            self._held.add(name)
            return True

    def join(self, name: str) -> bool:
        """Take a share of the lock `name`, which keeps others from taking it whole; False when one has."""
        with self._mutex, self._database.faults():
            return self._ask(_TAKE_SHARED, name)

    def give(self, name: str) -> None:
        """Release the lock `name`, which is held."""
        with self._mutex, self._database.faults():
            self._held.discard(name)
            self._ask(_GIVE, name)

    def close(self) -> None:
        """Release all locks; a second call does nothing."""
        with self._mutex:
            self._connection.close()

    def _ask(self, sql: str, name: str) -> bool:
        values = (f"{self._owner}/{name}",)
        with contextlib.suppress(psycopg.OperationalError):
            return bool(self._connection.execute(sql, values).fetchall()[0][0])
        # The connection is lost, and with it every lock that was on it; the server has let go of them.
        self._connection.close()
        self._held.clear()
        self._connection = self._database.connect()
        return bool(self._connection.execute(sql, values).fetchall()[0][0])
