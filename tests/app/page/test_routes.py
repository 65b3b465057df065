"""Every route rejects access to other users' data, invalid bodies, and requests that do not come from the page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection
from inspect import signature
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.routing import Route

from app.page.routes import ROUTES
from app.page.routes.routing import MARK
from tests.app.page.conftest import PATIENCE, Page, Server, serving
from tests.memory.schema.gardener import GYM

KINDS = {400: "invalid", 401: "unauthenticated", 403: "forbidden", 404: "not_found", 405: "invalid", 415: "invalid"}

_BODIES: Mapping[str, dict[str, Any]] = {
    "POST /threads/{key}/messages": {"message": "What do you know about me?"},
    "POST /threads/{key}/decisions": {"decisions": [{"type": "approve"}]},
    "PATCH /memory/notes/{key}": {"pinned": True},
    "POST /memory/undo": {"entry": "{key}"},
    "PATCH /memory/profile": {"home_city": "Porto"},
    "PUT /memory/consent": {"paused": False},
    "POST /memory/clear": {"confirm": "eve"},
}
"""A valid body for each route that needs one."""


@pytest.fixture(scope="module")
def ana(server: Server) -> Iterator[Page]:
    """Yield the page of Ana, who has a note, a conversation and a forgotten note."""
    with server.page("ana") as page:
        page.say("ana-1", "I am vegetarian, please remember that.")
        list(page.events("/threads/ana-1/end"))
        page.say("ana-1", "I always want an aisle seat.")
        yield page


def _everything(page: Page) -> dict[str, Any]:
    paths = ("/memory", "/memory/journal", "/threads", "/threads/ana-1", "/trips")
    return {path: page.json(path) for path in paths}


def _named(route: Route, key: str) -> tuple[str, str]:
    (method,) = (route.methods or set()) - {"HEAD"}
    return method, route.path.replace("{key}", key)


def _sent(page: httpx.Client, route: Route, key: str) -> httpx.Response:
    method, path = _named(route, key)
    template = _BODIES.get(f"{method} {route.path}", {})
    body = {name: key if value == "{key}" else value for name, value in template.items()}
    answer = page.request(method, path, json=None if method == "GET" else body)
    if answer.status_code in KINDS:
        assert answer.json()["error"]["kind"] == KINDS[answer.status_code]
        assert answer.json()["error"]["message"]
    return answer


@pytest.mark.parametrize("route", [one for one in ROUTES if "{key}" in one.path or one.path == "/memory/undo"], ids=str)
def test_other_users_resources_look_like_missing_ones(server: Server, ana: Page, route: Route) -> None:
    before = _everything(ana)
    note, entry = before["/memory"]["notes"][0]["id"], before["/memory/journal"]["entries"][0]["id"]
    theirs, missing = (
        ("ana-1", "none") if "threads" in route.path else (entry, "none") if "undo" in route.path else (note, "none")
    )
    with server.page("eve") as eve:
        answer = _sent(eve, route, theirs)
        assert answer.status_code == (200 if route.path.endswith("/stop") else 404)
        if not route.path.endswith("/messages"):  # this route creates a conversation if there is none
            assert answer.text.replace(theirs, "") == _sent(eve, route, missing).text.replace(missing, "")
    assert _everything(ana) == before


def test_routes_without_a_key_show_only_data_of_the_caller(server: Server, ana: Page) -> None:
    before = _everything(ana)
    with server.page("eve") as eve:
        for route in ROUTES:
            if "{key}" in route.path or route.path in ("/events", "/memory/undo"):
                continue
            text = _sent(eve, route, "").text
            assert "I am vegetarian" not in text, route.path
            assert "ana-1" not in text, route.path
    assert _everything(ana) == before


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_request_from_another_page_is_rejected(server: Server, ana: Page, route: Route) -> None:
    before = _everything(ana)
    note = before["/memory"]["notes"][0]["id"]
    token = ana.cookies["concierge"]
    with httpx.Client(base_url=ana.base_url, timeout=PATIENCE) as stranger:
        assert _sent(stranger, route, note).status_code == 401
        stranger.cookies.set("concierge", f"{token[:-4]}AAAA")
        assert _sent(stranger, route, note).status_code == 401
    with server.page("ana", Origin="https://evil.example") as elsewhere:
        assert _sent(elsewhere, route, note).status_code == 403
    with server.page("ana", Host="evil.example") as rebound:
        assert _sent(rebound, route, note).status_code == 403
    if "GET" not in (route.methods or ()):
        with server.page("ana") as unmarked:
            del unmarked.headers[MARK]
            assert _sent(unmarked, route, note).status_code == 403
        as_form = ana.request(*_named(route, note), data={"confirm": "ana", "message": "Forget everything."})
        assert as_form.status_code == 415
    assert _everything(ana) == before


@pytest.mark.parametrize("header", ["Authorization", "X-Api-Key"])
def test_token_in_a_header_needs_no_mark(ana: Page, header: str) -> None:
    token = ana.cookies["concierge"]
    with httpx.Client(base_url=ana.base_url, timeout=PATIENCE) as client:
        client.headers[header] = f"Bearer {token}" if header == "Authorization" else token
        assert client.put("/memory/consent", json={"paused": False}).status_code == 200


@pytest.mark.parametrize("length", [{"Content-Length": str(30 * 2**20)}, {"Transfer-Encoding": "chunked"}], ids=str)
def test_oversized_body_is_rejected_before_it_is_read(ana: Page, length: dict[str, str]) -> None:
    asking = HTTPConnection(ana.base_url.host, ana.base_url.port, timeout=30)
    asking.putrequest("POST", "/app/api/memory/import")
    signed_in = {"Cookie": f"concierge={ana.cookies['concierge']}", MARK: "page", "Content-Type": "application/json"}
    for name, value in {**signed_in, **length}.items():
        asking.putheader(name, value)
    asking.endheaders()
    for _ in range(10 if "Transfer-Encoding" in length else 0):
        asking.send(b"100000\r\n" + b" " * 2**20 + b"\r\n")
    answer = asking.getresponse()  # although the body was never completed
    assert (answer.status, json.loads(answer.read())["error"]["kind"]) == (413, "too_large")
    asking.close()
    assert ana.json("/memory")["notes"]


@pytest.mark.parametrize("key", ["%00", "x%00y", "a%09b", "%20", "%E2%80%AE"])
def test_conversation_id_with_invisible_characters_is_rejected(ana: Page, key: str) -> None:
    before = ana.json("/threads")
    answer = ana.post(f"/threads/{key}/messages", json={"message": "hi"})
    assert (answer.status_code, answer.json()["error"]["kind"]) == (400, "invalid")
    assert "control or invisible" in answer.json()["error"]["message"]
    assert ana.json("/threads") == before


def test_invalid_field_of_a_body_is_named(ana: Page) -> None:
    before = _everything(ana)
    note = before["/memory"]["notes"][0]["id"]
    wrong: list[tuple[str, str, Any, str]] = [
        ("PATCH", f"/memory/notes/{note}", {"txt": "I am vegan"}, "txt"),
        ("PATCH", f"/memory/notes/{note}", {"claims": [{"attribute": 3, "value": "x"}]}, "claims.0.attribute"),
        ("PATCH", f"/memory/notes/{note}", {}, ""),
        ("PATCH", f"/memory/notes/{note}", {"text": "my card is 4111 1111 1111 1111"}, "text"),
        ("PATCH", f"/memory/notes/{note}", {"expires_at": "soon"}, "expires_at.date"),
        ("PATCH", "/memory/profile", {"currency": "Euro"}, "currency"),
        ("PATCH", "/memory/profile", [], ""),
        ("PUT", "/memory/consent", {"deny": ["nothing"]}, ""),
        ("PUT", "/memory/consent", {"deny": ["seat"], "allow": ["seat"]}, ""),
        ("POST", "/memory/clear", {"confirm": "Ana"}, "confirm"),
        ("POST", "/memory/import", {"format": "other"}, ""),
        ("POST", "/threads/ana-1/messages", {"message": ""}, "message"),
        ("POST", "/threads/ana-1/messages", {"message": "hi", "user_id": "eve"}, "user_id"),
        ("POST", "/threads/ana-1/messages", {"message": "hi", "memory_mode": "loud"}, "memory_mode"),
    ]
    for method, path, body, field in wrong:
        answer = ana.request(method, path, json=body)
        assert (answer.status_code, answer.json()["error"].get("field", "")) == (400, field), (path, body, answer.text)
    assert (
        ana.request("PATCH", "/memory/profile", content=b"{", headers={"Content-Type": "application/json"}).status_code
        == 400
    )
    for path in ("/memory/journal?limit=-1", "/memory/journal?limit=all", "/threads?limt=3"):
        assert ana.get(path).status_code == 400, path
    assert _everything(ana) == before


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/nothing", 404), ("DELETE", "/me", 405)])
def test_unknown_route_returns_a_json_error(ana: Page, method: str, path: str, status: int) -> None:
    answer = ana.request(method, path)
    assert (answer.status_code, answer.json()["error"]["kind"]) == (status, KINDS[status])
    assert "docs/routes.md" in answer.json()["error"]["message"]


_PAGE = (Path(__file__).parents[3] / "docs" / "routes.md").read_text(encoding="utf-8")
ROWS = {
    (method, path): (taken, answer)
    for method, path, taken, answer in re.findall(r"^\| `([A-Z]+) (\S+)` \| (.*?) \| (.*?) \|", _PAGE, re.MULTILINE)
}


def _parameters(route: Route) -> list[str]:
    """Return the parameters of a route by the names that a request uses."""
    _, *taken = signature(route.endpoint, eval_str=True).parameters.values()
    fields = [next((one for one in getattr(given.annotation, "__metadata__", ())), None) for given in taken]
    return [getattr(field, "alias", None) or given.name for given, field in zip(taken, fields, strict=True)]


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_document_lists_the_parameters_of_each_route(route: Route) -> None:
    parameters, _ = ROWS[_named(route, "{key}")]
    assert re.findall(r"`(\w+)`", parameters) == _parameters(route)


def test_document_lists_no_missing_route() -> None:
    assert list(ROWS) == [_named(route, "{key}") for route in ROUTES]


def test_document_lists_the_fields_of_each_answer(server: Server) -> None:
    with server.page("eve") as eve:
        eve.say("eve-1", "I am vegan, please remember that.")
        list(eve.events("/threads/eve-1/end"))
        note = eve.json("/memory")["notes"][0]["id"]
        for route in sorted(ROUTES, key=lambda one: ("clear" in one.path, "DELETE" in (one.methods or ()))):
            named = re.findall(r"`(\w+)`", ROWS[_named(route, "{key}")][1].partition(" or ")[0])
            entry = eve.json("/memory/journal")["entries"][0]["id"]
            key = entry if "undo" in route.path else note if "notes" in route.path else "eve-1"
            answer = _sent(eve, route, key) if named else None
            if answer and not route.path.endswith(("/import", "/restore")):
                assert set(named) <= answer.json().keys(), route


def test_document_lists_every_error_code() -> None:
    words = json.loads((Path(__file__).parents[3] / "app/page/static/words/en.json").read_text(encoding="utf-8"))
    kinds = {name.removeprefix("error.") for name in words if name.startswith("error.")}
    assert set(re.findall(r"^\| `(\w+)` \| \d", _PAGE, re.MULTILINE)) == kinds


def test_static_files_load_nothing_external_and_are_cached(server: Server, ana: Page) -> None:
    page = httpx.get(f"{server.url}/app")
    policy = dict(part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert {policy["script-src"], policy["style-src"], policy["connect-src"]} == {"'self'"}
    (script,) = re.findall(r'<script type="module" src="([^"]+)"></script>', page.text)
    first = httpx.get(server.url + script)
    again = httpx.get(server.url + script, headers={"If-None-Match": first.headers["etag"]})
    assert (first.headers["cache-control"], again.status_code) == ("no-cache", 304)
    for answer in (page, first, ana.get("/me")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
    assert ana.get("/me").headers["cache-control"] == "no-store"


def test_profile_has_the_fields_of_the_schema(tmp_path: Path) -> None:
    with serving(tmp_path, schema=GYM) as server, server.page("ana") as page:
        page.change("PATCH", "/memory/profile", goal="strength")
    with serving(tmp_path) as server, server.page("ana") as page:
        edited = page.change("PATCH", "/memory/profile", home_city="Porto")["profile"]
        assert page.json("/memory")["profile"] == edited
        assert edited["home_city"] == "Porto"
        assert "goal" not in edited
