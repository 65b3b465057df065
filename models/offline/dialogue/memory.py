"""Plans the memory calls of a turn: what to save, forget, list and recall."""

from collections.abc import Collection, Iterator, Sequence

from models.offline import notes
from models.offline.dialogue.acts import Call
from models.offline.dialogue.conflicts import is_option, left_open, options_asked, picked, picked_cases
from models.offline.dialogue.forgetting import (
    LONGEST_QUERY,
    MOST_CALLS,
    answer,
    drops_trip_wish,
    forget,
    forgetting,
    is_meant,
)
from models.offline.dialogue.transcript import HELD, Memory
from models.offline.dialogue.turn import LIMITS, Dialogue
from models.offline.notes import MemoryWish, Statement, memory_wish
from models.offline.notes.corrections import corrections, corrects, healed
from models.offline.notes.forms import language_of, plain
from models.offline.notes.judge import is_habit, sentences
from models.offline.notes.people import aliased
from models.offline.notes.proposals import echoed, objection
from models.offline.notes.statements import reset
from models.offline.notes.wishes import asked_of_oneself, asked_of_person, listed, outdated, people_in, reminds
from models.offline.reading.understanding import Clause
from models.offline.tables import DIALOGUE, NOTES
from models.offline.trips.wishes import TOPICS
from text.words import is_japanese

_MOSTLY = 0.8
"""Share of a clause's length from which on a quote counts as the whole clause."""
_ORDERS = frozenset({"ask", "book", "hold", "cancel"})
_TRIP_ACTS = _ORDERS | {"inform", "choose", "change", "drop", "reject"}
_RECALL_LIMIT = 3


def wish_of(dialogue: Dialogue) -> MemoryWish | None:
    """Return the memory operation that the current message asks for; None if it asks for none, or means the trip."""
    wish = _wish_in(dialogue)
    if wish and wish.kind == "recall" and any(_is_about_trip(dialogue, each) for each in dialogue.step.said.clauses):
        return None
    forgets = any(call["name"] == "forget_memory" for call in dialogue.now.calls)
    return None if wish and wish.kind == "forget" and drops_trip_wish(dialogue) and not forgets else wish


def _is_about_trip(dialogue: Dialogue, clause: Clause) -> bool:
    """Return whether a clause is about bookings or the chosen offer ("what was that flight again?")."""
    chosen = {frame.kind for frame in dialogue.state.trip.of_status("open", "booked") if frame.chosen}
    refers_to_offer = clause.choice and clause.choice.that and chosen & {*clause.kinds}
    return clause.topic in TOPICS["of_here"] or bool(clause.act == "ask" and refers_to_offer)


def _wish_in(dialogue: Dialogue) -> MemoryWish | None:
    """Return the memory operation that the message asks for, with companions' names resolved, or None."""
    said = dialogue.now.said
    if dialogue.step.said.is_courtesy:
        return None
    wish = memory_wish(said) or memory_wish(aliased(said, dialogue.companions).text)
    kept = memories_kept(dialogue)
    if wish and wish.kind == "forget" and not any(is_meant(each, wish, dialogue.companions) for each in kept):
        wish = notes.kept_out(said, wish)
    shown = any(frame.shown for frame in dialogue.step.before.trip.frames.values()) or dialogue.state.bookings
    free = not wish or (wish.kind == "recall" and not shown)
    person = None if shown else asked_of_person(said, [each.text for each in kept])
    asked = asked_of_oneself(said, beside_offers=bool(shown)) or person if free else None
    answers = shown or (asked and any(is_meant(each, asked, dialogue.companions) for each in kept))
    if asked and (answers or (not wish and (asked.attribute or people_in(asked.about)))):
        return asked
    of_memory = any(each.act == "ask" and each.topic == "memory" for each in dialogue.step.said.clauses)
    return wish or (MemoryWish("list") if of_memory else None)


def memory_calls(dialogue: Dialogue) -> list[Call]:
    """Return the memory calls of the current message, in order. They are made before any other call of the turn."""
    if dialogue.now.calls:
        return []
    if settled := settled_memories(dialogue):
        if rejected := _rejected_limit_option(dialogue, settled):
            return forget(rejected)
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
    return [call for call in _calls_for(dialogue, wish) if not _belongs_to_trip(dialogue, call)]


