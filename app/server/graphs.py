"""The graph and the web application of a LangGraph server (`langgraph.json`); the server provides the stores."""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import AIMessage, ToolCall
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.errors import InvalidUpdateError

from app.api.concierge import Concierge
from app.api.opening import open_concierge
from app.api.reply import build_reply
from app.logs import log_run
from app.server.app import create_app
from config.settings import load_settings
from graph.builder import build_graph, open_plugged
from graph.entry import STATELESS, GuardedGraph, one_run
from graph.state import State
from graph.trace import Trace
from memory.records.conversations import drop_conversation
from nodes.messages.turns import latest_turn
from stores.lifespan import served


@asynccontextmanager
async def _concierge() -> AsyncIterator[Concierge]:
    """Open the page's concierge with the store and the checkpointer of the server."""
    store, checkpointer = served()
    async with open_concierge(_settings, store=store, checkpointer=checkpointer) as concierge:
        try:
            yield concierge
        finally:
            await _plugged.close()


_INPUT = {
    "type": "object",
    "properties": {
        "messages": {
            "title": "Message",
            "description": "What you say: a text, or a list of messages.",
            "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "object"}}],
        },
        "end_session": {"type": "boolean", "default": False, "description": "End the session after the answer."},
    },
}
# The server drops context fields that are not in the schema.
_CONTEXT = {
    "type": "object",
    "properties": {
        "user_id": {"type": "string", "default": "", "description": "Leave empty: you are whoever signed in."},
        "memory_mode": {"enum": ["on", "paused", "off"], "default": "on", "description": "What memory may do."},
        "language": {"enum": ["en", "ja", None], "default": None, "description": "Language of the answers."},
        "workspace": {"type": "string", "default": "", "description": "A memory that you share with others."},
    },
}


class _FinalState(AsyncCallbackHandler):
    """Keeps the final state of a run; None if the run failed."""

    run_inline = True

    def __init__(self) -> None:
        self.state: State | None = None

    async def on_chain_end(self, outputs: Any, *, parent_run_id: UUID | None = None, **_: Any) -> None:
        """Keep the outputs of the root run."""
        if parent_run_id is None:
            self.state = outputs

    def unanswered(self) -> list[ToolCall]:
        """Return the tool calls that wait for approval: those of a last message that nothing follows."""
        last = self.state["messages"][-1:] if self.state else []
        return [call for message in last if isinstance(message, AIMessage) for call in message.tool_calls]


class ServedGraph(GuardedGraph):
    """The graph of a server: its schemas describe what a user fills in, and clients can't write its state.

    Notes and plans in the state have passed the policy, and the user comes from the sign-in.
    """

    def get_input_jsonschema(self, config: RunnableConfig | None = None) -> dict[str, Any]:  # noqa: ARG002
        """Return the schema of a run's input."""
        return _INPUT

    def get_context_jsonschema(self) -> dict[str, Any]:
        """Return the schema of a run's context."""
        return _CONTEXT

    async def astream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Run the graph once other runs on the thread, including those of the page, have ended; log the run."""
        assert self.store is not None
        trace, final = Trace(), _FinalState()
        merged = merge_configs(self.config, config, {"callbacks": [trace, final]})
        thread_id = str(merged["configurable"]["thread_id"])
        async with one_run(self.store, thread_id), aclosing(self.astream_unlocked(input, merged, **kwargs)) as parts:
            async for part in parts:
                yield part
            user_id = self._speaker(merged, kwargs.get("context"))
            if user_id and merged.get("metadata", {}).get(STATELESS):
                await drop_conversation(self.store, user_id, thread_id)
        if final.state is not None:
            turn, waiting = latest_turn(final.state["messages"])[1:], final.unanswered()
            reply = build_reply(final.state, str(merged.get("run_id")), turn=turn, interrupts=waiting, run_input=input)
            log_run(replace(reply, trace=tuple(trace.steps)), thread_id)

    async def abulk_update_state(self, config: RunnableConfig, supersteps: Any) -> RunnableConfig:  # noqa: ARG002
        """Refuse the update."""
        raise InvalidUpdateError("The state of a thread can't be written. Talk to the concierge in a run.")


_settings = load_settings()
_plugged = open_plugged(_settings)

_graph = build_graph(_settings, plugged=_plugged)

graph = ServedGraph.of(_graph, _graph.services)
http = create_app(_settings, _concierge)
