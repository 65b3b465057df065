"""Connects to one server: opens when first needed, gives up when it breaks, and opens again when it is due.

Everything here runs on the loop that the connection was opened in.
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
"""Seconds in which a server that could not be reached is not tried again; doubled each time it can't."""
_MOST_DOUBLINGS = 5


class LoopThread:
    """Runs coroutines for callers on any loop; its thread begins with the first of them and ends with `stop`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: tuple[asyncio.AbstractEventLoop, threading.Thread, asyncio.Event] | None = None

    async def run(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Await `make()` there; cancelling the caller cancels it."""
        loop = self._running[0] if self._running else await asyncio.to_thread(self._start)
        # In an empty context: a connection must not keep the first caller's run and user alive.
        running = contextvars.Context().run(asyncio.run_coroutine_threadsafe, make(), loop)
        return await asyncio.wrap_future(running)

    async def stop(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Await `last()` there and end the thread, if it runs; a later `run` begins a new one."""
        if self._running:
            await self.run(last)
        with self._lock:
            running, self._running = self._running, None
        if running:
            loop, thread, over = running
            loop.call_soon_threadsafe(over.set)
            await asyncio.to_thread(thread.join)

    def _start(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._running is None:
                loop, over = asyncio.new_event_loop(), asyncio.Event()
                # A daemon: a program that forgets to close must still be able to end.
                thread = threading.Thread(target=_serve, args=(loop, over), name="mcp", daemon=True)
                thread.start()
                self._running = loop, thread, over
            return self._running[0]


def _serve(loop: asyncio.AbstractEventLoop, over: asyncio.Event) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(over.wait())


@dataclass(frozen=True, slots=True)
class Offer:
    """An allowed tool as the server describes it now; `only_reads` is its read-only hint."""

    description: str
    schema: dict[str, Any]
    only_reads: bool


class Connection:
    """One server. `offers` are its allowed tools by the server's names; empty while it can't be reached."""

    def __init__(self, name: str, server: McpServer, *, monotonic: Callable[[], float]) -> None:
        self.name = name
        self.offers: Mapping[str, Offer] = {}
        self._server = server
        self._monotonic = monotonic
        self._lock = asyncio.Lock()
        self._open: AsyncExitStack | None = None
        self._client: Client[Any] | None = None
        self._tried = 0.0
        self._failures = 0

    @property
    def is_due(self) -> bool:
        """Return whether it is not open, and was not tried in vain just now."""
        if self._client is not None:
            return False
        wait = _RETRY_AFTER * 2 ** min(self._failures - 1, _MOST_DOUBLINGS)
        return not self._failures or self._monotonic() - self._tried >= wait

    async def connect(self) -> None:
        """Open it unless it is open or not due; a failure is logged, once until it has worked again."""
        async with self._lock:
            if not self.is_due:
                return
            try:
                async with asyncio.timeout(self._server.start_timeout):
                    await self._enter()
            except Exception as error:  # whatever a server or its program may do wrong
                await self._leave()
                self._say_down(error)
                return
            if self._failures:
                self._failures = 0
                _log.info("MCP server %s answers again", self.name)

    async def call(self, tool: str, arguments: Mapping[str, Any], *, approved: bool) -> str:
        """Have the server carry out one call.

        One that was not approved must only read, and is made again when the connection broke; an approved one is sent
        once at most.

        Raises:
            ToolException: it could not be done, or it is not known whether it was; the message says what to do.
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
            result = await self._answer(client, tool, arguments, approved=approved, is_last=is_last)
            if result is not None:
                return self._read(result)
        raise AssertionError("the last attempt answers or raises")

    async def close(self) -> None:
        """Close the connection; a program that was started for it ends."""
        async with self._lock:
            await self._leave()
            self._failures = 0

    async def _answer(
        self, client: Client[Any], tool: str, arguments: Mapping[str, Any], *, approved: bool, is_last: bool
    ) -> CallToolResult | None:
        """Return what the server answers; None when the connection broke and the call may be made again."""
        unknown = _UNKNOWN if approved else ""
        try:
            async with asyncio.timeout(self._server.timeout):
                return await client.call_tool_mcp(tool, dict(arguments))
        except TimeoutError:
            raise ToolException(
                f"The provider {self.name} did not answer within {self._server.timeout:g} seconds.{unknown}"
            ) from None
        except Exception as error:  # whatever a server or the connection to it may do wrong
            if await self._is_there(client):
                raise ToolException(self._refusal(error, unknown)) from None
            async with self._lock:
                if self._client is client:
                    await self._leave()
            if is_last:
                self._say_down(error)
                raise ToolException(f"The connection to the provider {self.name} broke.{unknown}") from None
            return None

    async def _is_there(self, client: Client[Any]) -> bool:
        """Return whether the server still answers, so that what went wrong is of the one call."""
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
        # These may be a server's own or what the connection says of a request that got lost.
        sure = error.error.code not in (CONNECTION_CLOSED, REQUEST_TIMEOUT)
        return f"The provider {self.name} refused: {neutral_error(error.error.message)}{'' if sure else unknown}"

    def _read(self, result: CallToolResult) -> str:
        if result.is_error:
            texts = [getattr(block, "text", "") for block in result.content]
            said = neutral_error(" ".join(text for text in texts if text))
            raise ToolException(f"The provider {self.name} answers: {said or 'it did not work'}")
        return render_result(self.name, result.content, result.structured_content)

    async def _enter(self) -> None:
        from nodes.tools.mcp.client import Session, new_client

        client = new_client(self.name, self._server)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(client)
            found = {tool.name: tool for tool in await client.list_tools()}
            assert isinstance(client.session, Session)
            self.offers = self._allowed(found, client.session.malformed)
            self._client, self._open = client, stack.pop_all()

    def _allowed(self, found: Mapping[str, Tool], malformed: Mapping[str, str]) -> dict[str, Offer]:
        offers = {}
        for name in self._server.allow:
            tool = found.get(name)
            schema = neutral_schema(tool.input_schema) if tool else None
            if tool is None or schema is None:
                why = "has arguments no model could be given" if tool else "is not there"
                why = f"is malformed ({neutral_error(malformed[name])})" if name in malformed else why
                _log.warning("MCP server %s: the allowed tool %s %s", self.name, name, why)
                continue
            described = neutral_description(self.name, tool.description or "")
            offers[name] = Offer(described, schema, bool(tool.annotations and tool.annotations.read_only_hint))
        return offers

    async def _leave(self) -> None:
        opened, self._open, self._client, self.offers = self._open, None, None, {}
        if opened is None:
            return
        try:
            await opened.aclose()
        except Exception as error:  # a broken connection may fail to close; it is gone either way
            _log.debug("MCP server %s did not close cleanly: %s", self.name, error)

    def _say_down(self, error: BaseException) -> None:
        self._tried = self._monotonic()
        self._failures += 1
        if self._failures == 1:
            why = neutral_error(str(error)) or type(error).__name__
            _log.warning("MCP server %s can't be used, so its tools are not offered: %s", self.name, why)
