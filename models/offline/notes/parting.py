"""Splits a sentence with several wishes, so that each becomes a note that can be changed and forgotten by itself."""

from models.offline.notes.claims import USER, Meaning, meaning_of, parted
from models.offline.notes.forms import capitalised, language_of, shares, words_meant
from models.offline.notes.judge import Part, parts, topic_of, topics_in
from models.offline.notes.meaning.items import items_of
from models.offline.notes.meaning.reading import CONTENT, STANCES
from models.offline.tables import NOTES
from text.words import marks


def wishes_in(text: str, topic: str) -> list[tuple[str, str, str]]:
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


def with_reasons(text: str, meaning: Meaning) -> Meaning:
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


def says_more(text: str, about: str) -> bool:
    """Return whether a text is about `about` and about another topic as well."""
    between = NOTES.patterns(f"{language_of(text)}_speech")["between_things"]
    parts = [part for clause in NOTES.patterns("claims")["break"].split(text) for part in between.split(clause)]
    meant = [any(shares(word, part) for word in words_meant(about)) for part in parts if topics_in(part)]
    return any(meant) and not all(meant)
