"""Defines the memory tools: `save_memory_note`, `recall_memory`, `list_memories`, and those that forget.

Each answers the model with JSON. Nothing they do to notes skips the policy: a saved note is judged here, staged by
`distill_notes`, and becomes long-term memory at the end of the session only.
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time
from functools import cache
from typing import TYPE_CHECKING, Any

from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool, ToolException
from langgraph.types import Command
from pydantic import BaseModel, Field, create_model

from memory.claims import says_the_same
from memory.policy import Candidate, fingerprint, screen
from memory.policy.refusals import refused
from memory.recall.user_recall import KINDS
from models.schemas import Vocabulary, claim_schema, condition_schema, one_of
from nodes.capture import Rules, capture, heard_in
from nodes.messages.turns import latest_user_message
from nodes.services import Run, Services
from nodes.tools.memory.forget import forget, set_conversation
from nodes.tools.memory.known_notes import MemoryRuntime, answered, call_id, known_notes, note_for_model
from nodes.tools.toolbox import define_tool
from text import neutralise

if TYPE_CHECKING:
    from memory.recall import Hit

SAVING = "save_memory_note"
"""The tool that proposes a note."""
_MOST_LISTED = 50
_LONGEST_RECALLED = 600


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
    mentions: bool = Field(False, description="they agreed to erase messages that mention it")


class ConversationArguments(BaseModel):
    """Arguments of `remember_conversation`."""

    remember: bool = Field()


class ListArguments(BaseModel):
    """Arguments of `list_memories`. One is needed: a tool without any would not be handed the run's context."""

    topic: str | None = None


def memory_tools(services: Services) -> list[BaseTool]:
    """Return the tools, bound to what they may use; one saves notes where `distillation` is `tool`."""

    async def save_memory_note(runtime: MemoryRuntime, **given: Any) -> Command[Any]:
        return await _save(_candidate(given), runtime, services)

    async def recall_memory(runtime: MemoryRuntime, **given: Any) -> str:
        return await _recall(RecallArguments(**given), runtime, services)

    async def forget_memory(runtime: MemoryRuntime, query: str, mentions: bool) -> Command[Any]:
        return await forget(query, runtime, services, mentions=mentions)

    async def remember_conversation(runtime: MemoryRuntime, remember: bool) -> Command[Any]:
        return await set_conversation(runtime, services, remember=remember)

    async def list_memories(runtime: MemoryRuntime, topic: str | None) -> str:
        return await _list(topic, runtime, services)

    saving = [define_tool(save_memory_note, save_arguments(services.vocabulary))]
    return [
        *(saving if services.settings.distillation == "tool" else ()),
        define_tool(recall_memory, RecallArguments),
        define_tool(forget_memory, ForgetArguments),
        define_tool(remember_conversation, ConversationArguments),
        define_tool(list_memories, ListArguments),
    ]


