"""A checkpoint saver for SQLite, which prunes old checkpoints."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any, cast

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.checkpoint.sqlite.utils import load_pending_writes, search_where
from typing_extensions import override

from stores.checkpoints.base import PrunedSaver, SealingSaver, check_keep
from stores.encryption import Cipher, check_key
from stores.faults import BUSY_SECONDS, database_faults
from stores.private_files import make_private_file

_TABLES = ("checkpoints", "writes")
# NORMAL: a killed process loses nothing; a power cut may lose the last checkpoints, but leaves none half written.
_TUNING = """
PRAGMA journal_mode=WAL;
PRAGMA synchronous=NORMAL;
PRAGMA journal_size_limit=4194304;
PRAGMA secure_delete=ON;
"""

# A trigger prunes in the transaction of the insert: this bounds the file for every caller, leaves nothing half pruned
# after a crash, and needs no second commit. It is TEMP because `keep` is this connection's setting, not the file's.
# A namespace with a colon belongs to one task of the parent graph, and is deleted together with the root checkpoints
# of that task.
_PRUNE = """
CREATE TEMP TRIGGER IF NOT EXISTS prune_checkpoints AFTER INSERT ON main.checkpoints BEGIN
  DELETE FROM {table} WHERE thread_id = NEW.thread_id
    AND (checkpoint_ns = NEW.checkpoint_ns OR (NEW.checkpoint_ns = '' AND instr(checkpoint_ns, ':') > 0))
    AND checkpoint_id < (
      SELECT checkpoint_id FROM main.checkpoints
      WHERE thread_id = NEW.thread_id AND checkpoint_ns = NEW.checkpoint_ns
      ORDER BY checkpoint_id DESC LIMIT 1 OFFSET {offset});
END;
"""


_PUT = (
    "INSERT OR REPLACE INTO checkpoints "
    "(thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_PUT_WRITES = (
    "INSERT OR {otherwise} INTO writes "
    "(thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value) VALUES {rows}"
)
_GET = """
WITH asked AS (
  SELECT checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata, NULL AS idx FROM checkpoints
  WHERE thread_id = ?1 AND checkpoint_ns = ?2 AND (?3 IS NULL OR checkpoint_id = ?3)
  ORDER BY checkpoint_id DESC LIMIT 1)
