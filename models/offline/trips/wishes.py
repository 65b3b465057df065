"""The kinds of wishes that a traveller may have: the parts they apply to, and how an offer is checked against them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import time
from typing import Any, Literal

from models.offline.reading.understanding import Clause, Kind, Wishes
from models.offline.tables import DIALOGUE
from models.offline.trips.frames import Frame
from models.offline.trips.offers import Offer, clock, is_called, ways
from text import fold

SEARCHED = DIALOGUE.table("searches")
TOPICS = DIALOGUE.table("topics")
FEATURES = frozenset(SEARCHED["features"])
"""Features that the hotel search accepts."""
OWN: Mapping[Kind, list[str]] = SEARCHED["own"]
"""Requests that apply to one kind of part only, by kind."""
NEEDS = frozenset({"step-free access"})
"""Features that are a need whenever they are mentioned, and never a mere preference."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One kind of wish.

    Attributes:
        kinds: The parts of a trip that it may apply to.
        met: How it is fulfilled: by an argument of the "search", by filtering the "offer"s found, of which more are
            requested then, or with the "booking", whichever offer is booked.
        fits: Returns whether an offer meets it; True if the offer's data can't decide that.
    """

    kinds: tuple[Kind, ...]
    met: Literal["search", "offer", "booking"] = "search"
    fits: Callable[[Offer, Any], bool] = lambda _offer, _value: True


def said_wishes(wishes: Wishes) -> dict[str, Any]:
    """Return the wishes that are set, by name."""
    values = {name: getattr(wishes, name, None) for name in WISHES}
    return {name: value for name, value in values.items() if value not in (None, ())}


def wishes_of(clause: Clause) -> dict[str, Any]:
    """Return the wishes that a search takes; `seat_for` replaces a seat for all, and `one_way` wishes are left out."""
    wishes = {name: value for name, value in said_wishes(clause.wishes).items() if name not in dict(clause.one_way)}
    others = {name: value for name, value in wishes.items() if name != "seat"}
    return {**others, "seat_for": clause.seat_for} if clause.seat_for and "seat" in wishes else wishes


def fits(kind: Kind, offer: Offer, wishes: Mapping[str, Any]) -> bool:
    """Return whether `offer` meets all of `wishes` that apply to its kind; undecidable ones count as met."""
    return all(WISHES[name].fits(offer, value) for name, value in wishes.items() if kind in WISHES[name].kinds)


def unmet_wishes(kind: Kind, offer: Offer, wishes: Mapping[str, Any]) -> int:
    """Return the number of wishes, each feature by itself, that `offer` does not meet."""
    features = [{"features": (each,)} for each in wishes.get("features", ())]
    others = [{name: value} for name, value in wishes.items() if name != "features"]
    return sum(not fits(kind, offer, each) for each in (*features, *others))


def shown_wishes(frame: Frame) -> dict[str, Any]:
    """Return the wishes of a part by which its offers are filtered, because no search takes them."""
    return {name: slot.value for name, slot in frame.slots.items() if name in WISHES and WISHES[name].met == "offer"}


def left_out(frame: Frame) -> dict[str, Any]:
    """Return the wishes that the last search left out, because nothing meets them."""
    given = frame.given or {}
    names = {name for group in SEARCHED["eased"][frame.kind] for name in group if frame.empty}
    slots = ("budget" if name == "max_per_night" else name for name in names - {*given, "features"})
    left = {name: value for name in slots if (value := frame.value(name)) is not None}
    wanted = frame.value("features") or () if "features" in names else ()
    features = tuple(each for each in wanted if each in FEATURES and each not in given.get("features", ()))
    return left | ({"features": features} if features else {})


def checked_wishes(frame: Frame) -> dict[str, Any]:
    """Return the wishes to check offers by; one that lands by an hour lands on the first day, if any offer does."""
    wishes = {**shown_wishes(frame), **left_out(frame)}
    same_day = "arrive_before" in wishes and any(_overnight(each, False) for each in frame.found)
    return {"overnight": False, **wishes} if same_day else wishes


def has(offer: Offer, feature: str) -> bool:
    """Return whether a hotel or its rate includes one of `FEATURES`, or whether a rental car is an automatic."""
    fields = {
        "breakfast": offer.get("breakfast"), "free cancellation": offer.get("free_cancellation_until"),
        "automatic": offer.get("automatic"),
    }  # fmt: skip
    return bool(fields.get(feature) or feature in (offer.get("amenities") or ()))


_SIZES = ("economy", "compact", "midsize", "suv", "van")
"""Car categories, the smallest first."""


def sized(frame: Frame, category: str) -> str:
    """Return the car category for a wish; `larger` and `smaller` are relative to the wanted or chosen category."""
    current = frame.value("category") or (frame.chosen or {}).get("category")
    at = _SIZES.index(current) if current in _SIZES else 2
    to = {"largest": len(_SIZES) - 1, "smallest": 0, "larger": min(at + 1, len(_SIZES) - 1), "smaller": max(at - 1, 0)}
    return _SIZES[to[category]] if category in to else category


def merged_wish(frame: Frame, name: str, value: Any) -> Any:
    """Return the new value of a wish, merged with the part's old one: lists are joined, `seat_for` by its target."""
    old = frame.value(name) or ()
    if name == "seat_for":
        targets = {target for target, _ in value}
        return (*(each for each in old if each[0] not in targets), *value)
    if name in ("features", "requests", "without"):
        return tuple(dict.fromkeys((*old, *value)))
    return sized(frame, value) if name == "category" else value


