"""The bookings of one traveller: each action happens at most once per key, and updates receipts and the trip."""

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
"""How long an offer is held."""


def check_requests(requests: Sequence[str]) -> None:
    """Raise InvalidInputError if a request contains sensitive data, such as a card number, or a prompt injection."""
    removed = [kind for request in requests for kind in removed_kinds(request)]
    if problems := [*removed, *filter(None, map(screen, requests))]:
        what = problems[0].removeprefix("sensitive:").replace("_", " ")
        raise InvalidInputError(
            f"A request can't be passed on: it holds what is never kept or sent ({what}). Nothing was booked. "
            "Leave that out, tell the traveller that it is not needed, and call the tool again."
        )


def _act(action: str) -> Callable[[Act[P]], Act[P]]:
    """Run a method at most once per `key` argument, and journal it as `action`."""

    def decorate(method: Act[P]) -> Act[P]:
        @wraps(method)
        async def wrapper(self: Bookings, /, *args: P.args, **kwargs: P.kwargs) -> Booking:
            key = signature(method).bind(self, *args, **kwargs).arguments["key"]
            return await self._once(key, action, lambda: method(self, *args, **kwargs))

        return wrapper

    return decorate


class Bookings:
    """The bookings of one user. Actions are idempotent: a `key` that was used before returns its booking unchanged.

    Args:
        memory: The memory of the user, which stores the bookings and trips.
        provider: The provider that sells the offers.
        clock: Gives the current time in UTC.
    """

    def __init__(self, memory: UserMemory, provider: TravelProvider, *, clock: Callable[[], datetime]) -> None:
        self._memory = memory
        self._provider = provider
        self._clock = clock

    async def all(self, *, cancelled: bool = False) -> list[Booking]:
        """Return bookings and holds by start date; with `cancelled`, also cancelled bookings and expired holds."""
        now = self._clock()
        stored = await self._memory.kept(Booking)
        chosen = [each for each in stored if cancelled or each.status == "booked" or each.is_held(now)]
        return sorted(chosen, key=lambda each: (each.starts, each.created_at, each.id))

    async def find(self, name: str) -> Booking:
        """Return one booking by its reference or its id. Raises NotFoundError."""
        name = name.strip()
        for booking in await self._memory.kept(Booking):
            if name.upper() == booking.reference or name == booking.id:
                return booking
        raise NotFoundError(f"You have no booking {name!r}. list_bookings gives the references of yours.")

    @_act("booking_held")
    async def hold(self, offer_id: str, key: str, *, thread_id: str) -> Booking:
        """Hold an offer for a day without paying. Raises the errors of `TravelProvider.reserve`."""
        offer, reserved_as = await self._offer(offer_id, key), self._reserved_as(key)
        reservation = await self._provider.reserve(offer_id, reserved_as, hold_until=self._clock() + HOLD)
        return await self._new_booking(offer, key, thread_id, status="held", held_until=reservation.held_until)

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
        """Buy an offer, or a hold of it. Raises the errors of `TravelProvider.reserve` and `check_requests`."""
        check_requests(requests)
        held = next((each for each in await self.all() if each.status == "held" and each.offer["id"] == offer_id), None)
        offer = await self._offer(offer_id, key, late=held is not None)
        cost = offer.price + extras_price(offer, seats=len(seats), bags=extra_bags)
        if held:
            # Seats come first: if one is taken, the hold must stay a hold.
            if seats:
                await self._provider.choose_seats(held.reserved_as, seats)
            await self._provider.confirm(held.reserved_as)
            booking = held.model_copy(update={"status": "booked", "held_until": None})
        else:
            await self._provider.reserve(offer_id, self._reserved_as(key), seats=seats)
            booking = await self._new_booking(offer, key, thread_id, status="booked")
        extras = {"seats": tuple(seats), "extra_bags": extra_bags, "requests": tuple(requests)}
        return self._paid(booking, f"Booked: {booking.title}", cost, **extras)

    @_act("booking_changed")
    async def change(self, name: str, new_offer_id: str, key: str) -> Booking:
        """Exchange a flight for another. Raises InvalidInputError if the fare does not allow it."""
        booking, offer = await self._booked(name), await self._offer(new_offer_id, key)
        (fee, difference), reserved_as = change_cost(booking, offer), self._reserved_as(key)
        fields = await self._offer_fields(offer)
        await self._provider.reserve(new_offer_id, reserved_as)
        released = {"released": (*booking.released, booking.reserved_as), "seats": ()}
        kept = self.refund(booking).kept + fee
        what = f"Changed: {fields['title']}"
        update = {**fields, **released, "forfeited": kept, "reserved_as": reserved_as}
        return self._paid(booking, what, fee + difference, **update)

    @_act("booking_cancelled")
    async def cancel(self, name: str, key: str) -> Booking:  # noqa: ARG002
        """Cancel a booking or a hold, and refund a booking by its rules."""
        booking = await self.find(name)
        if booking.status == "cancelled":
            raise InvalidInputError(f"{booking.reference} is cancelled already.")
        self.check_ahead(booking)
        released = (*booking.released, booking.reserved_as)
        cancelled = booking.model_copy(update={"status": "cancelled", "held_until": None, "released": released})
        if booking.status == "held":
            return cancelled
        refund = self.refund(booking)
        return self._paid(cancelled, f"Cancelled: {booking.title}. {refund.rule}", refund.amount * -1)

    @_act("bags_added")
    async def add_bags(self, name: str, bags: int, key: str) -> Booking:  # noqa: ARG002
        """Buy more checked bags for a booked flight."""
        booking = await self._booked(name)
        cost = self.bag_price(booking, bags)
        return self._paid(booking, f"Checked bags: {bags}", cost, extra_bags=booking.extra_bags + bags)

    @_act("seats_chosen")
    async def choose_seats(self, name: str, seats: Sequence[SeatChoice], key: str) -> Booking:  # noqa: ARG002
        """Choose seats on a booked flight; keep those on segments for which `seats` names none.

        Raises:
            SeatTakenError: if a seat is not available; nothing is changed then.
        """
        booking = await self._booked(name)
        cost, chosen = self.seat_price(booking, seats), booking.with_seats(seats)
        await self._provider.choose_seats(booking.reserved_as, chosen)
        return self._paid(booking, f"Seats: {', '.join(seat.seat for seat in chosen)}", cost, seats=chosen)

    def refund(self, booking: Booking, language: Language = "en") -> Refund:
        """Return the refund for cancelling now, with the rule in `language`."""
        return refund(booking, self._clock(), language)

    def bag_price(self, booking: Booking, bags: int) -> Money:
        """Return the price of `bags` more on a booked flight. Raises InvalidInputError if they can't be added."""
        if bags < 1:
            raise InvalidInputError(f"{bags} bags can't be added; say how many more, 1 or above.")
        offer, current = booking.offered, booking.extra_bags
        return extras_price(offer, bags=current + bags) - extras_price(offer, bags=current)

    def seat_price(self, booking: Booking, seats: Sequence[SeatChoice]) -> Money:
        """Return the price of these seats; a seat that replaces another one is free.

        Raises:
            InvalidInputError: if seats can't be chosen.
        """
        added = len(booking.with_seats(seats)) - len(booking.seats)
        return extras_price(booking.offered, seats=max(0, added))

    def check_ahead(self, booking: Booking) -> None:
        """Raise InvalidInputError if the flight, stay, rental, activity or cover has begun."""
        if self._clock() >= summary(booking.offered).begins:
            raise InvalidInputError(f"{booking.reference} ({booking.title}) has begun and can't be changed any more.")

    async def programme(self, offer: AnyOffer) -> str | None:
        """Return the traveller's loyalty programme in which a booking of `offer` earns points, or None."""
        profile = await self._memory.profile()
        return next(filter(offer.earns_in, [*profile.loyalty_ids, *profile.loyalty_status]), None)

    async def _once(self, key: str, action: str, act: Callable[[], Awaitable[Booking]]) -> Booking:
        """Return the booking of this `key`, or else call `act` and write its booking, trip and journal entry at once.

        The actions of one user run one after another, in all processes that share the store. `act` may be called
        again, so its reservations at the provider must depend on `key` alone. Reservations that are no longer needed
        are released last: a crash before that leaves one too many, never one too few.
        """
        memory = self._memory

        async def revise() -> tuple[Booking, list[Step]]:
            stored = {each.id: each for each in await memory.kept(Booking)}
            if done := next((each for each in stored.values() if key in each.keys), None):
                return done, []
            if await memory.entry_of(f"booking:{key}"):
                raise ConflictError("This was done before, and what came of it is gone. Ask for it anew.")
            booking = await act()
            trips, home = {trip.id: trip for trip in await memory.trips()}, (await memory.profile()).home_city
            others = [each for each in stored.values() if each.id != booking.id]
            trip = trip_after(booking, list(trips.values()), others, home=home or "home")
            update = {"keys": (*booking.keys, key), "trip_id": trip.id if trip else booking.trip_id}
            booking = booking.model_copy(update=update)
            changes = [changed(stored.get(booking.id), booking)]
            if trip and trip != trips.get(trip.id):
                changes.append(changed(trips.get(trip.id), trip))
            return booking, [Step(f"booking:{key}", "user", action, tuple(changes), thread_id=booking.thread_id)]

        async with exclusive_lock(memory.store, "/".join((*memory.root, "bookings"))):
            booking = await memory.revise(revise)
            for reservation in booking.released:
                with suppress(NotFoundError):  # the provider no longer has it
                    await self._provider.release(reservation)
            return booking

    async def _booked(self, name: str) -> Booking:
        booking = await self.find(name)
        if booking.status != "booked":
            raise InvalidInputError(f"{booking.reference} is {booking.status}; only what is booked can be changed.")
        self.check_ahead(booking)
        return booking

    async def _offer(self, offer_id: str, key: str, *, late: bool = False) -> AnyOffer:
        # After a crash between reservation and booking, the offer is still valid although it may have expired.
        late = late or await self._provider.reservation(self._reserved_as(key)) is not None
        return await self._provider.offer(offer_id, late=late)

    def _reserved_as(self, key: str) -> str:
        """Return the reservation key for the provider, which must be unique among all users of the provider."""
        return note_id("reservation", *self._memory.root, key)

    async def _new_booking(self, offer: AnyOffer, key: str, thread_id: str, **state: Any) -> Booking:
        id_, fields = note_id("booking", key), await self._offer_fields(offer)
        ids = {"id": id_, "reference": reference_of(id_), "reserved_as": self._reserved_as(key)}
        return Booking(**ids, **fields, **state, thread_id=thread_id, created_at=self._clock())

    async def _offer_fields(self, offer: AnyOffer) -> dict[str, Any]:
        """Return the fields of a booking that depend on its offer."""
        brief = summary(offer)
        return {
            "kind": offer.kind, "offer": offer.dump(), "title": brief.title, "starts": brief.first_day,
            "ends": brief.last_day, "travellers": brief.travellers, "price": offer.price,
            "loyalty": await self.programme(offer), "source": offer.source,
        }  # fmt: skip

    def _paid(self, booking: Booking, what: str, amount: Money, **update: object) -> Booking:
        """Return the booking with one more receipt, and with the fields of `update`."""
        number = f"{booking.reference}-{len(booking.receipts) + 1}"
        receipt = Receipt(number=number, at=self._clock(), what=what, amount=amount)
        return booking.model_copy(update={**update, "receipts": (*booking.receipts, receipt)})
