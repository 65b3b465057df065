"""Every route of the server's OpenAPI document: Ana's data is hers, for a stranger and for an anonymous caller."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import jwt
import pytest

from app.auth.tokens import Tokens
from config.settings import load_settings
from tests.server.dev import ANA, checkout, langgraph_dev, token_of

pytestmark = pytest.mark.slow

RUN = {"assistant_id": "concierge", "input": {"messages": "hello"}}
AS_ANA = {**RUN, "context": {"user_id": ANA}}
CRON = {**RUN, "schedule": "* * * * *"}
SAID = {"values": {"messages": "planted", "owner": "eve"}}
PUBLIC = {"GET /", "GET /ok", "GET /healthz", "GET /readyz", "GET /app", "POST /app/session", "DELETE /app/session"}
"""Routes that are open to anyone."""

CLOSED = {
    "/store/items", "/store/items/search", "/store/namespaces", "/metrics", "/docs", "/internal/truncate",
    "/internal/debug/thread/{thread_id}", "/deploy", "/deploy/{operation_id}/stream",
    "/threads/{thread_id}/stream/events", "/threads/{thread_id}/commands",
}  # fmt: skip
"""Routes of the LangGraph server that are closed to everyone."""

NOT_FOUND = 'event: error\ndata: {"type":"error","error":{"kind":"not_found"'
"""The error in a stream that began before the thread was found to be missing."""

ENDLESS = {"GET /app/api/events", "GET /threads/{thread_id}/stream"}

CASES: dict[str, tuple[Any, int, int]] = {
    "GET /info": (None, 200, 200),
    "GET /openapi.json": (None, 200, 200),
    # assistants belong to the deployment: users see the concierge, and change none
    "POST /assistants": ({"graph_id": "concierge", "context": {"user_id": ANA, "workspace": "w"}}, 403, 403),
    "POST /assistants/search": ({}, 200, 200),
    "POST /assistants/count": ({}, 200, 200),
    "GET /assistants/{assistant_id}": (None, 200, 200),
    "PATCH /assistants/{assistant_id}": ({"context": {"user_id": ANA}}, 403, 403),
    "DELETE /assistants/{assistant_id}": (None, 403, 403),
    "GET /assistants/{assistant_id}/graph": (None, 200, 200),
    "GET /assistants/{assistant_id}/subgraphs": (None, 200, 200),
    "GET /assistants/{assistant_id}/subgraphs/{namespace}": (None, 200, 200),
    "GET /assistants/{assistant_id}/schemas": (None, 200, 200),
    "POST /assistants/{assistant_id}/versions": ({}, 200, 200),
    "POST /assistants/{assistant_id}/latest": ({"version": 1}, 403, 403),
    # threads and runs belong to the caller
    "POST /threads": ({"thread_id": "{thread_id}", "if_exists": "do_nothing"}, 200, 404),
    "POST /threads/search": ({"ids": ["{thread_id}"]}, 200, 200),
    "POST /threads/count": ({}, 200, 200),
    "GET /threads/{thread_id}/storage": (None, 501, 501),
    "GET /threads/{thread_id}/state": (None, 200, 404),
    "POST /threads/{thread_id}/state": (SAID, 400, 404),
    "GET /threads/{thread_id}/state/{checkpoint_id}": (None, 200, 404),
    "POST /threads/{thread_id}/state/checkpoint": ({"checkpoint": {"checkpoint_id": "{checkpoint_id}"}}, 200, 404),
    "GET /threads/{thread_id}/history": (None, 200, 404),
    "POST /threads/{thread_id}/history": ({"limit": 10}, 200, 404),
    "POST /threads/{thread_id}/copy": (None, 403, 403),
    "GET /threads/{thread_id}": (None, 200, 404),
    "PATCH /threads/{thread_id}": ({"metadata": {"owner": "eve"}}, 422, 404),
    "GET /threads/{thread_id}/stream": (None, 200, 200),
    "GET /threads/{thread_id}/runs": (None, 200, 404),
    "POST /threads/{thread_id}/runs": ({**RUN, "if_not_exists": "create"}, 200, 404),
    "POST /threads/{thread_id}/runs/crons": (CRON, 403, 403),
    "POST /threads/{thread_id}/runs/stream": ({**RUN, "if_not_exists": "create"}, 200, 404),
    "POST /threads/{thread_id}/runs/wait": ({**RUN, "if_not_exists": "create"}, 200, 404),
    "GET /threads/{thread_id}/runs/{run_id}": (None, 200, 404),
    "GET /threads/{thread_id}/runs/{run_id}/join": (None, 200, 404),
    "GET /threads/{thread_id}/runs/{run_id}/stream": (None, 200, 200),
    "POST /threads/{thread_id}/runs/{run_id}/cancel": (None, 404, 404),
    "POST /runs/crons": (CRON, 403, 403),
    "POST /runs/crons/search": ({}, 403, 403),
    "POST /runs/crons/count": ({}, 403, 403),
    "GET /runs/crons/{cron_id}": (None, 403, 403),
    "PATCH /runs/crons/{cron_id}": ({"schedule": "* * * * *"}, 403, 403),
    "DELETE /runs/crons/{cron_id}": (None, 403, 403),
    "POST /runs/stream": (AS_ANA, 200, 403),
    "POST /runs/cancel": ({"thread_id": "{thread_id}", "run_ids": ["{run_id}"]}, 404, 404),
    "POST /runs/wait": (AS_ANA, 200, 403),
    "POST /runs": (AS_ANA, 200, 403),
    "POST /runs/batch": ([AS_ANA], 200, 403),
    # the page: memory routes have no user id, so a stranger sees their own, which is empty
    "GET /app/api/me": (None, 200, 200),
    "GET /app/api/events": (None, 200, 200),
    "GET /app/api/threads": (None, 200, 200),
    "GET /app/api/threads/{key}": (None, 200, 404),
    "POST /app/api/threads/{key}/messages": ({"message": "hello"}, 200, 404),
    "POST /app/api/threads/{key}/decisions": ({}, 404, 404),
    "POST /app/api/threads/{key}/ask_again": ({}, 404, 404),
    "POST /app/api/threads/{key}/end": ({}, 200, 404),
    "POST /app/api/threads/{key}/stop": ({}, 200, 200),  # answers for a missing thread that nothing was stopped
    "GET /app/api/memory": (None, 200, 200),
    "GET /app/api/memory/conflicts": (None, 200, 200),
    "GET /app/api/memory/journal": (None, 200, 200),
    "GET /app/api/memory/export": (None, 200, 200),
    "PATCH /app/api/memory/notes/{key}": ({"pinned": True}, 200, 404),
    "GET /app/api/memory/notes/{key}/history": (None, 200, 404),
    "POST /app/api/memory/notes/{key}/restore": ({"seq": 2}, 200, 404),
    "PATCH /app/api/memory/profile": ({"home_city": "Porto"}, 200, 200),
    "PUT /app/api/memory/consent": ({"paused": False}, 200, 200),
    "POST /app/api/memory/undo": ({"entry": "{entry}"}, 200, 404),
    "POST /app/api/memory/import": ({}, 400, 400),
    "POST /app/api/memory/clear": ({"confirm": ANA}, 409, 400),
    "GET /app/api/trips": (None, 200, 200),
    "GET /app/api/trips/calendar.ics": (None, 200, 404),
    "GET /app/api/trips/{key}/calendar.ics": (None, 200, 404),
    # deletions come last
    "DELETE /app/api/memory/notes/{key}": (None, 200, 404),
    "DELETE /threads/{thread_id}/runs/{run_id}": (None, 204, 404),
    "DELETE /app/api/threads/{key}": (None, 204, 404),
    "DELETE /threads/{thread_id}": (None, 204, 404),
    "POST /threads/prune": ({"thread_ids": ["{thread_id}"]}, 404, 404),
}
"""The body of each request, and its status for Ana and for a stranger with her ids."""


class Caller:
    """A caller of the server; `ids` fill the placeholders of paths and bodies."""

    def __init__(self, http: httpx.Client, ids: dict[str, str], token: str | None) -> None:
        self._http = http
        self._headers = {"X-Concierge": "page", **({"Authorization": f"Bearer {token}"} if token else {})}
        self._ids = ids

    def ask(self, route: str, body: Any = None) -> tuple[int, str]:
        """Return the status and the text of an answer; only the status of a stream without end."""
        method, path = self._filled(route).split(" ")
        content = None if body is None else self._filled(json.dumps(body))
        headers = {**self._headers, **({"Content-Type": "application/json"} if content else {})}
        with self._http.stream(method, path, content=content, headers=headers) as answer:
            return answer.status_code, "" if route in ENDLESS else answer.read().decode()

    def read(self, route: str, body: Any = None) -> Any:
        """Return the JSON of a request that must succeed."""
        status, text = self.ask(route, body)
        assert status == 200, (route, text)
        return json.loads(text)

    def _filled(self, text: str) -> str:
        key = "trip" if "/trips/" in text else "note" if "/notes/" in text else "conversation"
        for name, value in {**self._ids, "key": self._ids.get(key, "")}.items():
            text = text.replace(f"{{{name}}}", value)
        return text


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[httpx.Client, Path]]:
    folder = tmp_path_factory.mktemp("isolation")
    running = langgraph_dev(checkout(folder / "checkout"), folder / "data")
    with running as url, httpx.Client(base_url=url, timeout=60) as http:
        yield http, folder / "data"


def _set_up(ana: Caller, ids: dict[str, str]) -> None:
    """Give Ana a note, a thread, a conversation of the page, a booking, and the id of a cron; store their ids."""
    ids["thread_id"] = ana.read("POST /threads", {})["thread_id"]
    day, back = (date.today() + timedelta(days=days) for days in (100, 104))
    for said in (
        "I'm vegetarian.",
        f"Find flights from Berlin to Lisbon on {day}, back {back}, one adult",
        "Book the first one",
    ):
        ana.read("POST /threads/{thread_id}/runs/wait", {**RUN, "input": {"messages": said}})
    ana.read("POST /threads/{thread_id}/runs/wait", {"assistant_id": "concierge", "command": {"resume": "approve"}})
    ana.read("POST /threads/{thread_id}/runs/wait", {**RUN, "input": {"end_session": True}})
    ids["run_id"] = ana.read("GET /threads/{thread_id}/runs")[0]["run_id"]
    ids["checkpoint_id"] = ana.read("GET /threads/{thread_id}/state")["checkpoint"]["checkpoint_id"]
    ids["conversation"] = str(uuid4())
    assert ana.ask("POST /app/api/threads/{key}/messages", {"message": "I'm vegetarian."})[0] == 200
    (ids["note"],) = (note["id"] for note in ana.read("GET /app/api/memory")["notes"])
    ids["trip"] = ana.read("GET /app/api/trips")["bookings"][0]["reference"]
    ids["entry"] = ana.read("GET /app/api/memory/journal")["entries"][0]["id"]
    (ids["assistant_id"],) = (one["assistant_id"] for one in ana.read("POST /assistants/search", {}))
    ids |= {"cron_id": str(uuid4()), "operation_id": str(uuid4()), "namespace": "concierge"}


def _all_of(ana: Caller) -> list[Any]:
    """Return all of Ana's data that a stranger could have changed."""
    routes = (
        "threads/{thread_id}/state",
        "threads/{thread_id}",
        "app/api/memory?all=1",
        "app/api/memory/journal",
        "app/api/trips",
    )
    return [ana.read(f"GET /{route}") for route in routes] + [ana.read("POST /threads/search", {"limit": 100})]