def _overnight(offer: Offer, wanted: bool) -> bool:
    return all((str(way.get("departs"))[:10] != str(way.get("arrives"))[:10]) == wanted for way in ways(offer)[:1])


def _is_refundable(offer: Offer, wanted: bool) -> bool:
    return not wanted or bool(offer.get("free_cancellation_until") or str(offer.get("refund")).startswith("less"))


def _clock(way: int, name: str, *, before: bool) -> Callable[[Offer, time], bool]:
    """Return a check of the time at which the way out (0) or home (1) `departs` or `arrives`; no time passes."""

    def check(offer: Offer, value: time) -> bool:
        at, limit = next((clock(each, name) for each in ways(offer)[way : way + 1]), ""), f"{value:%H:%M}"
        return at <= limit if before else (at >= limit or not at)

    return check


_FLIGHT: tuple[Kind, ...] = ("flight",)
_HOTEL: tuple[Kind, ...] = ("hotel",)
_FREE: tuple[Kind, ...] = ("flight", "hotel", "car")
WISHES: dict[str, Wish] = {
    "cabin": Wish(_FLIGHT, fits=lambda offer, value: offer.get("cabin", value) == value),
    "max_stops": Wish(_FLIGHT, fits=lambda offer, value: int(offer.get("stops") or 0) <= value),
    "depart_after": Wish(_FLIGHT, "offer", _clock(0, "departs", before=False)),
    "depart_before": Wish(_FLIGHT, "offer", _clock(0, "departs", before=True)),
    "return_after": Wish(_FLIGHT, "offer", _clock(1, "departs", before=False)),
    "return_before": Wish(_FLIGHT, "offer", _clock(1, "departs", before=True)),
    "arrive_before": Wish(_FLIGHT, "offer", _clock(0, "arrives", before=True)),
    "home_before": Wish(_FLIGHT, "offer", _clock(1, "arrives", before=True)),
    "overnight": Wish(_FLIGHT, "offer", _overnight),
    "airline": Wish(
        _FLIGHT, "offer", lambda offer, wanted: any(fold(each) in fold(str(offer.get("airline"))) for each in wanted)
    ),
    "bags": Wish(_FLIGHT, "booking"),
    "seat": Wish(_FLIGHT, "booking"),
    "seat_for": Wish(_FLIGHT, "booking"),
    "meal": Wish(_FLIGHT, "booking"),
    "stars": Wish(_HOTEL, "offer", lambda offer, value: float(offer.get("stars") or 0) >= value),
    "area": Wish(_HOTEL, fits=lambda offer, value: fold(value) in fold(str(offer.get("neighborhood")))),
    "chain": Wish(_HOTEL, fits=lambda offer, value: fold(value) in fold(f"{offer.get('chain')} {offer.get('name')}")),
    "rooms": Wish(_HOTEL),
    "features": Wish(_HOTEL, fits=lambda offer, value: all(has(offer, each) for each in value if each in FEATURES)),
    "requests": Wish(("hotel", "flight", "car"), "booking"),
    "category": Wish(("car",), fits=lambda offer, value: offer.get("category") == value),
    "interests": Wish(("activity",), fits=lambda offer, value: offer.get("interest") in (None, *value)),
    "parts": Wish(("insurance",)),
    "sort": Wish(("flight", "hotel", "car", "activity", "insurance")),
    "budget": Wish(("flight", "hotel", "car", "activity")),
    "refundable": Wish(_FREE, "offer", _is_refundable),
    "without": Wish(_FREE, "offer", lambda offer, value: not any(is_called(each, offer) for each in value)),
}
"""Every kind of wish by its name in `Wishes`, in the order in which replies list them."""
