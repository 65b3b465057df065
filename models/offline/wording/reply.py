"""Composes the reply of a turn: memory, the line of what was understood, answers and offers, and one question."""

import re
from collections.abc import Iterable

from models.offline.dialogue.conflicts import noted
from models.offline.dialogue.memory import wish_of
from models.offline.dialogue.relevance import open_conflict, relevant_notes
from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.turn import Dialogue
from models.offline.notes.claims import meaning_of
from models.offline.notes.judge import cues, sentences, topic_of, topics_in
from models.offline.reading.understanding import Act
from models.offline.trips.offers import SEARCHES, TOOLS, booking_of, refusal
from models.offline.trips.wishes import TOPICS
from models.offline.wording.answers import answer
from models.offline.wording.bookings import told_of
from models.offline.wording.closing import question, without_outcome
from models.offline.wording.memory_replies import applied, memory_told
from models.offline.wording.offers import Told
from models.offline.wording.sentences import numbered, question_in
from models.offline.wording.understood import changed, not_understood, understood_line

_NEEDLESS_BLANK = re.compile(r"(?<=[。：）]) | (?=（)")
"""Japanese sets no blank between sentences or before a bracket."""
_TRIP_ACTS: frozenset[Act] = frozenset(
    {"inform", "choose", "book", "hold", "cancel", "change", "bags", "seats", "drop", "restart"}
)
_SMALL: tuple[Act, ...] = ("complain", "help", "greet", "bye", "thanks", "chat", "tell")
"""Acts beside trips, the one that decides the answer first."""
_MOST_READ = 6_000
_ELSEWHERE = frozenset({"past", "past_end", "past_time", "hypothetical", "hearsay"})
"""Cues of what is no statement for memory."""


def reply(dialogue: Dialogue) -> str:
    """Return the reply to the running message, with a last line that names the memories it used."""
    said, say = dialogue.step.said, dialogue.say
    if not said.readable:
        return say(f"unreadable.{said.language if dialogue.words.knows(f'unreadable.{said.language}') else 'other'}")
    if dialogue.now.told is not None:
        return _decided(dialogue, dialogue.now.outcomes[dialogue.now.told :])
    told = memory_told(dialogue)
    told += [say("too_long", count=_MOST_READ)] if len(dialogue.now.said) > _MOST_READ else []
    main, handles = _main(dialogue, bool(told))
    memory = _joined(told, " " if not any("\n" in each for each in told) else "\n\n")
    opens = dialogue.transcript.opening and (main or memory)
    offline, short = map(say, _offline(dialogue))
    lead = short if opens and offline not in main and say("offline") not in main else ""
    text = _NEEDLESS_BLANK.sub("", _joined([lead, memory, main], "\n\n") or say("unknown"))
    used = " ".join(dict.fromkeys(each for each in handles if each))
    return f"{text}\n<used>{used}</used>" if used else text


def _decided(dialogue: Dialogue, outcomes: Iterable[Outcome]) -> str:
    """Return what came of the decision on what was put up again; the message itself was answered before."""
    text = _joined((told_of(dialogue, each)[0] for each in outcomes if each.tool in TOOLS), "\n\n")
    return _joined([text, "" if question_in(text) else question(dialogue, text)], "\n\n" if "\n" in text else " ")


def _joined(parts: Iterable[str], by: str) -> str:
    return by.join(part for part in parts if part and part.strip())


def _offline(dialogue: Dialogue) -> tuple[str, str]:
    """Return the sentences that say that it is offline, with and without what that means."""
    return ("offline", "offline_short") if dialogue.travels else ("offline_plain", "offline_plain_short")


def _main(dialogue: Dialogue, told: bool) -> Told:
    """Return what is said of the trip, else of small things, and the handles of the memories it rests on."""
    step = dialogue.step
    acts = {clause.act for clause in step.said.clauses}
    if wish_of(dialogue) and not acts & _TRIP_ACTS and not dialogue.outcomes:
        return "", ()
    conflict = open_conflict(dialogue)
    if conflict and (acts & {*_TRIP_ACTS, "ask"} or not conflict[0].handle):
        line = understood_line(dialogue) if changed(dialogue) else ""
        lines = numbered(noted(dialogue.words, each.text, each.condition) for each in conflict)
        return _joined([line, dialogue.words.say("conflict", lines=lines)], "\n\n"), ()
    if acts & {*_TRIP_ACTS, "ask", "confirm", "reject"} or dialogue.outcomes or step.heard != step.before:
        return _of_trip(dialogue)
    return ("" if told else _small(dialogue)), ()


