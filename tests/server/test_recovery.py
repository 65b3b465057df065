"""A server that is killed or stopped in the middle of a turn: it finishes the turn in time, or the next server does."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from httpx import HTTPStatusError
from langgraph_sdk.client import LangGraphClient

from tests.server.dev import ANA, checkout, langgraph_dev, signed_in, token_of

pytestmark = pytest.mark.slow


async def begin(client: LangGraphClient, thread_id: str, text: str) -> None:
    """Send a message and disconnect once the turn has begun."""
    given: dict[str, Any] = {"messages": text}
    parts = client.runs.stream(
        thread_id, "concierge", input=given, stream_mode="updates", if_not_exists="create", durability="sync"
    )
    async for part in parts:
        if part.event == "updates":
            return


async def go_on(client: LangGraphClient, thread_id: str, given: Any = None) -> dict[str, Any]:
    done = await client.runs.wait(thread_id, "concierge", input=given, if_not_exists="create")
    assert isinstance(done, dict)
    return done


def said(state: dict[str, Any]) -> list[str]:
    return [str(message["content"]) for message in state["messages"] if message["type"] == "human"]


async def notes_of(url: str, data_dir: Path, user: str) -> list[str]:
    bearer = {"Authorization": f"Bearer {token_of(data_dir, user)}"}
    async with httpx.AsyncClient(base_url=url, headers=bearer) as http:
        return [str(note["text"]) for note in (await http.get("/app/api/memory")).json()["notes"]]


async def test_interrupted_turn_is_finished_once(tmp_path: Path) -> None:
    folder, data_dir, thread_id = checkout(tmp_path / "checkout"), tmp_path / "data", str(uuid4())
    first, second, third = "I'm vegetarian.", "I always want an aisle seat.", "Hello again."
    with langgraph_dev(folder, data_dir, end=signal.SIGKILL) as url:
        async with signed_in(url, data_dir) as ana:
            await begin(ana, thread_id, first)

    with langgraph_dev(folder, data_dir, end=signal.SIGTERM, stop_timeout="0") as url:
        async with signed_in(url, data_dir) as ana, signed_in(url, data_dir, "eve") as eve:
            for claim in (
                eve.threads.create(thread_id=thread_id, if_exists="do_nothing"),
                eve.runs.create(thread_id, "concierge", input={"messages": "hello"}, if_not_exists="create"),
            ):
                with pytest.raises(HTTPStatusError, match="There is no thread"):
                    await claim
            state = await go_on(ana, thread_id)
            assert said(state) == [first]
            assert state["messages"][-1]["type"] == "ai"
            await begin(ana, thread_id, second)

    with langgraph_dev(folder, data_dir, end=signal.SIGTERM) as url:
        async with signed_in(url, data_dir) as ana:
            state = await go_on(ana, thread_id)
            assert said(state) == [first, second]
            assert state["messages"][-1]["type"] == "ai"
            await begin(ana, thread_id, third)

    with langgraph_dev(folder, data_dir) as url:
        async with signed_in(url, data_dir) as ana:
            snapshot: Any = await ana.threads.get_state(thread_id)
            assert (said(snapshot["values"]), snapshot["next"]) == ([first, second, third], [])
            await go_on(ana, thread_id, {"end_session": True})
        assert sorted(await notes_of(url, data_dir, ANA)) == [second[:-1], first[:-1]]
