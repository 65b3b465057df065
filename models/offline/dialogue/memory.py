"""What a turn does with memory: what it saves, forgets and looks up, and the notes that its answer may rest on."""

import re
from collections.abc import Iterable

from models.offline import notes
from models.offline.dialogue.acts import Call
from models.offline.dialogue.conflicts import is_option, left_open, picked, picked_cases, was_asked
from models.offline.dialogue.told import LIMITS, earlier_statements
from models.offline.dialogue.transcript import Memory
from models.offline.dialogue.turn import Dialogue
from models.offline.notes import MemoryWish, Statement, content_words
from models.offline.reading.understanding import Clause
from models.offline.tables import DIALOGUE
from models.offline.trips.wishes import TOPICS
from text.words import is_japanese

_MOSTLY = 0.8
"""Share of a clause that a quote has to be, to say no more than the clause."""
_ORDERS = frozenset({"ask", "book", "hold"})
_OF_TRIP = _ORDERS | {"inform", "choose", "change", "drop"}
_OWN = re.compile(r"\b(?:i|i'm|we|we're|my|our|me|us)\b|私|僕|いつも|必ず|好き|苦手|嫌い", re.IGNORECASE)
"""What a sentence about oneself has, and a bare wish over offers has not."""
_HABIT = re.compile(
    r"\b(?:always|usually|never|normally|mostly|generally|every time)\b|いつも|普段|必ず|毎回", re.IGNORECASE
)
"""What makes a lasting statement of a detail that is a trip's else."""
_ALWAYS_ANSWERED = frozenset({"greet", "thanks", "bye", "help"})


def wish_of(dialogue: Dialogue) -> MemoryWish | None:
    """Return what the running message wants done with memory; None for a wish about the trip."""
    wish = notes.wish_in(dialogue.now.said, dialogue.companions)
    if wish and wish.kind == "recall" and any(_of_what_is_here(dialogue, each) for each in dialogue.step.said.clauses):
        return None
    forgets = any(call["name"] == "forget_memory" for call in dialogue.now.calls)
    return None if wish and wish.kind == "forget" and drops_trip_wish(dialogue) and not forgets else wish


def _of_what_is_here(dialogue: Dialogue, clause: Clause) -> bool:
    """Return whether a question is about a booking, or about the offer at hand ("what was that flight again?")."""
    shown = {frame.kind for frame in dialogue.state.trip.of_status("open", "booked") if frame.chosen}
    at_hand = clause.choice and clause.choice.that and shown & {*clause.kinds}
    return clause.topic in TOPICS["of_here"] or bool(clause.act == "ask" and at_hand)


def drops_trip_wish(dialogue: Dialogue) -> bool:
    """Return whether the message takes back a wish or a part of the trip ("forget the pool")."""
    step = dialogue.step
    return any(clause.act in ("drop", "restart") for clause in step.said.clauses) and step.heard != step.before


def memory_calls(dialogue: Dialogue) -> list[Call]:
    """Return the memory calls of the running message; an answer about two memories saves what it decides for.

    They are made before any search, which goes by what was noted.
    """
    if dialogue.now.calls:
        return []
    if settled := settled_memories(dialogue):
        proposed = [given for each in settled for given in notes.proposals(each, dialogue.briefing.today)]
        return [("save_memory_note", given) for given in proposed if "save_memory_note" in dialogue.tools]
    before = dialogue.transcript.before
    if before and left_open(before[-1], dialogue.now.said):
        return []
    if (wish := wish_of(dialogue)) and wish.kind == "forget_all":
        return [("list_memories", {})] if "forget_memory" in dialogue.tools else []
    if dialogue.step.question == "ask_forget_all" and {each.act for each in dialogue.step.said.clauses} == {"confirm"}:
        listed = [note for each in before[-1].outcomes if each.tool == "list_memories" for note in each.listed("notes")]
        return [("forget_memory", {"query": note["handle"]}) for note in listed if note.get("handle")]
    calls = notes.memory_calls(
        dialogue.transcript, dialogue.briefing, dialogue.tools, drops_trip_wish=drops_trip_wish(dialogue)
    )
    return [call for call in calls if not _held_by_trip(dialogue, call)]


def _held_by_trip(dialogue: Dialogue, call: Call) -> bool:
    """Return whether what would be noted is only said of the trip, whose frames hold it already, or claims nothing."""
    given, step = call[1], dialogue.step
    if call[0] != "save_memory_note" or given.get("asked") or given.get("topic") in LIMITS:
        return False
    quote, begun = str(given.get("quote", "")), step.heard.trip.value("destination")
    table = any(frame.shown for frame in step.before.trip.frames.values())
    habit, own = _HABIT.search(quote), _OWN.search(quote) and not notes.merely_wishes(quote)
    beside = [clause for clause in step.said.clauses if clause.text in quote or quote in clause.text]
    bare = begun and given.get("scope") == "user" and not (habit or given.get("claims"))
    if bare and beside and all(clause.act != "tell" for clause in beside):
        return True
    for clause in beside:
        whole = clause.text in quote or len(quote) > _MOSTLY * len(clause.text)
        if clause.act not in _OF_TRIP or not whole:
            continue
        details = clause.party or clause.dates or (clause.places and clause.kinds)
        of_trip = details or (begun and not own)
        ordered = clause.act in _ORDERS or (table and (clause.act == "choose" or given.get("scope") == "trip"))
        if ordered or (of_trip and not habit):
            return True
    return False


