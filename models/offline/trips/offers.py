"""Reads what the travel tools answered: searches with their offers, bookings, and what went wrong."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from models.offline.dialogue.transcript import Outcome
from models.offline.reading.understanding import Kind
from text import fold

SEARCH_OF: dict[Kind, str] = {
    "flight": "search_flights", "hotel": "search_hotels", "car": "search_cars", "activity": "search_activities",
    "insurance": "search_insurance",
}  # fmt: skip
SEARCHES: dict[str, Kind] = {name: kind for kind, name in SEARCH_OF.items()}
ACTS = frozenset({"hold_offer", "book_offer", "change_booking", "cancel_booking", "add_bags", "choose_seats"})
"""Tools that act; each waits for approval outside."""
TOOLS = frozenset({
    *SEARCHES, *ACTS, "offer_details", "list_bookings", "show_itinerary", "export_calendar", "check_documents",
    "convert_money", "booking_policy", "seat_map",
})  # fmt: skip
_REFUSED = re.compile(
    r"the traveller rejected it\.(?: They said: (?P<why>.*))?|(?P<undecided>did not decide)", re.DOTALL
)
_PLACE = re.compile(r"[^,(]+(?:, [^,()]+)*? \([A-Z]{3}\)")
_BEFORE_PLACE = re.compile(r"^.*\b(?:may mean|they mean) |^[\s,]*(?:or )?")
_ASKED_PLACE = re.compile(r"^(?:Error: )?(?:No city or airport is called )?(?P<mark>['\"])(?P<name>.+?)(?P=mark)")
_GONE = re.compile(
    r"sold out|left of it now|was good until|no longer|[Ss]earch (?:again|a later|other)|ran out|are full"
)
_DIGITS = 12
"""Digits of a day and a time."""
_AMOUNT = re.compile(r"\d[\d,]*(?:\.\d+)?")
_SIGNS = {
    "CN¥": "CNY", "NT$": "TWD", "HK$": "HKD", "MX$": "MXN", "NZ$": "NZD", "A$": "AUD", "C$": "CAD", "R$": "BRL",
    "S$": "SGD", "€": "EUR", "£": "GBP", "¥": "JPY", "₩": "KRW", "₹": "INR", "₫": "VND", "$": "USD",
}  # fmt: skip

Offer = Mapping[str, Any]


def error_text(outcome: Outcome) -> str:
    """Return what went wrong, in the tool's words; empty when nothing did."""
    if outcome.answer.get("status") != "error":
        return ""
    return str(outcome.answer.get("message", "")).removeprefix("Error: ")


def refusal(outcome: Outcome) -> re.Match[str] | None:
    """Return the traveller's no to an act, with `why` in their words, or `undecided`; None where they said none."""
    return _REFUSED.search(error_text(outcome))


def is_sold_out(outcome: Outcome) -> bool:
    """Return True when what was to be booked can't be had any more, or not at that price."""
    return bool(_GONE.search(error_text(outcome)))


def ambiguous_places(outcome: Outcome) -> tuple[str, tuple[str, ...]]:
    """Return the name that was not clear, and the places that it may mean; empty where that is not the fault.

    Of guesses at a name that nothing has, those that begin otherwise are left out: they are no slip of it.
    """
    text = error_text(outcome)
    asked = _ASKED_PLACE.match(text)
    options = _PLACE.findall(text[asked.end() :]) if asked else []
    tidy = tuple(_BEFORE_PLACE.sub("", each).strip(" ,") for each in options)
    name = asked["name"] if asked else ""
    if "is called" in text:
        tidy = tuple(each for each in tidy if fold(each)[:1] == fold(name)[:1])
    return name, tidy


def results(outcome: Outcome) -> list[Offer]:
    """Return the offers of a search."""
    return [each for each in outcome.listed("results") if each.get("offer_id")]


def name_of(offer: Offer) -> str:
    """Return what people call the offer by."""
    return next((str(offer[key]) for key in ("name", "airline", "title", "product", "company") if offer.get(key)), "")


def is_called(name: str, offer: Offer) -> bool:
    """Return whether each word of `name` begins one of the offer's name, its flights or its part of town."""
    if name.endswith(")"):  # an airport: "Narita (NRT)"
        return any(name[-4:-1] in (way.get("from"), way.get("to")) for way in ways(offer))
    flights = [str(flight) for way in ways(offer) for flight in way.get("flights", [])]
    own = fold(" ".join([name_of(offer), offer.get("neighborhood") or "", offer.get("chain") or "", *flights]))
    said = fold(name)
    return said in own or all(any(word.startswith(each) for word in own.split()) for each in said.split())


def product_key(offer: Offer) -> str:
    """Return what it is an offer of, whatever its fare or room."""
    found = [f"{flight} {way.get('departs')}" for way in ways(offer) for flight in way.get("flights", [])]
    return " ".join(found) or f"{name_of(offer)} {offer.get('category') or offer.get('product') or ''}".strip()


def ways(offer: Offer) -> list[Mapping[str, Any]]:
    """Return the way out and the way home of a flight, as far as it has them."""
    return [way for way in (offer.get("outbound"), offer.get("inbound")) if isinstance(way, Mapping)]


def amount_of(price: Any) -> float:
    """Return the number in a price."""
    found = _AMOUNT.search(str(price))
    return float(found[0].replace(",", "")) if found else 0.0


def currency_of(price: Any) -> str:
    """Return the currency of a price, as an ISO code."""
    text = str(price).strip()
    return next((code for sign, code in _SIGNS.items() if text.startswith(sign)), text[:3].upper())


def minutes(offer: Offer) -> float:
    """Return how long the flights take, both ways together."""
    times = [re.match(r"(\d+) h (\d+)", str(way.get("duration"))) for way in ways(offer)]
    return float(sum(int(found[1]) * 60 + int(found[2]) for found in times if found))


def clock(way: Mapping[str, Any], name: str) -> str:
    """Return the local time ("09:05") at which a way `departs` or `arrives`; empty where it is not known."""
    found = re.search(r" (\d\d:\d\d)", str(way.get(name)))
    return found[1] if found else ""


def _leaves(offer: Offer) -> float:
    """Return when the flight leaves or the activity begins as a number: 202612082115."""
    at = ways(offer)[0].get("departs") if ways(offer) else offer.get("starts")
    return float("".join(filter(str.isdigit, str(at)))[:_DIGITS] or 0)


def best_by(sort: str, offers: Sequence[Offer]) -> Offer:
    """Return the one that comes first in `sort`; the first where nothing of the offers is measured by it."""
    return min(offers, key=MEASURES[sort]) if sort in MEASURES else offers[0]


MEASURES: dict[str, Callable[[Offer], float]] = {
    "cheapest": lambda offer: amount_of(offer.get("price")),
    "fastest": minutes,
    "earliest": _leaves,
    "latest": lambda offer: -_leaves(offer),
    "central": lambda offer: float(offer.get("centre_km") or 0),
    "rating": lambda offer: -float(offer.get("guest_score") or 0),
}
"""What offers are compared by, the least first."""


def booking_of(outcome: Outcome) -> dict[str, Any] | None:
    """Return the booking that an act left behind, or None when it failed."""
    found = outcome.answer
    return dict(found) if outcome.tool in ACTS and found.get("booking") and found.get("status") != "error" else None
