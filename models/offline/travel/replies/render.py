"""The reply of a turn that is about offers and bookings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.trip import trip_details
from models.offline.travel.extras import proposed
from models.offline.travel.offers import (
    ACTS,
    SEARCHES,
    Offer,
    booking_of,
    error_text,
    is_sold_out,
    name_of,
    product_key,
    results,
)
from models.offline.travel.plan import Plan
from models.offline.travel.replies.bookings import bookings, documents, itinerary, listing, render_act, render_refusal
from models.offline.travel.replies.details import details
from models.offline.travel.replies.failures import render_failure
from models.offline.travel.replies.reasons import reasons
from models.offline.travel.replies.table import table
from models.offline.travel.tool_planner import cancellable
from models.offline.travel.trip_context import TripContext

Rendered = tuple[str, tuple[str, ...]]
_PARAGRAPH = "\n\n"
_LETTERS = re.compile(r"[\W\d_]+")
"""What two warnings of one thing may differ in: its dates."""
_NO_SUCH = re.compile(r"has all of this: (?P<wanted>.+?)\. There are rooms in (?P<parts>.+)\.$")


def render_travel(context: TripContext) -> Rendered | None:
    """What to say, and the handles of the memories it rests on; None when the message is about something else."""
    if not context.on:
        return None
    if context.outcomes:
        return _of_outcomes(context)
    return _without_tools(context)


def _of_outcomes(context: TripContext) -> Rendered:
    parts: list[str] = []
    handles: tuple[str, ...] = ()
    for place, outcome in enumerate(context.outcomes):
        follows = place + 1 < len(context.outcomes)
        if outcome.tool in SEARCHES and not error_text(outcome):
            text, used = _offers(context, outcome)
            handles += used
        else:
            text = _of_outcome(context, outcome, follows)
        parts.append(text)
    last = next((each for each in context.outcomes[::-1] if each.tool != "list_bookings"), context.outcomes[-1])
    if last.tool in {"book_offer", "change_booking"} and not error_text(last):
        parts.append(render_next_step(context))
    return _PARAGRAPH.join(part for part in parts if part), handles


def _of_outcome(context: TripContext, outcome: Outcome, follows: bool) -> str:
    say = context.say
    if outcome.tool == "seat_map":
        return ""
    if error_text(outcome):
        if outcome.tool in ACTS and follows and is_sold_out(outcome):
            return say("pick_next", why=say("fault_gone"))
        return render_refusal(context, outcome) or render_failure(context, outcome)
    booking = booking_of(outcome)
    if booking:
        return render_act(context, outcome, booking)
    match outcome.tool:
        case "list_bookings":
            return "" if follows or any(each.tool in ACTS for each in context.outcomes) else _listed(context, outcome)
        case "show_itinerary":
            return itinerary(context, outcome)
        case "export_calendar":
            count = int(outcome.answer.get("events") or 0)
            return say("calendar_some", count=count) if count else say("calendar_none")
        case "convert_money":
            return _converted(context, outcome)
        case "check_documents":
            return documents(context, outcome)
        case "booking_policy":
            return f"{outcome.answer.get('policy', '')}{_still_open(context)}"
        case "offer_details":
            return _restated(context)
    return ""


def _converted(context: TripContext, outcome: Outcome) -> str:
    found, say = outcome.answer, context.say
    rate = str(found.get("rate"))
    short = rate.rstrip("0").rstrip(".") if "." in rate else rate
    return say("converted", given=found.get("given"), result=found.get("result"), rate=short, day=found.get("day")) + (
        _still_open(context)
    )


def _still_open(context: TripContext) -> str:
    return f" {context.say('travel_sure')}" if context.plan.proposed else ""


def _listed(context: TripContext, outcome: Outcome) -> str:
    """The bookings, or the question which of them to cancel."""
    say = context.say
    if context.ask.act != "cancel":
        return bookings(context, outcome)
    found = [context.plan.bookings[name] for name in cancellable(context)]
    if not found:
        return say("cancel_nothing")
    return f"{say('cancel_several')}\n\n{listing(context, found)}\n\n{say('travel_which_booking')}"


def _offers(context: TripContext, outcome: Outcome) -> Rendered:
    """Three offers side by side, the one that is recommended, and all of it restated."""
    say, plan, kind = context.say, context.plan, SEARCHES[outcome.tool]
    if not results(outcome):
        return _none_such(context, str(outcome.answer.get("note") or "")), ()
    if plan.kind != kind:
        return "", ()
    if context.ask.refines and not context.moved and _same(plan, context.before):
        return f"{say('travel_same')} {say('travel_sure')}", ()
    why = reasons(context, kind, plan.shelf)
    best = plan.shelf[0]
    parts = [f"{_head(context, outcome)}\n\n{table(context.language, kind, plan.shelf)}"]
    parts += [f"{why.words} {say('in_full', details=details(context.language, best, _people(context)))}"]
    parts += [proposed(context, best), _warnings(context, outcome)]
    parts += [f"{_sample(context)} {say('travel_shall_book')}".strip()]
    return _PARAGRAPH.join(part for part in parts if part), why.handles


def _same(plan: Plan, before: Plan) -> bool:
    """True when a search brought nothing that was not on the table, and the same to take."""
    now, then = ({product_key(each) for each in one.shelf} for one in (plan, before))
    return (
        bool(now)
        and now == then
        and before.proposed is not None
        and (product_key(plan.shelf[0]) == product_key(before.proposed))
    )


def _none_such(context: TripContext, note: str) -> str:
    """That nothing fits, why, and that what was shown before still stands."""
    say, found = context.say, _NO_SUCH.search(note)
    if found:
        text = say("fault_no_such", wanted=found["wanted"], parts=found["parts"])
    else:
        text = say("fault_budget", note=note) if note else say("fault_nothing")
    if context.plan.proposed:
        return f"{text} {say('travel_stands')} {say('travel_sure')}"
    return f"{text} {say('travel_leave_wish')}" if found else text


def _why(context: TripContext) -> Rendered:
    """Why the offer that a yes would book is the one to take."""
    plan, say = context.plan, context.say
    number = next(at for at, each in enumerate(plan.shelf) if each is plan.proposed)
    others = [each for each in plan.shelf if each is not plan.proposed]
    why = reasons(context, plan.kind or "flight", [plan.shelf[number], *others], number + 1)
    return f"{why.words} {say('travel_sure')}", why.handles


def _has(context: TripContext, offer: Offer) -> str:
    """Whether the hotel has what was asked of it."""
    say = context.say
    there = [*(offer.get("amenities") or []), *(["breakfast"] if offer.get("breakfast") else [])]
    there += ["free cancellation"] if offer.get("free_cancellation_until") else []
    lacks = [each for each in context.ask.features if each not in there]
    items = _features(context, lacks or context.ask.features)
    return f"{say('travel_has_not' if lacks else 'travel_has', name=name_of(offer), items=items)} {say('travel_sure')}"


def _features(context: TripContext, names: Iterable[str]) -> str:
    return ", ".join(context.say(f"feature_{re.sub('[ -]', '_', each)}") for each in names)


def _warnings(context: TripContext, outcome: Outcome) -> str:
    """What speaks against the passport, said once."""
    say, earlier = context.say, context.dialogue.transcript.before
    said = {_LETTERS.sub("", line) for turn in earlier for line in turn.reply.splitlines()}
    found = [say("warned", text=each) for each in outcome.answer.get("documents") or []]
    return "\n".join(each for each in found if _LETTERS.sub("", each) not in said)


def _sample(context: TripContext) -> str:
    """That it is sample data, once in a conversation."""
    say, word = context.say, context.say("travel_sample_word")
    said = any(word in turn.reply for turn in context.dialogue.transcript.before) or context.dialogue.transcript.opening
    return "" if said else say("travel_sample")


def _head(context: TripContext, outcome: Outcome) -> str:
    """The request as it was understood, and what was taken for granted in it."""
    say, kind, trip = context.say, SEARCHES[outcome.tool], context.trip
    notes = []
    if kind == "flight" and context.around:
        notes.append(say("travel_any_day", days=context.around, day=_day(context, outcome.given.get("departing"))))
    if not context.dialogue.trip.people and trip.people and not context.before.seen:
        notes.append(say("travel_assumed_one") if trip.people == 1 else say("travel_assumed", people=trip.people))
    if kind == "hotel" and (rooms := outcome.given.get("rooms")):
        notes.append(say("travel_rooms", rooms=rooms))
    only = [str(outcome.given[name]) for name in ("chain", "area") if outcome.given.get(name)]
    only += [_features(context, outcome.given["features"])] if outcome.given.get("features") else []
    if only:
        notes.append(say("travel_only", items=", ".join(only)))
    request = say("summary", details=", ".join(trip_details(context.dialogue.language, trip, context.home)))
    known = any(request in turn.reply for turn in context.dialogue.transcript.before)
    return " ".join([*([] if known else [request]), *notes, say(f"head_{kind}")])


def _day(context: TripContext, day: str | None) -> str:
    return context.language.format_day(date.fromisoformat(str(day)[:10])) if day else ""


def _people(context: TripContext) -> str:
    count, say = context.trip.people or 1, context.say
    return say("people_one") if count == 1 else say("people_more", count=count)


def _restated(context: TripContext) -> str:
    say, offer = context.say, context.plan.proposed
    if not offer:
        return say("travel_book_first")
    parts = (
        say("in_full", details=details(context.language, offer, _people(context))),
        proposed(context, offer),
    )
    return " ".join(part for part in (*parts, say("travel_sure")) if part)


def render_next_step(context: TripContext) -> str:
    """What comes after a booking: a hotel where none was spoken of, then what else there is, each asked once."""
    say, plan, trip = context.say, context.plan, context.trip
    if not plan.taken or not trip.open:
        return ""
    kinds = plan.settled
    if "flight" in kinds and "hotel" not in kinds and trip.end and not context.asked_before("travel_hotel_too"):
        return say("travel_hotel_too")
    if not {"insurance", "activity"} & kinds and not context.asked_before("travel_extras"):
        return say("travel_extras")
    return say("travel_done")


def _without_tools(context: TripContext) -> Rendered | None:
    """What is said when no tool is called for."""
    ask, plan, say = context.ask, context.plan, context.say
    if ask.act == "why" and plan.proposed:
        return _why(context)
    if ask.act == "why" and plan.settled:
        return say("why_booked"), ()
    if ask.act == "has" and plan.proposed and plan.kind == "hotel":
        return _has(context, plan.proposed), ()
    if ask.act == "convert":
        return say("convert_what"), ()
    if ask.act == "documents":
        return say("documents_what"), ()
    if plan.chose or (plan.proposed and ask.yes and not context.question):
        return _restated(context), ()
    if plan.shelf and ask.choice is not None and ask.choice >= len(plan.shelf):
        return say("travel_no_such", count=len(plan.shelf)), ()
    if plan.settled - context.before.settled:
        return " ".join(part for part in (say("travel_left_out"), render_next_step(context)) if part), ()
    if context.question in {"travel_shall_book", "travel_sure"} and ask.yes is False and not context.moved:
        return f"{say('travel_not_yet')} {say('travel_what_change')}", ()
    if context.question in {"travel_extras", "travel_hotel_too"} and ask.yes is False:
        return (say("travel_done"), ()) if context.question == "travel_extras" else (render_next_step(context), ())
    if context.question == "travel_extras" and ask.yes:
        return say("travel_extras"), ()
    if context.question == "travel_which_place" and plan.places and not context.aside:
        return say("travel_which_place"), ()
    if context.moved and plan.taken and not context.next_kind and not context.dialogue.reading.opens:
        return say("travel_booked_days"), ()
    if ask.act == "book" and context.complete and not context.moved and not plan.proposed:
        return say("travel_book_first"), ()
    return None
