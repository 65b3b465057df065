"""One offer in full, as it is restated before it is booked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from models.offline.language import Tongue
from models.offline.travel.offers import Offer
from models.offline.travel.replies.table import price, show_time

_ROOMS = frozenset({"standard", "superior", "deluxe", "suite"})
_BEDS = frozenset({"king", "queen", "double", "twin"})
_FEE = re.compile(r"(?:for|less) (?P<fee>\S+(?: [\d.,]+)?) each")


def details(speech: Tongue, offer: Offer, people: str) -> str:
    """All that matters of `offer`, on one line; `people` says for whom."""
    say, kind = speech.say, str(offer.get("kind", "flight"))
    common = {"price": price(speech, offer)}
    match kind:
        case "flight":
            return say("full_flight", **_flight(speech, offer), people=people, **common)
        case "hotel":
            start, end = _days(speech, offer)
            nights = offer.get("nights")
            return say(
                "full_hotel", name=offer.get("name"), where=offer.get("neighborhood"),
                room=_room(speech, offer), start=start, end=end,
                nights=say("nights_one") if nights == 1 else say("nights", count=nights),
                breakfast=say("breakfast_yes" if offer.get("breakfast") else "breakfast_no"),
                cancel=_cancel(speech, offer), **common,
            )  # fmt: skip
        case "car":
            start, end = _days(speech, offer)
            return say(
                "full_car", name=offer.get("company"), category=offer.get("category"), start=start, end=end,
                excess=offer.get("excess"), cancel=_cancel(speech, offer), **common,
            )  # fmt: skip
        case "activity":
            starts = show_time(speech, offer.get("starts"))
            return say("full_activity", title=offer.get("title"), starts=starts, minutes=offer.get("minutes"), **common)
    start, end = _days(speech, offer)
    return say(
        "full_insurance", company=offer.get("company"), product=offer.get("product"), start=start, end=end, **common
    )


def _flight(speech: Tongue, offer: Offer) -> dict[str, Any]:
    say = speech.say
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
                departs=show_time(speech, way.get("departs")),
                arrives=show_time(speech, way.get("arrives"), beside=way.get("departs")),
            )
            for way in ways
        ),
        "fare": offer.get("fare"),
        "bags": say("bags_none") if not bags else say("bags_one") if bags == 1 else say("bags_more", count=bags),
        "changes": say("changes_fee", fee=changes["fee"]) if changes else say("changes_none"),
        "refund": say("refund_fee", fee=refund["fee"]) if refund else say("refund_none"),
    }


def _room(speech: Tongue, offer: Offer) -> str:
    room, bed = str(offer.get("room")), str(offer.get("bed"))
    if room not in _ROOMS or bed not in _BEDS:
        return f"{room} {bed}"
    return speech.say("room_and_bed", room=speech.say(f"room_{room}"), bed=speech.say(f"bed_{bed}"))


def _cancel(speech: Tongue, offer: Offer) -> str:
    until = offer.get("free_cancellation_until")
    return speech.say("cancel_until", time=show_time(speech, until)) if until else speech.say("cancel_none")


def _days(speech: Tongue, offer: Offer) -> tuple[str, str]:
    """The first and the last day, from the line that sums the offer up."""
    found = re.findall(r"\d{4}-\d\d-\d\d", str(offer.get("summary", "")))
    shown = [show_time(speech, each) for each in found[:2]]
    return (shown[0], shown[1]) if len(shown) == 2 else ("", "")
