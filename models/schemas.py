"""What a model may be asked to answer in structured form.

Every field is required and free of defaults, so that the schemas hold under an endpoint's strict mode; limits are
checked in code afterwards. Field order matters: a model writes its reason before its verdict.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Answer(BaseModel):
    """Base of all answers: a field that the schema does not name is an error."""

    model_config = ConfigDict(extra="forbid")


class HistorySummary(Answer):
    """What happened so far, under fixed headings. Write UNVERIFIED where nothing was stated; newest fact wins."""

    trip: str = Field(description="Where to, from where, when, why.")
    travellers: str = Field(description="Who travels.")
    preferences: str = Field(description="What the traveller prefers, with `Superseded:` for what was replaced.")
    constraints: str = Field(description="Hard limits: diet, allergies, accessibility, documents, money.")
    options: str = Field(description="What was looked at, with what was said of it.")
    decisions: str = Field(description="What was decided or booked.")
    open_questions: str = Field(description="What is still to be settled.")


class EpisodeSummary(Answer):
    """What to remember of a finished session as a whole."""

    summary: str = Field(description="Two or three sentences.")
    topics: list[str] = Field(description="Three to five single words or short names.")
    key_facts: list[str] = Field(description="At most five short facts: places, dates, decisions.")


Op = Literal["ADD", "MERGE", "SUPERSEDE", "CONFIRM", "DROP", "EXPIRE", "PROMOTE"]


class PlanOperation(Answer):
    """What becomes of one or more session notes."""

    session_notes: list[str] = Field(description="Ids of the session notes it rests on (EXPIRE: may be empty).")
    global_notes: list[str] = Field(description="Ids of the global notes it changes, confirms or promotes.")
    reason: str = Field(description="One short sentence.")
    op: Op
    text: str | None = Field(
        description="The resulting note for ADD, MERGE and SUPERSEDE, using only words of its sources; else null."
    )


class PlanProposal(Answer):
    """A plan that covers every session note exactly once."""

    operations: list[PlanOperation]
