"""Summarises the earlier part of a conversation, or a finished one, by extracting from its messages."""

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
_QUESTION = re.compile(r"[^.!?。？*\n]*(?:[?？]|か。)")
_MESSAGE = re.compile(r"(?ims)^(user|assistant|tool): ?(.*?)(?=\n(?:user|assistant|tool):|\n?\Z)")
_ANY_DAY = date(2000, 1, 1)


def summarise(previous: str, transcript: str, *, most_words: int = 200) -> dict[str, str]:
    """Return the fields of the summary, together `most_words` at most; newer facts win over those of `previous`."""
    before = by_heading(previous) if previous and previous != "(none)" else {}
    lines = spoken(transcript)
    stated = {each.text.lower(): each for role, text in lines if role == "user" for each in statements(text)}
    replies = [text for role, text in lines if role == "assistant"]
    last = replies[-1] if replies else ""
    trip, travellers = _trip(lines, before)
    decisions = dict.fromkeys(decision for text in replies for decision in decisions_in(text))
    preferences = [each for each in stated.values() if each.topic not in _LIMITS]
    constraints = [each for each in stated.values() if each.topic in _LIMITS]
    fields = {
        "trip": trip,
        "travellers": travellers or before.get("travellers", ""),
        "preferences": _listed(preferences, before.get("preferences", "")),
        "constraints": _listed(constraints, before.get("constraints", "")),
        "options": before.get("options", ""),
        "decisions": _joined(before.get("decisions", ""), list(decisions)),
        **{name: _joined(before.get(name, ""), facts) for name, facts in _tool_facts(lines).items()},
        "open_questions": (_QUESTION.findall(last) or [""])[-1].strip() if question_in(last) else "",
    }
    return {name: _cut(fields[name], most_words * share // 100) or UNVERIFIED for name, share in SHARES.items()}


def _tool_facts(lines: list[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the facts in the tools' answers: bookings, their start days, and sources with the kind they returned."""
    answers = [dict(_FACT.findall(text)) for role, text in lines if role == "tool"]
    booked = {answer["what"].split(",")[0]: answer for answer in answers if {"booking", "what"} <= answer.keys()}
    return {
        "identifiers": list(booked),
        "timeline": [f"{answer['starts']}: {what}" for what, answer in booked.items() if "starts" in answer],
        "findings": [f"{a['source']}: {a.get('kind') or 0}" for a in answers if "source" in a],
    }


def _joined(before: str, items: list[str]) -> str:
    return "; ".join(dict.fromkeys([*filter(None, before.split("; ")), *items]))


def spoken(transcript: str) -> list[tuple[str, str]]:
    """Return role and text of each message; a line without a role belongs to the message before it."""
    return [(role.lower(), text) for role, text in _MESSAGE.findall(transcript)]


def words_of(text: str) -> Sentences:
    """Return the reply sentences of the language of `text`."""
    return sentences("ja" if is_japanese(text) else "en")


def understood(text: str) -> Understanding:
    """Parse a message without any context."""
    return read_message(text, ReadingContext(_ANY_DAY))


def destination(trip: str) -> str:
    """Return the destination in a line that describes a trip; empty if it names none."""
    route = trip.split(". Superseded")[0].split(words_of(trip).texts["comma"])[0]
    places = [place for clause in understood(route).clauses for place in clause.places if place.role != "origin"]
    return places[-1].name if places else ""


def _listed(stated: list[Statement], before: str) -> str:
    """Return the statements, newest first, then the parts of `before`, then superseded statements, marked as such."""
    current: list[str] = []
    replaced: list[str] = []
    seen: list[Statement] = []
    for each in reversed(stated):
        form = read(each.text, "", each.topic)
        newer = (read(other.text, "", other.topic) for other in seen if other.topic == each.topic)
        contradicted = any(other.condition == form.condition and contradict(other, form) for other in newer)
        superseded = contradicted and each.topic in relations()["single_valued"]
        suffix = words_of(each.text).say("trip_only") if each.trip_only else ""
        (replaced if superseded else current).append(each.text + suffix)
        seen.append(each)
    carried = [part for part in re.split(r"; ", before) if part and part not in current]
    return "; ".join((*current, *carried, *(f"Superseded: {text}" for text in replaced)))


def _trip(lines: list[tuple[str, str]], before: dict[str, str]) -> tuple[str, str]:
    """Return trip and travellers as a reply last showed them, else the trip of `before` or of the user's own words."""
    shown = [line for role, text in lines if role == "assistant" and (line := understood_in(text))]
    if not shown:
        texts = (text for role, text in lines if role == "user")
        about = [text for text in texts if any(clause.places for clause in understood(text).clauses)]
        return before.get("trip", "") or (about[-1].replace("\n", " ") if about else ""), ""
    comma = words_of(shown[-1]).texts["comma"]
    parts = re.split(rf"{comma}(?![^(（]*[)）])", shown[-1])  # but not within the ages of "2 children (4, 9)"
    people = [part for part in parts if any(clause.party for clause in understood(part).clauses)]
    latest = comma.join(part for part in parts if part not in people)
    places = list(dict.fromkeys(place for line in shown if (place := destination(line))))
    old = [place for place in places if place != destination(shown[-1])]
    return latest + "".join(f". Superseded: {place}" for place in old), comma.join(people)


def _cut(text: str, words: int) -> str:
    """Return the first `words` words of `text`; in scripts without spaces, two characters count as one."""
    ends = [match.end() for match in _WORD.finditer(text)]
    return text if len(ends) <= words else text[: ends[words - 1]].rstrip(",;、")


_MOST_SENTENCES, _MOST_TOPICS, _MOST_FACTS, _MOST_LIKED = 3, 5, 5, 3
_MOST_ASKED, _LONGEST_ASKED = 2, 160
_LIKES = ("preferences", "constraints")


def summarise_episode(previous: str, transcript: str) -> dict[str, Any]:
    """Return the summary, topics and key facts of the episode; all are empty for a session of small talk."""
    fields = {name: text for name, text in summarise(previous, transcript).items() if text != UNVERIFIED}
    messages = [text for role, text in spoken(transcript) if role == "user"]
    lines = _sentences(words_of(" ".join((*messages, *fields.values()))), fields, _requests(messages))
    topics = _topics(messages, fields) if lines else []
    return {"summary": " ".join(lines), "topics": topics, "key_facts": _facts(fields)}


def _requests(messages: list[str]) -> list[str]:
    """Return the traveller's last requests, in their own words."""
    requests = [
        " ".join(text.split()).rstrip("?？.。! ")
        for text in messages
        if len(text) <= _LONGEST_ASKED and not statements(text) and not memory_wish(text)
        if any(clause.act in ("inform", "ask", "book", "change", "cancel") for clause in understood(text).clauses)
    ]
    return list(dict.fromkeys(requests))[-_MOST_ASKED:]


def _sentences(words: Sentences, fields: dict[str, str], requests: list[str]) -> list[str]:
    """Return at most three sentences: the trip, the preferences, decisions or an open question, and the requests."""
    liked = words.say("and").join(_current(fields[name]) for name in _LIKES if _current(fields.get(name, "")))
    lines: list[str] = []
    if "trip" in fields:
        people = words.say("episode_people", value=fields["travellers"]) if "travellers" in fields else ""
        lines.append(words.say("episode_trip", value=_newest(fields["trip"]), people=people))
    if liked:
        lines.append(words.say("episode_likes", value=liked.rstrip(".。")))
    if "decisions" in fields:
        lines.append(words.say("episode_decided", value=fields["decisions"].rstrip(".。")))
    elif "open_questions" in fields:
        lines.append(words.say("episode_open", value=fields["open_questions"]))
    if len(lines) < _MOST_SENTENCES - 1 and requests:
        lines.append(words.say("episode_asked", value="; ".join(requests)))
    return lines[:_MOST_SENTENCES]


def _topics(messages: list[str], fields: dict[str, str]) -> list[str]:
    """Return words from the traveller's messages: the destination, then words of their preferences, then others."""
    text = " ".join(messages)
    place = destination(fields.get("trip", ""))
    liked = " ".join(_current(fields.get(name, "")) for name in _LIKES)
    terms = [*search_terms(liked).split()[:_MOST_LIKED], *search_terms(text).split()]
    words = [*([place] if place else []), *terms]
    used = dict.fromkeys(word.strip(",.;:?!").lower() for word in words if word.lower() in text.lower())
    return [word for word in used if len(word) > 1 and not word.isdigit()][:_MOST_TOPICS]


def _facts(fields: dict[str, str]) -> list[str]:
    """Return the key facts, one per item: trip, travellers, constraints, preferences and decisions."""
    parts = [_newest(fields.get("trip", "")), fields.get("travellers", "")]
    parts += [part for name in _LIKES[::-1] for part in _current(fields.get(name, "")).split("; ")]
    facts = [part.strip() for part in (*parts, fields.get("decisions", "")) if part.strip()]
    return list(dict.fromkeys(facts))[:_MOST_FACTS]


def _newest(trip: str) -> str:
    """Return the trip without superseded destinations."""
    return trip.partition(". Superseded")[0].rstrip(".。 ")


def _current(text: str) -> str:
    """Return the parts of a field that are not superseded."""
    return "; ".join(part for part in text.split("; ") if part and not part.startswith("Superseded"))
