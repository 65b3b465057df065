"""`inject_memory`: opens a turn. Reads memory afresh and renders it for this turn only (S2)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.runtime import Runtime

from graph.context import Context, MemoryMode
from graph.state import (
    META,
    MemoryView,
    MessageMeta,
    Report,
    Session,
    State,
    StopReason,
    is_real_user,
    merge_notes,
    meta,
)  # fmt: skip
from memory.recall.user_recall import LONGEST_QUERY
from memory.records.conversations import Conversations
from memory.records.notes import Note, note_id
from memory.records.sessions import OpenSession, OpenSessions
from memory.selection.asked_conflicts import AskedClashes, Clash, Standing
from memory.selection.conflicts import clashes
from memory.selection.eviction import freshness
from memory.selection.select import needs_scores, select
from nodes.messages.erase import erasing
from nodes.messages.system_prompt import Memories, render
from nodes.messages.turns import latest_user_message
from nodes.services import Run, Services


async def inject_memory(state: State, runtime: Runtime[Context], *, services: Services) -> dict[str, Any]:
    """Stamp the new message, open a session where none runs, and render what this turn sees of memory.

    Raises:
        AccessDeniedError: the thread belongs to another user.
    """
    run = Run.of(runtime, services)
    run.check_owner(state.get("owner"))
    before = state.get("turns", 0)
    mode = await _mode(state, run)
    stamped = _stamp(state["messages"], before, services.clock().isoformat(timespec="seconds"), mode)
    erased = await erasing(state, run, fresh=stamped)
    messages = _replaced(state["messages"], [*erased.get("messages", ()), *stamped])
    run = run.within(latest_user_message(messages))
    session = state.get("session") or _open_session(stamped, before + 1, run, services)
    await _touch(state, session, before + len(stamped), run, services)
    staged = merge_notes(state.get("session_notes", []), erased.get("session_notes", ()))
    state = {**state, "messages": messages, "session": session, "session_notes": staged}
    return {
        **erased,
        "messages": [*erased.get("messages", ()), *stamped],
        "owner": state.get("owner") or run.owner,
        "turns": before + len(stamped),
        "session": session,
        "candidates": None,
        "blocked": None,
        "forgotten": None,
        "report": blank_report(run.run_id),
        "memory_view": await memory_view(state, run, services),
    }


async def memory_view(state: State, run: Run, services: Services) -> MemoryView:
    """What this turn sees of memory. A turn resumed after a crash renders it again: it is never checkpointed."""
    memories = None if run.mode == "off" or run.user_id is None else await _read(state, run, services)
    view = render(memories, today=services.clock().date(), language=run.language)
    return {**view, "deadline": services.monotonic() + services.settings.turn_timeout}


def blank_report(run_id: str) -> Report:
    """The account of a run that has done nothing yet."""
    return Report(
        run_id=run_id,
        stop_reason=StopReason.ANSWERED.value,
        outcome="context_only",
        memory={"shown": [], "used": [], "written": [], "forgotten": [], "blocked": [], "violations": []},
        consolidated=[],
    )


async def _read(state: State, run: Run, services: Services) -> Memories:
    settings = services.settings
    latest = latest_user_message(state["messages"])
    text = latest.text if latest else ""
    notes = await run.notes()
    strategy, k = settings.injection_strategy, settings.injection_k
    scores: dict[str, float] = {}
    if needs_scores(notes, k=k, strategy=strategy) and text.strip():
        scores = await services.recollection.scores(notes, text[:LONGEST_QUERY])
    half_life, now = settings.half_life_days, services.clock()
    weights = {note.id: freshness(note, half_life_days=half_life, now=now) for note in notes} if half_life else {}
    chosen = select(
        notes, message=text, strategy=strategy, k=k, tokens=settings.injection_tokens, scores=scores, weights=weights
    )
    unsettled = await _unsettled(clashes(chosen, text, answers=_staged(state, services)), state, run)
    return Memories(
        profile=await run.profile(),
        trips=await run.memory.trips(),
        global_notes=chosen,
        session_notes=_session_notes(state, text, services),
        clashes=unsettled["to_ask"],
        left_open=unsettled["left_open"],
        episodes=await _episodes(text, run, services),
    )


async def _unsettled(found: Sequence[Clash], state: State, run: Run) -> dict[Standing, list[Clash]]:
    """Clashes by what is to be done about them."""
    session, asked = state.get("session"), AskedClashes(run.memory)
    unsettled: dict[Standing, list[Clash]] = {"to_ask": [], "left_open": [], "decided": []}
    for clash in found:
        unsettled[await asked.standing(clash, session["id"] if session else "")].append(clash)
    return unsettled


async def _episodes(text: str, run: Run, services: Services) -> list[str]:
    most = services.settings.preload_episodes
    if not most or not text.strip():
        return []
    hits = await services.recollection.search(
        run.store, run.memories, text[:LONGEST_QUERY], limit=most, scopes=["episode"]
    )
    return [f"{hit.document.at:%Y-%m-%d}: {hit.document.text}" for hit in hits]


def _session_notes(state: State, text: str, services: Services) -> list[Note]:
    session = state.get("session")
    if not (services.settings.always_inject_session_notes or (session and session["shortened"])):
        return []
    settings = services.settings
    return select(
        _staged(state, services),
        message=text,
        strategy="recent",
        k=settings.injection_k,
        tokens=settings.injection_tokens,
    )


def _staged(state: State, services: Services) -> list[Note]:
    """What was noted in this conversation and still holds."""
    now = services.clock()
    staged = [Note.model_validate(note) for note in state.get("session_notes", [])]
    return [note for note in staged if note.is_live(now)]


def _stamp(messages: Sequence[AnyMessage], turns: int, at: str, mode: MemoryMode) -> list[HumanMessage]:
    """The new real user messages with number, time and mode, cleaned of what no store can hold.

    A number is believed only where it follows those before it: a caller can't pass a new message off as an old one.
    A message may ask for more privacy than the run has, never for less.
    """
    stamped: list[HumanMessage] = []
    last = 0
    for message in messages:
        if not isinstance(message, HumanMessage) or not is_real_user(message):
            continue
        known = meta(message)
        if last < known.get("turn", 0) <= turns:
            last = known["turn"]
            continue
        last = turns + len(stamped) + 1
        said_in = known.get("mode", "on") if mode == "on" else mode
        own = MessageMeta(turn=last, at=at, mode=said_in, private=said_in != "on")
        extra = {**message.additional_kwargs, META: own}
        stamped.append(message.model_copy(update={"additional_kwargs": extra, "content": _storable(message.content)}))
    return stamped


def _storable(content: str | list[str | dict[Any, Any]]) -> str | list[str | dict[Any, Any]]:
    """Text without NUL and lone surrogates, in the composed form; other content as it is."""
    if not isinstance(content, str):
        return content
    whole = content.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")
    return unicodedata.normalize("NFC", whole)


def _replaced(messages: Sequence[AnyMessage], newer: Sequence[AnyMessage]) -> list[AnyMessage]:
    by_id = {message.id: message for message in newer}
    return [by_id.get(message.id, message) for message in messages]


async def _mode(state: State, run: Run) -> MemoryMode:
    """What memory may do in this turn: no more than the run, the user's consent and the conversation allow."""
    if run.mode != "on" or run.user_id is None:
        return run.mode
    return "paused" if state.get("unremembered") or (await run.memory.consent()).paused else "on"


async def _touch(state: State, session: Session, turn: int, run: Run, services: Services) -> None:
    if run.user_id is None:
        return
    if session != state.get("session"):
        await Conversations(run.store, run.user_id).add(run.thread_id, services.clock())
    sessions = OpenSessions(run.store)
    if (run.mode == "off" or state.get("unremembered")) and await sessions.of(run.thread_id) is None:
        return  # what nothing is learnt from opens no session, and puts off the end of one that is open
    open_now = OpenSession(
        user_id=run.user_id,
        thread_id=run.thread_id,
        session_id=session["id"],
        last_at=services.clock(),
        turn=turn,
    )
    await sessions.touch(open_now)


def _open_session(stamped: Sequence[HumanMessage], first_turn: int, run: Run, services: Services) -> Session:
    """A session named after the message that opens it, so that no other session ever has its name."""
    opened_by = stamped[0].id if stamped else ""
    return Session(
        id=note_id("session", run.thread_id, opened_by or ""),
        started_at=services.clock().isoformat(timespec="seconds"),
        first_turn=first_turn,
        shortened=False,
    )
