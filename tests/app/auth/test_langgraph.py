"""The authorisation of a LangGraph server for threads that the server cannot read."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memory.records.conversations import conversations_of
from stores.lifespan import checkpointer_lifespan, store_lifespan
from tests.app.commandline import CommandLine


def _damage(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "checkpoints.sqlite")) as db, db:
        db.execute("UPDATE checkpoints SET checkpoint = ?", (b"torn",))


async def _delete(user: str, thread: str) -> list[str]:
    """Delete a thread as this user; return the ids of the user's remaining threads."""
    from app.auth import langgraph

    delete: Any = langgraph.delete_own  # the server passes both arguments by position
    context = SimpleNamespace(user=SimpleNamespace(identity=user))
    async with store_lifespan() as store, checkpointer_lifespan():
        assert await delete(context, {"thread_id": thread}) == {"owner": user}
        return [one.thread_id for one in await conversations_of(store, user)]


def test_damaged_thread_can_be_deleted_by_its_owner_only(
    concierge: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    concierge.say("ana", "t", "hello")
    _damage(concierge.data_dir)
    monkeypatch.setenv("CONCIERGE_DATA_DIR", str(concierge.data_dir))
    monkeypatch.setenv("CONCIERGE_EMBEDDER", "none")
    assert asyncio.run(_delete("eve", "t")) == []
    assert asyncio.run(_threads("ana")) == ["t"]
    assert asyncio.run(_delete("ana", "t")) == []


async def _threads(user: str) -> list[str]:
    async with store_lifespan() as store:
        return [one.thread_id for one in await conversations_of(store, user)]
