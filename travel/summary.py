"""What can be said of any offer, whatever its kind."""

from datetime import date, datetime, time
from typing import NamedTuple

from travel.flights import FlightOffer
from travel.local_time import LocalTime
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
from travel.provider import AnyOffer
from travel.tables import Language, worded


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


def summary(offer: AnyOffer, language: Language = "en") -> Summary:
    """Return what can be said of an offer, its title in `language`; what the provider calls things stays as it is."""
    match offer:
        case FlightOffer():
            return _flight(offer, language)
        case HotelOffer():
            first, last = offer.check_in.day, offer.check_out.day
            room = {"room": worded(offer.room, language), "bed": worded(offer.bed, language)}
            title = worded("hotel", language, name=offer.name, city=offer.city, first=first, last=last, **room)
            return Summary(title, offer.city, offer.check_in.utc, first, last, 1, offer.hotel_id)
        case CarOffer():
            first, last, name = offer.pick_up.day, offer.drop_off.day, f"{offer.company} {offer.model}"
            title = worded("car", language, name=name, city=offer.city, first=first, last=last)
            thing = f"{offer.company}/{offer.category}"
            return Summary(title, offer.city, offer.pick_up.utc, first, last, 1, thing)
        case ActivityOffer():
            day, thing = offer.starts.day, f"{offer.city}/{offer.title}"
            title = worded("activity", language, name=offer.title, city=offer.city, starts=offer.starts)
            return Summary(title, offer.city, offer.starts.utc, day, day, offer.people, thing)
        case InsuranceOffer():
            first, last, name = offer.starts, offer.ends, f"{offer.company} {offer.product}"
            title = worded(
                "insurance", language, name=name, level=worded(offer.level, language), first=first, last=last
            )
            midnight = LocalTime.on(first, time(0), offer.expires_at.zone)
            return Summary(title, "", midnight.utc, first, last, offer.travellers, name)


def _flight(offer: FlightOffer, language: Language) -> Summary:
    there, back, lands = offer.outbound, offer.inbound, offer.outbound.segments[-1]
    leaves = there.departs.day
    title = worded(
        "return" if back else "flight", language,
        airline=offer.airline, numbers=" ".join(segment.flight_number for segment in offer.segments),
        origin=there.segments[0].origin, destination=lands.destination, first=leaves,
        back=back.departs.day if back else "", fare=offer.fare.name,
    )  # fmt: skip
    # Across the date line, one lands the day before.
    last = max(leaves, offer.slices[-1].arrives.day)
    return Summary(title, lands.destination_city, there.departs.utc, leaves, last, offer.party.size, offer.itinerary)
