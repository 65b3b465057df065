"""Composes the reply of a turn: what was kept or refused, then the trip or the answer, then the notes it used."""

from __future__ import annotations

import re
from typing import Any

from models.offline.dialogue.conflict_question import ask_when, options_asked, render_conflict
from models.offline.dialogue.memory_replies import render_memory_outcomes
from models.offline.dialogue.relevant_notes import RelevantNotes, relevant_notes
from models.offline.dialogue.render_notes import render_notes
from models.offline.dialogue.trip import Trip, trip_details
from models.offline.dialogue.turn_context import TurnContext, about_trips
from models.offline.travel.offers import SEARCHES, TOOLS
from models.offline.travel.replies.render import Rendered, render_travel
from models.offline.travel.trip_context import TripContext

_NEEDLESS_BLANK = re.compile(r"(?<=[。：）]) | (?=（)")
"""Japanese sets no blank between sentences or before a bracket."""
_LISTED = re.compile(r"- |\d\. ")
_PARAGRAPH = "\n\n"
_MAY_SEEK = frozenset({"advice", "question", "trip", "unknown", "smalltalk"})
_ANSWERED_BY_TOOL = {
    "forget": "forget_memory",
    "profile": "list_memories",
    "source": "list_memories",
    "recall": "recall_memory",
    "private": "remember_conversation",
    "public": "remember_conversation",
}


def reply(context: TurnContext) -> str:
    """The reply to the running message, with a last line that names the memories it used."""
    told = [*_unmet_wishes(context), *render_memory_outcomes(context), *_left_open(context)]
    if len(context.now.said) > context.language.reads:
        told.append(context.say("too_long", count=context.language.reads))
    trip_context = TripContext(context)
    travelled = render_travel(trip_context)
    main, used = _travelled(context, travelled, told) if travelled else _main(context, bool(told))
    text = "\n\n".join(
        part for part in (" ".join(told) if all("\n" not in each for each in told) else "\n\n".join(told), main) if part
    )
    text = text or context.say("unknown")
    unsaid = _offline(context, short=True) not in main and context.say("lookup") not in main
    if told and not travelled and context.transcript.opening and unsaid:
        text = f"{text}{_PARAGRAPH if _ends_in_list(text) else ' '}{_offline(context, short=True)}"
    text = _NEEDLESS_BLANK.sub("", text)
    return f"{text}\n<used>{' '.join(used)}</used>" if used else text


def _travelled(context: TurnContext, travelled: Rendered, told: list[str]) -> Rendered:
    """The travel part, led by what it keeps in mind the first time, with the handles of all that it rests on."""
    text, handles = travelled
    first = next((each.tool for each in context.now.outcomes if each.tool in TOOLS), "")
    used = relevant_notes(context, whole_trip=True) if first in SEARCHES else RelevantNotes()
    heads = (context.say("apply", items="\0").split("\0")[0], context.say("apply_many"))
    kept = {each.handle for each in context.briefing.memories if not each.session}
    new = (
        used.words
        and kept & {*used.handles}
        and not any(head in turn.reply for head in heads for turn in context.transcript.before)
    )
    lead = [_offline(context, short=True)] if context.transcript.opening and not told else []
    lead += [used.words] if new else []
    return _PARAGRAPH.join(part for part in (" ".join(lead), text) if part), tuple(
        dict.fromkeys((*(used.handles if new else ()), *handles))
    )


def _travels(context: TurnContext) -> bool:
    return TripContext(context).on


def _offline(context: TurnContext, *, short: bool = False) -> str:
    """That the program is offline, and what that means here."""
    key = "offline_short" if short else "offline"
    return context.say(f"travel_{key}" if _travels(context) else key)


def _ends_in_list(text: str) -> bool:
    return bool(_LISTED.match(text.rpartition("\n")[2]))


def _unmet_wishes(context: TurnContext) -> list[str]:
    """Return what is said of a wish to be remembered, or not, that can't be met as it was meant."""
    said, language = context.now.said, context.language
    if context.request.intent in {"greeting", "forget_all", *_ANSWERED_BY_TOOL}:
        return []
    if context.statements and language.asks_not_to_remember(said):
        return [language.say("kept_back")]
    asks_to_remember = language.asks_to_remember(said)
    if "save_memory_note" not in context.tools and (asks_to_remember or context.statements):
        return [language.say("not_remembering")]
    if not asks_to_remember:
        return []
    return [] if context.statements else [language.say("nothing_to_keep")]


def _left_open(context: TurnContext) -> list[str]:
    """What is said to an answer that picks neither of two memories."""
    asked = context.transcript.before and options_asked(context.transcript.before[-1])
    if not asked or context.settled or context.now.outcomes or context.statements:
        return []
    if context.undecided == "both":
        return [ask_when(context.language, context.transcript.before[-1])]
    passed = context.undecided or context.request.intent in {"unknown", "smalltalk", "decline", "accept"}
    return [context.say("conflict_left")] if passed and context.trip == context.trip_before else []