def _calls_for(dialogue: Dialogue, wish: MemoryWish | None) -> list[Call]:
    kept, before = memories_kept(dialogue), dialogue.transcript.before
    if before and (answered := answer(dialogue.now.said, wish, before[-1], kept)) is not None:
        return answered
    if (not wish or (wish.kind in ("forget", "list") and not wish.about)) and (unwanted := _not_to_keep(dialogue)):
        calls = [("remember_conversation", {"remember": False, "words": words}) for words in unwanted[:MOST_CALLS]]
        return [*calls, *_saving(dialogue, kept, ())]
    if wrong := _retracted(dialogue):
        return [("forget_memory", {"query": text[:LONGEST_QUERY]}) for text in wrong]
    if wish and wish.kind == "forget":
        renewed = (call for call in _saving(dialogue, kept, ()) if reset(str(call[1]["quote"])))
        return [*forgetting(dialogue, wish, kept), *renewed]
    ended = {} if drops_trip_wish(dialogue) else _outdated(dialogue.now.said, kept)
    return [*forget([*ended.values()]), *_saving(dialogue, kept, ended), *_asking(dialogue.now.said, wish)]


def _retracted(dialogue: Dialogue) -> list[str]:
    """Return the notes of the turn before that this message takes back, or says are true of somebody else."""
    said, before = dialogue.now.said.strip(), dialogue.transcript.before[-1:]
    patterns = NOTES.patterns(f"{language_of(said)}_corrections")
    latest = [text for turn in before for text, _ in turn.noted]
    if people_in(said) and patterns["of_another"].fullmatch(said):
        return [text for text in latest if not people_in(text)]
    last = patterns["takes_last"].search(said)
    undoes = last or any(each.act == "undo" for each in dialogue.step.said.clauses)
    undone = latest if undoes and before and dialogue.steps[-2].only_notes(before[-1]) else []
    return undone[-1:] if last else undone


def _belongs_to_trip(dialogue: Dialogue, call: Call) -> bool:
    """Return whether a call would save a mere trip detail, which the trip's frames hold already, as a note."""
    args, step = call[1], dialogue.step
    if call[0] != "save_memory_note" or args.get("asked") or args.get("topic") in LIMITS:
        return False
    quote, begun = str(args.get("quote", "")), step.heard.trip.value("destination")
    offers_shown = any(frame.shown for frame in step.before.trip.frames.values())
    lasts = args.get("scope") == "user" and is_habit(str(args.get("text", "")))
    is_personal = bool(DIALOGUE.found(quote, "own")) and not notes.merely_wishes(quote)
    clauses = [clause for clause in step.said.clauses if clause.text in quote or quote in clause.text]
    unclaimed = begun and args.get("scope") == "user" and not (lasts or args.get("claims"))
    if unclaimed and clauses and all(clause.act != "tell" for clause in clauses):
        return True
    for clause in clauses:
        whole = clause.text in quote or len(quote) > _MOSTLY * len(clause.text)
        if clause.act not in _TRIP_ACTS or not whole:
            continue
        details = clause.party or clause.dates or (clause.kinds and (clause.places or clause.wishes.sort))
        of_trip = details or (begun and (not is_personal or args.get("topic") == "baggage"))
        chosen = offers_shown and (clause.act == "choose" or args.get("scope") == "trip")
        if clause.act in _ORDERS or ((of_trip or chosen) and not lasts):
            return True
    return False


def settled_memories(dialogue: Dialogue) -> list[Statement]:
    """Return the memories that the message picks after the question which of two is true, each with its condition."""
    before, said, settled = dialogue.transcript.before, dialogue.now.said, list[Statement]()
    chosen = picked(before[-1], said) if before else None
    for option, case in [(chosen, None)] if chosen else picked_cases(before[-1], said) if before else ():
        if memory := next((each for each in memories_kept(dialogue) if is_option(option, each)), None):
            text, when = memory.text, case or memory.condition
            if when:
                text = f"{when}{text}" if is_japanese(when) else f"{text.rstrip('.')} {when}"
            settled.append(Statement(text, said.strip(), memory.topic))
    return settled


def _rejected_limit_option(dialogue: Dialogue, settled: Sequence[Statement]) -> list[Memory]:
    """Return the option not picked if either is a hard limit, which saving a note that doesn't name it can't retire."""
    asked = options_asked(dialogue.transcript.before[-1])
    options = [each for each in memories_kept(dialogue) if any(is_option(option, each) for option in asked)]
    decided = len(settled) == 1 and any(each.hard for each in options)
    return [each for each in options if each.text != settled[0].text] if decided else []


