"""JSON logs of a conversation: events and durations, but no names and no messages."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator, Sequence

import pytest
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.tools import tool

from app.api.opening import open_concierge
from app.logs import configure_logs
from config.settings import load_settings
from tests.scripted import calls, scripted

USER, THREAD = "anabella@example.com", "rendezvous with anabella"
WORDS = ("marzipan", "anabella", "example.com", "rendezvous", "s3cr3t", "quokka")


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """Capture the JSON log of every level."""
    root, out = logging.getLogger(), io.StringIO()
    before, level = root.handlers[:], root.level
    try:
        configure_logs(load_settings(log_format="json"), out)
        root.setLevel(logging.DEBUG)
        yield out
    finally:
        root.handlers[:] = before
        root.setLevel(level)


@tool
def weigh(what: str) -> str:
    """Weigh something."""
    raise RuntimeError(f"{what} by {USER} at http://ana:s3cr3t@host/")


def answer(messages: Sequence[BaseMessage]) -> AIMessage:
    if isinstance(messages[-1], ToolMessage):
        return AIMessage("marzipan")
    if "quokka" in str(messages[-1].text):
        raise RuntimeError("quokka s3cr3t")
    return calls("weigh", "one", what="marzipan")


async def test_logs_contain_no_personal_text(stream: io.StringIO) -> None:
    settings = load_settings(log_format="json", model_provider="offline")
    async with open_concierge(settings, models={"agent": scripted(answer)}, tools=[weigh]) as concierge:
        reply = await concierge.send("I love marzipan", user_id=USER, thread_id=THREAD)
        await concierge.send("a quokka", user_id=USER, thread_id=THREAD)
        await concierge.end_session(user_id=USER, thread_id=THREAD)
    logging.getLogger("httpx").info(f"GET http://ana:s3cr3t@host/{USER}")
    logging.getLogger("uvicorn.access").warning('%s - "%s %s" %d', "127.0.0.1", "GET", f"/threads/{USER}", 200)
    logging.getLogger("nodes").error("failed on %(what)s", {"what": USER}, exc_info=ValueError(USER))

    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line for line in lines if any(word in json.dumps(line) for word in WORDS)] == []
    runs = [line for line in lines if line["event"] == "run"]
    assert (runs[0]["run_id"], runs[0]["stop_reason"]) == (reply.run_id, "answered")
    assert (runs[0]["tools"], runs[0]["milliseconds"] >= 0) == (["weigh failed"], True)
    assert [run["stop_reason"] for run in runs[1:]] == ["model_error", "session_ended"]
    assert len({run["thread"] for run in runs}) == 1
    failed = next(line for line in lines if line["event"] == "a tool failed")
    assert (failed["error"]["class"], "test_logs.py" in failed["error"]["raised_at"][-1]) == ("RuntimeError", True)
    assert [line["event"] for line in lines if line["logger"] == "httpx"] == [""]
    access = next(line for line in lines if line["logger"] == "uvicorn.access")
    assert access["event"].endswith("200")


def test_logging_is_unchanged_unless_configured() -> None:
    before = logging.getLogger().handlers[:]
    configure_logs(load_settings())
    assert logging.getLogger().handlers == before
