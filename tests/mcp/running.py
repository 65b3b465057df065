"""Starting the provider, and calling its tools as the graph calls them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langchain_core.messages import ToolCall, ToolMessage

from nodes.tools.mcp import McpServer, McpServers
from tests.processes import free_port, running, wait_for

PROVIDER = Path(__file__).with_name("provider.py")
RAW = PROVIDER.with_name("raw_provider.py")
_PATIENCE = 60.0


def stdio_server(*allow: str, **values: Any) -> McpServer:
    """The provider as a program that is started and spoken to over stdio."""
    return McpServer(
        **{"command": (sys.executable, str(PROVIDER), "stdio"), "allow": allow, "start_timeout": _PATIENCE, **values}
    )


def raw_server(*allow: str) -> McpServer:
    """The provider that gets parts of the protocol wrong."""
    return stdio_server(*allow, command=(sys.executable, str(RAW)))


def url_server(url: str, *allow: str, **values: Any) -> McpServer:
    """The provider that runs at `url`."""
    return McpServer(**{"url": url, "allow": allow, "start_timeout": _PATIENCE, **values})


@contextmanager
def http_provider(port: int | None = None, **env: str) -> Iterator[str]:
    """The provider over streamable HTTP until the end of the block; gives its URL."""
    port = port or free_port()
    command = [sys.executable, str(PROVIDER), "http", str(port)]
    quiet = subprocess.DEVNULL
    with running(command, env={**os.environ, **env}, stdout=quiet, stderr=quiet) as server:
        wait_for(port, server)
        yield f"http://127.0.0.1:{port}/mcp"


def call(name: str, id_: str = "call_1", /, **args: Any) -> ToolCall:
    """A model's call."""
    return ToolCall(name=name, args=args, id=id_, type="tool_call")


async def run(servers: McpServers, asked: ToolCall, thread_id: str = "t") -> str:
    """What the tool answers to that call. Raises ToolException."""
    tool = next(tool for tool in servers.tools if tool.name == asked["name"])
    message = await tool.ainvoke(asked, {"configurable": {"thread_id": thread_id}})
    assert isinstance(message, ToolMessage)
    return str(message.content)


async def read(servers: McpServers, asked: ToolCall) -> dict[str, Any]:
    """The same, read as the JSON that it is."""
    found: dict[str, Any] = json.loads(await run(servers, asked))
    return found
