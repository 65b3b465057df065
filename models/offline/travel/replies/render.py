"""The reply of a turn that is about offers and bookings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.trip_details import details_of
from models.offline.travel.extras import proposed
from models.offline.travel.offers import ACTS, SEARCHES, Offer, booking_of, fault, is_gone, name_of, results, thing_of
from models.offline.travel.plan import Plan
from models.offline.travel.replies.bookings import bookings, confirmed, documents, itinerary, listing, refused
from models.offline.travel.replies.details import details
from models.offline.travel.replies.failures import failed
from models.offline.travel.replies.reasons import reasons
from models.offline.travel.replies.table import table
from models.offline.travel.tool_planner import cancellable
from models.offline.travel.trip_context import Scene

Told = tuple[str, tuple[str, ...]]
_PARAGRAPH = "\n\n"
_LETTERS = re.compile(r"[\W\d_]+")
"""What two warnings of one thing may differ in: its dates."""
_NO_SUCH = re.compile(r"has all of this: (?P<wanted>.+?)\. There are rooms in (?P<parts>.+)\.$")


def told(scene: Scene) -> Told | None:
    """What to say, and the handles of the memories it rests on; None when the message is about something else."""
    if not scene.on:
        return None
    if scene.outcomes:
        return _of_outcomes(scene)
    return _without_tools(scene)


def _of_outcomes(scene: Scene) -> Told:
    parts: list[str] = []
    handles: tuple[str, ...] = ()
    for place, outcome in enumerate(scene.outcomes):
        follows = place + 1 < len(scene.outcomes)
        if outcome.tool in SEARCHES and not fault(outcome):
            text, used = _offers(scene, outcome)
            handles += used
        else:
            text = _of_outcome(scene, outcome, follows)
        parts.append(text)
    last = next((each for each in scene.outcomes[::-1] if each.tool != "list_bookings"), scene.outcomes[-1])
    if last.tool in {"book_offer", "change_booking"} and not fault(last):
        parts.append(afterwards(scene))
    return _PARAGRAPH.join(part for part in parts if part), handles


def _of_outcome(scene: Scene, outcome: Outcome, follows: bool) -> str:
    say = scene.talk.speech.say
    if outcome.tool == "seat_map":
        return ""
    if fault(outcome):
        if outcome.tool in ACTS and follows and is_gone(outcome):
            return say("pick_next", why=say("fault_gone"))
        return refused(scene, outcome) or failed(scene, outcome)
    booking = booking_of(outcome)
    if booking:
        return confirmed(scene, outcome, booking)
    match outcome.tool:
        case "list_bookings":
            return "" if follows or any(each.tool in ACTS for each in scene.outcomes) else _listed(scene, outcome)
        case "show_itinerary":
            return itinerary(scene, outcome)
        case "export_calendar":
            count = int(outcome.answer.get("events") or 0)
            return say("calendar_some", count=count) if count else say("calendar_none")
        case "convert_money":
            return _converted(scene, outcome)
        case "check_documents":
            return documents(scene, outcome)
        case "booking_policy":
            return f"{outcome.answer.get('policy', '')}{_still_open(scene)}"
        case "offer_details":
            return _restated(scene)
    return ""


def _converted(scene: Scene, outcome: Outcome) -> str:
    found, say = outcome.answer, scene.talk.speech.say
    rate = str(found.get("rate"))
    short = rate.rstrip("0").rstrip(".") if "." in rate else rate
    return say("converted", given=found.get("given"), result=found.get("result"), rate=short, day=found.get("day")) + (
        _still_open(scene)
    )


def _still_open(scene: Scene) -> str:
    return f" {scene.talk.speech.say('travel_sure')}" if scene.plan.proposed else ""


def _listed(scene: Scene, outcome: Outcome) -> str:
    """The bookings, or the question which of them to cancel."""
    say = scene.talk.speech.say
    if scene.ask.act != "cancel":
        return bookings(scene, outcome)
    found = [scene.plan.bookings[name] for name in cancellable(scene)]
    if not found:
        return say("cancel_nothing")
    return f"{say('cancel_several')}\n\n{listing(scene, found)}\n\n{say('travel_which_booking')}"


def _offers(scene: Scene, outcome: Outcome) -> Told:
    """Three offers side by side, the one that is recommended, and all of it restated."""
    say, plan, kind = scene.talk.speech.say, scene.plan, SEARCHES[outcome.tool]
    if not results(outcome):
        return _none_such(scene, str(outcome.answer.get("note") or "")), ()
    if plan.kind != kind:
        return "", ()
    if scene.ask.refines and not scene.moved and _same(plan, scene.before):
        return f"{say('travel_same')} {say('travel_sure')}", ()
    why = reasons(scene, kind, plan.shelf)
    best = plan.shelf[0]
    parts = [f"{_head(scene, outcome)}\n\n{table(scene.talk.speech, kind, plan.shelf)}"]
    parts += [f"{why.words} {say('in_full', details=details(scene.talk.speech, best, _people(scene)))}"]
    parts += [proposed(scene, best), _warnings(scene, outcome)]
    parts += [f"{_sample(scene)} {say('travel_shall_book')}".strip()]
    return _PARAGRAPH.join(part for part in parts if part), why.handles


def _same(plan: Plan, before: Plan) -> bool:
    """True when a search brought nothing that was not on the table, and the same to take."""
    now, then = ({thing_of(each) for each in one.shelf} for one in (plan, before))
    return (
        bool(now)
        and now == then
        and before.proposed is not None
        and (thing_of(plan.shelf[0]) == thing_of(before.proposed))
    )


def _none_such(scene: Scene, note: str) -> str:
    """That nothing fits, why, and that what was shown before still stands."""
    say, found = scene.talk.speech.say, _NO_SUCH.search(note)
    if found:
        told = say("fault_no_such", wanted=found["wanted"], parts=found["parts"])
    else:
        told = say("fault_budget", note=note) if note else say("fault_nothing")
    if scene.plan.proposed:
        return f"{told} {say('travel_stands')} {say('travel_sure')}"
    return f"{told} {say('travel_leave_wish')}" if found else told


def _why(scene: Scene) -> Told:
    """Why the offer that a yes would book is the one to take."""
    plan, say = scene.plan, scene.talk.speech.say
    number = next(at for at, each in enumerate(plan.shelf) if each is plan.proposed)
    others = [each for each in plan.shelf if each is not plan.proposed]
    why = reasons(scene, plan.kind or "flight", [plan.shelf[number], *others], number + 1)
    return f"{why.words} {say('travel_sure')}", why.handles


def _has(scene: Scene, offer: Offer) -> str:
    """Whether the hotel has what was asked of it."""
    say = scene.talk.speech.say
    there = [*(offer.get("amenities") or []), *(["breakfast"] if offer.get("breakfast") else [])]
    there += ["free cancellation"] if offer.get("free_cancellation_until") else []
    lacks = [each for each in scene.ask.features if each not in there]
    items = _features(scene, lacks or scene.ask.features)
    return f"{say('travel_has_not' if lacks else 'travel_has', name=name_of(offer), items=items)} {say('travel_sure')}"


def _features(scene: Scene, names: Iterable[str]) -> str:
    return ", ".join(scene.talk.speech.say(f"feature_{re.sub('[ -]', '_', each)}") for each in names)


def _warnings(scene: Scene, outcome: Outcome) -> str:
    """What speaks against the passport, said once."""
    say, earlier = scene.talk.speech.say, scene.talk.transcript.before
    said = {_LETTERS.sub("", line) for turn in earlier for line in turn.reply.splitlines()}
    found = [say("warned", text=each) for each in outcome.answer.get("documents") or []]
    return "\n".join(each for each in found if _LETTERS.sub("", each) not in said)


def _sample(scene: Scene) -> str:
    """That it is sample data, once in a conversation."""
    say, word = scene.talk.speech.say, scene.talk.speech.say("travel_sample_word")
    said = any(word in turn.reply for turn in scene.talk.transcript.before) or scene.talk.transcript.opening
    return "" if said else say("travel_sample")


def _head(scene: Scene, outcome: Outcome) -> str:
    """The request as it was understood, and what was taken for granted in it."""
    say, kind, trip = scene.talk.speech.say, SEARCHES[outcome.tool], scene.trip
    notes = []
    if kind == "flight" and scene.around:
        notes.append(say("travel_any_day", days=scene.around, day=_day(scene, outcome.given.get("departing"))))
    if not scene.talk.trip.people and trip.people and not scene.before.seen:
        notes.append(say("travel_assumed_one") if trip.people == 1 else say("travel_assumed", people=trip.people))
    if kind == "hotel" and (rooms := outcome.given.get("rooms")):
        notes.append(say("travel_rooms", rooms=rooms))
    only = [str(outcome.given[name]) for name in ("chain", "area") if outcome.given.get(name)]
    only += [_features(scene, outcome.given["features"])] if outcome.given.get("features") else []
    if only:
        notes.append(say("travel_only", items=", ".join(only)))
    request = say("summary", details=", ".join(details_of(scene.talk, trip, scene.home)))
    known = any(request in turn.reply for turn in scene.talk.transcript.before)
    return " ".join([*([] if known else [request]), *notes, say(f"head_{kind}")])


def _day(scene: Scene, day: str | None) -> str:
    return scene.talk.speech.show_day(date.fromisoformat(str(day)[:10])) if day else ""


def _people(scene: Scene) -> str:
    count, say = scene.trip.people or 1, scene.talk.speech.say
    return say("people_one") if count == 1 else say("people_more", count=count)


def _restated(scene: Scene) -> str:
    say, offer = scene.talk.speech.say, scene.plan.proposed
    if not offer:
        return say("travel_book_first")
    told = (say("in_full", details=details(scene.talk.speech, offer, _people(scene))), proposed(scene, offer))
    return " ".join(part for part in (*told, say("travel_sure")) if part)


def afterwards(scene: Scene) -> str:
    """What comes after a booking: a hotel where none was spoken of, then what else there is, each asked once."""
    say, plan, trip = scene.talk.speech.say, scene.plan, scene.trip
    if not plan.taken or not trip.open:
        return ""
    kinds = plan.settled
    if "flight" in kinds and "hotel" not in kinds and trip.end and not scene.asked_before("travel_hotel_too"):
        return say("travel_hotel_too")
    if not {"insurance", "activity"} & kinds and not scene.asked_before("travel_extras"):
        return say("travel_extras")
    return say("travel_done")


def _without_tools(scene: Scene) -> Told | None:
    """What is said when no tool is called for."""
    ask, plan, say = scene.ask, scene.plan, scene.talk.speech.say
    if ask.act == "why" and plan.proposed:
        return _why(scene)
    if ask.act == "why" and plan.settled:
        return say("why_booked"), ()
    if ask.act == "has" and plan.proposed and plan.kind == "hotel":
        return _has(scene, plan.proposed), ()
    if ask.act == "convert":
        return say("convert_what"), ()
    if ask.act == "documents":
        return say("documents_what"), ()
    if plan.chose or (plan.proposed and ask.yes and not scene.question):
        return _restated(scene), ()
    if plan.shelf and ask.choice is not None and ask.choice >= len(plan.shelf):
        return say("travel_no_such", count=len(plan.shelf)), ()
    if plan.settled - scene.before.settled:
        return " ".join(part for part in (say("travel_left_out"), afterwards(scene)) if part), ()
    if scene.question in {"travel_shall_book", "travel_sure"} and ask.yes is False and not scene.moved:
        return f"{say('travel_not_yet')} {say('travel_what_change')}", ()
    if scene.question in {"travel_extras", "travel_hotel_too"} and ask.yes is False:
        return (say("travel_done"), ()) if scene.question == "travel_extras" else (afterwards(scene), ())
    if scene.question == "travel_extras" and ask.yes:
        return say("travel_extras"), ()
    if scene.question == "travel_which_place" and plan.places and not scene.aside:
        return say("travel_which_place"), ()
    if scene.moved and plan.taken and not scene.next_kind and not scene.talk.reading.opens:
        return say("travel_booked_days"), ()
    if ask.act == "book" and scene.complete and not scene.moved and not plan.proposed:
        return say("travel_book_first"), ()
    return None
