"""One offer in full, as it is restated before it is booked."""

from __future__ import annotations

import re

from models.offline.trips.offers import Offer, ways
from models.offline.wording.sentences import Sentences
from models.offline.wording.table import price

_ROOMS = frozenset({"standard", "superior", "deluxe", "suite"})
_BEDS = frozenset({"king", "queen", "double", "twin"})
_FEE = re.compile(r"(?:for|less) (?P<fee>\S+(?: [\d.,]+)?) each")


def details(words: Sentences, offer: Offer, people: str) -> str:
    """Return all that matters of `offer`, on one line; `people` says for whom."""
    say, kind = words.say, str(offer.get("kind", "flight"))
    start, end = _days(words, offer)
    common = {"price": price(words, offer), "start": start, "end": end}
    match kind:
        case "flight":
            return say(
                "full_flight", airline=offer.get("airline"), fare=offer.get("fare"), ways=_ways(words, offer),
                flights=" ".join(flight for way in ways(offer) for flight in way.get("flights", [])),
                bags=bags_words(words, int(offer.get("checked_bags") or 0)), changes=changes_words(words, offer),
                refund=refund_words(words, offer), people=people, **common,
            )  # fmt: skip
        case "hotel":
            return say(
                "full_hotel", name=offer.get("name"), where=offer.get("neighborhood"), room=room_words(words, offer),
                nights=words.counted("nights", int(offer.get("nights") or 0)),
                breakfast=say("breakfast_yes" if offer.get("breakfast") else "breakfast_no"),
                cancel=_cancel(words, offer), **common,
            )  # fmt: skip
        case "car":
            known = {"category": offer.get("category"), "excess": offer.get("excess")}
            return say("full_car", name=offer.get("company"), cancel=_cancel(words, offer), **known, **common)
        case "activity":
            known = {"title": offer.get("title"), "minutes": offer.get("minutes")}
            return say("full_activity", starts=words.time(offer.get("starts")), **known, **common)
    return say("full_insurance", company=offer.get("company"), product=offer.get("product"), **common)


def _ways(words: Sentences, offer: Offer) -> str:
    return words.joined(
        words.say(
            "full_way",
            **{"from": way.get("from"), "to": way.get("to")},
            departs=words.time(way.get("departs")),
            arrives=words.time(way.get("arrives"), beside=way.get("departs")),
        )
        for way in ways(offer)
    )


def bags_words(words: Sentences, count: int) -> str:
    """Return how many checked bags are in the fare."""
    return words.say("bags_none") if not count else words.counted("bags", count)


def changes_words(words: Sentences, offer: Offer) -> str:
    """Return whether the flight can be changed, and for how much."""
    fee = _FEE.search(str(offer.get("changes")))
    return words.say("changes_fee", fee=fee["fee"]) if fee else words.say("changes_none")


def refund_words(words: Sentences, offer: Offer) -> str:
    """Return what comes back when the flight is cancelled."""
    fee = _FEE.search(str(offer.get("refund")))
    return words.say("refund_fee", fee=fee["fee"]) if fee else words.say("refund_none")


def room_words(words: Sentences, offer: Offer) -> str:
    """Return the room and its bed."""
    room, bed = str(offer.get("room")), str(offer.get("bed"))
    if room not in _ROOMS or bed not in _BEDS:
        return f"{room} {bed}"
    return words.say("room_and_bed", room=words.say(f"room_{room}"), bed=words.say(f"bed_{bed}"))


def _cancel(words: Sentences, offer: Offer) -> str:
    until = offer.get("free_cancellation_until")
    return words.say("cancel_until", time=words.time(until)) if until else words.say("cancel_none")


def _days(words: Sentences, offer: Offer) -> tuple[str, str]:
    """Return the first and the last day, from the line that sums the offer up."""
    shown = [words.time(each) for each in re.findall(r"\d{4}-\d\d-\d\d", str(offer.get("summary", "")))[:2]]
    return (shown[0], shown[1]) if len(shown) == 2 else ("", "")
