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
    kinds: tuple[str, str]
    """The kind of a statement of the user's, and the answer for one that holds this time only."""
    along: str
    """Whom notes may be about besides the user."""
    headings: tuple[tuple[str, str], ...]
    """The headings of a summary by name, with what belongs there."""


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


class Remark(_Answer):
    """A statement that tells nothing of the user; its kind is all there is to say."""

    kind: Literal["someone_else", "question", "order", "small_talk"]


@cache
def extracted_notes(words: Vocabulary) -> type[BaseModel]:
    """Return the schema of an extraction: `notes`, each a `Remark`, or a proposal with the fields of a `Candidate`."""
    speaker, this_once = words.kinds
    kind: Any = Literal[speaker]
    holds: Any = Literal["always", this_once]  # as a kind, small models took most preferences for wishes of this time
    proposal = create_model(
        "NoteProposal",
        __base__=_Answer,
        kind=(kind, ...),
        quote=(str, Field(description="The user's own words, copied exactly.")),
        holds=(holds, ...),
        about=(str, Field(description=f"`user`, or {words.along} (`wife`, `Leo`), or `other` for anybody else.")),
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


@cache
def history_summary(headings: tuple[tuple[str, str], ...]) -> type[BaseModel]:
    """Return the schema of a summary: a text for each heading, given by name with what belongs there."""
    doc = "What happened so far, under fixed headings. Write UNVERIFIED where nothing was stated; newest fact wins."
    fields: Any = {name: (str, Field(description=about)) for name, about in headings}
    return create_model("HistorySummary", __base__=_Answer, __doc__=doc, **fields)


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
