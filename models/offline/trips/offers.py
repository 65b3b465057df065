"""Parses the answers of the travel tools: offers, bookings and errors."""

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
"""Tools that change a booking; each call waits for approval outside this model."""
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
_TIMESTAMP_DIGITS = 12
"""Digits of a date and a time without seconds: 202612082115."""
_AMOUNT = re.compile(r"\d[\d,]*(?:\.\d+)?")
_SIGNS = {
    "CN¥": "CNY", "NT$": "TWD", "HK$": "HKD", "MX$": "MXN", "NZ$": "NZD", "A$": "AUD", "C$": "CAD", "R$": "BRL",
    "S$": "SGD", "€": "EUR", "£": "GBP", "¥": "JPY", "₩": "KRW", "₹": "INR", "₫": "VND", "$": "USD",
}  # fmt: skip

Offer = Mapping[str, Any]


def error_text(outcome: Outcome) -> str:
    """Return the tool's error message; empty if the call succeeded."""
    if outcome.answer.get("status") != "error":
        return ""
    return str(outcome.answer.get("message", "")).removeprefix("Error: ")


def refusal(outcome: Outcome) -> re.Match[str] | None:
    """Return a match if the traveller rejected the call, with groups `why` (their words) and `undecided`; else None."""
    return _REFUSED.search(error_text(outcome))


def is_sold_out(outcome: Outcome) -> bool:
    """Return whether the call failed because the offer is no longer available, or not at that price."""
    return bool(_GONE.search(error_text(outcome)))


def ambiguous_places(outcome: Outcome) -> tuple[str, tuple[str, ...]]:
    """Return the ambiguous or unknown name in an error, and the places it may refer to; both empty for other errors."""
    text = error_text(outcome)
    match = _ASKED_PLACE.match(text)
    options = _PLACE.findall(text[match.end() :]) if match else []
    places = tuple(_BEFORE_PLACE.sub("", each).strip(" ,") for each in options)
    name = match["name"] if match else ""
    if "is called" in text:  # the name is unknown: a misspelling has the right initial
        places = tuple(each for each in places if fold(each)[:1] == fold(name)[:1])
    return name, places


def results(outcome: Outcome) -> list[Offer]:
    """Return the offers of a search."""
    return [each for each in outcome.listed("results") if each.get("offer_id")]


def found_nothing(outcome: Outcome) -> bool:
    """Return whether a search was carried out, and there are no such offers."""
    return outcome.answer.get("results") == [] or error_text(outcome).startswith("No flight in")


def name_of(offer: Offer) -> str:
    """Return the offer's name: that of the hotel, airline, activity, product or rental company."""
    return next((str(offer[key]) for key in ("name", "airline", "title", "product", "company") if offer.get(key)), "")


def is_called(name: str, offer: Offer) -> bool:
    """Return whether each word of `name` begins a word of the offer's name, neighborhood, chain or flight numbers."""
    if name.endswith(")"):  # an airport: "Narita (NRT)"
        return any(name[-4:-1] in (way.get("from"), way.get("to")) for way in ways(offer))
    flights = [str(flight) for way in ways(offer) for flight in way.get("flights", [])]
    text = fold(" ".join([name_of(offer), offer.get("neighborhood") or "", offer.get("chain") or "", *flights]))
    wanted = fold(name)
    return wanted in text or all(any(word.startswith(each) for word in text.split()) for each in wanted.split())


def product_key(offer: Offer) -> str:
    """Return a key that offers of the same product share, whatever their fare or room."""
    flights = [f"{flight} {way.get('departs')}" for way in ways(offer) for flight in way.get("flights", [])]
    return " ".join(flights) or f"{name_of(offer)} {offer.get('category') or offer.get('product') or ''}".strip()


def ways(offer: Offer) -> list[Mapping[str, Any]]:
    """Return the outbound and the inbound way of a flight offer; other offers have none."""
    return [way for way in (offer.get("outbound"), offer.get("inbound")) if isinstance(way, Mapping)]


def amount_of(price: Any) -> float:
    """Return the number in a price; 0.0 if it has none."""
    match = _AMOUNT.search(str(price))
    return float(match[0].replace(",", "")) if match else 0.0


def currency_of(price: Any) -> str:
    """Return the currency of a price, as an ISO code."""
    text = str(price).strip()
    return next((code for sign, code in _SIGNS.items() if text.startswith(sign)), text[:3].upper())


def minutes(offer: Offer) -> float:
    """Return the duration of the flights in minutes, both ways together."""
    times = [re.match(r"(\d+) h (\d+)", str(way.get("duration"))) for way in ways(offer)]
    return float(sum(int(match[1]) * 60 + int(match[2]) for match in times if match))


def clock(way: Mapping[str, Any], name: str) -> str:
    """Return the local time ("09:05") at which a way `departs` or `arrives`; empty if it is unknown."""
    match = re.search(r" (\d\d:\d\d)", str(way.get(name)))
    return match[1] if match else ""


def _start(offer: Offer) -> float:
    """Return when the flight departs or the activity starts as a number: 202612082115."""
    time = ways(offer)[0].get("departs") if ways(offer) else offer.get("starts")
    return float("".join(filter(str.isdigit, str(time)))[:_TIMESTAMP_DIGITS] or 0)


def best_by(sort: str, offers: Sequence[Offer]) -> Offer:
    """Return the best offer by the measure `sort`; the first offer if there is no such measure."""
    return min(offers, key=MEASURES[sort]) if sort in MEASURES else offers[0]


MEASURES: dict[str, Callable[[Offer], float]] = {
    "cheapest": lambda offer: amount_of(offer.get("price")),
    "fastest": minutes,
    "earliest": _start,
    "latest": lambda offer: -_start(offer),
    "central": lambda offer: float(offer.get("centre_km") or 0),
    "rating": lambda offer: -float(offer.get("guest_score") or 0),
}
"""Sort keys of offers, ascending."""


def booking_of(outcome: Outcome) -> dict[str, Any] | None:
    """Return the booking that a tool made or changed, or None if the call failed."""
    answer = outcome.answer
    return dict(answer) if outcome.tool in ACTS and answer.get("booking") and answer.get("status") != "error" else None
