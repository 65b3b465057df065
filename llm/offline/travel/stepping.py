"""Which travel tool to call next in the running turn; nothing when it is time to answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from llm.offline.transcript import Outcome
from llm.offline.travel.ask import KINDS, Kind
from llm.offline.travel.extras import booked_with, needs_map
from llm.offline.travel.offers import MORE, SEARCH_OF, SEARCHES, fault, is_gone, refusal
from llm.offline.travel.picking import picked
from llm.offline.travel.plan import wanted
from llm.offline.travel.scene import Scene
from llm.offline.trip import Trip

Call = tuple[str, dict[str, Any]]
_PLAIN = {
    "bookings": "list_bookings", "itinerary": "show_itinerary", "calendar": "export_calendar",
    "policy": "booking_policy", "cancel": "list_bookings", "change": "list_bookings", "total": "list_bookings",
}  # fmt: skip
_SIGNS = {
    "CN¥": "CNY", "NT$": "TWD", "HK$": "HKD", "MX$": "MXN", "NZ$": "NZD", "A$": "AUD", "C$": "CAD", "R$": "BRL",
    "S$": "SGD", "€": "EUR", "£": "GBP", "¥": "JPY", "₩": "KRW", "₹": "INR", "₫": "VND", "$": "USD",
}  # fmt: skip
_SUM = re.compile(r"(?P<number>\d[\d,]*(?:\.\d+)?)")
_DAWN = 6
_EXTRAS: tuple[Kind, ...] = ("insurance", "activity", "car")


def next_calls(scene: Scene) -> list[Call]:
    """The calls to make now, in order."""
    if not scene.on:
        return []
    done = scene.outcomes
    found = _afterwards(scene, done[-1], done) if done else _first(scene)
    return [(name, given) for name, given in found if name in scene.talk.tools]


def acts(scene: Scene) -> bool:
    """True when the message is about bookings or offers, so that no other reading of it counts."""
    act = scene.ask.act
    told = act in {"convert", "documents"} or _explains(scene)
    told = told or (scene.talk.request.intent == "forget" and scene.ask.cabin is not None and bool(scene.plan.shelf))
    return scene.on and (told or bool(act in _PLAIN and _first(scene)))


def _explains(scene: Scene) -> bool:
    """True for a question about the offer that stands, or why one was taken that is booked by now."""
    act, plan = scene.ask.act, scene.plan
    return (act in {"why", "has"} and plan.proposed is not None) or (act == "why" and bool(plan.settled))


def _first(scene: Scene) -> list[Call]:
    ask, plan = scene.ask, scene.plan
    if ask.act == "cancel" and not _may_cancel(scene):
        return []
    if _explains(scene):
        return []
    if ask.act in _PLAIN:
        return [(_PLAIN[ask.act], {})]
    if ask.act == "convert":
        return _conversion(scene)
    if ask.act == "documents":
        return _documents(scene)
    if scene.question == "travel_which_booking":
        reference = chosen_booking(scene)
        return [("cancel_booking", {"booking": reference})] if reference else []
    if scene.question == "travel_which_place" and plan.codes != scene.before.codes:
        return _searches(scene, _running_kind(scene))
    if plan.proposed and _says_book(scene):
        return [_booking(scene)]
    if ask.act == "hold" and plan.proposed:
        return [("hold_offer", {"offer_id": plan.proposed["offer_id"]})]
    if ask.act == "details" and plan.proposed:
        return [("offer_details", {"offer_id": plan.proposed["offer_id"]})]
    return _searches(scene, _to_search(scene))


def _may_cancel(scene: Scene) -> bool:
    """A journey that was only talked about is dropped; cancelling is for what was booked."""
    known = [each for each in scene.plan.bookings.values() if each.get("status") != "cancelled"]
    whole = scene.ask.whole and not scene.talk.trip_before.open
    return bool(known or scene.before.bookings or scene.ask.kinds or scene.ask.reference or whole)


def _says_book(scene: Scene) -> bool:
    ask = scene.ask
    if scene.plan.chose or ask.refines or scene.moved or ask.choice is not None:
        return False
    if ask.act == "book":
        return not ask.kinds or scene.plan.kind in ask.kinds
    return ask.yes is True and scene.question in {"travel_shall_book", "travel_sure"}


def _booking(scene: Scene) -> Call:
    proposed = scene.plan.proposed or {}
    if scene.plan.changing and scene.plan.kind == "flight":
        return "change_booking", {"booking": scene.plan.changing, "new_offer_id": proposed["offer_id"]}
    if needs_map(scene, proposed) and not any(each.tool == "seat_map" for each in scene.outcomes):
        return "seat_map", {"offer_id": proposed["offer_id"]}
    return "book_offer", {"offer_id": proposed["offer_id"], **booked_with(scene, proposed)}


def _to_search(scene: Scene) -> Kind | None:
    """The kind of thing to search for at this message, or None."""
    ask, plan = scene.ask, scene.plan
    if not scene.complete or plan.chose:
        return None
    wanted_too = ask.yes or ask.act == "book" or ask.refines
    if scene.question in {"travel_hotel_too", "travel_leave_wish"} and wanted_too and ask.yes is not False:
        return "hotel"
    extra = next((kind for kind in _EXTRAS if kind in ask.kinds and kind not in plan.settled), None)
    if extra and ask.yes is not False and ask.act in {"", "book"}:
        return extra
    kind = plan.meant(ask, scene.trip)
    if ask.refines and kind and (kind not in plan.settled or kind in ask.kinds) and not _for_later(scene, kind):
        return kind
    if scene.moved or _kept_for(scene, plan.kind):
        return plan.kind or scene.next_kind
    if plan.kind is None and plan.settled != scene.before.settled:
        return scene.next_kind
    if ask.kinds and ask.yes is not False and ask.kinds[0] in {"flight", "hotel"} and ask.kinds[0] != plan.kind:
        return ask.kinds[0]
    return None


def _for_later(scene: Scene, kind: Kind) -> bool:
    """True for what a message says of the hotel while the flight is still to be found or chosen."""
    ask, plan = scene.ask, scene.plan
    early = "flight" in wanted(scene.trip) and "flight" not in plan.settled and kind == "hotel" and plan.kind != kind
    return early and (scene.moved or (ask.of_hotels and "hotel" not in ask.kinds))


_TOPICS = {
    "flight": frozenset({"seat", "cabin", "airline", "layover", "baggage", "budget"}),
    "hotel": frozenset({"hotel", "room", "neighborhood", "budget", "accessibility"}),
}


def _kept_for(scene: Scene, kind: Kind | None) -> bool:
    """True when the message said something lasting that counts for what is on the table."""
    return any(each.topic in _TOPICS.get(kind or "", ()) for each in scene.talk.statements)


def _running_kind(scene: Scene) -> Kind | None:
    for step in scene.talk.steps[-2::-1]:
        for outcome in step.turn.outcomes[::-1]:
            if outcome.tool in SEARCHES:
                return SEARCHES[outcome.tool]
    return scene.next_kind


def _afterwards(scene: Scene, last: Outcome, done: list[Outcome]) -> list[Call]:
    ask = scene.ask
    if last.tool == "seat_map" and scene.plan.proposed:
        return [_booking(scene)]
    if last.tool == "list_bookings" and ask.act == "cancel":
        return [("cancel_booking", {"booking": each}) for each in cancellable(scene)] if _clear(scene) else []
    if last.tool == "list_bookings" and ask.act == "change":
        return _searches(scene, "flight") if scene.plan.changing else []
    if last.tool in {"book_offer", "hold_offer"} and fault(last):
        gone = (
            is_gone(last)
            and not refusal(last)
            and [each.tool for each in done if each.tool != "seat_map"] == [last.tool]
        )
        return _searches(scene, scene.plan.kind) if gone else []
    if last.tool in {"book_offer", "change_booking"} and scene.complete:
        return [("list_bookings", {})] if _goes_back(scene, last) else _searches(scene, scene.next_kind)
    if last.tool == "list_bookings" and any(each.tool == "book_offer" for each in done):
        return _searches(scene, scene.next_kind)
    return []


def _goes_back(scene: Scene, booked: Outcome) -> bool:
    """True when what would come next usually comes before: it may be booked in a part of the talk that is gone."""
    order = [*KINDS]
    following, kind = scene.next_kind, booked.answer.get("kind")
    return following is not None and kind in order and order.index(following) < order.index(kind)


def _clear(scene: Scene) -> bool:
    return scene.ask.whole or len(cancellable(scene)) == 1


def cancellable(scene: Scene) -> list[str]:
    """References of the bookings that "cancel …" may mean."""
    live = {name: each for name, each in scene.plan.bookings.items() if each.get("status") in {"booked", "held"}}
    if scene.ask.reference:
        return [name for name in live if name == scene.ask.reference]
    if scene.ask.kinds:
        return [name for name, each in live.items() if each.get("kind") in scene.ask.kinds]
    return list(live)


def chosen_booking(scene: Scene) -> str:
    """The booking that answers the question which to cancel, or an empty string."""
    live = [each for each in scene.before.bookings.values() if each.get("status") in {"booked", "held"}]
    if scene.ask.reference in {each.get("booking") for each in live}:
        return str(scene.ask.reference)
    named = [each for each in live if each.get("kind") in scene.ask.kinds]
    if len(named) == 1:
        return str(named[0]["booking"])
    at = picked(scene.talk.now.said, [str(each.get("what", "")) for each in live], scene.ask)
    return str(live[at]["booking"]) if at is not None else ""


def _conversion(scene: Scene) -> list[Call]:
    ask = scene.ask
    price = str((scene.plan.proposed or {}).get("price", ""))
    paid = [str(each.get("paid", "")) for each in scene.plan.bookings.values()]
    shown = price or (paid[-1] if paid else "")
    number = _SUM.search(shown)
    if ask.amount is not None or not number or not ask.currency:
        return []
    source = next((code for sign, code in _SIGNS.items() if shown.startswith(sign)), shown[:3])
    amount = float(number["number"].replace(",", ""))
    return [("convert_money", {"amount": amount, "source": source, "target": ask.currency})]


def _documents(scene: Scene) -> list[Call]:
    trip = scene.trip
    if not (trip.destination and trip.start):
        return []
    place = _place(scene, trip.destination)
    end = trip.end or trip.start
    return [("check_documents", {"destination": place, "start": trip.start.isoformat(), "end": end.isoformat()})]


def _place(scene: Scene, name: str) -> str:
    return scene.plan.codes.get(name.casefold(), name)


def _searches(scene: Scene, kind: Kind | None) -> list[Call]:
    given = _arguments(scene, kind) if kind and scene.complete else None
    return [(SEARCH_OF[kind], given)] if kind and given else []


def _arguments(scene: Scene, kind: Kind) -> dict[str, Any] | None:
    """What to pass to the search for `kind`, or None while a day is missing."""
    trip, plan = scene.trip, scene.plan
    if not (trip.destination and trip.start):
        return None
    place, people = _place(scene, trip.destination), trip.people or 1
    start, end = stay(scene)
    limit: dict[str, Any] = {"limit": MORE} if scene.ask.other and kind == scene.before.kind else {}
    wishes: Mapping[str, Any] = plan.wishes.get(kind, {})
    if kind == "flight":
        return {**_flight(scene, place), **wishes, **limit}
    if not end:
        return None
    match kind:
        case "hotel":
            guests, rooms = beds(trip)
            more = {"rooms": rooms} if rooms > 1 else {}
            return {"city": place, "check_in": start, "check_out": end, "guests": guests, **more, **wishes, **limit}
        case "car":
            return {"city": place, "pick_up": start, "drop_off": end, **limit}
        case "activity":
            return {"city": place, "first_day": start, "last_day": end, "people": people, **limit}
    young = (trip.children or 0) + (trip.infants or 0)
    party = {"adults": max(1, people - young), **({"children": young} if young else {})}
    return {"destination": place, "start": start, "end": end, **party}


def beds(trip: Trip) -> tuple[int, int]:
    """Guests who need a bed, and the rooms for them: two to a room, and one child more in that of two adults."""
    guests = max(1, (trip.people or 1) - (trip.infants or 0))
    grown = max(1, guests - (trip.children or 0))
    return guests, max((grown + 1) // 2, (guests + 1) // 2 if guests > 3 or not trip.children else 1)


def _flight(scene: Scene, place: str) -> dict[str, Any]:
    trip = scene.trip
    assert trip.start is not None
    people, young = trip.people or 1, (trip.children or 0) + (trip.infants or 0)
    given: dict[str, Any] = {
        "origin": _place(scene, trip.starts_from(scene.home) or ""),
        "destination": place,
        "departing": trip.start.isoformat(),
    }
    if trip.end and not trip.one_way:
        given["returning"] = trip.end.isoformat()
    given["adults"] = max(1, people - young)
    given |= {name: count for name in ("children", "infants") if (count := getattr(trip, name))}
    if scene.around:
        given["flexible_days"] = scene.around
    cabin = usual_cabin(scene)
    return {**given, **({"cabin": cabin} if cabin else {})}


def usual_cabin(scene: Scene) -> str | None:
    """The cabin that the traveller always takes, by memory; it need not be asked for."""
    from llm.offline.languages import tongue_of

    for memory in scene.talk.briefing.memories:
        if memory.topic == "cabin" and not memory.condition:
            speech = tongue_of(memory.text)
            if speech.polarity(memory.text) >= 0 and (cabin := speech.read_ask(memory.text).cabin):
                return cabin
    return None


def _first_night(arrives: str) -> str:
    """The day of the first night for a landing at `arrives`: before dawn it is the night that began the day before."""
    day, _, time = arrives.partition(" ")
    early = time[:2].isdigit() and int(time[:2]) < _DAWN
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat() if early else day


def stay(scene: Scene) -> tuple[str, str | None]:
    """The nights at the destination: from the day on which the booked flight lands to that on which it leaves."""
    trip = scene.trip
    assert trip.start is not None
    start, end = trip.start.isoformat(), trip.end.isoformat() if trip.end else None
    for offer in scene.plan.taken:
        there, back = offer.get("outbound"), offer.get("inbound")
        if isinstance(there, dict):
            start = _first_night(str(there.get("arrives", start)))
        if isinstance(back, dict):
            end = str(back.get("departs", end))[:10]
    return start, end
