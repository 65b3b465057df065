"""A checkpoint saver for PostgreSQL and several processes, which prunes old checkpoints."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointTuple
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool
from typing_extensions import override

from stores.checkpoints.base import PrunedSaver, check_keep
from stores.encryption import Cipher, check_key
from stores.postgres.database import address_of, postgres_faults

Pool = AsyncConnectionPool[AsyncConnection[DictRow]]

# The saver runs one statement at a time; the second connection holds the lock while the tables are created.
_MAX_CONNECTIONS = 2
_TRY_LOCK = "SELECT pg_try_advisory_lock(hashtextextended('travel-concierge checkpoints', 0)) AS taken"
_UNLOCK = "SELECT pg_advisory_unlock(hashtextextended('travel-concierge checkpoints', 0))"
_PAUSE_SECONDS = 0.05
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('travel-concierge tables', 0))"

# As in SQLite: a namespace with a colon belongs to one task of the parent graph, and is deleted together with the
# root checkpoints of that task. A checkpoint here refers to its values, so a value is deleted with the last reference.
_PRUNE = """
WITH oldest AS (
  SELECT checkpoint_id AS id FROM checkpoints WHERE thread_id = %(thread)s AND checkpoint_ns = %(ns)s
  ORDER BY checkpoint_id DESC LIMIT 1 OFFSET %(offset)s),
gone AS (
  DELETE FROM checkpoints c USING oldest WHERE c.thread_id = %(thread)s AND c.checkpoint_id < oldest.id
    AND (c.checkpoint_ns = %(ns)s OR (%(ns)s = '' AND strpos(c.checkpoint_ns, ':') > 0))
  RETURNING c.checkpoint_ns, c.checkpoint_id, c.checkpoint),
writes AS (
  DELETE FROM checkpoint_writes w USING oldest WHERE w.thread_id = %(thread)s AND w.checkpoint_id < oldest.id
    AND (w.checkpoint_ns = %(ns)s OR (%(ns)s = '' AND strpos(w.checkpoint_ns, ':') > 0))),
kept AS (
  SELECT c.checkpoint_ns, v.key, v.value FROM checkpoints c, jsonb_each_text(c.checkpoint -> 'channel_versions') v
  WHERE c.thread_id = %(thread)s
    AND NOT EXISTS (SELECT 1 FROM gone g WHERE (g.checkpoint_ns, g.checkpoint_id) = (c.checkpoint_ns, c.checkpoint_id)))
DELETE FROM checkpoint_blobs b
USING (SELECT DISTINCT g.checkpoint_ns, v.key, v.value
       FROM gone g, jsonb_each_text(g.checkpoint -> 'channel_versions') v) AS named
WHERE b.thread_id = %(thread)s
  AND (b.checkpoint_ns, b.channel, b.version) = (named.checkpoint_ns, named.key, named.value)
  AND NOT EXISTS (SELECT 1 FROM kept k
                  WHERE (k.checkpoint_ns, k.key, k.value) = (b.checkpoint_ns, b.channel, b.version))
"""
_DELETE_RUN = """
WITH gone AS (DELETE FROM checkpoints WHERE metadata ->> 'run_id' = ANY(%s)
              RETURNING thread_id, checkpoint_ns, checkpoint_id)
