"""Stores that run a callback before the write of a given number."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, nullcontext
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.store.base import BaseStore, Op, PutOp, Result

from app.api.concierge import Concierge
from config.settings import Settings
from graph.builder import build_graph
from stores.lifespan import open_checkpoints, open_store
from tests.conftest import Clock
from tests.faults.story import models as story_models
from travel.provider import TravelProvider
from travel.sample.world import SampleWorld

Strike = Callable[[], None]


def _nothing() -> None:
    pass


class Blow:
    """Counts the writes of long-term memory and of thread states, and calls `act` before number `at`.

    With `lasting`, calls it before every later write too, until `at` is 0. `count` continues.
    """

    def __init__(self, act: Strike = _nothing, *, at: int = 0, lasting: bool = False) -> None:
        self.act = act
        self.at = at
        self.lasting = lasting
        self.count = 0

    def __call__(self) -> None:
        self.count += 1
        if self.at and (self.count == self.at or (self.lasting and self.count > self.at)):
            self.act()

    def next(self, number: int) -> None:
        """Strike before the write that is `number` from now; 0 for none."""
        self.at = self.count + number if number else 0


class StruckStore(BaseStore):
    """A store that calls `strike` before each batch of writes and each scrub."""

    def __init__(self, inner: Any, strike: Strike) -> None:
        self.inner = inner
        self._strike = strike

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        raise NotImplementedError

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        given = list(ops)
        if any(isinstance(op, PutOp) for op in given):
            self._strike()
        return list(await self.inner.abatch(given))

    def scrub(self) -> None:
        self._strike()
        self.inner.scrub()

    def exclusive_lock(self, name: str, /) -> AbstractAsyncContextManager[None]:
        shared = getattr(self.inner, "exclusive_lock", None)
        return shared(name) if shared else nullcontext()


class StruckSaver(BaseCheckpointSaver[str]):
    """A saver that calls `strike` before each checkpoint and each set of pending writes."""

    def __init__(self, inner: Any, strike: Strike) -> None:
        super().__init__(serde=inner.serde)
        self.inner = inner
        self._strike = strike

    def get_next_version(self, current: str | None, channel: None) -> str:
        return str(self.inner.get_next_version(current, channel))

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        checkpoint: CheckpointTuple | None = await self.inner.aget_tuple(config)
        return checkpoint

    async def alist(self, config: RunnableConfig | None, **given: Any) -> AsyncIterator[CheckpointTuple]:
        async for one in self.inner.alist(config, **given):
            yield one

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        self._strike()
        saved: RunnableConfig = await self.inner.aput(config, checkpoint, metadata, new_versions)
        return saved

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        self._strike()
        await self.inner.aput_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        self._strike()
        await self.inner.adelete_thread(thread_id)


class StruckConcierge(Concierge):
    """A concierge that gives tests access to its store and its travel provider."""

    @property
    def store(self) -> BaseStore:
        return self._store

    @property
    def seller(self) -> TravelProvider:
        return self._services.seller


@asynccontextmanager
async def struck_concierge(
    settings: Settings, strike: Strike = _nothing, *, models: Any = None, clock: Clock | None = None
) -> AsyncIterator[StruckConcierge]:
    """Open the story's concierge on real stores that call `strike` before each write."""
    clock = clock or Clock()
    async with open_store(settings) as inner, open_checkpoints(settings) as saver:
        store, checkpointer = StruckStore(inner, strike), StruckSaver(saver, strike)
        world = SampleWorld(settings.data_dir / "travel", clock=clock)
        graph = build_graph(
            settings,
            models=models or story_models(),
            store=store,
            checkpointer=checkpointer,
            clock=clock,
            travel=world,
        )
        with closing(world):
            yield StruckConcierge(graph)
