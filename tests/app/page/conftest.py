"""The page's routes, served over HTTP on a port of this machine to several users of one concierge."""

from __future__ import annotations

import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from threading import Thread
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.authentication import SimpleUser
from starlette.routing import Mount
from starlette.types import ASGIApp, Receive, Scope, Send

from app.api.opening import open_concierge
from app.page.routes import ROUTES
from app.page.routes.asked import MARK
from config.settings import load_settings


class Page(httpx.Client):
    """The page of one signed-in user."""

    def events(self, path: str, **body: Any) -> Iterator[dict[str, Any]]:
        """Post to a route that streams, and yield its events as they come."""
        with self.stream("POST", path, json=body) as answer:
            assert answer.status_code == 200, answer.read().decode()
            for line in answer.iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))

    def say(self, thread: str, message: str, **more: Any) -> dict[str, Any]:
        """Say something and return the reply."""
        *_, reply = self.events(f"/threads/{thread}/messages", message=message, **more)
        assert reply["type"] == "reply", reply
        return reply

    def json(self, path: str, **query: Any) -> Any:
        """Return what a route answers."""
        answer = self.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def change(self, method: str, path: str, **body: Any) -> Any:
        """Return what a route that changes something answers."""
        answer = self.request(method, path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()


class Server:
    """Where the page is served."""

    def __init__(self, url: str) -> None:
        self.url = url

    def page(self, user: str, **headers: str) -> Page:
        """Return the page of a user."""
        return Page(base_url=f"{self.url}/app/api", headers={"Cookie": f"user={user}", MARK: "page", **headers})


class _SignIn:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["user"] = SimpleUser(dict(scope["headers"])[b"cookie"].decode().removeprefix("user="))
        await self._app(scope, receive, send)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for a module's tests."""
    settings = load_settings(data_dir=tmp_path_factory.mktemp("page"), model_provider="offline")

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with open_concierge(settings) as app.state.concierge:
            yield

    app = Starlette(routes=[Mount("/app/api", routes=ROUTES)], lifespan=lifespan)
    with served(_SignIn(app)) as url:
        yield Server(url)


@contextmanager
def served(app: ASGIApp) -> Iterator[str]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=5))
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
