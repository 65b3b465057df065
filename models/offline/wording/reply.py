"""Composes the reply of a turn: memory, the line of what was understood, answers and offers, and one question."""

from __future__ import annotations

import re

from models.offline import notes
from models.offline.dialogue.conflicts import ask_when, conflict_question, left_open, options_asked
from models.offline.dialogue.memory import open_conflict, settled_memories, wish_of
from models.offline.dialogue.relevance import relevant_notes
from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.turn import Dialogue
from models.offline.reading.understanding import Act
from models.offline.trips.offers import ACTS, SEARCHES, booking_of, error_text, is_sold_out, refusal, results
from models.offline.wording.answers import answer
from models.offline.wording.bookings import act_done, bookings_listed, documents, itinerary, refused
from models.offline.wording.closing import question, without_outcome
from models.offline.wording.faults import fault_words
from models.offline.wording.memory_replies import applied, known_without_tool, memory_told
from models.offline.wording.offers import offers_found
from models.offline.wording.sentences import question_in
from models.offline.wording.understood import changed, not_understood, understood_line

_NEEDLESS_BLANK = re.compile(r"(?<=[。：）]) | (?=（)")
"""Japanese sets no blank between sentences or before a bracket."""
_PARAGRAPH = "\n\n"
_TRIP_ACTS: frozenset[Act] = frozenset(
    {"inform", "choose", "book", "hold", "cancel", "change", "bags", "seats", "drop", "restart"}
)
_SMALL: tuple[Act, ...] = ("complain", "help", "greet", "bye", "thanks", "chat", "tell")
"""Acts beside trips, the one that decides the answer first."""
_MOST_READ = 6_000


def reply(dialogue: Dialogue) -> str:
    """Return the reply to the running message, with a last line that names the memories it used."""
    if not dialogue.step.said.readable:
        return _unreadable(dialogue)
    told = [*memory_told(dialogue), *_unmet_wishes(dialogue), *_left_open(dialogue)]
    if len(dialogue.now.said) > _MOST_READ:
        told.append(dialogue.say("too_long", count=_MOST_READ))
    main, used = _main(dialogue, bool(told))
    lead = [_offline(dialogue)] if dialogue.transcript.opening and dialogue.say("offline") not in main else []
    lead = lead if dialogue.say(_offline_key(dialogue)) not in main and (main or told) else []
    text = _PARAGRAPH.join(
        part for part in (*lead, " ".join(told) if _short(told) else _PARAGRAPH.join(told), main) if part
    )
    text = _NEEDLESS_BLANK.sub("", text or dialogue.say("unknown"))
    handles = tuple(dict.fromkeys(each for each in used if each))
    return f"{text}\n<used>{' '.join(handles)}</used>" if handles else text


def _short(told: list[str]) -> bool:
    return all("\n" not in each for each in told)


def _unreadable(dialogue: Dialogue) -> str:
    key = f"unreadable_{dialogue.step.said.language}"
    return dialogue.say(key if dialogue.words.knows(key) else "unreadable")


def _offline_key(dialogue: Dialogue) -> str:
    return "offline" if dialogue.travels else "offline_plain"


def _offline(dialogue: Dialogue) -> str:
    return dialogue.say("offline_short" if dialogue.travels else "offline_plain_short")


def _unmet_wishes(dialogue: Dialogue) -> list[str]:
    """Return what is said of a wish over memory that no tool answered."""
    wish, called = wish_of(dialogue), {each.tool for each in dialogue.now.outcomes}
    if wish is None:
        return _unmet_saving(dialogue)
    if called & {"forget_memory", "list_memories", "recall_memory", "remember_conversation"}:
        return []
    match wish.kind:
        case "forget_all":
            return [dialogue.say("forget_all")]
        case "forget":
            return [dialogue.say("forget_what" if "forget_memory" in dialogue.tools else "forget_off")]
        case "list" | "source":
            return [known_without_tool(dialogue)]
        case "recall":
            return [dialogue.say("recalled_none")]
    return [dialogue.say("known_off")]


