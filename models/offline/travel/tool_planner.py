"""Which travel tool to call next in the running turn; nothing when it is time to answer."""

from __future__ import annotations

import re
from typing import Any

from models.offline.dialogue.transcript import Outcome
from models.offline.travel.extras import booked_with, needs_map
from models.offline.travel.offers import SEARCH_OF, SEARCHES, fault, is_gone, refusal
from models.offline.travel.picking import picked
from models.offline.travel.plan import wanted
from models.offline.travel.request import KINDS, Kind
from models.offline.travel.search_arguments import arguments, place_of
from models.offline.travel.trip_context import Scene

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
    place = place_of(scene, trip.destination)
    end = trip.end or trip.start
    return [("check_documents", {"destination": place, "start": trip.start.isoformat(), "end": end.isoformat()})]


def _searches(scene: Scene, kind: Kind | None) -> list[Call]:
    given = arguments(scene, kind) if kind and scene.complete else None
    return [(SEARCH_OF[kind], given)] if kind and given else []
