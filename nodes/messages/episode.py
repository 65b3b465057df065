"""Proposes the episode of a session that ends: it reuses a running summary and summarises what came after it."""

import logging
from dataclasses import replace
from datetime import datetime

from langchain_core.messages import AIMessage, HumanMessage

from config.errors import ModelError
from graph.state import Session, State, is_real_user, meta
from memory.control.erased import Eraser
from memory.control.forget import erased_message
from memory.records.episodes import Episode, checked_texts
from memory.records.notes import note_id
from models.schemas import EpisodeSummary
from nodes.distill_notes import journal_refused_texts
from nodes.messages.turns import Transcript, Turn, render_turns
from nodes.services import Run
from prompts import prompt
from text.words import sentences

_log = logging.getLogger(__name__)


async def episode_of(state: State, session: Session, run: Run) -> Episode | None:
    """Return what to remember of the running session; None where episodes are off or nothing was said.

    A model that fails leaves an episode made of the user's own opening words.
    """
    if run.settings.episodes == "off":
        return None
    transcript = Transcript.of(state["messages"])
    turns = [turn for turn in transcript.turns if turn.number >= session["first_turn"] and not turn.private]
    withheld, eraser = await run.memory.withheld(run.thread_id), (await run.memory.snapshot()).eraser()
    turns = [replace(turn, messages=tuple(erased_message(one, withheld) for one in turn.messages)) for turn in turns]
    messages = [message for turn in turns for message in turn.messages]
    before = withheld.erased(_running_summary(transcript, session["first_turn"]))
    if not turns and not before:
        return None
    proposal = await _proposed(before, turns, run)
    await journal_refused_texts([*sentences(proposal.summary), *proposal.key_facts], state.get("turns", 0), run)
    # A session that is swept days later ended when its last turn was begun.
    last = meta(turns[-1].messages[0]).get("at") if turns else None
    texts = checked_texts(
        **proposal.model_dump(),
        # Where something is withheld, what is left beside it does not stand for the session.
        said=[] if withheld else [*(str(m.text) for m in messages if is_real_user(m)), before],
        told=[before, *(str(m.text) for m in messages if is_real_user(m) or isinstance(m, AIMessage))],
        forgotten=Eraser([*eraser.erasures, *withheld.erasures], await run.memory.hash_key()),
    )
    if texts is None:
        return None
    return Episode(
        **texts,
        id=note_id("episode", session["id"]),
        thread_id=run.thread_id,
        session_id=session["id"],
        started_at=datetime.fromisoformat(session["started_at"]),
        ended_at=datetime.fromisoformat(last) if last else run.now,
        message_count=2 * (state.get("turns", 0) - session["first_turn"] + 1),
    )


async def _proposed(before: str, turns: list[Turn], run: Run) -> EpisodeSummary:
    nothing = EpisodeSummary(summary="", topics=[], key_facts=[])
    if run.settings.episodes == "plain":
        return nothing
    request = prompt("episode", run.language, previous_summary=before or "(none)", transcript=render_turns(turns))
    try:
        return await run.structured("summary", EpisodeSummary, [HumanMessage(request)])
    except ModelError as error:
        _log.warning("the episode of thread %s is made without the model: %s", run.thread_id, error)
        return nothing


def _running_summary(transcript: Transcript, first_turn: int) -> str:
    """Return the summary that already stands for turns of this session; one that covers private turns is not used."""
    for message in transcript.preamble:
        known = meta(message)
        if known.get("kind") == "summary" and known.get("covers", [0, 0])[1] >= first_turn and not known.get("private"):
            return str(message.text)
    return ""
