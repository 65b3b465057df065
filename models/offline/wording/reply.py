"""Composes the reply of a turn: memory, the understood details of the trip, answers and offers, and one question."""

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
from models.offline.wording.bookings import outcome_text
from models.offline.wording.closing import question, without_outcome
from models.offline.wording.facts import party
from models.offline.wording.memory_replies import applied, memory_texts
from models.offline.wording.offers import TextAndHandles
from models.offline.wording.sentences import numbered, question_in
from models.offline.wording.understood import changed, not_understood, understood_line

_NEEDLESS_BLANK = re.compile(r"(?<=[。：）]) | (?=（)")
"""Japanese has no space between sentences or before a bracket."""
_TRIP_ACTS: frozenset[Act] = frozenset(
    {"inform", "choose", "book", "hold", "cancel", "change", "bags", "seats", "drop", "restart"}
)
_SMALL: tuple[Act, ...] = ("complain", "help", "greet", "bye", "thanks", "chat", "tell")
"""Acts that are not about a trip; the first one in a message decides the answer."""
_MOST_READ = 6_000
"""Characters of a message that are read."""
_NOT_CURRENT = frozenset({"past", "past_end", "past_time", "hypothetical", "hearsay"})
"""Cues of sentences that memory doesn't keep, because they are no statements about the present."""


def reply(dialogue: Dialogue) -> str:
    """Return the reply to the current message, with a last line that names the memories it used, if any."""
    said, say = dialogue.step.said, dialogue.say
    if not said.readable:
        return say(f"unreadable.{said.language if dialogue.words.knows(f'unreadable.{said.language}') else 'other'}")
    if dialogue.now.reported is not None:
        return _decided(dialogue, dialogue.now.outcomes[dialogue.now.reported :])
    texts = memory_texts(dialogue)
    texts += [say("too_long", count=_MOST_READ)] if len(dialogue.now.said) > _MOST_READ else []
    main, handles = _main(dialogue, bool(texts))
    memory = _joined(texts, " " if not any("\n" in each for each in texts) else "\n\n")
    opens = dialogue.transcript.opening and (main or memory)
    offline, short = map(say, _offline(dialogue))
    lead = short if opens and offline not in main and say("offline") not in main else ""
    text = _NEEDLESS_BLANK.sub("", _joined([lead, memory, main], "\n\n") or say("unknown"))
    used = " ".join(dict.fromkeys(each for each in handles if each))
    return f"{text}\n<used>{used}</used>" if used else text


def _decided(dialogue: Dialogue, outcomes: Iterable[Outcome]) -> str:
    """Return the text on calls that were submitted again and decided; the message itself was answered before."""
    text = _joined((outcome_text(dialogue, each)[0] for each in outcomes if each.tool in TOOLS), "\n\n")
    return _joined([text, "" if question_in(text) else question(dialogue, text)], "\n\n" if "\n" in text else " ")


def _joined(parts: Iterable[str], by: str) -> str:
    return by.join(part for part in parts if part and part.strip())


def _offline(dialogue: Dialogue) -> tuple[str, str]:
    """Return the keys of the sentences that say that the model is offline: with its consequences, and in short."""
    return ("offline", "offline_short") if dialogue.travels else ("offline_plain", "offline_plain_short")


def _main(dialogue: Dialogue, memory_answered: bool) -> TextAndHandles:
    """Return the text on the trip, else on small talk, and the handles of the memories that it rests on."""
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
        return _trip_text(dialogue)
    return ("" if memory_answered else _small_talk(dialogue)), ()


