"""Selects the notes that are relevant to an answer, and finds contradictions that must be settled first."""

from collections.abc import Iterable, Iterator
from datetime import date

from models.offline.dialogue.conflicts import was_asked
from models.offline.dialogue.memory import wish_of
from models.offline.dialogue.transcript import HELD, Memory
from models.offline.dialogue.turn import LIMITS, Dialogue
from models.offline.notes import content_words
from models.offline.notes.claims import USER, Meaning, meaning_of
from models.offline.notes.judge import topic_of_note
from models.offline.notes.wishes import people_in
from models.offline.reading import read_values
from models.offline.reading.understanding import ReadingContext
from models.offline.tables import DIALOGUE
from text.words import is_japanese

_MOST_SOFT_NOTES = 6
_STANDING = frozenset({"places", "party", "cabin"})
"""Details that `Standing` reads from notes that make no claim."""
_SINGLE = frozenset({"seat", "cabin", "layover", "pace", "budget"})
"""Topics that hold one value: only the newest note counts."""
_SEEKING = frozenset({"ask", "inform", "book", "choose", "change", "hold"})


def open_conflict(dialogue: Dialogue) -> tuple[Memory, Memory] | None:
    """Return two contradicting memories that the traveller must choose between, or None; no pair is asked twice."""
    acts = {clause.act for clause in dialogue.step.said.clauses}
    if wish_of(dialogue) or acts <= {"greet", "thanks", "bye", "help"}:
        return None
    pairs = (*dialogue.briefing.conflicts, *_doubted_limits(dialogue))
    for pair in pairs:
        if not was_asked(pair, dialogue.transcript.before):
            values = {claim["value"] for note in pair for claim in meaning_of(note.text, note.topic).claims}
            if not ("brief" in values and len(values) > 1):
                return pair
    return None


def _doubted_limits(dialogue: Dialogue) -> Iterator[tuple[Memory, Memory]]:
    """Yield each note saved in this turn with a hard limit that it contradicts but doesn't name, so can't retire."""
    saved = (each for each in dialogue.now.outcomes if each.answer.get("status") in HELD)
    for each in saved:
        text = str(each.answer.get("text") or each.given.get("text", ""))
        meaning = Meaning(each.given.get("claims", []), [], each.given.get("about", USER))
        limited = any(claim["stance"] == "requires" for claim in meaning.claims)
        for limit in (memory for memory in dialogue.briefing.memories if memory.hard and not limited):
            shared = content_words(limit.text) & content_words(text)
            if _ends(meaning, limit) and not {word for word in shared if not people_in(word)}:
                yield Memory("", str(each.given.get("topic")), text), limit


def relevant_notes(dialogue: Dialogue, *, whole_trip: bool) -> list[Memory]:
    """Return the notes that are relevant to the message, or with `whole_trip` to any open part; hard limits first.

    A statement of this conversation that was not saved has an empty handle.
    """
    seeks = whole_trip or any(clause.act in _SEEKING for clause in dialogue.step.said.clauses)
    table = f"concerns_{'ja' if dialogue.words.code == 'ja' else 'en'}"
    concerns = DIALOGUE.found(_form(dialogue.now.said), table, "request") if seeks else set[str]()
    kinds = DIALOGUE.table(table)["topics"].keys() if whole_trip else ()
    concerns |= {str(frame.kind) for frame in dialogue.state.trip.of_status("open") if frame.kind in kinds}
    words = content_words(dialogue.now.said)
    notes = (each for each in _applicable(dialogue) if _is_relevant(table, each, concerns, words)) if concerns else ()
    return _distinct(dialogue, notes)


def concerns_named(text: str) -> set[str]:
    """Return the kinds of requests that the words of `text` name, such as "flight" or "meal"."""
    return DIALOGUE.found(_form(text), f"concerns_{'ja' if is_japanese(text) else 'en'}", "request")


