"""Answers to questions, from the data of offers and bookings; an honest word where they don't say."""

from __future__ import annotations

from typing import Any

from models.offline.dialogue.asks import subject
from models.offline.dialogue.extras import requests_for, seats_for
from models.offline.dialogue.turn import Dialogue
from models.offline.reading.understanding import Clause
from models.offline.trips.choosing import FEATURES
from models.offline.trips.frames import Booking, Frame
from models.offline.trips.offers import Offer, best_by, error_text, name_of, ways
from models.offline.trips.searching import company_of
from models.offline.trips.taking import pick
from models.offline.wording.bookings import paid_more, status_words
from models.offline.wording.details import bags_words, changes_words, refund_words, room_words
from models.offline.wording.reasons import reasons
from models.offline.wording.table import price
from models.offline.wording.understood import company_words, feature_words

_BY_TOOL = frozenset({"documents", "money", "bookings", "reference", "calendar", "itinerary", "policy", "payment"})
"""Questions that a tool's answer answers."""
_TEMPLATES: dict[str, tuple[str, ...]] = {
    "price": ("answer_night", "answer_price"), "total": ("answer_total",), "stops": ("answer_stops", "answer_nonstop"),
    "duration": ("answer_duration", "answer_activity_time"), "times": ("answer_times", "answer_activity_time"),
    "bags": ("answer_bags",), "airline": ("answer_airline",), "breakfast": ("answer_breakfast",),
    "cancellation": ("answer_refund", "answer_cancel_free", "answer_cancel_not"),
    "refund": ("answer_refund", "answer_cancel_free", "answer_cancel_not"),
    "change_fee": ("answer_change_fee", "answer_cancel_free", "answer_cancel_not"), "stars": ("answer_stars",),
    "features": ("answer_features",), "rooms": ("answer_room",), "distance": ("answer_distance",),
    "area": ("answer_distance", "answer_airports"), "place": ("answer_airports", "answer_distance"),
    "insurance": ("answer_cover",), "meal": ("answer_breakfast", "answer_meal"),
}  # fmt: skip
"""The sentences that may answer a question about an offer, by its topic: the first of which the data fill all."""


def answer(dialogue: Dialogue, clause: Clause) -> str:
    """Return the answer to a question of the running message; empty where a tool's answer is it."""
    listed = any(each.tool == "list_bookings" for each in dialogue.now.outcomes)
    if clause.conversion or clause.topic in _BY_TOOL or (clause.topic == "total" and listed):
        return _unanswered(dialogue, clause)
    if clause.topic == "weather":
        return dialogue.say("weather")
    if clause.topic in ("dates", "party") and (told := _of_trip(dialogue, clause)):
        return told
    frame = subject(dialogue.step.heard, clause)
    if frame and frame.chosen:
        named = pick(dialogue.step.heard, clause).trip.frames[frame.kind] if clause.choice else frame
        return _of_offer(dialogue, clause, frame, named.chosen or frame.chosen) or _unknown(dialogue, offer=True)
    booking = next((each for each in [*dialogue.state.bookings.values()][::-1] if each.live), None)
    if booking is not None and clause.topic not in ("", "offer", "place"):
        return _of_booking(dialogue, clause, booking)
    return _unknown(dialogue, place=clause.topic == "place" or bool(clause.places))


def _unanswered(dialogue: Dialogue, clause: Clause) -> str:
    """Return what is said where the tool that answers was not called, because something is missing."""
    if dialogue.outcomes:
        return ""
    if clause.conversion or clause.topic == "money":
        return dialogue.say("convert_what")
    return dialogue.say("documents_what") if clause.topic == "documents" else ""


def _of_trip(dialogue: Dialogue, clause: Clause) -> str:
    trip, words = dialogue.state.trip, dialogue.words
    kind = clause.kinds[0] if clause.kinds else dialogue.state.focus
    if clause.topic == "party":
        company, _ = company_of(dialogue.state, kind, dialogue.standing)
        return dialogue.say("answer_party", people=company_words(dialogue, company)) if trip.begun else ""
    start, end = trip.value("start", kind), trip.value("end", kind)
    if not (start and end):
        return ""
    line = [trip.value("destination", kind) or "", words.span(start, end, dialogue.briefing.today)]
    nights = words.counted("nights", (end - start).days)
    return dialogue.say("answer_dates", line=words.joined(part for part in line if part), nights=nights)


def _of_offer(dialogue: Dialogue, clause: Clause, frame: Frame, offer: Offer) -> str:
    """Return what the data of an offer say to a question; empty where they say nothing."""
    wanted = (*clause.wishes.features, *clause.wishes.requests)
    if clause.topic in ("features", "offer", "") and wanted:
        return _features(dialogue, wanted, offer)
    if clause.topic in ("price", "total") and (more := paid_more(dialogue, frame.booking)):
        return dialogue.say("changed_more", amount=more)
    if clause.topic == "cheapest" and frame.shown:
        best = best_by("cheapest", frame.shown)
        known = {"number": frame.shown.index(best) + 1, "name": name_of(best), "price": price(dialogue.words, best)}
        return dialogue.say("answer_cheapest", **known)
    if clause.topic in ("best", "why"):
        return dialogue.say("why_booked") if frame.status == "booked" else reasons(dialogue, frame).words
    if clause.topic == "seat":
        return _seat(dialogue, frame, offer)
    topic = "bags" if clause.topic == "price" and frame.value("bags") and frame.kind == "flight" else clause.topic
    facts = _facts(dialogue, frame, offer)
    for key in _TEMPLATES.get(topic, ()):
        if all(facts.get(name) for name in dialogue.words.values_of(key)):
            return dialogue.say(key, **facts)
    return ""


