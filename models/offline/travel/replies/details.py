"""One offer in full, as it is restated before it is booked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from models.offline.language import Language
from models.offline.travel.offers import Offer
from models.offline.travel.replies.table import format_time, price

_ROOMS = frozenset({"standard", "superior", "deluxe", "suite"})
_BEDS = frozenset({"king", "queen", "double", "twin"})
_FEE = re.compile(r"(?:for|less) (?P<fee>\S+(?: [\d.,]+)?) each")


def details(language: Language, offer: Offer, people: str) -> str:
    """All that matters of `offer`, on one line; `people` says for whom."""
    say, kind = language.say, str(offer.get("kind", "flight"))
    common = {"price": price(language, offer)}
    match kind:
        case "flight":
            return say("full_flight", **_flight(language, offer), people=people, **common)
        case "hotel":
            start, end = _days(language, offer)
            nights = offer.get("nights")
            return say(
                "full_hotel", name=offer.get("name"), where=offer.get("neighborhood"),
                room=_room(language, offer), start=start, end=end,
                nights=say("nights_one") if nights == 1 else say("nights", count=nights),
                breakfast=say("breakfast_yes" if offer.get("breakfast") else "breakfast_no"),
                cancel=_cancel(language, offer), **common,
            )  # fmt: skip
        case "car":
            start, end = _days(language, offer)
            return say(
                "full_car", name=offer.get("company"), category=offer.get("category"), start=start, end=end,
                excess=offer.get("excess"), cancel=_cancel(language, offer), **common,
            )  # fmt: skip
        case "activity":
            starts = format_time(language, offer.get("starts"))
            return say("full_activity", title=offer.get("title"), starts=starts, minutes=offer.get("minutes"), **common)
    start, end = _days(language, offer)
    return say(
        "full_insurance", company=offer.get("company"), product=offer.get("product"), start=start, end=end, **common
    )


def _flight(language: Language, offer: Offer) -> dict[str, Any]:
    say = language.say
    ways = [way for way in (offer.get("outbound"), offer.get("inbound")) if isinstance(way, Mapping)]
    bags = offer.get("checked_bags") or 0
    changes, refund = _FEE.search(str(offer.get("changes"))), _FEE.search(str(offer.get("refund")))
    return {
        "airline": offer.get("airline"),
        "flights": " ".join(flight for way in ways for flight in way.get("flights", [])),
        "ways": ", ".join(
            say(
                "full_way",
                **{"from": way.get("from"), "to": way.get("to")},
                departs=format_time(language, way.get("departs")),
                arrives=format_time(language, way.get("arrives"), beside=way.get("departs")),
            )
            for way in ways
        ),
        "fare": offer.get("fare"),
        "bags": say("bags_none") if not bags else say("bags_one") if bags == 1 else say("bags_more", count=bags),
        "changes": say("changes_fee", fee=changes["fee"]) if changes else say("changes_none"),
        "refund": say("refund_fee", fee=refund["fee"]) if refund else say("refund_none"),
    }


def _room(language: Language, offer: Offer) -> str:
    room, bed = str(offer.get("room")), str(offer.get("bed"))
    if room not in _ROOMS or bed not in _BEDS:
        return f"{room} {bed}"
    return language.say("room_and_bed", room=language.say(f"room_{room}"), bed=language.say(f"bed_{bed}"))


def _cancel(language: Language, offer: Offer) -> str:
    until = offer.get("free_cancellation_until")
    return language.say("cancel_until", time=format_time(language, until)) if until else language.say("cancel_none")


def _days(language: Language, offer: Offer) -> tuple[str, str]:
    """The first and the last day, from the line that sums the offer up."""
    found = re.findall(r"\d{4}-\d\d-\d\d", str(offer.get("summary", "")))
    shown = [format_time(language, each) for each in found[:2]]
    return (shown[0], shown[1]) if len(shown) == 2 else ("", "")
