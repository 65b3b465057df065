"""What is said of what the other travel tools answered: bookings made, changed, cancelled, refused, and faults."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from models.offline.dialogue.acts import booked_flight, cancellable
from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.turn import Dialogue
from models.offline.tables import DIALOGUE
from models.offline.trips.offers import (
    ACTS,
    SEARCHES,
    ambiguous_places,
    booking_of,
    error_text,
    is_sold_out,
    refusal,
    results,
)
from models.offline.wording.facts import paid_more, spoken_place, table, total
from models.offline.wording.offers import Told, offers_found
from models.offline.wording.sentences import numbered

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_NAMED = re.compile(r"called '(?P<name>[^']+)'|^(?P<places>.+?) are [\d.,]+ km apart")


def told_of(dialogue: Dialogue, outcome: Outcome) -> Told:
    """Return what is said of the answer of a travel tool, and the memories that decided; empty where it informs."""
    if outcome.tool in SEARCHES and not error_text(outcome):
        return offers_found(dialogue, outcome)
    return _failed(dialogue, outcome) if error_text(outcome) else _answered(dialogue, outcome), ()


def _answered(dialogue: Dialogue, outcome: Outcome) -> str:
    say, found = dialogue.say, outcome.answer
    if booking := booking_of(outcome):
        return _done(dialogue, outcome, booking)
    asks = any(clause.act == "ask" for clause in dialogue.step.said.clauses)
    match outcome.tool:
        case "list_bookings" if not any(each.tool in ACTS for each in dialogue.outcomes):
            return _listed(dialogue, outcome.listed("bookings"))
        case "show_itinerary":
            return _itinerary(dialogue, outcome.listed("itinerary"))
        case "export_calendar":
            count = int(found.get("events") or 0)
            return say("calendar_some", count=count) if count else say("calendar_none")
        case "convert_money" if any(clause.conversion for clause in dialogue.step.said.clauses):
            rate = str(found.get("rate"))
            return say("converted", **{**found, "rate": rate.rstrip("0").rstrip(".") if "." in rate else rate})
        case "check_documents":
            return _documents(dialogue, found)
        case "booking_policy":
            return str(found.get("policy", ""))
        case "seat_map" if outcome is dialogue.outcomes[-1] and (flight := booked_flight(dialogue.state)) and not asks:
            is_later = (flight.offer or {}).get("seat_choice") == "at check-in"  # as is said where wishes are told
            return "" if is_later else say("fault.seats")
    return ""


def _failed(dialogue: Dialogue, outcome: Outcome) -> str:
    """Return a sentence on what went wrong, and the question that mends it; never the tool's own text."""
    words, say, text, no = dialogue.words, dialogue.say, error_text(outcome), refusal(outcome)
    if outcome.tool in ("seat_map", "offer_details"):
        return ""
    if no is not None:
        asked = f" {say('ask_change_what')}" if outcome.tool in ("book_offer", "hold_offer") else ""
        return say("undecided") if no["undecided"] else f"{say('rejected', why=(no['why'] or '').strip(' .。'))}{asked}"
    if outcome.tool in ACTS and is_sold_out(outcome):
        again = any(each.tool in SEARCHES and results(each) for each in dialogue.outcomes)
        return say("pick_next" if again else "fault.gone_now", why=say("fault.gone"))
    name, places = ambiguous_places(outcome)
    if places:
        return which_place(dialogue, name, places)
    days = [words.time(day) for day in _DAY.findall(text)] or ["?"]
    named = found.groupdict() if (found := _NAMED.search(text)) else {}
    fault = next((each for each in DIALOGUE.table("faults")["faults"] if re.search(each["says"], text)), None)
    if fault is None:
        return say("failed")
    if places_named := named.get("places"):
        named["places"] = words.joined([spoken_place(words, each) for each in places_named.split(" and ")])
    told = say(f"fault.{fault['key']}", **{"day": days[-1 if fault["key"] == "far" else 0], **named})
    return f"{told} {say(fault['asks'])}" if "asks" in fault else told


def which_place(dialogue: Dialogue, name: str, places: Sequence[str]) -> str:
    """Return the question which of several places is meant by a name."""
    lines = numbered(spoken_place(dialogue.words, each) for each in places)
    told = dialogue.say("fault.place", name=spoken_place(dialogue.words, name), lines=lines)
    return f"{told}\n{dialogue.say('ask_place')}"


def _done(dialogue: Dialogue, outcome: Outcome, booking: Mapping[str, Any]) -> str:
    """Return that an act was carried out, with its reference."""
    reference, paid = str(booking.get("booking")), str(booking.get("paid"))
    known = {
        "kind": "flight", **booking, "seats": ", ".join(booking.get("seats") or []),
        "extra_bags": booking.get("extra_bags") or None, "more": paid_more(dialogue, reference),
        "until": f"{dialogue.words.time(str(booking.get('held_until')).replace(' UTC', ''))} UTC",
    }  # fmt: skip
    known["what"] = _DAY.sub(lambda day: dialogue.words.time(day[0]), str(booking.get("what")))
    key = outcome.tool
    if key == "cancel_booking":
        before = dialogue.step.before.bookings.get(reference)
        lost = before is not None and str(before.facts.get("paid")) == paid
        key = "cancelled_all" if not re.search("[1-9]", paid) else "cancelled_lost" if lost else "cancelled_kept"
    return dialogue.say(f"done.{key}", **known)


def _listed(dialogue: Dialogue, found: Sequence[Mapping[str, Any]]) -> str:
    """Return all bookings as a table with what they come to, or the question which of them to cancel."""
    say = dialogue.say
    if cancels := [clause for clause in dialogue.step.said.clauses if clause.act == "cancel"]:
        meant = [dialogue.state.bookings[name].facts for name in cancellable(dialogue.state, cancels[0])]
        if not meant:
            return say("cancel_nothing")
        return "\n\n".join([say("cancel_several"), table(dialogue.words, "booking", meant), say("ask_booking")])
    if not found:
        return say("bookings_none")
    parts = [say("bookings_some"), table(dialogue.words, "booking", found)]
    paid = [str(each.get("paid")) for each in found if each.get("status") != "held"]
    if len(paid) > 1 and len({text.rstrip("0123456789.,") for text in paid}) == 1:
        parts.append(say("bookings_total", total=total(paid)))
    return "\n\n".join(parts)


def _itinerary(dialogue: Dialogue, days: Sequence[Mapping[str, Any]]) -> str:
    """Return the days on which something happens."""
    if not days:
        return dialogue.say("bookings_none")
    told = [dialogue.say("itinerary_some")]
    for day in days:
        told.append(f"\n**{dialogue.words.time(day.get('day'))}**")
        told += [dialogue.say("itinerary_line", **{"time": None, **each}) for each in day.get("items", [])]
    return "\n".join(told)


def _documents(dialogue: Dialogue, found: Mapping[str, Any]) -> str:
    """Return what is known of the passport, and what is not."""
    say, expiry = dialogue.say, found.get("passport_expiry")
    warned = [*found.get("errors", []), *(each for each in found.get("warnings", []) if expiry)]
    told = [say("warned", text=each) for each in warned]
    if not expiry:
        return " ".join([*told, say("documents_unknown")])
    fine = [say("documents_fine", country=found.get("passport_country") or "?", expiry=expiry)]
    return " ".join([*told, *([] if warned else fine), say("documents_visa")])
