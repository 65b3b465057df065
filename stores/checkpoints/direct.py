"""LangGraph's saver for SQLite with one call of its database's thread for each statement, where it has up to six."""

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any, cast

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
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.checkpoint.sqlite.utils import load_pending_writes, search_where
from typing_extensions import override

from stores.checkpoints.base import SealingSaver

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
"""The checkpoint, whose index is NULL, and its pending writes, as `load_pending_writes` takes them."""
_MOST_WRITES = 3_600
"""Rows of one statement, and so of one transaction: SQLite takes 32,766 variables."""


class DirectSqliteSaver(SealingSaver, AsyncSqliteSaver):
    """`AsyncSqliteSaver` over a connection that commits each statement by itself (`isolation_level=None`)."""

    @override
    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        await self.setup()
        place = str(config["configurable"]["thread_id"]), config["configurable"].get("checkpoint_ns", "")
        asked = get_checkpoint_id(config)
        async with self.lock:
            found = list(await self.conn.execute_fetchall(_GET, (*place, asked)))
        if not found:
            return None
        (id_, parent, type_, checkpoint, metadata, _), *writes = sorted(found, key=lambda row: row[-1] is not None)
        return CheckpointTuple(
            config if asked else _config(*place, id_),
            self.serde.loads_typed((type_, self._unseal(checkpoint, "checkpoints", *place, id_))),
            cast(CheckpointMetadata, json.loads(metadata) if metadata is not None else {}),
            _config(*place, parent) if parent else None,
            load_pending_writes((self._readable(row, *place, id_) for row in writes), self.serde),
        )

    def _readable(self, row: Any, *place: str) -> tuple[Any, ...]:
        task, channel, type_, value, path, at = row
        return task, channel, type_, self._unseal(value, "writes", *place, task, str(at), channel), path, at

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
            found = await DirectSqliteSaver.aget_tuple(self, _config(*place))
            if found:
                yield found

    @override
    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        await self.setup()
        named = config["configurable"]
        told = json.dumps(get_checkpoint_metadata(config, metadata), ensure_ascii=False).encode("utf-8", "ignore")
        place = str(named["thread_id"]), named["checkpoint_ns"], checkpoint["id"]
        type_, value = self.serde.dumps_typed(checkpoint)
        sealed = self._seal(value, "checkpoints", *place)
        await self._put(_PUT, [*place, named.get("checkpoint_id"), type_, sealed, told])
        return _config(named["thread_id"], *place[1:])

    @override
    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        await self.setup()
        place = [str(config["configurable"][name]) for name in ("thread_id", "checkpoint_ns", "checkpoint_id")]
        otherwise = "REPLACE" if all(channel in WRITES_IDX_MAP for channel, _ in writes) else "IGNORE"
        rows = []
        for nth, (channel, value) in enumerate(writes):
            at, (type_, raw) = WRITES_IDX_MAP.get(channel, nth), self.serde.dumps_typed(value)
            sealed = self._seal(raw, "writes", *place, task_id, str(at), channel)
            rows.append([*place, task_id, task_path, at, channel, type_, sealed])
        for start in range(0, len(rows), _MOST_WRITES):
            part = rows[start : start + _MOST_WRITES]
            marks = ", ".join(["(?, ?, ?, ?, ?, ?, ?, ?, ?)"] * len(part))
            await self._put(
                _PUT_WRITES.format(otherwise=otherwise, rows=marks), [value for row in part for value in row]
            )

    async def _put(self, sql: str, values: Sequence[Any]) -> None:
        async with self.lock:
            await self.conn.execute_fetchall(sql, values)


def _config(thread_id: str, namespace: str, checkpoint_id: str) -> RunnableConfig:
    return {
        "configurable": {"thread_id": thread_id, "checkpoint_ns": namespace, "checkpoint_id": checkpoint_id},
    }