def _main(context: TurnContext, told: bool) -> Rendered:
    intent = context.request.intent
    if intent == "forget_all":
        return context.say("forget_all"), ()
    if intent in _ANSWERED_BY_TOOL and not context.reading.opens:
        return _without_tool(context), ()
    if intent == "chat" and not told and not context.reading.opens:
        return _small(context), ()
    if context.undecided == "both":
        return "", ()
    if context.settled or context.undecided:
        return _open_question(context), ()
    if context.reading.opens or (context.trip.open and _goes_on(context)):
        return _about_trip(context)
    if not told and (ahead := _ahead_of_time(context)):
        return ahead, ()
    if intent in _MAY_SEEK and (not told or intent in {"advice", "question"}):
        used = relevant_notes(context, whole_trip=False)
        if used.words or context.conflict or (told and _asks_beside(context)):
            return _advice(context, used), used.handles
    if told:
        return _open_question(context), ()
    return _small(context), ()


def _ahead_of_time(context: TurnContext) -> str:
    """What is said to a wish about offers while the trip still lacks a detail; empty where that is not so."""
    trip_context, question = TripContext(context), _open_question(context)
    if not (trip_context.on and context.trip.open and question):
        return ""
    if trip_context.ask.refines:
        return f"{context.say('travel_will')} {question}"
    asks = trip_context.ask.act in {"book", "why"} or context.request.intent == "accept"
    return f"{context.say('travel_book_first')} {question}" if asks else ""


def _asks_beside(context: TurnContext) -> bool:
    """True when the message asks for something beside what it says that is worth keeping."""
    rest = about_trips(context.now.said, context.language)
    return bool(context.statements and rest and context.language.concern(rest, ()).kinds)


def _goes_on(context: TurnContext) -> bool:
    """True when the message says something of the running trip, or answers the question that was asked."""
    return context.trip != context.trip_before or (
        context.asked is not None and context.request.intent == "unknown" and not context.now.outcomes
    )


def _without_tool(context: TurnContext) -> str:
    """The answer to a question about memory when its tool is not bound; empty when the tool has answered."""
    intent = context.request.intent
    if any(each.tool == _ANSWERED_BY_TOOL[intent] for each in context.now.outcomes):
        return ""
    match intent:
        case "forget":
            return context.say("forget_what" if "forget_memory" in context.tools else "forget_off")
        case "private" | "public":
            return context.say("known_off")
        case "profile" | "source":
            known: list[dict[str, Any]] = [
                {
                    "text": each.text,
                    "topic": each.topic,
                    "condition": each.condition,
                    "where": "here" if each.session else "",
                }
                for each in context.briefing.memories
            ]
            known += [
                {"text": each.text, "topic": each.topic, "condition": each.condition, "where": "here"}
                for each in context.earlier
            ]
            return render_notes(context, known) if known or context.briefing.profile else context.say("known_off")
    return context.say("recalled_none")


def _about_trip(context: TurnContext) -> Rendered:
    say, trip = context.say, context.trip
    home = context.home
    missing = trip.missing(home)
    details = ", ".join(trip_details(context.language, trip, home))
    used = relevant_notes(context, whole_trip=True) if missing is None or context.reading.opens else RelevantNotes()
    parts = [_offline(context, short=True)] if context.transcript.opening else []
    if missing is None:
        closing = "" if _travels(context) else say("no_inventory")
        parts += [say("summary", details=details), used.words, _open_question(context) or closing]
    else:
        parts += [say("have", details=details) if details else "", used.words, _open_question(context)]
    return " ".join(part for part in parts if part), used.handles


def _question(context: TurnContext, trip: Trip, missing: str) -> str:
    say = context.say
    if missing != "dates":
        return say(f"ask_{missing}")
    if trip.start:
        return say("ask_end")
    return say("ask_days", month=trip.vague_dates) if trip.vague_dates and trip.month else say("ask_dates")


def _advice(context: TurnContext, used: RelevantNotes) -> str:
    say = context.say
    closing = _open_question(context) or say("travel_sure" if TripContext(context).plan.proposed else "lookup_next")
    lookup = say("travel_lookup" if _travels(context) else "lookup")
    return " ".join(part for part in (lookup, used.words, closing) if part)


def _open_question(context: TurnContext) -> str:
    """The one question to end with: which of two memories holds, or what the trip still needs; empty without one."""
    if context.conflict:
        return render_conflict(context.language, context.conflict)
    missing = context.trip.missing(context.home) if context.trip.open else None
    return _question(context, context.trip, missing) if missing else ""


def _small(context: TurnContext) -> str:
    say, intent = context.say, context.request.intent
    name = f", {context.briefing.first_name}" if context.briefing.first_name else ""
    match intent:
        case "greeting":
            return (
                say("greeting", name=name, offline=_offline(context))
                if context.transcript.opening
                else say("greeting_again", name=name)
            )
        case "goodbye":
            return say("goodbye", name=name)
        case "accept" if _travels(context):
            return say("travel_accept")
        case "help" if _travels(context):
            return say("travel_help")
        case "accept" if context.trip.open and not _open_question(context):
            return say("accept_trip")
        case "question" | "advice" | "recall":
            return _advice(context, RelevantNotes())
        case "thanks" | "help" | "chat" | "restart" | "decline" | "accept":
            return say(intent)
    offline = f"{_offline(context)} " if context.transcript.opening else ""
    return offline + (
        (_open_question(context) and f"{say('unsure')} {_open_question(context)}")
        or say(intent if intent == "smalltalk" else "unknown")
    )
