"""What `langgraph.json` names: graphs without checkpointer and store, which the server brings, and its start."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware

from config.settings import load_settings
from graph.builder import build_graph, open_plugged
from graph.idle import Idling
from app.server.masking import MaskingMiddleware


@asynccontextmanager
async def _lifespan(_: Starlette) -> AsyncIterator[None]:
    await _idling.catch_up()
    try:
        yield
    finally:
        if _plugged:
            await _plugged.close()


_settings = load_settings()
_idling = Idling(_settings)
_plugged = open_plugged(_settings)

graph = build_graph(_settings, plugged=_plugged, after_turn=_idling.after_turn)
idle = _idling.graph()
http = Starlette(lifespan=_lifespan, middleware=[Middleware(MaskingMiddleware)])
