"""The canonical form of a statement: what is left of it when wording, order and grammar are taken away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from models.offline.notes.meaning.items import Item
from models.offline.notes.meaning.lexicon import opposite, relations, words

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
    refused: frozenset[str] = frozenset()
    """Concepts it refuses, which its atoms hold as what is wanted instead: noise, where they hold quiet."""
    words: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


Chunks = list[list[Atom]]
"""The chunks of a segment, as they are read."""


@dataclass(slots=True)
class Draft:
    """What was read of one note."""

    segments: list[tuple[Chunks, int, bool]] = field(default_factory=list)
    """Each with the number of its part, and whether that part is vague."""
    condition: set[str] = field(default_factory=set)
    under: set[str] = field(default_factory=set)
    """What the note itself is said to hold under, beside its text."""
    subject: set[str] = field(default_factory=set)
    reasons: set[str] = field(default_factory=set)
    grounds: list[Chunks] = field(default_factory=list)
    """The segments of the reasons."""
    domains: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    mood: Mood = "states"
    liking: bool = False
    anew: bool = False
    refused: set[str] = field(default_factory=set)
    """Concepts that were refused and stand in the segments as what is wanted instead."""
    sign: int = 1
    open: list[Chunks] = field(default_factory=list)
    """Segments of the last clause that no stance was taken on yet."""

    def note_words(self, items: Sequence[Item]) -> None:
        """Remember which words no lexicon knows, and which are names."""
        for item in items:
            if item.role == "word":
                (self.names if item.proper else self.words).add(item.name)

    def finished(self, topic: str) -> Form:
        """The canonical form of all that was read, for a note of `topic`."""
        self._ask_for_reasons()
        # How long a stop may last, or where one is made, is not whether there is one.
        timed = bool(self.names) or any(name.endswith("min") or name in words("dark") for _, name in self._drafted())
        self.refused |= {name for sign, name in self._drafted() if sign < 0 and opposite(name)}
        segments = tuple(filter(None, (_segment(chunks, timed, part, vague) for chunks, part, vague in self.segments)))
        segments = self._with_conditions(self._with_people(segments, topic))
        if not segments and self.domains:  # "hates hotel food": the kinds are all there is
            segments = (Segment(frozenset((self.sign, f"@{kind}") for kind in self.domains)),)
            self.domains = set()
        unsaid = _unsaid(_atoms(segments), topic, timed)
        segments = tuple(filter(None, (one.without(unsaid) for one in segments)))
        extra = _kinds(_atoms(segments), self.domains, topic)
        own = {f"@{kind}" for kind in relations()["topics"].get(topic, ())}
        grounds = tuple(filter(None, (_segment(chunks, timed=False) for chunks in self.grounds)))
        return Form(
            atoms=_atoms(segments) | extra,
            condition=frozenset((self.condition | self.under) - own),
            subject=frozenset(self.subject),
            reasons=frozenset(self.reasons),
            grounds=_atoms(grounds) - unsaid,
            segments=(*segments, Segment(extra)) if extra else segments,
            mood=self.mood,
            liking=self.liking,
            anew=self.anew,
            refused=frozenset(self.refused),
            words=frozenset(self.words - self.names),
            names=frozenset(self.names),
        )

    def _drafted(self) -> list[Atom]:
        return [atom for chunks, _, _ in self.segments for atoms in chunks for atom in atoms]

    def _ask_for_reasons(self) -> None:
        """Take the reasons for what is asked where nothing else is: "I'm allergic to nuts, so take care"."""
        if not self._drafted() and self.grounds:
            self.segments = [(chunks, 0, False) for chunks in self.grounds]
            self.grounds, self.reasons = [], set()

    def _with_people(self, segments: tuple[Segment, ...], topic: str) -> tuple[Segment, ...]:
        """Return the segments with whom the note is about as what it says, where that is all, or all it is for."""
        if not self.subject or (segments and topic != "companions"):
            return segments
        who = tuple(Segment(frozenset({(self.sign, name)})) for name in sorted(self.subject))
        self.subject = set()
        return (*who, *segments)

    def _with_conditions(self, segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
        """Return the segments with the conditions of the text that are part of what it says."""
        atoms = _atoms(segments)
        if self.condition <= {name for sign, name in atoms if sign > 0}:  # "nonstop, if there is a nonstop flight"
            self.condition = set()
        dated = any(name in words("dated") for _, name in atoms)  # when a passport expires is part of what is said
        if self.condition and (dated or not atoms):  # "only flies on weekdays"
            sign = 1 if dated else self.sign
            segments = (*segments, Segment(frozenset((sign, name) for name in self.condition)))
            self.condition = set()
        return segments


def _atoms(segments: Sequence[Segment]) -> frozenset[Atom]:
    return frozenset(atom for one in segments for atom in one.atoms)


def _unsaid(atoms: frozenset[Atom], topic: str, timed: bool) -> frozenset[Atom]:
    """Return the atoms that go without saying beside the others."""
    stops = frozenset({(1, "connection"), (-1, "connection")}) & atoms if timed else frozenset()
    unsaid = _implied(atoms, topic) | stops
    return frozenset() if unsaid == atoms else unsaid


def _segment(chunks: Chunks, timed: bool, part: int = 0, vague: bool = False) -> Segment | None:
    limits = relations()["limits"]
    limit = next((limits[name] for atoms in chunks for sign, name in atoms if sign < 0 and name in limits), None)
    if limit:  # nothing over three hours: three hours at most
        chunks = [[(1, limit if name in limits else name) for _, name in atoms] for atoms in chunks]
    filled = [frozenset(_turned(atom, timed) for atom in atoms) for atoms in chunks if atoms]
    return Segment(filled[0], tuple(filled[1:]), part, vague) if filled else None


def _turned(atom: Atom, timed: bool) -> Atom:
    """Refusing stopovers is wanting none: one of the two stands for both. How long one may last is no such wish."""
    sign, name = atom
    if timed and name in ("stops:some", "wait:long", "wait:short"):
        return sign, "connection"
    other = opposite(name) if sign < 0 else None
    return (1, other) if other else atom


def _implied(atoms: frozenset[Atom], topic: str) -> frozenset[Atom]:
    """What goes without saying beside the rest: that a sum is a limit, and that gold is a status."""
    names = {name for _, name in atoms}
    table = relations()
    without = {name for name, beside in table["unsaid"].items() if names & set(beside)}
    given = names & set(table["given"].get(topic, ()))
    without |= given if names - without - given else set()
    return frozenset((sign, name) for sign, name in atoms if name in without)


def _kinds(atoms: frozenset[Atom], domains: set[str], topic: str) -> frozenset[Atom]:
    """What a quality is said of: "quiet" is one thing of a room and another of a quarter."""
    table = relations()
    loose = set(table["loose"])
    names = {name for _, name in atoms}
    implied = {kind for name in names for kind in table["implied"].get(name.partition(":")[0], ())}
    own = set(table["topics"].get(topic, ()))
    if names and not names & loose:
        return frozenset((0, f"@{kind}") for kind in domains - implied - own - set(table["plain"]))
    named = domains - set(table["plain"]) if topic != "budget" else domains - {"trip"}
    if not named and own:
        named = {table["topics"][topic][0]}
    return frozenset((0, f"@{kind}") for kind in named)
