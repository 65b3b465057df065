"""The details of a trip in words."""

from __future__ import annotations

from models.offline.dialogue.trip import Trip
from models.offline.dialogue.turn_context import TurnContext


def trip_details(context: TurnContext, trip: Trip, home: str | None) -> list[str]:
    """From where, to where, when, how many, what for and for how much, as far as it is known."""
    say = context.say
    origin = trip.starts_from(home)
    found: list[str] = []
    if origin:
        found.append(say("detail_origin" if trip.origin else "detail_origin_home", value=origin))
    if trip.destination:
        found.append(say("detail_destination", value=trip.destination))
    found += _when(context, trip)
    if trip.people:
        found.append(say("detail_people_one") if trip.people == 1 else say("detail_people", value=trip.people))
    found += [say(f"detail_{name}", value=value) for name in ("purpose", "budget") if (value := getattr(trip, name))]
    return found


def _when(context: TurnContext, trip: Trip) -> list[str]:
    say, show = context.say, context.language.format_date
    nights = (say("nights_one") if trip.nights == 1 else say("nights", count=trip.nights)) if trip.nights else ""
    if trip.start and trip.end and nights:
        return [say("detail_span", start=show(trip.start), end=show(trip.end), nights=nights)]
    if trip.start:
        return [say("detail_one_way" if trip.one_way else "detail_start", start=show(trip.start))]
    when = []
    if trip.vague_dates:
        when.append(say("detail_vague" if trip.month else "detail_vague_as_said", value=trip.vague_dates))
    elif trip.flexible:
        when.append(say("detail_flexible"))
    return [*when, *([say("detail_nights", value=nights)] if nights else [])]
