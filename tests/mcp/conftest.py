"""A provider over stdio and over HTTP, for tests that do not change it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from nodes.tools.mcp import McpServers
from tests.mcp.running import http_provider, stdio_server, url_server

ALLOWED = (
    "forecast",
    "poisoned",
    "long_winded",
    "reserve",
    "environment",
    "failing",
    "collisions",
    "missing",
    "unresolvable",
)


@pytest.fixture(scope="session", params=["stdio", "http"])
def provider(request: pytest.FixtureRequest) -> Iterator[McpServers]:
    """Return connected servers from a file that names one provider; the event loops of many tests call it."""
    if request.param == "stdio":
        servers = McpServers({"weather": stdio_server(*ALLOWED, env={"GIVEN": "yes"})})
        asyncio.run(servers.ready())
        yield servers
        asyncio.run(servers.close())
        return
    with http_provider(GIVEN="yes") as url:
        servers = McpServers({"weather": url_server(url, *ALLOWED)})
        asyncio.run(servers.ready())
        yield servers
        asyncio.run(servers.close())
