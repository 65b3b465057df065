"""`inject_memory`: opens a turn. Reads memory and renders it into the system prompt of this turn."""

import logging
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AnyMessage
from langgraph.runtime import Runtime
from langgraph.store.base import PutOp

from graph.context import Context, MemoryMode
from graph.state import META, MemoryView, MessageMeta, Session, State, blank_report, changes, merge_notes, meta
from memory.claims import conflicting
from memory.policy import verdict_key
from memory.policy.redact import removed_kinds
from memory.recall.user_recall import LONGEST_QUERY
from memory.records.conversations import OpenSession, put_conversation, put_open_session
from memory.records.notes import Note, note_id
from memory.records.reading import Snapshot
from memory.records.repository import Conflict, Standing
from memory.selection import fits, freshness, select
from nodes.capture import erasing, staged_notes
from nodes.messages.system_prompt import Memories, Rendered, render, screened_text
from nodes.messages.turns import Transcript, latest_user_message
from nodes.services import Run, Services
from text import storable

_log = logging.getLogger(__name__)


async def inject_memory(state: State, runtime: Runtime[Context], *, services: Services) -> dict[str, Any]:
    """Stamp the new message, open a session if none is running, and render the memory view of the turn.

    Raises:
        AccessDeniedError: the thread belongs to another user.
    """
    run = await Run.of(state, runtime, services)
    snapshots = await run.snapshots()
    original, before = state, state.get("turns", 0)
    is_paused = snapshots and (state.get("unremembered") or snapshots[0].consent.paused)
    mode = "paused" if is_paused and run.mode == "on" else run.mode
    stamped = _stamp(state["messages"], before, run.now.isoformat(timespec="seconds"), mode)
    new_ids = {message.id for message in stamped}  # new messages are not erased: they came after all erasures
    erased = erasing({**state, "messages": [one for one in state["messages"] if one.id not in new_ids]}, snapshots)
    updated = {message.id: message for message in (*erased.get("messages", ()), *stamped)}
    messages = [updated.get(message.id, message) for message in state["messages"]]
    run = run.with_message_mode(messages)
    session = state.get("session") or _new_session(stamped, before, run)
    staged = merge_notes(state.get("session_notes", []), erased.get("session_notes", ()))
    turns = before + len(stamped)
    state = {**state, "messages": messages, "turns": turns, "session": session, "session_notes": staged}
    if original.get("session") is None and run.user_id is not None:
        conversation = put_conversation(run.user_id, run.thread_id, run.now)
        await run.store.abatch([conversation, *await session_use(state, run)])
    view = await memory_view(state, run, snapshots)
    await _store_verdicts(view, run, snapshots)
    update = {
        **erased,
        "messages": [*erased.get("messages", ()), *stamped],
        "owner": state.get("owner") or run.owner,
        "turns": turns,
        "session": session,
        "candidates": None,
        "blocked": None,
        "forgotten": None,
        "report": blank_report(run.run_id),
        "added_instructions": None,
        "memory_view": view,
    }
    return changes(original, update)


async def memory_view(state: State, run: Run, snapshots: Sequence[Snapshot] | None = None) -> MemoryView:
    """Render the memory view of this turn. It is not checkpointed: a turn resumed after a crash renders it again."""
    if run.mode == "off" or run.user_id is None:
        view = render(None, today=run.now.date(), language=run.language, schema="", words=run.words)
    else:
        view = await _rendered_view(state, run, snapshots or await run.snapshots())
    return {**view, "deadline": run.services.monotonic() + run.settings.turn_timeout}


async def _rendered_view(state: State, run: Run, snapshots: Sequence[Snapshot]) -> Rendered:
    """Return the system prompt with memories. The user's snapshot caches both the selection and the rendered prompt."""
    own, notes, (session_id, opening) = snapshots[0], run.usable(snapshots), _opening(state)
    cache_key = (run.services, run.language, session_id, opening, len(notes), *(one.mark for one in snapshots[1:]))

    async def choose() -> tuple[list[Note], list[Conflict]]:
        chosen = await _selected(notes, opening, run, own.vectors.setdefault(run.services.recollection, {}))
        return chosen, conflicting(chosen, run.schema)

    chosen, conflicts = await own.once(cache_key, choose)
    by_standing: dict[Standing, list[Conflict]] = {"to_ask": [], "left_open": [], "decided": []}
    for conflict in conflicts:
        by_standing[await run.memory.standing(conflict, session_id)].append(conflict)
    session = state.get("session")
    shows_staged = run.settings.always_inject_session_notes or (session and session["shortened"])
    staged = staged_notes(state, live_at=run.now) if shows_staged else []
    memories = Memories(
        profile=run.schema.facts(own.profile).without(own.consent.denied),
        trips=own.trips,
        global_notes=chosen,
        session_notes=select(staged, strategy="recent", tokens=run.settings.injection_tokens),
        conflicts=by_standing["to_ask"],
        left_open=by_standing["left_open"],
        episodes=await _episodes(state, run),
        screened=own.screened,
    )
    today = run.now.date()

    async def rendered() -> Rendered:
        schema = run.schema.outline(brief=True) if run.settings.distillation == "tool" else ""
        return render(memories, today=today, language=run.language, schema=schema, words=run.words)

    varying = (memories.session_notes, memories.conflicts, memories.left_open, memories.episodes)
    return await own.once((cache_key, today, str(varying)), rendered)


