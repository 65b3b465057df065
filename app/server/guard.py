"""ASGI middleware that authenticates requests, rejects forged ones, and masks secrets in their bodies."""

import asyncio
import json
import re
from typing import Any

from starlette.authentication import SimpleUser
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.auth.tokens import Tokens, request_token
from app.page.routes import refusal
from app.server.serving import GracefulShutdown
from config.errors import AccessDeniedError
from config.settings import Settings
from memory.policy.redact import Masking

_MASKED_FIELDS = frozenset({"input", "command", "values", "supersteps", "params", "messages"})
"""Fields of a request's body that the server stores: run inputs, thread updates, calls over A2A and MCP."""
COOKIE = "concierge"
"""Name of the page's cookie, which holds a token and is accepted only below `/app`."""
PROBES = frozenset({"/ok", "/healthz", "/readyz"})
"""Paths for health checks, which have neither the right host name nor a token."""
_PUBLIC = frozenset({"/", "/app", "/app/", "/app/session"})
_STATIC = "/app/static/"
_SERVED_PREFIXES = frozenset({"", "app", "assistants", "info", "openapi.json", "runs", "threads"})
"""First path segments that are served; all other routes of a LangGraph server are closed."""
_UNCHECKED = re.compile(r"/threads/[^/]+/(commands|stream/events)/?")
"""Paths that start runs with commands that `app.auth.langgraph` does not check; closed."""
_PORT = re.compile(r":\d*$")
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_IN_PROCESS = "noauth"
"""Root path of a LangGraph server's requests to itself; requests from outside have none."""
_REFUSAL_HEADERS = {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "5"}}
"""Headers of refusals, by status."""
_SECURITY_HEADERS = {"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer"}
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class MaskingMiddleware:
    """Masks secrets in the JSON bodies of runs, threads and messages.

    The graph masks its input too, but the server writes the arguments of a run to disk before that.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request with its JSON body masked; forward everything else unchanged."""
        if scope["type"] != "http" or scope["method"] not in ("POST", "PUT", "PATCH"):
            await self._app(scope, receive, send)
            return
        body, rest = await _read(receive)
        masked = await asyncio.to_thread(_masked, body)
        if masked != body:
            headers = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
            scope = {**scope, "headers": [*headers, (b"content-length", str(len(masked)).encode())]}
        first: list[Message] = [rest or {"type": "http.request", "body": masked, "more_body": False}]

        async def receive_masked() -> Message:
            return first.pop() if first else await receive()

        await self._app(scope, receive_masked, send)


async def _read(receive: Receive) -> tuple[bytes, Message | None]:
    """Return the body, and the message that ended it early if the client disconnected."""
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
        data = json.loads(body)
    except (ValueError, RecursionError):  # the server itself refuses invalid JSON
        return body
    masked = [_masked_request(item) for item in data] if isinstance(data, list) else _masked_request(data)
    return body if masked == data else json.dumps(masked, ensure_ascii=False).encode()


def _masked_request(data: Any) -> Any:
    if not isinstance(data, dict):
        return data
    return {
        key: Masking().masked(value, said=key == "messages") if key in _MASKED_FIELDS else value
        for key, value in data.items()
    }


