"""Composes the reply of a turn: what was kept or refused, then the trip or the answer, then the notes it used."""

from __future__ import annotations

import re
from typing import Any

from models.offline.dialogue.conflict_question import ask_when, offered, question
from models.offline.dialogue.memory_replies import recounted, secret_named
from models.offline.dialogue.note_lines import listed
from models.offline.dialogue.relevant_notes import Applied, applied
from models.offline.dialogue.trip import Trip
from models.offline.dialogue.trip_details import details_of
from models.offline.dialogue.turn_context import Talk, about_trips
from models.offline.travel.offers import SEARCHES, TOOLS
from models.offline.travel.replies.render import told as travel_told
from models.offline.travel.trip_context import Scene

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


def reply(talk: Talk) -> str:
    """The reply to the running message, with a last line that names the memories it used."""
    told = [*_guarded(talk), *recounted(talk), *_left_open(talk)]
    if len(talk.now.said) > talk.speech.reads:
        told.append(talk.speech.say("too_long", count=talk.speech.reads))
    scene = Scene(talk)
    travelled = travel_told(scene)
    main, used = _travelled(talk, travelled, told) if travelled else _main(talk, bool(told))
    text = "\n\n".join(
        part for part in (" ".join(told) if all("\n" not in each for each in told) else "\n\n".join(told), main) if part
    )
    text = text or talk.speech.say("unknown")
    unsaid = _offline(talk, short=True) not in main and talk.speech.say("lookup") not in main
    if told and not travelled and talk.transcript.opening and unsaid:
        text = f"{text}{_PARAGRAPH if _ends_in_list(text) else ' '}{_offline(talk, short=True)}"
    text = _NEEDLESS_BLANK.sub("", text)
    return f"{text}\n<used>{' '.join(used)}</used>" if used else text


def _travelled(talk: Talk, travelled: tuple[str, tuple[str, ...]], told: list[str]) -> tuple[str, tuple[str, ...]]:
    """The travel part, led by what it keeps in mind the first time, with the handles of all that it rests on."""
    text, handles = travelled
    first = next((each.tool for each in talk.now.outcomes if each.tool in TOOLS), "")
    used = applied(talk, whole_trip=True) if first in SEARCHES else Applied()
    heads = (talk.speech.say("apply", items="\0").split("\0")[0], talk.speech.say("apply_many"))
    kept = {each.handle for each in talk.briefing.memories if not each.session}
    new = (
        used.words
        and kept & {*used.handles}
        and not any(head in turn.reply for head in heads for turn in talk.transcript.before)
    )
    lead = [_offline(talk, short=True)] if talk.transcript.opening and not told else []
    lead += [used.words] if new else []
    return _PARAGRAPH.join(part for part in (" ".join(lead), text) if part), tuple(
        dict.fromkeys((*(used.handles if new else ()), *handles))
    )


def _travels(talk: Talk) -> bool:
    return Scene(talk).on


def _offline(talk: Talk, *, short: bool = False) -> str:
    """That the program is offline, and what that means here."""
    key = "offline_short" if short else "offline"
    return talk.speech.say(f"travel_{key}" if _travels(talk) else key)


def _ends_in_list(text: str) -> bool:
    return bool(_LISTED.match(text.rpartition("\n")[2]))


def _guarded(talk: Talk) -> list[str]:
    """What is said of a secret, of a standing order, and of a wish to be remembered that can't be met."""
    said, speech = talk.now.said, talk.speech
    secret = speech.sensitive(said) if talk.request.intent != "greeting" else None
    if secret and not any(each.tool == "save_memory_note" for each in talk.now.outcomes):
        return [speech.say("secret", what=secret_named(speech, secret))]
    if talk.request.intent in {"greeting", "forget_all", *_ANSWERED_BY_TOOL} or secret:
        return []
    if speech.instruction(said):
        return [speech.say("blocked_instruction")]
    if talk.statements and speech.keeps_back(said):
        return [speech.say("kept_back")]
    wants_kept = speech.wants_kept(said)
    if "save_memory_note" not in talk.tools and (wants_kept or talk.statements):
        return [speech.say("not_remembering")]
    if not wants_kept:
        return []
    return [] if talk.statements else [speech.say("nothing_to_keep")]


def _left_open(talk: Talk) -> list[str]:
    """What is said to an answer that picks neither of two memories."""
    asked = talk.transcript.before and offered(talk.transcript.before[-1])
    if not asked or talk.settled or talk.now.outcomes or talk.statements:
        return []
    if talk.undecided == "both":
        return [ask_when(talk.speech, talk.transcript.before[-1])]
    passed = talk.undecided or talk.request.intent in {"unknown", "smalltalk", "decline", "accept"}
    return [talk.speech.say("clash_left")] if passed and talk.trip == talk.trip_before else []


