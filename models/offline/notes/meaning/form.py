"""The canonical form of a statement, independent of its wording, word order and grammar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from models.offline.notes.meaning.items import Item
from models.offline.notes.meaning.lexicon import opposite, relations, words

Mood = Literal["states", "ends", "mentions"]
Atom = tuple[int, str]
"""A sign and a name: something wanted (1), refused (-1) or merely specified (0), by concept, word, number or name."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One member of an enumeration: its main chunk, and the chunks with details about it."""

    head: frozenset[Atom]
    details: tuple[frozenset[Atom], ...] = ()
    part: int = 0
    """The number of its part of the statement; "and" and commas separate parts."""
    vague: bool = False
    """Its part has unknown words and no stance: "window seats make me airsick"."""

    @property
    def atoms(self) -> frozenset[Atom]:
        """All atoms of the segment."""
        return self.head.union(*self.details)

    def without(self, atoms: frozenset[Atom]) -> Segment | None:
        """Return the segment without `atoms`; None if nothing remains."""
        chunks = [chunk - atoms for chunk in (self.head, *self.details) if chunk - atoms]
        return Segment(chunks[0], tuple(chunks[1:]), self.part, self.vague) if chunks else None


@dataclass(frozen=True, slots=True)
class Form:
    """The canonical form of a statement, for comparison.

    `atoms` are the signed contents, `condition` the concepts of its condition, `subject` the people it is about (empty
    for the traveller), `reasons` the concepts of its reasons. `segments` group the atoms, to separate a detail from
    another thing. `words` are unknown to the lexicon and may be misspelt; `names` are proper names.
    """

    atoms: frozenset[Atom] = frozenset()
    condition: frozenset[str] = frozenset()
    subject: frozenset[str] = frozenset()
    reasons: frozenset[str] = frozenset()
    grounds: frozenset[Atom] = frozenset()
    """The reasons as atoms: "because I can't climb stairs" also states that."""
    segments: tuple[Segment, ...] = ()
    mood: Mood = "states"
    liking: bool = False
    anew: bool = False
    """It says that something changed: "again", "now"."""
    tolerated: frozenset[str] = frozenset()
    """Concepts that are accepted, and not preferred: "I don't mind hostels"."""
    refused: frozenset[str] = frozenset()
    """Refused concepts that the atoms express as their wanted opposite: noise, if the atoms have quiet."""
    words: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


Chunks = list[list[Atom]]
"""The chunks of a segment while it is read."""


