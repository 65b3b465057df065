"""Turns statements into calls of the save tool, one for each person, wish and condition."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from models.offline.notes.claims import OTHERS, USER, Meaning, meaning_of, parted
from models.offline.notes.corrections import correction, now_said, objected
from models.offline.notes.forms import (
    capitalised,
    language_of,
    topics_named,
    trimmed,
)
from models.offline.notes.judge import Part, parts, sentences, topic_of, topics_in
from models.offline.notes.meaning.items import items_of
from models.offline.notes.meaning.reading import CONTENT, STANCES
from models.offline.notes.people import Companions, aliased, by_name, by_person, called
from models.offline.notes.statements import Statement, about_others, echoes
from models.offline.notes.wishes import asks_to_remember
from models.offline.reading import read
from models.offline.reading.understanding import ReadingContext
from models.offline.tables import NOTES
from text.numbers import count, kanji_number
from text.words import marks


def objection(said: str, just: Sequence[tuple[str, str]], today: date | None) -> Iterator[dict[str, Any]]:
    """Yield the call of the save tool for a bare "no, window" that corrects a note saved `just` before."""
    if found := objected(said, just):
        statement = Statement(found.text, said.strip(), found.topic)
        yield _proposal(statement, found.text, found.topic, Meaning(found.claims, [], found.about), today)


def echoed(said: str, saved: Sequence[Mapping[str, Any]], names: Companions) -> Iterator[dict[str, Any]]:
    """Yield a call of the save tool for each bare "my son is too": the `saved` call before it, for another person."""
    for part in sentences(said):
        people = [item.name for item in items_of(aliased(part.text, names).text) if item.role == "person"]
        before = [given for given in saved if said.find(str(given["quote"])) < part.start]
        if before and len(people) == 1 and echoes(trimmed(part.text)):
            text = f"{str(before[-1]['text']).rstrip('.。 ')}. {trimmed(part.text)}"
            text = text.replace(". ", "。") if language_of(said) == "ja" else text
            yield {**before[-1], "text": text, "quote": part.text, "about": called(people[0], part.text, names)}


_DAYS = {"day": 1, "week": 7, "month": 30, "日": 1, "週": 7}
_SURE = 0.9
"""Confidence from which a statement without a topic of travel and without claims is kept."""


def proposals(
    statement: Statement, today: date | None, *, known: Sequence[tuple[str, str]] = (), names: Companions = ()
) -> Iterator[dict[str, Any]]:
    """Yield the calls of the save tool for a statement, one for each person or condition in it.

    Args:
        statement: A statement worth keeping.
        today: Today's date; if None, no last day is read.
        known: Text and topic of each note in memory, which a correction ("tree nuts, not peanuts") may be about.
        names: The user's companions by name.
    """
    clauses = by_name(statement.text, names)
    for clause in clauses:
        part = replace(_of_one(statement, clause), text=capitalised(clause)) if len(clauses) > 1 else statement
        text, quote = aliased(part.text, names), aliased(part.quote, names)
        topic = topic_of(text.text) if len(clauses) > 1 else part.topic
        for given in _proposals(replace(part, text=text.text, quote=quote.text, topic=topic), today, known):
            originals = {name: heard.original(given[name]) for name, heard in (("text", text), ("quote", quote))}
            yield {**given, **originals, "about": called(given["about"], originals["quote"], names)}


def _proposals(statement: Statement, today: date | None, known: Sequence[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    if corrected := correction(statement.text, known):
        meaning = Meaning(corrected.claims, [], corrected.about)
        given = _proposal(statement, corrected.text or statement.text, corrected.topic, meaning, today)
        yield {**given, "claims": corrected.claims, "about": corrected.about}
        return
    statement = replace(statement, text=now_said(statement.text) or statement.text)
    people = by_person(statement.text, statement.topic)
    for clause in people:
        topic = statement.topic if len(people) == 1 else topic_of(clause.said)
        wishes = _wishes_in(clause.said, topic)
        for half, own, stretch in wishes:
            meaning = _with_reasons(half, meaning_of(half, own))
            named = topics_in(half) or topics_named(half) or NOTES.patterns("claims")["born"].search(half)
            if statement.confidence >= _SURE or meaning.claims or named:
                meaning = replace(meaning, about=clause.about or meaning.about)
                part = _of_one(statement, stretch) if len(people) > 1 or len(wishes) > 1 else statement
                given = _proposal(part, half if len(wishes) > 1 else clause.text, own, meaning, today)
                yield {**given, "asked": asks_to_remember(statement.quote)}


def _of_one(statement: Statement, said: str) -> Statement:
    """Return a statement whose quote is only `said`, the part about one person; unchanged if that is not verbatim."""
    at = statement.quote.casefold().find(said.casefold())
    return replace(statement, quote=statement.quote[at : at + len(said)]) if at >= 0 else statement


def _proposal(statement: Statement, text: str, topic: str, meaning: Meaning, today: date | None) -> dict[str, Any]:
    until = _last_day(text, today) if today and topic != "document" else None  # a paper's day ends no statement
    others = about_others(text) and (meaning.about == USER or not asks_to_remember(statement.quote))
    return {
        "text": text,
        "quote": statement.quote,
        "topic": topic,
        "claims": [] if others else meaning.claims,
        "when": [item for item in meaning.when if not (until and item["key"] == "season")],
        "about": OTHERS if others else meaning.about,
        "scope": "trip" if statement.trip_only else "user",
        "until": until.isoformat() if until else None,
        "asked": asks_to_remember(statement.quote),
    }


def _last_day(text: str, today: date) -> date | None:
    """Return the last day on which `text` holds, or None if it names none."""
    patterns = NOTES.patterns("claims")
    if patterns["year_end"].search(text):
        return date(today.year, 12, 31)
    if match := patterns["until"].search(text):
        named = match["day_ja"] or f"in {match['day']}"
        context = ReadingContext(today, asked="dates", trip_open=True)
        when = next((clause.dates for clause in read(named, context).clauses if clause.dates), None)
        return (when.end or when.start or (when.window and when.window[1])) if when else None
    if match := patterns["span"].search(text):
        number = count(match["count"].lower()) if match["count"] else kanji_number(match["count_ja"])
        return today + timedelta(days=number * _DAYS.get((match["unit"] or match["unit_ja"]).lower(), _DAYS["month"]))
    return None


def _wishes_in(text: str, topic: str) -> list[tuple[str, str, str]]:
    """Return (wish, topic, stretch of the sentence) for each wish in a sentence.

    "I prefer aisle seats and quiet hotels" has two wishes, "I love museums and galleries" one.
    """
    halves = [each for each in parted(text, topic) if not NOTES.patterns("claims")["otherwise"].search(each)]
    if len(halves) > 1:
        return [(capitalised(each), topic, each) for each in halves]
    things = _things_in(text)
    wishes = [(said, label, thing) for said, thing in things for label in topics_in(thing)[:1]]
    roles = [[item.role for item in items_of(thing)] for _, thing in things]
    spans = {(len(each) > 2 and "context" in each, "at" in each) for each in roles}  # what one "on" or "with" may span
    claimed = [{claim["attribute"] for claim in meaning_of(said, label).claims} for said, label, _ in wishes]
    topics = {label for _, label, _ in wishes}
    alike = topics == {"activity", "transport"}  # a boat among other pastimes is a pastime
    differ = not alike and (len(topics) == len(wishes) or sum(map(len, claimed)) == len(set().union(*claimed)))
    denies = any(marks(said, "denials") != marks(thing, "denials") for said, thing in things)
    apart = len(wishes) == len(things) > 1 == len(spans) and (differ or spans == {(True, True)}) and all(claimed)
    whole = denies or _contents(text) != _contents(*(thing for _, thing in things))
    return wishes if apart and not whole else [(each, topic, text) for each in halves or [text]]


def _with_reasons(text: str, meaning: Meaning) -> Meaning:
    """Return the meaning with the claims of the reason too, if a Japanese sentence gives one for a companion."""
    pieces = [] if meaning.about == USER or language_of(text) == "en" else parts(Part(0, len(text), text), text)
    if not any(each.text.endswith(("ので", "から")) for each in pieces[:-1]):
        return meaning
    bare = [NOTES.patterns("ja_speech")["link"].sub("", each.text) for each in pieces]
    claims = [claim for each in bare for claim in meaning_of(each, topic_of(each)).claims]
    return Meaning([claim for at, claim in enumerate(claims) if claim not in claims[:at]], meaning.when, meaning.about)


def _contents(*texts: str) -> list[str]:
    return sorted(item.name for text in texts for item in items_of(text) if item.role in CONTENT - {"person"})


def _things_in(text: str) -> list[tuple[str, str]]:
    """Return (full sentence, original words) for each thing that a sentence wishes for with one verb."""
    spoken, english = NOTES.patterns(f"{language_of(text)}_speech"), language_of(text) == "en"
    cuts = [match.end() for match in spoken["beside_things"].finditer(text)]
    roles = {at: {item.role for item in items_of(text[:at] if english else text[at:])} for at in cuts}
    framing = [at for at in cuts if roles[at] & {*STANCES} and not roles[at] & {*CONTENT - {"person"}, "domain"}]
    at = (max if english else min)(framing, default=0)
    subject = spoken["subject"].match(text)
    who = subject[0] if subject else ""
    head, tail = (text[:at], "") if english else (who, text[at:])
    things = spoken["between_things"].split(text[len(head) : len(text) - len(tail)]) if at else []
    begun = [who if english and spoken["wishes_anew"].match(each) else head for each in things]
    return [(before + each + tail, each) for before, each in zip(begun, things, strict=True)]
