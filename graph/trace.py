"""Traces a run: measures its steps by LangChain's callbacks."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.outputs import LLMResult

Metadata = Mapping[str, Any] | None

_NAMESPACE = "langgraph_checkpoint_ns"
"""Metadata key of a callback: identifies the step of the graph that it belongs to."""


@dataclass(slots=True)
class TraceStep:
    """One step of a run.

    Attributes:
        phase: The name of the node.
        milliseconds: Its duration; 0 if it did not finish, such as when it waits for an approval.
        model_calls: Number of calls of a chat model.
        tool_calls: Number of tool runs.
        tokens_in: Input tokens of its model calls, as the endpoints count them.
        tokens_out: Output tokens of its model calls.
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
    """Collects the `steps` of one run of the graph, in the order in which they started.

    Pass it to a run as `config={"callbacks": [trace]}`. It holds no text of the conversation.
    """

    run_inline = True
    """LangChain calls it directly, without a task or a thread for each callback."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.steps: list[TraceStep] = []
        self._clock = clock
        self._started: dict[UUID, tuple[TraceStep, float]] = {}
        self._by_namespace: dict[str, TraceStep] = {}
        self._by_model_run: dict[UUID, TraceStep] = {}

    def on_chain_start(self, *_: Any, run_id: UUID, metadata: Metadata = None, **__: Any) -> None:
        """Start a step when a node starts."""
        namespace = str((metadata or {}).get(_NAMESPACE, ""))
        if namespace and namespace[0] != "_" and namespace not in self._by_namespace:  # `__start__` is not a node
            step = TraceStep((metadata or {})["langgraph_node"])
            self.steps.append(step)
            self._by_namespace[namespace] = step
            self._started[run_id] = (step, self._clock())

    def on_chain_end(self, *_: Any, run_id: UUID, **__: Any) -> None:
        """Finish the step, also when the node failed."""
        if run_id in self._started:
            step, started = self._started.pop(run_id)
            step.milliseconds = round(1000 * (self._clock() - started))

    on_chain_error = on_chain_end

    def on_chat_model_start(self, *_: Any, run_id: UUID, metadata: Metadata = None, **__: Any) -> None:
        """Count a model call."""
        if step := self._step(metadata):
            step.model_calls += 1
            self._by_model_run[run_id] = step

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **_: Any) -> None:
        """Add the tokens of a model call."""
        step = self._by_model_run.pop(run_id, None)
        for generation in (generation for batch in response.generations for generation in batch):
            usage = getattr(getattr(generation, "message", None), "usage_metadata", None)
            if step and usage:
                step.tokens_in += usage["input_tokens"]
                step.tokens_out += usage["output_tokens"]
                step.cached_tokens += usage.get("input_token_details", {}).get("cache_read", 0)

    def on_tool_start(self, *_: Any, metadata: Metadata = None, **__: Any) -> None:
        """Count a tool run."""
        if step := self._step(metadata):
            step.tool_calls += 1

    def _step(self, metadata: Metadata) -> TraceStep | None:
        return self._by_namespace.get(str((metadata or {}).get(_NAMESPACE, "")))
