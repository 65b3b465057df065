"""Recognises corrections of what memory holds: "tree nuts, not peanuts", "I can eat dairy again"."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from models.offline.notes.claims import USER, meaning_of
from models.offline.notes.forms import (
    content_words,
    language_of,
    shares,
    topics_named,
    trimmed,
    without_names,
    words_meant,
)
from models.offline.notes.judge import Part, cues, sentences, topic_of, topic_of_note
from models.offline.notes.meaning.reading import read as read_form
from models.offline.notes.people import Companions, aliased
from models.offline.notes.statements import LONGEST_NOTE, Statement
from models.offline.notes.wishes import outdated
from models.offline.tables import NOTES
from text.words import is_japanese

_UNSURE = frozenset({"hypothetical", "question"})
"""Cues of sentences that retract nothing."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction of a note: its topic, claims that state the new value and retract the old one, and the person.

    `text` is the part of the sentence to keep; empty for all of it.
    """

    topic: str
    claims: list[dict[str, str]]
    about: str
    text: str = ""


def correction(text: str, known: Sequence[tuple[str, str]]) -> Correction | None:
    """Return the correction that `text` makes to one of the `known` notes, or None.

    Args:
        text: A sentence of the user.
        known: Text and topic of each note in memory.
    """
    known = [(old, topic_of_note(old, topic)) for old, topic in known]
    admitted = _admission(text)
    said = now_said(text) or (trimmed(text[admitted.end() :]) if admitted else "")
    instead, gone = _contrast(said or text)
    if not gone:
        return _restated(said, known) or _withdrawal(text, known) or _denial(text, known)
    words = content_words(gone)
    for old, topic in known if words else ():
        if not all(shares(word, old) for word in words):
            continue
        old_meaning = meaning_of(old, topic)
        if mistaken := next((c for c in old_meaning.claims if any(shares(word, c["value"]) for word in words)), None):
            new = [c for c in meaning_of(instead, topic).claims if c["attribute"] == mistaken["attribute"] != "allergy"]
            claims = [*(new or [{**mistaken, "value": _value(instead)}]), *_over([mistaken])]
            return Correction(topic, claims, old_meaning.about, said)
        whose = meaning_of(old.replace(gone, _value(instead)), topic)
        if old_meaning.claims and whose.claims == old_meaning.claims and whose.about != old_meaning.about:
            return Correction(topic, old_meaning.claims, whose.about, said)
    return None


def _over(claims: Iterable[dict[str, str]]) -> list[dict[str, str]]:
    """Return claims which state that `claims` no longer hold."""
    return [{**claim, "stance": "indifferent"} for claim in claims if claim["stance"] != "indifferent"]


def _restated(said: str, known: Sequence[tuple[str, str]]) -> Correction | None:
    """Return the correction of the latest note with the same attributes ("I got that wrong, it's crab")."""
    for old, topic in reversed(known if said else ()):
        old_meaning, new = meaning_of(old, topic), meaning_of(said, topic)
        attributes = {claim["attribute"] for claim in new.claims if old_meaning.about == new.about}
        gone = [claim for claim in old_meaning.claims if claim["attribute"] in attributes and claim not in new.claims]
        if gone:
            claimed = [claim["value"] for claim in new.claims]
            over = _over(claim for claim in gone if claim["value"] not in claimed)
            return Correction(topic, [*new.claims, *over], old_meaning.about, said)
    return None


def _admission(text: str) -> re.Match[str] | None:
    """Return the match of an opening that retracts what was said before ("I got that wrong"), or None."""
    return NOTES.patterns(f"{language_of(text)}_corrections")["admits"].match(text)


def now_said(text: str) -> str:
    """Return the end of "I told you I like window seats, but now it's the aisle"; empty for any other text.

    Both halves must be about the same attribute of the same person, and the first no limit, which would be lost.
    """
    if not (found := NOTES.patterns(f"{language_of(text)}_corrections")["reported"].match(text)):
        return ""
    topic, said = topic_of(text), trimmed(text[found.end() :])
    was, now = meaning_of(found["was"], topic), meaning_of(said, topic)
    before, after = ({claim["attribute"] for claim in each.claims} for each in (was, now))
    is_limit = any(claim["stance"] in ("requires", "excludes") for claim in was.claims)
    return said if after and before == after and was.about == now.about and not is_limit else ""


def _withdrawal(text: str, known: Sequence[tuple[str, str]]) -> Correction | None:
    """Return the retraction of the only note that `text` fits ("I no longer care about KLM"), or None."""
    wish = outdated(text)
    stems = words_meant(without_names(wish.about)) if wish else frozenset[str]()
    matches = [note for note in known if stems and all(shares(word, note[0]) for word in stems)]
    if len(matches) != 1:
        return None
    old_meaning = meaning_of(*matches[0])
    claims = _over(old_meaning.claims)
    return Correction(matches[0][1], claims, old_meaning.about) if claims else None


def _denial(text: str, known: Sequence[tuple[str, str]]) -> Correction | None:
    """Return the retraction of a known limit ("I can eat dairy again"); "he" or "she" must fit only one person.

    To accept a thing under a condition softens what excludes it; "it's fine" or a text longer than a note does nothing.
    """
    if not known or len(text) > LONGEST_NOTE or cues(text) & _UNSURE:
        return None
    form, new = read_form(text, "", topic_of(text)), meaning_of(text, topic_of(text))
    excepts = bool(form.tolerated and form.condition and not new.claims)
    if form.tolerated and not (form.anew or excepts):
        return None
    new, patterns = meaning_of(text, topic_of(text), "if so") if excepts else new, NOTES.patterns("claims")
    third = (new.about == USER or "彼女" in text) and bool(patterns["third"].search(text))
    ended = " ".join(match[0] for match in patterns["ended"].finditer(text))
    retractions: list[Correction] = []
    for old, topic in known:
        old_meaning = meaning_of(old, topic)
        refused = [each for each in old_meaning.claims if each["stance"] in ("avoids", "excludes")]
        over = _over(refused if excepts else old_meaning.claims)
        fitting = [claim for claim in over if claim in new.claims]
        eaten = [each for each in over if each["attribute"] == "allergy" and shares(each["value"], ended)]
        softened = [{**claim, "stance": "avoids"} for claim in fitting if excepts]
        if (fitting or eaten) and (old_meaning.about != USER if third else old_meaning.about == new.about):
            retractions.append(Correction(topic, [*softened, *new.claims] if fitting else eaten, old_meaning.about))
    return retractions[0] if retractions and not (third and len({each.about for each in retractions}) > 1) else None


def healed(text: str, known: Sequence[str]) -> list[str]:
    """Return the `known` notes on an allergy that `text` ends without naming it ("her allergy is gone")."""
    if "meal/allergy" not in topics_named(text):
        return []
    atoms = read_form(text, "", topic := topic_of(text)).atoms
    gone = (1, "allergy") in atoms and NOTES.patterns("claims")["gone"].search(text)
    if not (gone or (-1, "allergy") in atoms) or cues(text) & _UNSURE or (new := meaning_of(text, topic)).claims:
        return []
    was = ((note, old) for note in known if (old := meaning_of(note, topic_of(note))).about == new.about)
    return [note for note, old in was if any(claim["attribute"] == "allergy" for claim in old.claims)]


def corrections(said: str, known: Sequence[tuple[str, str]], names: Companions = ()) -> Iterator[Statement]:
    """Yield the sentences that correct a known allergy, admit an error or retract a note, lasting or not."""
    before: Part | None = None
    for each in sentences(said):
        part = before.joined(each, said) if before else each
        admitted = _admission(part.text)
        before = part if admitted and admitted.end() == len(part.text) else None
        found = None if part.asked else correction(aliased(part.text, names).text, known)
        claims = found.claims if found else []
        hard = any(claim["attribute"] in ("allergy", "diet") for claim in claims)
        if found and (admitted or hard or all({**claim, "stance": "indifferent"} in claims for claim in claims)):
            yield Statement(trimmed(part.text), part.text, found.topic)


def objected(said: str, just: Sequence[tuple[str, str]]) -> Correction | None:
    """Return the correction that a bare "no, window" makes to a note saved `just` before, or None."""
    denies = _admission(said) or re.match(NOTES.table(f"{language_of(said)}_corrections")["denies"], said)
    instead = NOTES.patterns(f"{language_of(said)}_speech")["explains"].sub("", said[denies.end() :]) if denies else ""
    filed = [(old, topic_of_note(old, topic)) for old, topic in just]
    return _restated(trimmed(instead), filed) or _renamed(trimmed(instead), just)


def _renamed(name: str, just: Sequence[tuple[str, str]]) -> Correction | None:
    """Return the correction of the home city that was just saved to another name ("Typo! Bergen"), or None."""
    for old, topic in just[-1:] if name else ():
        old_meaning = meaning_of(old, topic)
        city = next((claim["value"] for claim in old_meaning.claims if claim["attribute"] == "home_city"), name)
        value = _value(name)
        new = meaning_of(text := old.replace(city, value), topic)
        if city != name and [claim["value"] for claim in new.claims] == [value]:
            return Correction(topic, new.claims, new.about, text)
    return None


def _contrast(text: str) -> tuple[str, str]:
    """Return (X, Y) of "it's X, not Y" and "not Y but X"; two empty strings for any other sentence."""
    for pattern in NOTES.table(f"{language_of(text)}_corrections")["contrast"]:
        match = re.search(pattern, trimmed(text), re.IGNORECASE)
        if match and (is_japanese(text) or words_meant(match["new"])):  # "I'm not vegan any more" names nothing else
            return match["new"].strip(" ,.、。"), match["old"].strip(" ,.、。")
    return "", ""


def _value(words: str) -> str:
    """Return the bare value in the words of a correction: "そば" for "そばアレルギーです"."""
    bare = re.sub(NOTES.table(f"{language_of(words)}_corrections")["frame"], "", words, flags=re.IGNORECASE)
    return bare.strip(" ,.、。")[:80]


def corrects(text: str, others: Sequence[str]) -> bool:
    """Return whether `text` corrects one of the `others`."""
    return correction(text, [(other, "") for other in others]) is not None
