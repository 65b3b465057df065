"""Describes what a judgement takes and what it returns, and what a deployment lets memory keep."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import ConfigDict, Field

from config.errors import SettingsError
from config.explain import did_you_mean
from config.settings import Settings
from memory.records.notes import MAX_QUOTE, SCOPES, USER, Claim, Evidence, Note, Record, Scope
from memory.schema import TRAVEL, Schema, load_schema

Name = TypeVar("Name", bound=str)
Outcome = Literal["accepted", "normalised", "blocked"]

MAX_CONDITION = 120
MAX_CLAIMS = 6
MAX_TTL_DAYS = 365
OTHERS = "other"
"""Whom a candidate is about when it is about somebody who does not travel along."""


class Candidate(Record):
    """A statement proposed for memory, just as the model gave it: any value may be wrong and is judged, not raised.

    `claims` and `when` are mappings as the tool schema has them. `until` is a day or month (`YYYY-MM-DD`, `YYYY-MM`),
    `lasts_days` a number of days; `asked` says that the user asked for it to be remembered.
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
    lasts_days: int | None = None
    confidence: float = 1.0
    asked: bool = False


class NoteDraft(Record):
    """The values of a note that has no id, date or evidence yet."""

    text: str
    topic: str
    claims: tuple[Claim, ...] = ()
    when: dict[str, str] = Field(default_factory=dict)
    scope: Scope
    confidence: float = Field(ge=0, le=1)
    expires_on: date | None = None
    hard: bool = False
    own_words: bool = False
    quote: str = Field(max_length=MAX_QUOTE)
    question: str = Field("", max_length=MAX_QUOTE)
    message_id: str = ""

    @property
    def condition(self) -> str:
        """Return the condition in words."""
        return ", ".join(self.when.values())

    def note(self, key: str, *, thread_id: str, now: datetime, **more: Any) -> Note:
        """Return the note that it makes, said in the conversation `thread_id`; `more` are further values of a note."""
        said = {"quote": self.quote, "question": self.question, "message_id": self.message_id}
        evidence = Evidence(**said, thread_id=thread_id, said_on=now.date())
        kept = {name: value for name, value in self if name in Note.model_fields}
        own = {"id": key, "evidence": (evidence,), "created_at": now, "last_update_date": now.date()}
        return Note.model_validate({**kept, **own, **more})


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
        draft: The values of the note to write; None when blocked.
        hint: What the model can change, or what was changed for it; empty when there is nothing to say.
    """

    outcome: Outcome
    code: str | None
    hash: str
    draft: NoteDraft | None
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
        topics=_chosen("memory_topics", settings.memory_topics, schema.topic_names),
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
