"""Creates the episode of a session that ends, from its running summary, if any, and the turns after it."""

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
    """Return the episode of the running session; None if episodes are off, or there is nothing to tell.

    If the model fails, the episode consists of the user's opening words.
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
    # An idle session may be closed days later; its end is the time of its last turn.
    last = meta(turns[-1].messages[0]).get("at") if turns else None
    texts = checked_texts(
        **proposal.model_dump(),
        # With something withheld, the rest of the user's words does not represent the session.
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
    told = {"previous_summary": before or "(none)", "transcript": render_turns(turns)}
    request = prompt("episode", run.language, run.words, **told)
    try:
        return await run.structured("summary", EpisodeSummary, [HumanMessage(request)])
    except ModelError as error:
        _log.warning("the episode of thread %s is made without the model: %s", run.thread_id, error)
        return nothing


def _running_summary(transcript: Transcript, first_turn: int) -> str:
    """Return the running summary if it covers turns of this session and none that are private; else nothing."""
    for message in transcript.preamble:
        data = meta(message)
        if data.get("kind") == "summary" and data.get("covers", [0, 0])[1] >= first_turn and not data.get("private"):
            return str(message.text)
    return ""
