"""Writes the texts on outcomes of travel tools: bookings made, changed, cancelled or rejected, look-ups and errors."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from models.offline.dialogue.acts import booked_flight, cancellable
from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.turn import Dialogue
from models.offline.tables import DIALOGUE
from models.offline.trips import offers
from models.offline.wording.facts import paid_more, spoken_place, table, total
from models.offline.wording.offers import TextAndHandles, offers_found
from models.offline.wording.sentences import numbered

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_NAMED = re.compile(r"called '(?P<name>[^']+)'|^(?P<places>.+?) are [\d.,]+ km apart")


def outcome_text(dialogue: Dialogue, outcome: Outcome) -> TextAndHandles:
    """Return the text on a travel tool's outcome, empty if it needs none, and the handles of the memories used."""
    if outcome.tool in offers.SEARCHES and not offers.error_text(outcome):
        return offers_found(dialogue, outcome)
    return _failed(dialogue, outcome) if offers.error_text(outcome) else _answered(dialogue, outcome), ()


def _answered(dialogue: Dialogue, outcome: Outcome) -> str:
    """Return the text on a successful call other than a search."""
    say, answer = dialogue.say, outcome.answer
    if booking := offers.booking_of(outcome):
        return _done(dialogue, outcome, booking)
    asks = any(clause.act == "ask" for clause in dialogue.step.said.clauses)
    match outcome.tool:
        case "list_bookings" if not any(each.tool in offers.ACTS for each in dialogue.outcomes):
            return _bookings(dialogue, outcome.listed("bookings"))
        case "show_itinerary":
            return _itinerary(dialogue, outcome.listed("itinerary"))
        case "export_calendar":
            count = int(answer.get("events") or 0)
            return say("calendar_some", count=count) if count else say("calendar_none")
        case "convert_money" if any(clause.conversion for clause in dialogue.step.said.clauses):
            rate = str(answer.get("rate"))
            return say("converted", **{**answer, "rate": rate.rstrip("0").rstrip(".") if "." in rate else rate})
        case "check_documents":
            return _documents(dialogue, answer)
        case "booking_policy":
            return str(answer.get("policy", ""))
        case "seat_map" if outcome is dialogue.outcomes[-1] and (flight := booked_flight(dialogue.state)) and not asks:
            at_check_in = (flight.offer or {}).get("seat_choice") == "at check-in"  # `not_understood` says so
            return "" if at_check_in else say("fault.seats")
    return ""


def _failed(dialogue: Dialogue, outcome: Outcome) -> str:
    """Return a sentence on an error and the question that resolves it; the tool's message itself is never shown."""
    words, say, text, rejection = dialogue.words, dialogue.say, offers.error_text(outcome), offers.refusal(outcome)
    if outcome.tool in ("seat_map", "offer_details"):
        return ""
    if rejection is not None:
        if rejection["undecided"]:
            return say("undecided")
        question = f" {say('ask_change_what')}" if outcome.tool in ("book_offer", "hold_offer") else ""
        return f"{say('rejected', why=(rejection['why'] or '').strip(' .。'))}{question}"
    if outcome.tool in offers.ACTS and offers.is_sold_out(outcome):
        again = any(each.tool in offers.SEARCHES and offers.results(each) for each in dialogue.outcomes)
        return say("pick_next" if again else "fault.gone_now", why=say("fault.gone"))
    name, places = offers.ambiguous_places(outcome)
    if places:
        return which_place(dialogue, name, places)
    days = [words.time(day) for day in _DAY.findall(text)] or ["?"]
    named = match.groupdict() if (match := _NAMED.search(text)) else {}
    fault = next((each for each in DIALOGUE.table("faults")["faults"] if re.search(each["says"], text)), None)
    if fault is None:
        return say("failed")
    if places_named := named.get("places"):
        named["places"] = words.joined([spoken_place(words, each) for each in places_named.split(" and ")])
    sentence = say(f"fault.{fault['key']}", **{"day": days[-1 if fault["key"] == "far" else 0], **named})
    return f"{sentence} {say(fault['asks'])}" if "asks" in fault else sentence


def which_place(dialogue: Dialogue, name: str, places: Sequence[str]) -> str:
    """Return the question which of several places the traveller means by a name."""
    lines = numbered(spoken_place(dialogue.words, each) for each in places)
    sentence = dialogue.say("fault.place", name=spoken_place(dialogue.words, name), lines=lines)
    return f"{sentence}\n{dialogue.say('ask_place')}"


def _done(dialogue: Dialogue, outcome: Outcome, booking: Mapping[str, Any]) -> str:
    """Return the confirmation that a booking was made, changed or cancelled."""
    reference, paid = str(booking.get("booking")), str(booking.get("paid"))
    values = {
        "kind": "flight", **booking, "seats": ", ".join(booking.get("seats") or []),
        "extra_bags": booking.get("extra_bags") or None, "more": paid_more(dialogue, reference),
        "until": f"{dialogue.words.time(str(booking.get('held_until')).replace(' UTC', ''))} UTC",
    }  # fmt: skip
    values["what"] = _DAY.sub(lambda day: dialogue.words.time(day[0]), str(booking.get("what")))
    key = outcome.tool
    if key == "cancel_booking":
        before = dialogue.step.before.bookings.get(reference)
        lost = before is not None and str(before.facts.get("paid")) == paid
        key = "cancelled_all" if not re.search("[1-9]", paid) else "cancelled_lost" if lost else "cancelled_kept"
    return dialogue.say(f"done.{key}", **values)


def _bookings(dialogue: Dialogue, bookings: Sequence[Mapping[str, Any]]) -> str:
    """Return all bookings as a table with their total, or the question which of them to cancel."""
    say = dialogue.say
    if cancels := [clause for clause in dialogue.step.said.clauses if clause.act == "cancel"]:
        meant = [dialogue.state.bookings[name].facts for name in cancellable(dialogue.state, cancels[0])]
        if not meant:
            return say("cancel_nothing")
        return "\n\n".join([say("cancel_several"), table(dialogue.words, "booking", meant), say("ask_booking")])
    if not bookings:
        return say("bookings_none")
    parts = [say("bookings_some"), table(dialogue.words, "booking", bookings)]
    paid = [str(each.get("paid")) for each in bookings if each.get("status") != "held"]
    if len(paid) > 1 and len({text.rstrip("0123456789.,") for text in paid}) == 1:
        parts.append(say("bookings_total", total=total(paid)))
    return "\n\n".join(parts)


def _itinerary(dialogue: Dialogue, days: Sequence[Mapping[str, Any]]) -> str:
    """Return the itinerary as a list of its days, each with its items."""
    if not days:
        return dialogue.say("bookings_none")
    lines = [dialogue.say("itinerary_some")]
    for day in days:
        lines.append(f"\n**{dialogue.words.time(day.get('day'))}**")
        lines += [dialogue.say("itinerary_line", **{"time": None, **each}) for each in day.get("items", [])]
    return "\n".join(lines)


def _documents(dialogue: Dialogue, answer: Mapping[str, Any]) -> str:
    """Return the result of the passport check, and that visas are not checked."""
    say, expiry = dialogue.say, answer.get("passport_expiry")
    problems = [*answer.get("errors", []), *(each for each in answer.get("warnings", []) if expiry)]
    lines = [say("warned", text=each) for each in problems]
    if not expiry:
        return " ".join([*lines, say("documents_unknown")])
    fine = [say("documents_fine", country=answer.get("passport_country") or "?", expiry=expiry)]
    return " ".join([*lines, *([] if problems else fine), say("documents_visa")])
