"""Makes the client of one server. Importing this loads the packages of the extra `mcp`."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from fastmcp.client import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from fastmcp.client.transports.base import TransportOptions
from mcp import ClientSession
from mcp.client.session import MessageHandlerFnT
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.types import ElicitResult
from mcp_types.methods import validate_server_result
from pydantic import ValidationError

from nodes.tools.mcp.config import McpServer

_log = logging.getLogger(__name__)
_LIST = "tools/list"


def new_client(name: str, server: McpServer) -> Client[Any]:
    """Return a client of `server`, not yet connected; its session is a `Session`."""
    transport: Any
    if server.command is None:
        transport = StreamableHttpTransport(server.url or "", headers=dict(server.headers))
    else:
        program, *arguments = server.command
        own: Any = {"env": dict(server.env), "keep_alive": False, "log_file": Path(os.devnull)}
        transport = StdioTransport(program, arguments, **own)
    options = TransportOptions(session_class=Session)
    transport.connect_session = partial(transport.connect_session, transport_options=options)
    # It would log each line that a program prints between its messages, with a traceback.
    logging.getLogger("mcp.client.stdio").setLevel(logging.CRITICAL)
    return Client(
        transport, name=name, elicitation_handler=_decline, log_handler=_ignore, init_timeout=server.start_timeout,
        message_handler=_once(name),
    )  # fmt: skip


class Session(ClientSession):
    """Leaves malformed tools out of a listing, all of which would be refused for one; `malformed` says why, by name."""

    def __init__(self, read_stream: Any, write_stream: Any, **given: Any) -> None:
        super().__init__(dispatcher=_Dispatcher(read_stream, write_stream, self), **given)
        self.malformed: dict[str, str] = {}

    def sound(self, listing: dict[str, Any]) -> dict[str, Any]:
        """Return the listing without its malformed tools."""
        faults: dict[int, str] = {}
        try:
            validate_server_result(_LIST, self.protocol_version or "2025-11-25", listing)
        except ValidationError as error:
            for one in error.errors(include_input=False):
                where, *within = one["loc"]
                if where == "tools" and within:
                    faults.setdefault(int(within[0]), f"{'.'.join(map(str, within[1:]))}: {one['msg']}")
        for at, fault in faults.items():
            if isinstance(tool := listing["tools"][at], Mapping):
                self.malformed[str(tool.get("name"))] = fault
        kept = [tool for at, tool in enumerate(listing["tools"]) if at not in faults] if faults else None
        return listing if kept is None else {**listing, "tools": kept}


class _Dispatcher(JSONRPCDispatcher[Any]):
    def __init__(self, read_stream: Any, write_stream: Any, session: Session) -> None:
        super().__init__(read_stream, write_stream)
        self._session = session

    async def send_raw_request(self, method: str, *given: Any, **named: Any) -> dict[str, Any]:
        found = await super().send_raw_request(method, *given, **named)
        return self._session.sound(found) if method == _LIST else found


def _once(name: str) -> MessageHandlerFnT:
    told = False

    async def stray(message: object) -> None:
        nonlocal told
        if isinstance(message, Exception) and not told:
            told = True
            _log.warning("MCP server %s sends what is no message of the protocol; it is left out", name)

    return stray


async def _decline(*_: object) -> Any:
    """Decline a request for input in the middle of a call: what a server needs belongs into the arguments."""
    return ElicitResult(action="decline")


async def _ignore(_: object) -> None:
    """Leave out what a server logs."""
