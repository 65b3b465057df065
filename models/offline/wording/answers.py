"""Answers questions from the data of offers and bookings, or says that the data don't hold the answer."""

from collections.abc import Sequence
from dataclasses import replace

from models.offline.dialogue.calls import subject
from models.offline.dialogue.extras import requests_for, seats_for
from models.offline.dialogue.turn import Dialogue
from models.offline.reading.understanding import Choice, Clause, Condition, Topic
from models.offline.trips.choosing import chosen_offer, points_nowhere
from models.offline.trips.frames import Frame
from models.offline.trips.offers import MEASURES, Offer, best_by, name_of
from models.offline.trips.wishes import FEATURES, TOPICS, has, said_wishes
from models.offline.wording.facts import facts, full, party, table
from models.offline.wording.offers import nothing_found, reasons
from models.offline.wording.sentences import numbered

_BY_TOPIC: dict[Topic, str] = {
    "price": "cheapest", "cheapest": "cheapest", "duration": "fastest", "distance": "central", "area": "central",
    "stars": "rating",
}  # fmt: skip
"""The measure by which offers are compared for a topic, if the question names none."""


def answer(dialogue: Dialogue, clause: Clause) -> str:
    """Return the answer to a question of the current message; empty if the text on a tool's outcome answers it."""
    if clause.condition:
        return _not_carried_out(dialogue, clause, clause.condition)
    listed = any(each.tool == "list_bookings" for each in dialogue.now.outcomes)
    if clause.conversion or clause.topic in TOPICS["by_tool"] or (clause.topic == "total" and listed):
        if dialogue.outcomes or not (clause.conversion or clause.topic in ("money", "documents")):
            return ""
        asks_documents = clause.topic == "documents" and not clause.conversion
        return dialogue.say("documents_what" if asks_documents else "convert_what")
    if clause.topic == "weather":
        return dialogue.say("weather")
    if text := _trip_answer(dialogue, clause):
        return text
    frame = subject(dialogue.step.heard, clause)
    searched = [part for kind in clause.kinds if (part := dialogue.state.trip.frames.get(kind)) and part.given]
    if not frame and searched:
        return nothing_found(dialogue, searched[0])
    if frame and ((clause.choice and clause.choice.compares) or _ranks(clause)):
        return _compared(dialogue, clause, frame)
    if frame and points_nowhere(frame, clause):
        return dialogue.say("ask_number", count=len(frame.shown))
    if frame and frame.chosen:
        if clause.choice and clause.choice.every and not clause.choice.sort and clause.topic not in TOPICS["of_all"]:
            lines = [_offer_answer(dialogue, clause, frame, offer) for offer in frame.shown]
            return "\n".join(numbered(lines)) if all(lines) else dialogue.say("unknown_fact")
        points = clause.choice is not None and clause.choice.ordinal is not None
        wishes = {} if points else said_wishes(replace(clause.wishes, features=(), requests=()))
        text = _offer_answer(dialogue, clause, frame, chosen_offer(frame, clause.choice, wishes) or frame.chosen)
        of_offer = clause.topic or clause.choice or clause.kinds or said_wishes(clause.wishes)
        return text or f"{dialogue.say('unknown_fact')} {dialogue.say('way_on_offer') if of_offer else ''}".strip()
    booking = next((each.facts for each in [*dialogue.state.bookings.values()][::-1] if each.live), None)
    if booking is not None and clause.topic not in ("", "offer", "place"):
        return dialogue.say("answer_booked", **booking)
    if clause.topic == "place" or clause.places:
        return dialogue.say("unknown_place")
    way_on = "" if dialogue.state.trip.begun else dialogue.say("way_on_trip")
    return f"{dialogue.say('unknown_fact')} {way_on}".strip()


def _not_carried_out(dialogue: Dialogue, clause: Clause, condition: Condition) -> str:
    """Return why a conditional order was not carried out, with the fact about the offer that decided it."""
    frame = subject(dialogue.step.before, clause)
    offer = frame and (chosen_offer(frame, clause.choice, {}) or frame.chosen)
    key = "condition_unknown" if condition.met is None else "condition_fails"
    text = dialogue.say(key, condition=condition.said.text.strip(" .,!?"), name=name_of(offer or {}))
    fact = _offer_answer(dialogue, replace(condition.said, choice=None), frame, offer) if frame and offer else ""
    return f"{text} {fact}".strip()


def _trip_answer(dialogue: Dialogue, clause: Clause) -> str:
    """Return the answer to a question about the travellers or the dates; empty for others, or if it is unknown."""
    trip, words = dialogue.state.trip, dialogue.words
    kind = clause.kinds[0] if clause.kinds else dialogue.state.focus
    if clause.topic == "party" and trip.begun:
        return dialogue.say("answer_party", party=party(dialogue, kind))
    start, end = trip.value("start", kind), trip.value("end", kind)
    if clause.topic != "dates" or not (start and end):
        return ""
    line = words.joined([trip.value("destination", kind), words.span(start, end, dialogue.briefing.today)])
    return dialogue.say("answer_dates", line=line, nights=(end - start).days)


