"""The ledger of one traveller: what is booked, at most once per key, with its receipts and its trip."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeAlias

from config.errors import ConflictError, InvalidInputError, NotFoundError
from memory.policy import screen
from memory.policy.redact import removed_kinds
from memory.records.journal import Step, changed
from memory.records.notes import note_id
from memory.records.repository import UserMemory
from stores.locks import exclusive_lock
from travel.booking.pricing import Refund, change_cost, extras_price, refund
from travel.booking.record import Booking, Receipt, reference_of
from travel.booking.trips import trip_after
from travel.money import Money
from travel.provider import AnyOffer, SeatChoice, TravelProvider
from travel.summary import summary
from travel.tables import Language

P = ParamSpec("P")
Act: TypeAlias = "Callable[Concatenate[Bookings, P], Coroutine[Any, Any, Booking]]"

HOLD = timedelta(hours=24)
"""How long an offer is held at most."""


def check_requests(requests: Sequence[str]) -> None:
    """Raise InvalidInputError when a request holds what is never kept, such as a card number, or is an order to us."""
    removed = [kind for request in requests for kind in removed_kinds(request)]
    if found := [*removed, *filter(None, map(screen, requests))]:
        what = found[0].removeprefix("sensitive:").replace("_", " ")
        raise InvalidInputError(
            f"A request can't be passed on: it holds what is never kept or sent ({what}). Nothing was booked. "
            "Leave that out, tell the traveller that it is not needed, and call the tool again."
        )


def _act(action: str) -> Callable[[Act[P]], Act[P]]:
    """Have a method carried out once for the `key` that it is called with, as `action` of the journal."""

    def decorate(make: Act[P]) -> Act[P]:
        @wraps(make)
        async def act(self: Bookings, /, *args: P.args, **kwargs: P.kwargs) -> Booking:
            key = signature(make).bind(self, *args, **kwargs).arguments["key"]
            return await self._once(key, action, lambda: make(self, *args, **kwargs))

        return act

    return decorate


class Bookings:
    """What one user has booked. Each act has a `key`; the same key again changes nothing and gives the same booking.

    Args:
        memory: The user's own memory, where bookings and trips are kept.
        provider: Who sells.
        clock: The time in UTC.
    """

    def __init__(self, memory: UserMemory, provider: TravelProvider, *, clock: Callable[[], datetime]) -> None:
        self._memory = memory
        self._provider = provider
        self._clock = clock

    async def all(self, *, cancelled: bool = False) -> list[Booking]:
        """Return bookings and holds by the day they start; cancelled and lapsed ones on request."""
        now = self._clock()
        found = await self._memory.kept(Booking)
        kept = [one for one in found if cancelled or one.status == "booked" or one.is_held(now)]
        return sorted(kept, key=lambda one: (one.starts, one.created_at, one.id))

    async def find(self, name: str) -> Booking:
        """Return one booking by its reference or its id. Raises NotFoundError."""
        wanted = name.strip()
        for one in await self._memory.kept(Booking):
            if wanted.upper() == one.reference or wanted == one.id:
                return one
        raise NotFoundError(f"You have no booking {wanted!r}. list_bookings gives the references of yours.")

    @_act("booking_held")
    async def hold(self, offer_id: str, key: str, *, thread_id: str) -> Booking:
        """Keep an offer for a day at most, without paying. Raises what `TravelProvider.reserve` raises."""
        offer, reserved = await self._offer(offer_id, key), self._reserved_as(key)
        taken = await self._provider.reserve(offer_id, reserved, hold_until=self._clock() + HOLD)
        return await self._opened(offer, key, thread_id, status="held", held_until=taken.held_until)

    @_act("booked")
    async def book(
        self,
        offer_id: str,
        key: str,
        *,
        thread_id: str,
        seats: Sequence[SeatChoice] = (),
        extra_bags: int = 0,
        requests: Sequence[str] = (),
    ) -> Booking:
        """Buy an offer, or what is held of it. Raises what `TravelProvider.reserve` and `check_requests` raise."""
        check_requests(requests)
        known = next((one for one in await self.all() if one.status == "held" and one.offer["id"] == offer_id), None)
        offer = await self._offer(offer_id, key, late=known is not None)
        cost = offer.price + extras_price(offer, seats=len(seats), bags=extra_bags)
        if known:
            # Seats first: were one taken, the hold would still be a hold.
            if seats:
                await self._provider.choose_seats(known.reserved_as, seats)
            await self._provider.confirm(known.reserved_as)
            made = known.model_copy(update={"status": "booked", "held_until": None})
        else:
            await self._provider.reserve(offer_id, self._reserved_as(key), seats=seats)
            made = await self._opened(offer, key, thread_id, status="booked")
        wanted = {"seats": tuple(seats), "extra_bags": extra_bags, "requests": tuple(requests)}
        return self._paid(made, f"Booked: {made.title}", cost, **wanted)

    @_act("booking_changed")
    async def change(self, name: str, new_offer_id: str, key: str) -> Booking:
        """Exchange a flight for another. Raises InvalidInputError where its fare does not allow it."""
        booking, offer = await self._booked(name), await self._offer(new_offer_id, key)
        (fee, dearer), reserved, sold = change_cost(booking, offer), self._reserved_as(key), await self._sold(offer)
        await self._provider.reserve(new_offer_id, reserved)
        gone = {"released": (*booking.released, booking.reserved_as), "seats": ()}
        kept = self.refund(booking).kept + fee
        told = f"Changed: {sold['title']}"
        return self._paid(booking, told, fee + dearer, **sold, **gone, forfeited=kept, reserved_as=reserved)

    @_act("booking_cancelled")
    async def cancel(self, name: str, key: str) -> Booking:  # noqa: ARG002
        """Cancel a booking or a hold; what its rules pay back is paid back."""
        booking = await self.find(name)
        if booking.status == "cancelled":
            raise InvalidInputError(f"{booking.reference} is cancelled already.")
        self.check_ahead(booking)
        released = (*booking.released, booking.reserved_as)
        gone = booking.model_copy(update={"status": "cancelled", "held_until": None, "released": released})
        if booking.status == "held":
            return gone
        back = self.refund(booking)
        return self._paid(gone, f"Cancelled: {gone.title}. {back.rule}", back.amount * -1)

    @_act("bags_added")
    async def add_bags(self, name: str, bags: int, key: str) -> Booking:  # noqa: ARG002
        """Buy more checked bags for a booked flight."""
        booking = await self._booked(name)
        cost = self.bag_price(booking, bags)
        return self._paid(booking, f"Checked bags: {bags}", cost, extra_bags=booking.extra_bags + bags)

    @_act("seats_chosen")
    async def choose_seats(self, name: str, seats: Sequence[SeatChoice], key: str) -> Booking:  # noqa: ARG002
        """Take seats on a booked flight; on segments that none is named for, those it has stay.

        Raises:
            SeatTakenError: one is not to be had; all stays as it was.
        """
        booking = await self._booked(name)
        cost, chosen = self.seat_price(booking, seats), booking.with_seats(seats)
        await self._provider.choose_seats(booking.reserved_as, chosen)
        return self._paid(booking, f"Seats: {', '.join(seat.seat for seat in chosen)}", cost, seats=chosen)

    def refund(self, booking: Booking, language: Language = "en") -> Refund:
        """Return what cancelling would pay back now, with the rule in `language`."""
        return refund(booking, self._clock(), language)

    def bag_price(self, booking: Booking, bags: int) -> Money:
        """Return what more bags cost on a booked flight. Raises InvalidInputError where they can't be had."""
        if bags < 1:
            raise InvalidInputError(f"{bags} bags can't be added; say how many more, 1 or above.")
        offer, had = booking.offered, booking.extra_bags
        return extras_price(offer, bags=had + bags) - extras_price(offer, bags=had)

    def seat_price(self, booking: Booking, seats: Sequence[SeatChoice]) -> Money:
        """Return what these seats cost in place of those that it has: who exchanges a seat does not pay for it again.

        Raises:
            InvalidInputError: seats can't be chosen on it.
        """
        more = len(booking.with_seats(seats)) - len(booking.seats)
        return extras_price(booking.offered, seats=max(0, more))

    def check_ahead(self, booking: Booking) -> None:
        """Raise InvalidInputError when what was booked has begun: then it stays as it is."""
        if self._clock() >= summary(booking.offered).begins:
            raise InvalidInputError(f"{booking.reference} ({booking.title}) has begun and can't be changed any more.")

    async def programme(self, offer: AnyOffer) -> str | None:
        """Return the traveller's loyalty programme that a booking of `offer` earns in."""
        profile = await self._memory.profile()
        return next(filter(offer.earns_in, [*profile.loyalty_ids, *profile.loyalty_status]), None)

    async def _once(self, key: str, action: str, make: Callable[[], Awaitable[Booking]]) -> Booking:
        """Carry out the action of this `key`, or return its booking, which is written in one batch with its trip.

        The acts of one user happen one after another, in all processes that share the store. `make` may be called
        again, and takes under `key` what it takes from the provider. What the booking no longer needs is given back
        last, so that a crash before it leaves too much taken and never too little.
        """
        memory = self._memory

        async def act() -> tuple[Booking, list[Step]]:
            kept = {one.id: one for one in await memory.kept(Booking)}
            if done := next((one for one in kept.values() if key in one.keys), None):
                return done, []
            if await memory.entry_of(f"booking:{key}"):
                raise ConflictError("This was done before, and what came of it is gone. Ask for it anew.")
            made = await make()
            trips, home = {trip.id: trip for trip in await memory.trips()}, (await memory.profile()).home_city
            others = [one for one in kept.values() if one.id != made.id]
            trip = trip_after(made, list(trips.values()), others, home=home or "home")
            made = made.model_copy(update={"keys": (*made.keys, key), "trip_id": trip.id if trip else made.trip_id})
            changes = [changed(kept.get(made.id), made)]
            if trip and trip != trips.get(trip.id):
                changes.append(changed(trips.get(trip.id), trip))
            return made, [Step(f"booking:{key}", "user", action, tuple(changes), thread_id=made.thread_id)]

        async with exclusive_lock(memory.store, "/".join((*memory.root, "bookings"))):
            done = await memory.revise(act)
            for old in done.released:
                with suppress(NotFoundError):  # the provider has lost it: then nothing is left to give back
                    await self._provider.release(old)
            return done

    async def _booked(self, name: str) -> Booking:
        booking = await self.find(name)
        if booking.status != "booked":
            raise InvalidInputError(f"{booking.reference} is {booking.status}; only what is booked can be changed.")
        self.check_ahead(booking)
        return booking

    async def _offer(self, offer_id: str, key: str, *, late: bool = False) -> AnyOffer:
        # When a crash came between reservation and record, the offer is good even when it ran out since.
        late = late or await self._provider.reservation(self._reserved_as(key)) is not None
        return await self._provider.offer(offer_id, late=late)

    def _reserved_as(self, key: str) -> str:
        """Return the key at the provider, which serves others too: one of theirs must never be the same."""
        return note_id("reservation", *self._memory.root, key)

    async def _opened(self, offer: AnyOffer, key: str, thread_id: str, **state: Any) -> Booking:
        id_, sold = note_id("booking", key), await self._sold(offer)
        known = {"id": id_, "reference": reference_of(id_), "reserved_as": self._reserved_as(key)}
        return Booking(**known, **sold, **state, thread_id=thread_id, created_at=self._clock())

    async def _sold(self, offer: AnyOffer) -> dict[str, Any]:
        """Return what a booking keeps of its offer."""
        told = summary(offer)
        return {
            "kind": offer.kind, "offer": offer.dump(), "title": told.title, "starts": told.first_day,
            "ends": told.last_day, "travellers": told.travellers, "price": offer.price,
            "loyalty": await self.programme(offer), "source": offer.source,
        }  # fmt: skip

    def _paid(self, booking: Booking, what: str, amount: Money, **update: object) -> Booking:
        """Return the booking with a receipt more, and what else became of it."""
        number = f"{booking.reference}-{len(booking.receipts) + 1}"
        receipt = Receipt(number=number, at=self._clock(), what=what, amount=amount)
        return booking.model_copy(update={**update, "receipts": (*booking.receipts, receipt)})
