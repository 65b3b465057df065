"""Three offers side by side, as a small Markdown table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from models.offline.reading.understanding import Kind
from models.offline.trips.offers import Offer
from models.offline.wording.sentences import Sentences

Cell = Callable[[Sentences, Offer], str]
_FITTING = 3
"""Wishes that a row names at most."""


def table(words: Sentences, kind: Kind, offers: Sequence[Offer]) -> str:
    """A row for each offer, numbered. Columns in which nothing stands are left out."""
    columns: list[tuple[str, Sequence[str]]] = [("column_number", [str(place + 1) for place in range(len(offers))])]
    for key, cell in (*_COLUMNS[kind], ("column_price", price), ("column_fits", _fits)):
        cells = [cell(words, offer) for offer in offers]
        if any(cells):
            columns.append((key, cells))
    return rows([words.say(key) for key, _ in columns], list(zip(*(cells for _, cells in columns), strict=True)))


def rows(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    marked = [f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines]
    return "\n".join([f"| {' | '.join(heads)} |", "|" + "---|" * len(heads), *marked])


def price(words: Sentences, offer: Offer) -> str:
    """The price, and about how much that is in the traveller's currency."""
    if offer.get("about"):
        return words.say("price_about", price=offer.get("price"), own=offer["about"])
    return str(offer.get("price", ""))


def _way(words: Sentences, way: Any) -> str:
    if not isinstance(way, Mapping):
        return ""
    departs = way.get("departs")
    return f"{words.time(departs)}–{words.time(way.get('arrives'), beside=departs)}"


def _stops(words: Sentences, offer: Offer) -> str:
    ways = [way for way in (offer.get("outbound"), offer.get("inbound")) if isinstance(way, Mapping)]
    found = list(dict.fromkeys(stop.split(" ")[0] for way in ways for stop in way.get("stops", [])))
    return ", ".join(found) or words.say("nonstop")


def _fits(words: Sentences, offer: Offer) -> str:
    met, missed = offer.get("meets") or [], offer.get("misses") or []
    parts = [words.say("meets", items=", ".join(met[:_FITTING]))] if met else []
    parts += [words.say("misses", items=", ".join(missed[:_FITTING]))] if missed else []
    return " ".join(parts)


def _covers(_: Sentences, offer: Offer) -> str:
    return ", ".join(str(each).partition(", excess")[0].replace("_", " ") for each in offer.get("covers", []))


_COLUMNS: dict[Kind, tuple[tuple[str, Cell], ...]] = {
    "flight": (
        ("column_flight", lambda _, o: f"{o.get('airline')} {(o.get('outbound') or {}).get('flights', [''])[0]}"),
        ("column_out", lambda s, o: _way(s, o.get("outbound"))),
        ("column_back", lambda s, o: _way(s, o.get("inbound"))),
        ("column_stops", _stops),
    ),
    "hotel": (
        ("column_hotel", lambda _, o: str(o.get("name"))),
        ("column_where", lambda s, o: s.say("centre", where=o.get("neighborhood"), km=o.get("centre_km"))),
        ("column_guests", lambda s, o: s.say("stars", stars=o.get("stars"), score=o.get("guest_score"))),
        ("column_night", lambda _, o: str(o.get("per_night"))),
    ),
    "car": (
        ("column_car", lambda _, o: f"{o.get('company')}, {o.get('category')}"),
        ("column_where", lambda _, o: str(o.get("place"))),
        ("column_day", lambda _, o: str(o.get("per_day"))),
    ),
    "activity": (
        ("column_activity", lambda _, o: str(o.get("title"))),
        ("column_when", lambda s, o: s.time(o.get("starts"))),
    ),
    "insurance": (
        ("column_insurance", lambda _, o: f"{o.get('company')} {o.get('product')}"),
        ("column_covers", _covers),
    ),
}
