"""Tool calls of the offline concierge: which to make in a turn, with ids that come from the conversation alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.messages import ToolCall

from models.offline.dialogue.memory_replies import match_named
from models.offline.dialogue.turn_context import TurnContext
from models.offline.language import Language
from models.offline.proposals import proposals
from models.offline.readings import LONGEST_NOTE, Request, Statement
from models.offline.travel.tool_planner import acts, next_calls
from models.offline.travel.trip_context import TripContext

_MOST_QUERY = 240
_RECALLED = 3
_ASKED = 0.9
_OTHER_WISHES = frozenset({"profile", "source", "recall", "private", "public", "decline", "help"})
"""What answers no question which memory to forget."""


def plan_tool_calls(context: TurnContext) -> list[ToolCall]:
    """The tool calls that the running message asks for, in their order; empty when it asks for none."""
    trip_context = TripContext(context)
    if context.now.calls:
        return _made(context, next_calls(trip_context))
    questions = [] if acts(trip_context) else _questions(context)
    kept = [given for each in _worth_keeping(context, trip_context) for given in _proposed(context, each)]
    wanted = [*questions, *(("save_memory_note", given) for given in kept)]
    bound = [(name, given) for name, given in wanted if name in context.tools]
    return _made(context, bound or next_calls(trip_context))


def _made(context: TurnContext, wanted: Sequence[tuple[str, dict[str, Any]]]) -> list[ToolCall]:
    before = len(context.now.calls)
    return [
        ToolCall(name=name, args=given, id=call_id(context, name, before + place))
        for place, (name, given) in enumerate(wanted)
    ]


def call_id(context: TurnContext, name: str, place: int) -> str:
    """An id unique in the thread: a digest of the message, of what was said before it, and of the call's place."""
    now, before = context.now, context.transcript.before
    seed = (now.id, now.said, str(len(before)), before[-1].id + before[-1].reply if before else "", name, str(place))
    return "call_" + hashlib.sha256("\x1f".join(seed).encode()).hexdigest()[:24]


def _questions(context: TurnContext) -> Iterable[tuple[str, dict[str, Any]]]:
    agreed = _agreed(context)
    if agreed:
        yield "forget_memory", {"query": agreed, "mentions": True}
        return
    chosen = _chosen(context)
    if chosen:
        yield "forget_memory", {"query": chosen}
        return
    match context.request:
        case Request("forget", about):
            query = _to_forget(context, about)
            if query:
                yield "forget_memory", {"query": query[:_MOST_QUERY]}
        case Request("private" | "public" as wish):
            yield "remember_conversation", {"remember": wish == "public"}
        case Request("profile" | "source"):
            yield "list_memories", {}
        case Request("recall"):
            yield (
                "recall_memory",
                {"query": context.language.search_terms(context.now.said)[:_MOST_QUERY], "limit": _RECALLED},
            )


def _worth_keeping(context: TurnContext, trip_context: TripContext) -> list[Statement]:
    said, language = context.now.said, context.language
    if context.request.intent == "forget" or language.asks_not_to_remember(said):
        return []
    choosing = trip_context.plan.shelf and (trip_context.ask.refines or trip_context.plan.chose)
    proposed = context.statements or _asked_to_keep(context)
    return [each for each in proposed if not (choosing and chooses(context.language, each))]


def _asked_to_keep(context: TurnContext) -> list[Statement]:
    """Return the words that the message asks outright to be kept; whether they may be is the tool's to say."""
    said = context.language.asked_to_keep(context.now.said)
    if context.request.intent in _OTHER_WISHES or not context.language.content_words(said):
        return []
    return [Statement(said[:LONGEST_NOTE], context.now.said, "other", False, None, _ASKED)]


def chooses(language: Language, statement: Statement) -> bool:
    """True for what only chooses among offers: a few words without a subject ("no stops"), or for this trip alone."""
    return statement.trip_only or language.restate(statement.text).startswith('"')


def _proposed(context: TurnContext, statement: Statement) -> Iterable[dict[str, Any]]:
    return proposals(statement, context.now.said, context.language, context.briefing.today)


def _to_forget(context: TurnContext, about: str) -> str:
    """What to forget: the handle of the one memory that fits, else the user's words, else what was saved last."""
    if not about:
        saved = [
            call["args"].get("text", "")
            for turn in context.transcript.before
            for call in turn.calls
            if call["name"] == "save_memory_note"
        ]
        return str(saved[-1]) if saved else ""
    words = context.language.content_words(about)
    fitting = [
        memory
        for memory in context.briefing.memories
        if words and (words <= context.language.content_words(memory.text) or words == {memory.topic})
    ]
    return fitting[0].handle if len(fitting) == 1 else about


def _agreed(context: TurnContext) -> str:
    """What to erase the mentions of, now that the user has agreed to it; empty where nothing was asked, or refused."""
    before = context.transcript.before
    asked = [each for each in before[-1].outcomes if each.answer.get("status") == "mentions"] if before else []
    wants = context.request.intent == "accept" or (
        context.request.intent == "forget" and not context.language.content_words(context.request.about)
    )
    return str(asked[-1].given.get("query", "")) if asked and wants else ""


def _chosen(context: TurnContext) -> str:
    """The handle that the user picked after being asked which memory to forget, or an empty string."""
    if not context.transcript.before or context.request.intent in _OTHER_WISHES:
        return ""
    asked = [each for each in context.transcript.before[-1].outcomes if each.answer.get("status") == "which_one"]
    matches = asked[-1].answer.get("matches", []) if asked else []
    at = context.language.picked(context.now.said, [match_named(context.language, match) for match in matches])
    return str(matches[at].get("handle", "")) if at is not None else ""
