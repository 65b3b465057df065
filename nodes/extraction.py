"""Extraction: one model call that reads notes out of the user's own words, each judged by the policy (S3.3)."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence

from langchain_core.messages import HumanMessage
from pydantic import Field

from config.errors import ModelError
from graph.state import BlockedNote, is_real_user
from memory.policy import Candidate
from memory.records.notes import Note, Scope, Topic
from models.calls import structured
from models.schemas import Answer
from nodes.capture import Rules, capture
from nodes.messages.turns import Turn
from nodes.services import Run, Services
from prompts import prompt

_log = logging.getLogger(__name__)


class NoteProposal(Answer):
    """One statement of the user that may be worth remembering."""

    quote: str = Field(description="The user's own words that the note rests on, copied exactly.")
    text: str = Field(description="The statement in one or two short sentences, at most 240 characters.")
    topic: Topic
    keywords: list[str] = Field(description="One to three single lowercase words.")
    scope: Scope = Field(description="`trip` when it holds for this trip only, else `user`.")
    condition: str | None = Field(description="When it holds only sometimes: when, as in 'on overnight flights'.")
    confidence: float = Field(description="0 to 1: how plainly the user said it.")


class ExtractedNotes(Answer):
    """The statements of the user that are worth remembering; empty when there are none."""

    notes: list[NoteProposal]


async def extract(turns: Sequence[Turn], run: Run, services: Services) -> tuple[list[Note], list[BlockedNote]]:
    """Notes and refusals from what the user wrote in `turns`. A model that fails yields nothing, and is logged."""
    said = {m.id or "": str(m.text) for turn in turns for m in turn.messages if is_real_user(m) and m.text.strip()}
    if not said:
        return [], []
    lines = "\n".join(json.dumps({"message_id": k, "text": v}, ensure_ascii=False) for k, v in said.items())
    try:
        await services.models.warm("consolidation")
        found = await structured(
            services.models.get("consolidation"),
            ExtractedNotes,
            [HumanMessage(prompt("extract", run.language, user_words=lines))],
            timeout=services.settings.model_timeout,
        )
    except ModelError as error:
        _log.warning("no notes were extracted from %d messages: %s", len(said), error)
        return [], []
    return await _judged(found.notes, said, run, services)


async def _judged(
    proposals: Sequence[NoteProposal], said: dict[str, str], run: Run, services: Services
) -> tuple[list[Note], list[BlockedNote]]:
    rules = await Rules.of(run)
    notes: list[Note] = []
    blocked: list[BlockedNote] = []
    for proposal in proposals:
        message_id = next((id_ for id_, text in said.items() if proposal.quote in text), "")
        verdict, note = capture(
            Candidate(**proposal.model_dump(), ttl_days=None),
            run=run,
            rules=rules,
            words=list(said.values()),
            said=said.get(message_id, ""),
            parts=(run.thread_id, message_id, proposal.text),
            message_id=message_id,
            taken=len(notes),
            now=services.clock(),
        )
        if note is None:
            blocked.append({"code": str(verdict.code), "hash": verdict.hash})
        else:
            notes.append(note)
    return notes, blocked
