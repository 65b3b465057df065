"""Says what to remember of a finished session (`EpisodeSummary`), out of the same reading as its summary."""

from __future__ import annotations

import re
from typing import Any

from llm.offline.headings import UNVERIFIED
from llm.offline.summarising import spoken, summarised
from llm.offline.tongue import Tongue, language_of, tongue

_MOST_SENTENCES, _MOST_TOPICS, _MOST_FACTS, _MOST_LIKED = 3, 5, 5, 3
_LIKES = ("preferences", "constraints")


def remembered(previous: str, transcript: str) -> dict[str, Any]:
    """The fields of the episode. What nothing was said of is left out, so that a session of small talk has none."""
    fields = {name: text for name, text in summarised(previous, transcript).items() if text != UNVERIFIED}
    said = [text for role, text in spoken(transcript) if role == "user"]
    speech = tongue(language_of(" ".join((*said, *fields.values()))))
    return {
        "summary": " ".join(_sentences(speech, fields)),
        "topics": _topics(speech, said, fields),
        "key_facts": _facts(fields),
    }


def _sentences(speech: Tongue, fields: dict[str, str]) -> list[str]:
    """Two or three sentences: where to, what the traveller wants, what was decided or is still open."""
    liked = speech.say("and").join(_current(fields[name]) for name in _LIKES if _current(fields.get(name, "")))
    found: list[str] = []
    if "trip" in fields:
        people = speech.say("episode_people", value=fields["travellers"]) if "travellers" in fields else ""
        found.append(speech.say("episode_trip", value=fields["trip"].rstrip(".。"), people=people))
    if liked:
        found.append(speech.say("episode_likes", value=liked.rstrip(".。")))
    if "decisions" in fields:
        found.append(speech.say("episode_decided", value=fields["decisions"].rstrip(".。")))
    elif "open_questions" in fields:
        found.append(speech.say("episode_open", value=fields["open_questions"]))
    return found[:_MOST_SENTENCES]


def _topics(speech: Tongue, said: list[str], fields: dict[str, str]) -> list[str]:
    """Words that the traveller used: the destination first, then those of the preferences, then those said most."""
    own = " ".join(said)
    place = speech.destination(fields.get("trip", "").split(". ")[0])
    told = " ".join(_current(fields.get(name, "")) for name in _LIKES)
    sought = [*speech.sought(told).split()[:_MOST_LIKED], *speech.sought(own).split()]
    words = [*([place] if place else []), *sought]
    kept = dict.fromkeys(word.strip(",.;:").lower() for word in words if word.lower() in own.lower())
    return [word for word in kept if word and not re.fullmatch(r"[\d\W]*", word)][:_MOST_TOPICS]


def _facts(fields: dict[str, str]) -> list[str]:
    """Places, dates, people, limits and decisions, each on its own."""
    trip, _, _ = fields.get("trip", "").partition(". Superseded")
    parts = [trip, fields.get("travellers", ""), *_current(fields.get("constraints", "")).split("; ")]
    parts += [*_current(fields.get("preferences", "")).split("; "), fields.get("decisions", "")]
    facts = [part.strip() for part in parts if part.strip()]
    return list(dict.fromkeys(facts))[:_MOST_FACTS]


def _current(text: str) -> str:
    """What still holds of a heading's text."""
    return "; ".join(part for part in text.split("; ") if part and not part.startswith("Superseded"))