def _trip_text(dialogue: Dialogue) -> TextAndHandles:
    """Return the text on the trip; of several journeys each has its own line and offers, and all have one question."""
    journeys = dialogue.journeys
    about = [each for each in journeys if each.step.said.clauses and each.state.trip.frames] or [dialogue]
    about = [each for each in about if each.state.trip.of_status("open", "booked")] or about[:1]
    line, *lines = (understood_line(each) if changed(each) and each.state.trip.begun else "" for each in about)
    line, lines = ("", [line, *lines]) if journeys[1:] else (line, [""])
    start = dialogue.state.trip.slot("start")
    proposed = start is not None and start.source == "proposed" and start.turn == len(dialogue.steps) - 1
    unread = [*not_understood(dialogue), *([dialogue.say("proposed_days")] if proposed else [])]
    sections: list[TextAndHandles] = [(" ".join(unread), ())]
    for head, each in zip(lines, about, strict=True):
        sections += [(head, ()), *_answered(each)]
    sections += [(_booked_for(dialogue), ()), _applied_notes(dialogue)]
    parts = list(dict.fromkeys(text for text, _ in sections))
    answered = bool("".join(parts).strip())
    parts += dict.fromkeys(without_outcome(each, answered) for each in about)
    text = _joined([line, *parts], "\n\n")
    closing = question(dialogue, text) if not question_in(text) else ""
    if line and text == line and not closing:
        closing = dialogue.say("booked_stays")
    used = tuple(handle for _, handles in sections for handle in handles)
    return _joined([text, closing], "\n\n" if "\n" in text else " "), used


def _answered(dialogue: Dialogue) -> list[TextAndHandles]:
    """Return the texts on the outcomes of the turn, and the answers to its questions."""
    asked = [clause for clause in dialogue.step.said.clauses if clause.act == "ask"]
    searched = any(each.tool in SEARCHES for each in dialogue.outcomes)
    answers = [answer(dialogue, each) for each in asked if not (searched and each.topic in TOPICS["by_search"])]
    outcomes = (outcome_text(dialogue, each) for each in _outcomes_to_report(dialogue))
    return [*outcomes, *((text, ()) for text in answers)]


def _booked_for(dialogue: Dialogue) -> str:
    """Return for whom the flight is booked if the message changes who travels: no booking takes one person more."""
    flight = dialogue.state.trip.frames.get("flight")
    parties = [clause.party for clause in dialogue.step.said.clauses if clause.party]
    if not (flight and flight.booking and parties):
        return ""
    booked, joins = party(dialogue, "flight"), any(each.joins for each in parties)
    return dialogue.say("booked_for", party=booked) if joins or booked != party(dialogue, None) else ""


def _outcomes_to_report(dialogue: Dialogue) -> list[Outcome]:
    """Return the outcomes without searches that were repeated, or that led to a booking in the same turn."""
    outcomes = dialogue.outcomes
    done = max((at for at, each in enumerate(outcomes) if booking_of(each) or refusal(each)), default=-1)
    last = {each.tool: at for at, each in enumerate(outcomes)}
    return [each for at, each in enumerate(outcomes) if each.tool not in SEARCHES or done < at == last[each.tool]]


def _applied_notes(dialogue: Dialogue) -> TextAndHandles:
    """Return the text on the notes that are taken into account: once in a conversation, and for separate questions."""
    searched = any(each.tool in SEARCHES for each in dialogue.outcomes)
    mentioned = dialogue.said_before("apply") or dialogue.said_before("apply_many")
    trip = dialogue.state.trip
    shown = any(frame.shown for frame in trip.frames.values())
    asks = any(clause.act == "ask" for clause in dialogue.step.said.clauses) and not shown
    if (mentioned and not asks) or (dialogue.outcomes and not searched) or open_conflict(dialogue):
        return "", ()
    named = any(not frame.implied for frame in trip.frames.values()) or trip.value("destination")
    opens = bool(changed(dialogue) and named)
    chosen = relevant_notes(dialogue, whole_trip=searched or opens) if searched or opens or asks else []
    return applied(dialogue, chosen), tuple(each.handle for each in chosen)


def _small_talk(dialogue: Dialogue) -> str:
    """Return a short response to a message that is not about a trip, with a hint at how to go on."""
    say, acts, begun = dialogue.say, {clause.act for clause in dialogue.step.said.clauses}, dialogue.state.trip.begun
    act = next((each for each in _SMALL if each in acts), "")
    if act == "tell":
        text = say("told_unkept" if _could_be_kept(dialogue) else "told")
        return _joined([text, question(dialogue) if begun else say("way_on_trip")], " ")
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
    """Return whether the message has a claim or a travel topic that memory could keep, if the traveller wishes."""
    texts = [each.text for each in sentences(dialogue.now.said) if not (each.asked or cues(each.text) & _NOT_CURRENT)]
    keepable = any({*topics_in(each)} - {"other"} or meaning_of(each, topic_of(each)).claims for each in texts)
    return keepable and "save_memory_note" in dialogue.tools and not dialogue.transcript.to_be_private
