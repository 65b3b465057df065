"""Tool calls of the offline concierge: which to make in a turn, with ids that come from the conversation alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.messages import ToolCall

from models.offline.dialogue.memory_replies import match_named
from models.offline.dialogue.turn_context import Talk
from models.offline.language import Request, Statement, Tongue
from models.offline.travel.tool_planner import acts, next_calls
from models.offline.travel.trip_context import Scene

_MOST_QUERY = 240
_RECALLED = 3
_OTHER_WISHES = frozenset({"profile", "source", "recall", "private", "public", "decline", "help"})
"""What answers no question which memory to forget."""


def calls_of(talk: Talk) -> list[ToolCall]:
    """The tool calls that the running message asks for, in their order; empty when it asks for none."""
    scene = Scene(talk)
    if talk.now.calls:
        return _made(talk, next_calls(scene))
    questions = [] if acts(scene) else _questions(talk)
    wanted = [*questions, *(("save_memory_note", _note(each)) for each in _worth_keeping(talk, scene))]
    bound = [(name, given) for name, given in wanted if name in talk.tools]
    return _made(talk, bound or next_calls(scene))


def _made(talk: Talk, wanted: Sequence[tuple[str, dict[str, Any]]]) -> list[ToolCall]:
    before = len(talk.now.calls)
    return [
        ToolCall(name=name, args=given, id=call_id(talk, name, before + place))
        for place, (name, given) in enumerate(wanted)
    ]


def call_id(talk: Talk, name: str, place: int) -> str:
    """An id unique in the thread: a digest of the message, of what was said before it, and of the call's place."""
    now, before = talk.now, talk.transcript.before
    seed = (now.id, now.said, str(len(before)), before[-1].id + before[-1].reply if before else "", name, str(place))
    return "call_" + hashlib.sha256("\x1f".join(seed).encode()).hexdigest()[:24]


def _questions(talk: Talk) -> Iterable[tuple[str, dict[str, Any]]]:
    agreed = _agreed(talk)
    if agreed:
        yield "forget_memory", {"query": agreed, "mentions": True}
        return
    chosen = _chosen(talk)
    if chosen:
        yield "forget_memory", {"query": chosen}
        return
    match talk.request:
        case Request("forget", about):
            query = _to_forget(talk, about)
            if query:
                yield "forget_memory", {"query": query[:_MOST_QUERY]}
        case Request("private" | "public" as wish):
            yield "remember_conversation", {"remember": wish == "public"}
        case Request("profile" | "source"):
            yield "list_memories", {}
        case Request("recall"):
            yield "recall_memory", {"query": talk.speech.sought(talk.now.said)[:_MOST_QUERY], "limit": _RECALLED}


def _worth_keeping(talk: Talk, scene: Scene) -> list[Statement]:
    said, speech = talk.now.said, talk.speech
    if talk.request.intent == "forget" or speech.instruction(said) or speech.keeps_back(said):
        return []
    choosing = scene.plan.shelf and (scene.ask.refines or scene.plan.chose)
    return [
        each
        for each in talk.statements
        if not talk.speech.sensitive(each.quote) and not (choosing and chooses(talk.speech, each))
    ]


def chooses(speech: Tongue, statement: Statement) -> bool:
    """True for what only chooses among offers: a few words without a subject ("no stops"), or for this trip alone."""
    return statement.trip_only or speech.told_back(statement.text).startswith('"')


def _note(statement: Statement) -> dict[str, Any]:
    return {
        "text": statement.text,
        "topic": statement.topic,
        "keywords": list(statement.keywords),
        "scope": "trip" if statement.trip_only else "user",
        "condition": statement.condition,
        "confidence": statement.confidence,
        "quote": statement.quote,
        "ttl_days": None,
    }


def _to_forget(talk: Talk, about: str) -> str:
    """What to forget: the handle of the one memory that fits, else the user's words, else what was saved last."""
    if not about:
        saved = [
            call["args"].get("text", "")
            for turn in talk.transcript.before
            for call in turn.calls
            if call["name"] == "save_memory_note"
        ]
        return str(saved[-1]) if saved else ""
    words = talk.speech.content_words(about)
    fitting = [
        memory
        for memory in talk.briefing.memories
        if words and (words <= talk.speech.content_words(memory.text) or words == {memory.topic})
    ]
    return fitting[0].handle if len(fitting) == 1 else about


def _agreed(talk: Talk) -> str:
    """What to erase the mentions of, now that the user has agreed to it; empty where nothing was asked, or refused."""
    before = talk.transcript.before
    asked = [each for each in before[-1].outcomes if each.answer.get("status") == "mentions"] if before else []
    wants = talk.request.intent == "accept" or (
        talk.request.intent == "forget" and not talk.speech.content_words(talk.request.about)
    )
    return str(asked[-1].given.get("query", "")) if asked and wants else ""


def _chosen(talk: Talk) -> str:
    """The handle that the user picked after being asked which memory to forget, or an empty string."""
    if not talk.transcript.before or talk.request.intent in _OTHER_WISHES:
        return ""
    asked = [each for each in talk.transcript.before[-1].outcomes if each.answer.get("status") == "which_one"]
    matches = asked[-1].answer.get("matches", []) if asked else []
    at = talk.speech.picked(talk.now.said, [match_named(talk.speech, match) for match in matches])
    return str(matches[at].get("handle", "")) if at is not None else ""
