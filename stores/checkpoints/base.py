"""Checkpoint savers that keep the newest few checkpoints and report faults of their database in words."""

import json
from abc import abstractmethod
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import groupby
from operator import itemgetter
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.base import id as ids
from typing_extensions import override

from config.errors import DamagedThreadError, InvalidInputError
from stores.checkpoints.runs import run_of
from stores.encryption import Cipher

READABLE_METADATA = frozenset({"source", "step", "parents", "run_id"})
"""Metadata that queries of the database need; it says nothing of anybody."""

_SEALED = "sealed"
_PLACE = "thread_id", "checkpoint_ns", "checkpoint_id"
ERASED_CHANNEL = "erased"
"""The channel of a thread's state that changes when something forgotten was removed; older ones still hold it."""


def seal_metadata(cipher: Cipher, told: Mapping[str, Any], *place: str) -> dict[str, Any]:
    """Return metadata of the checkpoint at this place with all that may tell of a person encrypted."""
    hidden = {name: value for name, value in told.items() if name not in READABLE_METADATA}
    known = {name: value for name, value in told.items() if name in READABLE_METADATA}
    return {**known, _SEALED: cipher.seal_text(json.dumps(hidden), "metadata", *place)}


def unseal_metadata(cipher: Cipher, told: Mapping[str, Any], *place: str) -> dict[str, Any]:
    """Return the metadata that `seal_metadata` was given. Raises ValueError as `Cipher.unseal` does."""
    hidden = json.loads(cipher.unseal_text(told[_SEALED], "metadata", *place)) if _SEALED in told else {}
    return {**{name: value for name, value in told.items() if name != _SEALED}, **hidden}