@dataclass(slots=True)
class Draft:
    """The state of reading one note."""

    segments: list[tuple[Chunks, int, bool]] = field(default_factory=list)
    """(chunks, number of the part, whether the part is vague) of each segment."""
    condition: set[str] = field(default_factory=set)
    under: set[str] = field(default_factory=set)
    """The concepts of the condition stored with the note, besides those in its text."""
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
    tolerated: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    """Refused concepts that the segments express as their wanted opposite."""
    sign: int = 1
    open: list[Chunks] = field(default_factory=list)
    """Segments of the last clause that have no stance yet."""

    def note_words(self, items: Sequence[Item]) -> None:
        """Record the words that the lexicon lacks, and the proper names."""
        for item in items:
            if item.role == "word":
                (self.names if item.proper else self.words).add(item.name)

    def finished(self, topic: str) -> Form:
        """Return the canonical form of a note of `topic`."""
        self._promote_reasons()
        # The length or place of a stop does not say whether a stop is wanted.
        timed = bool(self.names) or any(name.endswith("min") or name in words("dark") for _, name in self._drafted())
        self.refused |= {name for sign, name in self._drafted() if sign < 0 and opposite(name)}
        segments = tuple(filter(None, (_segment(chunks, timed, part, vague) for chunks, part, vague in self.segments)))
        segments = self._with_conditions(self._with_people(segments, topic))
        if not segments and self.domains:  # "hates hotel food": there are only kinds of things
            segments = (Segment(frozenset((self.sign, f"@{kind}") for kind in self.domains)),)
            self.domains = set()
        unsaid = _redundant(_atoms(segments), topic, timed)
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
            tolerated=frozenset(self.tolerated),
            refused=frozenset(self.refused),
            words=frozenset(self.words - self.names),
            names=frozenset(self.names),
        )

    def _drafted(self) -> list[Atom]:
        return [atom for chunks, _, _ in self.segments for atoms in chunks for atom in atoms]

    def _promote_reasons(self) -> None:
        """Make the reasons the contents if there are no others: "I'm allergic to nuts, so take care"."""
        if not self._drafted() and self.grounds:
            self.segments = [(chunks, 0, False) for chunks in self.grounds]
            self.grounds, self.reasons = [], set()

    def _with_people(self, segments: tuple[Segment, ...], topic: str) -> tuple[Segment, ...]:
        """Return the segments with the subject as content, if there is no other or the topic is `companions`."""
        if not self.subject or (segments and topic != "companions"):
            return segments
        who = tuple(Segment(frozenset({(self.sign, name)})) for name in sorted(self.subject))
        self.subject = set()
        return (*who, *segments)

    def _with_conditions(self, segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
        """Return the segments with the conditions that are really contents, and drop conditions that repeat them."""
        atoms = _atoms(segments)
        if self.condition <= {name for sign, name in atoms if sign > 0}:  # "nonstop, if there is a nonstop flight"
            self.condition = set()
        dated = any(name in words("dated") for _, name in atoms)  # the expiry of a passport is content
        if self.condition and (dated or not atoms):  # "only flies on weekdays"
            sign = 1 if dated else self.sign
            segments = (*segments, Segment(frozenset((sign, name) for name in self.condition)))
            self.condition = set()
        return segments


def _atoms(segments: Sequence[Segment]) -> frozenset[Atom]:
    return frozenset(atom for one in segments for atom in one.atoms)


def _redundant(atoms: frozenset[Atom], topic: str, timed: bool) -> frozenset[Atom]:
    """Return the atoms that the others imply; none if that would be all."""
    stops = frozenset({(1, "connection"), (-1, "connection")}) & atoms if timed else frozenset()
    unsaid = _implied(atoms, topic) | stops
    return frozenset() if unsaid == atoms else unsaid


def _segment(chunks: Chunks, timed: bool, part: int = 0, vague: bool = False) -> Segment | None:
    limits = relations()["limits"]
    limit = next((limits[name] for atoms in chunks for sign, name in atoms if sign < 0 and name in limits), None)
    if limit:  # nothing over three hours: three hours at most
        chunks = [[(1, limit if name in limits else name) for _, name in atoms] for atoms in chunks]
    filled = [frozenset(_as_wanted(atom, timed) for atom in atoms) for atoms in chunks if atoms]
    return Segment(filled[0], tuple(filled[1:]), part, vague) if filled else None


def _as_wanted(atom: Atom, timed: bool) -> Atom:
    """Return the wanted opposite of a refused concept, if it has one; wishes about the length of a stop stay apart."""
    sign, name = atom
    if timed and name in ("stops:some", "wait:long", "wait:short"):
        return sign, "connection"
    other = opposite(name) if sign < 0 else None
    return (1, other) if other else atom


def _implied(atoms: frozenset[Atom], topic: str) -> frozenset[Atom]:
    """Return the atoms that others imply: an amount is a limit, gold is a status."""
    names = {name for _, name in atoms}
    table = relations()
    without = {name for name, beside in table["unsaid"].items() if names & set(beside)}
    given = names & set(table["given"].get(topic, ()))
    without |= given if names - without - given else set()
    return frozenset((sign, name) for sign, name in atoms if name in without)


def _kinds(atoms: frozenset[Atom], domains: set[str], topic: str) -> frozenset[Atom]:
    """Return the kinds of things that a quality applies to: "quiet" differs between a room and a neighbourhood."""
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
