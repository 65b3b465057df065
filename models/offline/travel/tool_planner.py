"""Which travel tool to call next in the running turn; nothing when it is time to answer."""

from __future__ import annotations

import re
from typing import Any

from models.offline.dialogue.transcript import Outcome
from models.offline.travel.extras import booking_extras, needs_seat_map
from models.offline.travel.offers import SEARCH_OF, SEARCHES, error_text, is_sold_out, refusal
from models.offline.travel.picking import picked
from models.offline.travel.plan import wanted
from models.offline.travel.request import KINDS, Kind
from models.offline.travel.search_arguments import arguments, place_of
from models.offline.travel.trip_context import TripContext

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


def next_calls(context: TripContext) -> list[Call]:
    """The calls to make now, in order."""
    if not context.on:
        return []
    done = context.outcomes
    found = _afterwards(context, done[-1], done) if done else _first(context)
    return [(name, given) for name, given in found if name in context.dialogue.tools]


def acts(context: TripContext) -> bool:
    """True when the message is about bookings or offers, so that no other reading of it counts."""
    act = context.ask.act
    told = act in {"convert", "documents"} or _explains(context)
    told = told or (
        context.dialogue.request.intent == "forget" and context.ask.cabin is not None and bool(context.plan.shelf)
    )
    return context.on and (told or bool(act in _PLAIN and _first(context)))


def _explains(context: TripContext) -> bool:
    """True for a question about the offer that stands, or why one was taken that is booked by now."""
    act, plan = context.ask.act, context.plan
    return (act in {"why", "has"} and plan.proposed is not None) or (act == "why" and bool(plan.settled))


def _first(context: TripContext) -> list[Call]:
    ask, plan = context.ask, context.plan
    if ask.act == "cancel" and not _may_cancel(context):
        return []
    if _explains(context):
        return []
    if ask.act in _PLAIN:
        return [(_PLAIN[ask.act], {})]
    if ask.act == "convert":
        return _conversion(context)
    if ask.act == "documents":
        return _documents(context)
    if context.question == "travel_which_booking":
        reference = chosen_booking(context)
        return [("cancel_booking", {"booking": reference})] if reference else []
    if context.question == "travel_which_place" and plan.codes != context.before.codes:
        return _searches(context, _running_kind(context))
    if plan.proposed and _says_book(context):
        return [_booking(context)]
    if ask.act == "hold" and plan.proposed:
        return [("hold_offer", {"offer_id": plan.proposed["offer_id"]})]
    if ask.act == "details" and plan.proposed:
        return [("offer_details", {"offer_id": plan.proposed["offer_id"]})]
    return _searches(context, _to_search(context))


def _may_cancel(context: TripContext) -> bool:
    """A journey that was only talked about is dropped; cancelling is for what was booked."""
    known = [each for each in context.plan.bookings.values() if each.get("status") != "cancelled"]
    whole = context.ask.whole and not context.dialogue.trip_before.open
    return bool(known or context.before.bookings or context.ask.kinds or context.ask.reference or whole)


def _says_book(context: TripContext) -> bool:
    ask = context.ask
    if context.plan.chose or ask.refines or context.moved or ask.choice is not None:
        return False
    if ask.act == "book":
        return not ask.kinds or context.plan.kind in ask.kinds
    return ask.yes is True and context.question in {"travel_shall_book", "travel_sure"}


def _booking(context: TripContext) -> Call:
    proposed = context.plan.proposed or {}
    if context.plan.changing and context.plan.kind == "flight":
        return "change_booking", {"booking": context.plan.changing, "new_offer_id": proposed["offer_id"]}
    if needs_seat_map(context, proposed) and not any(each.tool == "seat_map" for each in context.outcomes):
        return "seat_map", {"offer_id": proposed["offer_id"]}
    return "book_offer", {"offer_id": proposed["offer_id"], **booking_extras(context, proposed)}


def _to_search(context: TripContext) -> Kind | None:
    """The kind of thing to search for at this message, or None."""
    ask, plan = context.ask, context.plan
    if not context.complete or plan.chose:
        return None
    wanted_too = ask.yes or ask.act == "book" or ask.refines
    if context.question in {"travel_hotel_too", "travel_leave_wish"} and wanted_too and ask.yes is not False:
        return "hotel"
    extra = next((kind for kind in _EXTRAS if kind in ask.kinds and kind not in plan.settled), None)
    if extra and ask.yes is not False and ask.act in {"", "book"}:
        return extra
    kind = plan.meant(ask, context.trip)
    if ask.refines and kind and (kind not in plan.settled or kind in ask.kinds) and not _for_later(context, kind):
        return kind
    if context.moved or _kept_for(context, plan.kind):
        return plan.kind or context.next_kind
    if plan.kind is None and plan.settled != context.before.settled:
        return context.next_kind
    if ask.kinds and ask.yes is not False and ask.kinds[0] in {"flight", "hotel"} and ask.kinds[0] != plan.kind:
        return ask.kinds[0]
    return None