class SealingSaver(BaseCheckpointSaver[str]):
    """A saver whose rows are bound to their place, and encrypted where it has a cipher."""

    cipher: Cipher | None = None

    def _seal(self, value: bytes, *place: str) -> bytes:
        return self.cipher.seal(value, *place) if self.cipher else value

    def _unseal(self, value: bytes, *place: str) -> bytes:
        return self.cipher.unseal(value, *place) if self.cipher else value

    def _sealed_metadata(
        self, config: RunnableConfig, metadata: CheckpointMetadata, checkpoint_id: str
    ) -> tuple[RunnableConfig, CheckpointMetadata]:
        """Return what a saver is to be given in their place, so that it writes nothing readable of a person."""
        if self.cipher is None:
            return config, metadata
        named = config["configurable"]
        told: dict[str, Any] = dict(get_checkpoint_metadata(config, metadata))
        told = seal_metadata(self.cipher, told, str(named["thread_id"]), named["checkpoint_ns"], checkpoint_id)
        kept: dict[str, Any] = {name: named[name] for name in _PLACE if name in named}
        return {"configurable": kept}, cast(CheckpointMetadata, told)

    def _boxed(self, checkpoint: Checkpoint) -> Checkpoint:
        """Return a checkpoint of which the saver makes rows that it can encrypt."""
        return checkpoint

    def _unsealed(self, found: CheckpointTuple) -> CheckpointTuple:
        if self.cipher is None or _SEALED not in found.metadata:
            return found
        named = found.config["configurable"]
        place = str(named["thread_id"]), named.get("checkpoint_ns", ""), named["checkpoint_id"]
        told = unseal_metadata(self.cipher, dict(found.metadata), *place)
        return found._replace(metadata=cast(CheckpointMetadata, told))


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
        run = run_of(config)
        if run and run.read:
            return run.read.pop()
        with _damage(config), self._faults():
            found = await super().aget_tuple(config)
            if found:
                _order_after(found.checkpoint["id"])
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
        with _damage(config), self._faults():
            found = [self._unsealed(row) async for row in rows]
        if not asked and (limit is None or len(found) < limit):
            found = _rooted(found)
        passing = [row for row in found if hidden.items() <= dict(row.metadata).items()] if hidden else found
        for row in passing[:limit]:
            yield row

    @override
    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint and delete those beyond the newest `keep`.

        One in which `erased` moves is the oldest that is kept: those before it hold what was forgotten.
        """
        if run := run_of(config):
            run.goes_on(checkpoint)
        with self._faults():
            where, metadata = self._sealed_metadata(config, metadata, checkpoint["id"])
            saved = await super().aput(where, self._boxed(checkpoint), metadata, new_versions)
            await self._prune(saved)
        if ERASED_CHANNEL in new_versions:
            await self.aprune([saved["configurable"]["thread_id"]])
            await self.scrub()
        return saved

    @override
    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save what a task wrote, for the case that another of its step fails, where there may be another."""
        run = run_of(config)
        if run and run.is_passing(config["configurable"]["checkpoint_id"], writes):
            return
        with self._faults():
            await super().aput_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete all that is held of a thread."""
        await self.aprune([thread_id], strategy="delete")

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Leave of each thread its latest checkpoint per namespace (`keep_latest`), or nothing (`delete`).

        Raises:
            InvalidInputError: for another strategy.
        """
        if strategy not in ("keep_latest", "delete"):
            raise InvalidInputError(f"strategy is {strategy!r}; it must be 'keep_latest' or 'delete'.")
        with self._faults():
            await self._delete_threads([str(one) for one in thread_ids], keeps_latest=strategy == "keep_latest")

    async def adelete_for_runs(self, run_ids: Iterable[str]) -> None:
        """Delete the checkpoints that these runs made, with their writes."""
        with self._faults():
            await self._delete_runs([str(one) for one in run_ids])

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy a thread's checkpoints and writes to another thread id, the oldest first."""
        rows = [row async for row in self.alist({"configurable": {"thread_id": str(source_thread_id)}})]
        known: dict[str, ChannelVersions] = {}
        for row in reversed(rows):
            namespace, versions = row.config["configurable"]["checkpoint_ns"], row.checkpoint["channel_versions"]
            where: RunnableConfig = {"configurable": {"thread_id": str(target_thread_id), "checkpoint_ns": namespace}}
            if row.parent_config:
                where["configurable"]["checkpoint_id"] = row.parent_config["configurable"]["checkpoint_id"]
            before = known.get(namespace, {})
            fresh = {name: version for name, version in versions.items() if before.get(name) != version}
            saved = await self.aput(where, row.checkpoint, row.metadata, fresh)
            known[namespace] = versions
            for task, writes in groupby(row.pending_writes or (), key=itemgetter(0)):
                await self.aput_writes(saved, [(channel, value) for _, channel, value in writes], task)

    @abstractmethod
    async def _delete_threads(self, thread_ids: Sequence[str], *, keeps_latest: bool) -> None:
        """Delete threads, or all but their latest checkpoint per namespace."""

    @abstractmethod
    async def _delete_runs(self, run_ids: Sequence[str]) -> None:
        """Delete the checkpoints of runs, with their writes."""

    async def _prune(self, saved: RunnableConfig) -> None:
        """Delete what the checkpoint just saved makes superfluous, where the database does not do so itself."""

    async def scrub(self) -> None:
        """Remove deleted bytes, as far as the database leaves that to its users."""


def _order_after(checkpoint_id: str) -> None:
    """Let the ids that this process makes sort after `checkpoint_id`, whatever its clock says.

    Ids hold the time at which they were made, and the highest is the latest. Without this, what is written after the
    clock was set back, or by a server whose clock is behind another's, would count as older than what it goes on from.
    """
    made = ids.UUID(checkpoint_id)
    if made.version == 6:
        ids._last_v6_timestamp = max(ids._last_v6_timestamp or 0, made.time)  # type: ignore[assignment]


def _rooted(rows: Sequence[CheckpointTuple]) -> list[CheckpointTuple]:
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
