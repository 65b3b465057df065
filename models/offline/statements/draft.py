"""A form in the making: what was read so far, and how it becomes canonical."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from models.offline.statements.english import Item
from models.offline.statements.form import Atom, Form, Mood, Segment
from models.offline.statements.lexicon import opposite, relations

Chunks = list[list[Atom]]
"""The chunks of a segment, as they are read."""


@dataclass(slots=True)
class Draft:
    """What was read of one note."""

    segments: list[Chunks] = field(default_factory=list)
    parts: list[tuple[int, bool]] = field(default_factory=list)
    """For each segment the number of its part, and whether that part is vague."""
    condition: set[str] = field(default_factory=set)
    under: set[str] = field(default_factory=set)
    """What the note itself is said to hold under, beside its text."""
    subject: set[str] = field(default_factory=set)
    reasons: set[str] = field(default_factory=set)
    grounds: list[Chunks] = field(default_factory=list)
    """The segments of the reasons."""
    domains: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    """All kinds of things that were named, whatever becomes of `domains`."""
    words: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    mood: Mood = "states"
    liking: bool = False
    anew: bool = False
    favorite: bool = False
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
        self.told |= self.domains
        if not any(atoms for chunks in self.segments for atoms in chunks) and self.grounds:
            # "I'm allergic to nuts, so take care": nothing is asked for but what the reason says.
            self.segments, self.parts = self.grounds, [(0, False)] * len(self.grounds)
            self.grounds, self.reasons = [], set()
        # How long a stop may last, or where one is made, is another question than whether there is one.
        timed = bool(self.names) or any(
            name.endswith("min") or name in _DARK for chunks in self.segments for atoms in chunks for _, name in atoms
        )
        self.refused |= {
            name for chunks in self.segments for atoms in chunks for sign, name in atoms if sign < 0 and opposite(name)
        }
        drafted = zip(self.segments, self.parts, strict=True)
        segments = tuple(filter(None, (_segment(chunks, timed, part) for chunks, part in drafted)))
        atoms = frozenset(atom for one in segments for atom in one.atoms)
        if self.subject and (not atoms or topic == "companions"):
            who = tuple(Segment(frozenset({(self.sign, name)})) for name in sorted(self.subject))
            segments, self.subject = (*who, *segments), set()
            atoms = frozenset(atom for one in segments for atom in one.atoms)
        own = set(self.condition)
        if own <= {name for sign, name in atoms if sign > 0}:  # "nonstop, if there is a nonstop flight"
            own = set()
        if any(name in _DATED for _, name in atoms):  # when a passport expires is part of what is said
            when = frozenset((1, name) for name in own)
            segments, atoms, own = (*segments, *([Segment(when)] if when else [])), atoms | when, set()
        elif not atoms and own:  # "only flies on weekdays"
            atoms, own = frozenset((self.sign, name) for name in own), set()
            segments = (Segment(atoms),)
        if not atoms and self.domains:  # "hates hotel food": the kinds are all there is
            atoms = frozenset((self.sign, f"@{kind}") for kind in self.domains)
            segments, self.domains = (Segment(atoms),), set()
        unsaid = _implied(atoms, topic) | (
            frozenset({(1, "connection"), (-1, "connection")}) & atoms if timed else frozenset()
        )
        unsaid = frozenset() if unsaid == atoms else unsaid
        segments = tuple(filter(None, (one.without(unsaid) for one in segments)))
        atoms -= unsaid
        extra = _kinds(atoms, self.domains, topic)
        return Form(
            atoms=atoms | extra,
            condition=frozenset(own | self.under) - {f"@{kind}" for kind in relations()["topics"].get(topic, ())},
            subject=frozenset(self.subject),
            reasons=frozenset(self.reasons),
            grounds=frozenset(atom for one in map(_alone, self.grounds) if one for atom in one.atoms) - unsaid,
            segments=(*segments, Segment(extra)) if extra else segments,
            mood=self.mood,
            liking=self.liking,
            anew=self.anew,
            favorite=frozenset(self.told) if self.favorite else frozenset(),
            refused=frozenset(self.refused),
            words=frozenset(self.words - self.names),
            names=frozenset(self.names),
        )


_DARK = frozenset({"overnight", "daypart:night"})
_DATED = frozenset({"expire", "birthday", "anniversary"})


def _segment(chunks: Chunks, timed: bool, part: tuple[int, bool]) -> Segment | None:
    limit = next((_LIMITS[name] for atoms in chunks for sign, name in atoms if sign < 0 and name in _LIMITS), None)
    if limit:  # nothing over three hours: three hours at most
        chunks = [[(1, limit if name in _LIMITS else name) for _, name in atoms] for atoms in chunks]
    filled = [frozenset(_turned(atom, timed) for atom in atoms) for atoms in chunks if atoms]
    return Segment(filled[0], tuple(filled[1:]), *part) if filled else None


def _alone(chunks: Chunks) -> Segment | None:
    return _segment(chunks, False, (0, False))


_LIMITS = {"atleast": "atmost", "atmost": "atleast", "before": "afterwards", "afterwards": "before"}


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
