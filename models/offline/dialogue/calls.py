"""Tool calls of the offline concierge: which to make now, with ids that come from the conversation alone."""

from __future__ import annotations

import hashlib
from typing import Any

from langchain_core.messages import ToolCall

from models.offline.dialogue.acts import acting_calls
from models.offline.dialogue.asks import Call, question_calls
from models.offline.dialogue.memory import memory_calls
from models.offline.dialogue.turn import Dialogue
from models.offline.reading.understanding import Kind
from models.offline.trips.offers import SEARCH_OF, SEARCHES, error_text, is_sold_out, refusal
from models.offline.trips.searching import arguments, conversions
from models.offline.trips.tracking import seeks_offers


def plan_calls(dialogue: Dialogue) -> list[ToolCall]:
    """Return the calls to make now, in their order; empty when it is time to answer.

    First what memory needs and what is looked for, then what compares it, at last what acts. No call is made twice in
    a turn.
    """
    if not dialogue.step.said.readable:
        return []
    for step in (_remember, _first, _compare, acting_calls, _searches):
        wanted = [call for call in step(dialogue) if call[0] in dialogue.tools and not _was_made(dialogue, call)]
        if wanted:
            return _made(dialogue, wanted)
    return []


_SEEKING = frozenset({"inform", "choose", "book", "hold", "change", "confirm"})


def _remember(dialogue: Dialogue) -> list[Call]:
    """Return what memory needs, before any search, which goes by what was noted."""
    return [] if dialogue.now.calls else memory_calls(dialogue)


def _first(dialogue: Dialogue) -> list[Call]:
    if dialogue.outcomes:
        return []
    return [*_searches(dialogue), *question_calls(dialogue)]


def _compare(dialogue: Dialogue) -> list[Call]:
    if not dialogue.travels:
        return []
    return [("convert_money", given) for given in conversions(dialogue.state, dialogue.standing)]


def _was_made(dialogue: Dialogue, call: Call) -> bool:
    return any((made["name"], made["args"]) == call for made in dialogue.now.calls)


def _searches(dialogue: Dialogue) -> list[Call]:
    """Return the searches that the message calls for: each part of which the arguments are others than before it."""
    found: list[Call] = []
    for kind in list(dialogue.state.trip.frames) if dialogue.travels else ():
        given = arguments(dialogue.state, kind, dialogue.standing)
        if given is not None and _is_due(dialogue, kind, given):
            found.append((SEARCH_OF[kind], given))
    return found


def _is_due(dialogue: Dialogue, kind: Kind, given: dict[str, Any]) -> bool:
    step, frame = dialogue.step, dialogue.state.trip.frames[kind]
    changing = bool(kind == "flight" and dialogue.state.changing)
    if frame.status != "open" and not changing:
        return False
    if _others_now(dialogue, kind) or _lost(dialogue, kind) or (frame.given and _noted_for(dialogue, kind)):
        return not any(SEARCHES.get(each.tool) == kind for each in _after_acts(dialogue))
    before = arguments(step.before, kind, dialogue.standing) if step.before.at == dialogue.state.at else None
    sought = any(clause.act in _SEEKING or seeks_offers(step.before, clause) for clause in step.said.clauses)
    return given != frame.given and (given != before or (frame.given is None and sought))


_TOPICS: dict[Kind, frozenset[str]] = {
    "flight": frozenset({"seat", "cabin", "airline", "layover", "baggage", "budget"}),
    "hotel": frozenset({"hotel", "room", "neighborhood", "budget", "accessibility"}),
}


def _noted_for(dialogue: Dialogue, kind: Kind) -> bool:
    """Return whether the message said something lasting that counts for what is on the table."""
    noted = [call["args"] for call in dialogue.now.calls if call["name"] == "save_memory_note"]
    return any(each.get("topic") in _TOPICS.get(kind, ()) for each in noted)


def _others_now(dialogue: Dialogue, kind: Kind) -> bool:
    slot = dialogue.state.trip.frames[kind].slots.get("others")
    return slot is not None and slot.turn == len(dialogue.steps) - 1


def _lost(dialogue: Dialogue, kind: Kind) -> bool:
    """Return whether the offer that was to be booked is gone, so that the next best is looked for."""
    frame = dialogue.state.trip.frames[kind]
    acts = [each for each in dialogue.outcomes if each.tool in ("book_offer", "hold_offer") and error_text(each)]
    ids = {offer.get("offer_id") for offer in frame.found}
    return any(is_sold_out(each) and not refusal(each) and each.given.get("offer_id") in ids for each in acts)


def _after_acts(dialogue: Dialogue) -> list[Any]:
    """Return what was answered in this turn after the last act, or in all of it."""
    outcomes = dialogue.outcomes
    acts = [at for at, each in enumerate(outcomes) if each.tool in ("book_offer", "hold_offer")]
    return outcomes[acts[-1] + 1 :] if acts else outcomes


def _made(dialogue: Dialogue, wanted: list[Call]) -> list[ToolCall]:
    before = len(dialogue.now.calls)
    return [
        ToolCall(name=name, args=given, id=_call_id(dialogue, name, before + place))
        for place, (name, given) in enumerate(wanted)
    ]


def _call_id(dialogue: Dialogue, name: str, place: int) -> str:
    """Return an id unique in the thread: a digest of the message, of what was said before it, and of the place."""
    now, before = dialogue.now, dialogue.transcript.before
    seed = (now.id, now.said, str(len(before)), before[-1].id + before[-1].reply if before else "", name, str(place))
    return "call_" + hashlib.sha256("\x1f".join(seed).encode()).hexdigest()[:24]