def _unmet_saving(dialogue: Dialogue) -> list[str]:
    """Return what is said of a wish to have something kept, or not, that can't be met as it was meant."""
    said = dialogue.now.said
    stated = bool(notes.statements(said))
    if notes.asks_not_to_remember(said):
        return [dialogue.say("kept_back")] if stated else []
    asked = notes.asks_to_remember(said)
    if "save_memory_note" not in dialogue.tools:
        return [dialogue.say("not_remembering")] if asked or stated else []
    saved = any(call["name"] == "save_memory_note" for call in dialogue.now.calls)
    return [dialogue.say("nothing_to_keep")] if asked and not saved else []


def _left_open(dialogue: Dialogue) -> list[str]:
    """Return what is said to an answer that picks neither of two memories."""
    before = dialogue.transcript.before
    if not before or not options_asked(before[-1]) or settled_memories(dialogue) or dialogue.now.outcomes:
        return []
    if left_open(before[-1], dialogue.now.said) == "both":
        return [ask_when(dialogue.words, before[-1])]
    passed = {clause.act for clause in dialogue.step.said.clauses} <= {"chat", "confirm", "reject", "drop", "tell"}
    return [dialogue.say("conflict_left")] if passed or left_open(before[-1], dialogue.now.said) else []


def _main(dialogue: Dialogue, told: bool) -> tuple[str, list[str]]:
    """Return what is said of the trip, else of small things, and the handles of the memories it rests on."""
    acts = {clause.act for clause in dialogue.step.said.clauses}
    if wish_of(dialogue) and not acts & _TRIP_ACTS and not dialogue.outcomes:
        return "", []
    if open_conflict(dialogue) and acts & {*_TRIP_ACTS, "ask"}:
        conflict = open_conflict(dialogue)
        line = [understood_line(dialogue)] if changed(dialogue) else []
        return _PARAGRAPH.join([*line, conflict_question(dialogue.words, conflict or ())]), []
    if acts & {*_TRIP_ACTS, "ask", "confirm", "reject"} or dialogue.outcomes or _answers_question(dialogue):
        return _of_trip(dialogue)
    return ("" if told else _small(dialogue)), []


def _answers_question(dialogue: Dialogue) -> bool:
    return dialogue.step.heard != dialogue.step.before


def _of_trip(dialogue: Dialogue) -> tuple[str, list[str]]:
    line = [understood_line(dialogue)] if changed(dialogue) and dialogue.state.trip.begun else []
    parts = [*line, " ".join([*not_understood(dialogue), *_proposed(dialogue)])]
    handles: list[str] = []
    for outcome in _worth_telling(dialogue):
        text, used = _of_outcome(dialogue, outcome)
        handles += used
        parts.append(text)
    answers = [answer(dialogue, clause) for clause in dialogue.step.said.clauses
               if clause.act == "ask" and not _searched_for(dialogue, clause.topic)]  # fmt: skip
    parts += dict.fromkeys(answers)
    words, used = _kept_in_mind(dialogue)
    parts.append(words)
    parts.append(without_outcome(dialogue, bool("".join(parts[len(line) :]).strip())))
    text = _PARAGRAPH.join(part for part in parts if part and part.strip())
    closing = question(dialogue) if not question_in(text) else ""
    if line and text == line[0] and not closing:
        closing = dialogue.say("booked_stays")
    joined = _PARAGRAPH if "\n" in text else " "
    return joined.join(part for part in (text, closing) if part), [*handles, *used]


def _worth_telling(dialogue: Dialogue) -> list[Outcome]:
    """Return the outcomes to tell of: a search that led to a booking in the same turn is no news any more."""
    done = [at for at, each in enumerate(dialogue.outcomes) if booking_of(each) or refusal(each)]
    last = {each.tool: at for at, each in enumerate(dialogue.outcomes)}
    return [
        each
        for at, each in enumerate(dialogue.outcomes)
        if each.tool not in SEARCHES or (at == last[each.tool] and not (done and at < done[-1]))
    ]


def _searched_for(dialogue: Dialogue, topic: str) -> bool:
    """Return whether a search of this turn is the answer to the question."""
    return topic in ("", "price", "times", "offer", "cheapest", "stops", "dates", "best", "insurance", "total") and any(
        each.tool in SEARCHES for each in dialogue.outcomes
    )


def _proposed(dialogue: Dialogue) -> list[str]:
    slot = dialogue.state.trip.slot("start")
    now = slot is not None and slot.source == "proposed" and slot.turn == len(dialogue.steps) - 1
    return [dialogue.say("proposed_days")] if now else []


