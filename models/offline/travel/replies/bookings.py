"""What is said of bookings: that one was made, changed, cancelled or refused, and which there are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from models.offline.dialogue.transcript import Outcome
from models.offline.travel.offers import refusal
from models.offline.travel.replies.table import format_time, rows
from models.offline.travel.request import KINDS
from models.offline.travel.trip_context import TripContext

_PAID = re.compile(r"(?P<sign>\D*?)(?P<number>\d[\d,]*(?:\.\d+)?)")


def render_act(context: TripContext, outcome: Outcome, booking: Mapping[str, Any]) -> str:
    """An act that was carried out, with its reference."""
    say = context.say
    what, reference, paid = booking.get("what"), booking.get("booking"), str(booking.get("paid"))
    match outcome.tool:
        case "hold_offer":
            until = format_time(context.language, str(booking.get("held_until")).replace(" UTC", ""))
            return say("held", until=f"{until} UTC", what=what, reference=reference)
        case "change_booking":
            return say("changed", what=what, reference=reference, paid=paid)
        case "cancel_booking":
            return _cancelled(context, booking, paid)
    told = [say("booked", kind=_kind(context, booking), what=what, reference=reference, paid=paid)]
    told += [say("booked_seats", seats=", ".join(booking["seats"]))] if booking.get("seats") else []
    told += [say("booked_bags", count=booking["extra_bags"])] if booking.get("extra_bags") else []
    return " ".join(told)


def _cancelled(context: TripContext, booking: Mapping[str, Any], kept: str) -> str:
    say, known = (
        context.say,
        {"kind": _kind(context, booking), "what": booking.get("what"), "reference": booking.get("booking")},
    )
    before = str(context.before.bookings.get(str(booking.get("booking")), {}).get("paid", ""))
    if not any(digit in kept for digit in "123456789"):
        return say("cancelled_all", **known)
    if before and before == kept:
        return say("cancelled_lost", **known)
    return say("cancelled_kept", **known, kept=kept)


def _kind(context: TripContext, booking: Mapping[str, Any]) -> str:
    kind = booking.get("kind")
    return context.say(f"kind_{kind if kind in KINDS else 'flight'}")


def render_refusal(context: TripContext, outcome: Outcome) -> str:
    """The traveller's own no, acknowledged; empty where the tool failed for another reason."""
    found, say = refusal(outcome), context.say
    if found is None:
        return ""
    if found.undecided:
        return say("undecided")
    told = say("rejected_why", why=found.why.rstrip(" .。")) if found.why else say("rejected")
    return f"{told} {say('travel_what_change')}" if outcome.tool in {"book_offer", "hold_offer"} else told


def bookings(context: TripContext, outcome: Outcome) -> str:
    """All bookings as a table."""
    say = context.say
    found = [each for each in outcome.answer.get("bookings", []) if isinstance(each, dict)]
    if not found:
        return say("bookings_none")
    return f"{say('bookings_some')}\n\n{listing(context, found)}{_total(context, found)}"


def _total(context: TripContext, found: list[dict[str, Any]]) -> str:
    """What everything that stands costs together, where it is of one currency and more than one thing."""
    sums = [_PAID.fullmatch(str(each.get("paid"))) for each in found if each.get("status") != "held"]
    signs = {each["sign"] for each in sums if each}
    if len(sums) < 2 or len(signs) != 1 or not all(sums):
        return ""
    amount = sum(Decimal(each["number"].replace(",", "")) for each in sums if each)
    return "\n\n" + context.say("bookings_total", total=f"{signs.pop()}{amount:,}")


def listing(context: TripContext, found: list[Any]) -> str:
    """Bookings in rows."""
    say = context.say
    heads = [say(key) for key in ("column_booking", "column_what", "column_status", "column_paid")]
    lines = [
        (
            str(each.get("booking")),
            str(each.get("what")),
            say(f"status_{each['status']}") if each.get("status") in {"booked", "held", "cancelled"} else "",
            str(each.get("paid")),
        )
        for each in found
    ]
    return rows(heads, lines)


def itinerary(context: TripContext, outcome: Outcome) -> str:
    """The days on which something happens."""
    language, say = context.language, context.say
    days = [each for each in outcome.answer.get("itinerary", []) if isinstance(each, dict)]
    if not days:
        return say("bookings_none")
    told = [say("itinerary_some")]
    for day in days:
        told.append(f"\n**{format_time(language, day.get('day'))}**")
        told += [
            " ".join(
                say(
                    "itinerary_line", time=each.get("time") or "", what=each.get("what"), reference=each.get("booking")
                ).split()
            )
            for each in day.get("items", [])
        ]
    return "\n".join(told)


def documents(context: TripContext, outcome: Outcome) -> str:
    """What is known of the passport, and what is not."""
    say, found = context.say, outcome.answer
    country, expiry = found.get("passport_country"), found.get("passport_expiry")
    warned = [*found.get("errors", []), *(each for each in found.get("warnings", []) if expiry)]
    told = [say("warned", text=each) for each in warned]
    if not expiry:
        told.append(say("documents_unknown"))
    else:
        if not warned:
            told.append(say("documents_fine", country=country or "?", expiry=expiry))
        told.append(say("documents_visa"))
    return " ".join(told)
