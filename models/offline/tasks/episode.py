"""Says what to remember of a finished session (`EpisodeSummary`), out of the same reading as its summary."""

from __future__ import annotations

from typing import Any

from models.offline.language import Language
from models.offline.languages import language_of
from models.offline.tasks.headings import UNVERIFIED
from models.offline.tasks.summarise import spoken, summarise

_MOST_SENTENCES, _MOST_TOPICS, _MOST_FACTS, _MOST_LIKED = 3, 5, 5, 3
_MOST_ASKED, _LONGEST_ASKED = 2, 160
_LIKES = ("preferences", "constraints")


def summarise_episode(previous: str, transcript: str) -> dict[str, Any]:
    """The fields of the episode. What nothing was said of is left out, so that a session of small talk has none."""
    fields = {name: text for name, text in summarise(previous, transcript).items() if text != UNVERIFIED}
    said = [text for role, text in spoken(transcript) if role == "user"]
    language = language_of(" ".join((*said, *fields.values())))
    sentences = _sentences(language, fields, _asked(said))
    return {
        "summary": " ".join(sentences),
        "topics": _topics(language, said, fields) if sentences else [],
        "key_facts": _facts(fields),
    }


def _asked(said: list[str]) -> list[str]:
    """Return the last things the traveller asked for, in their words."""
    found: list[str] = []
    for text in said:
        language = language_of(text)
        seeks = language.request(text).intent in {"advice", "question", "trip"}
        if seeks and len(text) <= _LONGEST_ASKED:
            found.append(" ".join(text.split()).rstrip("?？.。! "))
    return list(dict.fromkeys(found))[-_MOST_ASKED:]


def _sentences(language: Language, fields: dict[str, str], asked: list[str]) -> list[str]:
    """Two or three sentences: where to, what the traveller wants and asked for, what was decided or is open."""
    liked = language.say("and").join(_current(fields[name]) for name in _LIKES if _current(fields.get(name, "")))
    found: list[str] = []
    if "trip" in fields:
        people = language.say("episode_people", value=fields["travellers"]) if "travellers" in fields else ""
        found.append(language.say("episode_trip", value=_newest(fields["trip"]), people=people))
    if liked:
        found.append(language.say("episode_likes", value=liked.rstrip(".。")))
    if "decisions" in fields:
        found.append(language.say("episode_decided", value=fields["decisions"].rstrip(".。")))
    elif "open_questions" in fields:
        found.append(language.say("episode_open", value=fields["open_questions"]))
    if len(found) < _MOST_SENTENCES - 1 and asked:
        found.append(language.say("episode_asked", value="; ".join(asked)))
    return found[:_MOST_SENTENCES]


def _topics(language: Language, said: list[str], fields: dict[str, str]) -> list[str]:
    """Words that the traveller used: the destination first, then those of the preferences, then those said most."""
    own = " ".join(said)
    place = language.destination(fields.get("trip", "").split(". ")[0])
    told = " ".join(_current(fields.get(name, "")) for name in _LIKES)
    search_terms = [*language.search_terms(told).split()[:_MOST_LIKED], *language.search_terms(own).split()]
    words = [*([place] if place else []), *search_terms]
    kept = dict.fromkeys(word.strip(",.;:").lower() for word in words if word.lower() in own.lower())
    return [word for word in kept if len(word) > 1 and not word.isdigit()][:_MOST_TOPICS]


def _facts(fields: dict[str, str]) -> list[str]:
    """Places, dates, people, limits and decisions, each on its own."""
    parts = [
        _newest(fields.get("trip", "")),
        fields.get("travellers", ""),
        *_current(fields.get("constraints", "")).split("; "),
    ]
    parts += [*_current(fields.get("preferences", "")).split("; "), fields.get("decisions", "")]
    facts = [part.strip() for part in parts if part.strip()]
    return list(dict.fromkeys(facts))[:_MOST_FACTS]


def _newest(trip: str) -> str:
    """The trip without the destinations that were dropped."""
    return trip.partition(". Superseded")[0].rstrip(".。 ")


def _current(text: str) -> str:
    """What still holds of a heading's text."""
    return "; ".join(part for part in text.split("; ") if part and not part.startswith("Superseded"))
