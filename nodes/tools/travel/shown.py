"""Shapes offers and bookings for the model: plain JSON, each text neutralised and labelled with its source."""

from __future__ import annotations

from typing import Any

from text import neutralise
from travel.booking.record import Booking
from travel.flights import FlightOffer, Slice
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
from travel.provider import AnyOffer
from travel.summary import summary


def shown_offer(offer: AnyOffer) -> dict[str, Any]:
    """Return one offer: its id, a line that sums it up, its price, and what there is to choose by."""
    facts = {
        "offer_id": offer.id,
        "kind": offer.kind,
        "summary": summary(offer).title,
        "price": str(offer.price),
        "left": offer.left,
        "expires": str(offer.expires_at),
        **_facts(offer),
    }
    return {key: neutralise(value) if isinstance(value, str) and key != "offer_id" else value
            for key, value in facts.items()}  # fmt: skip


def _facts(offer: AnyOffer) -> dict[str, Any]:
    match offer:
        case FlightOffer():
            return _flight(offer)
        case HotelOffer():
            return {
                "name": offer.name, "chain": offer.chain, "neighborhood": offer.neighborhood,
                "centre_km": offer.centre_km, "stars": offer.stars, "guest_score": offer.guest_score,
                "room": offer.room, "bed": offer.bed, "floor": f"{offer.floor} of {offer.floors}",
                "per_night": str(offer.per_night), "nights": offer.nights, "breakfast": offer.breakfast,
                "free_cancellation_until": _time(offer.free_cancellation_until), "amenities": list(offer.amenities),
            }  # fmt: skip
        case CarOffer():
            return {
                "company": offer.company, "category": offer.category, "place": offer.place,
                "per_day": str(offer.per_day), "days": offer.days, "seats": offer.seats, "automatic": offer.automatic,
                "collision_cover": offer.collision_cover, "excess": str(offer.excess),
                "free_cancellation_until": _time(offer.free_cancellation_until),
            }  # fmt: skip
        case ActivityOffer():
            return {
                "title": offer.title, "interest": offer.interest, "starts": str(offer.starts),
                "minutes": offer.minutes, "per_person": str(offer.per_person), "step_free": offer.step_free,
                "least_age": offer.least_age, "other_days": [day.isoformat() for day in offer.other_days[:5]],
            }  # fmt: skip
        case InsuranceOffer():
            covers = [f"{c.part} up to {c.limit}, excess {c.excess}" for c in offer.covers]
            return {"company": offer.company, "product": offer.product, "level": offer.level, "covers": covers}


def _flight(offer: FlightOffer) -> dict[str, Any]:
    rules = offer.fare.rules
    return {
        "airline": offer.airline, "alliance": offer.alliance, "cabin": offer.cabin, "fare": offer.fare.name,
        "outbound": _slice(offer.outbound), "inbound": _slice(offer.inbound) if offer.inbound else None,
        "stops": offer.stops, "checked_bags": rules.checked_bags, "bag_fee": str(rules.bag_fee),
        "seat_choice": rules.seat_choice, "seat_fee": str(rules.seat_fee),
        "changes": f"for {rules.change_fee} each" if rules.changeable else "not possible",
        "refund": f"less {rules.refund_fee} each" if rules.refundable else "not refundable",
    }  # fmt: skip


def _slice(way: Slice) -> dict[str, Any]:
    later = f" (+{way.day_offset})" if way.day_offset > 0 else f" ({way.day_offset})" if way.day_offset else ""
    return {
        "flights": [segment.flight_number for segment in way.segments],
        "from": way.segments[0].origin,
        "to": way.segments[-1].destination,
        "departs": str(way.departs),
        "arrives": f"{way.arrives}{later}",
        "duration": f"{way.minutes // 60} h {way.minutes % 60:02d}",
        "stops": [f"{airport} {minutes // 60} h {minutes % 60:02d}" for airport, minutes in way.layovers],
    }


def shown_booking(booking: Booking) -> dict[str, Any]:
    """Return one booking, without anything that identifies its traveller."""
    return {
        "booking": booking.reference,
        "kind": booking.kind,
        "status": booking.status,
        "what": neutralise(booking.title),
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


def _time(moment: object) -> str | None:
    return str(moment) if moment else None
