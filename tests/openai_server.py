"""A real HTTP server on loopback that speaks the OpenAI protocol, answers from a script and records the requests."""

from __future__ import annotations

import json
import sys
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

import pytest

from tests.openai_protocol import Call, Reply, chunks, completion, embeddings, error_body, request_fault

__all__ = ["CHAT", "EMBEDDINGS", "Call", "OpenAIServer", "Reply", "Request", "openai_server"]

CHAT = "/v1/chat/completions"
EMBEDDINGS = "/v1/embeddings"


@dataclass(frozen=True)
class Request:
    """One received request; header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


class OpenAIServer:
    """Serves `/v1/chat/completions` and `/v1/embeddings`. Use it as a context manager.

    Each request takes the next reply scripted for its endpoint; without one, chat answers "Hello.". Requests that the
    API would reject are rejected and take no reply. Set `key` to accept only that key. Each request sets `arrived`.
    """

    def __init__(self) -> None:
        self.key = ""
        self.requests: list[Request] = []
        self.arrived = threading.Event()
        self.stopping = threading.Event()
        self._script: dict[str, deque[Reply]] = {CHAT: deque(), EMBEDDINGS: deque()}
        self._arrivals = threading.Condition()
        self._waiting = 0
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        """Return the base URL to configure, with `/v1`."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def script(self, *replies: Reply, path: str = CHAT) -> None:
        """Queue replies for the next requests to an endpoint."""
        self._script[path].extend(replies)

    def receive(self, request: Request) -> tuple[Reply, int]:
        """Record a request; return its reply and its number from 1."""
        with self._arrivals:
            self.requests.append(request)
            self.arrived.set()
            refused = self._refusal(request)
            if refused:
                return refused, len(self.requests)
            queue = self._script[request.path]
            return queue.popleft() if queue else Reply("Hello."), len(self.requests)

    def hold(self, reply: Reply) -> None:
        """Wait as the reply requires, or until the server stops."""
        self.stopping.wait(reply.wait)
        if reply.together > 1:
            with self._arrivals:
                self._waiting += 1
                self._arrivals.notify_all()
                self._arrivals.wait_for(lambda: self._waiting >= reply.together or self.stopping.is_set())

    def _refusal(self, request: Request) -> Reply | None:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not given or (self.key and given != self.key):
            message = f"Incorrect API key provided: {given}."
            return Reply(
                status=401, code="invalid_api_key", raw=json.dumps(error_body(401, message, "invalid_api_key"))
            )
        fault = request_fault(request.body) if request.path == CHAT else ""
        if fault:
            return Reply(status=400, raw=json.dumps(error_body(400, fault)))
        return None

    def __enter__(self) -> OpenAIServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopping.set()
        with self._arrivals:
            self._arrivals.notify_all()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


class _Http(ThreadingHTTPServer):
    owner: OpenAIServer
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report errors, except of clients that disconnect, as tests do on purpose."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if self.path not in (CHAT, EMBEDDINGS):
            self._send(404, json.dumps(error_body(404, f"Unknown path {self.path}")), Reply())
            return
        reply, number = self.server.owner.receive(Request(self.path, headers, body))
        self.server.owner.hold(reply)
        if reply.drop == "before":
            self.close_connection = True
        elif reply.status >= 400 or reply.raw:
            self._send(reply.status, reply.raw or json.dumps(_error(reply, body)), reply)
        elif self.path == EMBEDDINGS:
            self._send(200, json.dumps(embeddings(body)), reply)
        elif body.get("stream"):
            self._stream(reply, body, number)
        else:
            self._send(200, json.dumps(completion(reply, body["model"], number)), reply)

    def _send(self, status: int, text: str, reply: Reply) -> None:
        payload = text.encode()
        self.send_response(status)
        for name, value in {"Content-Type": reply.content_type, **reply.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload[: len(payload) // 2] if reply.drop == "midway" else payload)
        self.close_connection = self.close_connection or reply.drop == "midway"

    def _stream(self, reply: Reply, body: dict[str, Any], number: int) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        usage = bool((body.get("stream_options") or {}).get("include_usage"))
        events = [json.dumps(event) for event in chunks(reply, body["model"], number, usage=usage)]
        if reply.drop == "midway":
            events = events[: len(events) // 2]
        for event in events if reply.drop == "midway" else [*events, "[DONE]"]:
            self._event(event)
        if reply.drop == "midway":
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _event(self, data: str) -> None:
        line = f"data: {data}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the test's output clean."""


def _error(reply: Reply, body: Mapping[str, Any]) -> dict[str, Any]:
    # Real endpoints repeat the request; a client that shows their message would show the traveller's words.
    message = str((body.get("messages") or [{}])[-1].get("content"))
    return error_body(reply.status, f"Failed with {reply.status} on: {message}", reply.code)


@pytest.fixture
def openai_server() -> Iterator[OpenAIServer]:
    """Run a server for the test."""
    with OpenAIServer() as server:
        yield server
