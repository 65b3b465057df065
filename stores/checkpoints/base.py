"""What the checkpoint savers share: encryption, pruning to the newest checkpoints, database errors, and runs."""

import json
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
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
from stores.encryption import Cipher

READABLE_METADATA = frozenset({"source", "step", "parents", "run_id"})
"""Metadata that stays unencrypted because database queries need it; it holds nothing personal."""

_SEALED = "sealed"
_PLACE = "thread_id", "checkpoint_ns", "checkpoint_id"
ERASED_CHANNEL = "erased"
"""The state channel that changes when forgotten text is removed from a thread; older checkpoints still contain it."""
_RUN = "__concierge_run"
"""Key of the run in a configuration; the underscores keep it out of metadata."""
_TASKS = "__pregel_tasks"
_TRIGGERS = ("__start__", "branch:to:", "join:", _TASKS)
"""Prefixes of the channels that start tasks of the next step."""


def seal_metadata(cipher: Cipher, metadata: Mapping[str, Any], *place: str) -> dict[str, Any]:
    """Encrypt the metadata of the checkpoint at `place`, except for the fields of `READABLE_METADATA`."""
    private = {name: value for name, value in metadata.items() if name not in READABLE_METADATA}
    readable = {name: value for name, value in metadata.items() if name in READABLE_METADATA}
    return {**readable, _SEALED: cipher.seal_text(json.dumps(private), "metadata", *place)}


def unseal_metadata(cipher: Cipher, metadata: Mapping[str, Any], *place: str) -> dict[str, Any]:
    """Decrypt metadata of `seal_metadata`. Raises ValueError as `Cipher.unseal` does."""
    private = json.loads(cipher.unseal_text(metadata[_SEALED], "metadata", *place)) if _SEALED in metadata else {}
    return {**{name: value for name, value in metadata.items() if name != _SEALED}, **private}


class SealingSaver(BaseCheckpointSaver[str]):
    """A saver that encrypts its rows, each bound to its place, if it has a cipher."""

    cipher: Cipher | None = None

    def _seal(self, value: bytes, *place: str) -> bytes:
        return self.cipher.seal(value, *place) if self.cipher else value

    def _unseal(self, value: bytes, *place: str) -> bytes:
        return self.cipher.unseal(value, *place) if self.cipher else value

    def _sealed_metadata(
        self, config: RunnableConfig, metadata: CheckpointMetadata, checkpoint_id: str
    ) -> tuple[RunnableConfig, CheckpointMetadata]:
        """Return the config reduced to its keys, and all metadata of both, encrypted."""
        if self.cipher is None:
            return config, metadata
        fields = config["configurable"]
        place = *_place(config)[:2], checkpoint_id
        sealed = seal_metadata(self.cipher, dict(get_checkpoint_metadata(config, metadata)), *place)
        reduced: dict[str, Any] = {name: fields[name] for name in _PLACE if name in fields}
        return {"configurable": reduced}, cast(CheckpointMetadata, sealed)

    def _boxed(self, checkpoint: Checkpoint) -> Checkpoint:
        """Return `checkpoint` with all values that must be encrypted in a form that the saver stores as blobs."""
        return checkpoint

    def _unsealed(self, row: CheckpointTuple) -> CheckpointTuple:
        if self.cipher is None or _SEALED not in row.metadata:
            return row
        metadata = unseal_metadata(self.cipher, dict(row.metadata), *_place(row.config))
        return row._replace(metadata=cast(CheckpointMetadata, metadata))


@dataclass(slots=True)
class Run:
    """One run of a graph.

    Attributes:
        read: The checkpoint that the run begins from, in a list that is empty once the saver has returned it.
        single: Id of the latest checkpoint if the step after it has only one task, else empty.
    """

    read: list[CheckpointTuple]
    single: str = ""

    def advance(self, checkpoint: Checkpoint) -> None:
        """Record the run's new checkpoint."""
        triggers = [name for name in checkpoint["channel_values"] if name.startswith(_TRIGGERS)]
        self.single = checkpoint["id"] if len(triggers) == 1 and triggers != [_TASKS] else ""

    def is_redundant(self, checkpoint_id: str, writes: Sequence[tuple[str, Any]]) -> bool:
        """Return whether a task's writes need not be saved, since its step has no other task to wait for.

        The next checkpoint contains such writes. It never contains the interrupts and errors that LangGraph writes to
        its own channels, whose names begin with underscores.
        """
        return checkpoint_id == self.single and not any(channel.startswith("__") for channel, _ in writes)


def handed(config: RunnableConfig | None, read: Sequence[CheckpointTuple | None]) -> RunnableConfig:
    """Return `config` with the already `read` checkpoint that the run begins from.

    Our savers return that one instead of reading it again, so the run begins from the checkpoint that was checked.
    """
    base = config or {}
    run = Run([row for row in read if row])
    return {**base, "configurable": {**base.get("configurable", {}), _RUN: run}}


def run_of(config: RunnableConfig) -> Run | None:
    """Return the run that `handed` put into `config`, or None."""
    return cast(Run | None, config["configurable"].get(_RUN))


def check_keep(keep: int) -> None:
    """Raise InvalidInputError if `keep`, the checkpoints to keep of a thread, is below 2."""
    if keep < 2:
        raise InvalidInputError(f"keep is {keep}; at least 2 checkpoints of a thread must be kept.")


