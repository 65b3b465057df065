"""The notes that an answer may rest on, and the two of which one has to be picked first."""

from collections.abc import Iterable, Iterator
from datetime import date

from models.offline.dialogue.conflicts import was_asked
from models.offline.dialogue.memory import wish_of
from models.offline.dialogue.transcript import HELD, Memory
from models.offline.dialogue.turn import LIMITS, Dialogue
from models.offline.notes import content_words
from models.offline.notes.claims import USER, Meaning, meaning_of
from models.offline.notes.proposals import ends
from models.offline.reading import read_values
from models.offline.reading.understanding import ReadingContext
from models.offline.tables import DIALOGUE
from text.words import is_japanese

_ALWAYS_ANSWERED = frozenset({"greet", "thanks", "bye", "help"})
_MOST = 6
_STANDING = frozenset({"places", "party", "cabin"})
"""What is read of a note without a claim."""
_SINGLE = frozenset({"seat", "cabin", "layover", "pace", "budget"})
"""Topics of which the newest note counts."""
_SEEKING = frozenset({"ask", "inform", "book", "choose", "change", "hold"})


def open_conflict(dialogue: Dialogue) -> tuple[Memory, Memory] | None:
    """Return two memories of which one has to be picked before either is relied on; each pair is asked about once."""
    acts = {clause.act for clause in dialogue.step.said.clauses}
    if wish_of(dialogue) or acts <= _ALWAYS_ANSWERED:
        return None
    pairs = (*dialogue.briefing.conflicts, *_doubted_limits(dialogue))
    asked = (pair for pair in pairs if not was_asked(pair, dialogue.transcript.before))
    claims = ((pair, [meaning_of(note.text, note.topic).claims for note in pair]) for pair in asked)
    told = ((pair, {each["value"] for said in each_said for each in said}) for pair, each_said in claims)
    return next((pair for pair, values in told if not ("brief" in values and len(values) > 1)), None)


def _doubted_limits(dialogue: Dialogue) -> Iterator[tuple[Memory, Memory]]:
    """Yield what was just saved with a limit that it ends without naming it: no note retires a limit in that way."""
    saved = (each for each in dialogue.now.outcomes if each.answer.get("status") in HELD)
    for each in saved:
        text = str(each.answer.get("text") or each.given.get("text", ""))
        said = Meaning(each.given.get("claims", []), [], each.given.get("about", USER))
        for limit in (known for known in dialogue.briefing.memories if known.hard):
            if ends(said, limit.text, limit.topic) and not content_words(limit.text) & content_words(text):
                yield Memory("", str(each.given.get("topic")), text), limit


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
        for each in dialogue.earlier_statements
    ]
    answers = [each.answer for each in dialogue.now.outcomes if each.tool == "forget_memory"]
    gone = {content_words(str(each.get("text"))) for each in answers if each.get("status") == "forgotten"}
    known = [*said, *(each for each in memories if each.handle not in open_choice)]
    return [each for each in known if content_words(each.text) not in gone]


def _distinct(dialogue: Dialogue, known: Iterable[Memory]) -> list[Memory]:
    """Return one note for a topic that holds one value, hard limits first; what the message itself says needs none."""
    now = [call["args"] for call in dialogue.now.calls if call["name"] == "save_memory_note"]
    own = {content_words(str(each.get("text", ""))) for each in now}
    wished = {name for frame in dialogue.state.trip.frames.values() for name in frame.slots} & {"seat", "cabin"}
    topics = wished | {str(each.get("topic")) for each in now if each.get("topic") in _SINGLE}
    taken: set[tuple[str, str | None]] = {(topic, None) for topic in topics}
    found: dict[tuple[str, str | None], Memory] = {}
    for each in _still_true(known):
        place = (each.topic, each.condition)
        if content_words(each.text) not in own and (each.hard or place not in taken):
            found.setdefault((each.text, each.condition), each)
            taken |= {place} if each.topic in _SINGLE else set()
    hard, soft = ([each for each in found.values() if each.hard == is_hard] for is_hard in (True, False))
    return [*hard, *soft[:_MOST]]


def _still_true(known: Iterable[Memory]) -> list[Memory]:
    """Return the notes without those that only say what is over, and without what is over by them."""
    notes = [(each, meaning_of(each.text, each.topic)) for each in known]
    over = [said for _, said in notes if said.claims and all(one["stance"] == "indifferent" for one in said.claims)]
    left = (each for each, said in notes if said not in over)
    return [each for each in left if not any(ends(said, each.text, each.topic) for said in over)]


def has_effect(note: Memory) -> bool:
    """Return whether a note can change what is searched or booked: by its claims, or by what `Standing` reads."""
    read = (clause.holds for clause in read_values(note.text, ReadingContext(date(2000, 1, 1), trip_open=True)))
    return note.hard or bool(meaning_of(note.text, note.topic).claims) or any(_STANDING & each for each in read)


def _form(text: str) -> str:
    return text.lower().replace("’", "'")
