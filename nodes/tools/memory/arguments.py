"""What the model passes to the memory tools. Limits are checked in code, where a breach gets an answer to act on."""

from __future__ import annotations

from pydantic import BaseModel, Field

from memory.recall.user_recall import KINDS
from memory.records.notes import TOPICS


class SaveArguments(BaseModel):
    """Arguments of `save_memory_note`."""

    text: str = Field(description="The statement, one or two short sentences, at most 240 characters.")
    topic: str = Field(description=f"One of: {', '.join(TOPICS)}.")
    keywords: list[str] = Field(description="One to three single lowercase words.")
    quote: str = Field(description="The user's own words it rests on, copied exactly.")
    scope: str = Field(
        "user",
        description="`user`; `trip` for this trip only; `workspace` for what the user's group shares.",
    )
    condition: str | None = Field(None, description="When it holds, if not always, as in 'on overnight flights'.")
    confidence: float = Field(1.0, description="0 to 1: how plainly the user said it.")
    ttl_days: int | None = Field(None, description="Days until it expires, 1 to 365; null for none.")


class RecallArguments(BaseModel):
    """Arguments of `recall_memory`."""

    query: str = Field(description="What to look for, at most 240 characters.")
    limit: int = Field(3, description="Most results, 1 to 6.")
    scopes: list[str] = Field(list(KINDS), description="Where to look: any of note, episode, turn.")
    after: str | None = Field(None, description="Only what was said from this date on, YYYY-MM-DD.")
    before: str | None = Field(None, description="Only what was said before this date, YYYY-MM-DD.")


class ForgetArguments(BaseModel):
    """Arguments of `forget_memory`."""

    query: str = Field(description="What to forget, in the user's words, or the handle of a shown memory.")
    mentions: bool = Field(
        False, description="True once the user agreed to erase earlier messages that mention it, where no note does."
    )


class ConversationArguments(BaseModel):
    """Arguments of `remember_conversation`."""

    remember: bool = Field(description="False to learn nothing from this conversation, true to learn from it again.")


class ListArguments(BaseModel):
    """Arguments of `list_memories`. One is needed: a tool without any would not be handed the run's context."""

    topic: str | None = Field(None, description="Only notes of this topic; null for all.")
