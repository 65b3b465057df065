"""The web application: page, JSON routes and probes behind one guard. Runs alone or inside a LangGraph server."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from app.api.concierge import Concierge
from app.api.health import check_stores
from app.auth.tokens import Tokens
from app.logs import configure_logs
from app.page.routes import ROUTES, refusal, route_not_found
from app.server.guard import COOKIE, Guard, MaskingMiddleware
from app.server.serving import GracefulShutdown
from config.errors import AccessDeniedError, SetupError
from config.settings import Settings

OpenConcierge = Callable[[], AbstractAsyncContextManager[Concierge]]

_STATIC_FILES = Path(__file__).parents[1] / "page" / "static"
_CORS_HEADERS = ("Authorization", "Content-Type", "Last-Event-ID", "X-Api-Key")

_SWEEP_EVERY = 30.0
"""Seconds between two sweeps of idle sessions, unless `session_idle_minutes` is shorter than a few of them."""

_ERRORS = Middleware(ExceptionMiddleware, handlers={HTTPException: route_not_found})
_log = logging.getLogger(__name__)


def create_app(settings: Settings, opening: OpenConcierge, *, tokens: Tokens | None = None) -> Starlette:
    """Create the application.

    Its routes get the concierge, which `opening` opens in the lifespan, from `request.app.state.concierge`, the tokens
    from `request.app.state.tokens`, and the user id from `request.user.identity`.
    """
    shutdown = GracefulShutdown(settings.stop_timeout)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        configure_logs(settings)
        async with opening() as concierge:
            app.state.concierge = concierge
            sweeping = asyncio.create_task(_sweep(concierge, timedelta(minutes=settings.session_idle_minutes)))
            try:
                with shutdown.deferring_signals():
                    yield
            finally:
                app.state.concierge = None
                sweeping.cancel()
                await asyncio.wait([sweeping])

    configure_logs(settings)
    tokens = tokens or Tokens(settings)
    app = Starlette(routes=_routes(), lifespan=lifespan, middleware=_middleware(settings, tokens, shutdown))
    app.state.concierge, app.state.tokens, app.state.shutdown = None, tokens, shutdown
    app.state.runs = {}
    return app


async def _sweep(concierge: Concierge, idle: timedelta) -> None:
    """End idle sessions periodically until cancelled, also those started by other interfaces."""
    while True:
        try:
            await concierge.sweep(idle=idle)
        except Exception as error:  # keep sweeping: the next round may succeed
            _log.warning("idle sessions could not be ended, and will be later: %s", type(error).__name__)
        await asyncio.sleep(min(_SWEEP_EVERY, idle.total_seconds() / 4))


def _middleware(settings: Settings, tokens: Tokens, shutdown: GracefulShutdown) -> list[Middleware]:
    cors = Middleware(
        CORSMiddleware, allow_origins=settings.allowed_origins, allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
        allow_headers=_CORS_HEADERS, allow_private_network=True, expose_headers=["Content-Location", "Location"],
    )  # fmt: skip
    guard = Middleware(Guard, settings=settings, tokens=tokens, shutdown=shutdown)
    return [*([cors] if settings.allowed_origins else []), guard, Middleware(MaskingMiddleware)]


def _routes() -> Sequence[BaseRoute]:
    return [
        Route("/", lambda _: RedirectResponse("/app")),
        Route("/healthz", lambda _: JSONResponse({"ok": True})),
        Route("/readyz", _is_ready),
        Route("/app", lambda _: FileResponse(_STATIC_FILES / "index.html")),
        Route("/app/session", _sign_in, methods=["POST"]),
        Route("/app/session", _sign_out, methods=["DELETE"]),
        Mount("/app/static", StaticFiles(directory=_STATIC_FILES, check_dir=False)),
        Mount("/app/api", routes=ROUTES, middleware=[_ERRORS]),
    ]


async def _is_ready(request: Request) -> Response:
    """Answer 200 if memory and conversations can be read, else 503 without details, since anybody may ask."""
    concierge: Concierge | None = request.app.state.concierge
    try:
        if concierge is None or request.app.state.shutdown.has_begun:
            raise SetupError("It is starting or stopping.")
        await check_stores(concierge.graph)
    except Exception as error:  # any failure means not ready
        _log.warning("not ready: %s", error)
        return JSONResponse({"ok": False}, status_code=503)
    return JSONResponse({"ok": True})


async def _sign_in(request: Request) -> Response:
    """Store the token of the body in a cookie; the page gets it from the address that `concierge serve` prints."""
    body = await request.json()
    token = str(body.get("token")) if isinstance(body, dict) else ""
    try:
        request.app.state.tokens.user_of(token)
    except AccessDeniedError as denied:
        return refusal(401, str(denied))
    response = Response(status_code=204)
    is_secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, token, path="/app", httponly=True, samesite="strict", secure=is_secure)
    return response


async def _sign_out(_: Request) -> Response:
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, path="/app", httponly=True, samesite="strict")
    return response
