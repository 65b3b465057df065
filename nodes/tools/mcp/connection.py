"""Connects to one server: on first use, and again, after a delay, when the connection has failed.

A `Connection` must only be used on the event loop that it was opened in; see `LoopThread`.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import threading
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from langchain_core.tools import ToolException

from nodes.tools.mcp.config import McpServer
from nodes.tools.mcp.untrusted import neutral_description, neutral_error, neutral_schema, render_result

if TYPE_CHECKING:
    from fastmcp.client import Client
    from mcp.types import CallToolResult, Tool


T = TypeVar("T")
_log = logging.getLogger(__name__)
_UNKNOWN = " It is not known whether it was carried out: tell the user so, and don't repeat it."
_UNAPPROVED = (
    "This tool acts, and this call was not approved, or was cut off after it was. Nothing was sent now. "
    "Find out how things stand before you call it again."
)
_RETRY_AFTER = 30.0
"""Seconds before an unreachable server is tried again; doubled with each failure."""
_MOST_DOUBLINGS = 5


class LoopThread:
    """Runs coroutines on the event loop of one thread, which starts with the first `run` and ends with `stop`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: tuple[asyncio.AbstractEventLoop, threading.Thread, asyncio.Event] | None = None

    async def run(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Await `make()` on the thread's loop; cancelling the caller cancels it."""
        loop = self._running[0] if self._running else await asyncio.to_thread(self._start)
        # In an empty context: a connection must not keep a reference to the first caller's run and user.
        running = contextvars.Context().run(asyncio.run_coroutine_threadsafe, make(), loop)
        return await asyncio.wrap_future(running)

    async def stop(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Await `last()` on the loop and end the thread, if it is running; a later `run` starts a new one."""
        if self._running:
            await self.run(last)
        with self._lock:
            running, self._running = self._running, None
        if running:
            loop, thread, stopped = running
            loop.call_soon_threadsafe(stopped.set)
            await asyncio.to_thread(thread.join)

    def _start(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._running is None:
                loop, stopped = asyncio.new_event_loop(), asyncio.Event()
                # A daemon thread, so that a program that does not call `stop` can exit.
                thread = threading.Thread(target=_serve, args=(loop, stopped), name="mcp", daemon=True)
                thread.start()
                self._running = loop, thread, stopped
            return self._running[0]


def _serve(loop: asyncio.AbstractEventLoop, stopped: asyncio.Event) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(stopped.wait())


@dataclass(frozen=True, slots=True)
class Offer:
    """The server's current description of an allowed tool; `only_reads` is its read-only hint."""

    description: str
    schema: dict[str, Any]
    only_reads: bool


class Connection:
    """The connection to one server. `offers` has its allowed tools by name; it is empty while not connected."""

    def __init__(self, name: str, server: McpServer, *, monotonic: Callable[[], float]) -> None:
        self.name = name
        self.offers: Mapping[str, Offer] = {}
        self._server = server
        self._monotonic = monotonic
        self._lock = asyncio.Lock()
        self._open: AsyncExitStack | None = None
        self._client: Client[Any] | None = None
        self._last_attempt = 0.0
        self._failures = 0

    @property
    def is_due(self) -> bool:
        """Return whether `connect` would try to connect: it is closed, and no attempt has failed recently."""
        if self._client is not None:
            return False
        wait = _RETRY_AFTER * 2 ** min(self._failures - 1, _MOST_DOUBLINGS)
        return not self._failures or self._monotonic() - self._last_attempt >= wait

    async def connect(self) -> None:
        """Connect if it is due. A failure is logged, but only once until a connection succeeds."""
        async with self._lock:
            if not self.is_due:
                return
            try:
                async with asyncio.timeout(self._server.start_timeout):
                    await self._open_client()
            except Exception as error:  # a server may fail in any way
                await self._disconnect()
                self._log_failure(error)
                return
            if self._failures:
                self._failures = 0
                _log.info("MCP server %s answers again", self.name)

    async def call(self, tool: str, arguments: Mapping[str, Any], *, approved: bool) -> str:
        """Call a tool of the server.

        An approved call is sent at most once. Without approval the tool must be read-only, and the call is repeated if
        the connection broke.

        Raises:
            ToolException: the call failed, or it is unknown whether it was carried out; the message says what to do.
        """
        for is_last in (approved, True):
            await self.connect()
            client = self._client
            if client is None:
                raise ToolException(f"The provider {self.name} can't be reached just now. Go on without it.")
            offer = self.offers.get(tool)
            if offer is None:
                raise ToolException(f"The provider {self.name} has no tool {tool} any more. Go on without it.")
            if not approved and not offer.only_reads:
                raise ToolException(_UNAPPROVED)
            result = await self._send(client, tool, arguments, approved=approved, is_last=is_last)
            if result is not None:
                return self._read(result)
        raise AssertionError("the last attempt answers or raises")

    async def close(self) -> None:
        """Close the connection, and end the program that was started for it."""
        async with self._lock:
            await self._disconnect()
            self._failures = 0

    async def _send(
        self, client: Client[Any], tool: str, arguments: Mapping[str, Any], *, approved: bool, is_last: bool
    ) -> CallToolResult | None:
        """Return the server's result; None if the connection broke and the call may be repeated."""
        unknown = _UNKNOWN if approved else ""
        try:
            async with asyncio.timeout(self._server.timeout):
                return await client.call_tool_mcp(tool, dict(arguments))
        except TimeoutError:
            raise ToolException(
                f"The provider {self.name} did not answer within {self._server.timeout:g} seconds.{unknown}"
            ) from None
        except Exception as error:  # a server or the connection may fail in any way
            if await self._is_alive(client):
                raise ToolException(self._refusal(error, unknown)) from None
            async with self._lock:
                if self._client is client:
                    await self._disconnect()
            if is_last:
                self._log_failure(error)
                raise ToolException(f"The connection to the provider {self.name} broke.{unknown}") from None
            return None

    async def _is_alive(self, client: Client[Any]) -> bool:
        """Return whether the server still answers a ping, so that only the one call has failed."""
        from mcp.shared.exceptions import MCPError
        from mcp.types import METHOD_NOT_FOUND

        try:
            async with asyncio.timeout(self._server.timeout):
                return await client.ping()
        except Exception as error:  # as above
            return isinstance(error, MCPError) and error.error.code == METHOD_NOT_FOUND

    def _refusal(self, error: Exception, unknown: str) -> str:
        from mcp.shared.exceptions import MCPError
        from mcp.types import CONNECTION_CLOSED, REQUEST_TIMEOUT

        if not isinstance(error, MCPError):
            _log.warning("MCP server %s gave an answer that can't be read: %s", self.name, neutral_error(str(error)))
            return f"The provider {self.name} gave an answer that can't be read.{unknown}"
        # With these codes, either the server refused, or the client lost the request on its way.
        is_refused = error.error.code not in (CONNECTION_CLOSED, REQUEST_TIMEOUT)
        return f"The provider {self.name} refused: {neutral_error(error.error.message)}{'' if is_refused else unknown}"

    def _read(self, result: CallToolResult) -> str:
        if result.is_error:
            texts = [getattr(block, "text", "") for block in result.content]
            message = neutral_error(" ".join(text for text in texts if text))
            raise ToolException(f"The provider {self.name} answers: {message or 'it did not work'}")
        return render_result(self.name, result.content, result.structured_content)

    async def _open_client(self) -> None:
        from nodes.tools.mcp.client import Session, new_client

        client = new_client(self.name, self._server)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(client)
            tools = {tool.name: tool for tool in await client.list_tools()}
            assert isinstance(client.session, Session)
            self.offers = self._allowed(tools, client.session.malformed)
            self._client, self._open = client, stack.pop_all()

    def _allowed(self, tools: Mapping[str, Tool], malformed: Mapping[str, str]) -> dict[str, Offer]:
        offers = {}
        for name in self._server.allow:
            tool = tools.get(name)
            schema = neutral_schema(tool.input_schema) if tool else None
            if tool is None or schema is None:
                why = "has arguments no model could be given" if tool else "is not there"
                why = f"is malformed ({neutral_error(malformed[name])})" if name in malformed else why
                _log.warning("MCP server %s: the allowed tool %s %s", self.name, name, why)
                continue
            description = neutral_description(self.name, tool.description or "")
            offers[name] = Offer(description, schema, bool(tool.annotations and tool.annotations.read_only_hint))
        return offers

    async def _disconnect(self) -> None:
        stack, self._open, self._client, self.offers = self._open, None, None, {}
        if stack is None:
            return
        try:
            await stack.aclose()
        except Exception as error:  # a broken connection may fail to close; it is no longer used anyway
            _log.debug("MCP server %s did not close cleanly: %s", self.name, error)

    def _log_failure(self, error: BaseException) -> None:
        self._last_attempt = self._monotonic()
        self._failures += 1
        if self._failures == 1:
            why = neutral_error(str(error)) or type(error).__name__
            _log.warning("MCP server %s can't be used, so its tools are not offered: %s", self.name, why)