def _offer_answer(dialogue: Dialogue, clause: Clause, frame: Frame, offer: Offer) -> str:
    """Return the answer to a question from the data of an offer; empty if they don't hold it."""
    wanted, say = (*clause.wishes.features, *clause.wishes.requests), dialogue.say
    if clause.topic in ("features", "offer", "") and wanted:
        return _features(dialogue, wanted, offer, frame.shown)
    if clause.topic == "cheapest" and frame.shown:
        best = best_by("cheapest", frame.shown)
        number = dialogue.state.first_row + frame.shown.index(best) + 1
        return say("answer.cheapest", **facts(dialogue, frame.kind, best) | {"number": number})
    if clause.topic == "why" and clause.choice and offer is not frame.shown[0]:
        return ""  # only the recommended offer has reasons
    if clause.topic in ("best", "why"):
        return say("why_booked") if frame.status == "booked" else reasons(dialogue, frame)[0]
    if clause.topic == "seat":
        return _seat(dialogue, frame, offer)
    at_hand = not (clause.topic or wanted) and clause.choice and clause.choice.that
    if at_hand or clause.topic == "offer" or clause.topic == frame.kind == "insurance":
        return full(dialogue, replace(frame, chosen=offer))
    topic = "bags" if clause.topic == "price" and clause.wishes.bags and frame.kind == "flight" else clause.topic
    if not topic or not dialogue.words.knows(f"answer.{topic}"):
        return ""
    booking = dialogue.state.bookings.get(frame.booking)
    extra = booking.facts.get("extra_bags") if booking else None
    return say(f"answer.{topic}", **facts(dialogue, frame.kind, offer) | {"extra": extra or None})


def _features(dialogue: Dialogue, wanted: tuple[str, ...], offer: Offer, shown: Sequence[Offer]) -> str:
    """Return whether the offer has the features asked about; empty if its data don't cover them."""
    covered = {"automatic"} if "automatic" in offer else FEATURES if "breakfast" in offer else set[str]()
    if not covered.issuperset(wanted):
        return ""
    lacks = [each for each in wanted if not has(offer, each)]
    others = [name_of(each) for each in shown if all(has(each, one) for one in wanted)]
    return dialogue.say("has_not" if lacks else "has", name=name_of(offer), items=lacks or wanted, others=others)


def _seat(dialogue: Dialogue, frame: Frame, offer: Offer) -> str:
    say, choice = dialogue.say, offer.get("seat_choice") if offer.get("seat_choice") in ("paid", "free") else "later"
    lines = [say(f"answer.seat_{choice}", **facts(dialogue, frame.kind, offer))]
    seat_map = dialogue.last_of("seat_map")
    segments = seat_map.listed("segments") if seat_map else []
    if seat_map and segments and choice != "later":
        free = segments[0].get("free", {})
        shown = {side: ", ".join(map(str, free.get(side, [])[:4])) or "–" for side in ("window", "aisle")}
        lines.append(say("answer.seats_free", **shown))
        if frame.booking and (seats := seats_for(dialogue, seat_map)):
            lines.append(say("answer.seats_proposed", seats=", ".join(each["seat"] for each in seats)))
            lines.append(say("ask_seats"))
    elif requests := requests_for(frame):
        lines.append(say("requests_next", items=requests))
    return " ".join(lines)


def _ranks(clause: Clause) -> bool:
    """Return whether a question asks which offer is the best by some measure ("which one is the quickest?")."""
    choice = clause.choice or Choice()
    names_none = not (choice.that or choice.name or choice.hour or choice.ordinal is not None)
    topics = ("", "best", "duration", "distance", "stars")
    return names_none and clause.wishes.sort in MEASURES and clause.topic in topics


def _compared(dialogue: Dialogue, clause: Clause, frame: Frame) -> str:
    """Return which of the compared offers is the best by the measure asked for, and a table of their differences."""
    rows = clause.choice.rows if clause.choice else ()
    count, first, say = len(frame.shown), dialogue.state.first_row + 1, dialogue.say
    if any(not -count <= row < count for row in rows):
        return say("ask_number", count=count)
    indices = [row % count for row in rows] if len(rows) > 1 else list(range(count))
    lines, sort = [], clause.wishes.sort or _BY_TOPIC.get(clause.topic, "")
    if sort in MEASURES:
        values = {index: MEASURES[sort](frame.shown[index]) for index in indices}
        best = [index for index in indices if values[index] == min(values.values())]
        winner = say("ahead", number=best[0] + first, name=name_of(frame.shown[best[0]]), what=sort)
        lines += [winner] if not best[1:] else [say("level")] if best == indices else []
    elif clause.topic in ("seat", "meal", "place", "weather"):  # no offer's data cover these
        lines.append(say("unknown_fact"))
    shown = [{**facts(dialogue, frame.kind, frame.shown[index]), "at": index + first} for index in indices]
    differences = table(dialogue.words, frame.kind, shown, differing=True)
    return f"{' '.join(lines) or say('differ')}\n\n{differences}"
