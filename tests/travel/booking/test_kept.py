"""Bookings in the journal: they cannot be undone like notes, and are exported."""

from __future__ import annotations

import json

import pytest
from langgraph.store.memory import InMemoryStore

from config.errors import InvalidInputError, NotFoundError
from memory.control.undo import undo
from memory.policy import Gate
from memory.records.repository import UserMemory
from memory.transfer.export import export, parse
from memory.transfer.importing import import_
from tests.conftest import Clock
from tests.travel.ledger import flight, hotel, ledger
from travel.booking.ledger import Bookings
from travel.booking.record import Booking
from travel.sample.world import SampleWorld


async def test_booking_is_cancelled_and_not_undone(world: SampleWorld, clock: Clock) -> None:
    store = InMemoryStore()
    ana, memory = ledger(store, world, clock), UserMemory(store, "ana", clock=clock)
    booked = await ana.book((await flight(world)).id, "k1", thread_id="t")
    await ana.add_bags(booked.id, 1, "k2")
    await ana.cancel(booked.id, "k3")
    bookings = await ana.all(cancelled=True)
    for entry in await memory.journal():
        with pytest.raises(InvalidInputError, match="It was agreed with a seller"):
            await undo(memory, entry.id)
    with pytest.raises(NotFoundError, match="nothing to undo"):
        await undo(memory)
    assert await ana.all(cancelled=True) == bookings


async def test_export_with_bookings_can_be_imported(world: SampleWorld, clock: Clock) -> None:
    store = InMemoryStore()
    ana, memory = ledger(store, world, clock), UserMemory(store, "ana", clock=clock)
    booked = await ana.book((await flight(world)).id, "k1", thread_id="t")
    cancelled = await ana.cancel((await ana.book((await hotel(world)).id, "k2", thread_id="t")).id, "k3")
    data = json.loads(json.dumps(await export(memory, now=clock())))
    bookings = [Booking.model_validate(one.dump()) for one in parse(data, booking=Booking).bookings]
    assert bookings == await ana.all(cancelled=True)
    assert {one.id: len(one.receipts) for one in bookings} == {booked.id: 1, cancelled.id: 2}
    with pytest.raises(InvalidInputError, match="says 2 bookings and has 1"):
        parse({**data, "bookings": data["bookings"][:1]})
    with pytest.raises(InvalidInputError, match="price"):
        parse({**data, "bookings": [{**one, "price": "much"} for one in data["bookings"]]}, booking=Booking)


async def test_import_books_nothing_again(world: SampleWorld, clock: Clock) -> None:
    store = InMemoryStore()
    ana, memory = ledger(store, world, clock), UserMemory(store, "ana", clock=clock)
    offer = await flight(world)
    await ana.book(offer.id, "k1", thread_id="t")
    data = await export(memory, now=clock())
    bo = UserMemory(InMemoryStore(), "bo", clock=clock)
    report = await import_(bo, json.loads(json.dumps(data)), gate=Gate(), now=clock())
    assert report.trips == 1
    assert await Bookings(bo, world, clock=clock).all(cancelled=True) == []
    assert (await world.offer(offer.id)).left == offer.left - 1
    before = {name: value for name, value in data.items() if name != "bookings"}
    assert parse(before | {"counts": {}}).bookings == ()  # exported before exports had bookings