def _as_data(value: Any) -> Any:
    """Return a JSON value with every text in it made one harmless line."""
    if isinstance(value, dict):
        return {key: _as_data(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_as_data(one) for one in value]
    return neutralise(value) if isinstance(value, str) else value


async def refused_arguments(call: ToolCall, fault: str, run: Run) -> Command[Any]:
    """Return the answer to a proposal that does not even have the parts of one, which is refused like any other."""
    told = {"status": "blocked", "code": "ungrounded", "hint": f"{fault}. Correct it and call the tool again."}
    digest = fingerprint(json.dumps(call["args"], ensure_ascii=False, default=str), await run.memory.hash_key())
    message = ToolMessage(json.dumps(told, ensure_ascii=False), tool_call_id=str(call["id"]))
    return Command(update={"blocked": [{"code": "ungrounded", "hash": digest}], "messages": [message]})


def _candidate(given: dict[str, Any]) -> Candidate:
    """Return the proposal of a call; claims and conditions come as models of the tool's schema."""
    plain = {name: _plain(value) for name, value in given.items()}
    return Candidate.model_validate(plain)


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.model_dump() if isinstance(value, BaseModel) else value


async def _save(proposal: Candidate, runtime: MemoryRuntime, services: Services) -> Command[Any]:
    latest = latest_user_message(runtime.state["messages"])
    run = (await Run.of(runtime.state, runtime, services)).within(latest)
    message_id = (latest.id or "") if latest else ""
    rules = await Rules.of(run, runtime.state)
    long_term, staged = await known_notes(runtime.state, run, services)
    verdict, note = capture(
        proposal,
        run=run,
        rules=rules,
        heard=heard_in(runtime.state["messages"]),
        # Some endpoints number their calls anew in every answer: the message tells two calls of one name apart.
        parts=(run.thread_id, message_id, call_id(runtime)),
        taken=len(runtime.state.get("candidates", [])),
        now=services.clock(),
    )
    if note is None:
        told: dict[str, Any] = {"status": "blocked", "code": verdict.code, "hint": verdict.hint}
        if verdict.code == "consent_denied":
            told["because"] = "topic" if proposal.topic in rules.gate.denied_topics else "forgotten"
        return answered(runtime, told, {"blocked": [{"code": verdict.code, "hash": verdict.hash}]})
    await run.memory.lift(rules.forgotten.repeats(note.text, *note.sayings), actor="agent", thread_id=run.thread_id)
    known = any(says_the_same(note, other) for other in (*long_term, *staged))
    told = {"status": "kept_already" if known else "kept", "id": note.id, "text": note.text}
    if verdict.hint:
        told["hint"] = verdict.hint
    return answered(runtime, told, {"candidates": [note.dump()]})


async def _recall(asked: RecallArguments, runtime: MemoryRuntime, services: Services) -> str:
    run = await Run.of(runtime.state, runtime, services)
    hits = await services.recollection.search(
        run.store,
        run.memories,
        asked.query,
        limit=asked.limit,
        scopes=asked.scopes,
        after=_midnight("after", asked.after),
        before=_midnight("before", asked.before),
        without_thread=run.thread_id,
    )
    safe = [hit for hit in hits if screen(hit.document.text) is None]
    run.tell("memory.recalled", [{"id": hit.document.id, "kind": hit.document.kind} for hit in safe])
    return json.dumps({"results": [_recalled(hit) for hit in safe]}, ensure_ascii=False)


def _recalled(hit: Hit) -> dict[str, Any]:
    found = hit.document
    when = found.at.date().isoformat() if found.at else None
    text = neutralise(found.text[:_LONGEST_RECALLED])
    return {"kind": found.kind, "text": text, "speaker": found.speaker, "when": when, "score": round(hit.score, 3)}


def _midnight(name: str, given: str | None) -> datetime | None:
    if given is None:
        return None
    try:
        return datetime.combine(date.fromisoformat(given), time(), UTC)
    except ValueError:
        raise ToolException(f"`{name}` is {given!r}; give a date as YYYY-MM-DD.") from None


async def _list(topic: str | None, runtime: MemoryRuntime, services: Services) -> str:
    run = await Run.of(runtime.state, runtime, services)
    long_term, staged = await known_notes(runtime.state, run, services)
    listed = [note_for_model(note, "this conversation") for note in staged] + [
        note_for_model(note, "long-term") for note in long_term
    ]
    listed = [note for note in listed if note is not None and (topic is None or note["topic"] == topic)]
    told: dict[str, Any] = {"notes": listed[:_MOST_LISTED]}
    if topic is None and (trips := await run.memory.trips()):
        told["trips"] = [_as_data(one.told()) for one in trips[:_MOST_LISTED] if refused("trip", one.dump()) is None]
    if len(listed) > _MOST_LISTED:
        told["more"] = len(listed) - _MOST_LISTED
    return json.dumps(told, ensure_ascii=False)