async def _store_verdicts(view: MemoryView, run: Run, snapshots: Sequence[Snapshot]) -> None:
    """Store which of the user's notes passed the screen, so that no process screens them again until it changes."""
    if run.mode != "on" or not snapshots:
        return
    own, ids = snapshots[0], frozenset(note["id"] for note in view["shown"])

    async def keep() -> None:
        names = {verdict_key(screened_text(note)) for note in own.every if note.id in ids}
        if not names <= own.screened:
            await run.memory.keep_verdicts(names)

    await own.once(("screened", ids), keep)


async def _selected(notes: Sequence[Note], opening: str, run: Run, vectors: dict[str, Any]) -> list[Note]:
    """Return the long-term notes to show. They stay the same in a session unless memory or the history changes.

    Relevance is measured against `opening`, the oldest message of the session that is still in the history.
    """
    settings = run.settings
    strategy, tokens = settings.injection_strategy, settings.injection_tokens
    scores: dict[str, float] = {}
    if strategy in ("relevant", "blended") and opening and not fits(notes, tokens):
        scores = await run.services.recollection.scores(notes, opening[:LONGEST_QUERY], vectors)
    half_life, now = settings.half_life_days, run.now
    weights = {note.id: freshness(note, half_life_days=half_life, now=now) for note in notes} if half_life else {}
    return select(notes, strategy=strategy, tokens=tokens, scores=scores, weights=weights)


def _opening(state: State) -> tuple[str, str]:
    """Return the id of the session, and the text of its oldest message."""
    session = state.get("session")
    first = session["first_turn"] if session else 0
    turns = Transcript.of(state["messages"]).turns
    texts = (turn.messages[0].text for turn in turns if (turn.number or first) >= first)
    return session["id"] if session else "", next(texts, "").strip()


async def _episodes(state: State, run: Run) -> list[str]:
    limit, latest = run.settings.preload_episodes, latest_user_message(state["messages"])
    text = latest.text[:LONGEST_QUERY] if latest else ""
    if not limit or not text.strip():
        return []
    from memory.recall.corpus import EmbedderFault

    try:
        hits = await run.services.recollection.search(run.store, run.memories, text, limit=limit, scopes=["episode"])
    except EmbedderFault as error:
        _log.warning("no episodes are preloaded: %s", error)
        return []
    return [f"{hit.document.at:%Y-%m-%d}: {hit.document.text}" for hit in hits]


def _stamp(messages: Sequence[AnyMessage], turns: int, at: str, mode: MemoryMode) -> list[AnyMessage]:
    """Return the new real user messages, stamped with number, time and mode, without characters no store can hold.

    A message that already has a number only counts as old if the numbers ascend: a caller can't pass a new message off
    as an old one. A message may ask for more privacy than the run has, never for less.
    """
    stamped: list[AnyMessage] = []
    last = 0
    for turn in Transcript.of(messages).turns:
        message = turn.messages[0]
        if last < turn.number <= turns:
            last = turn.number
            continue
        last = turns + len(stamped) + 1
        message_mode = meta(message).get("mode", "on") if mode == "on" else mode
        stamp = MessageMeta(turn=last, at=at, mode=message_mode, private=message_mode != "on")
        if removed := removed_kinds(message.text):
            stamp["removed"] = list(removed)
        if isinstance(length := meta(message).get("length"), int):
            stamp["length"] = length
        extra = {**message.additional_kwargs, META: stamp}
        content = storable(message.content) if isinstance(message.content, str) else message.content
        stamped.append(message.model_copy(update={"additional_kwargs": extra, "content": content}))
    return stamped


def _new_session(stamped: Sequence[AnyMessage], before: int, run: Run) -> Session:
    """Return a new session; its id is made from the message that opens it, so that it is unique."""
    name = note_id("session", run.thread_id, (stamped[0].id or "") if stamped else "")
    return Session(id=name, started_at=run.now.isoformat(timespec="seconds"), first_turn=before + 1, shortened=False)


async def session_use(state: State, run: Run) -> list[PutOp]:
    """Return the store operations that record the latest activity in the running session.

    A conversation that nothing is learnt from does not open a session, but still delays the end of an open one.
    """
    session = state.get("session")
    if session is None or run.user_id is None:
        return []
    activity = OpenSession(
        user_id=run.user_id, thread_id=run.thread_id, session_id=session["id"], last_at=run.now, turn=state["turns"]
    )
    return await put_open_session(run.store, activity, opens=run.mode != "off" and not state.get("unremembered"))
