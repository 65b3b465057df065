"""What is known, as lines that a person reads: notes with their dates, what they rest on, and what is not saved."""

from __future__ import annotations

from typing import Any

from models.offline.dialogue.profile_lines import profile_lines
from models.offline.dialogue.turn_context import Talk
from models.offline.language import Concern, Tongue

_MOST_SOURCED = 5
_NO_SUBJECT = frozenset({"words", "when"})
_ALWAYS = frozenset({"companions", "accessibility", "budget"})
"""Topics that matter for nearly every request, but are not what a question about one kind of preference means."""


def listed(talk: Talk, notes: list[dict[str, Any]]) -> str:
    """Profile, past trips and `notes`, one line each; only what was asked for, and an invitation when there is none."""
    say = talk.speech.say
    concern = talk.speech.concern(talk.now.said, ())
    asked_all = concern.everything or not concern.kinds - _NO_SUBJECT
    if not asked_all:
        notes = [note for note in notes if _bears(talk.speech, note, concern)]
    lines = profile_lines(talk, None if asked_all else concern.kinds)
    lines += [say("known_trips", value=trip) for trip in talk.briefing.trips if asked_all]
    lines += [_listed_note(talk.speech, note) for note in notes]
    if asked_all:
        return say("known", lines="\n".join(lines)) if lines else say("known_none")
    return say("known_about", lines="\n".join(lines)) if lines else say("known_none_about")


def unsaved(talk: Talk, notes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What this conversation goes by without its being saved."""
    told = {talk.speech.content_words(str(note.get("text", ""))) for note in notes}
    return [
        {"text": each.text, "topic": each.topic, "condition": each.condition, "where": "unsaved"}
        for each in talk.earlier
        if talk.speech.content_words(each.text) not in told
    ]


def sourced(talk: Talk, notes: list[dict[str, Any]]) -> str:
    """Where notes come from: those that the question names, else those of the last answer, else all."""
    speech = talk.speech
    asked = speech.content_words(talk.request.about)
    last = speech.content_words(talk.transcript.before[-1].reply) if talk.transcript.before else frozenset()
    words = [(note, speech.content_words(str(note.get("text", "")))) for note in notes]
    if asked:
        most = max((len(own & asked) for _, own in words), default=0)
        found = [note for note, own in words if most and len(own & asked) == most]
    else:
        found = [note for note, own in words if own and own <= last]
    chosen = found[:_MOST_SOURCED]
    if not chosen:
        return speech.say("known_source_none")
    return speech.say("known_source", lines="\n".join(_source(speech, note) for note in chosen))


def _source(speech: Tongue, note: dict[str, Any]) -> str:
    said, day = str(note.get("said") or ""), note.get("date", "")
    if not said:
        return speech.say("source_unquoted", text=note.get("text", ""), date=day)
    return speech.say("source_quoted", text=note.get("text", ""), date=day, said=said)


def _bears(speech: Tongue, note: dict[str, Any], concern: Concern) -> bool:
    """True when a listed note is about what was asked for."""
    text = str(note.get("text", ""))
    return note.get("topic") in concern.topics - _ALWAYS or bool(speech.bears_on(text) & (concern.kinds - _NO_SUBJECT))


def _listed_note(speech: Tongue, note: dict[str, Any]) -> str:
    condition = speech.say("condition", condition=note["condition"]) if note.get("condition") else ""
    here = str(note.get("where", "")) not in {"", "long-term"}
    if note.get("where") == "unsaved":
        where = speech.say("known_unsaved")
    elif here:
        where = speech.say("known_trip" if note.get("scope") == "trip" else "known_here")
    else:
        where = speech.say("known_when", date=note["date"]) if note.get("date") else ""
    return speech.say("known_note", text=note.get("text", ""), condition=condition, where=where)
