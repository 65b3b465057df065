"""Manages all configured servers, and the tools that the model may call on them."""

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from hashlib import sha256
from typing import Any

from langchain_core.messages import ToolCall
from langchain_core.runnables.config import ensure_config
from langchain_core.tools import BaseTool, ToolException
from pydantic import Field

from nodes.tools.mcp.config import McpServer
from nodes.tools.mcp.connection import Connection, LoopThread, Offer
from nodes.tools.mcp.untrusted import argument_faults
from text import neutralise

_LONGEST_NAME = 64
_LONGEST_SHOWN = 2_000
_MAX_APPROVABLE = 1_000

Carry = Callable[[str, str, Mapping[str, Any]], Awaitable[str]]
"""Runs a call, given the name of the tool, the id of the call and its arguments; raises ToolException."""


class McpTool(BaseTool):
    """Passes the arguments of a call on unchanged; they may have any names."""

    description: str = ""
    args_schema: Any = Field(default_factory=lambda: {"type": "object", "properties": {}})
    carry: Carry = Field(exclude=True, repr=False)

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        # Passed by position, so that no argument can collide with a parameter of ours.
        return (tool_call_id or "", tool_input), {}

    def _run(self, *_: Any) -> str:
        raise NotImplementedError("Tools of other providers are called with `ainvoke`.")

    async def _arun(self, call_id: str, arguments: Mapping[str, Any]) -> str:
        return await self.carry(self.name, call_id, arguments)


class McpServers:
    """The tools of configured servers. `ready` starts and connects the servers, `close` stops them.

    An unreachable server offers no tools, and later calls of `ready` try it again.
    """

    def __init__(self, servers: Mapping[str, McpServer], *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._connections = {name: Connection(name, server, monotonic=monotonic) for name, server in servers.items()}
        self._allowed = {
            tool_name(name, tool): (self._connections[name], tool)
            for name, server in servers.items()
            for tool in server.allow
        }
        self._approvable: dict[str, bool] = {}
        self._loop = LoopThread()

    @property
    def tools(self) -> list[BaseTool]:
        """Return all allowed tools, including those that are not offered at the moment."""
        return [McpTool(name=name, carry=self._carry) for name in self._allowed]

    @property
    def offered(self) -> list[BaseTool]:
        """Return the tools of connected servers, with the servers' descriptions."""
        return [
            McpTool(name=name, description=offer.description, args_schema=offer.schema, carry=self._carry)
            for name in self._allowed
            if (offer := self._offer(name))
        ]

    def asks_first(self, name: str) -> bool:
        """Return whether calls need approval: this is a tool of these servers, and not marked as read-only."""
        offer = self._offer(name) if name in self._allowed else None
        return name in self._allowed and not (offer and offer.only_reads)

    def fault(self, call: ToolCall) -> str | None:
        """Return why `call` is invalid: its tool is not offered now, or its arguments are wrong; else None."""
        connection, tool = self._allowed[call["name"]]
        offer = self._offer(call["name"])
        if offer is None:
            return f"The provider {connection.name} does not offer {tool} just now."
        return argument_faults(offer.schema, call["args"])

    def described(self, call: ToolCall, thread_id: str) -> str:
        """Return the text of an approval, with the server, tool and arguments; this allows the call to run once.

        After a crash, an approved call is not repeated, since it may have been carried out.
        """
        connection, tool = self._allowed[call["name"]]
        self._approvable[_key(thread_id, call["name"], str(call["id"] or ""), call["args"])] = True
        while len(self._approvable) > _MAX_APPROVABLE:
            self._approvable.pop(next(iter(self._approvable)))
        arguments = "; ".join(f"{neutralise(key)} = {_shown(value)}" for key, value in call["args"].items())
        return (
            f"Have the provider {connection.name} carry out {neutralise(tool)} with {arguments or 'no arguments'}. "
            "What it does is up to that provider; it can't be undone from here."
        )[:_LONGEST_SHOWN]

    async def ready(self) -> None:
        """Connect to the servers that are due, concurrently, each within its own timeout."""
        if any(connection.is_due for connection in self._connections.values()):
            await self._loop.run(partial(self._each, Connection.connect))

    async def close(self) -> None:
        """Close all connections, and end the programs that were started."""
        await self._loop.stop(partial(self._each, Connection.close))

    def _offer(self, name: str) -> Offer | None:
        connection, tool = self._allowed[name]
        return connection.offers.get(tool)

    async def _carry(self, name: str, call_id: str, arguments: Mapping[str, Any]) -> str:
        connection, tool = self._allowed[name]
        if (offer := self._offer(name)) and (faults := argument_faults(offer.schema, arguments)):
            raise ToolException(f"The arguments do not fit: {faults}. Correct them and call the tool again.")
        thread_id = str(ensure_config().get("configurable", {}).get("thread_id", ""))
        approved = self._approvable.pop(_key(thread_id, name, call_id, arguments), False)
        return await self._loop.run(partial(connection.call, tool, arguments, approved=approved))

    async def _each(self, act: Callable[[Connection], Awaitable[None]]) -> None:
        await asyncio.gather(*map(act, self._connections.values()))


def tool_name(server: str, tool: str) -> str:
    """Return the tool's unique name for a model: 1 to 64 characters of `a-zA-Z0-9_-`.

    The two underscores keep it apart from the concierge's own tools; a changed name ends with a digest of the original.
    """
    plain = re.sub(r"[^a-zA-Z0-9_-]", "_", tool)
    name = f"{server}__{plain}"
    if plain == tool and len(name) <= _LONGEST_NAME:
        return name
    digest = sha256(tool.encode()).hexdigest()[:10]
    return f"{name[: _LONGEST_NAME - len(digest) - 1]}-{digest}"


def _key(thread_id: str, name: str, call_id: str, arguments: Mapping[str, Any]) -> str:
    return json.dumps([thread_id, name, call_id, arguments], sort_keys=True, default=str)


def _shown(value: Any) -> str:
    return neutralise(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
