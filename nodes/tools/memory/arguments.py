"""Defines the arguments of the memory tools. Limits are checked in code, where a breach gets an answer to act on."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import BaseModel, Field, create_model

from memory.recall.user_recall import KINDS
from models.schemas import Vocabulary, claim_schema, condition_schema, one_of


@cache
def save_arguments(words: Vocabulary) -> type[BaseModel]:
    """Arguments of `save_memory_note`: the fields of a candidate, with the schema's closed lists as enums."""
    return create_model(
        "SaveArguments",
        text=(str, Field(description="one short sentence, in the user's language")),
        quote=(str, Field(description="the user's words, copied exactly")),
        topic=one_of(words.topics),
        claims=_list_of(claim_schema(words)),
        when=_list_of(condition_schema(words)),
        about=(str, Field("user", description="who travels along (`wife`, `Leo`), or `other`")),
        scope=one_of(words.scopes, "user"),
        until=(str | None, Field(None, description="YYYY-MM-DD when it ends")),
        asked=(bool, Field(False, description="they asked to remember it")),
    )


def _list_of(item: type[BaseModel]) -> Any:
    return (list.__class_getitem__(item), Field(default_factory=list))


class RecallArguments(BaseModel):
    """Arguments of `recall_memory`."""

    query: str = Field()
    limit: int = 3
    scopes: list[str] = Field(list(KINDS), description="note, episode, turn")
    after: str | None = Field(None, json_schema_extra={"format": "date"})
    before: str | None = Field(None, json_schema_extra={"format": "date"})


class ForgetArguments(BaseModel):
    """Arguments of `forget_memory`."""

    query: str = Field(description="the user's words, or a handle")
    mentions: bool = Field(False, description="the user agreed to erase messages that mention it")


class ConversationArguments(BaseModel):
    """Arguments of `remember_conversation`."""

    remember: bool = Field()


class ListArguments(BaseModel):
    """Arguments of `list_memories`. One is needed: a tool without any would not be handed the run's context."""

    topic: str | None = None