def test_every_route_rejects_strangers_and_accepts_the_owner(served: tuple[httpx.Client, Path]) -> None:
    http, data_dir = served
    ids: dict[str, str] = {}
    ana, eve = (Caller(http, ids, token_of(data_dir, user)) for user in (ANA, "eve"))
    _set_up(ana, ids)
    document = ana.read("GET /openapi.json")
    routes = {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}
    closed = {route for route in routes if route.split(" ")[1] in CLOSED}
    assert routes - closed - PUBLIC == set(CASES), "a route without a case, or a case without a route"
    before = _all_of(ana)

    wrong: list[Any] = []
    tokens = Tokens(load_settings(data_dir=data_dir))
    past = tokens.mint(ANA, lifetime=timedelta(minutes=-5))
    forged = jwt.encode(jwt.decode(tokens.mint(ANA), options={"verify_signature": False}), "k" * 40)
    for token in (None, past, forged):
        nobody = Caller(http, ids, token)
        wrong += [(route, token) for route in CASES if nobody.ask(route, CASES[route][0])[0] != 401]
    wrong += [(route, "closed") for route in closed if ana.ask(route, {})[0] != 404]
    for route, (body, _, status) in CASES.items():
        actual, text = eve.ask(route, body)
        if (actual != status and NOT_FOUND not in text) or any(
            secret in text for secret in ("I'm vegetarian", ids["trip"], "planted")
        ):
            wrong.append((route, "eve", actual, text[:200]))
    assert _all_of(ana) == before
    for route, (body, status, _) in CASES.items():
        actual, text = ana.ask(route, body)
        if actual != status and NOT_FOUND not in text:
            wrong.append((route, "ana", actual, text[:200]))
    assert wrong == [], "\n".join(map(str, wrong))


