"""Group bookings into trips: bookings for the same place and time belong to one trip."""

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
"""Longest time between the last booking of a trip and a flight home."""


def trip_after(booking: Booking, trips: Sequence[Trip], others: Sequence[Booking], *, home: str) -> Trip | None:
    """Return the updated trip of a booking that was just made, changed or cancelled; None if it has no trip.

    `others` are the traveller's other bookings; `home` is the origin of a new trip without a flight.
    """
    offer, city = booking.offered, summary(booking.offered).city
    current = next((trip for trip in trips if trip.id == booking.trip_id), None)
    if current is None and (booking.status != "booked" or not city):
        return None
    homeward = None if current else next((trip for trip in trips if _leads_back(trip, booking)), None)
    same = next((trip for trip in trips if _is_same_trip(trip, booking)), None)
    days = {"start": booking.starts, "end": booking.ends}
    trip = current or homeward or same or Trip(id=note_id("trip", booking.id), origin=home, destination=city, **days)
    rest = [other for other in others if other.trip_id == trip.id and other.status == "booked"]
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
    """Return the first and last day of the trip; a trip that no booking created keeps its dates at least."""
    starts, ends = [booking.starts for booking in booked], [booking.ends for booking in booked]
    if trip.id not in {note_id("trip", booking.id) for booking in every}:
        starts, ends = [*starts, trip.start], [*ends, trip.end]
    return {"start": min(starts), "end": max(ends)}


def _price(booked: Sequence[Booking]) -> dict[str, Any]:
    """Return the sum of those bookings that have the currency of the first one."""
    currency = booked[0].price.currency
    paid = sum(booking.paid.amount for booking in booked if booking.price.currency == currency)
    return {"price": max(0, paid), "currency": currency}


def _is_same_trip(trip: Trip, booking: Booking) -> bool:
    near = trip.start - _NEAR <= booking.ends and booking.starts <= trip.end + _NEAR
    same = trip.destination.casefold() == summary(booking.offered).city.casefold()
    return trip.status == "booked" and near and same


def _leads_back(trip: Trip, booking: Booking) -> bool:
    """Return True for a one-way flight back to the trip's origin, at most `_LONGEST_GAP` after the trip's end."""
    offer = booking.offered
    if not isinstance(offer, FlightOffer) or offer.inbound is not None or trip.status != "booked":
        return False
    cities = (_origin(offer).casefold(), summary(offer).city.casefold())
    in_time = trip.start <= booking.starts <= trip.end + _LONGEST_GAP
    return cities == (trip.destination.casefold(), trip.origin.casefold()) and in_time


def _origin(offer: FlightOffer) -> str:
    return offer.outbound.segments[0].origin_city


def _part(kind: str, booked: Sequence[Booking]) -> dict[str, Any]:
    """Return the trip's field for a kind of booking, taken from the newest booking of that kind."""
    newest = next((booking for booking in reversed(booked) if booking.kind == kind), None)
    part: Record | None = None
    match newest and newest.offered:
        case FlightOffer() as offer if newest:
            part = Flight(
                airline=offer.airline,
                cabin=offer.cabin,
                seat=newest.seats[0].seat if newest.seats else None,
                layovers=tuple(airport for airport, _ in offer.outbound.layovers),
                checked_bags=min(10, offer.fare.rules.checked_bags + newest.extra_bags),
                special_requests=newest.requests,
            )
        case HotelOffer() as offer:
            part = Hotel.model_validate(offer.model_dump(include=set(Hotel.model_fields)))
        case CarOffer() as offer:
            part = Car(company=offer.company, category=offer.category)
    return {kind: part} if kind in Trip.model_fields else {}
