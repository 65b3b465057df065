"""What is remembered of a person: notes, profile and trips, typed and validated (frozen models, JSON-able)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal, get_args
from uuid import NAMESPACE_URL, UUID, uuid5

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Topic = Literal[
    "seat", "cabin", "airline", "layover", "baggage", "meal", "hotel", "room", "neighborhood", "activity", "transport",
    "car", "budget", "booking", "accessibility", "document", "insurance", "pace", "companions", "communication",
    "other",
]  # fmt: skip
Scope = Literal["user", "workspace", "trip"]
Status = Literal["active", "superseded", "expired"]

TOPICS: tuple[Topic, ...] = get_args(Topic)
SCOPES: tuple[Scope, ...] = get_args(Scope)
SINGLE_VALUED: frozenset[Topic] = frozenset(
    {"seat", "cabin", "room", "budget", "pace", "communication", "baggage", "layover"}
)
"""Topics of which a person has one value at a time (under one scope and condition); the others hold many."""

MAX_TEXT = 240
_IDS: UUID = uuid5(NAMESPACE_URL, "https://github.com/travel-concierge/notes")


def note_id(*parts: str) -> str:
    """The id derived from `parts` (thread and tool call, or thread and content): the same parts, the same id."""
    return str(uuid5(_IDS, "\x1f".join(parts)))


class Record(BaseModel):
    """Base of all stored records."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def dump(self) -> dict[str, Any]:
        """As plain JSON values."""
        return self.model_dump(mode="json")


class Source(Record):
    """Where a note came from: the thread, the message, the user's own words, and the workspace it is shared in."""

    thread_id: str
    message_id: str = ""
    quote: str = Field("", max_length=1000)
    workspace: str = ""


Keyword = Annotated[str, StringConstraints(pattern=r"^\S+$", to_lower=True, min_length=1, max_length=40)]


class Note(Record):
    """One remembered statement (S1.1)."""

    id: str
    text: str = Field(min_length=1, max_length=MAX_TEXT)
    topic: Topic
    keywords: tuple[Keyword, ...] = Field(min_length=1, max_length=3)
    scope: Scope = "user"
    condition: str | None = Field(None, max_length=120)
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
    source: Source

    def is_live(self, now: datetime) -> bool:
        """Active and not past its expiry at `now`."""
        return self.status == "active" and (self.expires_at is None or self.expires_at > now)

    @property
    def single_valued(self) -> bool:
        """True when a newer note of the same topic, scope and condition may replace this one (S1.3)."""
        return self.topic in SINGLE_VALUED
