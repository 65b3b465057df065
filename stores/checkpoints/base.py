"""Checkpoint savers that keep the newest few checkpoints and report faults of their database in words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, CheckpointTuple
from typing_extensions import override

from config.errors import DamagedThreadError, InvalidInputError
from stores.checkpoints.sealing import READABLE_METADATA, SealingSaver

ERASED_CHANNEL = "erased"
"""The channel of a thread's state that changes when something forgotten was removed; older ones still hold it."""

COPIED_CHECKPOINT_COLUMNS = "checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata"


def check_keep(keep: int) -> None:
    """Raise InvalidInputError when fewer than 2 checkpoints of a thread would be kept."""
    if keep < 2:
        raise InvalidInputError(f"keep is {keep}; at least 2 checkpoints of a thread must be kept.")


class PrunedSaver(SealingSaver):
    """Reads and prunes through the saver that follows it in the order of base classes, and translates its faults.

    What a resume needs, the latest checkpoint and its pending writes, is always kept. Pruning cuts the history
    that a `DeltaChannel` is rebuilt from, so graphs with such a channel need another saver. Values whose types are
    not registered are not rebuilt when read: they come back as plain data.

    Raises:
        StorageError: from every method, when the database fails; the message says what to do.
    """

    @abstractmethod
    def _faults(self) -> AbstractContextManager[None]:
        """Turn database errors of the block into `StorageError`."""

    @override
    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        with self._faults(), _damage(config):
            found = await super().aget_tuple(config)
            return self._unsealed(found) if found else None

    @override
    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield checkpoints, newest first; all are read before the first is yielded, so nothing stays locked.

        Where the listing reaches the oldest that are kept, these have no parent: clients draw a thread from its root.
        """
        asked = filter or {}
        hidden = {name: value for name, value in asked.items() if self.cipher and name not in READABLE_METADATA}
        known = {name: value for name, value in asked.items() if name not in hidden}
        rows = super().alist(config, filter=known, before=before, limit=None if hidden else limit)
        with self._faults(), _damage(config):
            found = [self._unsealed(row) async for row in rows]
        if not asked and (limit is None or len(found) < limit):
            found = _rooted(found)
        passing = [row for row in found if hidden.items() <= dict(row.metadata).items()] if hidden else found
        for row in passing[:limit]:
            yield row

    async def _prune_erased(self, saved: RunnableConfig, new_versions: ChannelVersions) -> bool:
        """Make the checkpoint just saved the oldest one when something forgotten was removed in it."""
        if ERASED_CHANNEL not in new_versions:
            return False
        await self.aprune([saved["configurable"]["thread_id"]])
        return True


def _rooted(rows: Sequence[CheckpointTuple]) -> list[CheckpointTuple]:
    """Return all rows that are kept, without the parents that were pruned."""
    kept = {_place(row.config) for row in rows}
    return [row if _place(row.parent_config) in kept else row._replace(parent_config=None) for row in rows]


def _place(config: RunnableConfig | None) -> tuple[str, ...]:
    where = (config or {}).get("configurable", {})
    return tuple(str(where.get(name, "")) for name in ("thread_id", "checkpoint_ns", "checkpoint_id"))


@contextmanager
def _damage(config: RunnableConfig | None) -> Iterator[None]:
    """Turn what reading a damaged checkpoint raises into an error that says what to do."""
    try:
        yield
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, EOFError, NotImplementedError) as error:
        thread = (config or {}).get("configurable", {}).get("thread_id", "")
        raise DamagedThreadError(
            f"What is kept of the conversation {thread!r} is damaged and can't be read ({type(error).__name__}). "
            "Start a new conversation: memory and other conversations are whole. To have this one back, restore the "
            "data directory from a backup; to be rid of it, delete it with Concierge.clear_thread."
        ) from error


def check_strategy(strategy: str) -> None:
    """Raise InvalidInputError unless `strategy` is a way to prune."""
    if strategy not in ("keep_latest", "delete"):
        raise InvalidInputError(f"strategy is {strategy!r}; it must be 'keep_latest' or 'delete'.")
