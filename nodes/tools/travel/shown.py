"""Renders offers and bookings for the model, as plain JSON with neutralised texts."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from text import neutralise
from travel.booking.record import Booking
from travel.flights import FlightOffer, Slice
from travel.local_time import LocalTime
from travel.money import Money
from travel.offers import ActivityOffer, Cover, HotelOffer
from travel.provider import AnyOffer
from travel.summary import summary
from travel.tables import Language

_FACTS: Mapping[str, tuple[str, ...]] = {
    "hotel": (
        "name", "chain", "neighborhood", "centre_km", "stars", "guest_score", "room", "bed", "floor", "per_night",
        "nights", "breakfast", "free_cancellation_until", "amenities",
    ),
    "car": (
        "company", "category", "place", "per_day", "days", "seats", "automatic", "collision_cover", "excess",
        "free_cancellation_until",
    ),
    "activity": ("title", "interest", "starts", "minutes", "per_person", "step_free", "least_age", "other_days"),
    "insurance": ("company", "product", "level", "covers"),
}  # fmt: skip
"""The fields that help to choose an offer, by its kind."""
_MAX_DAYS = 5


def shown_offer(offer: AnyOffer) -> dict[str, Any]:
    """Return an offer: its id, a one-line summary, its price, and the fields that help to choose."""
    facts = {name: getattr(offer, name) for name in _FACTS.get(offer.kind, ())}
    if isinstance(offer, FlightOffer):
        facts = _flight(offer)
    elif isinstance(offer, HotelOffer):
        facts["floor"] = f"{offer.floor} of {offer.floors}"
    elif isinstance(offer, ActivityOffer):
        facts["other_days"] = offer.other_days[:_MAX_DAYS]
    shown = {"kind": offer.kind, "summary": summary(offer).title, "price": offer.price, "left": offer.left}
    shown |= {"expires": offer.expires_at, **facts}
    return {"offer_id": offer.id, **{key: _plain(value) for key, value in shown.items()}}


def _plain(value: object) -> object:
    match value:
        case Money() | LocalTime():
            return str(value)
        case Cover():
            return f"{value.part} up to {value.limit}, excess {value.excess}"
        case date():
            return value.isoformat()
        case dict():
            return {key: _plain(item) for key, item in value.items()}
        case tuple() | list():
            return [_plain(item) for item in value]
        case str():
            return neutralise(value[:300])  # a provider's text may have any length
        case _:
            return value


def _flight(offer: FlightOffer) -> dict[str, Any]:
    rules = offer.fare.rules
    return {
        "airline": offer.airline, "alliance": offer.alliance, "cabin": offer.cabin, "fare": offer.fare.name,
        "outbound": _slice(offer.outbound), "inbound": _slice(offer.inbound) if offer.inbound else None,
        "stops": offer.stops, "checked_bags": rules.checked_bags, "bag_fee": str(rules.bag_fee),
        "seat_choice": rules.seat_choice, "seat_fee": str(rules.seat_fee),
        "changes": f"for {rules.change_fee} each" if rules.changeable else "not possible",
        "refund": (f"less {rules.refund_fee} each" if rules.refundable else "not refundable")
        + f"; in full within {rules.grace_hours} hours of booking (a week or more ahead)",
    }  # fmt: skip


def _slice(way: Slice) -> dict[str, Any]:
    later = f" ({way.day_offset:+})" if way.day_offset else ""
    return {
        "flights": [segment.flight_number for segment in way.segments],
        "from": way.segments[0].origin,
        "to": way.segments[-1].destination,
        "departs": str(way.departs),
        "arrives": f"{way.arrives}{later}",
        "duration": f"{way.minutes // 60} h {way.minutes % 60:02d}",
        "stops": [f"{airport} {minutes // 60} h {minutes % 60:02d}" for airport, minutes in way.layovers],
    }


def shown_booking(booking: Booking, language: Language) -> dict[str, Any]:
    """Return a booking, with a title in `language`, without anything that identifies the traveller."""
    return {
        "booking": booking.reference,
        "kind": booking.kind,
        "status": booking.status,
        "what": neutralise(summary(booking.offered, language).title),
        "starts": booking.starts.isoformat(),
        "ends": booking.ends.isoformat(),
        "paid": str(booking.paid),
        "seats": [choice.seat for choice in booking.seats],
        "extra_bags": booking.extra_bags,
        "requests": [neutralise(request) for request in booking.requests],
        "earns": booking.loyalty,
        "held_until": f"{booking.held_until:%Y-%m-%d %H:%M} UTC" if booking.held_until else None,
        "source": booking.source,
    }
