"""Summaries of offers, with the same fields for all kinds."""

from datetime import date, datetime, time
from typing import NamedTuple

from travel.flights import FlightOffer
from travel.local_time import LocalTime
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
from travel.provider import AnyOffer
from travel.tables import Language, labelled, worded


class Summary(NamedTuple):
    """The summary of one offer."""

    title: str
    """One line to show to travellers."""
    city: str
    """The destination; empty for insurance."""
    begins: datetime
    """In UTC: departure, check-in, pick-up, or start of the activity or the cover."""
    first_day: date
    last_day: date
    travellers: int
    thing: str
    """Identifies the flights, hotel, car, activity or product; all fares and rates of it have the same one."""


_LABELLED = ("room", "bed", "level", "place")
"""Fields of offers whose values are translated."""


def offer_text(name: str, offer: AnyOffer, language: Language, **values: object) -> str:
    """Return the text `name` of `data/texts.txt`, filled with fields of `offer` and with `values`."""
    labels = {field: labelled(getattr(offer, field, ""), language) for field in _LABELLED}
    return worded(name, language, offer=offer, **labels, **values)


def summary(offer: AnyOffer, language: Language = "en") -> Summary:
    """Return the summary of an offer, its title in `language`."""
    match offer:
        case FlightOffer():
            outbound, lands = offer.outbound, offer.outbound.segments[-1]
            name, numbers = "return" if offer.inbound else "flight", " ".join(s.flight_number for s in offer.segments)
            title = offer_text(name, offer, language, numbers=numbers, leaves=outbound.segments[0], lands=lands)
            begins, first = outbound.departs.utc, outbound.departs.day
            last = max(first, offer.slices[-1].arrives.day)  # across the date line, arrival can be the day before
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
            title, thing = offer_text("insurance", offer, language), f"{offer.company} {offer.product}"
            return Summary(title, "", midnight.utc, offer.starts, offer.ends, offer.travellers, thing)
    title = offer_text(offer.kind, offer, language)
    return Summary(title, offer.city, starts.utc, starts.day, ends.day, travellers, thing)