def settled_memories(dialogue: Dialogue) -> list[Statement]:
    """Return what the message decides for, after being asked which of two memories holds, each with when."""
    before, said, found = dialogue.transcript.before, dialogue.now.said, list[Statement]()
    chosen = picked(before[-1], said) if before else None
    for option, case in [(chosen, None)] if chosen else picked_cases(before[-1], said) if before else ():
        if memory := next((each for each in dialogue.briefing.memories if is_option(option, each)), None):
            text, when = memory.text, case or memory.condition
            if when:
                text = f"{when}{text}" if is_japanese(when) else f"{text.rstrip('.')} {when}"
            found.append(Statement(text, said.strip(), memory.topic))
    return found


def open_conflict(dialogue: Dialogue) -> tuple[Memory, Memory] | None:
    """Return two memories of which one has to be picked before either is relied on; each pair is asked about once."""
    acts = {clause.act for clause in dialogue.step.said.clauses}
    if wish_of(dialogue) or acts <= _ALWAYS_ANSWERED:
        return None
    return next((pair for pair in dialogue.briefing.conflicts if not was_asked(pair, dialogue.transcript.before)), None)


_MOST = 6
_SINGLE = frozenset({"seat", "cabin", "layover", "pace", "budget"})
"""Topics of which the newest note counts."""
_SEEKING = frozenset({"ask", "inform", "book", "choose", "change", "hold"})


def relevant_notes(dialogue: Dialogue, *, whole_trip: bool) -> list[Memory]:
    """Return the notes that matter for the message, hard limits first; `whole_trip` takes in all of the trip.

    What was said in this conversation and not saved has no handle.
    """
    seeks = whole_trip or any(clause.act in _SEEKING for clause in dialogue.step.said.clauses)
    table = f"concerns_{'ja' if dialogue.words.code == 'ja' else 'en'}"
    concerns = DIALOGUE.found(_form(dialogue.now.said), table, "request") if seeks else set[str]()
    known = DIALOGUE.table(table)["topics"].keys() if whole_trip else ()
    concerns |= {str(frame.kind) for frame in dialogue.state.trip.of_status("open") if frame.kind in known}
    words = content_words(dialogue.now.said)
    matter = (each for each in _known(dialogue) if _matters(table, each, concerns, words)) if concerns else ()
    return _distinct(dialogue, matter)


def concerns_named(text: str) -> set[str]:
    """Return the kinds of requests that `text` is about, by its words."""
    return DIALOGUE.found(_form(text), f"concerns_{'ja' if is_japanese(text) else 'en'}", "request")


def _matters(name: str, known: Memory, concerns: set[str], words: frozenset[str]) -> bool:
    table, notes = DIALOGUE.table(name), DIALOGUE.patterns(name, "notes")
    if concerns.intersection(table["everything"]) or (known.hard and concerns.intersection(table["limits"])):
        return True
    if known.topic != "other" and any(known.topic in table["topics"][kind] for kind in concerns):
        return True
    form = _form(f"{known.text} {known.condition or ''}")
    return bool(content_words(form) & words) or any(notes[kind].search(form) for kind in concerns)


def _known(dialogue: Dialogue) -> list[Memory]:
    """Return what may be applied in order of precedence: this conversation, SESSION, GLOBAL."""
    briefing = dialogue.briefing
    open_choice = {memory.handle for pair in (*briefing.conflicts, *briefing.left_open) for memory in pair}
    memories = sorted(briefing.memories, key=lambda memory: not memory.session)
    by_words = {content_words(each.text): each for each in memories}
    said = [
        by_words.get(content_words(each.text), Memory("", each.topic, each.text, hard=each.topic in LIMITS))
        for each in earlier_statements(dialogue.transcript.before)
    ]
    return [*said, *(each for each in memories if each.handle not in open_choice)]


def _distinct(dialogue: Dialogue, known: Iterable[Memory]) -> list[Memory]:
    """Return one note for a topic that holds one value, hard limits first; what the message itself says needs none."""
    now = [call["args"] for call in dialogue.now.calls if call["name"] == "save_memory_note"]
    own = {content_words(str(each.get("text", ""))) for each in now}
    taken: set[tuple[str, str | None]] = {
        (str(each.get("topic")), None) for each in now if each.get("topic") in _SINGLE
    }
    wished = {name for frame in dialogue.state.trip.frames.values() for name in frame.slots}
    taken |= {(topic, None) for topic in ("seat", "cabin") if topic in wished}
    hard: list[Memory] = []
    soft: list[Memory] = []
    for each in known:
        place = (each.topic, each.condition)
        repeated = any((each.text, each.condition) == (other.text, other.condition) for other in (*hard, *soft))
        if repeated or content_words(each.text) in own or (not each.hard and place in taken):
            continue
        if each.topic in _SINGLE:
            taken.add(place)
        (hard if each.hard else soft).append(each)
    return [*hard, *soft[:_MOST]]


def _form(text: str) -> str:
    return text.lower().replace("’", "'")
