"""Defines the memory tools: `save_memory_note`, `recall_memory`, `list_memories`, and those that forget.

Each returns JSON to the model. The policy judges each note that a model saves; then `distill_notes` stages it, and it
only becomes long-term memory at the end of the session.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage
from langchain_core.tools import BaseTool, ToolException
from langgraph.types import Command
from pydantic import BaseModel, Field, ValidationError, create_model

from memory.claims import says_the_same, standing
from memory.policy import Candidate, Heard, screen
from memory.policy.refusals import refused
from memory.recall.user_recall import KINDS
from models.schemas import Vocabulary, claim_schema, condition_schema, list_of, one_of
from nodes.capture import Rules, capture, heard_in, known_notes, note_for_model, vocabulary
from nodes.services import Services
from nodes.tools.call import Call, Carry, call_tool
from nodes.tools.memory.forget import forget_memory, remember_conversation
from text import as_data, neutralise

if TYPE_CHECKING:
    from memory.recall import Hit

_MAX_LISTED = 50
_LONGEST_RECALLED = 600


@cache
def save_arguments(words: Vocabulary) -> type[BaseModel]:
    """Return the argument model of `save_memory_note`: the fields of a `Candidate`, with the closed lists as enums."""
    return create_model(
        "SaveArguments",
        text=(str, Field(description="one short sentence, in the user's language")),
        quote=(str, Field(description="the user's words, copied exactly")),
        topic=one_of(words.topics),
        claims=list_of(claim_schema(words), default_factory=list),
        when=list_of(condition_schema(words), default_factory=list),
        about=(str, Field("user", description=f"{words.along} (`wife`, `Leo`), or `other`")),
        scope=one_of(words.scopes, "user"),
        until=(str | None, Field(None, description="YYYY-MM-DD when it ends")),
        asked=(bool, Field(False, description="they asked to remember it")),
    )


class RecallArguments(BaseModel):
    """Arguments of `recall_memory`."""

    query: str = Field()
    limit: int = 3
    scopes: list[str] = Field(list(KINDS), description="note, episode, turn")
    after: str | None = Field(None, json_schema_extra={"format": "date"})
    before: str | None = Field(None, json_schema_extra={"format": "date"})


def memory_tools(services: Services) -> list[BaseTool]:
    """Return the memory tools; `save_memory_note` only if the setting `distillation` is `tool`."""
    saves = services.settings.distillation == "tool"
    saving = [call_tool(save_memory_note, services, save_arguments(vocabulary(services.gate.schema)))] if saves else []
    others: tuple[Carry, ...] = (recall_memory, forget_memory, remember_conversation, list_memories)
    return [*saving, *(call_tool(each, services) for each in others)]


async def save_memory_note(call: Call, arguments: BaseModel) -> Command[Any]:
    """Judge the proposal in `arguments` (see `save_arguments`), and add it to the candidates if it is accepted."""
    proposal, state = Candidate.model_validate(arguments.model_dump()), call.state
    run = call.run.with_message_mode(state["messages"])
    rules = await Rules.of(run, state)
    long_term, staged = await known_notes(state, run)
    heard, parts = heard_in(state["messages"]), (run.thread_id, call.message_id, call.id)
    verdict, note = capture(proposal, rules, heard=heard, parts=parts, taken=_taken_before(call, rules, heard))
    if note is None:
        result: dict[str, Any] = {"status": "blocked", "code": verdict.code, "hint": verdict.hint}
        if verdict.code == "consent_denied":
            result["because"] = "forgotten" if verdict.hint else "topic"
            await run.memory.withhold(run.thread_id, proposal.text, proposal.quote)
        return call.answered(result, {"blocked": [{"code": verdict.code, "hash": verdict.hash}]})
    texts = (note.text, *note.sayings)
    await run.memory.commit(await run.memory.lifted(*texts, actor="agent", thread_id=run.thread_id))
    await run.memory.withhold(run.thread_id, release=rules.withheld.repeats(*texts))
    is_repeat = any(says_the_same(note, other) for other in (*long_term, *staged))
    result = {"status": "kept_already" if is_repeat else "kept", "id": note.id, "text": note.text}
    if verdict.hint:
        result["hint"] = verdict.hint
    return call.answered(result, {"candidates": [note.dump()]})


def _taken_before(call: Call, rules: Rules, heard: Sequence[Heard]) -> int:
    """Return how many proposals of this turn are accepted before `call`, as far as the limit of a turn needs it.

    Calls of one answer run in parallel and don't see each other's candidates, so those before it are judged here too.
    """
    taken, answer = len(call.state.get("candidates", [])), call.state["messages"][-1]
    calls = answer.tool_calls if isinstance(answer, AIMessage) else []
    earlier = list(takewhile(lambda one: one["id"] != call.id, calls))
    proposed = [one["args"] for one in earlier if one["name"] == "save_memory_note"]
    if taken + len(proposed) < rules.gate.max_per_turn:
        return taken
    for arguments in proposed:
        with suppress(ValidationError):  # a call with such arguments is refused
            _, note = capture(Candidate.model_validate(arguments), rules, heard=heard, parts=(), taken=taken)
            taken += note is not None
    return taken


async def recall_memory(call: Call, arguments: RecallArguments) -> dict[str, Any]:
    """Search notes, episodes and earlier conversations."""
    run = call.run
    hits = await run.services.recollection.search(
        run.store,
        run.memories,
        arguments.query,
        limit=arguments.limit,
        scopes=arguments.scopes,
        after=_midnight("after", arguments.after),
        before=_midnight("before", arguments.before),
        without_thread=run.thread_id,
    )
    usable = {note.id for note in await run.notes()}
    allowed = [hit for hit in hits if hit.document.kind != "note" or hit.document.id in usable]
    safe = [hit for hit in allowed if screen(hit.document.text) is None]
    run.publish("memory.recalled", [{"id": hit.document.id, "kind": hit.document.kind} for hit in safe])
    return {"results": [_recalled(hit) for hit in safe]}


def _recalled(hit: Hit) -> dict[str, Any]:
    document = hit.document
    when = document.at.date().isoformat() if document.at else None
    text, score = neutralise(document.text[:_LONGEST_RECALLED]), round(hit.score, 3)
    return {"kind": document.kind, "text": text, "speaker": document.speaker, "when": when, "score": score}


def _midnight(name: str, day: str | None) -> datetime | None:
    if day is None:
        return None
    try:
        return datetime.combine(date.fromisoformat(day), time(), UTC)
    except ValueError:
        raise ToolException(f"`{name}` is {day!r}; give a date as YYYY-MM-DD.") from None


async def list_memories(call: Call, topic: str | None = None) -> dict[str, Any]:
    """List notes and trips. At least one argument is needed: a tool without any does not get the run's context."""
    long_term, staged = await known_notes(call.state, call.run)
    places, schema = {"this conversation": staged, "long-term": long_term}, call.run.schema
    notes = [note_for_model(note, place) for place, held in places.items() for note in standing(held, staged, schema)]
    notes = [note and {**note, "scope": schema.scope_name(note["scope"])} for note in notes]
    listed = [note for note in notes if note is not None and (topic is None or note["topic"] == topic)]
    result: dict[str, Any] = {"notes": listed[:_MAX_LISTED]}
    if topic is None and (trips := await call.run.memory.trips()):
        result["trips"] = [as_data(trip.told()) for trip in trips[:_MAX_LISTED] if refused("trip", trip.dump()) is None]
    if len(listed) > _MAX_LISTED:
        result["more"] = len(listed) - _MAX_LISTED
    return result
