"""From items to the canonical form: what is wanted and refused, under which condition, by whom, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from stores.notes import Note
from stores.statements.english import Item, english_items
from stores.statements.form import Atom, Form, Mood, Segment
from stores.statements.japanese import is_japanese, japanese_items
from stores.statements.lexicon import opposite, relations

_CONTENT = frozenset({"value", "context", "word", "number", "person"})
_STANCES = {"like": 1, "always": 1, "dislike": -1, "negate": -1, "end": -1}

_Chunks = list[list[Atom]]
"""The chunks of a segment, as they are read."""


def form_of(note: Note) -> Form:
    """The canonical form of what `note` says, its own condition and those that its text names taken together."""
    return _form(note.text, note.condition or "", note.topic)


def items_of(text: str, topic: str = "") -> list[Item]:
    """The concepts, words, numbers and names of `text` in their order, each with what it does there.

    Some words are a concept under one topic only ("brief", of messages).
    """
    return japanese_items(text, topic) if is_japanese(text) else english_items(text, topic)


@lru_cache(maxsize=8192)
def _form(text: str, condition: str, topic: str) -> Form:
    draft = _Draft()
    for clause in _clauses(items_of(text, topic)):
        _read(clause, draft)
    under = items_of(condition, topic)
    draft.under = _contents(under)
    draft.note_words(under)
    return draft.finished(topic)


@dataclass(slots=True)
class _Draft:
    segments: list[_Chunks] = field(default_factory=list)
    parts: list[tuple[int, bool]] = field(default_factory=list)
    """For each segment the number of its part, and whether that part is vague."""
    condition: set[str] = field(default_factory=set)
    under: set[str] = field(default_factory=set)
    """What the note itself is said to hold under, beside its text."""
    subject: set[str] = field(default_factory=set)
    reasons: set[str] = field(default_factory=set)
    domains: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    mood: Mood = "states"
    liking: bool = False
    anew: bool = False
    sign: int = 1
    open: list[_Chunks] = field(default_factory=list)
    """Segments of the last clause that no stance was taken on yet."""

    def note_words(self, items: Sequence[Item]) -> None:
        for item in items:
            if item.role == "word":
                (self.names if item.proper else self.words).add(item.name)

    def finished(self, topic: str) -> Form:
        # How long a stop may last, or where one is made, is another question than whether there is one.
        timed = bool(self.names) or any(
            name.endswith("min") for chunks in self.segments for atoms in chunks for _, name in atoms
        )
        drafted = zip(self.segments, self.parts, strict=True)
        segments = tuple(filter(None, (_segment(chunks, timed, part) for chunks, part in drafted)))
        atoms = frozenset(atom for one in segments for atom in one.atoms)
        if self.subject and (not atoms or topic == "companions"):
            who = tuple(Segment(frozenset({(self.sign, name)})) for name in sorted(self.subject))
            segments, self.subject = (*who, *segments), set()
            atoms = frozenset(atom for one in segments for atom in one.atoms)
        own = set(self.condition)
        if any(name in _DATED for _, name in atoms):  # when a passport expires is part of what is said
            when = frozenset((1, name) for name in own)
            segments, atoms, own = (*segments, *([Segment(when)] if when else [])), atoms | when, set()
        elif not atoms and own:  # "only flies on weekdays"
            atoms, own = frozenset((self.sign, name) for name in own), set()
            segments = (Segment(atoms),)
        if not atoms and self.domains:  # "hates hotel food": the kinds are all there is
            atoms = frozenset((self.sign, f"@{kind}") for kind in self.domains)
            segments, self.domains = (Segment(atoms),), set()
        unsaid = _implied(atoms) | (
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
            segments=(*segments, Segment(extra)) if extra else segments,
            mood=self.mood,
            liking=self.liking,
            anew=self.anew,
            words=frozenset(self.words - self.names),
            names=frozenset(self.names),
        )


def _only_numbers(chunk: Sequence[Atom]) -> bool:
    return bool(chunk) and all(name[0] == "#" for _, name in chunk)


_DATED = frozenset({"expire", "birthday"})


def _segment(chunks: _Chunks, timed: bool, part: tuple[int, bool]) -> Segment | None:
    limit = next((_LIMITS[name] for atoms in chunks for sign, name in atoms if sign < 0 and name in _LIMITS), None)
    if limit:  # nothing over three hours: three hours at most
        chunks = [[(1, limit if name in _LIMITS else name) for _, name in atoms] for atoms in chunks]
    filled = [frozenset(_turned(atom, timed) for atom in atoms) for atoms in chunks if atoms]
    return Segment(filled[0], tuple(filled[1:]), *part) if filled else None


_LIMITS = {"atleast": "atmost", "atmost": "atleast"}


def _turned(atom: Atom, timed: bool) -> Atom:
    """Refusing stopovers is wanting none: one of the two stands for both. How long one may last is no such wish."""
    sign, name = atom
    if timed and name in ("stops:some", "wait:long", "wait:short"):
        return sign, "connection"
    other = opposite(name) if sign < 0 else None
    return (1, other) if other else atom


def _implied(atoms: frozenset[Atom]) -> frozenset[Atom]:
    """What goes without saying beside the rest: that a sum is a limit, and that gold is a status."""
    names = {name for _, name in atoms}
    table = relations()
    without = {name for name, beside in table["unsaid"].items() if names & set(beside)}
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
    named = domains - implied - set(table["plain"])
    if not named and own:
        named = {table["topics"][topic][0]}
    return frozenset((0, f"@{kind}") for kind in named)


def _clauses(items: Sequence[Item]) -> list[list[Item]]:
    """Parts between full stops and semicolons."""
    found: list[list[Item]] = [[]]
    for item in items:
        if item.role == "stop":
            found.append([])
        else:
            found[-1].append(item)
    return [clause for clause in found if clause]


def _read(clause: Sequence[Item], draft: _Draft) -> None:
    sign = 1
    plain: list[_Chunks] = []
    for part in _parts(clause):
        rest = _set_apart(part, draft)
        _note(rest, draft)
        if draft.open and _verdict(rest):  # "Hostels? Never again."
            plain, draft.open = draft.open, []
            sign = _verdict(rest)
            if sign < 0:
                _turn(plain)
            plain = []
            continue
        if part[0].role == "filler" and part[0].name in _SUBJECTS:
            sign = 1  # "doesn't need cover, he has it through work"
        if sign < 0 and part[0].role != "list" and _answers(rest) & _refused(plain or draft.segments):
            sign = 1  # "don't call me, text me"
        signed, sign, refused_last = _signed(rest, sign)
        if refused_last:  # "meat, fish and eggs are off limits": the verdict comes last
            _turn(plain)
        plain = [] if any(item.role in _STANCES for item in rest) else [*plain, *signed]
        vague = not any(item.role in _STANCES for item in rest) and any(
            item.role == "word" and not item.proper for item in rest
        )
        draft.parts += [(draft.parts[-1][0] + 1 if draft.parts else 1, vague)] * len(signed)
        draft.segments += signed
        draft.sign = sign
    draft.open = plain


def _answers(items: Sequence[Item]) -> set[str]:
    return {item.name.partition(":")[0] for item in items if item.role == "value" and ":" in item.name}


def _refused(segments: Sequence[_Chunks]) -> set[str]:
    atoms = [atom for chunks in segments for chunk in chunks for atom in chunk]
    return {name.partition(":")[0] for sign, name in atoms if sign < 0 and ":" in name}


_ANEW = frozenset(
    "again now can after currently もう 今は 今では これからは 今後は ようになった ようになりました".split()
)


def _turn(segments: Sequence[_Chunks]) -> None:
    for segment in segments:
        segment[:] = [[(-one, name) for one, name in atoms] for atoms in segment]


def _verdict(rest: Sequence[Item]) -> int:
    """The sign of a part that holds a stance and nothing else; 0 for any other."""
    signs = [_STANCES[item.role] for item in rest if item.role in _STANCES]
    if not signs or any(item.role in _CONTENT or item.role == "domain" for item in rest):
        return 0
    return -1 if signs.count(-1) % 2 else 1


def _note(rest: Sequence[Item], draft: _Draft) -> None:
    roles = {item.role for item in rest}
    if "mention" in roles:
        draft.mood = "mentions"
    elif "end" in roles and draft.mood == "states":
        draft.mood = "ends"
    draft.liking |= "like" in roles
    draft.anew |= any(item.role == "filler" and item.name in _ANEW for item in rest)
    draft.domains |= {item.name for item in rest if item.role == "domain"}
    draft.subject |= {item.name for item in rest if item.role == "person"}
    draft.note_words(rest)


def _parts(clause: Sequence[Item]) -> list[list[Item]]:
    """Members of enumerations, and what is joined by "and" or a comma."""
    found: list[list[Item]] = [[]]
    for item in clause:
        if item.role in ("comma", "list", "colon"):
            if (
                item.role == "colon"
                and found[-1]
                and all(one.role in ("context", "domain", "filler") for one in found[-1])
            ):
                found[-1].insert(0, Item("when"))
            found.append([item] if item.role == "list" else [])
        else:
            found[-1].append(item)
    return [part for part in found if part]


def _set_apart(part: Sequence[Item], draft: _Draft) -> list[Item]:
    """The part without its condition and its reason, which are put into the draft."""
    rest: list[Item] = []
    at = 0
    while at < len(part):
        item = part[at]
        if item.role == "reason":
            # "As a Muslim, I never …": what comes first ends where the wish begins.
            end = _until(part, at + 1, set(_STANCES)) if at == 0 and item.name != "whole" else len(part)
            draft.reasons |= _contents(part[at + 1 : end])
            at = end
        elif item.role == "when":
            end = _until(part, at + 1, {"like", "dislike", "reason"} if at == 0 else {"reason"})
            draft.condition |= _when(part[at + 1 : end]) | ({item.name} if item.name == "except" else set())
            draft.note_words(part[at + 1 : end])
            at = end
        elif item.role == "at":
            end = _until(part, at + 1, {"at", "prep", "when", "reason", *_STANCES})
            end = _noun_end(part, at + 1, end)
            span = part[at + 1 : end]
            channel = item.name == "for" and any(one.name.startswith("via:") for one in rest)
            if _is_condition(item, span) or channel:  # "text me for delays, email me for receipts"
                draft.condition |= _contents(span) or {f"@{one.name}" for one in span if one.role == "domain"}
                draft.note_words(span)
                at = end
            else:
                rest.append(item)
                at += 1
        else:
            rest.append(item)
            at += 1
    return rest


_SUBJECTS = frozenset({"i", "we", "he", "she", "they", "user"})


def _noun_end(part: Sequence[Item], at: int, end: int) -> int:
    """Where "on long flights I …" stops speaking of flights: at the next subject, or after the kind of journey."""
    for place in range(at, end):
        if part[place].role == "filler" and part[place].name in _SUBJECTS:
            return place
        follows = part[place + 1].role if place + 1 < end else ""
        if part[place].role == "context" and follows not in ("domain", "context", "word", "number"):
            return place + 1
    return end


def _until(part: Sequence[Item], at: int, roles: set[str]) -> int:
    return next((place for place in range(at, len(part)) if part[place].role in roles), len(part))


def _is_condition(item: Item, span: Sequence[Item]) -> bool:
    if any(one.role == "context" for one in span):
        return True
    contents = [one for one in span if one.role in _CONTENT]
    if item.name in ("on", "for", "during") and any(
        one.role == "domain" and one.name in ("flight", "trip", "train") for one in span
    ):
        return bool(contents)
    if item.name in ("on", "for") and any(one.name.endswith("min") for one in contents):
        return True  # "on anything over six hours"
    return item.name == "in" and bool(contents) and all(one.proper or one.name.startswith("place:") for one in contents)


def _when(items: Sequence[Item]) -> set[str]:
    """The contents of a condition; where all its words are plain ("when paying himself"), the words themselves."""
    plain = {f"~{item.name}" for item in items if item.role in ("filler", "like") and item.name not in _ANY_TIME}
    return _contents(items) or plain


_ANY_TIME = frozenset(
    "i me we us he she they you it be do have will can could may fly travel book go on trip take possible available "
    "able away ever always choose stay use reserve order eat give get there to choice option ride 乗る 使う 泊まる 利用 予約".split()
)
"""Words after "when" that set no condition: "when I fly", "when possible"."""


def _contents(items: Sequence[Item]) -> set[str]:
    found = {item.name for item in items if item.role in _CONTENT}
    if any(item.role in ("negate", "dislike") for item in items):
        found.add("not")
    return found or {f"@{item.name}" for item in items if item.role == "domain" and item.name not in ("flight", "trip")}


def _signed(items: Sequence[Item], before: int) -> tuple[list[_Chunks], int, bool]:
    """The segments with their signs, the sign that goes on from here, and whether a refusal came only at the end."""
    segments: list[_Chunks] = [[[]]]
    sign, group, than = before, False, False
    for item in items:
        if item.role in _STANCES:
            sign = (sign if group else 1) * _STANCES[item.role]
            group = True
        elif item.role == "contrast":
            segments.append([[]])
            sign, group, than = -sign, False, True
        elif item.role in ("at", "prep"):
            segments[-1].append([])
        elif item.role in _CONTENT and item.role != "person":
            # A value of a closed set ("aisle", "high floor") stands for itself, whatever it stands beside.
            if ":" in item.name and item.role == "value":
                counted = segments[-1].pop() if _only_numbers(segments[-1][-1]) else []
                segments += [[[*counted, (sign, item.name)]], [[]]]
            else:
                # Liking trains better than buses is not refusing buses.
                segments[-1][-1].append((sign, f"<{item.name}" if than and sign < 0 else item.name))
            group = False
    stances = [place for place, item in enumerate(items) if item.role in _STANCES]
    contents = [place for place, item in enumerate(items) if item.role in _CONTENT]
    late = bool(stances and contents) and min(stances) > max(contents)
    if late:
        segments = [[[(sign, name) for _, name in atoms] for atoms in chunks] for chunks in segments]
    return segments, sign, late and sign < 0
