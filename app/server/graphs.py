"""What `langgraph.json` names: graphs without checkpointer and store, which the server brings, and its application."""

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
from app.api.reply import build_reply, latest_turn
from app.logs import log_run
from app.server.app import create_app
from config.settings import load_settings
from graph.builder import build_graph, open_plugged
from graph.entry import STATELESS, GuardedGraph, one_run
from graph.state import State
from graph.trace import Trace
from memory.records.conversations import drop_conversation
from stores.lifespan import served


@asynccontextmanager
async def _concierge() -> AsyncIterator[Concierge]:
    """Open the concierge of the page on what the server has open already."""
    store, checkpointer = served()
    async with open_concierge(_settings, store=store, checkpointer=checkpointer) as concierge:
        try:
            yield concierge
        finally:
            if _plugged:
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
# The server drops what a schema of the context does not name.
_CONTEXT = {
    "type": "object",
    "properties": {
        "user_id": {"type": "string", "default": "", "description": "Leave empty: you are whoever signed in."},
        "memory_mode": {"enum": ["on", "paused", "off"], "default": "on", "description": "What memory may do."},
        "language": {"enum": ["en", "ja", None], "default": None, "description": "Language of the answers."},
        "workspace": {"type": "string", "default": "", "description": "A memory that you share with others."},
    },
}


class _Ending(AsyncCallbackHandler):
    """Holds the state in which a run ended; None where it failed."""

    run_inline = True

    def __init__(self) -> None:
        self.state: State | None = None

    async def on_chain_end(self, outputs: Any, *, parent_run_id: UUID | None = None, **_: Any) -> None:
        """Take what the run as a whole ended with."""
        if parent_run_id is None:
            self.state = outputs

    def unanswered(self) -> list[ToolCall]:
        """Return the calls that wait for an approval: a run that ends behind a call was interrupted."""
        last = self.state["messages"][-1:] if self.state else []
        return [call for message in last if isinstance(message, AIMessage) for call in message.tool_calls]


class ServedGraph(GuardedGraph):
    """The graph of a server: its schemas are what a person fills in, and nobody writes its state from outside.

    Notes and plans in the state have passed the policy; the user is whoever signed in.
    """

    def get_input_jsonschema(self, config: RunnableConfig | None = None) -> dict[str, Any]:  # noqa: ARG002
        """Return what a run takes."""
        return _INPUT

    def get_context_jsonschema(self) -> dict[str, Any]:
        """Return what a run may be told besides."""
        return _CONTEXT

    async def astream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Run the graph when no other run is on the thread, those of the page among them, and log what it took."""
        assert self.store is not None
        trace, ending = Trace(), _Ending()
        whole = merge_configs(self.config, config, {"callbacks": [trace, ending]})
        thread_id = str(whole["configurable"]["thread_id"])
        async with one_run(self.store, thread_id), aclosing(super().astream(input, whole, **kwargs)) as parts:
            async for part in parts:
                yield part
            user_id = self._speaker(whole, kwargs.get("context"))
            if user_id and whole.get("metadata", {}).get(STATELESS):
                await drop_conversation(self.store, user_id, thread_id)
        if ending.state is not None:
            turn, waiting = latest_turn(ending.state["messages"]), ending.unanswered()
            reply = build_reply(ending.state, str(whole.get("run_id")), turn=turn, interrupts=waiting, run_input=input)
            log_run(replace(reply, trace=tuple(trace.steps)), thread_id)

    async def abulk_update_state(self, config: RunnableConfig, supersteps: Any) -> RunnableConfig:  # noqa: ARG002
        """Refuse the update."""
        raise InvalidUpdateError("The state of a thread can't be written. Talk to the concierge in a run.")


_settings = load_settings()
_plugged = open_plugged(_settings)

_graph = build_graph(_settings, plugged=_plugged)

graph = ServedGraph.of(_graph, _graph.services)
http = create_app(_settings, _concierge)
