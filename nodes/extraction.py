"""Extracts notes from user messages by one model call; the policy judges each note."""

import json
import logging
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import convert_to_messages

from config.errors import ModelError
from graph.state import BlockedNote
from memory.policy import Candidate, Heard
from memory.policy.wording import find_message, own_sentence
from memory.records.notes import Note
from models.schemas import extracted_notes
from nodes.capture import Rules, capture
from nodes.services import Run
from prompts import conversation

_SCOPES = {"always": "user", "this_trip": "trip"}
"""The scope of a note by the model's answer to how long it holds."""
_log = logging.getLogger(__name__)


async def extract(heard: Sequence[Heard], run: Run) -> tuple[list[Note], list[BlockedNote]]:
    """Return notes extracted from user messages, and refusals. If the model fails, both are empty, and it is logged.

    The model sees the user's messages and the answers before them, but no memory and no tool results.
    """
    if not any(one.text.strip() for one in heard):
        return [], []
    lines = [json.dumps({"asked": one.question, "traveller": one.text}, ensure_ascii=False) for one in heard]
    messages = conversation(
        "extract",
        run.language,
        schema=run.schema.outline(),
        today=run.now.date().isoformat(),
        user_words="\n".join(lines),
    )
    try:
        schema = extracted_notes(run.services.vocabulary)
        extracted = await run.structured("consolidation", schema, convert_to_messages(messages))
    except ModelError as error:
        _log.warning("no notes were extracted from %d messages: %s", len(heard), error)
        return [], []
    return await _judged([note for note in extracted.model_dump()["notes"] if note["kind"] == "traveller"], heard, run)


async def _judged(
    extracted: Sequence[dict[str, Any]], heard: Sequence[Heard], run: Run
) -> tuple[list[Note], list[BlockedNote]]:
    rules = await Rules.of(run)
    notes: list[Note] = []
    blocked: list[BlockedNote] = []
    for fields in extracted:
        # Without a text of its own, a note has the traveller's words.
        text, scope = fields["text"] or fields["quote"], _SCOPES[fields["holds"]]
        proposal = Candidate.model_validate({**fields, "text": text, "scope": scope})
        source = find_message(proposal.quote, heard)
        if source and own_sentence(proposal.quote, source.text).endswith(("?", "？")):  # a question states nothing
            blocked.append(await run.refusal("ungrounded", proposal.text))
            continue
        parts = (run.thread_id, *(one.message_id for one in heard[-1:]), proposal.text)
        taken = max(len(notes) - rules.gate.max_per_turn * (len(heard) - 1), 0)
        verdict, note = capture(proposal, rules, heard=heard, parts=parts, taken=taken)
        if note is None:
            blocked.append({"code": str(verdict.code), "hash": verdict.hash})
            if verdict.code == "consent_denied":
                await run.memory.withhold(run.thread_id, proposal.text, proposal.quote)
        else:
            notes.append(note)
    return notes, blocked