class PrunedSaver(SealingSaver):
    """A mixin that prunes the checkpoints of the saver after it in the MRO, and translates its database errors.

    The latest checkpoint and its pending writes, which a resume needs, are always kept. Pruning cuts the history
    that a `DeltaChannel` is rebuilt from, so graphs with such a channel need another saver. Values whose types are
    not registered with the serializer come back as plain data.

    Raises:
        StorageError: from every method, when the database fails; the message says what to do.
    """

    _faults: Callable[[], AbstractContextManager[None]]
    """Turns the database errors of a block into `StorageError`."""

    @override
    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        run = run_of(config)
        if run and run.read:
            return run.read.pop()
        with _damage_reported(config), self._faults():
            row = await super().aget_tuple(config)
            if row is None:
                return None
            _order_after(row.checkpoint["id"])
            return self._unsealed(row)

    @override
    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield checkpoints, newest first; all are read before the first is yielded, so that no lock is held.

        In a complete listing, the oldest checkpoints have no parent: clients draw a thread from its root.
        """
        criteria = filter or {}
        private = {name: value for name, value in criteria.items() if self.cipher and name not in READABLE_METADATA}
        readable = {name: value for name, value in criteria.items() if name not in private}
        query = super().alist(config, filter=readable, before=before, limit=None if private else limit)
        with _damage_reported(config), self._faults():
            rows = [self._unsealed(row) async for row in query]
        if not criteria and (limit is None or len(rows) < limit):
            places = {_place(row.config) for row in rows}
            rows = [row if _place(row.parent_config) in places else row._replace(parent_config=None) for row in rows]
        passing = [row for row in rows if private.items() <= dict(row.metadata).items()] if private else rows
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

        If it changes `erased`, delete all that are older: they still contain the forgotten text.
        """
        if run := run_of(config):
            run.advance(checkpoint)
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
        """Save a task's writes, for a resume after another task of its step fails; skip this for a single task."""
        run = run_of(config)
        if run and run.is_redundant(config["configurable"]["checkpoint_id"], writes):
            return
        with self._faults():
            await super().aput_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete all checkpoints and writes of a thread."""
        await self.aprune([thread_id], strategy="delete")

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Delete all but each thread's latest checkpoint per namespace (`keep_latest`), or everything (`delete`).

        Raises:
            InvalidInputError: for another strategy.
        """
        if strategy not in ("keep_latest", "delete"):
            raise InvalidInputError(f"strategy is {strategy!r}; it must be 'keep_latest' or 'delete'.")
        with self._faults():
            await self._delete_threads([str(each) for each in thread_ids], keeps_latest=strategy == "keep_latest")

    async def adelete_for_runs(self, run_ids: Iterable[str]) -> None:
        """Delete the checkpoints of these runs, with their writes."""
        with self._faults():
            await self._delete_runs([str(each) for each in run_ids])

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy a thread's checkpoints and writes to another thread id, oldest first."""
        rows = [row async for row in self.alist({"configurable": {"thread_id": str(source_thread_id)}})]
        copied: dict[str, ChannelVersions] = {}
        for row in reversed(rows):
            namespace, versions = row.config["configurable"]["checkpoint_ns"], row.checkpoint["channel_versions"]
            where: RunnableConfig = {"configurable": {"thread_id": str(target_thread_id), "checkpoint_ns": namespace}}
            if row.parent_config:
                where["configurable"]["checkpoint_id"] = row.parent_config["configurable"]["checkpoint_id"]
            before = copied.get(namespace, {})
            new = {name: version for name, version in versions.items() if before.get(name) != version}
            saved = await self.aput(where, row.checkpoint, row.metadata, new)
            copied[namespace] = versions
            for task, writes in groupby(row.pending_writes or (), key=itemgetter(0)):
                await self.aput_writes(saved, [(channel, value) for _, channel, value in writes], task)

    @abstractmethod
    async def _delete_threads(self, thread_ids: Sequence[str], *, keeps_latest: bool) -> None:
        """Delete threads, or all but their latest checkpoint per namespace."""

    @abstractmethod
    async def _delete_runs(self, run_ids: Sequence[str]) -> None:
        """Delete the checkpoints of runs, with their writes."""

    async def _prune(self, saved: RunnableConfig) -> None:
        """Delete the checkpoints that are now beyond the newest `keep`, unless a trigger in the database does it."""

    async def scrub(self) -> None:
        """Erase the bytes of deleted rows, if the database has a command for that."""


def _order_after(checkpoint_id: str) -> None:
    """Make the ids that this process generates sort after `checkpoint_id`, whatever its clock says.

    Ids contain a timestamp, and the checkpoint with the highest id is the latest. Without this, a checkpoint that is
    written after the clock was set back, or by a server whose clock is slow, would count as older than its parent.
    """
    parsed = ids.UUID(checkpoint_id)
    if parsed.version == 6:
        ids._last_v6_timestamp = max(ids._last_v6_timestamp or 0, parsed.time)  # type: ignore[assignment]


def _place(config: RunnableConfig | None) -> tuple[str, ...]:
    where = (config or {}).get("configurable", {})
    return tuple(str(where.get(name, "")) for name in _PLACE)


@contextmanager
def _damage_reported(config: RunnableConfig | None) -> Iterator[None]:
    """Turn the exceptions that a damaged checkpoint causes into an error that says what to do."""
    try:
        yield
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, EOFError, NotImplementedError) as error:
        thread = (config or {}).get("configurable", {}).get("thread_id", "")
        raise DamagedThreadError(
            f"What is kept of the conversation {thread!r} is damaged and can't be read ({type(error).__name__}). "
            "Start a new conversation: memory and other conversations are whole. To have this one back, restore the "
            "data directory from a backup; to be rid of it, delete it with Concierge.clear_thread."
        ) from error
