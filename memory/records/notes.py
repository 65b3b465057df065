"""Describes notes, the remembered statements of a person, with their claims and evidence (frozen, JSON-able models)."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, ClassVar, Literal, get_args
from uuid import NAMESPACE_URL, UUID, uuid5

from pydantic import BaseModel, ConfigDict, Field, model_validator

Kind = Literal["note", "profile", "trip", "episode", "consent", "erasure", "booking"]
Scope = Literal["user", "workspace", "trip"]
Status = Literal["active", "superseded", "expired"]
Stance = Literal["is", "prefers", "avoids", "requires", "excludes", "indifferent"]

SCOPES: tuple[Scope, ...] = get_args(Scope)
STANCES: tuple[Stance, ...] = get_args(Stance)
USER = "user"
"""The value of `about` in a claim about the user."""
COMPANIONS = "companions"
"""The additional topic of a note about somebody who travels along."""
FREE = "other"
"""The key of `when` for a condition in free text."""

MAX_TEXT = 240
MAX_QUOTE = 1000
MOST_EVIDENCE = 50
"""The most pieces of evidence that a note keeps: the latest ones."""
_IDS: UUID = uuid5(NAMESPACE_URL, "https://github.com/travel-concierge/notes")


def note_id(*parts: str) -> str:
    """Return the id derived from `parts` (thread and tool call, or thread and content): the same parts, the same id."""
    return str(uuid5(_IDS, "\x1f".join(parts)))


class Record(BaseModel):
    """Base of all stored records; those whose changes are journalled set `stored_as`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    stored_as: ClassVar[Kind]

    def dump(self) -> dict[str, Any]:
        """Return the record as plain JSON values."""
        return self.model_dump(mode="json")


REPORTED = "mcp:"
"""The prefix of a program's name in the `thread_id` of evidence that the program reported."""


class Evidence(Record):
    """One message in which the user made the statement: their words, the question they answered, where and when."""

    quote: str = Field("", max_length=MAX_QUOTE)
    question: str = Field("", max_length=MAX_QUOTE)
    thread_id: str = ""
    message_id: str = ""
    said_on: date | None = None

    @property
    def program(self) -> str:
        """Return the name of the program that reported it over MCP; empty if it comes from a conversation."""
        return self.thread_id.removeprefix(REPORTED) if self.thread_id.startswith(REPORTED) else ""


class Claim(Record):
    """A statement of a note about one attribute of the schema, as data that code can compare.

    `about` is `user`, or a companion as the user calls them ("wife", "Leo").
    """

    attribute: str = Field(min_length=1, max_length=40)
    value: str = Field(min_length=1, max_length=80)
    stance: Stance = "is"
    about: str = Field(USER, min_length=1, max_length=40)


class Note(Record):
    """One remembered statement with the claims it makes, the condition it holds under, and its evidence."""

    stored_as = "note"
    id: str
    text: str = Field(min_length=1, max_length=MAX_TEXT)
    topic: str = Field(min_length=1, max_length=40)
    claims: tuple[Claim, ...] = ()
    when: dict[str, str] = Field(default_factory=dict)
    """Conditions by key of the schema, with free text under `other`. Empty if the note always holds."""
    scope: Scope = "user"
    workspace: str = ""
    """The workspace that shares the note; empty for the user's own notes."""
    evidence: tuple[Evidence, ...] = ()
    own_words: bool = False
    """True if the text is the user's own sentence, because another wording could not be verified."""
    hard: bool = False
    """A hard constraint (allergy, diet, accessibility, documents): always injected, never evicted."""
    pinned: bool = False
    """Kept by its owner: never evicted."""
    confidence: float = Field(1.0, ge=0, le=1)
    created_at: datetime
    last_update_date: date
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    confirmations: int = Field(1, ge=0)
    status: Status = "active"
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _upgrade(cls, stored: Any) -> Any:
        """Read a note that an earlier version stored with a single source and a condition in words."""
        if not isinstance(stored, Mapping) or "source" not in stored:
            return stored
        source, condition = dict(stored["source"]), stored.get("condition")
        return {
            **{key: value for key, value in stored.items() if key not in ("source", "condition", "keywords")},
            "workspace": source.pop("workspace", ""),
            "when": {FREE: condition} if condition else {},
            "evidence": [{**source, "said_on": stored.get("last_update_date")}],
        }

    def is_live(self, now: datetime) -> bool:
        """Return whether the note is active and has not expired at `now`."""
        return self.status == "active" and (self.expires_at is None or self.expires_at > now)

    @property
    def topics(self) -> frozenset[str]:
        """Return the topics that consent must allow: its own, and `companions` if it has a claim about one."""
        return frozenset({self.topic, *(COMPANIONS for claim in self.claims if claim.about != USER)})

    @property
    def condition(self) -> str:
        """Return the condition in words, for people and for comparing texts; empty when it always holds."""
        return ", ".join(self.when.values())

    @property
    def latest(self) -> Evidence:
        """Return the latest evidence; an empty one if there is none."""
        return self.evidence[-1] if self.evidence else Evidence()

    @property
    def sayings(self) -> tuple[str, ...]:
        """Return the user's words that the note rests on, oldest first."""
        return tuple(one.quote for one in self.evidence if one.quote)

    def superseded(self, by: str) -> "Note":
        """Return this note as superseded by the note with the id `by`."""
        return self.model_copy(update={"status": "superseded", "superseded_by": by})

    def said_in(self, thread_id: str, **update: object) -> "Note":
        """Return this note with its evidence moved to the conversation `thread_id`, and with `update` applied."""
        evidence = tuple(one.model_copy(update={"thread_id": thread_id}) for one in self.evidence)
        return self.model_copy(update={"evidence": evidence, **update})

    def heard_again(self, *others: "Note", **update: object) -> "Note":
        """Return this note with the evidence of `others` added, without duplicates, and with `update` applied."""
        every = (one for note in (self, *others) for one in note.evidence)
        unique = {(one.quote, one.thread_id, one.message_id): one for one in every}
        return self.model_copy(update={"evidence": tuple(unique.values())[-MOST_EVIDENCE:], **update})
