"""Renders the profile and the notes, with their dates and sources, as lines for the user."""

from __future__ import annotations

from typing import Any

from models.offline.dialogue.conditions import tail
from models.offline.dialogue.turn_context import TurnContext
from models.offline.language import Language
from models.offline.readings import Concern

_MOST_SOURCED = 5
_NO_SUBJECT = frozenset({"words", "when"})
_ALWAYS = frozenset({"companions", "accessibility", "budget"})
"""Topics that matter for nearly every request, but are not what a question about one kind of preference means."""
_LABELLED = (
    "name", "home_city", "currency", "passport_country", "passport_expiry", "loyalty_status", "seat_preference",
    "tone", "active_visas", "tight_connections", "insurance", "insurance/car_rental", "insurance/travel_medical",
    "insurance/level",
)  # fmt: skip
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


def render_notes(context: TurnContext, notes: list[dict[str, Any]]) -> str:
    """Profile, past trips and `notes`, one line each; only what was asked for, and an invitation when there is none."""
    say = context.say
    concern = context.language.concern(context.now.said, ())
    asked_all = concern.everything or not concern.kinds - _NO_SUBJECT
    if not asked_all:
        notes = [note for note in notes if _bears(context.language, note, concern)]
    lines = _render_profile(context, None if asked_all else concern.kinds)
    lines += [say("known_trips", value=trip) for trip in context.briefing.trips if asked_all]
    lines += [_listed_note(context.language, note) for note in notes]
    if asked_all:
        return say("known", lines="\n".join(lines)) if lines else say("known_none")
    return say("known_about", lines="\n".join(lines)) if lines else say("known_none_about")


def unsaved_notes(context: TurnContext, notes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What this conversation goes by without its being saved."""
    told = {context.language.content_words(str(note.get("text", ""))) for note in notes}
    return [
        {"text": each.text, "topic": each.topic, "condition": each.condition, "where": "unsaved"}
        for each in context.earlier
        if context.language.content_words(each.text) not in told
    ]


def render_sources(context: TurnContext, notes: list[dict[str, Any]]) -> str:
    """Where notes come from: those that the question names, else those of the last answer, else all."""
    language = context.language
    asked = language.content_words(context.request.about)
    last = language.content_words(context.transcript.before[-1].reply) if context.transcript.before else frozenset()
    words = [(note, language.content_words(str(note.get("text", "")))) for note in notes]
    if asked:
        most = max((len(own & asked) for _, own in words), default=0)
        found = [note for note, own in words if most and len(own & asked) == most]
    else:
        found = [note for note, own in words if own and own <= last]
    chosen = found[:_MOST_SOURCED]
    if not chosen:
        return language.say("known_source_none")
    return language.say("known_source", lines="\n".join(_source(language, note) for note in chosen))


def _source(language: Language, note: dict[str, Any]) -> str:
    said, day = str(note.get("said") or ""), note.get("date", "")
    if not said:
        return language.say("source_unquoted", text=note.get("text", ""), date=day)
    return language.say("source_quoted", text=note.get("text", ""), date=day, said=said)


def _bears(language: Language, note: dict[str, Any], concern: Concern) -> bool:
    """True when a listed note is about what was asked for."""
    text = str(note.get("text", ""))
    return note.get("topic") in concern.topics - _ALWAYS or bool(
        language.relevant_kinds(text) & (concern.kinds - _NO_SUBJECT)
    )


def _listed_note(language: Language, note: dict[str, Any]) -> str:
    condition = tail(language, str(note.get("text", "")), note.get("condition"))
    here = str(note.get("where", "")) not in {"", "long-term"}
    if note.get("where") == "unsaved":
        where = language.say("known_unsaved")
    elif here:
        where = language.say("known_trip" if note.get("scope") == "trip" else "known_here")
    else:
        where = language.say("known_when", date=note["date"]) if note.get("date") else ""
    return language.say("known_note", text=note.get("text", ""), condition=condition, where=where)


def _render_profile(context: TurnContext, kinds: frozenset[str] | None) -> list[str]:
    """One line for each field of the profile that matters for requests of `kinds`; of every field for None."""
    return [
        context.say("known_profile", label=_label(context.language, name), value=value)
        for name, value in context.briefing.profile.items()
        if kinds is None or kinds & _KINDS.get(name.partition("/")[0], frozenset())
    ]


def _label(language: Language, name: str) -> str:
    """The field's name in words; a loyalty programme keeps the letters it is written in."""
    if name in _LABELLED:
        return language.say(f"profile_{name.replace('/', '_')}")
    parent, _, own = name.rpartition("/")
    return own if parent == "loyalty_status" else own.replace("_", " ").capitalize()
