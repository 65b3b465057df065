"""A session that goes idle on a server is consolidated without a client: once, put off by a message, after a crash."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import pytest
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import NotFoundError

from tests.server.dev import checkout, langgraph_dev, signed_in

pytestmark = pytest.mark.slow

IDLE = timedelta(seconds=3)
MINUTES = "0.05"
OPERATOR = """
from app.auth.langgraph import auth, use_own


async def see_all(ctx, value):
    return None if ctx.user.identity == "operator" else await use_own(ctx=ctx, value=value)


auth._handlers["threads", "search"] = [see_all]
"""
"""The rules of the server, and somebody who sees the threads of all, those of its helper too."""
_PATIENCE = 60.0


async def _say(client: LangGraphClient, thread_id: str, text: str, **more: Any) -> str:
    """Says `text` in the conversation and gives the answer."""
    given: dict[str, Any] = {"messages": [{"role": "user", "content": text}]}
    done = await client.runs.wait(thread_id, "concierge", input=given, **more)
    assert isinstance(done, dict)
    return str(done["messages"][-1]["content"])


async def _until(found: Callable[[], Awaitable[bool]], what: str) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not await found():
        assert time.monotonic() < deadline, f"{what} did not happen"
        await asyncio.sleep(0.1)  # between two looks at a condition


async def _values(client: LangGraphClient, thread_id: str) -> dict[str, Any]:
    try:
        return cast(dict[str, Any], (await client.threads.get_state(thread_id))["values"])
    except NotFoundError:  # a server that was killed may have lost the thread's record, and makes it anew
        return {}


async def _until_ended(client: LangGraphClient, thread_id: str) -> None:
    async def ended() -> bool:
        return "sessions" in await _values(client, thread_id)

    await _until(ended, "the end of the idle session")


async def _until_nothing_waits(operator: LangGraphClient) -> None:
    async def at_rest() -> bool:
        waiting = await operator.threads.search(metadata={"graph_id": "idle"}, status="busy")
        return not waiting

    assert await operator.threads.search(metadata={"graph_id": "idle"})
    await _until(at_rest, "the last look at the session")


def _observed(folder: Path) -> Path:
    """A checkout whose server lets an operator see all threads."""
    named = json.loads((checkout(folder) / "langgraph.json").read_text())
    (folder / "langgraph.json").unlink()
    (folder / "langgraph.json").write_text(json.dumps({**named, "auth": {"path": "./observed.py:auth"}}))
    (folder / "observed.py").write_text(OPERATOR)
    return folder


async def _knows(client: LangGraphClient) -> str:
    thread = await client.threads.create()
    return (await _say(client, thread["thread_id"], "What do you know about me?")).lower()


async def _ends_by_itself_once(client: LangGraphClient, operator: LangGraphClient) -> None:
    """A session is ended after its last message, and only then, without anybody asking for it."""
    thread_id = (await client.threads.create())["thread_id"]
    await _say(client, thread_id, "I'm vegetarian.")
    assert (await client.threads.get(thread_id))["status"] == "idle"
    await _say(client, thread_id, "I always want an aisle seat.", multitask_strategy="reject")
    await _until_ended(client, thread_id)
    await _until_nothing_waits(operator)

    state = await _values(client, thread_id)
    assert (state["sessions"], state["turns"], state["session_notes"]) == (1, 2, [])
    assert [done["op"] for done in state["report"]["consolidated"]] == ["ADD", "ADD"]
    ending, newer, _ = await client.runs.list(thread_id)
    begun = [datetime.fromisoformat(cast(str, run["created_at"])) for run in (newer, ending)]
    assert begun[1] - begun[0] >= IDLE
    known = await _knows(client)
    assert "vegetarian" in known
    assert "aisle" in known


async def test_a_session_ends_by_itself_once_and_after_a_kill_when_the_server_is_back(tmp_path: Path) -> None:
    folder, data_dir = _observed(tmp_path / "checkout"), tmp_path / "data"
    thread_id = str(uuid4())
    with langgraph_dev(folder, data_dir, end=signal.SIGKILL, session_idle_minutes="60") as url:
        async with signed_in(url, data_dir) as client:
            await _say(client, thread_id, "I'm vegetarian.", if_not_exists="create")

    with langgraph_dev(folder, data_dir, session_idle_minutes=MINUTES) as url:
        operator = signed_in(url, data_dir, "operator")
        async with operator, signed_in(url, data_dir) as client, signed_in(url, data_dir, "bo") as bo:
            await _until_ended(client, thread_id)
            await _until_nothing_waits(operator)
            state = await _values(client, thread_id)
            assert (state["sessions"], state["turns"]) == (1, 1)
            assert [done["op"] for done in state["report"]["consolidated"]] == ["ADD"]
            assert "vegetarian" in await _knows(client)
            await _ends_by_itself_once(bo, operator)
            assert "aisle" not in await _knows(client)
            assert {(thread["metadata"] or {})["graph_id"] for thread in await bo.threads.search()} == {"concierge"}