def _of_trip(dialogue: Dialogue) -> Told:
    line = understood_line(dialogue) if changed(dialogue) and dialogue.state.trip.begun else ""
    start = dialogue.state.trip.slot("start")
    proposed = start is not None and start.source == "proposed" and start.turn == len(dialogue.steps) - 1
    unread = [*not_understood(dialogue), *([dialogue.say("proposed_days")] if proposed else [])]
    told = [(" ".join(unread), ()), *(told_of(dialogue, each) for each in _worth_telling(dialogue))]
    asked = [clause for clause in dialogue.step.said.clauses if clause.act == "ask"]
    searched = any(each.tool in SEARCHES for each in dialogue.outcomes)
    told += [(answer(dialogue, each), ()) for each in asked if not (searched and each.topic in TOPICS["by_search"])]
    told.append(_kept_in_mind(dialogue))
    parts = list(dict.fromkeys(text for text, _ in told))
    parts.append(without_outcome(dialogue, bool("".join(parts).strip())))
    text = _joined([line, *parts], "\n\n")
    closing = question(dialogue, text) if not question_in(text) else ""
    if line and text == line and not closing:
        closing = dialogue.say("booked_stays")
    used = tuple(handle for _, handles in told for handle in handles)
    return _joined([text, closing], "\n\n" if "\n" in text else " "), used


def _worth_telling(dialogue: Dialogue) -> list[Outcome]:
    """Return the outcomes to tell of: a search that led to a booking in the same turn is no news any more."""
    outcomes = dialogue.outcomes
    done = max((at for at, each in enumerate(outcomes) if booking_of(each) or refusal(each)), default=-1)
    last = {each.tool: at for at, each in enumerate(outcomes)}
    return [each for at, each in enumerate(outcomes) if each.tool not in SEARCHES or done < at == last[each.tool]]


def _kept_in_mind(dialogue: Dialogue) -> Told:
    """Return the notes that are taken into account: once for a trip, and for a question of its own."""
    searched = any(each.tool in SEARCHES for each in dialogue.outcomes)
    told = dialogue.said_before("apply") or dialogue.said_before("apply_many")
    trip = dialogue.state.trip
    shown = any(frame.shown for frame in trip.frames.values())
    asks = any(clause.act == "ask" for clause in dialogue.step.said.clauses) and not shown
    if (told and not asks) or (dialogue.outcomes and not searched) or open_conflict(dialogue):
        return "", ()
    named = any(not frame.implied for frame in trip.frames.values()) or trip.value("destination")
    opens = bool(changed(dialogue) and named)
    chosen = relevant_notes(dialogue, whole_trip=searched or opens) if searched or opens or asks else []
    return applied(dialogue, chosen), tuple(each.handle for each in chosen)


def _small(dialogue: Dialogue) -> str:
    """Return a short line and a way on, to what is about no trip."""
    say, acts, begun = dialogue.say, {clause.act for clause in dialogue.step.said.clauses}, dialogue.state.trip.begun
    act = next((each for each in _SMALL if each in acts), "")
    if act == "tell":
        told = say("told_unkept" if _could_be_kept(dialogue) else "told")
        return _joined([told, question(dialogue) if begun else say("way_on_trip")], " ")
    asked = dialogue.step.question in ("ask_origin", "ask_dates", "ask_days", "ask_end")
    if (act == "chat" and asked) or (not act and begun):
        return _joined([say("unknown_trip"), question(dialogue)], " ")
    name = dialogue.briefing.profile.get("name", "").split(" ")[0]
    keys = {
        "greet": "greeting" if dialogue.transcript.opening else "greeting_again", "bye": "goodbye", "thanks": "thanks",
        "complain": "complain", "help": "help" if dialogue.travels else "help_plain",
        "chat": "chat_trip" if begun else "chat",
    }  # fmt: skip
    return say(keys.get(act, "unknown"), name=name, offline=say(_offline(dialogue)[0]))


def _could_be_kept(dialogue: Dialogue) -> bool:
    """Return whether the message claims something, or names something of a journey, that memory could hold."""
    told = [each.text for each in sentences(dialogue.now.said) if not (each.asked or cues(each.text) & _ELSEWHERE)]
    named = any({*topics_in(each)} - {"other"} or meaning_of(each, topic_of(each)).claims for each in told)
    return named and "save_memory_note" in dialogue.tools and not dialogue.transcript.to_be_private
