"""Repairs what can be repaired in a candidate, and checks what its claims may say."""

import math
import re
from calendar import monthrange
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import date, timedelta
from typing import Any

from memory.policy.candidate import MAX_CLAIMS, MAX_CONDITION, MAX_TTL_DAYS, Candidate, NoteDraft
from memory.policy.wording import content_words, invented, overlap
from memory.records.notes import FREE, MAX_QUOTE, SCOPES, STANCES, USER, Claim, Stance
from memory.schema import Attribute, Schema
from text.normalise import normalise, tidy
from text.numbers import COUNT_WORDS
from text.words import fold, numbers, words

_OTHER_TOPIC = "other"
_SELF = frozenset({"self", "me", "myself", "i", "the user", "traveller", "traveler"})
"""What models write for the user instead of `user`."""
_BINDING: frozenset[Stance] = frozenset({"is", "requires", "excludes"})
"""Stances that make a claim on a hard attribute a constraint."""
_NOON = 12
_LARGE = {"万": 10_000, "千": 1_000}


def shape(candidate: Candidate, schema: Schema, today: date) -> tuple[NoteDraft, bool]:
    """Return `candidate` in the shape of a note with all put right that can be, and whether something had to be.

    Lengths that can't be cut and a scope that does not exist are left for the judge.
    """
    text, quote = tidy(candidate.text), tidy(candidate.quote)[:MAX_QUOTE].rstrip()
    topic = fold(candidate.topic.strip())
    given = [checked_claim(raw, schema, about=candidate.about) for raw in candidate.claims[:MAX_CLAIMS]]
    draft = NoteDraft(
        text=text,
        topic=topic if topic in schema.topics else _OTHER_TOPIC,
        scope=next((one for one in SCOPES if one == fold(candidate.scope.strip())), "user"),
        claims=tuple(claim for claim in given if claim is not None),
        when=_when(candidate.when, schema),
        confidence=0.0 if math.isnan(candidate.confidence) else min(max(candidate.confidence, 0.0), 1.0),
        expires_on=_expiry(candidate, today),
        quote=quote,
    )
    ends = candidate.until or candidate.lasts_days
    shaped = (text, quote, draft.topic, len(draft.claims), len(draft.when), bool(draft.expires_on))
    proposed = (candidate.text, candidate.quote, topic, len(candidate.claims), len(candidate.when), bool(ends))
    return draft, shaped != proposed


def checked_claim(raw: Mapping[str, Any], schema: Schema, *, about: str = USER) -> Claim | None:
    """Return a claim with its value in the schema's own spelling; None for one that the schema does not know."""
    attribute = schema.attributes.get(str(raw.get("attribute", "")))
    stance = next((one for one in STANCES if one == str(raw.get("stance", "is"))), None)
    value = tidy(str(raw.get("value", "")))[:80]
    known = _value(attribute, value) if attribute and stance else None
    if stance is None or known is None:
        return None
    name = tidy(str(raw.get("about") or about))[:40]
    whom = USER if not name or fold(name) in _SELF else name
    return Claim(attribute=str(raw["attribute"]), value=known, stance=stance, about=whom)


def _value(attribute: Attribute, value: str) -> str | None:
    if attribute.takes == "values":
        return next((one for one in (*attribute.values, "any") if fold(one) == fold(value)), None)
    if attribute.takes == "number":
        return value if numbers(value) else None
    return value or None


def is_hard(claims: Collection[Claim], topic: str, schema: Schema) -> bool:
    """Return whether it is a constraint: a binding claim on an attribute, or a topic, that the schema marks."""
    marked = any(claim.stance in _BINDING and schema.attributes[claim.attribute].hard for claim in claims)
    return marked or (not claims and schema.topics[topic].hard)


def supported_claims(claims: Collection[Claim], schema: Schema, sources: Collection[str]) -> tuple[Claim, ...]:
    """Return the claims whose free names and numbers come from `sources`; closed lists are the model's reading."""
    whole = " \n ".join(sources)
    return tuple(claim for claim in claims if _is_supported(claim, schema.attributes[claim.attribute], whole))


def _is_supported(claim: Claim, attribute: Attribute, source: str) -> bool:
    if attribute.takes == "values":
        return True
    if attribute.takes == "number":
        return not numbers(claim.value) - _counts(source)
    is_told = not content_words(claim.value) or overlap(claim.value, source).share < 1
    return is_told and not numbers(claim.value) - numbers(source)


def _counts(source: str) -> set[str]:
    """Return what numbers of `source` may stand for: 18 for 6 pm, 20000 for 2万, 2 for two; and always 0 and 1."""
    plain = normalise(source)
    found = numbers(plain) | numbers(re.sub(r"(?<=\d)[,.](?=\d{3}\b)", "", plain))
    found |= {str(int(hour) + _NOON) for hour in found if int(hour) < _NOON}
    found |= {f"{float(many) * _LARGE[unit]:.0f}" for many, unit in re.findall(r"(\d+(?:\.\d+)?)([万千])", plain)}
    return found | {"0", "1"} | {str(COUNT_WORDS[word]) for word in map(fold, words(plain)) if word in COUNT_WORDS}


def supported_when(when: Mapping[str, str], schema: Schema, sources: Collection[str]) -> dict[str, str]:
    """Return the conditions whose names and numbers come from `sources`; closed lists are the model's reading."""
    whole = " \n ".join(sources)
    closed = {key for key, condition in schema.when.items() if condition.values}
    return {key: value for key, value in when.items() if key in closed or not invented(value, whole)}


def _when(given: list[dict[str, Any]], schema: Schema) -> dict[str, str]:
    held: dict[str, str] = {}
    for raw in given:
        key, value = str(raw.get("key", FREE)), tidy(str(raw.get("value", "")))[:MAX_CONDITION]
        condition = schema.when.get(key)
        if condition and condition.values:
            known = next((one for one in condition.values if fold(one) == fold(value)), None)
            key, value = (key, known) if known else (FREE, value)
        elif condition is None:
            key = FREE
        if value:
            held[key] = f"{held[key]}, {value}" if key in held else value
    return held


def _expiry(candidate: Candidate, today: date) -> date | None:
    if candidate.lasts_days:
        return today + timedelta(days=min(max(candidate.lasts_days, 1), MAX_TTL_DAYS))
    until = _day(candidate.until or "")
    if until is None or until < today:
        return None
    return min(until, today + timedelta(days=MAX_TTL_DAYS))


def _day(written: str) -> date | None:
    match = re.fullmatch(r"\s*(\d{4})-(\d{2})(?:-(\d{2}))?\s*", written)
    if match is None:
        return None
    year, month = int(match[1]), int(match[2])
    with suppress(ValueError):
        return date(year, month, int(match[3] or monthrange(year, month)[1]))
    return None
