"""A PostgreSQL database: connections for threads, retried transactions, error messages and advisory locks."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool

from config.errors import InvalidInputError, SettingsError, StorageError

T = TypeVar("T")
Connection = psycopg.Connection[tuple[Any, ...]]

_MAX_CONNECTIONS = 8
_CONNECT_SECONDS = 10
_WAIT_SECONDS = 30.0
_RETRIES = 4
# If a client's host crashes, its locks are held until the server notices; with default keepalives, after two hours.
_SESSION: dict[str, Any] = {
    "connect_timeout": _CONNECT_SECONDS,
    "keepalives_idle": 30,
    "application_name": "travel-concierge",
    "autocommit": True,
}
_SERVER_KEEPALIVES = "SET TIME ZONE 'UTC'; SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10"
_TRY_LOCK = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"
_TRY_LOCK_SHARED = "SELECT pg_try_advisory_lock_shared(hashtextextended(%s, 0))"
_UNLOCK = "SELECT pg_advisory_unlock(hashtextextended(%s, 0))"


class Postgres:
    """Connections to one database, for all threads of this process.

    Args:
        url: `postgresql://user:password@host:port/database`, or any other connection string of libpq.

    Raises:
        SettingsError: if the URL is malformed.
        StorageError: when the database does not answer or rejects the login. No message contains the password.
    """

    def __init__(self, url: str) -> None:
        self.address = address_of(url)
        self._url = url
        self._local = threading.local()
        self._snapshot_lock = threading.RLock()
        # The pool reports a failed connection only after its timeout, and only in the log.
        self.connect().close()
        self._pool = ConnectionPool(
            url,
            kwargs=_SESSION,
            configure=_configure,
            check=ConnectionPool.check_connection,
            min_size=1,
            max_size=_MAX_CONNECTIONS,
            timeout=_WAIT_SECONDS,
            open=True,
        )

    def connect(self) -> Connection:
        """Open a connection outside the pool, in autocommit mode, for the caller to close."""
        with postgres_faults(self.address):
            connection: Connection = psycopg.connect(self._url, **_SESSION)
            _configure(connection)
            return connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection for reading: that of this thread's `snapshot` block if it is in one, else a pooled one."""
        snapshot = getattr(self._local, "connection", None)
        with postgres_faults(self.address):
            if snapshot is not None:
                yield snapshot
            else:
                with self._pool.connection() as connection:
                    yield connection

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let this thread read, within the block, the data as it was at its first read.

        One thread at a time runs such a block. Its writes are committed at once, and are not part of the snapshot.
        """
        with self._snapshot_lock:
            if getattr(self._local, "connection", None) is not None:
                yield
                return
            with postgres_faults(self.address), self._pool.connection() as connection, connection.transaction():
                connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                self._local.connection = connection
                try:
                    yield
                finally:
                    self._local.connection = None

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return all rows of one query."""
        with self.reading() as connection:
            return connection.execute(sql, values).fetchall()

    def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction and return its result; run it again after a deadlock or serialization failure."""
        with postgres_faults(self.address):
            for _ in range(_RETRIES):
                with contextlib.suppress(psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure):
                    return self._attempt(work)
            return self._attempt(work)

    def _attempt(self, work: Callable[[Connection], T]) -> T:
        with self._pool.connection() as connection, connection.transaction():
            return work(connection)

    def close(self) -> None:
        """Close the connections; a second call does nothing."""
        self._pool.close()


@contextmanager
def postgres_faults(address: str) -> Iterator[None]:
    """Turn psycopg's errors into `StorageError` or `InvalidInputError` with advice; `address` names the database."""
    try:
        yield
    except psycopg.errors.ProgramLimitExceeded as error:
        raise InvalidInputError(f"PostgreSQL keeps no key or namespace that is this long: {_first(error)}.") from error
    except psycopg.Error as error:
        raise StorageError(
            f"The database {address} cannot be used: {_first(error)}. {_advice(error)} What was acknowledged is kept."
        ) from error


def address_of(url: str) -> str:
    """Return `url` without its password and options: `postgresql://user@host:port/database`.

    Raises:
        SettingsError: if it is malformed; the message does not contain it.
    """
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        parts = {}
    port, database = str(parts.get("port") or ""), str(parts.get("dbname") or "")
    # If the password has an unescaped slash, parts of it are parsed as the port and the database.
    if not parts or "@" in database or not (port or "0").isdecimal():
        raise SettingsError(
            "CONCIERGE_STORE_URL is (hidden): it cannot be read. It must look like "
            "postgresql://user:password@host:5432/database; write special characters as %XX."
        ) from None
    user = f"{parts['user']}@" if parts.get("user") else ""
    return f"postgresql://{user}{parts.get('host') or 'localhost'}{port and ':' + port}/{database}"


def _configure(connection: Connection) -> None:
    connection.execute(_SERVER_KEEPALIVES)


def _first(error: psycopg.Error) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


def _advice(error: psycopg.Error) -> str:
    state = error.sqlstate or ""
    if state.startswith("53100"):
        return "Its disk is full; free some space and try again."
    if isinstance(error, psycopg.OperationalError):
        return "Check that the server runs, and the user, the password and the database in CONCIERGE_STORE_URL."
    if state.startswith("42501"):
        return "Give the user of CONCIERGE_STORE_URL the right to make and change tables."
    return "Check the database, or restore it from a backup."


class PostgresLocks:
    """Advisory locks by name, all on one connection: the server releases them if this process ends or crashes.

    Args:
        database: The database of the locks.
        owner: Namespace of the names; locks of different owners are independent.

    Raises:
        StorageError: from every method, when the database fails.
    """

    def __init__(self, database: Postgres, owner: str) -> None:
        self._database = database
        self._owner = owner
        self._mutex = threading.Lock()
        self._held: set[str] = set()
        self._connection: Connection = database.connect()

    def try_acquire(self, name: str) -> bool:
        """Acquire the lock `name` without waiting; return False if another process or this one holds it."""
        with self._mutex, postgres_faults(self._database.address):
            if name in self._held or not self._query(_TRY_LOCK, name):
                return False
            self._held.add(name)
            return True

    def try_shared(self, name: str) -> bool:
        """Acquire the lock `name` in shared mode without waiting; return False if it is held exclusively."""
        with self._mutex, postgres_faults(self._database.address):
            return self._query(_TRY_LOCK_SHARED, name)

    def release(self, name: str) -> None:
        """Release the lock `name`, which this process must hold."""
        with self._mutex, postgres_faults(self._database.address):
            self._held.discard(name)
            self._query(_UNLOCK, name)

    def close(self) -> None:
        """Release all locks; a second call does nothing."""
        with self._mutex:
            self._connection.close()

    def _query(self, sql: str, name: str) -> bool:
        values = (f"{self._owner}/{name}",)
        with contextlib.suppress(psycopg.OperationalError):
            return bool(self._connection.execute(sql, values).fetchall()[0][0])
        # The connection is lost, and the server has released all locks of it.
        self._connection.close()
        self._held.clear()
        self._connection = self._database.connect()
        return bool(self._connection.execute(sql, values).fetchall()[0][0])
