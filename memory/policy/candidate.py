"""Describes what a judgement takes and returns, what a deployment lets memory keep, and repairs a candidate's shape."""

import math
import re
from calendar import monthrange
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import ConfigDict, Field, ValidationError

from config.errors import SettingsError
from config.explain import did_you_mean
from config.settings import Settings
from memory.policy.wording import content_words, invented, overlap
from memory.records.notes import FREE, MAX_QUOTE, SCOPES, USER, Claim, Evidence, Note, Record, Scope, Stance
from memory.schema import TRAVEL, Attribute, Schema, load_schema
from text.normalise import normalise, tidy
from text.numbers import COUNT_WORDS
from text.words import fold, numbers, words

Name = TypeVar("Name", bound=str)

MAX_CONDITION = 120
MAX_CLAIMS = 6
MAX_TTL_DAYS = 365
_OTHER_TOPIC = "other"
SELF = frozenset({USER, "", "self", "me", "myself", "i", "the user", "traveller", "traveler"})
"""What models write for the user instead of `user`."""
_BINDING: frozenset[Stance] = frozenset({"is", "requires", "excludes"})
"""Stances that make a claim on a hard attribute a constraint."""
_NOON = 12
_LARGE = {"万": 10_000, "千": 1_000}
OTHERS = "other"
"""Whom a candidate is about when it is about somebody who does not travel along."""


class Candidate(Record):
    """A statement proposed for memory, just as the model gave it: any value may be wrong and is judged, not raised.

    `claims` and `when` are mappings as the tool schema has them. `until` is a day or month (`YYYY-MM-DD`, `YYYY-MM`);
    `asked` says that the user asked for it to be remembered.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    topic: str = "other"
    quote: str = ""
    scope: str = "user"
    claims: list[dict[str, Any]] = Field(default_factory=list)
    when: list[dict[str, Any]] = Field(default_factory=list)
    about: str = USER
    until: str | None = None
    confidence: float = 1.0
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Gate:
    """What is allowed now: by the deployment, by the user's consent, by the mode of the run.

    What a model is less sure of than `min_confidence` is refused, and what it proposes beyond `max_per_turn`.
    """

    schema: Schema = field(default_factory=load_schema)
    topics: frozenset[str] = frozenset(load_schema().topics)
    denied_topics: frozenset[str] = frozenset()
    scopes: frozenset[Scope] = frozenset({"user", "trip"})
    paused: bool = False
    min_confidence: float = 0.5
    max_per_turn: int = 6


@dataclass(frozen=True, slots=True)
class Verdict:
    """What policy says of one candidate.

    Attributes:
        outcome: `accepted` as it is, `normalised` (accepted after repair) or `blocked`.
        code: Why it was blocked: `sensitive:<kind>`, `instruction`, `topic_denied`, `scope_denied`,
            `consent_denied`, `paused`, `too_long`, `limit`, `low_confidence`, `third_party` or `ungrounded`.
        hash: Keyed hash of the normalised text, 32 hexadecimal digits; all that is kept of a blocked text.
        draft: The note to write, as yet without an id; None when blocked.
        hint: What the model can change, or what was changed for it; empty when there is nothing to say.
    """

    outcome: Literal["accepted", "normalised", "blocked"]
    code: str | None
    hash: str
    draft: Note | None
    hint: str = ""


def deployed_gate(settings: Settings, schema: Schema | Path | str | None = None) -> Gate:
    """Return what a deployment lets memory keep, whatever its users consent to.

    The schema is `schema`, or the file of that name, or else that of the settings.

    Raises:
        SettingsError: the schema has a fault, or a topic or a scope of the settings does not exist.
    """
    schema = schema or settings.memory_schema or TRAVEL
    if not isinstance(schema, Schema):
        schema = load_schema(Path(schema))
    return Gate(
        schema=schema,
        topics=_chosen("memory_topics", settings.memory_topics, tuple(schema.topics)),
        scopes=_chosen("memory_scopes", settings.memory_scopes, SCOPES),
        min_confidence=settings.min_confidence,
    )


def _chosen(setting: str, names: Sequence[str] | None, known: tuple[Name, ...]) -> frozenset[Name]:
    if names is None:
        return frozenset(known)
    if unknown := [name for name in names if name not in known]:
        raise SettingsError(
            f"CONCIERGE_{setting.upper()} names {unknown[0]!r}, which does not exist.{did_you_mean(unknown[0], known)} "
            f"It may name: {', '.join(known)}."
        )
    return frozenset(one for one in known if one in names)


def shape(candidate: Candidate, schema: Schema, now: datetime) -> tuple[Note, bool]:
    """Return `candidate` in the shape of a note with all put right that can be, and whether something had to be.

    It has no id. Lengths that can't be cut and a scope that does not exist are left for the judge.
    """
    text, quote = tidy(candidate.text), tidy(candidate.quote)[:MAX_QUOTE].rstrip()
    topic = fold(candidate.topic.strip())
    claims = [checked_claim(raw, schema, about=candidate.about) for raw in candidate.claims[:MAX_CLAIMS]]
    expires_at = _expiry(candidate.until or "", now.date())
    draft = Note.model_construct(
        id="",
        text=text,
        topic=topic if topic in schema.topics else _OTHER_TOPIC,
        scope=_listed(candidate.scope.strip(), SCOPES) or "user",
        claims=tuple(claim for claim in claims if claim is not None),
        when=_when(candidate.when, schema),
        confidence=0.0 if math.isnan(candidate.confidence) else min(max(candidate.confidence, 0.0), 1.0),
        expires_at=expires_at,
        evidence=(Evidence(quote=quote, said_on=now.date()),),
        created_at=now,
        last_update_date=now.date(),
    )
    shaped = text, quote, draft.topic, len(draft.claims), len(draft.when), bool(expires_at)
    given = candidate.text, candidate.quote, topic, len(candidate.claims), len(candidate.when), bool(candidate.until)
    return draft, shaped != given


def checked_claim(raw: Mapping[str, Any], schema: Schema, *, about: str = USER) -> Claim | None:
    """Return a claim with its value in the schema's own spelling; None for one that the schema does not know."""
    attribute = schema.attributes.get(str(raw.get("attribute", "")))
    value, name = tidy(str(raw.get("value", "")))[:80], tidy(str(raw.get("about") or about))[:40]
    if attribute and attribute.values:
        value = _listed(value, (*attribute.values, "any")) or ""
    if attribute is None or (attribute.number and not numbers(value)):
        return None
    with suppress(ValidationError):  # an empty value, or a stance that there is not
        whom = USER if fold(name) in SELF else name
        return Claim(attribute=str(raw["attribute"]), value=value, stance=raw.get("stance", "is"), about=whom)
    return None