def _for_later(context: TripContext, kind: Kind) -> bool:
    """True for what a message says of the hotel while the flight is still to be found or chosen."""
    ask, plan = context.ask, context.plan
    early = "flight" in wanted(context.trip) and "flight" not in plan.settled and kind == "hotel" and plan.kind != kind
    return early and (context.moved or (ask.of_hotels and "hotel" not in ask.kinds))


_TOPICS = {
    "flight": frozenset({"seat", "cabin", "airline", "layover", "baggage", "budget"}),
    "hotel": frozenset({"hotel", "room", "neighborhood", "budget", "accessibility"}),
}


def _kept_for(context: TripContext, kind: Kind | None) -> bool:
    """True when the message said something lasting that counts for what is on the table."""
    return any(each.topic in _TOPICS.get(kind or "", ()) for each in context.dialogue.statements)


def _running_kind(context: TripContext) -> Kind | None:
    for step in context.dialogue.steps[-2::-1]:
        for outcome in step.turn.outcomes[::-1]:
            if outcome.tool in SEARCHES:
                return SEARCHES[outcome.tool]
    return context.next_kind


def _afterwards(context: TripContext, last: Outcome, done: list[Outcome]) -> list[Call]:
    ask = context.ask
    if last.tool == "seat_map" and context.plan.proposed:
        return [_booking(context)]
    if last.tool == "list_bookings" and ask.act == "cancel":
        return [("cancel_booking", {"booking": each}) for each in cancellable(context)] if _clear(context) else []
    if last.tool == "list_bookings" and ask.act == "change":
        return _searches(context, "flight") if context.plan.changing else []
    if last.tool in {"book_offer", "hold_offer"} and error_text(last):
        gone = (
            is_sold_out(last)
            and not refusal(last)
            and [each.tool for each in done if each.tool != "seat_map"] == [last.tool]
        )
        return _searches(context, context.plan.kind) if gone else []
    if last.tool in {"book_offer", "change_booking"} and context.complete:
        return [("list_bookings", {})] if _goes_back(context, last) else _searches(context, context.next_kind)
    if last.tool == "list_bookings" and any(each.tool == "book_offer" for each in done):
        return _searches(context, context.next_kind)
    return []


def _goes_back(context: TripContext, booked: Outcome) -> bool:
    """True when what would come next usually comes before: it may be booked in a part of the talk that is gone."""
    order = [*KINDS]
    following, kind = context.next_kind, booked.answer.get("kind")
    return following is not None and kind in order and order.index(following) < order.index(kind)


def _clear(context: TripContext) -> bool:
    return context.ask.whole or len(cancellable(context)) == 1


def cancellable(context: TripContext) -> list[str]:
    """References of the bookings that "cancel …" may mean."""
    live = {name: each for name, each in context.plan.bookings.items() if each.get("status") in {"booked", "held"}}
    if context.ask.reference:
        return [name for name in live if name == context.ask.reference]
    if context.ask.kinds:
        return [name for name, each in live.items() if each.get("kind") in context.ask.kinds]
    return list(live)


def chosen_booking(context: TripContext) -> str:
    """The booking that answers the question which to cancel, or an empty string."""
    live = [each for each in context.before.bookings.values() if each.get("status") in {"booked", "held"}]
    if context.ask.reference in {each.get("booking") for each in live}:
        return str(context.ask.reference)
    named = [each for each in live if each.get("kind") in context.ask.kinds]
    if len(named) == 1:
        return str(named[0]["booking"])
    at = picked(context.dialogue.now.said, [str(each.get("what", "")) for each in live], context.ask)
    return str(live[at]["booking"]) if at is not None else ""


def _conversion(context: TripContext) -> list[Call]:
    ask = context.ask
    price = str((context.plan.proposed or {}).get("price", ""))
    paid = [str(each.get("paid", "")) for each in context.plan.bookings.values()]
    shown = price or (paid[-1] if paid else "")
    number = _SUM.search(shown)
    if ask.amount is not None or not number or not ask.currency:
        return []
    source = next((code for sign, code in _SIGNS.items() if shown.startswith(sign)), shown[:3])
    amount = float(number["number"].replace(",", ""))
    return [("convert_money", {"amount": amount, "source": source, "target": ask.currency})]


def _documents(context: TripContext) -> list[Call]:
    trip = context.trip
    if not (trip.destination and trip.start):
        return []
    place = place_of(context, trip.destination)
    end = trip.end or trip.start
    return [("check_documents", {"destination": place, "start": trip.start.isoformat(), "end": end.isoformat()})]


def _searches(context: TripContext, kind: Kind | None) -> list[Call]:
    given = arguments(context, kind) if kind and context.complete else None
    return [(SEARCH_OF[kind], given)] if kind and given else []
