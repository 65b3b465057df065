"""The ledger: each action once, its costs and refunds, and the owner."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from config.errors import (
    InvalidInputError,
    NotFoundError,
    OfferExpiredError,
    SeatTakenError,
    SoldOutError,
)
from memory.records.repository import UserMemory
from tests.conftest import Clock
from tests.travel.ledger import FailingStore, flight, flights, hotel, ledger, with_profile
from travel.booking.ledger import Bookings
from travel.booking.record import Booking
from travel.money import Money
from travel.provider import SeatChoice
from travel.sample.world import SampleWorld


@pytest.fixture
def store() -> FailingStore:
    return FailingStore()


@pytest.fixture
def ana(store: FailingStore, world: SampleWorld, clock: Clock) -> Bookings:
    return ledger(store, world, clock)


def dollars(amount: int) -> Money:
    return Money(amount=100 * amount, currency="USD")


async def reserved(world: SampleWorld, *bookings: Booking) -> list[str]:
    """Return the statuses of the reservations of these states of a booking."""
    reservations = [await world.reservation(booking.reserved_as) for booking in bookings]
    return [one.status if one else "nothing" for one in reservations]


async def test_booking_is_stored_with_its_receipt(ana: Bookings, world: SampleWorld, clock: Clock) -> None:
    offer = await flight(world)
    booked = await ana.book(offer.id, "k1", thread_id="t", requests=("vegetarian meal",))
    assert (booked.status, booked.paid, booked.price) == ("booked", offer.price, offer.price)
    assert booked.reference.startswith("TC-")
    assert [(one.at, one.amount) for one in booked.receipts] == [(clock(), offer.price)]
    assert booked.requests == ("vegetarian meal",)
    assert (booked.source, booked.offered) == ("sample data", offer)
    assert await ana.all() == [booked]
    assert await ana.find(booked.reference.lower()) == await ana.find(booked.id) == booked


async def test_same_key_books_once(ana: Bookings, world: SampleWorld, store: FailingStore, clock: Clock) -> None:
    offer = await flight(world)
    first = await ana.book(offer.id, "k1", thread_id="t")
    clock.move(hours=30)
    assert await ana.book(offer.id, "k1", thread_id="t") == first
    assert await ledger(store, world, clock).book(offer.id, "k1", thread_id="t") == first
    assert len(await ana.all()) == 1
    left = (await world.offer(offer.id, late=True)).left
    assert left == offer.left - 1


async def test_same_key_books_once_concurrently(ana: Bookings, world: SampleWorld) -> None:
    offer = await flight(world)
    made = await asyncio.gather(*(ana.book(offer.id, "k1", thread_id="t") for _ in range(8)))
    assert len({one.id for one in made}) == 1
    assert [len(one.receipts) for one in await ana.all()] == [1]
    assert (await world.offer(offer.id)).left == offer.left - 1


async def test_concurrent_actions_of_one_user_all_happen(
    ana: Bookings, world: SampleWorld, store: FailingStore, clock: Clock
) -> None:
    offers = (await flights(world))[:6]
    rooms = [await hotel(world, city) for city in ("New York", "Boston", "Chicago", "Miami")]
    others = [ledger(store, world, clock) for _ in range(2)]
    acts = [
        desk.book(offer.id, f"k{number}", thread_id="t")
        for number, (offer, desk) in enumerate(zip([*offers, *rooms], [ana, *others] * 4, strict=False))
    ]
    made = await asyncio.gather(*acts)
    bookings = await ana.all()
    assert {one.id for one in bookings} == {one.id for one in made}
    assert len(bookings) == 10
    trips = await UserMemory(store, "ana", clock=clock).trips()
    assert {one.trip_id for one in bookings} == {trip.id for trip in trips}
    assert sum(one.paid.amount for one in bookings) == sum(trip.price or 0 for trip in trips)


async def test_concurrent_writing_of_notes_does_not_stop_a_booking(
    ana: Bookings, world: SampleWorld, store: FailingStore, clock: Clock
) -> None:
    memory = UserMemory(store, "ana", clock=clock)
    offer = await flight(world)

    async def busy() -> None:
        for number in range(30):
            profile = await memory.profile()
            await memory.set_profile(profile.model_copy(update={"name": f"Ana {number}"}), step=f"s{number}")

    booked, _ = await asyncio.gather(ana.book(offer.id, "k1", thread_id="t"), busy())
    assert await ana.all() == [booked]
    assert (await world.offer(offer.id)).left == offer.left - 1


async def test_crash_between_reservation_and_record_leaves_one_booking(
    ana: Bookings, world: SampleWorld, store: FailingStore, clock: Clock
) -> None:
    offer = await flight(world)
    store.fails = 1
    with pytest.raises(OSError, match="no space"):
        await ana.book(offer.id, "k1", thread_id="t")
    assert await ana.all() == []
    assert (await world.offer(offer.id)).left == offer.left - 1
    clock.move(days=2)  # the offer has expired, but it was reserved in time
    booked = await ledger(store, world, clock).book(offer.id, "k1", thread_id="t")
    assert await ana.all() == [booked]
    assert (await world.offer(offer.id, late=True)).left == offer.left - 1


async def test_crash_during_a_change_leaves_one_reservation(
    ana: Bookings, world: SampleWorld, store: FailingStore
) -> None:
    one, other = [offer for offer in await flights(world, max_stops=0) if offer.fare.family == "standard"][:2]
    booked = await ana.book(one.id, "k1", thread_id="t")
    store.fails = 1
    with pytest.raises(OSError, match="no space"):
        await ana.change(booked.reference, other.id, "k2")
    assert (await ana.find(booked.id)).offered.id == one.id
    changed = await ana.change(booked.reference, other.id, "k2")
    assert await ana.all() == [changed]
    assert await reserved(world, booked, changed) == ["released", "confirmed"]


async def test_expired_offer_is_not_booked(ana: Bookings, world: SampleWorld, clock: Clock) -> None:
    offer = await flight(world)
    clock.now = offer.expires_at.utc
    with pytest.raises(OfferExpiredError):
        await ana.book(offer.id, "k1", thread_id="t")
    assert await ana.all(cancelled=True) == []


async def test_last_seats_of_a_flight_are_sold_once(world: SampleWorld, store: FailingStore, clock: Clock) -> None:
    offer = min(await flights(world, cabin="business", max_stops=0), key=lambda one: one.left)
    asked = offer.left + 5
    acts = [
        ledger(store, world, clock, f"user{number}").book(offer.id, f"k{number}", thread_id="t")
        for number in range(asked)
    ]
    results = await asyncio.gather(*acts, return_exceptions=True)
    assert sum(not isinstance(one, BaseException) for one in results) == offer.left
    assert sum(isinstance(one, SoldOutError) for one in results) == 5


async def test_hold_costs_nothing_and_is_booked_at_its_terms(ana: Bookings, world: SampleWorld, clock: Clock) -> None:
    offer = await flight(world)
    held = await ana.hold(offer.id, "k1", thread_id="t")
    assert (held.status, held.paid, held.held_until) == ("held", dollars(0), clock() + timedelta(hours=24))
    assert ana.refund(held).amount == dollars(0)
    clock.move(hours=23)  # the offer itself expired long ago
    booked = await ana.book(offer.id, "k2", thread_id="t")
    assert (booked.id, booked.status, booked.paid) == (held.id, "booked", offer.price)
    assert (await world.offer(offer.id, late=True)).left == offer.left - 1
    clock.move(hours=2)
    assert await ana.all() == [booked]


async def test_hold_expires(ana: Bookings, world: SampleWorld, clock: Clock) -> None:
    offer = await flight(world)
    held = await ana.hold(offer.id, "k1", thread_id="t")
    clock.move(hours=24)
    assert await ana.all() == []
    assert await ana.all(cancelled=True) == [held]
    with pytest.raises(OfferExpiredError):
        await ana.book(offer.id, "k2", thread_id="t")
    assert (await world.offer(offer.id, late=True)).left == offer.left


async def test_unavailable_seat_keeps_the_hold(
    ana: Bookings, world: SampleWorld, store: FailingStore, clock: Clock
) -> None:
    offer = await flight(world, "flex")
    seat = SeatChoice(segment=0, seat=(await world.seat_map(offer.id))[0].free()[0].id)
    held = await ana.hold(offer.id, "k1", thread_id="t")
    await ledger(store, world, clock, "bo").book(offer.id, "k1", thread_id="t", seats=[seat])
    with pytest.raises(SeatTakenError):
        await ana.book(offer.id, "k2", thread_id="t", seats=[seat])
    assert [one.status for one in await ana.all()] == ["held"]
    clock.move(hours=25)
    assert (await world.offer(offer.id, late=True)).left == offer.left - 1
    assert (await ana.find(held.id)).status == "held"


async def test_each_fare_is_refunded_by_its_rules(ana: Bookings, world: SampleWorld, clock: Clock) -> None:
    kept_amounts = {}
    for family in ("basic", "standard", "flex"):
        offer = await flight(world, family, adults=2)
        booked = await ana.book(offer.id, f"book {family}", thread_id="t")
        assert ana.refund(booked).amount == offer.price  # within a day of booking, weeks ahead
        clock.move(hours=25)
        back = ana.refund(booked)
        assert back.amount + back.kept == booked.paid
        kept_amounts[family] = back.kept
        cancelled = await ana.cancel(booked.reference, f"cancel {family}")
        assert (cancelled.status, cancelled.paid) == ("cancelled", back.kept)
        assert cancelled.receipts[-1].amount == dollars(0) - back.amount
        assert (await world.offer(offer.id, late=True)).left == offer.left
        clock.move(hours=-25)
    rules = (await flight(world, "standard")).fare.rules
    assert rules.refund_fee is not None
    basic = await flight(world, "basic", adults=2)
    assert kept_amounts == {"basic": basic.price, "standard": rules.refund_fee * 2, "flex": dollars(0)}


async def test_room_is_refunded_until_its_deadline(ana: Bookings, world: SampleWorld, clock: Clock) -> None:
    free, saver = await hotel(world), await hotel(world, "Boston", free=False)
    booked, kept = await ana.book(free.id, "k1", thread_id="t"), await ana.book(saver.id, "k2", thread_id="t")
    assert ana.refund(booked).amount == free.price
    assert ana.refund(kept).amount == dollars(0)
    assert free.free_cancellation_until is not None
    clock.now = free.free_cancellation_until.utc
    assert ana.refund(booked).amount == dollars(0)


async def test_cancelling_twice_refunds_once(ana: Bookings, world: SampleWorld) -> None:
    booked = await ana.book((await flight(world)).id, "k1", thread_id="t")
    cancelled = await ana.cancel(booked.reference, "k2")
    assert await ana.cancel(booked.reference, "k2") == cancelled
    with pytest.raises(InvalidInputError, match="cancelled already"):
        await ana.cancel(booked.reference, "k3")
    assert len((await ana.find(booked.id)).receipts) == 2
    assert await ana.all() == []
    assert await ana.all(cancelled=True) == [cancelled]


async def test_started_trip_cannot_be_changed(ana: Bookings, world: SampleWorld, clock: Clock) -> None:
    offer = await flight(world, "flex")
    booked = await ana.book(offer.id, "k1", thread_id="t")
    clock.now = offer.outbound.departs.utc
    for act in (ana.cancel(booked.id, "k2"), ana.add_bags(booked.id, 1, "k3"), ana.change(booked.id, offer.id, "k4")):
        with pytest.raises(InvalidInputError, match="has begun"):
            await act
    assert await ana.all() == [booked]


async def test_change_costs_its_fee_and_the_difference(ana: Bookings, world: SampleWorld) -> None:
    offers = [offer for offer in await flights(world, max_stops=0) if offer.fare.family == "standard"]
    cheap, dear = min(offers, key=lambda one: one.price.amount), max(offers, key=lambda one: one.price.amount)
    booked = await ana.book(cheap.id, "k1", thread_id="t")
    changed = await ana.change(booked.reference, dear.id, "k2")
    fee = cheap.fare.rules.change_fee
    assert fee is not None
    assert changed.paid == dear.price + fee
    assert (changed.id, changed.reference, changed.offered.id) == (booked.id, booked.reference, dear.id)
    back = await ana.change(booked.reference, cheap.id, "k3")
    assert back.paid == dear.price + fee * 2  # a lower price is not refunded
    assert await reserved(world, booked, changed, back) == ["released", "released", "confirmed"]
    assert await ana.change(booked.reference, dear.id, "k2") == back


async def test_unchangeable_fare_says_so(ana: Bookings, world: SampleWorld) -> None:
    basic, room = await flight(world, "basic"), await hotel(world)
    other = (await flights(world, max_stops=0))[-1]
    booked, stay = await ana.book(basic.id, "k1", thread_id="t"), await ana.book(room.id, "k2", thread_id="t")
    for name, offer_id, why in (
        (booked.id, other.id, "can't be changed"),
        (stay.id, other.id, "Only flights"),
        (booked.id, room.id, "only be changed to a flight"),
    ):
        with pytest.raises(InvalidInputError, match=why):
            await ana.change(name, offer_id, "k3")
    two = await flight(world, "standard", adults=2)
    single = await ana.book((await flight(world)).id, "k4", thread_id="t")
    with pytest.raises(InvalidInputError, match="other travellers"):
        await ana.change(single.id, two.id, "k5")


async def test_bags_are_charged_both_ways_and_counted(ana: Bookings, world: SampleWorld) -> None:
    offer = await flight(world)
    booked = await ana.book(offer.id, "k1", thread_id="t", extra_bags=1)
    assert booked.paid == offer.price + offer.fare.rules.bag_fee * 2
    more = await ana.add_bags(booked.reference, 2, "k2")
    assert (more.extra_bags, more.paid) == (3, booked.paid + offer.fare.rules.bag_fee * 4)
    assert await ana.add_bags(booked.reference, 2, "k2") == more
    for count in (0, -1, 7):
        with pytest.raises(InvalidInputError, match="bags"):
            await ana.add_bags(booked.reference, count, "k3")


async def test_seats_are_exchanged_without_paying_twice(ana: Bookings, world: SampleWorld) -> None:
    offer = await flight(world)
    assert offer.fare.rules.seat_choice == "paid"
    first, second = (seat.id for seat in (await world.seat_map(offer.id))[0].free("aisle")[:2])
    booked = await ana.book(offer.id, "k1", thread_id="t", seats=[SeatChoice(segment=0, seat=first)])
    assert booked.paid == offer.price + offer.fare.rules.seat_fee
    moved = await ana.choose_seats(booked.id, [SeatChoice(segment=0, seat=second)], "k2")
    assert (moved.paid, [choice.seat for choice in moved.seats]) == (booked.paid, [second])
    free = {seat.id for seat in (await world.seat_map(offer.id))[0].free()}
    assert first in free
    assert second not in free


async def test_fare_without_seat_choice_rejects_seats(ana: Bookings, world: SampleWorld) -> None:
    offer = await flight(world, "basic")
    assert offer.fare.rules.seat_choice == "at check-in"
    seat = SeatChoice(segment=0, seat=(await world.seat_map(offer.id))[0].free()[0].id)
    with pytest.raises(InvalidInputError, match="at check-in"):
        await ana.book(offer.id, "k1", thread_id="t", seats=[seat])
    assert (await world.offer(offer.id)).left == offer.left


async def test_booking_earns_in_the_programme_of_its_alliance(
    ana: Bookings, world: SampleWorld, store: FailingStore, clock: Clock
) -> None:
    offer = await flight(world)
    await with_profile(store, clock, loyalty_status={offer.alliance: "Gold"}, loyalty_ids={offer.alliance: "X123"})
    booked = await ana.book(offer.id, "k1", thread_id="t")
    assert booked.loyalty == offer.alliance
    assert "X123" not in booked.model_dump_json()


async def test_bookings_of_one_journey_are_one_trip(
    ana: Bookings, world: SampleWorld, store: FailingStore, clock: Clock
) -> None:
    memory = UserMemory(store, "ana", clock=clock)
    offer, room = await flight(world), await hotel(world)
    flown = await ana.book(offer.id, "k1", thread_id="t")
    stay = await ana.book(room.id, "k2", thread_id="t")
    (trip,) = await memory.trips()
    assert flown.trip_id == stay.trip_id == trip.id
    assert (trip.origin, trip.destination, trip.status) == ("London", "New York", "booked")
    assert trip.price == (flown.paid + stay.paid).amount
    assert trip.flight is not None
    assert trip.hotel is not None
    await ana.cancel(stay.id, "k3")
    (trip,) = await memory.trips()
    assert (trip.hotel, trip.price, trip.status) == (None, flown.paid.amount, "booked")
    await ana.cancel(flown.id, "k4")
    assert [trip.status for trip in await memory.trips()] == ["cancelled"]


async def test_another_city_or_time_is_another_trip(
    ana: Bookings, world: SampleWorld, store: FailingStore, clock: Clock
) -> None:
    await ana.book((await hotel(world)).id, "k1", thread_id="t")
    await ana.book((await hotel(world, "Lisbon")).id, "k2", thread_id="t")
    later = timedelta(days=40)
    first, last = (day + later for day in ((await hotel(world)).check_in.day, (await hotel(world)).check_out.day))
    await ana.book((await hotel(world, "New York", first, last)).id, "k3", thread_id="t")
    assert len(await UserMemory(store, "ana", clock=clock).trips()) == 3


async def test_flight_home_is_no_trip_of_its_own(
    ana: Bookings, world: SampleWorld, store: FailingStore, clock: Clock
) -> None:
    there = await flight(world, returning=None)
    homeward = there.outbound.arrives.day + timedelta(days=9)
    back = await flight(world, origin="New York", destination="London", departing=homeward, returning=None)
    await ana.book(there.id, "k1", thread_id="t")
    await ana.book(back.id, "k2", thread_id="t")
    (trip,) = await UserMemory(store, "ana", clock=clock).trips()
    assert (trip.origin, trip.destination) == ("London", "New York")
    assert (trip.start, trip.end) == (there.outbound.departs.day, back.outbound.arrives.day)


async def test_changed_flight_moves_its_trip(
    ana: Bookings, world: SampleWorld, store: FailingStore, clock: Clock
) -> None:
    booked = await ana.book((await flight(world)).id, "k1", thread_id="t")
    later = await flight(world, departing=booked.starts + timedelta(days=3), returning=booked.ends + timedelta(days=3))
    changed = await ana.change(booked.id, later.id, "k2")
    (trip,) = await UserMemory(store, "ana", clock=clock).trips()
    assert (trip.start, trip.end) == (changed.starts, changed.ends)
    assert trip.start == booked.starts + timedelta(days=3)


async def test_another_user_cannot_access_it(
    ana: Bookings, world: SampleWorld, store: FailingStore, clock: Clock
) -> None:
    booked = await ana.book((await flight(world, "flex")).id, "k1", thread_id="t")
    other = await flight(world, "standard")
    for user in ("bo", "an", "ana ", "anna", "ana2"):
        bo = ledger(store, world, clock, user)
        assert await bo.all(cancelled=True) == []
        for name in (booked.reference, booked.id, booked.reserved_as, "", "*"):
            for act in (
                bo.find(name),
                bo.cancel(name, "k2"),
                bo.change(name, other.id, "k2"),
                bo.add_bags(name, 1, "k2"),
                bo.choose_seats(name, [SeatChoice(segment=0, seat="12A")], "k2"),
            ):
                with pytest.raises(NotFoundError):
                    await act
    assert await ana.all() == [booked]


async def test_same_key_of_another_user_is_another_booking(
    ana: Bookings, world: SampleWorld, store: FailingStore, clock: Clock
) -> None:
    offer = await flight(world)
    bo = ledger(store, world, clock, "bo")
    mine, theirs = await ana.book(offer.id, "k1", thread_id="t"), await bo.book(offer.id, "k1", thread_id="t")
    assert (await world.offer(offer.id)).left == offer.left - 2
    await bo.cancel(theirs.id, "k2")
    assert (await world.offer(offer.id)).left == offer.left - 1
    assert await ana.all() == [mine]


async def test_every_action_is_journalled(ana: Bookings, world: SampleWorld, store: FailingStore, clock: Clock) -> None:
    booked = await ana.book((await flight(world)).id, "k1", thread_id="t")
    await ana.add_bags(booked.id, 1, "k2")
    await ana.cancel(booked.id, "k3")
    entries = await UserMemory(store, "ana", clock=clock).journal()
    assert [entry.action for entry in entries] == ["booked", "bags_added", "booking_cancelled"]
    assert {entry.thread_id for entry in entries} == {"t"}


async def test_cancelled_booking_accepts_no_more_actions(ana: Bookings, world: SampleWorld) -> None:
    booked = await ana.book((await flight(world)).id, "k1", thread_id="t")
    await ana.cancel(booked.id, "k2")
    for act in (ana.add_bags(booked.id, 1, "k3"), ana.change(booked.id, (await flight(world)).id, "k4")):
        with pytest.raises(InvalidInputError, match="is cancelled; only what is booked"):
            await act
