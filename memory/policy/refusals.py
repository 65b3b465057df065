"""Explains refusals of the policy to people, and screens the texts of records."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from memory.policy import screen
from memory.records.episodes import Episode
from memory.records.notes import MAX_TEXT, Kind, Note
from memory.records.profile import Insurance, Profile
from memory.records.trips import Car, Flight, Hotel, Trip

_MEANING = {
    "instruction": "it reads as an order to the assistant. Say what you prefer instead",
    "topic_denied": "this deployment keeps no notes of that topic. Choose another topic",
    "scope_denied": "notes of that scope can't be kept here. Use the scope 'user'",
    "consent_denied": "you asked for that not to be remembered. Allow its topic first, or choose another",
    "too_long": f"it is too long. Say it in at most {MAX_TEXT} characters, a condition in at most 120",
    "third_party": "it is about somebody else. Say what it means for you",
    "ungrounded": "it says nothing that could be kept. Write a whole statement",
    "paused": "memory is paused. Resume it first",
    "no_field": "the profile here has no such field, or it does not take this value",
    "low_confidence": "it is too uncertain to be kept here. Say it plainly",
}

_OURS = frozenset(name for kind in (Trip, Flight, Hotel, Car, Profile, Insurance) for name in kind.model_fields)
"""Names of fields, which need no screening."""


def refusal(code: str) -> str:
    """Return a message for a person that explains the policy's `code` and what to do."""
    if code.startswith("sensitive:"):
        kind = code.removeprefix("sensitive:").replace("_", " ")
        return f"Not kept ({code}): it holds what is never remembered ({kind}). Leave that out. Nothing was changed."
    return f"Not kept ({code}): {_MEANING.get(code, 'the policy refuses it')}. Nothing was changed."


@dataclass(frozen=True, slots=True)
class Blocked:
    """A refused record: its kind, its id (or the name of a profile field) and the policy's code, never the text."""

    kind: Kind | Literal["thread"]
    id: str
    code: str


def refused(kind: Kind, value: Mapping[str, Any]) -> str | None:
    """Return the policy's code if a text of a record may not be kept; None if all may."""
    return next(filter(None, (screen(text) for text in _visible_texts(kind, value) if text.strip())), None)


def _visible_texts(kind: Kind, value: Mapping[str, Any]) -> list[str]:
    """Return the texts of a record that may be shown to a model or a person, without fields that only tools read."""
    if kind == "note":
        note = Note.model_validate(value)
        whole = ", ".join(filter(None, [note.text, note.condition]))
        return [whole, *note.sayings, *(one.question for one in note.evidence), *(claim.value for claim in note.claims)]
    if kind == "episode":
        episode = Episode.model_validate(value)
        return [episode.summary, episode.text, *episode.topics, *episode.key_facts]
    if kind == "profile":
        profile = Profile.of(value)
        shown = profile.model_dump(include=set(profile.shown_to_model()))
        return [text for name, it in shown.items() for text in _texts(it if name.isidentifier() else {name: it})]
    if kind == "trip":
        return list(_texts(Trip.model_validate(value).model_dump(exclude={"id"})))
    if kind == "booking":
        return list(_texts(value.get("requests", ())))
    return []


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key not in _OURS:
                yield str(key)
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
