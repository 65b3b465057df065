"""What `langgraph.json` names: graphs without checkpointer and store, which the server brings, and its start."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette

from graph.builder import build_graph
from graph.idle import Idling
from graph.settings import load_settings


@asynccontextmanager
async def _lifespan(_: Starlette) -> AsyncIterator[None]:
    await _idling.catch_up()
    yield


_settings = load_settings()
_idling = Idling(_settings)

graph = build_graph(_settings, after_turn=_idling.after_turn)
idle = _idling.graph()
http = Starlette(lifespan=_lifespan)
