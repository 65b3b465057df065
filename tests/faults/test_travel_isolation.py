"""Nobody reads, changes or cancels another user's booking, and the last rooms are sold only once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall

from app.api.reply import Reply
from config.errors import AccessDeniedError, ConflictError, NotFoundError
from tests.faults.child import settings_of
from tests.faults.journey import models
from tests.faults.parts import StruckConcierge, struck_concierge
from tests.faults.test_isolation import IDS, PAIRS
from tests.scripted import ScriptedModel, calls, scripted
from travel.booking.record import Booking
from travel.provider import SeatChoice

pytestmark = pytest.mark.slow

FLIGHTS = {"origin": "Berlin", "destination": "Lisbon", "departing": "2026-12-08", "returning": "2026-12-12"}
EIGHT = [f"u{number}" for number in range(8)]


def _agent(messages: Sequence[BaseMessage]) -> AIMessage:
    """Make the calls that a message lists, or search and book the first result if it lists none."""
    last = messages[-1]
    if isinstance(last, HumanMessage):
        listed = json.loads(str(last.text)) if str(last.text).startswith("[") else []
        asked = [ToolCall(name=name, args=args, id=f"{last.id} {place}") for place, (name, args) in enumerate(listed)]
        return AIMessage("", tool_calls=asked) if asked else calls("search_flights", **FLIGHTS)
    if getattr(last, "name", "") == "search_flights":
        return calls("book_offer", "book", offer_id=json.loads(str(last.content))["results"][0]["offer_id"])
    return AIMessage("Done.")


def _attempts(name: str, offer_id: str) -> str:
    """Return every tool call that names a booking."""
    reads = ("show_itinerary", "export_calendar")
    return json.dumps(
        [
            *[(tool, {"booking": name}) for tool in reads],
            ("list_bookings", {"include_cancelled": True}),
            ("show_itinerary", {}),
            ("cancel_booking", {"booking": name}),
            ("change_booking", {"booking": name, "new_offer_id": offer_id}),
            ("add_bags", {"booking": name, "bags": 1}),
            ("choose_seats", {"booking": name, "seats": [{"segment": 0, "seat": "12A"}]}),
        ]
    )


async def _by_tools(concierge: StruckConcierge, model: ScriptedModel, other: str, booking: Booking) -> None:
    for name in (booking.reference, booking.id, booking.reference.lower()):
        reply = await concierge.send(_attempts(name, booking.offer["id"]), user_id=other, thread_id="mine")
        assert reply.interrupts == ()  # a missing booking does not even ask for approval
        texts = [str(message.content) for message in model.asked[-1] if message.type == "tool"][-8:]
        assert sum("You have no booking" in text for text in texts) == 6
        assert booking.title not in " ".join(texts)
        assert booking.offer["id"] not in " ".join(texts)


async def _by_verbs(concierge: StruckConcierge, other: str, booking: Booking) -> None:
    ledger = concierge.bookings(other)
    assert await ledger.all(cancelled=True) == []
    for name in (booking.reference, booking.id):
        for attempt in (
            ledger.find(name),
            ledger.cancel(name, "c"),
            ledger.change(name, booking.offer["id"], "d"),
            ledger.add_bags(name, 1, "e"),
            ledger.choose_seats(name, [SeatChoice(segment=0, seat="12A")], "f"),
        ):
            with pytest.raises(NotFoundError):
                await attempt
    assert await concierge.memory(other).trips() == []


async def _meet(one: str, other: str, folder: Path) -> None:
    model = scripted(_agent)
    where = {"data_dir": folder, "embedder": "none"}
    given: Any = {**models(), "agent": model}
    async with struck_concierge(settings_of(where), models=given) as concierge:
        await concierge.send("Book", user_id=one, thread_id="theirs")
        for value in ("approve", "reject"):
            with pytest.raises(AccessDeniedError):
                await concierge.resume(value, user_id=other, thread_id="theirs")
        await concierge.resume("approve", user_id=one, thread_id="theirs")
        (booking,) = await concierge.bookings(one).all()
        await _by_tools(concierge, model, other, booking)
        await _by_verbs(concierge, other, booking)
        # The same key of another user is another booking, as keys belong to their user.
        (key,) = booking.keys
        own = await concierge.bookings(other).book(booking.offer["id"], key, thread_id="mine")
        assert own.reserved_as != booking.reserved_as
        await concierge.bookings(other).cancel(own.reference, "their own")
        assert await concierge.bookings(one).all(cancelled=True) == [booking]


def _check(one: str, other: str) -> None:
    with TemporaryDirectory() as folder:
        asyncio.run(_meet(one, other, Path(folder)))


@pytest.mark.parametrize(("one", "other"), PAIRS[:4])
def test_user_with_a_similar_id_accesses_no_booking(one: str, other: str) -> None:
    _check(one, other)
    _check(other, one)


@given(IDS, IDS)
@example("u1", "u10")
@settings(max_examples=4, suppress_health_check=list(HealthCheck))
def test_no_user_accesses_a_booking_of_another(one: str, other: str) -> None:
    if one != other:
        _check(one, other)


async def test_eight_concurrent_approvals_book_only_the_rooms_that_are_left(tmp_path: Path) -> None:
    settings_ = settings_of({"data_dir": tmp_path, "embedder": "none"})
    async with struck_concierge(settings_, models={**models(), "agent": scripted(_last_room)}) as concierge:
        asked = [await concierge.send("Book", user_id=user, thread_id=user) for user in EIGHT]
        offers = {reply.interrupts[0]["action_requests"][0]["args"]["offer_id"] for reply in asked}
        assert len(offers) == 1
        done = await asyncio.gather(*(concierge.resume("approve", user_id=user, thread_id=user) for user in EIGHT))
        assert all(isinstance(reply, Reply) and not reply.interrupts for reply in done)
        had = [user for user in EIGHT if await concierge.bookings(user).all()]
        assert len(had) == 1
        errors = [reply.text for user, reply in zip(EIGHT, done, strict=True) if user not in had]
        assert all("sold out" in text for text in errors)


def _last_room(messages: Sequence[BaseMessage]) -> AIMessage:
    """Book the last room; return the outcome."""
    last = messages[-1]
    if isinstance(last, HumanMessage):
        return calls("search_hotels", city="Lisbon", check_in="2026-12-08", check_out="2026-12-11", limit=10)
    if getattr(last, "name", "") == "search_hotels":
        results = json.loads(str(last.content))["results"]
        return calls("book_offer", "book", offer_id=next(one["offer_id"] for one in results if one["left"] == 1))
    return AIMessage(str(last.content))


async def test_clearing_lists_open_bookings_and_asks_whether_to_keep_them(tmp_path: Path) -> None:
    given: Any = {**models(), "agent": scripted(_agent)}
    settings_ = settings_of({"data_dir": tmp_path, "embedder": "none"})
    async with struck_concierge(settings_, models=given) as concierge:
        await concierge.send("Book", user_id="ana", thread_id="t")
        await concierge.resume("approve", user_id="ana", thread_id="t")
        (booking,), memory = await concierge.bookings("ana").all(), concierge.memory("ana")
        (trip,) = await memory.trips()
        with pytest.raises(ConflictError, match=booking.reference) as still_open:
            await memory.clear("ana")
        assert "--bookings" not in str(still_open.value)
        assert await concierge.history(user_id="ana", thread_id="t")
        await memory.clear("ana", bookings="keep")
        assert (await concierge.bookings("ana").all(), await memory.trips()) == ([booking], [trip])
        with pytest.raises(NotFoundError):
            await concierge.history(user_id="ana", thread_id="t")
        await concierge.bookings("ana").cancel(booking.reference, "c")
        await memory.clear("ana")
        assert await concierge.bookings("ana").all(cancelled=True) == []
