"""Traces a run: what each of its steps took, as LangChain's callbacks tell of it."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.outputs import LLMResult

Metadata = Mapping[str, Any] | None

_PLACE = "langgraph_checkpoint_ns"
"""Under what the metadata of whatever happens in a step names the step."""


@dataclass(slots=True)
class TraceStep:
    """One step of a run.

    Attributes:
        phase: The node that ran.
        milliseconds: How long it took; 0 for one that was not finished, as one that waits for an approval.
        model_calls: Calls of a chat model in it.
        tool_calls: Tools that ran in it.
        tokens_in: Tokens that its models read, as their endpoints count them.
        tokens_out: Tokens that they wrote.
        cached_tokens: Those of `tokens_in` that an endpoint had cached.
    """

    phase: str
    milliseconds: int = 0
    model_calls: int = 0
    tool_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cached_tokens: int = 0


class Trace(BaseCallbackHandler):
    """Collects the `steps` of one run of the graph, in the order in which they began.

    Give it to a run as `config={"callbacks": [trace]}`; it holds nothing that was said.
    """

    run_inline = True
    """Its calls are plain calls: no task or thread is made for each of them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.steps: list[TraceStep] = []
        self._clock = clock
        self._begun: dict[UUID, tuple[TraceStep, float]] = {}
        self._places: dict[str, TraceStep] = {}
        self._models: dict[UUID, TraceStep] = {}

    def on_chain_start(self, *_: Any, run_id: UUID, metadata: Metadata = None, **__: Any) -> None:
        """Begin a step where a node begins."""
        place = str((metadata or {}).get(_PLACE, ""))
        if place and place[0] != "_" and place not in self._places:  # the start is no node
            step = TraceStep((metadata or {})["langgraph_node"])
            self.steps.append(step)
            self._places[place] = step
            self._begun[run_id] = (step, self._clock())

    def on_chain_end(self, *_: Any, run_id: UUID, **__: Any) -> None:
        """End the step, also where it failed."""
        if run_id in self._begun:
            step, began = self._begun.pop(run_id)
            step.milliseconds = round(1000 * (self._clock() - began))

    on_chain_error = on_chain_end

    def on_chat_model_start(self, *_: Any, run_id: UUID, metadata: Metadata = None, **__: Any) -> None:
        """Count a call of a model."""
        if step := self._step(metadata):
            step.model_calls += 1
            self._models[run_id] = step

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **_: Any) -> None:
        """Add the tokens of a call."""
        step = self._models.pop(run_id, None)
        for generation in (one for given in response.generations for one in given):
            usage = getattr(getattr(generation, "message", None), "usage_metadata", None)
            if step and usage:
                step.tokens_in += usage["input_tokens"]
                step.tokens_out += usage["output_tokens"]
                step.cached_tokens += usage.get("input_token_details", {}).get("cache_read", 0)

    def on_tool_start(self, *_: Any, metadata: Metadata = None, **__: Any) -> None:
        """Count a call of a tool."""
        if step := self._step(metadata):
            step.tool_calls += 1

    def _step(self, metadata: Metadata) -> TraceStep | None:
        return self._places.get(str((metadata or {}).get(_PLACE, "")))
