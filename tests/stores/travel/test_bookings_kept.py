"""Bookings in the journal: not undone like a note, and part of what is exported."""

from __future__ import annotations

import json

import pytest
from langgraph.store.memory import InMemoryStore

from graph.errors import InvalidInputError, NotFoundError
from stores.memory import UserMemory
from stores.portable import export, parse
from stores.travel.world import SampleWorld
from stores.undoing import undo
from tests.conftest import Clock
from tests.stores.travel.ledger import flight, ledger


async def test_what_was_booked_is_cancelled_and_not_undone(world: SampleWorld, clock: Clock) -> None:
    store = InMemoryStore()
    ana, memory = ledger(store, world, clock), UserMemory(store, "ana", clock=clock)
    booked = await ana.book((await flight(world)).id, "k1", thread_id="t")
    await ana.add_bags(booked.id, 1, "k2")
    await ana.cancel(booked.id, "k3")
    kept = await ana.all(cancelled=True)
    for entry in await memory.journal():
        with pytest.raises(InvalidInputError, match="It was agreed with a seller"):
            await undo(memory, entry.id)
    with pytest.raises(NotFoundError, match="nothing to undo"):
        await undo(memory)
    assert await ana.all(cancelled=True) == kept


async def test_an_export_with_bookings_can_be_read(world: SampleWorld, clock: Clock) -> None:
    store = InMemoryStore()
    ana, memory = ledger(store, world, clock), UserMemory(store, "ana", clock=clock)
    booked = await ana.book((await flight(world)).id, "k1", thread_id="t")
    found = parse(json.loads(json.dumps(await export(memory, now=clock()))))
    (change,) = [change for entry in found.journal for change in entry.changes if change.kind == "booking"]
    assert change.after == booked.dump()
