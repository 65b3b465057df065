"""One PostgreSQL database: connections for threads, transactions that are tried again, and faults in words."""

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

_MOST_CONNECTIONS = 8
_CONNECT_SECONDS = 10
_WAIT_SECONDS = 30.0
_TRIES = 5
# A client that vanished without a word holds its locks until the server notices; the defaults take two hours.
_SESSION: dict[str, Any] = {
    "connect_timeout": _CONNECT_SECONDS,
    "keepalives_idle": 30,
    "application_name": "travel-concierge",
    "autocommit": True,
}
_NOTICE_THE_DEAD = "SET TIME ZONE 'UTC'; SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10"
_TAKE = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"
_TAKE_SHARED = "SELECT pg_try_advisory_lock_shared(hashtextextended(%s, 0))"
_GIVE = "SELECT pg_advisory_unlock(hashtextextended(%s, 0))"


class Postgres:
    """Connections to one database, for all threads of this process.

    Args:
        url: `postgresql://user:password@host:port/database`, or any other connection string of libpq.

    Raises:
        SettingsError: when the URL cannot be read.
        StorageError: when the database does not answer or lets nobody in. Passwords are in no message.
    """

    def __init__(self, url: str) -> None:
        self.address = address_of(url)
        self._url = url
        self._local = threading.local()
        self._one_snapshot = threading.RLock()
        # The pool tells of a failed connection only after its timeout, and only to the log.
        self.connect().close()
        self._pool = ConnectionPool(
            url,
            kwargs=_SESSION,
            configure=_configure,
            check=ConnectionPool.check_connection,
            min_size=1,
            max_size=_MOST_CONNECTIONS,
            timeout=_WAIT_SECONDS,
            open=True,
        )

    def connect(self) -> Connection:
        """Open a connection of the caller's own, in autocommit mode."""
        with postgres_faults(self.address):
            connection: Connection = psycopg.connect(self._url, **_SESSION)
            _configure(connection)
            return connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Lend a connection for reading: that of this thread's `snapshot` block, where it is in one."""
        snapshot = getattr(self._local, "connection", None)
        with postgres_faults(self.address):
            if snapshot is not None:
                yield snapshot
            else:
                with self._pool.connection() as connection:
                    yield connection

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Show this thread, within the block, the data as it was at its first read.

        One thread at a time is in such a block. What it writes is committed at once, and is not part of the snapshot.
        """
        with self._one_snapshot:
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
            for left in reversed(range(_TRIES)):
                try:
                    with self._pool.connection() as connection, connection.transaction():
                        return work(connection)
                except (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure):
                    if not left:
                        raise
            raise AssertionError("the last try returns or raises")

    def close(self) -> None:
        """Close the connections; a second call does nothing."""
        self._pool.close()


@contextmanager
def postgres_faults(address: str) -> Iterator[None]:
    """Turn errors of the database at `address` into ours; their messages say what to do."""
    try:
        yield
    except psycopg.errors.ProgramLimitExceeded as error:
        raise InvalidInputError(f"PostgreSQL keeps no key or namespace that is this long: {_first(error)}.") from error
    except psycopg.Error as error:
        raise StorageError(
            f"The database {address} cannot be used: {_first(error)}. {_advice(error)} What was acknowledged is kept."
        ) from error


def address_of(url: str) -> str:
    """Return where `url` leads, without the password: `postgresql://user@host:port/database`.

    Raises:
        SettingsError: when it cannot be read; the message does not repeat it.
    """
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        parts = {}
    port, database = str(parts.get("port") or ""), str(parts.get("dbname") or "")
    # A password with a bare slash ends up in the port and the database.
    if not parts or "@" in database or not (port or "0").isdecimal():
        raise SettingsError(
            "CONCIERGE_STORE_URL is (hidden): it cannot be read. It must look like "
            "postgresql://user:password@host:5432/database; write special characters as %XX."
        ) from None
    user = f"{parts['user']}@" if parts.get("user") else ""
    return f"postgresql://{user}{parts.get('host') or 'localhost'}{port and ':' + port}/{database}"


def _configure(connection: Connection) -> None:
    connection.execute(_NOTICE_THE_DEAD)


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
        with self._mutex, postgres_faults(self._database.address):
            if name in self._held or not self._ask(_TAKE, name):
                return False
            self._held.add(name)
            return True

    def join(self, name: str) -> bool:
        """Take a share of the lock `name`, which keeps others from taking it whole; False when one has."""
        with self._mutex, postgres_faults(self._database.address):
            return self._ask(_TAKE_SHARED, name)

    def give(self, name: str) -> None:
        """Release the lock `name`, which is held."""
        with self._mutex, postgres_faults(self._database.address):
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
