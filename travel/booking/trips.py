"""Group bookings into trips: what is booked for the same place and time is one journey."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from memory.records.notes import Record, note_id
from memory.records.trips import Car, Flight, Hotel, Trip
from travel.booking.record import Booking
from travel.flights import FlightOffer
from travel.offers import CarOffer, HotelOffer
from travel.summary import summary

_NEAR = timedelta(days=1)
_LONGEST_GAP = timedelta(days=30)
"""Between the last thing booked for a journey and a flight home."""


def trip_after(booking: Booking, trips: Sequence[Trip], others: Sequence[Booking], *, home: str) -> Trip | None:
    """Return the trip of what was just booked, changed or cancelled, as it is now; None for what makes no trip.

    `others` are the traveller's other bookings, `home` where journeys start that no flight tells of.
    """
    offer, city = booking.offered, summary(booking.offered).city
    known = next((trip for trip in trips if trip.id == booking.trip_id), None)
    if known is None and (booking.status != "booked" or not city):
        return None
    homeward = None if known else next((trip for trip in trips if _leads_back(trip, booking)), None)
    same = next((trip for trip in trips if _is_same_journey(trip, booking)), None)
    days = {"start": booking.starts, "end": booking.ends}
    trip = known or homeward or same or Trip(id=note_id("trip", booking.id), origin=home, destination=city, **days)
    rest = [one for one in others if one.trip_id == trip.id and one.status == "booked"]
    booked = [*rest, booking] if booking.status == "booked" else rest
    if not booked:
        return trip.model_copy(update={"status": "cancelled"})
    if homeward:
        return trip.model_copy(update={"end": max(trip.end, booking.ends), **_price(booked)})
    changed = _days(trip, booked, [*others, booking]) | _part(booking.kind, booked) | _price(booked)
    if booking.status == "booked":
        changed |= {"party": max(trip.party, booking.travellers), "status": "booked"}
        if isinstance(offer, FlightOffer):
            changed |= {"origin": _origin(offer)} | ({} if rest else {"destination": city})
    return trip.model_copy(update=changed)


def _days(trip: Trip, booked: Sequence[Booking], every: Sequence[Booking]) -> dict[str, Any]:
    """Return the first and last day of the trip; one that the ledger did not make also keeps its own days."""
    starts, ends = [one.starts for one in booked], [one.ends for one in booked]
    if trip.id not in {note_id("trip", one.id) for one in every}:
        starts, ends = [*starts, trip.start], [*ends, trip.end]
    return {"start": min(starts), "end": max(ends)}


def _price(booked: Sequence[Booking]) -> dict[str, Any]:
    """Return the sum of the bookings in the currency of the first one."""
    currency = booked[0].price.currency
    paid = sum(one.paid.amount for one in booked if one.price.currency == currency)
    return {"price": max(0, paid), "currency": currency}


def _is_same_journey(trip: Trip, booking: Booking) -> bool:
    near = trip.start - _NEAR <= booking.ends and booking.starts <= trip.end + _NEAR
    same = trip.destination.casefold() == summary(booking.offered).city.casefold()
    return trip.status == "booked" and near and same


def _leads_back(trip: Trip, booking: Booking) -> bool:
    """Return True for a flight home that is booked by itself, not too long after what is known of the trip."""
    offer = booking.offered
    if not isinstance(offer, FlightOffer) or offer.inbound is not None or trip.status != "booked":
        return False
    ways = (_origin(offer).casefold(), summary(offer).city.casefold())
    in_time = trip.start <= booking.starts <= trip.end + _LONGEST_GAP
    return ways == (trip.destination.casefold(), trip.origin.casefold()) and in_time


def _origin(offer: FlightOffer) -> str:
    return offer.outbound.segments[0].origin_city


def _part(kind: str, booked: Sequence[Booking]) -> dict[str, Any]:
    """Return what a trip tells of the newest of its bookings of a kind, under the name of the kind."""
    newest = next((one for one in reversed(booked) if one.kind == kind), None)
    told: Record | None = None
    match newest and newest.offered:
        case FlightOffer() as offer if newest:
            told = Flight(
                airline=offer.airline,
                cabin=offer.cabin,
                seat=newest.seats[0].seat if newest.seats else None,
                layovers=tuple(airport for airport, _ in offer.outbound.layovers),
                checked_bags=min(10, offer.fare.rules.checked_bags + newest.extra_bags),
                special_requests=newest.requests,
            )
        case HotelOffer() as offer:
            told = Hotel.model_validate(offer.model_dump(include=set(Hotel.model_fields)))
        case CarOffer() as offer:
            told = Car(company=offer.company, category=offer.category)
    return {kind: told} if kind in Trip.model_fields else {}
