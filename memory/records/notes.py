"""Describes what is remembered of a person: notes with their claims and evidence (frozen models, JSON-able)."""

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
"""Whom a claim is about when it is about the user."""
COMPANIONS = "companions"
"""The topic of which a note is, besides its own, that is about somebody who travels along."""
FREE = "other"
"""The key of `when` under which a condition stands in free words."""

MAX_TEXT = 240
MAX_QUOTE = 1000
MOST_EVIDENCE = 50
"""Sayings that one note keeps, the latest."""
_IDS: UUID = uuid5(NAMESPACE_URL, "https://github.com/travel-concierge/notes")


def note_id(*parts: str) -> str:
    """Return the id derived from `parts` (thread and tool call, or thread and content): the same parts, the same id."""
    return str(uuid5(_IDS, "\x1f".join(parts)))


class Record(BaseModel):
    """Base of all stored records; `stored_as` is set for those whose changes the journal tells."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    stored_as: ClassVar[Kind]

    def dump(self) -> dict[str, Any]:
        """As plain JSON values."""
        return self.model_dump(mode="json")


REPORTED = "mcp:"
"""What stands before a program's name where evidence names a conversation."""


class Evidence(Record):
    """One time the user said it: their own words, the question that these answered, and where and when."""

    quote: str = Field("", max_length=MAX_QUOTE)
    question: str = Field("", max_length=MAX_QUOTE)
    thread_id: str = ""
    message_id: str = ""
    said_on: date | None = None

    @property
    def program(self) -> str:
        """Return the program that reported it, over MCP; empty where it was said in a conversation."""
        return self.thread_id.removeprefix(REPORTED) if self.thread_id.startswith(REPORTED) else ""


class Claim(Record):
    """What a note says of one attribute of the schema, as data that code compares.

    `about` is `user`, or a companion as the user names them ("wife", "Leo").
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
    """Condition by key of the schema; free words under `other`. Empty when it always holds."""
    scope: Scope = "user"
    workspace: str = ""
    """The workspace that shares it; empty for the user's own."""
    evidence: tuple[Evidence, ...] = ()
    own_words: bool = False
    """The text is the user's own sentence, because another wording could not be verified."""
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
        """Read a note that an earlier version stored, with one source and a condition in words."""
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
        """Active and not past its expiry at `now`."""
        return self.status == "active" and (self.expires_at is None or self.expires_at > now)

    @property
    def topics(self) -> frozenset[str]:
        """Return what consent must allow for it: its topic, and that of companions where it claims something of one."""
        return frozenset({self.topic, *(COMPANIONS for claim in self.claims if claim.about != USER)})

    @property
    def condition(self) -> str:
        """Return the condition in words, for people and for comparing texts; empty when it always holds."""
        return ", ".join(self.when.values())

    @property
    def latest(self) -> Evidence:
        """Return the evidence that came last; an empty one where there is none."""
        return self.evidence[-1] if self.evidence else Evidence()

    @property
    def sayings(self) -> tuple[str, ...]:
        """Return the user's own words behind it, oldest first."""
        return tuple(one.quote for one in self.evidence if one.quote)

    def superseded(self, by: str) -> "Note":
        """Return this note as the note of the id `by` replaced it."""
        return self.model_copy(update={"status": "superseded", "superseded_by": by})

    def said_in(self, thread_id: str, **update: object) -> "Note":
        """Return this note with `update`, as said in the conversation `thread_id`."""
        heard = tuple(one.model_copy(update={"thread_id": thread_id}) for one in self.evidence)
        return self.model_copy(update={"evidence": heard, **update})

    def heard_again(self, *others: "Note", **update: object) -> "Note":
        """Return this note with `update`, and with the evidence of `others` behind its own, each saying once."""
        every = (one for note in (self, *others) for one in note.evidence)
        heard = {(one.quote, one.thread_id, one.message_id): one for one in every}
        return self.model_copy(update={"evidence": tuple(heard.values())[-MOST_EVIDENCE:], **update})
