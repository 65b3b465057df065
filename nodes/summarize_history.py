"""`summarize_history`: replaces the older turns of a long thread by a checked summary."""

import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel

from config.errors import ModelError
from graph.context import Context
from graph.state import META, MessageMeta, State, meta
from memory.policy import screen
from memory.records.conversations import Archive
from memory.records.notes import note_id
from models.schemas import history_summary
from nodes.capture import vocabulary
from nodes.distill_notes import journal_refused_texts
from nodes.messages.turns import Transcript, Turn, render_turns
from nodes.services import Run, Services
from nodes.trim_history import archive_turns, shortened
from prompts import prompt, prompt_of, reply
from text import sentences

_UNVERIFIED = "UNVERIFIED"
_log = logging.getLogger(__name__)


async def summarize_history(state: State, runtime: Runtime[Context], *, services: Services) -> dict[str, Any]:
    """Summarise all but the last turns. If the model or the check fails, the history stays as it is."""
    run = await Run.of(state, runtime, services)
    transcript = Transcript.of(state["messages"])
    settings = run.settings
    keep = min(state.get("max_turns") or settings.keep_last_n_turns, settings.keep_last_n_turns)
    kept = transcript.keep_within(keep, settings.history_tokens)
    # After failures there are more turns than one prompt should hold: the oldest come first, the others in later runs.
    leaving = transcript.turns[: min(len(transcript.turns) - kept, settings.context_limit + 1 - keep)]
    if not leaving:
        return {}
    titles: dict[str, str] = {name: getattr(one, run.language) for name, one in run.schema.summary.items()}
    try:
        proposal = await _proposed(transcript.preamble, leaving, run)
        parts = [part for text in proposal.model_dump().values() for part in _sentences(text)]
        await journal_refused_texts(parts, state.get("turns", 0), run)
        text = checked_summary(proposal, titles, most_words=settings.summary_words)
    except (ModelError, SummaryRejectedError) as error:
        _log.warning("history of thread %s was not summarised and stays whole: %s", run.thread_id, error)
        return {}
    pair = _pair(text, transcript.preamble, leaving, run)
    await archive_turns(leaving, run)
    if run.user_id is not None:
        await Archive(run.store, run.user_id, run.thread_id).add_summary(leaving[-1].number, pair)
    # A caller's message before the first turn (a greeting) stays; the new summary replaces an older one.
    old = [message for message in transcript.preamble if meta(message).get("synthetic")]
    removed = [*old, *(message for turn in leaving for message in turn.messages)]
    return {"messages": [*(RemoveMessage(id=message.id or "") for message in removed), *pair], **shortened(state)}


async def _proposed(preamble: Sequence[AnyMessage], leaving: Sequence[Turn], run: Run) -> BaseModel:
    settings = run.settings
    previous = next((message.text for message in preamble if meta(message).get("kind") == "summary"), "")
    values = {
        "previous_summary": previous or "(none)",
        "transcript": render_turns(leaving, tool_chars=settings.summary_tool_chars),
        "words": str(settings.summary_words),
    }
    custom = settings.summary_prompt
    request = prompt_of(custom, **values) if custom else prompt("summarize", run.language, run.words, **values)
    schema = history_summary(vocabulary(run.schema).headings)
    return await run.structured("summary", schema, [HumanMessage(request)])


def _pair(text: str, preamble: Sequence[AnyMessage], leaving: Sequence[Turn], run: Run) -> list[AnyMessage]:
    covered = [turn for message in preamble for turn in meta(message).get("covers", [])]
    covers = [min([*covered, leaving[0].number]), leaving[-1].number]
    ids = [note_id("summary", run.thread_id, str(covers[1]), part) for part in ("request", "answer")]
    private = any(turn.private for turn in leaving) or any(meta(message).get("private") for message in preamble)
    request: MessageMeta = {"synthetic": True, "kind": "summary_request", "covers": covers, "private": private}
    answer: MessageMeta = {**request, "kind": "summary"}
    return [
        HumanMessage(reply("summary_request", run.language), id=ids[0], additional_kwargs={META: request}),
        AIMessage(text, id=ids[1], additional_kwargs={META: answer}),
    ]


class SummaryRejectedError(ValueError):
    """A summary can't replace the history; the message says why."""


def checked_summary(proposal: BaseModel, titles: Mapping[str, str], *, most_words: int) -> str:
    """Return the summary as text under its headings, without sentences that the policy refuses.

    `titles` are the headings by the names of the proposal's fields.

    Raises:
        SummaryRejectedError: it says nothing or is too long.
    """
    proposed: dict[str, str] = proposal.model_dump()
    if (words := count_words(" ".join(proposed.values()))) > most_words:
        raise SummaryRejectedError(f"the summary has {words} words, and {most_words} are allowed")
    sections = {name: _screened(text) for name, text in proposed.items()}
    if all(text.strip(" .").upper() == _UNVERIFIED for text in sections.values()):
        raise SummaryRejectedError("the summary says nothing")
    return "\n".join(f"{titles[name]}: {text}" for name, text in sections.items())


def _screened(text: str) -> str:
    """Return the sentences that pass the screen, if they also pass it together.

    Headings are not screened: a list of headings does not look like a sentence that a person writes.
    """
    safe = " ".join(part for part in _sentences(text) if screen(part) is None)
    return safe if safe and screen(safe) is None else _UNVERIFIED


def count_words(text: str) -> int:
    """Return the number of words in `text`; in scripts without spaces, two characters count as a word."""
    spaced = re.findall(r"[^\W\u3040-\u30ff\u3400-\u9fff]+", text)
    dense = re.findall(r"[\u3040-\u30ff\u3400-\u9fff]", text)
    return len(spaced) + (len(dense) + 1) // 2


def _sentences(text: str) -> list[str]:
    return sentences(" ".join(text.split()))
