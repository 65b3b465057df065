"""Starts the provider, and calls its tools as the graph does."""

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
    """Return the configuration of the provider as a program that speaks over stdio."""
    return McpServer(
        **{"command": (sys.executable, str(PROVIDER), "stdio"), "allow": allow, "start_timeout": _PATIENCE, **values}
    )


def raw_server(*allow: str) -> McpServer:
    """Return the configuration of the provider that violates the protocol."""
    return stdio_server(*allow, command=(sys.executable, str(RAW)))


def url_server(url: str, *allow: str, **values: Any) -> McpServer:
    """Return the configuration of the provider at `url`."""
    return McpServer(**{"url": url, "allow": allow, "start_timeout": _PATIENCE, **values})


@contextmanager
def http_provider(port: int | None = None, **env: str) -> Iterator[str]:
    """Run the provider over streamable HTTP until the end of the block; yield its URL."""
    port = port or free_port()
    command = [sys.executable, str(PROVIDER), "http", str(port)]
    quiet = subprocess.DEVNULL
    with running(command, env={**os.environ, **env}, stdout=quiet, stderr=quiet) as server:
        wait_for(port, server)
        yield f"http://127.0.0.1:{port}/mcp"


def call(name: str, id_: str = "call_1", /, **args: Any) -> ToolCall:
    return ToolCall(name=name, args=args, id=id_, type="tool_call")


async def run(servers: McpServers, tool_call: ToolCall, thread_id: str = "t") -> str:
    """Return the tool's answer to a call. Raises ToolException."""
    tool = next(tool for tool in servers.tools if tool.name == tool_call["name"])
    message = await tool.ainvoke(tool_call, {"configurable": {"thread_id": thread_id}})
    assert isinstance(message, ToolMessage)
    return str(message.content)


async def read(servers: McpServers, tool_call: ToolCall) -> dict[str, Any]:
    """Return the tool's answer to a call, parsed as JSON."""
    answer: dict[str, Any] = json.loads(await run(servers, tool_call))
    return answer