DELETE FROM checkpoint_writes w USING gone g
WHERE (w.thread_id, w.checkpoint_ns, w.checkpoint_id) = (g.thread_id, g.checkpoint_ns, g.checkpoint_id)
"""


@dataclass(frozen=True, slots=True)
class _Boxed:
    """Wraps a plain value, which the saver would otherwise write into the unencrypted checkpoint, not into a blob."""

    value: str | float


class PrunedPostgresSaver(PrunedSaver, AsyncPostgresSaver):
    """`AsyncPostgresSaver` that keeps the newest `keep` checkpoints of each thread and namespace, with their writes.

    If it has a cipher, it encrypts all values, plain ones too.

    Raises:
        StorageError: from every method, when the database fails; the message says what to do.
    """

    def __init__(self, pool: Pool, *, keep: int, address: str, cipher: Cipher | None = None) -> None:
        check_keep(keep)
        super().__init__(pool, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        self.keep = keep
        self.cipher = cipher
        self._faults = partial(postgres_faults, address)
        self._pool = pool

    async def setup(self) -> None:
        """Create the tables on first use; several processes may do so at once."""
        with self._faults():
            async with self._pool.connection() as guard:
                await _lock_setup(guard)
                try:
                    await super().setup()
                finally:
                    await guard.execute(_UNLOCK)

    @override
    async def _prune(self, saved: RunnableConfig) -> None:
        # If the process crashes before this, the next put deletes these checkpoints.
        where = saved["configurable"]
        names = {"thread": where["thread_id"], "ns": where["checkpoint_ns"], "offset": self.keep - 1}
        async with self._cursor() as cursor:
            await cursor.execute(_PRUNE, names)

    @override
    async def _delete_threads(self, thread_ids: Sequence[str], *, keeps_latest: bool) -> None:
        await AsyncPostgresSaver.aprune(self, thread_ids, strategy="keep_latest" if keeps_latest else "delete")

    @override
    async def _delete_runs(self, run_ids: Sequence[str]) -> None:
        # The values of their checkpoints stay until the thread is deleted.
        async with self._cursor() as cursor:
            await cursor.execute(_DELETE_RUN, (run_ids,))

    @override
    def _boxed(self, checkpoint: Checkpoint) -> Checkpoint:
        if self.cipher is None:
            return checkpoint
        values = checkpoint["channel_values"].items()
        boxed = {name: _Boxed(value) if isinstance(value, (str, int, float)) else value for name, value in values}
        return {**checkpoint, "channel_values": boxed}

    @override
    def _dump_blobs(
        self, thread_id: str, checkpoint_ns: str, values: dict[str, Any], versions: ChannelVersions
    ) -> list[tuple[str, str, str, str, str, bytes | None]]:
        plain = {name: value.value if isinstance(value, _Boxed) else value for name, value in values.items()}
        return [
            (*row[:5], row[5] if row[5] is None else self._seal(row[5], "checkpoint_blobs", *map(str, row[:4])))
            for row in super()._dump_blobs(thread_id, checkpoint_ns, plain, versions)
        ]

    @override
    def _dump_writes(
        self,
        thread_id: str,
        checkpoint_ns: str,
        checkpoint_id: str,
        task_id: str,
        task_path: str,
        writes: Sequence[tuple[str, Any]],
    ) -> list[tuple[str, str, str, str, str, int, str, str, bytes]]:
        rows = super()._dump_writes(thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, writes)
        return [(*row[:8], self._seal(row[8], "checkpoint_writes", *row[:4], str(row[5]), row[6])) for row in rows]

    @override
    async def _load_checkpoint_tuple(self, value: DictRow) -> CheckpointTuple:
        thread, namespace, id_ = value["thread_id"], value["checkpoint_ns"], value["checkpoint_id"]
        versions = value["checkpoint"]["channel_versions"]
        blobs = [
            (name, kind, raw and self._unseal(raw, "checkpoint_blobs", thread, namespace, key, str(versions[key])))
            for name, kind, raw in value["channel_values"] or ()
            for key in [name.decode()]
        ]
        writes = [
            (task, name, kind, self._unseal(raw, "checkpoint_writes", *place), path, index)
            for task, name, kind, raw, path, index in value["pending_writes"] or ()
            for place in [(thread, namespace, id_, task.decode(), index.decode(), name.decode())]
        ]
        return await super()._load_checkpoint_tuple({**value, "channel_values": blobs, "pending_writes": writes})


async def _lock_setup(guard: AsyncConnection[DictRow]) -> None:
    # Polls, because CREATE INDEX CONCURRENTLY waits for all running queries, also for one that waits for a lock.
    while True:
        answer = await guard.execute(_TRY_LOCK)
        if (await answer.fetchall())[0]["taken"]:
            return
        await asyncio.sleep(_PAUSE_SECONDS)


@asynccontextmanager
async def open_postgres_checkpointer(
    url: str, *, keep: int, cipher: Cipher | None = None
) -> AsyncIterator[PrunedPostgresSaver]:
    """Open the checkpoints in the database at `url`, creating the tables.

    Args:
        url: The database's URL, as for `stores.postgres.database.Postgres`.
        keep: Checkpoints kept per thread and namespace; at least 2.
        cipher: Encrypts the state, but not the ids of threads and runs.

    Raises:
        InvalidInputError: if `keep` is below 2.
        SettingsError: if the URL is malformed.
        StorageError: when the database does not answer, or is encrypted with another key.
    """
    address = address_of(url)
    options = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row, "connect_timeout": 10}
    with postgres_faults(address):
        # The pool reports a failed connection only after its timeout, and only in the log.
        await (await AsyncConnection.connect(url, connect_timeout=10)).close()
    pool: Pool = AsyncConnectionPool(
        url,
        kwargs=options,
        check=AsyncConnectionPool.check_connection,
        min_size=1,
        max_size=_MAX_CONNECTIONS,
        open=False,
    )
    saver = PrunedPostgresSaver(pool, keep=keep, address=address, cipher=cipher)
    async with pool:
        await saver.setup()
        with postgres_faults(address):
            await asyncio.to_thread(_check_key, url, cipher, address)
        yield saver


def _check_key(url: str, cipher: Cipher | None, address: str) -> None:
    with psycopg.connect(url, connect_timeout=10) as db:
        db.execute(_ONE_AT_A_TIME)
        check_key(lambda sql: db.execute(sql.encode()), cipher, table="checkpoints", where=f"The database {address}")
