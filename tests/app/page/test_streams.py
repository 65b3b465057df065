"""Streams that end early, and those that listen."""

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
    """A model's step that takes until it is let go; `began` is set once it is asked."""

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
    """Ana's page, over a model that thinks until it is let go, and then answers at once."""
    models = {"agent": scripted(thinking, AIMessage("Hello again."))}
    with serving(tmp_path, models=models) as server, server.page("ana") as page:
        yield page
        thinking.go_on.set()


def _leave_early(page: Page, thinking: Thinking) -> None:
    """Say something and leave while the model thinks."""
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


def test_who_only_leaves_can_have_the_answer_later(page: Page, thinking: Thinking) -> None:
    _leave_early(page, thinking)
    assert page.json("/threads/t")["unfinished"]
    *_, reply = page.events("/threads/t/decisions")
    assert reply["reply"] == "Hello again."
    told = page.json("/threads/t")
    assert [entry["text"] for entry in told["entries"]] == ["Hello, I am here.", "Hello again."]
    assert not told["unfinished"]


def test_a_listener_hears_of_its_own_memory_alone(server: Server) -> None:
    with server.page("ana") as ana, server.page("eve") as eve, ana.stream("GET", "/events") as heard:
        lines = heard.iter_lines()
        assert next(lines).startswith(":")
        eve.change("PATCH", "/memory/profile", home_city="Bern")
        ana.change("PUT", "/memory/consent", paused=True)
        told = json.loads(next(line for line in lines if line.startswith("data: ")).removeprefix("data: "))
        assert told == {"type": "memory", "event": "memory.changed"}
        (entry,) = ana.json("/memory/journal")["entries"]
        assert entry["changes"][0]["kind"] == "consent"
