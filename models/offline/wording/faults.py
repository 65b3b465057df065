"""What is said when a travel tool could not do what it was asked, and the one thing asked for."""

from __future__ import annotations

import re

from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.turn import Dialogue
from models.offline.trips.offers import ambiguous_places, error_text

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_UNKNOWN = re.compile(r"called '(?P<name>[^']+)'")
_NEAR = re.compile(r"^(?P<places>.+?) are [\d.,]+ km apart")
_FAULTS: tuple[tuple[str, str, str], ...] = (
    ("in the past|is over\\b", "fault_past", "ask_dates"),
    ("too far ahead", "fault_far", "ask_dates"),
    ("too early for a start|before the departure|leaves too early", "fault_order", "ask_dates"),
    ("are full|sold out|No room is left|is left in|are more than the", "fault_full", "ask_other_days"),
    ("^No flight in", "fault_none", "ask_other_way"),
    ("need seats; at most|infants need", "fault_party", ""),
    ("can't be changed", "fault_change", "ask_replace"),
    ("[Ss]eat", "fault_seats", ""),
    ("bags", "fault_bags", ""),
)
"""What the text of a fault holds, the sentence for it, and the question that mends it."""


def fault_words(dialogue: Dialogue, outcome: Outcome) -> str:
    """Return a sentence on what went wrong, and the question that mends it; never the tool's own text."""
    words, text, say = dialogue.words, error_text(outcome), dialogue.say
    name, places = ambiguous_places(outcome)
    if places:
        lines = "\n".join(f"{place}. {option}" for place, option in enumerate(places, 1))
        return f"{say('fault_place', name=name, lines=lines)}\n{say('ask_place')}"
    if unknown := _UNKNOWN.search(text):
        return say("fault_unknown_place", name=unknown["name"])
    if near := _NEAR.search(text):
        return say("fault_near", places=near["places"])
    days = [words.time(day) for day in _DAY.findall(text)]
    for pattern, key, question in _FAULTS:
        if re.search(pattern, text):
            told = say(key, day=(days[-1] if key == "fault_far" else days[0]) if days else "?")
            return f"{told} {say(question)}" if question else told
    return say("failed")
