"""Tells how two notes relate by their claims: it compares data and reads no language."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Literal

from memory.policy.wording import MOST_FOREIGN, invented, overlap
from memory.records.notes import Claim, Note, Stance
from memory.schema import Schema
from text.words import fold

Relation = Literal["repeats", "contradicts", "partly", "apart", "unknown"]

_SIDES: dict[Stance, int] = {"is": 1, "prefers": 1, "requires": 1, "avoids": -1, "excludes": -1, "indifferent": 0}
_ANY = "any"
"""The value of a claim about all values of an attribute ("any floor will do")."""


def relation(new: Note, old: Note, schema: Schema) -> Relation:
    """Return how `new` relates to `old`, which was known before.

    Returns:
        `repeats`: each claim of `new` is one of `old`, or the texts are the same. `contradicts`: each claim of `old`
        is contradicted or repeated, at least one contradicted. `partly`: some claims of `old` are contradicted and
        others stand. `apart`: both hold. `unknown`: claims can't decide, since one of the two makes none, since the
        text of `new` says more than its claims, or since both name something freely, perhaps the same.
    """
    if same_text(new, old):
        return "repeats"
    if not new.claims or not old.claims:
        return "unknown"
    if _where(new) != _where(old):
        return "apart"
    by_old = [{compare(one, claim, schema) for one in new.claims} for claim in old.claims]
    if any("contradicts" in found for found in by_old):
        return "partly" if any(found.isdisjoint({"contradicts", "repeats"}) for found in by_old) else "contradicts"
    if all(any(compare(one, claim, schema) == "repeats" for claim in old.claims) for one in new.claims):
        return "unknown" if _says_more(new, old) else "repeats"
    return "unknown" if any("unknown" in found for found in by_old) else "apart"


def standing(notes: Sequence[Note], said: Sequence[Note], schema: Schema) -> list[Note]:
    """Return those of `notes` that nothing in `said`, the notes of a conversation, has replaced since."""

    def replaces(new: Note, old: Note) -> bool:
        newer = new.created_at > old.created_at
        return newer and relation(new, old, schema) == "contradicts" and not spares(new, old)

    return [note for note in notes if not any(replaces(new, note) for new in said)]


def spares(newest: Note, old: Note) -> bool:
    """True for a constraint that `newest` may not retire: it states none, and its words are not about the old one."""
    return old.hard and not newest.hard and not mentions(newest, old)


def mentions(note: Note, other: Note) -> bool:
    """Return whether what was said in `note` has a content word of `other`, beside the names of people."""
    people = {fold(claim.about) for one in (note, other) for claim in one.claims}
    found = overlap(other.text, " ".join((note.text, *note.sayings)), known=people)
    return found.size > 0 and found.share < 1


def _says_more(new: Note, old: Note) -> bool:
    """Return whether the words of `new` hold a number or name that `old` does not have, or most of a constraint."""
    said = " ".join((old.text, old.condition, *old.sayings))
    foreign = new.hard and not new.own_words and overlap(new.text, said).share > MOST_FOREIGN
    return foreign or bool(invented(new.text, said))


def compare(one: Claim, other: Claim, schema: Schema) -> Relation:
    """Return how two claims relate, as `relation` has it.

    They contradict where a person has one value and they name two, or with opposite stances on one. They may say the
    same in other words (`unknown`) where only the stance differs, or both name something freely: "hiking", "hikes".
    """
    if _about(one) != _about(other):
        return "apart"
    # Values are the same that are written alike but for a plural, or are the same numbers with the same words.
    same = _plain(one.value).removesuffix("s") == _plain(other.value).removesuffix("s")
    is_any = _ANY in (one.value, other.value)
    if _SIDES[one.stance] != _SIDES[other.stance]:
        return "contradicts" if same or is_any else "apart"
    if same:
        return "repeats" if one.stance == other.stance else "unknown"
    attribute = schema.attributes.get(one.attribute)
    if attribute and not attribute.many and not is_any and _SIDES[one.stance] == 1:
        return "contradicts"
    return "unknown" if attribute and attribute.described else "apart"


def same_text(one: Note, other: Note) -> bool:
    """Return whether two notes of one memory say the same in the same words, under the same condition."""
    return _plain(one.text) == _plain(other.text) and _where(one) == _where(other)


def says_the_same(one: Note, other: Note) -> bool:
    """Return whether two notes have the same words, or the same claims under the same condition."""
    return not meanings(one).isdisjoint(meanings(other))


def meanings(note: Note) -> frozenset[object]:
    """Return what `note` says in words and in claims; two notes say the same when they have one of these in common."""
    said: list[object] = [_plain(note.text)]
    if note.claims:
        said.append(frozenset((*_about(claim), _plain(claim.value), claim.stance) for claim in note.claims))
    return frozenset((one, _where(note)) for one in said)


def combined(notes: Sequence[Note], base: Note, schema: Schema) -> tuple[Claim, ...]:
    """Return the claims of those of `notes` that hold under the condition of `base`, oldest note first.

    What a later one repeats or contradicts is taken from that one.
    """
    held: list[Claim] = []
    for note in (note for note in reversed(notes) if _condition(note) == _condition(base)):
        held += [
            one
            for one in note.claims
            if not any(compare(one, other, schema) in ("repeats", "contradicts") for other in held)
        ]
    return tuple(held)


def conflicting(notes: Sequence[Note], schema: Schema) -> list[tuple[Note, Note]]:
    """Pairs of notes that can't both guide an answer, in the order of `notes`."""
    akin: dict[object, list[tuple[int, Claim]]] = {}  # only claims of one thing under one condition can contradict
    for at, note in enumerate(notes):
        for claim in note.claims:
            akin.setdefault((_condition(note), _about(claim)), []).append((at, claim))
    pairs = (pair for claims in akin.values() for pair in combinations(claims, 2))
    found = {(first, second) for (first, one), (second, other) in pairs if compare(one, other, schema) == "contradicts"}
    return [(notes[first], notes[second]) for first, second in sorted(found) if first != second]


def _about(claim: Claim) -> tuple[str, str]:
    return claim.attribute, fold(claim.about)


def _where(note: Note) -> tuple[object, ...]:
    return _condition(note), note.scope, note.workspace


def _condition(note: Note) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((key, _plain(value)) for key, value in note.when.items()))


@lru_cache(maxsize=8192)
def _plain(text: str) -> str:
    """Letters and digits only, folded, so that "€ 150" and "150 €" differ and "Aisle." and "aisle" do not."""
    return " ".join("".join(char if char.isalnum() else " " for char in fold(text)).split())