def _is_relevant(name: str, note: Memory, concerns: set[str], words: frozenset[str]) -> bool:
    table, patterns = DIALOGUE.table(name), DIALOGUE.patterns(name, "notes")
    if concerns.intersection(table["everything"]) or (note.hard and concerns.intersection(table["limits"])):
        return True
    if note.topic != "other" and any(note.topic in table["topics"][kind] for kind in concerns):
        return True
    form = _form(f"{note.text} {note.condition or ''}")
    return bool(content_words(form) & words) or any(patterns[kind].search(form) for kind in concerns)


def _applicable(dialogue: Dialogue) -> list[Memory]:
    """Return the notes that may be applied, in order of precedence: this conversation, SESSION, GLOBAL."""
    briefing = dialogue.briefing
    undecided = {memory.handle for pair in (*briefing.conflicts, *briefing.left_open) for memory in pair}
    memories = sorted(briefing.memories, key=lambda memory: not memory.session)
    by_words = {content_words(each.text): each for each in memories}
    stated = [
        by_words.get(content_words(each.text), Memory("", each.topic, each.text, hard=each.topic in LIMITS))
        for each in dialogue.earlier_statements
    ]
    answers = [each.answer for each in dialogue.now.outcomes if each.tool == "forget_memory"]
    forgotten = {content_words(str(each.get("text"))) for each in answers if each.get("status") == "forgotten"}
    notes = [*stated, *(each for each in memories if each.handle not in undecided)]
    return [each for each in notes if content_words(each.text) not in forgotten]


def _distinct(dialogue: Dialogue, notes: Iterable[Memory]) -> list[Memory]:
    """Return the notes, hard limits first, without those that the message or a newer note repeats or overrides."""
    saved = [call["args"] for call in dialogue.now.calls if call["name"] == "save_memory_note"]
    saved_words = {content_words(str(each.get("text", ""))) for each in saved}
    wished = {name for frame in dialogue.state.trip.frames.values() for name in frame.slots} & {"seat", "cabin"}
    topics = wished | {str(each.get("topic")) for each in saved if each.get("topic") in _SINGLE}
    taken: set[tuple[str, str | None]] = {(topic, None) for topic in topics}
    distinct: dict[tuple[str, str | None], Memory] = {}
    for each in _still_true(notes):
        key = (each.topic, each.condition)
        if content_words(each.text) not in saved_words and (each.hard or key not in taken):
            distinct.setdefault((each.text, each.condition), each)
            taken |= {key} if each.topic in _SINGLE else set()
    hard, soft = ([each for each in distinct.values() if each.hard == is_hard] for is_hard in (True, False))
    return [*hard, *soft[:_MOST_SOFT_NOTES]]


def _still_true(notes: Iterable[Memory]) -> list[Memory]:
    """Return the notes without retractions (all claims "indifferent"), and without the notes that these end."""
    meanings = [(each, meaning_of(each.text, each.topic)) for each in notes]
    claiming = (meaning for _, meaning in meanings if meaning.claims)
    retractions = [each for each in claiming if all(claim["stance"] == "indifferent" for claim in each.claims)]
    kept = (each for each, meaning in meanings if meaning not in retractions)
    return [each for each in kept if not any(_ends(meaning, each) for meaning in retractions)]


def _ends(new: Meaning, old: Memory) -> bool:
    """Return whether `new` says that a claim of the note `old` no longer holds."""
    before = meaning_of(old.text, topic_of_note(old.text, old.topic))
    over = ({**claim, "stance": "indifferent"} for claim in before.claims if claim["stance"] != "indifferent")
    return before.about == new.about and any(claim in new.claims for claim in over)


def has_effect(note: Memory) -> bool:
    """Return whether a note can change a search or a booking, by its claims or by the details that `Standing` reads."""
    read = (clause.holds for clause in read_values(note.text, ReadingContext(date(2000, 1, 1), trip_open=True)))
    return note.hard or bool(meaning_of(note.text, note.topic).claims) or any(_STANDING & each for each in read)


def _form(text: str) -> str:
    return text.lower().replace("’", "'")
