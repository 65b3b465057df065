"""Group bookings into trips: what is booked for the same place and time is one journey."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from memory.records.notes import Record, note_id
from memory.records.trips import Car, Flight, Hotel, Trip
from travel.booking.record import Booking
from travel.flights import FlightOffer
from travel.offers import CarOffer, HotelOffer
from travel.provider import AnyOffer
from travel.summary import summary

_OF_HOTELS = {"brand", "name", "neighborhood", "bed", "floor"}
_NEAR = timedelta(days=1)
_LONGEST_GAP = timedelta(days=30)
"""Between the last thing booked for a journey and a flight home."""


def trip_with(booking: Booking, trips: Sequence[Trip], others: Sequence[Booking], *, home: str) -> Trip | None:
    """Return the trip with `booking` in it, a new one where none fits; None for what makes no trip.

    `others` are the traveller's other bookings, `home` where journeys start that no flight tells of.
    """
    offer = booking.offered
    city = summary(offer).city
    if not city:
        return None
    known = next((trip for trip in trips if trip.id == booking.trip_id), None)
    if known is None and (out := next((trip for trip in trips if _leads_back(trip, booking)), None)):
        return out.model_copy(update={"end": max(out.end, booking.ends)})
    known = known or next((trip for trip in trips if _is_same_journey(trip, booking, city)), None)
    if known is None:
        return Trip(
            id=note_id("trip", booking.id),
            origin=_origin(offer) or home,
            destination=city,
            start=booking.starts,
            end=booking.ends,
            party=booking.travellers,
            status="booked",
            **_part(offer, booking),
        )
    rest = _still_booked(known, booking, others)
    update = {
        **_days(known, [*rest, booking], others),
        "party": max(known.party, booking.travellers),
        "status": "booked",
        **_part(offer, booking),
    }
    if isinstance(offer, FlightOffer):
        update |= {"origin": _origin(offer)} | ({} if rest else {"destination": city})
    return known.model_copy(update=update)


def trip_without(booking: Booking, trip: Trip, others: Sequence[Booking]) -> Trip:
    """Return the trip when `booking` is cancelled; cancelled itself when nothing else of it is booked."""
    rest = [one for one in _still_booked(trip, booking, others) if one.kind != "insurance"]
    if not rest:
        return trip.model_copy(update={"status": "cancelled"})
    same = [one for one in rest if one.kind == booking.kind]
    gone: dict[str, Any] = {booking.kind: None} if booking.kind in ("flight", "hotel", "car") else {}
    left = _part(same[-1].offered, same[-1]) if same else {}
    return trip.model_copy(update={**gone, **left, **_days(trip, rest, [*others, booking])})


def priced(trip: Trip, bookings: Sequence[Booking]) -> Trip:
    """Return the trip priced at the sum of its bookings in the currency of the first one."""
    paid = [one.paid for one in bookings if one.trip_id == trip.id and one.status == "booked"]
    if not paid:
        return trip
    same = [money.amount for money in paid if money.currency == paid[0].currency]
    return trip.model_copy(update={"price": max(0, sum(same)), "currency": paid[0].currency})


def _still_booked(trip: Trip, booking: Booking, others: Sequence[Booking]) -> list[Booking]:
    return [one for one in others if one.trip_id == trip.id and one.id != booking.id and one.status == "booked"]


def _days(trip: Trip, bookings: Sequence[Booking], every: Sequence[Booking]) -> dict[str, Any]:
    """Return the first and last day of the trip; one that the ledger did not make also keeps its own days."""
    starts, ends = [one.starts for one in bookings], [one.ends for one in bookings]
    if trip.id not in {note_id("trip", one.id) for one in (*bookings, *every)}:
        starts, ends = [*starts, trip.start], [*ends, trip.end]
    return {"start": min(starts), "end": max(ends)}


def _is_same_journey(trip: Trip, booking: Booking, city: str) -> bool:
    overlaps = trip.start - _NEAR <= booking.ends and booking.starts <= trip.end + _NEAR
    return trip.status == "booked" and trip.destination.casefold() == city.casefold() and overlaps


def _leads_back(trip: Trip, booking: Booking) -> bool:
    """Return True for a flight home that is booked by itself, not too long after what is known of the trip."""
    offer = booking.offered
    if not isinstance(offer, FlightOffer) or offer.inbound is not None or trip.status != "booked":
        return False
    ways = (_origin(offer).casefold(), summary(offer).city.casefold())
    in_time = trip.start <= booking.starts <= trip.end + _LONGEST_GAP
    return ways == (trip.destination.casefold(), trip.origin.casefold()) and in_time


def _origin(offer: AnyOffer) -> str:
    return offer.outbound.segments[0].origin_city if isinstance(offer, FlightOffer) else ""


def _part(offer: AnyOffer, booking: Booking) -> dict[str, Any]:
    """Return what a trip tells of one of its parts, under the name of its kind."""
    match offer:
        case FlightOffer():
            told: Record = Flight(
                airline=offer.airline,
                cabin=offer.cabin,
                seat=booking.seats[0].seat if booking.seats else None,
                layovers=tuple(airport for airport, _ in offer.outbound.layovers),
                checked_bags=min(10, offer.fare.rules.checked_bags + booking.extra_bags),
                special_requests=booking.requests,
            )
        case HotelOffer():
            told = Hotel.model_validate(offer.model_dump(include=_OF_HOTELS))
        case CarOffer():
            told = Car(company=offer.company, category=offer.category)
        case _:
            return {}
    return {offer.kind: told}