def _listed(value: str, names: Iterable[Name]) -> Name | None:
    """Return the name of a closed list that `value` is, in the list's own spelling."""
    return next((one for one in names if fold(one) == fold(value)), None)


def is_hard(claims: Collection[Claim], topic: str, schema: Schema) -> bool:
    """Return whether it is a constraint: a binding claim on an attribute, or a topic, that the schema marks."""
    marked = any(claim.stance in _BINDING and schema.attributes[claim.attribute].hard for claim in claims)
    return marked or (not claims and schema.topics[topic].hard)


def supported(draft: Note, schema: Schema, sources: Sequence[str]) -> tuple[Note, str]:
    """Return a draft with the claims and conditions that come from `sources`, and the conditions that do not.

    Values of closed lists are the model's reading. What is claimed under a condition does not hold without it.
    """
    whole = " \n ".join(sources)
    closed = {key for key, condition in schema.when.items() if condition.values}
    when = {key: value for key, value in draft.when.items() if key in closed or not invented(value, whole)}
    unsaid = ", ".join(value for key, value in draft.when.items() if key not in when)
    told = [one for one in draft.claims if _is_supported(one, schema.attributes[one.attribute], whole)]
    claims = () if unsaid else tuple(told)
    hard = is_hard(claims, draft.topic, schema)
    return draft.model_copy(update={"when": when, "claims": claims, "hard": hard}), unsaid


def _is_supported(claim: Claim, attribute: Attribute, source: str) -> bool:
    if attribute.values:
        return True
    if attribute.number:
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


def _when(given: list[dict[str, Any]], schema: Schema) -> dict[str, str]:
    held: dict[str, str] = {}
    for raw in given:
        key, value = str(raw.get("key", FREE)), tidy(str(raw.get("value", "")))[:MAX_CONDITION]
        condition = schema.when.get(key)
        if condition and condition.values:
            known = _listed(value, condition.values)
            key, value = (key, known) if known else (FREE, value)
        elif condition is None:
            key = FREE
        if value:
            held[key] = f"{held[key]}, {value}" if key in held else value
    return held


def _expiry(until: str, today: date) -> datetime | None:
    """Return the end of a day or a month, a year from now at most; None for one that is over or does not exist."""
    if match := re.fullmatch(r"\s*(\d{4})-(\d{2})(?:-(\d{2}))?\s*", until):
        year, month = int(match[1]), int(match[2])
        with suppress(ValueError):
            day = date(year, month, int(match[3] or monthrange(year, month)[1]))
            return end_of(min(day, today + timedelta(days=MAX_TTL_DAYS))) if day >= today else None
    return None


def end_of(day: date) -> datetime:
    """Return the last second of a day, in UTC."""
    return datetime.combine(day, time(23, 59, 59), UTC)
