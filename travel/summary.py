"""What can be said of any offer, whatever its kind."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import NamedTuple

from travel.flights import FlightOffer
from travel.local_time import LocalTime
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
from travel.provider import AnyOffer


class Summary(NamedTuple):
    """One offer in a few words."""

    title: str
    """One line that says what is bought."""
    city: str
    """Where it leads; empty for what is nowhere."""
    begins: datetime
    """In UTC: when the flight leaves, the room or car is due, the activity or the cover starts."""
    first_day: date
    last_day: date
    travellers: int
    thing: str
    """What it is an offer of, whatever the fare or the rate."""


def summary(offer: AnyOffer) -> Summary:
    """Return what can be said of an offer."""
    match offer:
        case FlightOffer():
            return _flight(offer)
        case HotelOffer():
            first, last = offer.check_in.day, offer.check_out.day
            title = f"{offer.name}, {offer.city}, {first} to {last}, {offer.room} {offer.bed}"
            return Summary(title, offer.city, offer.check_in.utc, first, last, 1, offer.hotel_id)
        case CarOffer():
            first, last = offer.pick_up.day, offer.drop_off.day
            title = f"{offer.company} {offer.model}, {offer.city}, {first} to {last}"
            thing = f"{offer.company}/{offer.category}"
            return Summary(title, offer.city, offer.pick_up.utc, first, last, 1, thing)
        case ActivityOffer():
            day, title = offer.starts.day, f"{offer.title}, {offer.city}, {offer.starts}"
            thing = f"{offer.city}/{offer.title}"
            return Summary(title, offer.city, offer.starts.utc, day, day, offer.people, thing)
        case InsuranceOffer():
            name, zone = f"{offer.company} {offer.product}", offer.expires_at.zone
            midnight = LocalTime.on(offer.starts, time(0), zone)
            title = f"{name} ({offer.level}), {offer.starts} to {offer.ends}"
            return Summary(title, "", midnight.utc, offer.starts, offer.ends, offer.travellers, name)


def _flight(offer: FlightOffer) -> Summary:
    there, back, lands = offer.outbound, offer.inbound, offer.outbound.segments[-1]
    leaves = there.departs.day
    numbers = " ".join(segment.flight_number for segment in offer.segments)
    until = f", back {back.departs.day}" if back else ""
    way = f"{there.segments[0].origin} - {lands.destination}, {leaves}{until}"
    title = f"{offer.airline} {numbers}, {way}, {offer.fare.name}"
    # Across the date line, one lands the day before.
    last = max(leaves, offer.slices[-1].arrives.day)
    return Summary(title, lands.destination_city, there.departs.utc, leaves, last, offer.party.size, offer.itinerary)
