"""Which of the offers on the table is meant: by number, name, hour, price, or what it is like."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import time
from typing import Any

from models.offline.reading.understanding import Choice, Kind, Wishes
from models.offline.trips.frames import Frame
from models.offline.trips.offers import Offer, best_by, clock, cost, name_of, ways
from text import fold

WISH_KINDS: dict[str, tuple[Kind, ...]] = {
    "cabin": ("flight",), "max_stops": ("flight",), "depart_after": ("flight",), "depart_before": ("flight",),
    "return_after": ("flight",), "return_before": ("flight",), "arrive_before": ("flight",),
    "overnight": ("flight",), "airline": ("flight",), "bags": ("flight",), "seat": ("flight",), "meal": ("flight",),
    "stars": ("hotel",), "area": ("hotel",), "chain": ("hotel",), "rooms": ("hotel",), "features": ("hotel",),
    "requests": ("hotel", "flight"),
    "category": ("car",), "interests": ("activity",), "parts": ("insurance",),
    "sort": ("flight", "hotel", "car", "activity", "insurance"), "budget": ("flight", "hotel", "car", "activity"),
    "refundable": ("flight", "hotel", "car"),
}  # fmt: skip
"""The parts of a trip that each wish may be about."""
FEATURES = frozenset(
    {
        "breakfast", "free cancellation", "gym", "pool", "spa", "quiet courtyard", "step-free access", "workspace",
        "family rooms", "parking", "rooftop bar", "pets welcome",
    }
)  # fmt: skip
"""What hotels can be searched by."""


def said_wishes(wishes: Wishes) -> dict[str, Any]:
    """Return the wishes that were said, by their names."""
    found = {name: getattr(wishes, name) for name in WISH_KINDS}
    return {name: value for name, value in found.items() if value not in (None, ())}


def chosen_offer(frame: Frame, choice: Choice | None, wishes: dict[str, Any]) -> Offer | None:
    """Return the one of the offers shown that is taken, or None where that is none of them, or not clear."""
    offers = [offer for offer in frame.shown if fits(frame.kind, offer, wishes)]
    if not offers or choice is None:
        return None
    if choice.name and choice.ordinal is None:
        named = [offer for offer in offers if _is_called(choice.name, offer)]
        offers, named_only = (named, True) if named else (offers, not choice.sort)
        if len(named) == 1 or (not named and named_only):
            return named[0] if named else None
    if choice.hour is not None:
        return _only(offer for offer in offers if _leaves_at(offer, choice.hour))
    if choice.price is not None:
        return _only(offer for offer in offers if abs(cost(offer) - choice.price) < 1 or _a_night(offer, choice.price))
    if choice.ordinal is not None:
        listed = offers if wishes else list(frame.shown)
        at = choice.ordinal if choice.ordinal >= 0 else len(listed) - 1
        return listed[at] if at < len(listed) else None
    if choice.sort or wishes.get("sort"):
        return best_by(str(choice.sort or wishes["sort"]), offers)
    return frame.chosen if choice.that and frame.chosen in offers else None


def fits(kind: Kind, offer: Offer, wishes: dict[str, Any]) -> bool:
    """Return whether the data of `offer` meet all of `wishes`, as far as they tell."""
    return all(
        _FITS[name](offer, value) for name, value in wishes.items() if name in _FITS and kind in WISH_KINDS[name]
    )


def _is_called(name: str, offer: Offer) -> bool:
    """Return whether each word of `name` begins one of the offer's name, its flights or its part of town."""
    own = fold(f"{name_of(offer)} {offer.get('neighborhood') or ''} {offer.get('chain') or ''} {_flights(offer)}")
    said = fold(name)
    return said in own or all(any(word.startswith(each) for word in own.split()) for each in said.split())


def _flights(offer: Offer) -> str:
    return " ".join(str(flight) for way in ways(offer) for flight in way.get("flights", []))


def _leaves_at(offer: Offer, hour: time) -> bool:
    said = [clock(way, "departs") for way in ways(offer)[:1]] or [str(offer.get("starts"))[-5:]]
    exact = hour.minute != 0
    return any(text == f"{hour:%H:%M}" if exact else text[:2] == f"{hour:%H}" for text in said)


def _a_night(offer: Offer, price: float) -> bool:
    from models.offline.trips.offers import amount_of

    return abs(amount_of(offer.get("per_night") or offer.get("per_day")) - price) < 1


def _only(found: Iterable[Offer]) -> Offer | None:
    listed = list(found)
    return listed[0] if len(listed) == 1 else None


def _there(offer: Offer, name: str = "departs") -> str:
    return next((clock(way, name) for way in ways(offer)[:1]), "")


def _back(offer: Offer) -> str:
    return next((clock(way, "departs") for way in ways(offer)[1:2]), "")


def _overnight(offer: Offer, wanted: bool) -> bool:
    there = ways(offer)[:1]
    return not there or (str(there[0].get("departs"))[:10] != str(there[0].get("arrives"))[:10]) == wanted


def has(offer: Offer, feature: str) -> bool:
    """Return whether a hotel has one of `FEATURES`, or room rates with it."""
    own = {"breakfast": offer.get("breakfast"), "free cancellation": offer.get("free_cancellation_until")}
    return bool(own.get(feature) or feature in (offer.get("amenities") or ()))


def _is_refundable(offer: Offer, wanted: bool) -> bool:
    free = offer.get("free_cancellation_until") or str(offer.get("refund", "not")).startswith("less")
    return bool(free) or not wanted


_FITS: dict[str, Callable[[Offer, Any], bool]] = {
    "cabin": lambda offer, value: offer.get("cabin", value) == value,
    "max_stops": lambda offer, value: int(offer.get("stops") or 0) <= value,
    "depart_after": lambda offer, value: _there(offer) >= f"{value:%H:%M}",
    "depart_before": lambda offer, value: _there(offer) <= f"{value:%H:%M}",
    "return_after": lambda offer, value: not _back(offer) or _back(offer) >= f"{value:%H:%M}",
    "return_before": lambda offer, value: not _back(offer) or _back(offer) <= f"{value:%H:%M}",
    "arrive_before": lambda offer, value: _there(offer, "arrives") <= f"{value:%H:%M}",
    "overnight": _overnight,
    "airline": lambda offer, value: fold(value) in fold(str(offer.get("airline"))),
    "stars": lambda offer, value: float(offer.get("stars") or 0) >= value,
    "area": lambda offer, value: fold(value) in fold(str(offer.get("neighborhood"))),
    "chain": lambda offer, value: fold(value) in fold(f"{offer.get('chain')} {offer.get('name')}"),
    "features": lambda offer, value: all(has(offer, each) for each in value if each in FEATURES),
    "category": lambda offer, value: offer.get("category") == value,
    "interests": lambda offer, value: offer.get("interest", value) in value or offer.get("interest") is None,
    "refundable": _is_refundable,
}
"""How the data of an offer show whether a wish is met; other wishes are met when it is booked, or not at all."""
WITH_BOOKING = frozenset({"seat", "bags", "meal", "requests"})
"""Wishes that are met when an offer is booked, whichever it is."""
CHECKED_AFTER = frozenset(
    {"depart_after", "depart_before", "return_after", "return_before", "arrive_before", "overnight", "airline", "stars"}
)
"""Wishes that no search takes and the offers show: more are asked for, and those that don't fit are left out."""
