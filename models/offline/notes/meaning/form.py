"""The canonical form of a statement: what is left of it when wording, order and grammar are taken away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Mood = Literal["states", "ends", "mentions"]
Atom = tuple[int, str]
"""One thing that is wanted (1) or refused (-1): a concept, a word, a number or a name."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One member of an enumeration: the chunk that stands first, and those that say more of it."""

    head: frozenset[Atom]
    details: tuple[frozenset[Atom], ...] = ()
    part: int = 0
    """The part of the statement that it stands in; what is joined by "and" or a comma is another part."""
    vague: bool = False
    """It stands with words that no lexicon knows and no stance: "window seats make me airsick"."""

    @property
    def atoms(self) -> frozenset[Atom]:
        """All atoms of the segment."""
        return self.head.union(*self.details)

    def without(self, unsaid: frozenset[Atom]) -> Segment | None:
        """The segment without some atoms; None when nothing is left."""
        left = [chunk - unsaid for chunk in (self.head, *self.details) if chunk - unsaid]
        return Segment(left[0], tuple(left[1:]), self.part, self.vague) if left else None


@dataclass(frozen=True, slots=True)
class Form:
    """What a statement says, comparable.

    `atoms` are the signed contents, `condition` what they hold under, `subject` whom they are about (empty for the
    traveller), `reasons` why. `segments` keep which atoms stand together, for telling detail from another thing.
    `words` are the atoms that no lexicon knows, and so may be misspelt; `names` those written as names.
    """

    atoms: frozenset[Atom] = frozenset()
    condition: frozenset[str] = frozenset()
    subject: frozenset[str] = frozenset()
    reasons: frozenset[str] = frozenset()
    grounds: frozenset[Atom] = frozenset()
    """The reasons as facts of their own: "because I can't climb stairs" says that too."""
    segments: tuple[Segment, ...] = ()
    mood: Mood = "states"
    liking: bool = False
    anew: bool = False
    """It says of itself that something changed: "again", "now"."""
    favorite: frozenset[str] = frozenset()
    """The kinds of things that it names a favourite of: "favourite airline"."""
    refused: frozenset[str] = frozenset()
    """Concepts it refuses, which its atoms hold as what is wanted instead: noise, where they hold quiet."""
    words: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
