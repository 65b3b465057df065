"""What the profile says, as lines that a person reads."""

from __future__ import annotations

from models.offline.dialogue.turn_context import Talk
from models.offline.language import Tongue

_LABELLED = (
    "name",
    "home_city",
    "currency",
    "passport_country",
    "passport_expiry",
    "loyalty_status",
    "seat_preference",
    "tone",
    "active_visas",
    "tight_connections",
    "insurance",
    "insurance/car_rental",
    "insurance/travel_medical",
    "insurance/level",
)
_KINDS = {
    "seat_preference": frozenset({"flight"}),
    "loyalty_status": frozenset({"flight", "hotel"}),
    "tight_connections": frozenset({"flight"}),
    "insurance": frozenset({"insurance", "car"}),
    "passport_country": frozenset({"visa"}),
    "passport_expiry": frozenset({"visa"}),
    "active_visas": frozenset({"visa"}),
    "currency": frozenset({"money"}),
}


def profile_lines(talk: Talk, kinds: frozenset[str] | None) -> list[str]:
    """One line for each field of the profile that matters for requests of `kinds`; of every field for None."""
    return [
        talk.speech.say("known_profile", label=_label(talk.speech, name), value=value)
        for name, value in talk.briefing.profile.items()
        if kinds is None or kinds & _KINDS.get(name.partition("/")[0], frozenset())
    ]


def _label(speech: Tongue, name: str) -> str:
    """The field's name in words; a loyalty programme keeps the letters it is written in."""
    if name in _LABELLED:
        return speech.say(f"profile_{name.replace('/', '_')}")
    parent, _, own = name.rpartition("/")
    return own if parent == "loyalty_status" else own.replace("_", " ").capitalize()
