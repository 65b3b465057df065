"""Thread state in SQLite: a saver whose file stays small, whichever way checkpoints come in."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import aiosqlite
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from typing_extensions import override

from stores.checkpoints.base import COPIED_CHECKPOINT_COLUMNS, PrunedSaver, check_keep, check_strategy
from stores.checkpoints.direct import DirectSqliteSaver
from stores.encryption import Cipher, check_key
from stores.faults import BUSY_SECONDS, database_faults
from stores.private_files import make_private_folder

_TABLES = ("checkpoints", "writes")
_STATE = COPIED_CHECKPOINT_COLUMNS
_WRITE = "checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value"
_COPIED = "SELECT {} FROM {} WHERE thread_id = ? ORDER BY checkpoint_id"
# NORMAL: a killed process loses nothing; a power cut may take the last moments, which end at a whole checkpoint.
_TUNING = """
PRAGMA journal_mode=WAL;
PRAGMA synchronous=NORMAL;
PRAGMA journal_size_limit=4194304;
PRAGMA secure_delete=ON;
"""

# A trigger prunes in the transaction of the insert: the file is bounded for every caller, a crash leaves nothing half
# pruned, and it costs no second commit. It is TEMP because `keep` is this connection's setting, not the file's.
# Namespaces with a colon belong to one task of the parent; they end with the root checkpoints that ran them.
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


class PrunedSqliteSaver(PrunedSaver, DirectSqliteSaver):
    """`DirectSqliteSaver` that keeps the newest `keep` checkpoints of each thread and namespace, with their writes.

    Raises:
        StorageError: from every method, when the file cannot be read or written; the message says what to do.
    """

    def __init__(
        self,
        conn: aiosqlite.Connection,
        *,
        keep: int,
        path: Path | str = "",
        serde: SerializerProtocol | None = None,
        cipher: Cipher | None = None,
    ) -> None:
        check_keep(keep)
        super().__init__(conn, serde=serde or JsonPlusSerializer(allowed_msgpack_modules=None))
        self.keep = keep
        self.path = path
        self.cipher = cipher

    async def setup(self) -> None:
        """Create the tables on first use, and this connection's pruning."""
        if self.is_setup:
            return
        with self._faults():
            await super().setup()
            for table in reversed(_TABLES):
                trigger = _PRUNE.format(table=table, offset=self.keep - 1).replace("prune_", f"prune_{table}_")
                await self.conn.executescript(trigger)

    @override
    async def scrub(self) -> None:
        """Remove deleted bytes from the file's journal, as far as no other process is reading it."""
        with self._faults():
            async with self.lock:
                await self.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete all that is held of a thread."""
        await self.aprune([thread_id], strategy="delete")

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Leave of each thread its latest checkpoint per namespace (`keep_latest`), or nothing (`delete`).

        Raises:
            InvalidInputError: for another strategy.
        """
        check_strategy(strategy)
        older = (
            " AND checkpoint_id < (SELECT max(c.checkpoint_id) FROM checkpoints c"
            " WHERE c.thread_id = {table}.thread_id AND c.checkpoint_ns = {table}.checkpoint_ns)"
        )
        rule = older if strategy == "keep_latest" else ""
        await self._write(
            (f"DELETE FROM {table} WHERE thread_id = ?" + rule.format(table=table), (str(thread),))
            for thread in thread_ids
            for table in reversed(_TABLES)
        )

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete the checkpoints that these runs made, with their writes."""
        made = "FROM checkpoints WHERE json_extract(CAST(metadata AS TEXT), '$.run_id') = ?"
        keys = "thread_id, checkpoint_ns, checkpoint_id"
        await self._write(
            statement
            for run in run_ids
            for statement in (
                (f"DELETE FROM writes WHERE ({keys}) IN (SELECT {keys} {made})", (str(run),)),
                (f"DELETE {made}", (str(run),)),
            )
        )

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy a thread's checkpoints and writes to another thread id."""
        source, target = str(source_thread_id), str(target_thread_id)
        await self.setup()
        with self._faults():
            async with self.lock:
                states = await self.conn.execute_fetchall(_COPIED.format(_STATE, "checkpoints"), [source])
                writes = await self.conn.execute_fetchall(_COPIED.format(_WRITE, "writes"), [source])
        await self._write(
            [
                *((_copy("checkpoints", _STATE), self._state(row, source, target)) for row in states),
                *((_copy("writes", _WRITE), self._pending(row, source, target)) for row in writes),
            ]
        )

    def _state(self, row: Any, source: str, target: str) -> list[Any]:
        namespace, id_, parent, type_, value, told = row
        moved = self._moved_metadata(json.loads(told), source, target, namespace, id_)
        value = self._moved(value, "checkpoints", source, target, namespace, id_)
        return [target, namespace, id_, parent, type_, value, json.dumps(moved, ensure_ascii=False).encode()]

    def _pending(self, row: Any, source: str, target: str) -> list[Any]:
        namespace, id_, task, path, at, channel, type_, value = row
        value = self._moved(value, "writes", source, target, namespace, id_, task, str(at), channel)
        return [target, namespace, id_, task, path, at, channel, type_, value]

    async def _write(self, statements: Any) -> None:
        await self.setup()
        with self._faults():
            async with self.lock:
                await self.conn.execute("BEGIN IMMEDIATE")
                try:
                    for sql, values in statements:
                        await self.conn.execute(sql, values)
                    await self.conn.commit()
                except BaseException:  # left open, it would hold back all that is written after it
                    await self.conn.rollback()
                    raise

    @override
    def _faults(self) -> AbstractContextManager[None]:
        return database_faults(self.path)


@asynccontextmanager
async def open_checkpointer(
    path: Path | str, *, keep: int, cipher: Cipher | None = None
) -> AsyncIterator[PrunedSqliteSaver]:
    """Open the checkpoints at `path`, creating the file and its folder.

    Args:
        path: The SQLite file.
        keep: Checkpoints kept per thread and namespace; at least 2.
        cipher: Encrypts the state; ids of threads and of runs are kept as they are.

    Raises:
        InvalidInputError: when `keep` is below 2.
        StorageError: when the file is damaged or not of this cipher's key, or the folder cannot be written.
    """
    path = Path(path)
    await asyncio.to_thread(make_private_folder, path.parent)
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


def _copy(table: str, columns: str) -> str:
    marks = ", ?" * len(columns.split(","))
    return f"INSERT OR REPLACE INTO {table} (thread_id, {columns}) VALUES (?{marks})"
