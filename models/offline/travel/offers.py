"""Reads what the travel tools answered: searches with their offers, bookings, and what went wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from models.offline.dialogue.transcript import Outcome, Turn
from models.offline.travel.request import Kind

SEARCHES: dict[str, Kind] = {
    "search_flights": "flight",
    "search_hotels": "hotel",
    "search_cars": "car",
    "search_activities": "activity",
    "search_insurance": "insurance",
}
SEARCH_OF: dict[Kind, str] = {kind: name for name, kind in SEARCHES.items()}
ACTS = frozenset({"hold_offer", "book_offer", "change_booking", "cancel_booking"})
"""Tools that act; each waits for approval outside."""
TOOLS = frozenset(
    {
        *SEARCHES, *ACTS, "offer_details", "list_bookings", "show_itinerary", "export_calendar", "check_documents",
        "convert_money", "booking_policy", "seat_map",
    }
)  # fmt: skip
MOST_SHOWN = 3
MORE = 10
"""Results of a search that leaves out what was shown before."""
_REJECTED = re.compile(r"the traveller rejected it\.(?: They said: (?P<why>.*))?", re.DOTALL)
_LEFT_OPEN = "did not decide"
_PLACE = re.compile(r"[^,(]+(?:, [^,()]+)*? \([A-Z]{3}\)")
_BEFORE_PLACE = re.compile(r"^.*\b(?:may mean|they mean) |^[\s,]*(?:or )?")
_ASKED_PLACE = re.compile(r"^(?:Error: )?(?:No city or airport is called )?(?P<mark>['\"])(?P<name>.+?)(?P=mark)")
_GONE = re.compile(
    r"sold out|left of it now|was good until|no longer|[Ss]earch (?:again|a later|other)|ran out|are full"
)

Offer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an act was not carried out: the traveller's word, or their silence."""

    why: str = ""
    undecided: bool = False


def travel_outcomes(turn: Turn) -> list[Outcome]:
    """The outcomes of travel tools in `turn`."""
    return [each for each in turn.outcomes if each.tool in TOOLS]


def error_text(outcome: Outcome) -> str:
    """What went wrong, in the tool's words; empty when nothing did."""
    if outcome.answer.get("status") != "error":
        return ""
    return str(outcome.answer.get("message", "")).removeprefix("Error: ")


def refusal(outcome: Outcome) -> Refusal | None:
    """The traveller's no to an act, or None."""
    text = error_text(outcome)
    if _LEFT_OPEN in text:
        return Refusal(undecided=True)
    found = _REJECTED.search(text)
    return Refusal((found["why"] or "").strip()) if found else None


def is_sold_out(outcome: Outcome) -> bool:
    """True when what was to be booked can't be had any more, or not at that price."""
    return bool(_GONE.search(error_text(outcome)))


def ambiguous_places(outcome: Outcome) -> tuple[str, tuple[str, ...]]:
    """The name that was not clear, and the places that it may mean; empty where that is not the fault."""
    text = error_text(outcome)
    asked = _ASKED_PLACE.match(text)
    options = _PLACE.findall(text[asked.end() :]) if asked else []
    tidy = (_BEFORE_PLACE.sub("", each).strip(" ,") for each in options)
    return (asked["name"] if asked else ""), tuple(tidy)


def results(outcome: Outcome) -> list[Offer]:
    """The offers of a search."""
    found = outcome.answer.get("results", [])
    listed = found if isinstance(found, list) else []
    return [each for each in listed if isinstance(each, dict) and each.get("offer_id")]


def name_of(offer: Offer) -> str:
    """What people call the offer by."""
    return next((str(offer[key]) for key in ("name", "airline", "title", "product", "company") if offer.get(key)), "")


def product_key(offer: Offer) -> str:
    """What it is an offer of, whatever its fare or room."""
    ways = [way for way in (offer.get("outbound"), offer.get("inbound")) if isinstance(way, dict)]
    if ways:
        return " ".join(f"{flight} {way.get('departs')}" for way in ways for flight in way.get("flights", []))
    return f"{name_of(offer)} {offer.get('category') or offer.get('product') or ''}".strip()


def cost(offer: Offer) -> float:
    """The price of the offer as a number, to compare it with others of the same currency."""
    number = re.search(r"\d[\d,]*(?:\.\d+)?", str(offer.get("price")))
    return float(number[0].replace(",", "")) if number else 0.0


def new_offers(found: Sequence[Offer], seen: frozenset[str]) -> list[Offer]:
    """The first three that were not shown before; the first three when all were."""
    fresh: dict[str, Offer] = {}
    for each in found:
        if product_key(each) not in seen:
            fresh.setdefault(product_key(each), each)
    return list(fresh.values() or found)[:MOST_SHOWN]


def seeks_other_offers(outcome: Outcome) -> bool:
    """True for a search for others than those that were shown before."""
    return outcome.given.get("limit") == MORE


def booking_of(outcome: Outcome) -> dict[str, Any] | None:
    """The booking that an act left behind, or None when it failed."""
    found = outcome.answer
    return dict(found) if outcome.tool in ACTS and found.get("booking") and found.get("status") != "error" else None


def offer_names(turn: Turn) -> frozenset[str]:
    """Names of airlines, hotels and the like that a search of `turn` brought up."""
    found = (each for outcome in turn.outcomes if outcome.tool in SEARCHES for each in results(outcome))
    return frozenset(name for each in found if len(name := name_of(each)) > 1)


def without_offer_names(said: str, names: frozenset[str]) -> str:
    """`said` without the names that were shown: "the Hyatt" is an offer, and no place to travel to."""
    for name in sorted(names, key=lambda name: (-len(name), name)):
        said = re.sub(re.escape(name), "", said, flags=re.IGNORECASE)
    telling = {word for name in names for word in re.findall(r"[^\W\d_]{4,}", name)}
    return re.sub(r"[^\W\d_]{4,}", lambda found: "" if found[0] in telling else found[0], said)
