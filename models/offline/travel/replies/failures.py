"""What is said when a travel tool could not do what it was asked, and the one thing asked for."""

from __future__ import annotations

import re

from models.offline.dialogue.transcript import Outcome
from models.offline.travel.offers import ambiguous_places, error_text
from models.offline.travel.replies.table import format_time
from models.offline.travel.trip_context import TripContext

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_UNKNOWN = re.compile(r"called '(?P<name>[^']+)'")
_NEAR = re.compile(r"^(?P<places>.+?) are [\d.,]+ km apart")


def render_failure(context: TripContext, outcome: Outcome) -> str:
    """A sentence on what went wrong, and the question that mends it."""
    language, text = context.language, error_text(outcome)
    say = language.say
    name, places = ambiguous_places(outcome)
    if places:
        lines = "\n".join(f"{place}. {option}" for place, option in enumerate(places, 1))
        return f"{say('fault_place', name=name, lines=lines)}\n{say('travel_which_place')}"
    days = [format_time(language, day) for day in _DAY.findall(text)]
    if unknown := _UNKNOWN.search(text):
        return say("fault_unknown_place", name=unknown["name"])
    if "in the past" in text:
        return f"{say('fault_past', day=days[0] if days else '')} {say('ask_dates')}"
    if "too far ahead" in text:
        return f"{say('fault_far', day=days[-1] if days else '')} {say('ask_dates')}"
    if "too early for a start" in text or "before the departure" in text:
        return f"{say('fault_order')} {say('ask_dates')}"
    if near := _NEAR.search(text):
        return say("fault_near", places=near["places"])
    if re.search(r"are full|sold out|No room is left|is left in", text):
        return f"{say('fault_full')} {say('ask_other_days')}"
    if text.startswith("No flight in"):
        return f"{say('fault_none')} {say('ask_other_way')}"
    return say("fault_other", message=text)