def test_run_with_invalid_input_is_rejected_with_its_name(served: tuple[httpx.Client, Path]) -> None:
    http, data_dir = served
    ids: dict[str, str] = {}
    ana = Caller(http, ids, token_of(data_dir, ANA))
    ids["thread_id"] = ana.read("POST /threads", {})["thread_id"]
    cases: list[tuple[dict[str, Any], int, str]] = [
        ({"input": {"message": "hi"}}, 422, "input.message. Did you mean messages?"),
        ({"input": {"messages": 3}}, 422, "input.messages"),
        ({"input": {"messages": "hi", "owner": "eve"}}, 422, "input.owner"),
        ({"input": {"end_session": "yes"}}, 422, "input.end_session"),
        ({"input": "hi"}, 422, "input"),
        ({"context": {"memory_mod": "on"}}, 422, "context.memory_mod. Did you mean memory_mode?"),
        ({"context": {"memory_mode": "never"}}, 422, "memory_mode"),
        ({"context": {"language": "fr"}}, 422, "language"),
        ({"context": {"user_id": "eve"}}, 403, "context.user_id"),
        ({"config": {"configurable": {"user_id": "eve"}}}, 403, "user_id"),
        ({"config": {"configurable": {"thread": "x"}}}, 422, "context.thread"),
        ({"config": {"configurable": {"__pregel_resume_map": {}}}}, 422, "__pregel_resume_map"),
        ({"checkpoint": {"checkpoint_ns": "", "__pregel_resume_map": {}}}, 422, "__pregel_resume_map"),
        ({"config": {"metadata": {"graph_id": "idle"}}}, 422, "metadata.graph_id"),
        ({"metadata": {"owner": "eve"}}, 422, "metadata.owner"),
        ({"command": {"goto": "tools"}}, 422, "resume"),
        ({"command": {"update": {"owner": "eve"}}}, 422, "resume"),
        ({"command": {"decision": "approve"}}, 422, "command.decision"),
        ({"assistant_id": str(uuid4())}, 404, "assistant not found"),
    ]
    wrong = []
    for change, status, named in cases:
        body = {"assistant_id": "concierge", "input": {"messages": "hi"}, **change}
        for route in ("POST /threads/{thread_id}/runs/wait", "POST /runs"):
            actual, text = ana.ask(route, body)
            if actual != status or named not in text:
                wrong.append((change, route, actual, text))
    assert wrong == [], "\n".join(map(str, wrong))
    planted = {"supersteps": [{"updates": [{"values": {"session_notes": [{"text": "planted"}]}, "as_node": "agent"}]}]}
    assert ana.ask("POST /threads", {"metadata": {"graph_id": "concierge"}, **planted})[0] != 200
