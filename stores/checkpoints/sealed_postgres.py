"""LangGraph's saver for PostgreSQL with rows that may be encrypted, each bound to its place."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointTuple
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb
from typing_extensions import override

from stores.checkpoints.base import COPIED_CHECKPOINT_COLUMNS, SealingSaver

_COPIED = {
    "checkpoints": COPIED_CHECKPOINT_COLUMNS,
    "checkpoint_blobs": "checkpoint_ns, channel, version, type, blob",
    "checkpoint_writes": "checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob",
}
_BLOB = "checkpoint_ns", "channel", "version"
_WRITE = "checkpoint_ns", "checkpoint_id", "task_id", "idx", "channel"


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

    @override
    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        source, target = str(source_thread_id), str(target_thread_id)
        async with self._cursor() as cursor, cursor.connection.transaction():
            for table, names in _COPIED.items():
                await cursor.execute(f"SELECT {names} FROM {table} WHERE thread_id = %s", (source,))
                rows = [self._copied(table, row, source, target) for row in await cursor.fetchall()]
                marks = ", %s" * len(names.split(", "))
                sql = f"INSERT INTO {table} (thread_id, {names}) VALUES (%s{marks}) ON CONFLICT DO NOTHING"
                await cursor.executemany(sql, [[target, *row] for row in rows])

    def _copied(self, table: str, row: DictRow, source: str, target: str) -> list[Any]:
        if table == "checkpoints":
            told = self._moved_metadata(row["metadata"], source, target, row["checkpoint_ns"], row["checkpoint_id"])
            row = {**row, "checkpoint": Jsonb(row["checkpoint"]), "metadata": Jsonb(told)}
        elif row["blob"] is not None:
            place = tuple(str(row[name]) for name in (_BLOB if table == "checkpoint_blobs" else _WRITE))
            row = {**row, "blob": self._moved(row["blob"], table, source, target, *place)}
        return list(row.values())
