"""Thread state in PostgreSQL, for several processes: a saver whose tables stay small."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
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

from stores.checkpoints.base import PrunedSaver, SealingSaver, check_keep
from stores.encryption import Cipher, check_key
from stores.postgres.database import address_of, postgres_faults

Pool = AsyncConnectionPool[AsyncConnection[DictRow]]

# The saver does one thing at a time; the second connection guards the making of the tables.
_MOST_CONNECTIONS = 2
_TRY_LOCK = "SELECT pg_try_advisory_lock(hashtextextended('travel-concierge checkpoints', 0)) AS taken"
_UNLOCK = "SELECT pg_advisory_unlock(hashtextextended('travel-concierge checkpoints', 0))"
_PAUSE_SECONDS = 0.05
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('travel-concierge tables', 0))"

# As in SQLite: namespaces with a colon belong to one task of the parent and end with the root checkpoints that ran
# them. A checkpoint here names its values instead of holding them, so a value goes with the last that names it.
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
    """A plain value on its way to a row of its own: the saver would write it into the readable checkpoint."""

    value: str | float


class SealedPostgresSaver(SealingSaver, AsyncPostgresSaver):
    """`AsyncPostgresSaver` that encrypts values, plain ones too, where it has a cipher."""

    @override
    def _boxed(self, checkpoint: Checkpoint) -> Checkpoint:
        if self.cipher is None:
            return checkpoint
        values = checkpoint["channel_values"].items()
        boxed = {name: _Boxed(one) if isinstance(one, (str, int, float)) else one for name, one in values}
        return {**checkpoint, "channel_values": boxed}

    @override
    def _dump_blobs(
        self, thread_id: str, checkpoint_ns: str, values: dict[str, Any], versions: ChannelVersions
    ) -> list[tuple[str, str, str, str, str, bytes | None]]:
        plain = {name: one.value if isinstance(one, _Boxed) else one for name, one in values.items()}
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
            (task, name, kind, self._unseal(raw, "checkpoint_writes", *place), path, at)
            for task, name, kind, raw, path, at in value["pending_writes"] or ()
            for place in [(thread, namespace, id_, task.decode(), at.decode(), name.decode())]
        ]
        return await super()._load_checkpoint_tuple({**value, "channel_values": blobs, "pending_writes": writes})


class PrunedPostgresSaver(PrunedSaver, SealedPostgresSaver):
    """`AsyncPostgresSaver` that keeps the newest `keep` checkpoints of each thread and namespace, with their writes.

    Raises:
        StorageError: from every method, when the database fails; the message says what to do.
    """

    def __init__(self, pool: Pool, *, keep: int, address: str, cipher: Cipher | None = None) -> None:
        check_keep(keep)
        super().__init__(pool, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        self.keep = keep
        self.address = address
        self.cipher = cipher
        self._pool = pool

    async def setup(self) -> None:
        """Create the tables on first use; several processes may begin at once."""
        with self._faults():
            async with self._pool.connection() as guard:
                await _take_turn(guard)
                try:
                    await super().setup()
                finally:
                    await guard.execute(_UNLOCK)

    @override
    def _faults(self) -> AbstractContextManager[None]:
        return postgres_faults(self.address)

    @override
    async def _prune(self, saved: RunnableConfig) -> None:
        # What a crash between the two leaves goes with the next put.
        where = saved["configurable"]
        names = {"thread": where["thread_id"], "ns": where["checkpoint_ns"], "offset": self.keep - 1}
        async with self._cursor() as cursor:
            await cursor.execute(_PRUNE, names)

    @override
    async def _delete_threads(self, thread_ids: Sequence[str], *, keeps_latest: bool) -> None:
        await AsyncPostgresSaver.aprune(self, thread_ids, strategy="keep_latest" if keeps_latest else "delete")

    @override
    async def _delete_runs(self, run_ids: Sequence[str]) -> None:
        # Values of their checkpoints go with the thread.
        async with self._cursor() as cursor:
            await cursor.execute(_DELETE_RUN, (run_ids,))


async def _take_turn(guard: AsyncConnection[DictRow]) -> None:
    # Asked for and not waited for: an index that is made concurrently waits for every query that runs.
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
        url: As `stores.postgres.database.Postgres` takes it.
        keep: Checkpoints kept per thread and namespace; at least 2.
        cipher: Encrypts the state; ids of threads and of runs are kept as they are.

    Raises:
        InvalidInputError: when `keep` is below 2.
        SettingsError: when the URL cannot be read.
        StorageError: when the database does not answer, or is not of this cipher's key.
    """
    address = address_of(url)
    options = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row, "connect_timeout": 10}
    with postgres_faults(address):
        # The pool tells of a failed connection only after its timeout, and only to the log.
        await (await AsyncConnection.connect(url, connect_timeout=10)).close()
    pool: Pool = AsyncConnectionPool(
        url,
        kwargs=options,
        check=AsyncConnectionPool.check_connection,
        min_size=1,
        max_size=_MOST_CONNECTIONS,
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
