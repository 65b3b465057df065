"""Creates the client of a server. Importing this module needs the extra `mcp`."""

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
        process: Any = {"env": dict(server.env), "keep_alive": False, "log_file": Path(os.devnull)}
        transport = StdioTransport(program, arguments, **process)
    session_options = TransportOptions(session_class=Session)
    transport.connect_session = partial(transport.connect_session, transport_options=session_options)
    # It would log, with a traceback, each line that a program prints between its messages.
    logging.getLogger("mcp.client.stdio").setLevel(logging.CRITICAL)
    return Client(
        transport, name=name, elicitation_handler=_decline, log_handler=_ignore, init_timeout=server.start_timeout,
        message_handler=_warn_once(name),
    )  # fmt: skip


class Session(ClientSession):
    """Drops malformed tools from a listing, which would be refused as a whole; `malformed` has the reasons by name."""

    def __init__(self, read_stream: Any, write_stream: Any, **options: Any) -> None:
        super().__init__(dispatcher=_Dispatcher(read_stream, write_stream, self), **options)
        self.malformed: dict[str, str] = {}

    def without_malformed(self, listing: dict[str, Any]) -> dict[str, Any]:
        """Return the listing without its malformed tools."""
        faults: dict[int, str] = {}
        try:
            validate_server_result(_LIST, self.protocol_version or "2025-11-25", listing)
        except ValidationError as error:
            for detail in error.errors(include_input=False):
                field, *path = detail["loc"]
                if field == "tools" and path:
                    faults.setdefault(int(path[0]), f"{'.'.join(map(str, path[1:]))}: {detail['msg']}")
        if not faults:
            return listing
        for index, fault in faults.items():
            if isinstance(tool := listing["tools"][index], Mapping):
                self.malformed[str(tool.get("name"))] = fault
        return {**listing, "tools": [tool for index, tool in enumerate(listing["tools"]) if index not in faults]}


class _Dispatcher(JSONRPCDispatcher[Any]):
    def __init__(self, read_stream: Any, write_stream: Any, session: Session) -> None:
        super().__init__(read_stream, write_stream)
        self._session = session

    async def send_raw_request(self, method: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
        result = await super().send_raw_request(method, *args, **kwargs)
        return self._session.without_malformed(result) if method == _LIST else result


def _warn_once(name: str) -> MessageHandlerFnT:
    has_warned = False

    async def handle(message: object) -> None:
        nonlocal has_warned
        if isinstance(message, Exception) and not has_warned:
            has_warned = True
            _log.warning("MCP server %s sends what is no message of the protocol; it is left out", name)

    return handle


async def _decline(*_: object) -> Any:
    """Decline a server's request for input during a call: what it needs belongs in the arguments."""
    return ElicitResult(action="decline")


async def _ignore(_: object) -> None:
    """Ignore log messages of a server."""
