"""What can be said of any offer, whatever its kind."""

from datetime import date, datetime, time
from typing import NamedTuple

from travel.flights import FlightOffer
from travel.local_time import LocalTime
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
from travel.provider import AnyOffer
from travel.tables import Language, labelled, worded


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


_LABELLED = ("room", "bed", "level", "place")
"""What an offer has of these is told in the language spoken."""


def said(name: str, offer: AnyOffer, language: Language, **values: object) -> str:
    """Return the text of this name about an offer; what the provider calls things stays as it is."""
    labels = {field: labelled(getattr(offer, field, ""), language) for field in _LABELLED}
    return worded(name, language, offer=offer, **labels, **values)


def summary(offer: AnyOffer, language: Language = "en") -> Summary:
    """Return what can be said of an offer, its title in `language`."""
    match offer:
        case FlightOffer():
            there, lands = offer.outbound, offer.outbound.segments[-1]
            name, flown = "return" if offer.inbound else "flight", " ".join(one.flight_number for one in offer.segments)
            title = said(name, offer, language, numbers=flown, leaves=there.segments[0], lands=lands)
            begins, first = there.departs.utc, there.departs.day
            last = max(first, offer.slices[-1].arrives.day)  # across the date line, one lands the day before
            return Summary(title, lands.destination_city, begins, first, last, offer.party.size, offer.itinerary)
        case HotelOffer():
            starts, ends, travellers, thing = offer.check_in, offer.check_out, 1, offer.hotel_id
        case CarOffer():
            starts, ends, travellers, thing = offer.pick_up, offer.drop_off, 1, f"{offer.company}/{offer.category}"
        case ActivityOffer():
            starts = ends = offer.starts
            travellers, thing = offer.people, f"{offer.city}/{offer.title}"
        case InsuranceOffer():
            midnight = LocalTime.on(offer.starts, time(0), offer.expires_at.zone)
            title, thing = said("insurance", offer, language), f"{offer.company} {offer.product}"
            return Summary(title, "", midnight.utc, offer.starts, offer.ends, offer.travellers, thing)
    title = said(offer.kind, offer, language)
    return Summary(title, offer.city, starts.utc, starts.day, ends.day, travellers, thing)