SELECT * FROM asked UNION ALL SELECT task_id, channel, type, value, task_path, idx FROM writes
WHERE thread_id = ?1 AND checkpoint_ns = ?2 AND checkpoint_id = (SELECT checkpoint_id FROM asked)
"""
"""Selects the checkpoint, with NULL as its index, and its pending writes, in columns as for `load_pending_writes`."""
_MAX_ROWS = 3_600
"""Most rows in one INSERT, with 9 variables each: SQLite allows 32,766 variables."""


class DirectSqliteSaver(SealingSaver, AsyncSqliteSaver):
    """`AsyncSqliteSaver` over a connection that commits each statement by itself (`isolation_level=None`)."""

    @override
    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        await self.setup()
        place = str(config["configurable"]["thread_id"]), config["configurable"].get("checkpoint_ns", "")
        requested = get_checkpoint_id(config)
        async with self.lock:
            rows = list(await self.conn.execute_fetchall(_GET, (*place, requested)))
        if not rows:
            return None
        (id_, parent, type_, checkpoint, metadata, _), *writes = sorted(rows, key=lambda row: row[-1] is not None)
        return CheckpointTuple(
            config if requested else _config(*place, id_),
            self.serde.loads_typed((type_, self._unseal(checkpoint, "checkpoints", *place, id_))),
            cast(CheckpointMetadata, json.loads(metadata) if metadata is not None else {}),
            _config(*place, parent) if parent else None,
            load_pending_writes((self._unseal_write(row, *place, id_) for row in writes), self.serde),
        )

    def _unseal_write(self, row: Any, *place: str) -> tuple[Any, ...]:
        task, channel, type_, value, path, index = row
        return task, channel, type_, self._unseal(value, "writes", *place, task, str(index), channel), path, index

    @override
    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        await self.setup()
        where, values = search_where(config, filter, before)
        sql = f"SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints {where} ORDER BY checkpoint_id DESC"
        async with self.lock:
            places = await self.conn.execute_fetchall(f"{sql} LIMIT ?", [*values, -1 if limit is None else limit])
        for place in places:
            row = await DirectSqliteSaver.aget_tuple(self, _config(*place))
            if row:
                yield row

    @override
    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        await self.setup()
        fields = config["configurable"]
        text = json.dumps(get_checkpoint_metadata(config, metadata), ensure_ascii=False).encode("utf-8", "ignore")
        place = str(fields["thread_id"]), fields["checkpoint_ns"], checkpoint["id"]
        type_, value = self.serde.dumps_typed(checkpoint)
        sealed = self._seal(value, "checkpoints", *place)
        await self._put(_PUT, [*place, fields.get("checkpoint_id"), type_, sealed, text])
        return _config(fields["thread_id"], *place[1:])

    @override
    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        await self.setup()
        place = [str(config["configurable"][name]) for name in ("thread_id", "checkpoint_ns", "checkpoint_id")]
        otherwise = "REPLACE" if all(channel in WRITES_IDX_MAP for channel, _ in writes) else "IGNORE"
        rows = []
        for position, (channel, value) in enumerate(writes):
            index, (type_, raw) = WRITES_IDX_MAP.get(channel, position), self.serde.dumps_typed(value)
            sealed = self._seal(raw, "writes", *place, task_id, str(index), channel)
            rows.append([*place, task_id, task_path, index, channel, type_, sealed])
        for start in range(0, len(rows), _MAX_ROWS):
            part = rows[start : start + _MAX_ROWS]
            marks = ", ".join(["(?, ?, ?, ?, ?, ?, ?, ?, ?)"] * len(part))
            values = [value for row in part for value in row]
            await self._put(_PUT_WRITES.format(otherwise=otherwise, rows=marks), values)

    async def _put(self, sql: str, values: Sequence[Any]) -> None:
        async with self.lock:
            await self.conn.execute_fetchall(sql, values)


class PrunedSqliteSaver(PrunedSaver, DirectSqliteSaver):
    """`DirectSqliteSaver` that keeps the newest `keep` checkpoints of each thread and namespace, with their writes.

    Raises:
        StorageError: from every method, when the file cannot be read or written; the message says what to do.
    """

    def __init__(
        self, conn: aiosqlite.Connection, *, keep: int, path: Path | str = "", cipher: Cipher | None = None
    ) -> None:
        check_keep(keep)
        super().__init__(conn, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        self.keep = keep
        self.cipher = cipher
        self._faults = partial(database_faults, path)

    async def setup(self) -> None:
        """Create the tables, and this connection's pruning triggers, on first use."""
        if self.is_setup:
            return
        with self._faults():
            await super().setup()
            for table in reversed(_TABLES):
                trigger = _PRUNE.format(table=table, offset=self.keep - 1).replace("prune_", f"prune_{table}_")
                await self.conn.executescript(trigger)

    @override
    async def scrub(self) -> None:
        """Erase deleted rows from the file's journal, unless another process is reading it."""
        with self._faults():
            async with self.lock:
                await self.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @override
    async def _delete_threads(self, thread_ids: Sequence[str], *, keeps_latest: bool) -> None:
        older = (
            " AND checkpoint_id < (SELECT max(c.checkpoint_id) FROM checkpoints c"
            " WHERE c.thread_id = {table}.thread_id AND c.checkpoint_ns = {table}.checkpoint_ns)"
        )
        rule = older if keeps_latest else ""
        await self._write(
            (f"DELETE FROM {table} WHERE thread_id = ?" + rule.format(table=table), thread)
            for thread in thread_ids
            for table in reversed(_TABLES)
        )

    @override
    async def _delete_runs(self, run_ids: Sequence[str]) -> None:
        made = "FROM checkpoints WHERE json_extract(CAST(metadata AS TEXT), '$.run_id') = ?"
        keys = "thread_id, checkpoint_ns, checkpoint_id"
        both = f"DELETE FROM writes WHERE ({keys}) IN (SELECT {keys} {made})", f"DELETE {made}"
        await self._write((sql, run) for run in run_ids for sql in both)

    async def _write(self, statements: Iterable[tuple[str, str]]) -> None:
        await self.setup()
        async with self.lock:
            await self.conn.execute("BEGIN IMMEDIATE")
            try:
                for sql, value in statements:
                    await self.conn.execute(sql, [value])
                await self.conn.commit()
            except BaseException:  # an open transaction would also contain all later writes
                await self.conn.rollback()
                raise


@asynccontextmanager
async def open_checkpointer(
    path: Path | str, *, keep: int, cipher: Cipher | None = None
) -> AsyncIterator[PrunedSqliteSaver]:
    """Open the checkpoints at `path`, creating the file and its folder.

    Args:
        path: The SQLite file.
        keep: Checkpoints kept per thread and namespace; at least 2.
        cipher: Encrypts the state, but not the ids of threads and runs.

    Raises:
        InvalidInputError: if `keep` is below 2.
        StorageError: when the file is damaged or encrypted with another key, or the folder cannot be written.
    """
    path = Path(path)
    await asyncio.to_thread(make_private_file, path)
    with database_faults(path):
        conn = await aiosqlite.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        with database_faults(path):
            await conn.executescript(_TUNING)
            saver = PrunedSqliteSaver(conn, keep=keep, path=path, cipher=cipher)
            await saver.setup()
            await asyncio.to_thread(_check_key, path, cipher)
        yield saver
    finally:
        await conn.close()


def _check_key(path: Path, cipher: Cipher | None) -> None:
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)) as db:
        check_key(db.execute, cipher, table="checkpoints", where=f"The database {path}")


def _config(thread_id: str, namespace: str, checkpoint_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id, "checkpoint_ns": namespace, "checkpoint_id": checkpoint_id}}
