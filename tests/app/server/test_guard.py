"""The guard of every request: the user, the origin, the host, and the size of the body."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from app.api.opening import open_concierge
from app.auth.tokens import Tokens
from app.server.app import create_app
from config.settings import Settings

KEY = "a-key-of-more-than-32-characters-for-tests"
MakeSettings = Callable[..., Settings]
HERE = "http://localhost:8000"


async def _say(request: Request) -> JSONResponse:
    body = await request.body()
    return JSONResponse({"user": request.user.identity, "bytes": len(body)})


@asynccontextmanager
async def _serving(
    settings: Settings, *, client: str = "127.0.0.1"
) -> AsyncIterator[tuple[httpx.AsyncClient, Starlette]]:
    app = create_app(settings, partial(open_concierge, settings))
    app.router.routes[:0] = [
        Route(path, _say, methods=["GET", "POST"]) for path in ("/threads", "/deploy", "/app/api/me")
    ]
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, client=(client, 1))
        async with httpx.AsyncClient(transport=transport, base_url=HERE) as http:
            yield http, app


async def test_only_a_signed_in_user_at_this_host_is_accepted(make_settings: MakeSettings) -> None:
    settings = make_settings(
        auth_key=KEY, allowed_hosts="travel.example.com", allowed_origins="https://chat.example.com"
    )
    mine = {"Authorization": f"Bearer {Tokens(settings).mint('ana')}"}
    cookie = {"Cookie": f"concierge={Tokens(settings).mint('bob')}"}
    json = {"Content-Type": "application/json"}
    cases: list[tuple[str, str, dict[str, str], bytes, int]] = [
        ("GET", "/threads", {}, b"", 401),
        ("GET", "/threads", mine, b"", 200),
        ("GET", "/threads", {"Authorization": "Basic YTpi"}, b"", 401),
        ("GET", "/threads", {"X-Auth-Scheme": "langsmith", "X-Api-Key": "any"}, b"", 401),
        ("GET", "/threads", cookie, b"", 401),
        ("GET", "/app/api/me", cookie, b"", 200),
        ("GET", "/app/api/me", {}, b"", 401),
        ("GET", "/deploy", mine, b"", 404),
        ("GET", "/healthz", {"Host": "10.0.0.7"}, b"", 200),
        ("GET", "/readyz", {"Host": "10.0.0.7"}, b"", 200),
        ("GET", "/threads", {**mine, "Host": "evil.example.com"}, b"", 403),
        ("GET", "/threads", {**mine, "Host": "localhost.evil.example.com"}, b"", 403),
        ("GET", "/threads", {**mine, "Host": "TRAVEL.example.com:443"}, b"", 200),
        ("GET", "/threads", {**mine, "Host": ""}, b"", 403),
        ("GET", "/threads", {**mine, "Host": "[::1]:8000"}, b"", 200),
        ("GET", "/threads", {**mine, "Host": "[::1"}, b"", 403),
        ("GET", "/threads", {**mine, "Host": "localhost@evil.example.com"}, b"", 403),
        ("GET", "/threads", {**mine, "Origin": "http://[::1"}, b"", 403),
        ("GET", "/threads", {**mine, "Origin": "https://localhost:8000@evil.example.com"}, b"", 403),
        ("GET", "/threads", {"X-Api-Key": mine["Authorization"].split()[1]}, b"", 200),
        ("POST", "/threads", {**mine, **json, "Origin": HERE}, b"{}", 200),
        ("POST", "/threads", {**mine, **json, "Origin": "https://chat.example.com"}, b"{}", 200),
        ("POST", "/threads", {**mine, **json, "Origin": "http://localhost:9999"}, b"{}", 403),
        ("POST", "/threads", {**mine, **json, "Origin": "https://evil.example.com"}, b"{}", 403),
        ("POST", "/threads", {**mine, **json, "Origin": "null"}, b"{}", 403),
        ("POST", "/app/api/me", {**cookie, **json, "Origin": "https://evil.example.com"}, b"{}", 403),
        ("POST", "/threads", {**mine, "Content-Type": "text/plain"}, b"{}", 415),
        ("POST", "/threads", {**mine, "Content-Type": "application/x-www-form-urlencoded"}, b"a=b", 415),
        ("POST", "/threads", mine, b"{}", 415),
        ("POST", "/threads", mine, b"", 200),
        ("POST", "/threads", {**mine, **json}, b" " * 10_000_000, 413),
    ]  # fmt: skip
    async with _serving(settings) as (http, _):
        wrong = []
        for method, path, headers, body, status in cases:
            answer = await http.request(method, path, headers=headers, content=body)
            if answer.status_code != status or "*" in answer.headers.get("access-control-allow-origin", ""):
                wrong.append((method, path, headers, status, answer.status_code, answer.headers))
            assert answer.headers["x-content-type-options"] == "nosniff"
        assert wrong == []
        answer = await http.get("/threads", headers=mine)
        assert answer.json() == {"user": "ana", "bytes": 0}


async def test_body_without_a_length_is_cut_off_at_the_limit(make_settings: MakeSettings) -> None:
    settings = make_settings(auth_key=KEY)
    taken: list[int] = []

    async def endless() -> AsyncIterator[bytes]:
        while True:
            taken.append(1)
            yield b" " * 2**20

    headers = {"Authorization": f"Bearer {Tokens(settings).mint('ana')}", "Content-Type": "application/json"}
    async with _serving(settings) as (http, _):
        answer = await http.post("/threads", headers=headers, content=endless())
    assert answer.status_code == 413
    assert len(taken) < 12


async def test_only_configured_origins_may_send_requests(make_settings: MakeSettings) -> None:
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}
    given: dict[str, Any] = {"allowed_origins": "https://chat.example.com", "auth_key": KEY}
    for origin, settings in (("https://chat.example.com", make_settings(**given)), (HERE, make_settings(auth_key=KEY))):
        async with _serving(settings) as (http, _):
            allowed = await http.options("/threads", headers={"Origin": origin, **asked})
            evil = await http.options("/threads", headers={"Origin": "https://evil.example.com", **asked})
        named = origin if settings.allowed_origins else None
        assert allowed.headers.get("access-control-allow-origin") == named
        assert evil.headers.get("access-control-allow-origin") is None


async def test_development_server_serves_only_its_own_machine(make_settings: MakeSettings) -> None:
    settings = make_settings()
    mine = {"Authorization": f"Bearer {Tokens(settings).mint('ana')}"}
    async with _serving(settings) as (http, _):
        assert (await http.get("/threads", headers=mine)).status_code == 200
    async with _serving(settings, client="192.168.1.7") as (http, _):
        answer = await http.get("/threads", headers=mine)
        assert (answer.status_code, "CONCIERGE_AUTH_KEY" in answer.text) == (403, True)
        assert (await http.get("/healthz")).status_code == 200


@pytest.mark.slow
async def test_valid_token_is_accepted_after_ten_thousand_invalid_ones(make_settings: MakeSettings) -> None:
    settings = make_settings(auth_key=KEY)
    good = Tokens(settings).mint("ana")
    async with _serving(settings) as (http, _):
        for number in range(10_000):
            answer = await http.get("/threads", headers={"Authorization": f"Bearer {good[:-6]}{number:06d}"})
            assert answer.status_code == 401
        assert (await http.get("/threads", headers={"Authorization": f"Bearer {good}"})).status_code == 200


async def test_page_signs_in_with_a_cookie_that_scripts_cannot_read(make_settings: MakeSettings) -> None:
    settings = make_settings(auth_key=KEY)
    token = Tokens(settings).mint("ana")
    async with _serving(settings) as (http, app):
        assert (await http.post("/app/session", json={"token": token + "a"})).status_code == 401
        assert (await http.post("/app/session", json=[])).status_code == 401
        answer = await http.post("/app/session", json={"token": token})
        assert answer.status_code == 204
        cookie = answer.headers["set-cookie"].lower()
        assert all(part in cookie for part in ("httponly", "samesite=strict", "path=/app"))
        assert (await http.get("/app/api/me")).json()["user"] == "ana"
        assert "default-src 'none'" in (await http.get("/app/api/me")).headers["content-security-policy"]
        await http.delete("/app/session")
        assert (await http.get("/app/api/me")).status_code == 401
        assert (await http.get("/readyz")).status_code == 200
        app.state.concierge = None
        assert (await http.get("/readyz")).status_code == 503


@pytest.fixture(autouse=True)
def _no_travel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCIERGE_TRAVEL", "off")
