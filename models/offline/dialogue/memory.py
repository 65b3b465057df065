"""What a turn asks of memory: what it saves, forgets, lists and looks up."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from models.offline import notes
from models.offline.dialogue.acts import Call
from models.offline.dialogue.conflicts import is_option, left_open, options_asked, picked, picked_cases, place_of
from models.offline.dialogue.transcript import HELD, Memory, Outcome, Turn
from models.offline.dialogue.turn import LIMITS, Dialogue
from models.offline.notes import Companions, MemoryWish, Statement, memory_wish
from models.offline.notes.forms import language_of, plain, spoken
from models.offline.notes.judge import sentences
from models.offline.notes.parting import says_more
from models.offline.notes.people import aliased
from models.offline.notes.proposals import corrections, corrects, echoed, healed, objection
from models.offline.notes.wishes import asked_of_oneself, listed, outdated, people_in, reminds
from models.offline.reading.understanding import Clause
from models.offline.tables import DIALOGUE, NOTES
from models.offline.trips.wishes import TOPICS
from text.words import is_japanese

_MOSTLY = 0.8
"""Share of a clause that a quote has to be, to say no more than the clause."""
_ORDERS = frozenset({"ask", "book", "hold"})
_OF_TRIP = _ORDERS | {"inform", "choose", "change", "drop"}
_LONGEST_QUERY, _RECALLED, _MOST = 240, 3, 6


def wish_of(dialogue: Dialogue) -> MemoryWish | None:
    """Return what the running message wants done with memory; None for a wish about the trip."""
    wish = _wish_in(dialogue)
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


def _wish_in(dialogue: Dialogue) -> MemoryWish | None:
    """Return what the message wants done with memory, where a companion may be called by name."""
    said = dialogue.now.said
    if dialogue.step.said.is_courtesy:
        return None
    wish = memory_wish(said) or memory_wish(aliased(said, dialogue.companions).text)
    kept = memories_kept(dialogue)
    if wish and wish.kind == "forget" and not any(is_meant(each, wish, dialogue.companions) for each in kept):
        wish = notes.kept_out(said, wish)
    shown = any(frame.shown for frame in dialogue.step.before.trip.frames.values()) or dialogue.state.bookings
    asked = None if wish or shown else asked_of_oneself(said)  # where offers are shown, it is about them
    answers = asked and any(is_meant(each, asked, dialogue.companions) for each in kept)
    return asked if answers or (asked and (asked.attribute or people_in(asked.about))) else wish


def memory_calls(dialogue: Dialogue) -> list[Call]:
    """Return the memory calls of the running message, in their order; they are made before any search."""
    if dialogue.now.calls:
        return []
    if settled := settled_memories(dialogue):
        if gone := _settled_limit(dialogue, settled):
            return _forget(gone)
        proposed = [given for each in settled for given in notes.proposals(each, dialogue.briefing.today)]
        return [("save_memory_note", given) for given in proposed]
    before = dialogue.transcript.before
    if dialogue.step.said.is_courtesy or (before and left_open(before[-1], dialogue.now.said)):
        return []
    if (wish := _wish_in(dialogue)) and wish.kind == "forget_all":
        return [("list_memories", {})] if "forget_memory" in dialogue.tools else []
    if dialogue.step.question == "ask_forget_all" and {each.act for each in dialogue.step.said.clauses} == {"confirm"}:
        listed = [note for each in before[-1].outcomes if each.tool == "list_memories" for note in each.listed("notes")]
        return [("forget_memory", {"query": note["handle"]}) for note in listed if note.get("handle")]
    return [call for call in _asked_for(dialogue, wish) if not _held_by_trip(dialogue, call)]


def _asked_for(dialogue: Dialogue, wish: MemoryWish | None) -> list[Call]:
    kept, before = memories_kept(dialogue), dialogue.transcript.before
    if before and (answered := _answer(dialogue.now.said, wish, before[-1], kept)) is not None:
        return answered
    if (not wish or (wish.kind in ("forget", "list") and not wish.about)) and (unsaid := _unsaid(dialogue)):
        return [("remember_conversation", {"remember": False, "words": words}) for words in unsaid[:_MOST]]
    if wrong := _taken_back(dialogue):
        return [("forget_memory", {"query": text[:_LONGEST_QUERY]}) for text in wrong]
    if wish and wish.kind == "forget":
        return list(_forgetting(dialogue, wish, kept))
    gone = {} if drops_trip_wish(dialogue) else _outdated(dialogue.now.said, kept)
    return [*_forget([*gone.values()]), *_saving(dialogue, kept, gone), *_asking(dialogue.now.said, wish)]


def _taken_back(dialogue: Dialogue) -> list[str]:
    """Return what the message before noted, where this one takes it back, or says that it is true of another."""
    said, before = dialogue.now.said.strip(), dialogue.transcript.before[-1:]
    known = NOTES.patterns(f"{language_of(said)}_corrections")
    just = [text for turn in before for text, _ in turn.noted]
    if people_in(said) and known["of_another"].fullmatch(said):
        return [text for text in just if not people_in(text)]
    last = known["takes_last"].search(said)
    undoes = last or any(each.act == "undo" for each in dialogue.step.said.clauses)
    only = just if undoes and before and dialogue.steps[-2].only_notes(before[-1]) else []
    return only[-1:] if last else only


def _held_by_trip(dialogue: Dialogue, call: Call) -> bool:
    """Return whether what would be noted is only said of the trip, whose frames hold it already, or claims nothing."""
    given, step = call[1], dialogue.step
    if call[0] != "save_memory_note" or given.get("asked") or given.get("topic") in LIMITS:
        return False
    quote, begun = str(given.get("quote", "")), step.heard.trip.value("destination")
    table = any(frame.shown for frame in step.before.trip.frames.values())
    shown = DIALOGUE.found(quote, "own")
    habit, own = "habit" in shown, "own" in shown and not notes.merely_wishes(quote)
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
        if memory := next((each for each in memories_kept(dialogue) if is_option(option, each)), None):
            text, when = memory.text, case or memory.condition
            if when:
                text = f"{when}{text}" if is_japanese(when) else f"{text.rstrip('.')} {when}"
            found.append(Statement(text, said.strip(), memory.topic))
    return found


def _settled_limit(dialogue: Dialogue, settled: Sequence[Statement]) -> list[Memory]:
    """Return what does not hold of two notes of which one is a limit: no note that does not name it may retire it."""
    asked = options_asked(dialogue.transcript.before[-1])
    options = [each for each in memories_kept(dialogue) if any(is_option(option, each) for option in asked)]
    decided = len(settled) == 1 and any(each.hard for each in options)
    return [each for each in options if each.text != settled[0].text] if decided else []


def memories_kept(dialogue: Dialogue) -> list[Memory]:
    """Return what memory holds: what is shown, and what was saved in this conversation, less what was forgotten."""
    found = list(dialogue.briefing.memories)
    for outcome in (each for turn in dialogue.transcript.before for each in turn.outcomes):
        text = str(outcome.answer.get("text") or outcome.given.get("text") or "")
        if outcome.tool == "save_memory_note" and outcome.answer.get("status") in HELD:
            if all(plain(each.text) != plain(text) for each in found):
                found.append(Memory(str(outcome.answer.get("id") or text), str(outcome.given.get("topic", "")), text))
        elif outcome.tool == "forget_memory" and outcome.answer.get("status") == "forgotten":
            found = [each for each in found if plain(each.text) != plain(text)]
    return found


def _outdated(said: str, kept: Sequence[Memory]) -> dict[str, Memory]:
    """Return the sentences after which a note holds no longer, with it, where one is meant that makes no claim.

    What a note claims is taken back by a claim.
    """
    told = ((each.text, outdated(each.text)) for each in sentences(said) if not each.asked)
    over = ((text, wish, healed(text, [note.text for note in kept])) for text, wish in told)
    fitting = {
        text: [note for note in kept if note.text in texts] or (listed(kept, wish) if wish else [])
        for text, wish, texts in over
    }
    found = {text: notes[0] for text, notes in fitting.items() if len(notes) == 1}
    return {text: note for text, note in found.items() if not corrects(text, [note.text])}


def _unsaid(dialogue: Dialogue) -> list[str]:
    """Return what the message orders not to be kept, of it or of the message before where that told nothing known."""
    said, before = dialogue.now.said, dialogue.transcript.before[-1:]
    if dialogue.transcript.to_be_private or "remember_conversation" not in dialogue.tools:
        return []
    known = any(each.answer.get("status") == "kept_already" for turn in before for each in turn.outcomes)
    earlier = [each.text for turn in before for each in sentences(turn.said) if not known]
    return notes.not_to_remember(said, earlier)


def _saving(dialogue: Dialogue, kept: Sequence[Memory], gone: Collection[str]) -> Iterator[Call]:
    said, names = dialogue.now.said, dialogue.companions
    if dialogue.transcript.to_be_private or notes.not_to_remember(said, [said]):
        return
    unwanted = notes.withheld(turn.said for turn in dialogue.transcript.before)
    known = [(each.text, each.topic) for each in kept]
    told = [each for each in notes.statements(said, names) if not any(text in each.quote for text in gone)]
    anew = list(corrections(said, known, names))
    told = [each for each in told if not any(each.quote in other.quote != each.quote for other in anew)]
    stated = [each for each in told if not reminds(each.text, each.topic, known)]
    beside = [each for each in anew if all(each.quote not in other.quote for other in stated)]
    just = [each for turn in dialogue.transcript.before[-1:] for each in turn.noted]
    if not (stated or beside) or notes.is_revision(said):
        anew_said = [("save_memory_note", given) for given in objection(said, just, dialogue.briefing.today)]
        yield from anew_said
        stated, beside = ([], []) if anew_said else (stated, beside)
    found = [
        given
        for statement in (*stated, *beside)
        for given in notes.proposals(statement, dialogue.briefing.today, known=known, names=names)
        if given["asked"] or given["topic"] not in unwanted
    ]
    yield from (("save_memory_note", given) for given in (*found, *echoed(said, found, names)))


def _asking(said: str, wish: MemoryWish | None) -> Iterator[Call]:
    match wish:
        case MemoryWish("list" | "source"):
            yield "list_memories", {}
        case MemoryWish("recall"):
            yield "recall_memory", {"query": notes.search_terms(said)[:_LONGEST_QUERY], "limit": _RECALLED}
        case MemoryWish("private" | "public" as kind):
            yield "remember_conversation", {"remember": kind == "public"}


def _forgetting(dialogue: Dialogue, wish: MemoryWish, kept: Sequence[Memory]) -> Iterator[Call]:
    if not wish.about:
        calls = (call for turn in dialogue.transcript.before for call in turn.calls)
        saved = [str(call["args"].get("text", "")) for call in calls if call["name"] == "save_memory_note"]
        if saved and saved[-1]:
            yield "forget_memory", {"query": saved[-1][:_LONGEST_QUERY]}
        return
    fitting = [each for each in kept if is_meant(each, wish, dialogue.companions)]
    fitting = [each for each in fitting if not corrects(each.text, [other.text for other in fitting])]
    partly = not wish.every and len(fitting) < 2 and any(says_more(each.text, wish.about) for each in fitting or kept)
    if partly or (not fitting and drops_trip_wish(dialogue)):
        return
    if len(fitting) == 1 or (fitting and wish.every):
        yield from _forget(fitting)
    else:
        yield "forget_memory", {"query": wish.about[:_LONGEST_QUERY]}


def is_meant(note: Memory, wish: MemoryWish, names: Companions) -> bool:
    """Return whether a wish is about a note as it stands, or with those who are named called by their kinship."""
    of_kin = replace(wish, about=aliased(wish.about, names).text)
    return bool(listed([note], wish) or listed([replace(note, text=aliased(note.text, names).text)], of_kin))


def _forget(fitting: Sequence[Memory]) -> list[Call]:
    return [("forget_memory", {"query": note.handle}) for note in fitting[:_MOST]]


def _answer(said: str, wish: MemoryWish | None, before: Turn, kept: Sequence[Memory]) -> list[Call] | None:
    """Return what an answer to a question about forgetting calls for; None where nothing was asked, or not answered."""
    asked = [each for each in before.outcomes if each.tool == "forget_memory"]
    if not asked or (wish and wish.kind != "forget"):
        return None
    heard, known = spoken(said), NOTES.table(f"{language_of(said)}_wishes")
    status = asked[-1].answer.get("status")
    agrees = bool(re.search(known["yes"], heard)) or bool(wish and not wish.about)
    if status == "mentions":
        return [("forget_memory", {"query": asked[-1].given.get("query", ""), "mentions": True})] if agrees else None
    every = bool(re.search(known["all_of_them"], heard))
    if status == "which_one":
        return _chosen(heard, asked[-1], every=every or agrees)
    if every and not wish:
        return _the_rest(said, kept)
    return None


def _chosen(heard: str, asked: Outcome, *, every: bool) -> list[Call] | None:
    """Return the calls that forget what was picked among several, all of them where all were meant."""
    found = [[str(each.get(name) or "") for name in ("handle", "topic", "text")] for each in asked.listed("matches")]
    matches = [Memory(handle, topic, text) for handle, topic, text in found]
    known = NOTES.table(f"{language_of(heard)}_wishes")
    keeping = re.search(known["keeping"], heard)
    spared = next((each for each in keeping.groups() if each), "") if keeping else ""
    if every:
        return _forget(listed(matches, MemoryWish("forget", every=True, except_for=spared)))
    if re.search(known["no"], heard):
        return []
    at = place_of(heard, [each.text for each in matches])
    return _forget([matches[at]]) if at is not None else None


def _the_rest(said: str, kept: Sequence[Memory]) -> list[Call]:
    """Return what is left to forget of what was meant before: "yes, all of the allergy stuff"."""
    rest = re.sub(NOTES.table("en_wishes")["agreeing"], "", plain(said))
    wish = memory_wish(f"忘れて：{said}" if language_of(said) == "ja" else f"forget {rest}")
    return _forget(listed(kept, wish)) if wish and wish.about else []
