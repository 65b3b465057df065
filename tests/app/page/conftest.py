"""Serves the page's routes over HTTP on a local port, to several users of one concierge."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.types import ASGIApp

from app.api.opening import open_concierge
from app.auth.tokens import Tokens
from app.page.routes.routing import MARK
from app.server.app import create_app
from app.server.serving import listening
from config.settings import load_settings

PATIENCE = 60.0
"""The timeout in seconds for an answer on a loaded machine."""


class Page(httpx.Client):
    """The page of one signed-in user."""

    def events(self, path: str, **body: Any) -> Iterator[dict[str, Any]]:
        """Post to a streaming route, and yield its events as they arrive."""
        with self.stream("POST", path, json=body) as answer:
            assert answer.status_code == 200, answer.read().decode()
            for line in answer.iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))

    def say(self, thread: str, message: str, **more: Any) -> dict[str, Any]:
        *_, reply = self.events(f"/threads/{thread}/messages", message=message, **more)
        assert reply["type"] == "reply", reply
        return reply

    def json(self, path: str, **query: Any) -> Any:
        answer = self.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def change(self, method: str, path: str, **body: Any) -> Any:
        """Return the JSON of a route that changes something."""
        answer = self.request(method, path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()


class Server:
    """A running server of the page."""

    def __init__(self, url: str, tokens: Tokens) -> None:
        self.url = url
        self._tokens = tokens

    def page(self, user: str, **headers: str) -> Page:
        """Return the page of a user."""
        signed_in = httpx.post(f"{self.url}/app/session", json={"token": self._tokens.mint(user)}, timeout=PATIENCE)
        assert signed_in.status_code == 204, signed_in.text
        marked = {MARK: "page", **headers}
        return Page(base_url=f"{self.url}/app/api", cookies=signed_in.cookies, headers=marked, timeout=PATIENCE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run one server for the tests of a module."""
    with serving(tmp_path_factory.mktemp("page")) as server:
        yield server


@contextmanager
def serving(folder: Path, **parts: Any) -> Iterator[Server]:
    """Serve the page until the end of the block, on a new concierge that is opened with `parts`."""
    settings = load_settings(data_dir=folder, model_provider="offline")
    tokens = Tokens(settings)
    with served(create_app(settings, lambda: open_concierge(settings, **parts), tokens=tokens)) as url:
        yield Server(url, tokens)


@contextmanager
def served(app: ASGIApp) -> Iterator[str]:
    """Serve an application on a free port until the end of the block; yield its URL."""
    with listening("127.0.0.1", 0) as opened:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=5))
        thread = Thread(target=server.run, kwargs={"sockets": [opened]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{opened.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