def _facts(dialogue: Dialogue, frame: Frame, offer: Offer) -> dict[str, Any]:
    """Return what an offer's data say, in words, by the names that sentences have for it."""
    words, say, there = dialogue.words, dialogue.say, ways(offer)
    flight, until = frame.kind == "flight", offer.get("free_cancellation_until")
    stops = [stop for way in there for stop in way.get("stops", [])]
    amenities = [feature_words(dialogue, each) for each in offer.get("amenities") or ()]
    distance = {"where": offer.get("neighborhood"), "km": str(offer.get("centre_km") or "")}
    facts: dict[str, Any] = {
        **{name: offer.get(name) for name in ("airline", "fare", "stars", "minutes", "excess", "floor")},
        **(distance if distance["km"] else {}),
        "name": name_of(offer), "price": price(words, offer), "night": offer.get("per_night"),
        "people": company_words(dialogue, company_of(dialogue.state, frame.kind, dialogue.standing)[0]),
        "stops": words.joined(dict.fromkeys(stops)), "flights": ", ".join(f for way in there for f in way["flights"]),
        "lengths": words.joined(say("answer_way", **_way(dialogue, way)) for way in there),
        "hours": words.joined(say("answer_time", **_way(dialogue, way)) for way in there),
        "until": words.time(until) if until else "", "score": offer.get("guest_score"),
        "items": words.joined(amenities), "starts": words.time(offer["starts"]) if offer.get("starts") else "",
        "room": room_words(words, offer) if offer.get("room") else "",
    }  # fmt: skip
    if there:
        facts |= {"from": there[0].get("from"), "to": there[0].get("to")}
    if flight:
        facts |= {"bags": _bags(dialogue, frame, offer), "fee": offer.get("bag_fee") or "–"}
        facts |= {"refund": refund_words(words, offer), "changes": changes_words(words, offer), "aboard": " "}
    if "breakfast" in offer:
        facts["breakfast"] = say("breakfast_yes" if offer["breakfast"] else "breakfast_no")
    if frame.kind == "car":
        facts["cover"] = say("cover_yes" if offer.get("collision_cover") else "cover_no")
    return facts


def _way(dialogue: Dialogue, way: Any) -> dict[str, Any]:
    time = dialogue.words.time
    arrives = time(way.get("arrives"), beside=way.get("departs"))
    return {"from": way.get("from"), "to": way.get("to"), "duration": way.get("duration"),
            "departs": time(way.get("departs")), "arrives": arrives}  # fmt: skip


def _bags(dialogue: Dialogue, frame: Frame, offer: Offer) -> str:
    bags = bags_words(dialogue.words, int(offer.get("checked_bags") or 0))
    booking = dialogue.state.bookings.get(frame.booking)
    extra = booking.facts.get("extra_bags") if booking else 0
    return dialogue.words.joined([bags, dialogue.say("extra_bags_had", count=extra)]) if extra else bags


def _of_booking(dialogue: Dialogue, clause: Clause, booking: Booking) -> str:
    facts = booking.facts
    if clause.topic in ("price", "total") and (more := paid_more(dialogue, str(facts.get("booking")))):
        return dialogue.say("changed_more", amount=more)
    known = {"what": facts.get("what"), "reference": facts.get("booking"), "paid": facts.get("paid")}
    return dialogue.say("answer_booked", status=status_words(dialogue, facts), **known)


def _unknown(dialogue: Dialogue, *, offer: bool = False, place: bool = False) -> str:
    if place:
        return dialogue.say("unknown_place")
    way_on = "way_on_offer" if offer else "" if dialogue.state.trip.begun else "way_on_trip"
    return f"{dialogue.say('unknown_fact')} {dialogue.say(way_on) if way_on else ''}".strip()


def _features(dialogue: Dialogue, wanted: tuple[str, ...], offer: Offer) -> str:
    """Return whether the offer has what was asked of it; nothing for what its data never tell."""
    if "automatic" in offer and wanted == ("automatic",):
        return dialogue.say("answer_gears_yes" if offer["automatic"] else "answer_gears_no", name=name_of(offer))
    there = [*(offer.get("amenities") or ()), *(("breakfast",) if offer.get("breakfast") else ())]
    there += ["free cancellation"] if offer.get("free_cancellation_until") else []
    if not FEATURES.issuperset(wanted) or "breakfast" not in offer:
        return ""
    lacks = [each for each in wanted if each not in there]
    items = dialogue.words.joined(feature_words(dialogue, each) for each in lacks or wanted)
    return dialogue.say("has_not" if lacks else "has", name=name_of(offer), items=items)


def _seat(dialogue: Dialogue, frame: Frame, offer: Offer) -> str:
    choice = str(offer.get("seat_choice")) if offer.get("seat_choice") in ("paid", "free") else "later"
    told = [dialogue.say(f"answer_seat_{choice}", name=name_of(offer), fee=offer.get("seat_fee"))]
    looked = next((each for each in dialogue.now.outcomes if each.tool == "seat_map"), None)
    planes = looked.answer.get("segments", []) if looked and not error_text(looked) else []
    if looked and planes and choice != "later":
        free = planes[0].get("free", {})
        window, aisle = (", ".join(str(seat) for seat in free.get(side, [])[:4]) for side in ("window", "aisle"))
        told.append(dialogue.say("answer_seats_free", window=window or "–", aisle=aisle or "–"))
        if frame.booking and (seats := seats_for(dialogue, looked)):
            told.append(dialogue.say("answer_seats_proposed", seats=", ".join(each["seat"] for each in seats)))
            told.append(dialogue.say("ask_seats"))
    elif requests := requests_for(frame):
        told.append(dialogue.say("answer_requests_next", items=dialogue.words.joined(requests)))
    return " ".join(told)
