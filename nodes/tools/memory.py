"""The memory tools: `save_memory_note`, `recall_memory`, `forget_memory`, `list_memories` (S3.2).

Each answers the model with JSON. Nothing they do to notes skips the policy: a saved note is judged here, staged by
`distill_notes`, and becomes long-term memory at the end of the session only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.prebuilt import ToolRuntime
from langgraph.types import Command
from pydantic import BaseModel

from graph.context import Context
from graph.state import State
from nodes.capture import capture, is_repeat
from nodes.events import emit
from nodes.services import Run, Services
from nodes.tools.arguments import ForgetArguments, ListArguments, RecallArguments, SaveArguments
from nodes.turns import latest_user_message, user_words
from prompts import prompt
from stores.matching import best_matches, is_meant
from stores.notes import Note
from stores.policy import Candidate, neutralise, screen
from stores.statements import same_statement

if TYPE_CHECKING:
    from stores.recall import Hit

_MOST_LISTED = 50
_MOST_MATCHES = 6
_LONGEST_RECALLED = 600

MemoryRuntime = ToolRuntime[Context, State]


def memory_tools(services: Services) -> list[BaseTool]:
    """The four tools, bound to what they may use."""

    async def save_memory_note(runtime: MemoryRuntime, **given: Any) -> Command[Any]:
        return await _save(Candidate(**given), runtime, services)

    async def recall_memory(runtime: MemoryRuntime, **given: Any) -> str:
        return await _recall(RecallArguments(**given), runtime, services)

    async def forget_memory(runtime: MemoryRuntime, query: str) -> Command[Any]:
        return await _forget(query, runtime, services)

    async def list_memories(runtime: MemoryRuntime, topic: str | None) -> str:
        return await _list(topic, runtime, services)

    return [
        _tool(save_memory_note, SaveArguments),
        _tool(recall_memory, RecallArguments),
        _tool(forget_memory, ForgetArguments),
        _tool(list_memories, ListArguments),
    ]


def _tool(function: Callable[..., Coroutine[Any, Any, Any]], arguments: type[BaseModel]) -> BaseTool:
    name = function.__name__
    return StructuredTool.from_function(
        coroutine=function,
        name=name,
        description=prompt(f"tools/{name}"),
        args_schema=arguments,
        handle_validation_error=_explain,
    )


def _explain(error: Any) -> str:
    faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
    return f"The arguments do not fit: {faults}. Correct them and call the tool again."


async def _known(runtime: MemoryRuntime, services: Services) -> tuple[list[Note], list[Note]]:
    now = services.clock()
    staged = [Note.model_validate(note) for note in runtime.state.get("session_notes", [])]
    live = sorted((n for n in staged if n.is_live(now)), key=lambda note: note.created_at, reverse=True)
    return await Run.of(runtime, services).notes(), live


async def _save(proposal: Candidate, runtime: MemoryRuntime, services: Services) -> Command[Any]:
    latest = latest_user_message(runtime.state["messages"])
    run = Run.of(runtime, services).within(latest)
    message_id = (latest.id or "") if latest else ""
    verdict, note = capture(
        proposal,
        run=run,
        words=user_words(runtime.state["messages"]),
        # Some endpoints number their calls anew in every answer: the message tells two calls of one name apart.
        parts=(run.thread_id, message_id, _call_id(runtime)),
        message_id=message_id,
        taken=len(runtime.state.get("candidates", [])),
        key=await run.memory.hash_key(),
        now=services.clock(),
    )
    if note is None:
        told: dict[str, Any] = {"status": "blocked", "code": verdict.code}
        return _command(runtime, told, {"blocked": [{"code": verdict.code, "hash": verdict.hash}]})
    long_term, staged = await _known(runtime, services)
    known = any(is_repeat(note, other) for other in (*long_term, *staged))
    told = {"status": "kept_already" if known else "kept", "id": note.id, "text": note.text}
    return _command(runtime, told, {"candidates": [note.dump()]})


async def _recall(asked: RecallArguments, runtime: MemoryRuntime, services: Services) -> str:
    run = Run.of(runtime, services)
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
    emit("memory.recalled", [{"id": hit.document.id, "kind": hit.document.kind} for hit in safe])
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
    long_term, staged = await _known(runtime, services)
    listed = [_told(note, "this conversation") for note in staged] + [_told(note, "long-term") for note in long_term]
    listed = [note for note in listed if note is not None and (topic is None or note["topic"] == topic)]
    told: dict[str, Any] = {"notes": listed[:_MOST_LISTED]}
    if len(listed) > _MOST_LISTED:
        told["more"] = len(listed) - _MOST_LISTED
    return json.dumps(told, ensure_ascii=False)


async def _forget(query: str, runtime: MemoryRuntime, services: Services) -> Command[Any]:
    """Forget what is plainly meant, every copy of it; list what may be meant otherwise. A repeat does nothing more."""
    latest = latest_user_message(runtime.state["messages"])
    run = Run.of(runtime, services)
    step = f"forget:{run.thread_id}:{latest.id if latest else ''}:{_call_id(runtime)}"
    if await run.memory.has_step(step):
        return _command(runtime, {"status": "forgotten"}, {})
    long_term, staged = await _known(runtime, services)
    shown = (runtime.state.get("memory_view") or {"shown": []})["shown"]
    named = {note["handle"]: note["id"] for note in shown}
    everything = [*staged, *long_term]
    chosen = [note for note in everything if note.id in (query.strip(), named.get(query.strip()))]
    matches = chosen or best_matches(query, everything)
    copies = [note for note in everything if matches and (note == matches[0] or same_statement(note, matches[0]))]
    if not matches:
        return _command(runtime, {"status": "none"}, {})
    if any(note not in copies for note in matches) or not (chosen or is_meant(query, matches[0])):
        listed = [told for told in (_told(note, "") for note in matches[:_MOST_MATCHES]) if told]
        return _command(runtime, {"status": "which_one", "matches": listed}, {})
    for place, note in enumerate(note for note in copies if note in long_term):
        memory = run.shared if run.shared and note.scope == "workspace" else run.memory
        await memory.forget(note.id, thread_id=run.thread_id, step=f"{step}:{place}" if place else step)
    gone = [{"id": note.id, "status": "forgotten"} for note in copies]
    return _command(runtime, {"status": "forgotten", "text": neutralise(copies[0].text)}, {"session_notes": gone})


def _told(note: Note, where: str) -> dict[str, Any] | None:
    """A note as the model may read it, screened and as one line; None for one that the policy refuses today."""
    if screen(note.text) or screen(note.condition or ""):
        return None
    return {
        "handle": note.id,
        "text": neutralise(note.text),
        "topic": note.topic,
        "scope": note.scope,
        "condition": neutralise(note.condition) if note.condition else None,
        "date": note.last_update_date.isoformat(),
        "where": where,
    }


def _call_id(runtime: MemoryRuntime) -> str:
    return runtime.tool_call_id or ""


def _command(runtime: MemoryRuntime, told: dict[str, Any], update: dict[str, Sequence[Any]]) -> Command[Any]:
    message = ToolMessage(json.dumps(told, ensure_ascii=False), tool_call_id=_call_id(runtime))
    return Command(update={**update, "messages": [message]})