def _main(talk: Talk, told: bool) -> tuple[str, tuple[str, ...]]:
    intent = talk.request.intent
    if intent == "forget_all":
        return talk.speech.say("forget_all"), ()
    if intent in _ANSWERED_BY_TOOL and not talk.reading.opens:
        return _without_tool(talk), ()
    if intent == "chat" and not told and not talk.reading.opens:
        return _small(talk), ()
    if talk.undecided == "both":
        return "", ()
    if talk.settled or talk.undecided:
        return _open_question(talk), ()
    if talk.reading.opens or (talk.trip.open and _goes_on(talk)):
        return _about_trip(talk)
    if not told and (ahead := _ahead_of_time(talk)):
        return ahead, ()
    if intent in _MAY_SEEK and (not told or intent in {"advice", "question"}):
        used = applied(talk, whole_trip=False)
        if used.words or talk.clash or (told and _asks_beside(talk)):
            return _advice(talk, used), used.handles
    if told:
        return _open_question(talk), ()
    return _small(talk), ()


def _ahead_of_time(talk: Talk) -> str:
    """What is said to a wish about offers while the trip still lacks a detail; empty where that is not so."""
    scene, question = Scene(talk), _open_question(talk)
    if not (scene.on and talk.trip.open and question):
        return ""
    if scene.ask.refines:
        return f"{talk.speech.say('travel_will')} {question}"
    asks = scene.ask.act in {"book", "why"} or talk.request.intent == "accept"
    return f"{talk.speech.say('travel_book_first')} {question}" if asks else ""


def _asks_beside(talk: Talk) -> bool:
    """True when the message asks for something beside what it says that is worth keeping."""
    rest = about_trips(talk.now.said, talk.speech)
    return bool(talk.statements and rest and talk.speech.concern(rest, ()).kinds)


def _goes_on(talk: Talk) -> bool:
    """True when the message says something of the running trip, or answers the question that was asked."""
    return talk.trip != talk.trip_before or (
        talk.asked is not None and talk.request.intent == "unknown" and not talk.now.outcomes
    )


def _without_tool(talk: Talk) -> str:
    """The answer to a question about memory when its tool is not bound; empty when the tool has answered."""
    intent = talk.request.intent
    if any(each.tool == _ANSWERED_BY_TOOL[intent] for each in talk.now.outcomes):
        return ""
    match intent:
        case "forget":
            return talk.speech.say("forget_what" if "forget_memory" in talk.tools else "forget_off")
        case "private" | "public":
            return talk.speech.say("known_off")
        case "profile" | "source":
            known: list[dict[str, Any]] = [
                {
                    "text": each.text,
                    "topic": each.topic,
                    "condition": each.condition,
                    "where": "here" if each.session else "",
                }
                for each in talk.briefing.memories
            ]
            known += [
                {"text": each.text, "topic": each.topic, "condition": each.condition, "where": "here"}
                for each in talk.earlier
            ]
            return listed(talk, known) if known or talk.briefing.profile else talk.speech.say("known_off")
    return talk.speech.say("recalled_none")


def _about_trip(talk: Talk) -> tuple[str, tuple[str, ...]]:
    say, trip = talk.speech.say, talk.trip
    home = talk.home
    missing = trip.missing(home)
    details = ", ".join(details_of(talk, trip, home))
    used = applied(talk, whole_trip=True) if missing is None or talk.reading.opens else Applied()
    parts = [_offline(talk, short=True)] if talk.transcript.opening else []
    if missing is None:
        closing = "" if _travels(talk) else say("no_inventory")
        parts += [say("summary", details=details), used.words, _open_question(talk) or closing]
    else:
        parts += [say("have", details=details) if details else "", used.words, _open_question(talk)]
    return " ".join(part for part in parts if part), used.handles


def _question(talk: Talk, trip: Trip, missing: str) -> str:
    say = talk.speech.say
    if missing != "dates":
        return say(f"ask_{missing}")
    if trip.start:
        return say("ask_end")
    return say("ask_days", month=trip.vague_dates) if trip.vague_dates and trip.month else say("ask_dates")


def _advice(talk: Talk, used: Applied) -> str:
    say = talk.speech.say
    closing = _open_question(talk) or say("travel_sure" if Scene(talk).plan.proposed else "lookup_next")
    lookup = say("travel_lookup" if _travels(talk) else "lookup")
    return " ".join(part for part in (lookup, used.words, closing) if part)


def _open_question(talk: Talk) -> str:
    """The one question to end with: which of two memories holds, or what the trip still needs; empty without one."""
    if talk.clash:
        return question(talk.speech, talk.clash)
    missing = talk.trip.missing(talk.home) if talk.trip.open else None
    return _question(talk, talk.trip, missing) if missing else ""


def _small(talk: Talk) -> str:
    say, intent = talk.speech.say, talk.request.intent
    name = f", {talk.briefing.first_name}" if talk.briefing.first_name else ""
    match intent:
        case "greeting":
            return (
                say("greeting", name=name, offline=_offline(talk))
                if talk.transcript.opening
                else say("greeting_again", name=name)
            )
        case "goodbye":
            return say("goodbye", name=name)
        case "accept" if _travels(talk):
            return say("travel_accept")
        case "help" if _travels(talk):
            return say("travel_help")
        case "accept" if talk.trip.open and not _open_question(talk):
            return say("accept_trip")
        case "question" | "advice" | "recall":
            return _advice(talk, Applied())
        case "thanks" | "help" | "chat" | "restart" | "decline" | "accept":
            return say(intent)
    offline = f"{_offline(talk)} " if talk.transcript.opening else ""
    return offline + (
        (_open_question(talk) and f"{say('unsure')} {_open_question(talk)}")
        or say(intent if intent == "smalltalk" else "unknown")
    )