def _kept_in_mind(dialogue: Dialogue) -> tuple[str, list[str]]:
    """Return the notes that are taken into account: once for a trip, and for a question of its own."""
    searched = any(each.tool in SEARCHES for each in dialogue.outcomes)
    heads = [dialogue.say("apply", items="\0").split("\0")[0], dialogue.say("apply_many")]
    told = any(head in turn.reply for head in heads for turn in dialogue.transcript.before)
    shown = any(frame.shown for frame in dialogue.state.trip.frames.values())
    asks = any(clause.act == "ask" for clause in dialogue.step.said.clauses) and not shown
    if (told and not asks) or (dialogue.outcomes and not searched) or open_conflict(dialogue):
        return "", []
    trip = dialogue.state.trip
    named = [kind for kind, frame in trip.frames.items() if not frame.implied]
    opens = changed(dialogue) and bool(named or trip.value("destination"))
    chosen = relevant_notes(dialogue, whole_trip=searched or opens) if searched or opens or asks else []
    return applied(dialogue, chosen), [each.handle for each in chosen]


def _of_outcome(dialogue: Dialogue, outcome: Outcome) -> tuple[str, list[str]]:
    say = dialogue.say
    if outcome.tool in ("seat_map", "offer_details"):
        return "", []
    if error_text(outcome):
        if outcome.tool in ACTS and is_sold_out(outcome) and refusal(outcome) is None:
            return say("pick_next" if _found_again(dialogue) else "fault_gone_now", why=say("fault_gone")), []
        return refused(dialogue, outcome) or fault_words(dialogue, outcome), []
    if outcome.tool in SEARCHES:
        found = offers_found(dialogue, outcome)
        return found.words, list(found.handles)
    if booking := booking_of(outcome):
        return act_done(dialogue, outcome, booking), []
    match outcome.tool:
        case "list_bookings":
            acted = any(each.tool in ACTS for each in dialogue.outcomes)
            return ("" if acted else bookings_listed(dialogue, outcome)), []
        case "show_itinerary":
            return itinerary(dialogue, outcome), []
        case "export_calendar":
            count = int(outcome.answer.get("events") or 0)
            return (say("calendar_some", count=count) if count else say("calendar_none")), []
        case "convert_money" if any(clause.conversion for clause in dialogue.step.said.clauses):
            return _converted(dialogue, outcome), []
        case "check_documents":
            return documents(dialogue, outcome), []
        case "booking_policy":
            return str(outcome.answer.get("policy", "")), []
    return "", []


def _found_again(dialogue: Dialogue) -> bool:
    return any(each.tool in SEARCHES and results(each) for each in dialogue.outcomes)


def _converted(dialogue: Dialogue, outcome: Outcome) -> str:
    found, rate = outcome.answer, str(outcome.answer.get("rate"))
    short = rate.rstrip("0").rstrip(".") if "." in rate else rate
    given, result, day = (found.get(name) for name in ("given", "result", "day"))
    return dialogue.say("converted", given=given, result=result, rate=short, day=day)


def _small(dialogue: Dialogue) -> str:
    """Return a short line and a way on, to what is about no trip."""
    acts = {clause.act for clause in dialogue.step.said.clauses}
    act = next((each for each in _SMALL if each in acts), "")
    name = dialogue.briefing.first_name
    named = dialogue.say("named", name=name) if name else ""
    begun, offline = dialogue.state.trip.begun, dialogue.say(_offline_key(dialogue))
    match act:
        case "greet":
            key = "greeting" if dialogue.transcript.opening else "greeting_again"
            return (
                dialogue.say(key, name=named, offline=offline) if key == "greeting" else dialogue.say(key, name=named)
            )
        case "bye":
            return dialogue.say("goodbye", name=named)
        case "help":
            return dialogue.say("help" if dialogue.travels else "help_plain")
        case "thanks" | "complain":
            return dialogue.say(act)
        case "tell":
            return f"{dialogue.say('told')} {question(dialogue) if begun else dialogue.say('way_on_trip')}".strip()
        case "chat" if dialogue.step.question in ("ask_origin", "ask_dates", "ask_days", "ask_end"):
            return f"{dialogue.say('unknown_trip')} {question(dialogue)}".strip()
        case "chat":
            return dialogue.say("chat_trip" if begun else "chat")
    return f"{dialogue.say('unknown_trip')} {question(dialogue)}".strip() if begun else dialogue.say("unknown")
