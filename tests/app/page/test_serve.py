"""`concierge serve`: the page in one command."""

from __future__ import annotations

import re
import signal
import subprocess

import httpx
import pytest

from app.page.routes.asked import MARK
from tests.app.commandline import COMMAND, CommandLine


@pytest.mark.slow
def test_the_page_comes_up_signed_in_and_goes_down_with_all_that_was_said(concierge: CommandLine) -> None:
    command = [COMMAND, "serve", "--port", "0", "--user", "ana", "--no-browser"]
    with subprocess.Popen(
        command,
        env=concierge.env({}),
        cwd=concierge.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout
        found = re.search(r"(http://127\.0\.0\.1:(\d+))/app#token=(\S+)", process.stdout.readline())
        assert found
        url, port, token = found.groups()
        with httpx.Client(base_url=url, headers={MARK: "page"}, timeout=60) as page:
            assert page.get("/app/api/me").status_code == 401
            assert page.post("/app/session", json={"token": token}).status_code == 204
            assert page.get("/app/api/me").json()["user_id"] == "ana"
            page.post("/app/api/threads/t/messages", json={"message": "I am vegetarian, please remember that."})
            html = page.get("/app")
            for path in re.findall(r'(?:href|src)="(/[^"]+)"', html.text):
                assert page.get(path).status_code == 200, path
        taken = concierge("serve", "--port", port, "--no-browser")
        assert (taken.code, "--port" in taken.err) == (1, True), taken.err
        with httpx.stream("GET", f"{url}/app/api/events", headers={"Authorization": f"Bearer {token}"}):
            process.send_signal(signal.SIGINT)  # a page that is open keeps nothing from ending
            assert process.wait(30) == 0
        assert token not in process.stdout.read()
    told = concierge("sessions", "history", "--thread", "t", "--user", "ana")
    assert "I am vegetarian" in told.out


def test_others_are_served_only_with_a_key(concierge: CommandLine) -> None:
    refused = concierge("serve", "--host", "0.0.0.0", "--port", "0", "--no-browser")
    assert (refused.code, "CONCIERGE_AUTH_KEY" in refused.err) == (1, True), refused.err