class _RefusalError(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Guard:
    """Refuses closed paths, foreign hosts and origins, requests without a valid token, and bodies that are not JSON.

    Sets `scope["user"]`, whose `identity` is the user id. The token comes in a header, or below `/app` in a cookie,
    which browsers send only with requests of this origin.
    """

    def __init__(self, app: ASGIApp, *, settings: Settings, tokens: Tokens, shutdown: GracefulShutdown) -> None:
        self._app = app
        self._tokens = tokens
        self._stopping = shutdown
        self._hosts = _LOCAL | {_host_and_port(host)[0] for host in settings.allowed_hosts}
        self._origins = frozenset(settings.allowed_origins)
        self._most_bytes = (settings.max_import_mb + 1) * 2**20

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or answer it with a refusal."""
        if scope["type"] == "lifespan" or scope.get("root_path", "").strip("/").partition("/")[0] == _IN_PROCESS:
            await self._app(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_started = False

        async def send_secured(message: Message) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                _add_security_headers(MutableHeaders(scope=message), scope["path"])
            await send(message)

        try:
            if scope["path"] not in PROBES:
                self._check(scope, Headers(scope=scope))
            await self._app(scope, self._limit_body(receive), send_secured)
        except _RefusalError as refused:
            if has_started:
                raise
            response = refusal(refused.status, str(refused), _REFUSAL_HEADERS.get(refused.status))
            await response(scope, receive, send_secured)

    def _check(self, scope: Scope, headers: Headers) -> None:
        self._check_sender(scope, headers)
        path = scope["path"]
        if path.split("/")[1] not in _SERVED_PREFIXES or _UNCHECKED.fullmatch(path):
            raise _RefusalError(404, "There is nothing here.")
        if path not in _PUBLIC and not path.startswith(_STATIC):
            scope["user"] = SimpleUser(self._user_of(path, headers))
        if scope["method"] in _CHANGING:
            if self._stopping.has_begun:
                raise _RefusalError(503, "The server is stopping, and nothing was done. Try again in a moment.")
            self._check_body(headers)

    def _check_sender(self, scope: Scope, headers: Headers) -> None:
        here = _host_and_port(headers.get("host", ""))
        if here[0] not in self._hosts:
            raise _RefusalError(403, "This server has another name. Set CONCIERGE_ALLOWED_HOSTS to add one.")
        if self._tokens.is_development and (scope.get("client") or ("",))[0] not in _LOCAL:
            raise _RefusalError(403, "This server is for its own machine. Set CONCIERGE_AUTH_KEY to serve others.")
        origin = headers.get("origin")
        if origin is not None and origin not in self._origins and _host_and_port(origin.partition("://")[2]) != here:
            raise _RefusalError(403, "Pages of this origin may not call the server. See CONCIERGE_ALLOWED_ORIGINS.")

    def _user_of(self, path: str, headers: Headers) -> str:
        token = request_token(headers.get("authorization"), headers.get("x-api-key"))
        if not token and path.startswith("/app/"):
            token = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        try:
            return self._tokens.user_of(token)
        except AccessDeniedError as denied:
            raise _RefusalError(401, str(denied)) from None

    def _check_body(self, headers: Headers) -> None:
        length = headers.get("content-length", "0")
        if length == "0" and "transfer-encoding" not in headers:
            return
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise _RefusalError(415, "Send JSON, with the header Content-Type: application/json.")
        if not length.isdecimal() or int(length) > self._most_bytes:
            raise _RefusalError(413, f"A request may have {self._most_bytes} bytes at most.")

    def _limit_body(self, receive: Receive) -> Receive:
        """Wrap `receive` to refuse a body over the limit, whatever its `Content-Length` was."""
        remaining = self._most_bytes

        async def receive_limited() -> Message:
            nonlocal remaining
            message = await receive()
            remaining -= len(message.get("body", b""))
            if remaining < 0:
                raise _RefusalError(413, f"A request may have {self._most_bytes} bytes at most.")
            return message

        return receive_limited


def _host_and_port(address: str) -> tuple[str, str]:
    """Split `name:port` into the name, in lower case, and the port."""
    name, _, port = address.rpartition(":") if _PORT.search(address) else (address, "", "")
    return name.strip("[]").lower(), port


def _add_security_headers(headers: MutableHeaders, path: str) -> None:
    """Add headers that restrict what a browser may do with the response."""
    headers.update(_SECURITY_HEADERS)
    if path.startswith("/app"):
        headers["Content-Security-Policy"] = _PAGE_POLICY
    # Browsers may cache the page's files but must revalidate them; personal data is never cached.
    headers.setdefault("Cache-Control", "no-cache" if path.startswith(_STATIC) else "no-store")
