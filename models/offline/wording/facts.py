"""Formats the data of offers and bookings as the values that the sentences are filled with."""

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from models.offline.dialogue.turn import Dialogue
from models.offline.ja.places import in_japanese
from models.offline.reading.understanding import Kind
from models.offline.reading.values.people import CHILD
from models.offline.trips.frames import Company, Frame
from models.offline.trips.offers import Offer, amount_of, currency_of, name_of, ways
from models.offline.trips.searching import company_of
from models.offline.wording.sentences import Sentences

_GRACE = re.compile(r"within (\d+) hours")
_FEE = re.compile(r"(?:for|less) (\S+(?: [\d.,]+)?) each")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MOST_WISHES = 3
"""Wishes that a table row names at most."""


def facts(dialogue: Dialogue, kind: Kind, offer: Offer) -> dict[str, Any]:
    """Return an offer's fields as the sentences name them, with the travellers as `party`."""
    words, flight_ways, until = dialogue.words, ways(offer), offer.get("free_cancellation_until")
    days = [words.time(each) for each in _DAY.findall(str(offer.get("summary", "")))[:2]]
    covers = [str(each).partition(", excess")[0].partition(" up to ") for each in offer.get("covers", [])]
    values: dict[str, Any] = {
        **offer, "name": name_of(offer), "party": party(dialogue, kind),
        "price": words.say("price_about", **{"price": "", **offer}),
        "start": days[0] if len(days) > 1 else "", "end": days[1] if len(days) > 1 else "",
        "starts": words.time(offer.get("starts")), "until": words.time(until),
        "met": (offer.get("meets") or [])[:_MOST_WISHES], "missed": (offer.get("misses") or [])[:_MOST_WISHES],
        "covers": [words.say("covered", part=part, limit=limit) for part, _, limit in covers],
        "cover": bool(offer.get("collision_cover")) if kind == "car" else None,
    }  # fmt: skip
    return values | _flight_facts(words, offer, flight_ways) if flight_ways else values


def _flight_facts(words: Sentences, offer: Offer, flight_ways: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    timed = [
        {**way, "departs": words.time(way.get("departs")),
         "arrives": words.time(way.get("arrives"), after=way.get("departs"))}
        for way in flight_ways
    ]  # fmt: skip
    stops = list(dict.fromkeys(stop for way in flight_ways for stop in way.get("stops", [])))
    flights = [flight for way in flight_ways for flight in way.get("flights", [])]
    fees = {name: _FEE.search(str(offer.get(name))) for name in ("changes", "refund")}
    grace = _GRACE.search(str(offer.get("refund")))
    columns = [f"{way['departs']}–{way['arrives']}" for way in timed]
    return {
        "flights": flights, "number": flights[0] if flights else "", "stops": stops,
        "via": list(dict.fromkeys(stop.split(" ")[0] for stop in stops)),
        "from": flight_ways[0].get("from"), "to": flight_ways[0].get("to"),
        "ways": [words.say("full.way", **way) for way in timed],
        "lengths": [words.say("answer.way", **way) for way in timed],
        "hours": [words.say("answer.time", **way) for way in timed],
        "out": columns[0], "back": columns[1] if len(columns) > 1 else "",
        "checked_bags": int(offer.get("checked_bags") or 0), "bag_fee": offer.get("bag_fee") or "–",
        "grace": int(grace[1]) if grace else None,
        **{name: match[1] if match else "none" for name, match in fees.items()},
    }  # fmt: skip


def spoken_place(words: Sentences, place: str) -> str:
    """Return a place name of the travel tools in the language of the reply."""
    return in_japanese(place) if words.code == "ja" else place


def party(dialogue: Dialogue, kind: Kind | None) -> str:
    """Return who travels: "2 adults + 1 child (5)"."""
    return company_words(dialogue.words, company_of(dialogue.state, kind, dialogue.standing)[0])


def company_words(words: Sentences, company: Company) -> str:
    """Return a party in words; the ages of the children, or of the infants, appear only if all of them are known."""
    young = sorted(company.ages)
    ages, months = [age for age in young if age >= CHILD], [age for age in young if 0 < age < CHILD]
    return words.say(
        "company", adults=company.adults, children=company.children or None, infants=company.infants or None,
        ages=ages if len(ages) == company.children else (), months=months if len(months) == company.infants else (),
    )  # fmt: skip


def full(dialogue: Dialogue, frame: Frame) -> str:
    """Return the details of the chosen offer, else of the first one shown, on one line."""
    offer = frame.chosen or frame.shown[0]
    return dialogue.say("in_full", details=dialogue.say(f"full.{frame.kind}", **facts(dialogue, frame.kind, offer)))


def table(
    words: Sentences, kind: str, rows: Iterable[Mapping[str, Any]], *, after: int = 0, differing: bool = False
) -> str:
    """Return offers or bookings as a Markdown table without empty columns, nor with `differing` those all alike.

    The rows are numbered from the one `after` so many others.
    """
    numbered = [{"at": at, **each} for at, each in enumerate(rows, after + 1)]
    columns = [
        [head, *(words.fill(template, each).strip().replace("|", "/") for each in numbered)]
        for head, template in (words.texts["differences"] if differing else words.texts["columns"])[kind]
    ]
    if differing:
        columns = [columns[0], *(each for each in columns[1:] if len({*each[1:]}) > 1)]
    lines = [f"| {' | '.join(line)} |" for line in zip(*(each for each in columns if any(each[1:])), strict=True)]
    return "\n".join([lines[0], "|" + "---|" * (lines[0].count(" | ") + 1), *lines[1:]])


def paid_more(dialogue: Dialogue, reference: str) -> str:
    """Return the price difference of a changed booking; empty if it is negative or unknown."""
    booking = dialogue.state.bookings[reference]
    now, before = str(booking.facts.get("paid")), booking.before
    if not before or currency_of(now) != currency_of(before) or amount_of(now) < amount_of(before):
        return ""
    return total([now, f"-{before}"])


def total(prices: Sequence[str]) -> str:
    """Return the sum of prices in one currency; a price that begins with a minus is subtracted."""
    sign = re.split(r"\d", prices[0])[0]
    amount = sum(Decimal(str(amount_of(each))) * (-1 if each.startswith("-") else 1) for each in prices)
    return f"{sign}{amount:,.2f}"
