"""Describes candidates, the gate they must pass and the verdict, and gives a candidate the shape of a note."""

import math
import re
from calendar import monthrange
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import ConfigDict, Field

from config.errors import SettingsError
from config.explain import did_you_mean
from config.settings import Settings
from memory.policy.wording import Refused, content_words, invented, overlap
from memory.records.notes import FREE, MAX_QUOTE, SCOPES, STANCES, USER, Claim, Evidence, Note, Record, Scope, Stance
from memory.schema import TRAVEL, Attribute, Schema, load_schema
from text.normalise import normalise, tidy
from text.numbers import COUNT_WORDS
from text.words import fold, numbers, words

Name = TypeVar("Name", bound=str)

MAX_CONDITION = 120
MAX_CLAIMS = 6
MAX_TTL_DAYS = 365
_OTHER_TOPIC, _ANY = "other", "any"
_SHOWN = 40
"""The most characters of a wrong value that a hint repeats."""
SELF = frozenset({USER, "", "self", "me", "myself", "i", "the user", "traveller", "traveler"})
"""Words that models write instead of `user`."""
_BINDING: frozenset[Stance] = frozenset({"is", "requires", "excludes"})
"""The stances with which a claim about a hard attribute is a constraint."""
_NOON = 12
_LARGE = {"万": 10_000, "千": 1_000}
OTHERS = "other"
"""The value of `about` in a candidate about somebody who does not travel along."""


class Candidate(Record):
    """A statement that a model proposes for memory, unchecked: wrong values lead to a verdict, not to an exception.

    `claims` and `when` are mappings as in the tool schema. `until` is a day or month (`YYYY-MM-DD`, `YYYY-MM`);
    `asked` means that the user asked for it to be remembered.
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
    """The limits set by the deployment, by the user's consent and by the mode of the run.

    Candidates with less confidence than `min_confidence`, or beyond `max_per_turn`, are refused.
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
    """The policy's decision on one candidate.

    Attributes:
        outcome: `accepted` unchanged, `normalised` (accepted after a repair) or `blocked`.
        code: Why it was blocked: `sensitive:<kind>`, `instruction`, `topic_denied`, `scope_denied`,
            `consent_denied`, `paused`, `too_long`, `limit`, `low_confidence`, `third_party` or `ungrounded`.
        hash: Keyed hash of the normalised text, 32 hexadecimal digits; nothing else is kept of a blocked text.
        draft: The note to write, still without an id; None if blocked.
        hint: What the model can change, or what was changed for it; may be empty.
    """

    outcome: Literal["accepted", "normalised", "blocked"]
    code: str | None
    hash: str
    draft: Note | None
    hint: str = ""


