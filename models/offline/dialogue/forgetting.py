"""Plans the calls that forget notes: by their words, by the words of the message, or by the answer to a question."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from models.offline.dialogue.acts import Call
from models.offline.dialogue.conflicts import place_of
from models.offline.dialogue.transcript import Memory, Outcome, Turn
from models.offline.dialogue.turn import Dialogue
from models.offline.notes import Companions, MemoryWish, memory_wish
from models.offline.notes.corrections import corrects
from models.offline.notes.forms import language_of, plain, spoken
from models.offline.notes.people import aliased
from models.offline.notes.wishes import listed, says_more, spelled_out
from models.offline.tables import NOTES

LONGEST_QUERY, MOST_CALLS = 240, 6


def drops_trip_wish(dialogue: Dialogue) -> bool:
    """Return whether the message takes back a wish or a part of the trip ("forget the pool")."""
    step = dialogue.step
    return any(clause.act in ("drop", "restart") for clause in step.said.clauses) and step.heard != step.before


def forgetting(dialogue: Dialogue, wish: MemoryWish, kept: Sequence[Memory]) -> Iterator[Call]:
    """Yield the calls for a wish to forget; a wish that names nothing means the note saved last."""
    spelled = [each for each in kept if spelled_out(each.text, dialogue.now.said)]
    if not wish.about and not spelled:
        calls = (call for turn in dialogue.transcript.before for call in turn.calls)
        saved = [str(call["args"].get("text", "")) for call in calls if call["name"] == "save_memory_note"]
        if saved and saved[-1]:
            yield "forget_memory", {"query": saved[-1][:LONGEST_QUERY]}
        return
    fitting = [each for each in kept if wish.about and is_meant(each, wish, dialogue.companions)]
    fitting = [each for each in fitting if not corrects(each.text, [other.text for other in fitting])]
    if spelled and not fitting:
        yield from forget(spelled)
        return
    partly = not wish.every and len(fitting) < 2 and any(says_more(each.text, wish.about) for each in fitting or kept)
    if partly or (not fitting and drops_trip_wish(dialogue)):
        return
    if len(fitting) == 1 or (fitting and wish.every):
        yield from forget(fitting)
    else:
        yield "forget_memory", {"query": wish.about[:LONGEST_QUERY]}


def is_meant(note: Memory, wish: MemoryWish, names: Companions) -> bool:
    """Return whether a wish is about a note, either as both are worded or with names replaced by kinship."""
    of_kin = replace(wish, about=aliased(wish.about, names).text)
    return bool(listed([note], wish) or listed([replace(note, text=aliased(note.text, names).text)], of_kin))


def forget(fitting: Sequence[Memory]) -> list[Call]:
    """Return the calls that forget the notes, at most six."""
    return [("forget_memory", {"query": note.handle}) for note in fitting[:MOST_CALLS]]


def answer(said: str, wish: MemoryWish | None, before: Turn, kept: Sequence[Memory]) -> list[Call] | None:
    """Return the calls for an answer to a question about forgetting; None if none was asked, or it isn't answered."""
    outcomes = [each for each in before.outcomes if each.tool == "forget_memory"]
    if not outcomes or (wish and wish.kind != "forget"):
        return None
    text, patterns = spoken(said), NOTES.table(f"{language_of(said)}_wishes")
    status = outcomes[-1].answer.get("status")
    agrees = bool(re.search(patterns["yes"], text)) or bool(wish and not wish.about)
    if status == "mentions":
        return [("forget_memory", {"query": outcomes[-1].given.get("query", ""), "mentions": True})] if agrees else None
    every = bool(re.search(patterns["all_of_them"], text))
    if status == "which_one":
        return _forget_chosen(text, outcomes[-1], every=every or agrees)
    if every and not wish:
        return _forget_rest(said, kept)
    return None


def _forget_chosen(text: str, outcome: Outcome, *, every: bool) -> list[Call] | None:
    """Return the calls that forget the picked match, or with `every` all but exempt ones; None for no clear pick."""
    rows = [[str(each.get(name) or "") for name in ("handle", "topic", "text")] for each in outcome.listed("matches")]
    matches = [Memory(handle, topic, text) for handle, topic, text in rows]
    patterns = NOTES.table(f"{language_of(text)}_wishes")
    exemption = re.search(patterns["keeping"], text)
    exempt = next((each for each in exemption.groups() if each), "") if exemption else ""
    if every:
        return forget(listed(matches, MemoryWish("forget", every=True, except_for=exempt)))
    if re.search(patterns["no"], text):
        return []
    at = place_of(text, [each.text for each in matches])
    return forget([matches[at]]) if at is not None else None


def _forget_rest(said: str, kept: Sequence[Memory]) -> list[Call]:
    """Return the calls that forget all remaining memories of a kind: "yes, all of the allergy stuff"."""
    rest = re.sub(NOTES.table("en_wishes")["agreeing"], "", plain(said))
    wish = memory_wish(f"忘れて：{said}" if language_of(said) == "ja" else f"forget {rest}")
    return forget(listed(kept, wish)) if wish and wish.about else []
