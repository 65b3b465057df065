"""Masks what clients of a LangGraph server send before the server keeps it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memory.policy.redact import Masking

_KEPT = frozenset({"input", "command", "values", "supersteps", "params", "messages"})
"""Parts of a request's body that the server keeps: inputs of runs, updates of threads, calls over A2A and MCP."""


class MaskingMiddleware:
    """ASGI middleware that masks texts in JSON bodies of runs, threads and messages.

    The server writes the arguments of a run to disk before the graph, which masks them too, gets them.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, its body masked where it is JSON; anything else as it came."""
        if scope["type"] != "http" or scope["method"] not in ("POST", "PUT", "PATCH"):
            await self._app(scope, receive, send)
            return
        body, rest = await _read(receive)
        masked = await asyncio.to_thread(_masked, body)
        if masked != body:
            headers = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
            scope = {**scope, "headers": [*headers, (b"content-length", str(len(masked)).encode())]}
        first: list[Message] = [rest or {"type": "http.request", "body": masked, "more_body": False}]

        async def received() -> Message:
            return first.pop() if first else await receive()

        await self._app(scope, received, send)


async def _read(receive: Receive) -> tuple[bytes, Message | None]:
    """Return the whole body, and what came instead of its end where the client left."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return body, message
        body += message.get("body", b"")
        if not message.get("more_body"):
            return body, None


def _masked(body: bytes) -> bytes:
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):  # what is no JSON is refused by the server itself
        return body
    found = [_masked_request(one) for one in given] if isinstance(given, list) else _masked_request(given)
    return body if found == given else json.dumps(found, ensure_ascii=False).encode()


def _masked_request(given: Any) -> Any:
    if not isinstance(given, dict):
        return given
    return {
        key: Masking().masked(value, said=key == "messages") if key in _KEPT else value for key, value in given.items()
    }