def memories_kept(dialogue: Dialogue) -> list[Memory]:
    """Return the stored memories: those in the prompt and those saved in earlier turns, without forgotten ones."""
    kept = list(dialogue.briefing.memories)
    for outcome in (each for turn in dialogue.transcript.before for each in turn.outcomes):
        text = str(outcome.answer.get("text") or outcome.given.get("text") or "")
        if outcome.tool == "save_memory_note" and outcome.answer.get("status") in HELD:
            if all(plain(each.text) != plain(text) for each in kept):
                kept.append(Memory(str(outcome.answer.get("id") or text), str(outcome.given.get("topic", "")), text))
        elif outcome.tool == "forget_memory" and outcome.answer.get("status") == "forgotten":
            kept = [each for each in kept if plain(each.text) != plain(text)]
    return kept


def _outdated(said: str, kept: Sequence[Memory]) -> dict[str, Memory]:
    """Return each sentence that ends exactly one memory, with that memory, unless its own claim will replace it."""
    fitting: dict[str, list[Memory]] = {}
    for sentence in (each.text for each in sentences(said) if not each.asked):
        wish, ended = outdated(sentence), healed(sentence, [note.text for note in kept])
        fitting[sentence] = [note for note in kept if note.text in ended] or (listed(kept, wish) if wish else [])
    single = {sentence: notes[0] for sentence, notes in fitting.items() if len(notes) == 1}
    return {sentence: note for sentence, note in single.items() if not corrects(sentence, [note.text])}


def _not_to_keep(dialogue: Dialogue) -> list[str]:
    """Return the sentences not to be kept, of this message or of the one before unless that repeated a stored fact."""
    said, before = dialogue.now.said, dialogue.transcript.before[-1:]
    if dialogue.transcript.to_be_private or "remember_conversation" not in dialogue.tools:
        return []
    repeated = any(each.answer.get("status") == "kept_already" for turn in before for each in turn.outcomes)
    earlier = [each.text for turn in before for each in sentences(turn.said) if not repeated]
    return notes.not_to_remember(said, earlier)


def _saving(dialogue: Dialogue, kept: Sequence[Memory], ending: Collection[str]) -> Iterator[Call]:
    """Yield the calls that save the message's statements and corrections; `ending` are sentences that only forget."""
    said, names = dialogue.now.said, dialogue.companions
    if dialogue.transcript.to_be_private:
        return
    unwanted = notes.withheld(turn.said for turn in dialogue.transcript.before)
    known = [(each.text, each.topic) for each in kept]
    corrected = list(corrections(said, known, names))
    stated = [each for each in notes.statements(said, names) if not any(text in each.quote for text in ending)]
    stated = [each for each in stated if not any(each.quote in other.quote != each.quote for other in corrected)]
    unsaid = notes.not_to_remember(said, [said])
    stated, corrected = ([each for each in found if not _overlaps(each, unsaid)] for found in (stated, corrected))
    if unsaid and not (stated or corrected):
        return
    stated = [each for each in stated if not reminds(each.text, each.topic, known)]
    corrected = [each for each in corrected if all(each.quote not in other.quote for other in stated)]
    latest = [each for turn in dialogue.transcript.before[-1:] for each in turn.noted]
    if not (stated or corrected) or notes.is_revision(said):
        revised = [("save_memory_note", args) for args in objection(said, latest, dialogue.briefing.today)]
        yield from revised
        stated, corrected = ([], []) if revised else (stated, corrected)
    proposed = [
        args
        for statement in (*stated, *corrected)
        for args in notes.proposals(statement, dialogue.briefing.today, known=known, names=names)
        if args["asked"] or args["topic"] not in unwanted
    ]
    yield from (("save_memory_note", args) for args in (*proposed, *echoed(said, proposed, names)))


def _overlaps(statement: Statement, texts: Sequence[str]) -> bool:
    """Return whether one of the `texts` is part of the words of a statement, or holds them."""
    quote, others = statement.quote.casefold(), [text.casefold() for text in texts]
    return any(quote in text or text in quote for text in others)


def _asking(said: str, wish: MemoryWish | None) -> Iterator[Call]:
    match wish:
        case MemoryWish("list" | "source"):
            yield "list_memories", {}
        case MemoryWish("recall"):
            yield "recall_memory", {"query": notes.search_terms(said)[:LONGEST_QUERY], "limit": _RECALL_LIMIT}
        case MemoryWish("private" | "public" as kind):
            yield "remember_conversation", {"remember": kind == "public"}
