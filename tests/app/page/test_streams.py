"""Streams that end early, and event listeners."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from tests.app.page.conftest import Page, Server, serving
from tests.scripted import scripted


class Thinking:
    """A model step that blocks until it is released; `began` is set when it is called."""

    def __init__(self) -> None:
        self.began, self.go_on = Event(), Event()

    def __call__(self, messages: Sequence[BaseMessage]) -> AIMessage:
        self.began.set()
        assert self.go_on.wait(30)
        return AIMessage("Here I am, late.")


@pytest.fixture
def thinking() -> Thinking:
    return Thinking()


@pytest.fixture
def page(tmp_path: Path, thinking: Thinking) -> Iterator[Page]:
    """Yield Ana's page, with a model that blocks until it is released, and then answers at once."""
    models = {"agent": scripted(thinking, AIMessage("Hello again."))}
    with serving(tmp_path, models=models) as server, server.page("ana") as page:
        yield page
        thinking.go_on.set()


def _leave_early(page: Page, thinking: Thinking) -> None:
    """Send a message and disconnect while the model is blocked."""
    with page.stream("POST", "/threads/t/messages", json={"message": "Hello, I am here."}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert thinking.began.wait(30)


def test_stop_takes_the_message_back(page: Page, thinking: Thinking) -> None:
    _leave_early(page, thinking)
    assert page.change("POST", "/threads/t/stop") == {"message": "Hello, I am here.", "waiting": None}
    assert page.json("/threads/t")["entries"] == []
    assert page.say("t", "And now?")["reply"] == "Hello again."
    assert [entry["text"] for entry in page.json("/threads/t")["entries"]] == ["And now?", "Hello again."]
    assert page.change("POST", "/threads/t/stop") == {"message": None, "waiting": None}


def test_answer_is_kept_for_a_client_that_disconnects(page: Page, thinking: Thinking) -> None:
    _leave_early(page, thinking)
    assert page.json("/threads/t")["unfinished"]
    *_, reply = page.events("/threads/t/decisions")
    assert reply["reply"] == "Hello again."
    data = page.json("/threads/t")
    assert [entry["text"] for entry in data["entries"]] == ["Hello, I am here.", "Hello again."]
    assert not data["unfinished"]


def test_listener_receives_only_events_of_its_own_memory(server: Server) -> None:
    with server.page("ana") as ana, server.page("eve") as eve, ana.stream("GET", "/events") as heard:
        lines = heard.iter_lines()
        assert next(lines).startswith(":")
        eve.change("PATCH", "/memory/profile", home_city="Bern")
        ana.change("PUT", "/memory/consent", paused=True)
        data = json.loads(next(line for line in lines if line.startswith("data: ")).removeprefix("data: "))
        assert data == {"type": "memory", "event": "memory.changed"}
        (entry,) = ana.json("/memory/journal")["entries"]
        assert entry["changes"][0]["kind"] == "consent"
