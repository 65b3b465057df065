"""Summarises the earlier part of a conversation, and a finished one, from what was said, inventing nothing."""

import re
from datetime import date
from typing import Any

from models.offline.dialogue.transcript import SHARES, UNVERIFIED, by_heading
from models.offline.notes import Statement, memory_wish, search_terms, statements
from models.offline.notes.meaning import contradict, read
from models.offline.notes.meaning.lexicon import relations
from models.offline.reading import read as read_message
from models.offline.reading.understanding import ReadingContext, Understanding
from models.offline.wording.sentences import Sentences, decisions_in, question_in, sentences, understood_in
from text.words import is_japanese

_LIMITS = frozenset({"meal", "accessibility", "document", "budget"})
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{1,2}|[^\s\u3040-\u30ff\u3400-\u9fff]+")
_FACT = re.compile(r'"(source|kind|booking|what|starts)": "([^"]+)"')
_MESSAGE = re.compile(r"(?ims)^(user|assistant|tool): ?(.*?)(?=\n(?:user|assistant|tool):|\n?\Z)")
_ANY_DAY = date(2000, 1, 1)


def summarise(previous: str, transcript: str, *, most_words: int = 200) -> dict[str, str]:
    """Return the fields of the summary, `most_words` together; facts of `previous` go on, newer ones win."""
    before = by_heading(previous) if previous and previous != "(none)" else {}
    lines = spoken(transcript)
    own = (each for role, text in lines if role == "user" for each in statements(text))
    said = list({each.text.lower(): each for each in own}.values())
    told = [text for role, text in lines if role == "assistant"]
    trip, travellers = _trip(lines, before)
    decided = dict.fromkeys(found for text in told for found in decisions_in(text))
    fields = {
        "trip": trip,
        "travellers": travellers or before.get("travellers", ""),
        "preferences": _listed([each for each in said if each.topic not in _LIMITS], before.get("preferences", "")),
        "constraints": _listed([each for each in said if each.topic in _LIMITS], before.get("constraints", "")),
        "options": before.get("options", ""),
        "decisions": _joined(before.get("decisions", ""), list(decided)),
        **{name: _joined(before.get(name, ""), found) for name, found in _given(lines).items()},
        "open_questions": _open_question(told[-1] if told else ""),
    }
    return {name: _cut(fields[name], most_words * share // 100) or UNVERIFIED for name, share in SHARES.items()}


def _given(lines: list[tuple[str, str]]) -> dict[str, list[str]]:
    """Return what the tools' answers say: what is booked with its days, and who was asked for what."""
    answers = [dict(_FACT.findall(text)) for role, text in lines if role == "tool"]
    booked = {answer["what"].split(",")[0]: answer for answer in answers if {"booking", "what"} <= answer.keys()}
    return {
        "identifiers": list(booked),
        "timeline": [f"{answer['starts']}: {what}" for what, answer in booked.items() if "starts" in answer],
        "findings": [f"{a['source']}: {a.get('kind') or 0}" for a in answers if "source" in a],
    }


def _joined(before: str, found: list[str]) -> str:
    return "; ".join(dict.fromkeys([*filter(None, before.split("; ")), *found]))


def spoken(transcript: str) -> list[tuple[str, str]]:
    """Return role and text of each message; a line without a role goes on with the one before it."""
    return [(role.lower(), text) for role, text in _MESSAGE.findall(transcript)]


def words_of(text: str) -> Sentences:
    """Return the sentences of the language that `text` is written in."""
    return sentences("ja" if is_japanese(text) else "en")


def understood(text: str) -> Understanding:
    """Return what a message says, read by itself."""
    return read_message(text, ReadingContext(_ANY_DAY))


def destination(trip: str) -> str:
    """Return where the trip of a line of what was understood goes; empty where it names no place."""
    route = trip.split(". Superseded")[0].split(words_of(trip).texts["comma"])[0]
    places = [place for clause in understood(route).clauses for place in clause.places if place.role != "origin"]
    return places[-1].name if places else ""


def _listed(found: list[Statement], before: str) -> str:
    """Return statements, the newest first, then what was known before; what was replaced comes last, marked so."""
    current: list[str] = []
    replaced: list[str] = []
    taken: list[Statement] = []
    for each in reversed(found):
        form = read(each.text, "", each.topic)
        newer = (read(other.text, "", other.topic) for other in taken if other.topic == each.topic)
        again = any(other.condition == form.condition and contradict(other, form) for other in newer)
        old = again and each.topic in relations()["single_valued"]
        only = words_of(each.text).say("trip_only") if each.trip_only else ""
        (replaced if old else current).append(each.text + only)
        taken.append(each)
    carried = [part for part in re.split(r"; ", before) if part and part not in current]
    return "; ".join((*current, *carried, *(f"Superseded: {text}" for text in replaced)))


def _trip(lines: list[tuple[str, str]], before: dict[str, str]) -> tuple[str, str]:
    """Return the trip as the concierge understood it last, and who travels; else the user's own words about it."""
    shown = [line for role, text in lines if role == "assistant" and (line := understood_in(text))]
    if not shown:
        own = [text for role, text in lines if role == "user" and any(one.places for one in understood(text).clauses)]
        return before.get("trip", "") or (own[-1].replace("\n", " ") if own else ""), ""
    comma = words_of(shown[-1]).texts["comma"]
    parts = re.split(rf"{comma}(?![^(（]*[)）])", shown[-1])  # never within the ages of "2 children (4, 9)"
    people = [part for part in parts if any(clause.party for clause in understood(part).clauses)]
    latest = comma.join(part for part in parts if part not in people)
    places = list(dict.fromkeys(place for line in shown if (place := destination(line))))
    old = [place for place in places if place != destination(shown[-1])]
    return latest + "".join(f". Superseded: {place}" for place in old), comma.join(people)


def _open_question(last: str) -> str:
    if not question_in(last):
        return ""
    questions = re.findall(r"[^.!?。？*\n]*(?:[?？]|か。)", last)
    return questions[-1].strip() if questions else ""


def _cut(text: str, words: int) -> str:
    """Return the first `words` words of `text`; in scripts without spaces, two characters count as one."""
    ends = [match.end() for match in _WORD.finditer(text)]
    return text if len(ends) <= words else text[: ends[words - 1]].rstrip(",;、")


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
