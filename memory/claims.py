"""Compares notes by their claims, which are data: nothing here interprets language."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Literal
from unicodedata import category

from memory.policy.wording import MOST_FOREIGN, invented, overlap
from memory.records.notes import Claim, Note, Stance
from memory.schema import Schema
from text.words import fold

Relation = Literal["repeats", "contradicts", "partly", "apart", "unknown"]

_SIDES: dict[Stance, int] = {"is": 1, "prefers": 1, "requires": 1, "avoids": -1, "excludes": -1, "indifferent": 0}
_SIGNS = ("Sc", "Sm")
"""Unicode categories of the symbols that change a value: currencies, and signs of arithmetic and comparison."""
_ANY = "any"
"""The value of a claim about all values of an attribute ("any floor will do")."""


def relation(new: Note, old: Note, schema: Schema) -> Relation:
    """Return how `new` relates to the earlier note `old`.

    Returns:
        `repeats`: each claim of `new` is one of `old`, or the texts are the same. `contradicts`: each claim of `old`
        is contradicted or repeated, and at least one is contradicted. `partly`: some claims of `old` are contradicted
        and others still hold. `apart`: both notes can hold. `unknown`: claims can't decide it, because one note has
        none, the text of `new` says more than its claims, or both have free-text values that may mean the same.
    """
    if same_text(new, old):
        return "repeats"
    if not new.claims or not old.claims:
        return "unknown"
    if _context(new) != _context(old):
        return "apart"
    by_old = [{compare(claim, earlier, schema) for claim in new.claims} for earlier in old.claims]
    if any("contradicts" in relations for relations in by_old):
        holds_partly = any(relations.isdisjoint({"contradicts", "repeats"}) for relations in by_old)
        return "partly" if holds_partly else "contradicts"
    if all(any(compare(claim, earlier, schema) == "repeats" for earlier in old.claims) for claim in new.claims):
        return "unknown" if _says_more(new, old) else "repeats"
    return "unknown" if any("unknown" in relations for relations in by_old) else "apart"


def standing(notes: Sequence[Note], session: Sequence[Note], schema: Schema) -> list[Note]:
    """Return those of `notes` that no later note of a `session` contradicts."""

    def replaces(new: Note, old: Note) -> bool:
        newer = new.created_at > old.created_at
        return newer and relation(new, old, schema) == "contradicts" and not protects(old, new)

    return [note for note in notes if not any(replaces(new, note) for new in session)]


def protects(old: Note, newest: Note) -> bool:
    """Return whether `old` is a constraint that claims alone can't replace: what the user said now does not mention it.

    A mention is a content word of its text, its claims or the user's words behind it. Without one, the contradicting
    claim may have been read wrongly out of words about something else.
    """
    claims = (f"{claim.attribute.replace('_', ' ')} {claim.value}" for claim in old.claims)
    whole, said = " ".join((old.text, *old.sayings, *claims)), " ".join(newest.sayings) or newest.text
    return old.hard and not _shares_words(whole, said, newest, old)


def mentions(note: Note, other: Note) -> bool:
    """Return whether `note`, or the user's words behind it, has a content word of `other` besides names of people."""
    return _shares_words(other.text, " ".join((note.text, *note.sayings)), note, other)


def _shares_words(text: str, source: str, *notes: Note) -> bool:
    people = {fold(claim.about) for note in notes for claim in note.claims}
    shared = overlap(text, source, known=people)
    return shared.size > 0 and shared.share < 1


def _says_more(new: Note, old: Note) -> bool:
    """Return whether `new` has a number or name that `old` lacks, or is a constraint in mostly other words."""
    earlier = " ".join((old.text, old.condition, *old.sayings))
    is_reworded = new.hard and not new.own_words and overlap(new.text, earlier).share > MOST_FOREIGN
    return is_reworded or bool(invented(new.text, earlier))


def compare(one: Claim, other: Claim, schema: Schema) -> Relation:
    """Return how two claims relate, in the terms of `relation`.

    They contradict if they give two values where a person has only one, or take opposite stances on the same value.
    They may say the same (`unknown`) if only the stance differs, or if the values are free text: "hiking", "hikes".
    """
    if _about(one) != _about(other):
        return "apart"
    # Case, punctuation and a plural "s" don't make two values different.
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
    """Return whether two notes have the same text, condition and scope, ignoring case and punctuation."""
    return _plain(one.text) == _plain(other.text) and _context(one) == _context(other)


def says_the_same(one: Note, other: Note) -> bool:
    """Return whether two notes have the same text or the same claims, under the same condition and in one scope."""
    return not meanings(one).isdisjoint(meanings(other))


def meanings(note: Note) -> frozenset[object]:
    """Return comparable keys of the text and the claims of `note`; two notes that share a key say the same."""
    keys: list[object] = [_plain(note.text)]
    if note.claims:
        keys.append(frozenset((*_about(claim), _plain(claim.value), claim.stance) for claim in note.claims))
    return frozenset((key, _context(note)) for key in keys)


def combined(notes: Sequence[Note], base: Note, schema: Schema) -> tuple[Claim, ...]:
    """Return the claims of those of `notes` (oldest first) that have the condition of `base`.

    A later claim replaces the earlier ones that it repeats or contradicts.
    """
    claims: list[Claim] = []
    for note in (note for note in reversed(notes) if _condition(note) == _condition(base)):
        claims += [
            earlier
            for earlier in note.claims
            if not any(compare(earlier, later, schema) in ("repeats", "contradicts") for later in claims)
        ]
    return tuple(claims)


def conflicting(notes: Sequence[Note], schema: Schema) -> list[tuple[Note, Note]]:
    """Return the pairs of notes that contradict each other and can't both guide an answer, in the order of `notes`."""
    comparable: dict[object, list[tuple[int, Claim]]] = {}  # by condition and attribute: others can't contradict
    for at, note in enumerate(notes):
        for claim in note.claims:
            comparable.setdefault((_condition(note), _about(claim)), []).append((at, claim))
    pairs = (pair for claims in comparable.values() for pair in combinations(claims, 2))
    rows = {(first, second) for (first, one), (second, other) in pairs if compare(one, other, schema) == "contradicts"}
    return [(notes[first], notes[second]) for first, second in sorted(rows) if first != second]


def _about(claim: Claim) -> tuple[str, str]:
    return claim.attribute, fold(claim.about)


def _context(note: Note) -> tuple[object, ...]:
    return _condition(note), note.scope, note.workspace


def _condition(note: Note) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((key, _plain(value)) for key, value in note.when.items()))


@lru_cache(maxsize=8192)
def _plain(text: str) -> str:
    """Return the folded words of `text` without punctuation: "Aisle." is "aisle", but "€150" is not "$150"."""
    return " ".join("".join(char if char.isalnum() or category(char) in _SIGNS else " " for char in fold(text)).split())
