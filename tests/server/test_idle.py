"""A server consolidates an idle session without a client: once, for every kind of run, and after a crash."""

from __future__ import annotations

import asyncio
import signal
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import httpx
import pytest
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import NotFoundError

from tests.server.dev import checkout, langgraph_dev, signed_in, token_of

pytestmark = pytest.mark.slow

IDLE = timedelta(seconds=3)
MINUTES = "0.05"
TURN = timedelta(seconds=1)
"""The time of a session's last use is stored before its turn is over."""

_PATIENCE = 60.0


async def _send(client: LangGraphClient, thread_id: str, text: str, **more: Any) -> str:
    """Send `text` in the conversation and return the answer."""
    given: dict[str, Any] = {"messages": [{"role": "user", "content": text}]}
    done = await client.runs.wait(thread_id, "concierge", input=given, **more)
    assert isinstance(done, dict)
    return str(done["messages"][-1]["content"])


async def _values(client: LangGraphClient, thread_id: str) -> dict[str, Any]:
    try:
        return cast(dict[str, Any], (await client.threads.get_state(thread_id))["values"])
    except NotFoundError:  # a server that was killed may have lost the thread's record, so it is created again
        return {}


async def _ended(client: LangGraphClient, thread_id: str) -> Any:
    """Return the state of a conversation once its session has ended."""
    deadline = time.monotonic() + _PATIENCE
    while "sessions" not in await _values(client, thread_id):
        assert time.monotonic() < deadline, "the idle session did not end"
        await asyncio.sleep(0.1)
    return await client.threads.get_state(thread_id)


async def _knows(client: LangGraphClient) -> str:
    thread = await client.threads.create()
    return (await _send(client, thread["thread_id"], "What do you know about me?")).lower()


async def _ends_by_itself_once(client: LangGraphClient, page: httpx.AsyncClient) -> None:
    """Check that a session ends after its last message, not before, and without a request."""
    thread_id = (await client.threads.create())["thread_id"]
    await _send(client, thread_id, "I'm vegetarian.")
    await page.post(f"/threads/{thread_id}/messages", json={"message": "I always want an aisle seat."})
    spoken = await client.threads.get_state(thread_id)
    ended = await _ended(client, thread_id)
    state = ended["values"]
    assert (state["sessions"], state["turns"], state["session_notes"]) == (1, 2, [])
    assert [done["op"] for done in state["report"]["consolidated"]] == ["ADD", "ADD"]
    last, end = (datetime.fromisoformat(str(one["created_at"])) for one in (spoken, ended))
    assert end - last >= IDLE - TURN
    known = await _knows(client)
    assert "vegetarian" in known
    assert "aisle" in known


async def test_idle_session_ends_once_and_also_after_a_kill(tmp_path: Path) -> None:
    folder, data_dir = checkout(tmp_path / "checkout"), tmp_path / "data"
    thread_id, on_page = str(uuid4()), str(uuid4())
    with langgraph_dev(folder, data_dir, end=signal.SIGKILL, session_idle_minutes="60") as url:
        async with signed_in(url, data_dir) as client:
            await _send(client, thread_id, "I'm vegetarian.", if_not_exists="create")

    with langgraph_dev(folder, data_dir, session_idle_minutes=MINUTES) as url:
        bearer = {"Authorization": f"Bearer {token_of(data_dir, 'bo')}"}
        page = httpx.AsyncClient(base_url=f"{url}/app/api", headers=bearer, timeout=_PATIENCE)
        async with signed_in(url, data_dir) as client, signed_in(url, data_dir, "bo") as bo, page:
            answer = await page.post(f"/threads/{on_page}/messages", json={"message": "I am allergic to peanuts."})
            assert '"type":"reply"' in answer.text, answer.text
            await client.threads.create(thread_id=thread_id, graph_id="concierge", if_exists="do_nothing")
            state = (await _ended(client, thread_id))["values"]
            assert (state["sessions"], state["turns"]) == (1, 1)
            assert [done["op"] for done in state["report"]["consolidated"]] == ["ADD"]
            assert "vegetarian" in await _knows(client)
            await _ends_by_itself_once(bo, page)
            assert "peanuts" in await _knows(bo)
            assert "aisle" not in await _knows(client)
            (kept,) = (one for one in (await page.get("/memory")).json()["notes"] if "peanuts" in one["text"])
            assert kept["evidence"][0]["thread_id"] == on_page
