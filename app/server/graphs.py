"""What `langgraph.json` names: graphs without checkpointer and store, which the server brings, and its application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.errors import InvalidUpdateError

from app.api.concierge import Concierge
from app.api.opening import open_concierge
from app.server.app import create_app
from config.settings import load_settings
from graph.builder import build_graph, open_plugged
from graph.entry import GuardedGraph
from graph.idle import CONCIERGE, OFFERED, Idling, in_process
from stores.lifespan import served


@asynccontextmanager
async def _concierge() -> AsyncIterator[Concierge]:
    """Open the concierge of the page on what the server has open already."""
    store, checkpointer = served()
    async with open_concierge(_settings, store=store, checkpointer=checkpointer) as concierge:
        await _offer()
        await _idling.catch_up()
        try:
            yield concierge
        finally:
            if _plugged:
                await _plugged.close()


async def _offer() -> None:
    """Mark the assistant that users may see: the server names its helpers beside it, and tells them not apart."""
    async with in_process() as client:
        if not await client.assistants.search(metadata=OFFERED):
            for one in await client.assistants.search(graph_id=CONCIERGE):
                await client.assistants.update(one["assistant_id"], metadata=OFFERED)


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
# The server drops what a schema of the context does not name: its own runs name the user here.
_CONTEXT = {
    "type": "object",
    "properties": {
        "user_id": {"type": "string", "default": "", "description": "Leave empty: you are whoever signed in."},
        "memory_mode": {"enum": ["on", "paused", "off"], "default": "on", "description": "What memory may do."},
        "language": {"enum": ["en", "ja", None], "default": None, "description": "Language of the answers."},
        "workspace": {"type": "string", "default": "", "description": "A memory that you share with others."},
    },
}


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

    async def abulk_update_state(self, config: RunnableConfig, supersteps: Any) -> RunnableConfig:  # noqa: ARG002
        """Refuse the update."""
        raise InvalidUpdateError("The state of a thread can't be written. Talk to the concierge in a run.")


_settings = load_settings()
_idling = Idling(_settings)
_plugged = open_plugged(_settings)

graph = ServedGraph.of(build_graph(_settings, plugged=_plugged, after_turn=_idling.after_turn), _settings)
idle = _idling.graph()
http = create_app(_settings, _concierge)
