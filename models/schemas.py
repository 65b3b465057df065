"""Defines the schemas of structured answers.

Every field is required and has no default, so that the schemas work in an endpoint's strict mode; limits are checked
later, in code. Field order matters: a model writes its reason before its verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The closed lists of the memory schema; they become enums in the schemas of notes."""

    topics: tuple[str, ...]
    attributes: tuple[str, ...]
    conditions: tuple[str, ...]
    stances: tuple[str, ...]
    scopes: tuple[str, ...]


@cache
def claim_schema(words: Vocabulary) -> type[BaseModel]:
    """Return the schema of a claim: attribute, value and stance."""
    return create_model(
        "Claim",
        __base__=_Answer,
        attribute=one_of(words.attributes),
        value=(str, ...),
        stance=one_of(words.stances),
    )


@cache
def condition_schema(words: Vocabulary) -> type[BaseModel]:
    """Return the schema of a condition: a key, and its value in words."""
    return create_model("Condition", __base__=_Answer, key=one_of((*words.conditions, "other")), value=(str, ...))


_Kept = Literal["traveller"]
"""The kind of a statement about the traveller or their companions; other kinds are dropped."""
_Holds = Literal["always", "this_trip"]
"""How long a statement holds. As a kind, small models took most preferences for wishes of this trip."""


class Remark(_Answer):
    """A statement that tells nothing of the traveller; its kind is all there is to say."""

    kind: Literal["someone_else", "question", "order", "small_talk"]


@cache
def extracted_notes(words: Vocabulary) -> type[BaseModel]:
    """Return the schema of an extraction: `notes`, each a `Remark`, or a proposal with the fields of a `Candidate`."""
    proposal = create_model(
        "NoteProposal",
        __base__=_Answer,
        kind=(_Kept, ...),
        quote=(str, Field(description="The user's own words, copied exactly.")),
        holds=(_Holds, ...),
        about=(str, Field(description="`user`, or who travels along (`wife`, `Leo`), or `other` for anybody else.")),
        topic=one_of(words.topics),
        text=(str, Field(description="The statement about the user in one short sentence, in the user's language.")),
        claims=list_of(claim_schema(words)),
        when=list_of(condition_schema(words), description="When it holds, if not always."),
        until=(str | None, Field(description="YYYY-MM-DD when it ends on a day, else null.")),
        confidence=(float, Field(description="0 to 1: how plainly the user said it.")),
    )
    return create_model("ExtractedNotes", __base__=_Answer, notes=list_of(proposal | Remark))


def list_of(item: Any, **options: Any) -> Any:
    """Return a field definition of a list of `item`, with the `options` of `Field`."""
    return (list.__class_getitem__(item), Field(**options))


def one_of(values: tuple[str, ...], default: Any = ...) -> Any:
    """Return a field definition with `values` as its enum. They are not enforced: the policy judges other values."""
    return (str, Field(default, json_schema_extra={"enum": list(values)}))


class HistorySummary(_Answer):
    """What happened so far, under fixed headings. Write UNVERIFIED where nothing was stated; newest fact wins."""

    trip: str = Field(description="Where to, from where, when, why.")
    travellers: str = Field(description="Who travels.")
    preferences: str = Field(description="What the traveller prefers, with `Superseded:` for what was replaced.")
    constraints: str = Field(description="Hard limits: diet, allergies, accessibility, documents, money.")
    options: str = Field(description="What was looked at, with what was said of it.")
    decisions: str = Field(description="What was decided or booked.")
    identifiers: str = Field(description="Flight numbers, names of hotels and providers that the trip goes on with.")
    timeline: str = Field(description="What happened and what is to happen, with its days.")
    findings: str = Field(description="What the tools gave, and what they could not give.")
    open_questions: str = Field(description="What is still to be settled, and the next step.")


class EpisodeSummary(_Answer):
    """What to remember of a finished session as a whole."""

    summary: str = Field(description="Two or three sentences.")
    topics: list[str] = Field(description="Three to five single words or short names.")
    key_facts: list[str] = Field(description="At most five short facts: places, dates, decisions.")


Op = Literal["ADD", "MERGE", "SUPERSEDE", "CONFIRM", "DROP", "EXPIRE"]


class PlanOperation(_Answer):
    """What becomes of one or more session notes."""

    session_notes: list[str] = Field(description="The session notes it rests on, as `s1`.")
    global_notes: list[str] = Field(description="The global notes it changes or confirms, as `g4`.")
    reason: str = Field(description="One short sentence, before the verdict.")
    op: Op
    text: str | None = Field(description="The resulting note for ADD, MERGE and SUPERSEDE; else null.")


class PlanProposal(_Answer):
    """A plan that covers every session note exactly once."""

    operations: list[PlanOperation]