def deployed_gate(settings: Settings, schema: Schema | Path | str | None = None) -> Gate:
    """Return the gate of a deployment, without the consent of a user.

    `schema` is a schema or the path of one; by default that of the settings.

    Raises:
        SettingsError: the schema is malformed, or a topic or a scope of the settings does not exist.
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
    return frozenset(name for name in known if name in names)


def shape(candidate: Candidate, schema: Schema, now: datetime) -> tuple[Note, bool]:
    """Return `candidate` as a note without an id, with values repaired where possible, and whether any were repaired.

    A text that is too long is not cut, and an unknown scope becomes `user`; the judge refuses both. The note does not
    end yet: see `ending`.
    """
    text, quote = tidy(candidate.text), tidy(candidate.quote)[:MAX_QUOTE].rstrip()
    topic = _listed(candidate.topic.strip(), schema.topics)
    claims = [checked_claim(raw, schema, about=candidate.about) for raw in candidate.claims[:MAX_CLAIMS]]
    draft = Note.model_construct(
        id="",
        text=text,
        topic=topic or _OTHER_TOPIC,
        scope=schema.scope(candidate.scope) or "user",
        claims=tuple(claim for claim in claims if claim is not None),
        when=_when(candidate.when, schema),
        confidence=0.0 if math.isnan(candidate.confidence) else min(max(candidate.confidence, 0.0), 1.0),
        evidence=(Evidence(quote=quote, said_on=now.date()),),
        created_at=now,
        last_update_date=now.date(),
    )
    shaped = text, quote, draft.topic, len(draft.claims), len(draft.when)
    given = candidate.text, candidate.quote, topic, len(candidate.claims), len(candidate.when)
    return draft, shaped != given


def checked_claim(raw: Mapping[str, Any], schema: Schema, *, about: str = USER) -> Claim | None:
    """Return a claim with its value as spelled in the schema; None if it does not fit the schema."""
    if claim_fault(raw, schema):
        return None
    attribute, value = str(raw["attribute"]), _value(raw)
    person = tidy(str(raw.get("about") or about))[:40]
    if closed := schema.attributes[attribute].values:
        value = _listed(value, (*closed, _ANY)) or value
    stance, about = raw.get("stance", "is"), USER if fold(person) in {*SELF, schema.domain.speaker} else person
    return Claim(attribute=attribute, value=value, stance=stance, about=about)


def claim_fault(raw: Mapping[str, Any], schema: Schema) -> str:
    """Return for the author of a claim why it does not fit the schema, and what would; empty if it does."""
    name, value, stance = str(raw.get("attribute", ""))[:_SHOWN], _value(raw), raw.get("stance", "is")
    attribute = schema.attributes.get(name)
    if attribute is None:
        return f"there is no attribute `{name}`.{did_you_mean(name, schema.attributes)}".rstrip(".")
    if attribute.values and _listed(value, (*attribute.values, _ANY)) is None:
        return f"`{name}` takes {', '.join(attribute.values)}, not `{value[:_SHOWN]}`"
    if attribute.number and not numbers(value):
        return f"`{name}` takes a number ({attribute.number}), not `{value[:_SHOWN]}`"
    if not value:
        return f"`{name}` has no value"
    return "" if stance in STANCES else f"a stance is {', '.join(STANCES)}, not `{str(stance)[:_SHOWN]}`"


def _value(raw: Mapping[str, Any]) -> str:
    return tidy(str(raw.get("value", "")))[:80]


def left_out(candidate: Candidate, draft: Note, schema: Schema) -> list[str]:
    """Return for the author of a candidate which topic and claims its `draft` does not have, and why."""
    topic, faults = candidate.topic.strip(), [claim_fault(raw, schema) for raw in candidate.claims]
    parts = [f"a claim was left out: {fault}" for fault in faults[:MAX_CLAIMS] if fault]
    for raw in (raw for raw, fault in zip(candidate.claims[:MAX_CLAIMS], faults, strict=False) if not fault):
        claim = checked_claim(raw, schema, about=candidate.about)
        if claim not in draft.claims:
            parts.append(
                f"the claim on `{raw['attribute']}` was left out: the user did not say `{_value(raw)[:_SHOWN]}`"
            )
    if len(faults) > MAX_CLAIMS:
        parts.append(f"only the first {MAX_CLAIMS} claims are kept")
    if _listed(topic, schema.topics) is None:
        parts.append(f"it is kept under `{_OTHER_TOPIC}`, because there is no topic `{topic[:_SHOWN]}`")
    return parts


def _listed(value: str, names: Iterable[Name]) -> Name | None:
    """Return the one of `names` that equals `value` apart from case and accents."""
    return next((name for name in names if fold(name) == fold(value)), None)


def is_hard(claims: Collection[Claim], topic: str, schema: Schema) -> bool:
    """Return whether a note is a constraint: by a binding claim, or if it has no claims, by its topic."""
    marked = any(claim.stance in _BINDING and schema.attributes[claim.attribute].hard for claim in claims)
    return marked or (not claims and schema.topics[topic].hard)


def supported(draft: Note, schema: Schema, sources: Sequence[str]) -> tuple[Note, str]:
    """Return a draft without claims and conditions that `sources` don't support, and the removed conditions in words.

    Values of closed lists always count as supported. If a condition is removed, no claim is kept, since they depend
    on it.
    """
    whole = " \n ".join(sources)
    closed = {key for key, condition in schema.when.items() if condition.values}
    when = {key: value for key, value in draft.when.items() if key in closed or not invented(value, whole)}
    removed = ", ".join(value for key, value in draft.when.items() if key not in when)
    kept = [claim for claim in draft.claims if _is_supported(claim, schema.attributes[claim.attribute], whole)]
    claims = () if removed else tuple(kept)
    hard = is_hard(claims, draft.topic, schema)
    return draft.model_copy(update={"when": when, "claims": claims, "hard": hard}), removed


def _is_supported(claim: Claim, attribute: Attribute, source: str) -> bool:
    if attribute.values:
        return True
    if attribute.number:
        return not numbers(claim.value) - _counts(source)
    has_word = not content_words(claim.value) or overlap(claim.value, source).share < 1
    return has_word and not numbers(claim.value) - numbers(source)


def _counts(source: str) -> set[str]:
    """Return the values that numbers in `source` may mean: 18 for 6 pm, 20000 for 2万, 2 for two; always 0 and 1."""
    plain = normalise(source)
    values = numbers(plain) | numbers(re.sub(r"(?<=\d)[,.](?=\d{3}\b)", "", plain))
    values |= {str(int(hour) + _NOON) for hour in values if int(hour) < _NOON}
    values |= {f"{float(many) * _LARGE[unit]:.0f}" for many, unit in re.findall(r"(\d+(?:\.\d+)?)([万千])", plain)}
    return values | {"0", "1"} | {str(COUNT_WORDS[word]) for word in map(fold, words(plain)) if word in COUNT_WORDS}


def _when(given: list[dict[str, Any]], schema: Schema) -> dict[str, str]:
    conditions: dict[str, str] = {}
    for raw in given:
        key, value = str(raw.get("key", FREE)), tidy(str(raw.get("value", "")))[:MAX_CONDITION]
        condition = schema.when.get(key)
        if condition and condition.values:
            known = _listed(value, condition.values)
            key, value = (key, known) if known else (FREE, value)
        elif condition is None:
            key = FREE
        if value:
            conditions[key] = f"{conditions[key]}, {value}" if key in conditions else value
    return conditions


def ending(until: str, today: date, *, hard: bool) -> tuple[datetime | None, str]:
    """Return when a note ends that holds `until` a day or month, and for its author what was changed about that.

    A note ends within a year. A constraint that holds longer does not end at all, since it must not end too early.

    Raises:
        Refused: the day is past.
    """
    day, shown = _day(until), until.strip()[:_SHOWN]
    if day is None:
        return None, f"it has no end: `{shown}` is no date; save it again with YYYY-MM-DD" if shown else ""
    if day < today:
        raise Refused(
            "ungrounded", f"it was over on {day} (`until`), and today is {today}; correct the date, or leave it"
        )
    last = today + timedelta(days=MAX_TTL_DAYS)
    if day <= last:
        return end_of(day), ""
    if hard:
        return None, f"it has no end, because {day} is more than {MAX_TTL_DAYS} days ahead and it is a constraint"
    return end_of(last), f"it ends on {last}, because {day} is more than {MAX_TTL_DAYS} days ahead"


def _day(until: str) -> date | None:
    """Return the day, or the last day of the month, that `until` names as `YYYY-MM-DD` or `YYYY-MM`."""
    if match := re.fullmatch(r"\s*(\d{4})-(\d{2})(?:-(\d{2}))?\s*", until):
        year, month = int(match[1]), int(match[2])
        with suppress(ValueError):
            return date(year, month, int(match[3] or monthrange(year, month)[1]))
    return None


def end_of(day: date) -> datetime:
    """Return the last second of a day, in UTC."""
    return datetime.combine(day, time(23, 59, 59), UTC)
