"""`concierge serve` serves the page."""

from __future__ import annotations

import re
import signal
import subprocess
from typing import Any

import httpx
import pytest

from app.page.routes.routing import MARK
from tests.app.commandline import COMMAND, CommandLine
from tests.openai_server import OpenAIServer, Reply, openai_server
from tests.processes import running

__all__ = ["openai_server"]


@pytest.mark.slow
def test_page_opens_signed_in_and_shutdown_keeps_the_conversation(concierge: CommandLine) -> None:
    command = [COMMAND, "serve", "--port", "0", "--user", "ana", "--no-browser"]
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with running(command, env=concierge.env({}), cwd=concierge.folder, **streams) as process:
        assert process.stdout
        match = re.search(r"(http://127\.0\.0\.1:(\d+))/app#token=(\S+)", process.stdout.readline())
        assert match
        url, port, token = match.groups()
        with httpx.Client(base_url=url, headers={MARK: "page"}, timeout=60) as page:
            assert page.get("/app/api/me").status_code == 401
            assert page.post("/app/session", json={"token": token}).status_code == 204
            assert page.get("/app/api/me").json()["user_id"] == "ana"
            page.post("/app/api/threads/t/messages", json={"message": "I am vegetarian, please remember that."})
            html = page.get("/app")
            for path in re.findall(r'(?:href|src)="(/[^"]+)"', html.text):
                assert page.get(path).status_code == 200, path
        second = concierge("serve", "--port", port, "--no-browser")
        assert (second.code, "--port" in second.err) == (1, True), second.err
        with httpx.stream("GET", f"{url}/app/api/events", headers={"Authorization": f"Bearer {token}"}):
            process.send_signal(signal.SIGINT)  # an open page does not delay the shutdown
            assert process.wait(30) == 0
        assert token not in process.stdout.read()
    outcome = concierge("sessions", "history", "--thread", "t", "--user", "ana")
    assert "I am vegetarian" in outcome.out


@pytest.mark.slow
def test_shutdown_finishes_the_running_turn_and_starts_no_other(
    concierge: CommandLine, openai_server: OpenAIServer
) -> None:
    openai_server.script(Reply("Here I am, late.", together=2))
    endpoint = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": openai_server.url, "CONCIERGE_EPISODES": "off"}
    command = [COMMAND, "serve", "--port", "0", "--user", "ana", "--no-browser"]
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "text": True}
    with running(command, env=concierge.env(endpoint), cwd=concierge.folder, **streams) as process:
        assert process.stdout
        match = re.search(r"(http://127\.0\.0\.1:\d+)/app#token=(\S+)", process.stdout.readline())
        assert match
        url, token = match.groups()
        with (
            httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60) as page,
            page.stream("GET", "/app/api/events") as heard,
            page.stream("POST", "/app/api/threads/t/messages", json={"message": "Hello, I am here."}) as answer,
        ):
            assert openai_server.arrived.wait(60)
            process.send_signal(signal.SIGTERM)
            while page.get("/readyz").status_code == 200:
                pass
            refused = page.post("/app/api/threads/u/messages", json={"message": "Me too."})
            assert (refused.status_code, "retry-after" in refused.headers) == (503, True)
            assert page.get("/healthz").status_code == 200
            openai_server.hold(Reply(together=2))
            assert '"reply":"Here I am, late."' in answer.read().decode()
            assert heard.read()  # to its end
        assert process.wait(30) == 0
    outcome = concierge("sessions", "history", "--thread", "t", "--user", "ana")
    assert "Here I am, late." in outcome.out


def test_serving_other_machines_requires_a_key(concierge: CommandLine) -> None:
    refused = concierge("serve", "--host", "0.0.0.0", "--port", "0", "--no-browser")
    assert (refused.code, "CONCIERGE_AUTH_KEY" in refused.err) == (1, True), refused.err
