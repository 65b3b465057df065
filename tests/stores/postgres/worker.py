"""One of several processes that share a store. Run with a task, a user, its own name, and the location of the store."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path

from app.api.opening import open_concierge
from config.settings import Settings, load_settings
from memory.records.journal import Change, Step
from memory.records.notes import Note, note_id
from memory.records.repository import UserMemory
from stores.lifespan import open_store
from stores.locks import exclusive_lock
from tests.samples import note

STEPS = 50


def _now() -> datetime:
    return datetime.now(UTC)


def noted(name: str, place: int) -> Note:
    """Return the note that the process `name` writes in its step `place`."""
    return note(f"{name} asked for towel number {place}", id=note_id(name, str(place)))


async def commit(settings: Settings, user: str, name: str) -> None:
    async with open_store(settings) as store:
        memory = UserMemory(store, user, clock=_now)
        for place in range(STEPS):
            made = noted(name, place)
            change = Change(kind="note", key=made.id, before=None, after=made.dump())
            assert await memory.commit([Step(f"{name}-{place}", "user", "added", (change,))])


async def find(settings: Settings, user: str, query: str) -> None:
    async with open_store(settings) as store:
        hits = await UserMemory(store, user, clock=_now).search(query, limit=1)
        sys.stdout.write(hits[0][0].text if hits else "nothing")


async def talk(settings: Settings, user: str, name: str) -> None:
    async with open_concierge(settings) as concierge:
        for place in range(5):
            reply = await concierge.send(f"Hello from {name} {place}", user_id=user, thread_id="shared")
            assert reply.text


async def hold(settings: Settings, user: str, _name: str) -> None:
    """Take the user's lock, print that, and wait to be killed."""
    async with open_store(settings) as store, exclusive_lock(store, user):
        sys.stdout.write("in\n")
        sys.stdout.flush()
        await asyncio.sleep(600)


def main(task: str, user: str, name: str, data_dir: str, store_url: str, chroma_url: str) -> None:
    """Run one task; without `chroma_url` there is no search by meaning."""
    settings = load_settings(
        data_dir=Path(data_dir),
        store_url=store_url,
        chroma_url=chroma_url or None,
        embedder="local" if chroma_url else "none",
        model_provider="offline",
    )
    asyncio.run({"commit": commit, "find": find, "talk": talk, "hold": hold}[task](settings, user, name))
