"""What is said of bookings: that one was made, changed, cancelled or refused, and which there are."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from models.offline.dialogue.acts import cancellable
from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.turn import Dialogue
from models.offline.trips.offers import KINDS, amount_of, currency_of, error_text, refusal
from models.offline.wording.table import rows


def act_done(dialogue: Dialogue, outcome: Outcome, booking: Mapping[str, Any]) -> str:
    """Return that an act was carried out, with its reference."""
    say = dialogue.say
    known = {"what": booking.get("what"), "reference": booking.get("booking"), "paid": str(booking.get("paid"))}
    match outcome.tool:
        case "hold_offer":
            until = dialogue.words.time(str(booking.get("held_until")).replace(" UTC", ""))
            return say("held", until=f"{until} UTC", **known)
        case "change_booking":
            more = paid_more(dialogue, str(booking.get("booking")))
            return f"{say('changed', **known)} {say('changed_more', amount=more) if more else ''}".strip()
        case "cancel_booking":
            return _cancelled(dialogue, booking)
        case "add_bags":
            return say("bags_added", count=booking.get("extra_bags"), **known)
        case "choose_seats":
            return say("seats_chosen", seats=", ".join(booking.get("seats") or []), **known)
    told = [say("booked", kind=kind_words(dialogue, booking), **known)]
    told += [say("booked_seats", seats=", ".join(booking["seats"]))] if booking.get("seats") else []
    told += [say("booked_bags", count=booking["extra_bags"])] if booking.get("extra_bags") else []
    return " ".join(told)


def paid_more(dialogue: Dialogue, reference: str) -> str:
    """Return what a change cost on top of what was paid before; empty where that is not known."""
    booking = dialogue.state.bookings.get(reference)
    if booking is None or not booking.before:
        return ""
    now, before = str(booking.facts.get("paid")), booking.before
    if currency_of(now) != currency_of(before) or amount_of(now) < amount_of(before):
        return ""
    number = f"{amount_of(now) - amount_of(before):,.2f}"
    sign = now[: len(now) - len(now.lstrip("".join(c for c in now if not c.isdigit())))]
    return f"{sign}{number}"


def _cancelled(dialogue: Dialogue, booking: Mapping[str, Any]) -> str:
    say, kept = dialogue.say, str(booking.get("paid"))
    known = {"kind": kind_words(dialogue, booking), "what": booking.get("what"), "reference": booking.get("booking")}
    known_before = dialogue.step.before.bookings.get(str(booking.get("booking")))
    before = str(known_before.facts.get("paid", "")) if known_before else ""
    if not any(digit in kept for digit in "123456789"):
        return say("cancelled_all", **known)
    if before and before == kept:
        return say("cancelled_lost", **known)
    return say("cancelled_kept", **known, kept=kept)


def kind_words(dialogue: Dialogue, booking: Mapping[str, Any]) -> str:
    """Return the kind of a booking in words."""
    kind = booking.get("kind")
    return dialogue.say(f"kind_{kind if kind in KINDS else 'flight'}")


def refused(dialogue: Dialogue, outcome: Outcome) -> str:
    """Return the traveller's own no, acknowledged; empty where the tool failed for another reason."""
    found, say = refusal(outcome), dialogue.say
    if found is None:
        return ""
    if found.undecided:
        return say("undecided")
    told = say("rejected_why", why=found.why.rstrip(" .。")) if found.why else say("rejected")
    return f"{told} {say('ask_change_what')}" if outcome.tool in {"book_offer", "hold_offer"} else told


def bookings_listed(dialogue: Dialogue, outcome: Outcome) -> str:
    """Return all bookings as a table, or the question which of them to cancel."""
    say = dialogue.say
    cancels = [clause for clause in dialogue.step.said.clauses if clause.act == "cancel"]
    if cancels:
        found = [dialogue.state.bookings[name].facts for name in cancellable(dialogue.state, cancels[0])]
        if not found:
            return say("cancel_nothing")
        return f"{say('cancel_several')}\n\n{listing(dialogue, found)}\n\n{say('ask_booking')}"
    listed = [each for each in outcome.answer.get("bookings", []) if isinstance(each, dict)]
    if not listed:
        return say("bookings_none")
    return f"{say('bookings_some')}\n\n{listing(dialogue, listed)}{_total(dialogue, listed)}"


def _total(dialogue: Dialogue, found: list[dict[str, Any]]) -> str:
    """Return what everything that stands costs together, where it is of one currency and more than one thing."""
    paid = [str(each.get("paid")) for each in found if each.get("status") != "held"]
    signs = {text.rstrip("0123456789.,") for text in paid}
    if len(paid) < 2 or len(signs) != 1:
        return ""
    amount = sum(Decimal(str(amount_of(text))) for text in paid)
    return "\n\n" + dialogue.say("bookings_total", total=f"{signs.pop()}{amount:,.2f}")


def listing(dialogue: Dialogue, found: list[Any]) -> str:
    """Return bookings in rows."""
    say = dialogue.say
    heads = [say(key) for key in ("column_booking", "column_what", "column_status", "column_paid")]
    return rows(heads, [(str(each.get("booking")), str(each.get("what")), status_words(dialogue, each),
                         str(each.get("paid"))) for each in found])  # fmt: skip


def status_words(dialogue: Dialogue, booking: Mapping[str, Any]) -> str:
    """Return in words whether something is booked, held or cancelled."""
    status = booking.get("status")
    return dialogue.say(f"status_{status}") if status in {"booked", "held", "cancelled"} else ""


def itinerary(dialogue: Dialogue, outcome: Outcome) -> str:
    """Return the days on which something happens."""
    say, time = dialogue.say, dialogue.words.time
    days = [each for each in outcome.answer.get("itinerary", []) if isinstance(each, dict)]
    if not days or error_text(outcome):
        return say("bookings_none")
    told = [say("itinerary_some")]
    for day in days:
        told.append(f"\n**{time(day.get('day'))}**")
        for each in day.get("items", []):
            known = {"time": each.get("time") or "", "what": each.get("what"), "reference": each.get("booking")}
            told.append(" ".join(say("itinerary_line", **known).split()))
    return "\n".join(told)


def documents(dialogue: Dialogue, outcome: Outcome) -> str:
    """Return what is known of the passport, and what is not."""
    say, found = dialogue.say, outcome.answer
    country, expiry = found.get("passport_country"), found.get("passport_expiry")
    warned = [*found.get("errors", []), *(each for each in found.get("warnings", []) if expiry)]
    told = [say("warned", text=each) for each in warned]
    if not expiry:
        told.append(say("documents_unknown"))
    else:
        told += [] if warned else [say("documents_fine", country=country or "?", expiry=expiry)]
        told.append(say("documents_visa"))
    return " ".join(told)
