"""The graph as callers get it: what they send is masked before the first checkpoint is written."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Send, StateSnapshot

from graph.context import Context
from graph.state import Input, Output, State
from memory.policy.mask import Masking


class MaskedGraph(CompiledStateGraph[State, Context, Input, Output]):
    """A compiled graph that masks its input, updates of its state and answers to its interrupts.

    LangGraph keeps an input as it came before any node runs, so that no node could mask it in time.
    """

    @classmethod
    def of(cls, graph: CompiledStateGraph[State, Context, Input, Output]) -> MaskedGraph:
        """Return `graph` with its door."""
        return cls(**{name: value for name, value in vars(graph).items() if name != "__orig_class__"})

    def stream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Run the graph on the masked `input`."""
        given, is_open = _masked(input)
        if is_open and config and self._is_kept(config):
            given, _ = _masked(given, _last_answer(self.get_state(config)))
        return super().stream(given, config, **kwargs)

    async def astream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Run the graph on the masked `input`."""
        given, is_open = await asyncio.to_thread(_masked, input)
        if is_open and config and self._is_kept(config):
            given, _ = _masked(given, _last_answer(await self.aget_state(config)))
        parts: Any = super().astream(given, config, **kwargs)
        async with aclosing(parts):
            async for part in parts:
                yield part

    def bulk_update_state(self, config: RunnableConfig, supersteps: Any) -> RunnableConfig:
        """Apply the masked updates."""
        return super().bulk_update_state(config, _masked(supersteps)[0])

    async def abulk_update_state(self, config: RunnableConfig, supersteps: Any) -> RunnableConfig:
        """Apply the masked updates."""
        return await super().abulk_update_state(config, _masked(supersteps)[0])

    def _is_kept(self, config: RunnableConfig) -> bool:
        named = "thread_id" in config.get("configurable", {})
        return named and isinstance(self.checkpointer, BaseCheckpointSaver)


def _masked(given: Any, before: str = "") -> tuple[Any, bool]:
    """Return `given` masked, and whether it holds what may be an answer to something said before it."""
    masking = Masking(before)
    if isinstance(given, Command):
        parts = {"update": given.update, "resume": given.resume, "goto": given.goto}
        found = {name: _masked_part(part, masking) for name, part in parts.items()}
        return replace(given, **found), masking.is_open
    return masking.masked(given), masking.is_open


def _masked_part(part: Any, masking: Masking) -> Any:
    if isinstance(part, Send):
        return Send(part.node, masking.masked(part.arg), timeout=part.timeout)
    if isinstance(part, list | tuple) and any(isinstance(one, Send) for one in part):
        return [_masked_part(one, masking) for one in part]
    return masking.masked(part)


def _last_answer(snapshot: StateSnapshot) -> str:
    """Return what the assistant said last in a conversation."""
    said = (message.text for message in reversed(snapshot.values.get("messages", ())) if isinstance(message, AIMessage))
    return next((str(text) for text in said if text.strip()), "")
