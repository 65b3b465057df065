"""Says what to remember of a finished session (`EpisodeSummary`), out of the same reading as its summary."""

from typing import Any

from models.offline.notes import memory_wish, search_terms, statements
from models.offline.tasks.headings import UNVERIFIED
from models.offline.tasks.summarise import destination, spoken, summarise, understood, words_of
from models.offline.wording.sentences import Sentences

_MOST_SENTENCES, _MOST_TOPICS, _MOST_FACTS, _MOST_LIKED = 3, 5, 5, 3
_MOST_ASKED, _LONGEST_ASKED = 2, 160
_LIKES = ("preferences", "constraints")
_SEEKING = frozenset({"inform", "ask", "book", "change", "cancel"})


def summarise_episode(previous: str, transcript: str) -> dict[str, Any]:
    """Return the fields of the episode. What nothing was said of is left out, so a session of small talk has none."""
    fields = {name: text for name, text in summarise(previous, transcript).items() if text != UNVERIFIED}
    said = [text for role, text in spoken(transcript) if role == "user"]
    told = _sentences(words_of(" ".join((*said, *fields.values()))), fields, _asked(said))
    return {"summary": " ".join(told), "topics": _topics(said, fields) if told else [], "key_facts": _facts(fields)}


def _asked(said: list[str]) -> list[str]:
    """Return the last things that the traveller asked for, in their words."""
    found = [
        " ".join(text.split()).rstrip("?？.。! ")
        for text in said
        if len(text) <= _LONGEST_ASKED and not statements(text) and not memory_wish(text)
        if any(clause.act in _SEEKING for clause in understood(text).clauses)
    ]
    return list(dict.fromkeys(found))[-_MOST_ASKED:]


def _sentences(words: Sentences, fields: dict[str, str], asked: list[str]) -> list[str]:
    """Return two or three sentences: where to, what the traveller wants and asked for, what was decided or is open."""
    liked = words.say("and").join(_current(fields[name]) for name in _LIKES if _current(fields.get(name, "")))
    found: list[str] = []
    if "trip" in fields:
        people = words.say("episode_people", value=fields["travellers"]) if "travellers" in fields else ""
        found.append(words.say("episode_trip", value=_newest(fields["trip"]), people=people))
    if liked:
        found.append(words.say("episode_likes", value=liked.rstrip(".。")))
    if "decisions" in fields:
        found.append(words.say("episode_decided", value=fields["decisions"].rstrip(".。")))
    elif "open_questions" in fields:
        found.append(words.say("episode_open", value=fields["open_questions"]))
    if len(found) < _MOST_SENTENCES - 1 and asked:
        found.append(words.say("episode_asked", value="; ".join(asked)))
    return found[:_MOST_SENTENCES]


def _topics(said: list[str], fields: dict[str, str]) -> list[str]:
    """Return words that the traveller used: the destination first, then those of the preferences and the others."""
    own = " ".join(said)
    place = destination(fields.get("trip", ""))
    told = " ".join(_current(fields.get(name, "")) for name in _LIKES)
    terms = [*search_terms(told).split()[:_MOST_LIKED], *search_terms(own).split()]
    words = [*([place] if place else []), *terms]
    kept = dict.fromkeys(word.strip(",.;:?!").lower() for word in words if word.lower() in own.lower())
    return [word for word in kept if len(word) > 1 and not word.isdigit()][:_MOST_TOPICS]


def _facts(fields: dict[str, str]) -> list[str]:
    """Return places, dates, people, limits and decisions, each on its own."""
    parts = [_newest(fields.get("trip", "")), fields.get("travellers", "")]
    parts += [part for name in _LIKES[::-1] for part in _current(fields.get(name, "")).split("; ")]
    facts = [part.strip() for part in (*parts, fields.get("decisions", "")) if part.strip()]
    return list(dict.fromkeys(facts))[:_MOST_FACTS]


def _newest(trip: str) -> str:
    """Return the trip without the destinations that were dropped."""
    return trip.partition(". Superseded")[0].rstrip(".。 ")


def _current(text: str) -> str:
    """Return what still holds of a heading's text."""
    return "; ".join(part for part in text.split("; ") if part and not part.startswith("Superseded"))
