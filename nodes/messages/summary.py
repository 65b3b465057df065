"""Checks a summary before it replaces history, and proposes the episode of a session that ends."""

from __future__ import annotations

import logging
import re
from datetime import datetime

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from config.errors import ModelError
from graph.state import State, is_real_user, meta
from memory.policy import screen
from memory.records.episodes import Episode, make_episode
from models.calls import structured
from models.schemas import EpisodeSummary, HistorySummary
from nodes.distill_notes import journal_refused_texts
from nodes.messages.turns import Transcript, Turn, render_turns
from nodes.services import Run, Services
from prompts import Language, prompt, reply
from text.words import sentences

MOST_WORDS = 200
UNVERIFIED = "UNVERIFIED"

_SENTENCE = re.compile(r"(?<=[.!?。])\s*")


class SummaryRejectedError(ValueError):
    """The summary may not stand in for history; the message says why."""


def checked_summary(proposal: HistorySummary, language: Language) -> str:
    """Return the summary as text under its fixed headings, without sentences that the policy refuses.

    Raises:
        SummaryRejectedError: it says nothing, is too long, or is refused as a whole.
    """
    sections: dict[str, str] = proposal.model_dump()
    if not any(text.strip() for text in sections.values()):
        raise SummaryRejectedError("the summary is empty")
    if (words := count_words(" ".join(sections.values()))) > MOST_WORDS:
        raise SummaryRejectedError(f"the summary has {words} words, and {MOST_WORDS} are allowed")
    lines = [f"{reply(f'heading_{name}', language)}: {_screened(text)}" for name, text in sections.items()]
    whole = "\n".join(lines)
    if code := screen(whole):
        raise SummaryRejectedError(f"the summary is refused by the policy ({code})")
    return whole


def parts(proposal: HistorySummary) -> list[str]:
    """Return the sentences of a proposal, which are kept or refused one by one."""
    return [part for text in proposal.model_dump().values() for part in _sentences(text)]


def count_words(text: str) -> int:
    """Words of `text`; in scripts without spaces, two characters count as one."""
    spaced = re.findall(r"[^\W\u3040-\u30ff\u3400-\u9fff]+", text)
    dense = re.findall(r"[\u3040-\u30ff\u3400-\u9fff]", text)
    return len(spaced) + (len(dense) + 1) // 2


def _screened(text: str) -> str:
    return " ".join(part for part in _sentences(text) if screen(part) is None) or UNVERIFIED


def _sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE.split(" ".join(text.split())) if part]


_log = logging.getLogger(__name__)


async def episode_of(state: State, run: Run, services: Services) -> Episode | None:
    """Return what to remember of the running session; None where nothing is written or nothing was said.

    A model that fails leaves an episode made of the user's own opening words.
    """
    session = state.get("session")
    if session is None or run.mode != "on" or run.user_id is None or services.settings.episodes == "off":
        return None
    transcript = Transcript.of(state["messages"])
    turns = [turn for turn in transcript.turns if turn.number >= session["first_turn"] and not turn.private]
    before = _running_summary(transcript, session["first_turn"])
    if not turns and not before:
        return None
    proposal = await _proposed(before, turns, run, services)
    await journal_refused_texts([*sentences(proposal.summary), *proposal.key_facts], state.get("turns", 0), run)
    messages = [message for turn in turns for message in turn.messages if not isinstance(message, ToolMessage)]
    return make_episode(
        thread_id=run.thread_id,
        session_id=session["id"],
        summary=proposal.summary,
        topics=proposal.topics,
        key_facts=proposal.key_facts,
        said=[*(str(m.text) for m in messages if is_real_user(m)), before],
        told=_answers(turns),
        started_at=datetime.fromisoformat(session["started_at"]),
        ended_at=_last_said(turns) or services.clock(),
        forgotten=await run.memory.eraser(),
        message_count=2 * (state.get("turns", 0) - session["first_turn"] + 1),
    )


async def _proposed(before: str, turns: list[Turn], run: Run, services: Services) -> EpisodeSummary:
    nothing = EpisodeSummary(summary="", topics=[], key_facts=[])
    if services.settings.episodes == "plain":
        return nothing
    request = prompt("episode", run.language, previous_summary=before or "(none)", transcript=render_turns(turns))
    try:
        await services.models.warm("summary")
        return await structured(
            services.models.get("summary"),
            EpisodeSummary,
            [HumanMessage(request)],
            timeout=services.settings.model_timeout,
        )
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


def _last_said(turns: list[Turn]) -> datetime | None:
    """Return when the last of `turns` was begun: a session swept days later did not end then."""
    at = meta(turns[-1].messages[0]).get("at") if turns else None
    return datetime.fromisoformat(at) if at else None


def _answers(turns: list[Turn]) -> list[str]:
    return [str(m.text) for turn in turns for m in turn.messages if isinstance(m, AIMessage)]
