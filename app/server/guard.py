"""Lets in only requests that a signed-in user meant to send to this server."""

import asyncio
import json
import re
from typing import Any

from starlette.authentication import SimpleUser
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.auth.tokens import Tokens, token_in
from app.page.routes import refusal
from app.server.shutdown import GracefulShutdown
from config.errors import AccessDeniedError
from config.settings import Settings
from memory.policy.redact import Masking

_KEPT = frozenset({"input", "command", "values", "supersteps", "params", "messages"})
"""Parts of a request's body that the server keeps: inputs of runs, updates of threads, calls over A2A and MCP."""
COOKIE = "concierge"
"""Name of the page's cookie, which holds a token and counts below `/app` alone."""
PROBES = frozenset({"/ok", "/healthz", "/readyz"})
"""Paths for those who watch a server, and know neither its name nor a token."""
_PUBLIC = frozenset({"/", "/app", "/app/", "/app/session"})
_STATIC = "/app/static/"
_SERVED = frozenset({"", "app", "assistants", "info", "openapi.json", "runs", "threads"})
"""First parts of the paths there are. Whatever else a LangGraph server brings along is closed."""
_UNCHECKED = re.compile(r"/threads/[^/]+/(commands|stream/events)/?")
"""A second way to start runs, whose commands no rule of ours reads."""
_PORT = re.compile(r":\d*$")
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_IN_PROCESS = "noauth"
"""Root path of a LangGraph server's requests to itself. A request from outside has none."""
_WITH = {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "5"}}
"""Headers of refusals, by status."""
_HEADERS = {"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer"}
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


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


class _RefusedError(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Guard:
    """ASGI middleware that refuses closed paths, foreign hosts and origins, strangers, and bodies not of JSON.

    What passes has its user in `scope["user"]`, whose `identity` is the user id. The token comes in a header;
    below `/app` also as a cookie, which browsers send with requests of this origin alone.
    """

    def __init__(self, app: ASGIApp, *, settings: Settings, tokens: Tokens, shutdown: GracefulShutdown) -> None:
        self._app = app
        self._tokens = tokens
        self._stopping = shutdown
        self._hosts = _LOCAL | {_place(host)[0] for host in settings.allowed_hosts}
        self._origins = frozenset(settings.allowed_origins)
        self._most_bytes = (settings.max_import_mb + 1) * 2**20

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer why not."""
        if scope["type"] == "lifespan" or scope.get("root_path", "").strip("/").partition("/")[0] == _IN_PROCESS:
            await self._app(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def sent(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                _secure(MutableHeaders(scope=message), scope["path"])
            await send(message)

        try:
            if scope["path"] not in PROBES:
                self._check(scope, Headers(scope=scope))
            await self._app(scope, self._limited(receive), sent)
        except _RefusedError as refused:
            if has_begun:
                raise
            answer = refusal(refused.status, str(refused), _WITH.get(refused.status))
            await answer(scope, receive, sent)

    def _check(self, scope: Scope, headers: Headers) -> None:
        self._check_sender(scope, headers)
        path = scope["path"]
        if path.split("/")[1] not in _SERVED or _UNCHECKED.fullmatch(path):
            raise _RefusedError(404, "There is nothing here.")
        if path not in _PUBLIC and not path.startswith(_STATIC):
            scope["user"] = SimpleUser(self._user_of(path, headers))
        if scope["method"] in _CHANGING:
            if self._stopping.has_begun:
                raise _RefusedError(503, "The server is stopping, and nothing was done. Try again in a moment.")
            self._check_body(headers)

    def _check_sender(self, scope: Scope, headers: Headers) -> None:
        here = _place(headers.get("host", ""))
        if here[0] not in self._hosts:
            raise _RefusedError(403, "This server has another name. Set CONCIERGE_ALLOWED_HOSTS to add one.")
        if self._tokens.is_development and (scope.get("client") or ("",))[0] not in _LOCAL:
            raise _RefusedError(403, "This server is for its own machine. Set CONCIERGE_AUTH_KEY to serve others.")
        origin = headers.get("origin")
        if origin is not None and origin not in self._origins and _place(origin.partition("://")[2]) != here:
            raise _RefusedError(403, "Pages of this origin may not call the server. See CONCIERGE_ALLOWED_ORIGINS.")

    def _user_of(self, path: str, headers: Headers) -> str:
        token = token_in(headers.get("authorization"), headers.get("x-api-key"))
        if not token and path.startswith("/app/"):
            token = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        try:
            return self._tokens.user_of(token)
        except AccessDeniedError as denied:
            raise _RefusedError(401, str(denied)) from None

    def _check_body(self, headers: Headers) -> None:
        length = headers.get("content-length", "0")
        if length == "0" and "transfer-encoding" not in headers:
            return
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise _RefusedError(415, "Send JSON, with the header Content-Type: application/json.")
        if not length.isdecimal() or int(length) > self._most_bytes:
            raise _RefusedError(413, f"A request may have {self._most_bytes} bytes at most.")

    def _limited(self, receive: Receive) -> Receive:
        """Return `receive`, which refuses a body that is longer than it said it would be."""
        left = self._most_bytes

        async def received() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise _RefusedError(413, f"A request may have {self._most_bytes} bytes at most.")
            return message

        return received


def _place(address: str) -> tuple[str, str]:
    """Return the name, in lower case, and the port of `name:port`."""
    name, _, port = address.rpartition(":") if _PORT.search(address) else (address, "", "")
    return name.strip("[]").lower(), port


def _secure(headers: MutableHeaders, path: str) -> None:
    """Keep a browser from doing more with an answer than was meant."""
    headers.update(_HEADERS)
    if path.startswith("/app"):
        headers["Content-Security-Policy"] = _PAGE_POLICY
    # A browser may keep the page's files, and asks whether they are new; what is personal it keeps nowhere.
    headers.setdefault("Cache-Control", "no-cache" if path.startswith(_STATIC) else "no-store")
