"""When two notes say the same, when one says more, and when one takes the other's place.

All is decided on canonical forms. Whatever the lexicon does not know counts as said: two statements that differ in
one unknown word, number, name or negation are two facts.
"""

from typing import Protocol

from models.offline.notes.meaning.form import Atom, Form, Segment
from models.offline.notes.meaning.lexicon import opposite, relations
from models.offline.notes.meaning.reading import read


class _Note(Protocol):
    """The parts of a note that comparing statements needs, whoever keeps the note; `condition` is empty for always."""

    @property
    def text(self) -> str: ...
    @property
    def topic(self) -> str: ...
    @property
    def scope(self) -> str: ...
    @property
    def condition(self) -> str: ...
    @property
    def hard(self) -> bool: ...


def covers(one: _Note, other: _Note) -> bool:
    """Return True when `one` says all that `other` says, and perhaps more: another thing, a detail, a reason.

    A narrower thing is not more of the wider one: "wine tours" leaves "wine" unsaid.
    """
    if one.text == other.text and (one.scope, one.condition) == (other.scope, other.condition):
        return True
    mine, theirs = _form(one), _form(other)
    if not _same_ground(one, other) or (mine.mood == "mentions") != (theirs.mood == "mentions"):
        return False
    if mine.grounds != theirs.grounds and mine.atoms | mine.grounds == theirs.atoms | theirs.grounds:
        return True  # "needs a lift, as she can't climb stairs" says "can't climb stairs and needs a lift"
    if mine.atoms == theirs.atoms:
        return any(sign for sign, _ in mine.atoms) and theirs.reasons <= mine.reasons
    alike = one.topic == other.topic and _kinds(mine) == _kinds(theirs) and any(sign for sign, _ in theirs.atoms)
    if not alike or not (theirs.atoms <= mine.atoms and theirs.reasons <= mine.reasons) or _filled_anew(mine, theirs):
        return False
    return all(_adds(segment, theirs.atoms) for segment in mine.segments)


def replaces(new: _Note, old: _Note) -> bool:
    """Return True when `new` takes the place of `old`: the stance is reversed, or a single-valued question answered.

    Scope, condition and whom it is about must be the same. A hard constraint yields to a denial or an end alone.
    What merely mentions something replaces nothing.
    """
    mine, theirs = _form(new), _form(old)
    if not _same_ground(new, old) or "mentions" in (mine.mood, theirs.mood) or covers(new, old):
        return False
    denies = mine.mood == "ends" or mine.anew or any(sign < 0 for sign, _ in mine.atoms)
    if old.hard and not denies:
        return False
    if _reverses(mine, theirs):
        return new.topic == old.topic or len(mine.atoms) == len(theirs.atoms)
    if new.topic != old.topic:
        return False
    if _filled_anew(mine, theirs) or _stood_in(mine, theirs):
        return True
    single = new.topic in relations()["single_valued"] or (mine.anew and _alike_beside(mine, theirs))
    return single and not old.hard and _answers_anew(mine, theirs)


def contradict(one: Form, other: Form) -> bool:
    """Return True when both can't hold at once: a stance is reversed, or a question has two answers."""
    if "mentions" in (one.mood, other.mood) or one.subject != other.subject:
        return False
    return _reverses(one, other) or _reverses(other, one) or _answers_anew(one, other)


def _form(note: _Note) -> Form:
    return read(note.text, note.condition, note.topic)


def _same_ground(one: _Note, other: _Note) -> bool:
    mine, theirs = _form(one), _form(other)
    return one.scope == other.scope and (mine.condition, mine.subject) == (theirs.condition, theirs.subject)


def _kinds(form: Form) -> frozenset[Atom]:
    """The kinds of things that a quality is said of: a cheap hotel is no cheap flight."""
    return frozenset(atom for atom in form.atoms if not atom[0])


def _adds(segment: Segment, known: frozenset[Atom]) -> bool:
    """Return True when what is new in `segment` stands beside what is known, and does not narrow it."""
    chunks = (segment.head, *segment.details)
    if segment.vague or any(chunk & known and not chunk <= known for chunk in chunks):
        return False
    new = [chunk for chunk in chunks if not chunk & known]
    if not new or len(new) == len(chunks):
        return True
    return segment.head <= known and all(sign > 0 for sign, _ in segment.atoms)


def _reverses(mine: Form, theirs: Form) -> bool:
    """Return True when `mine` says the opposite of all that `theirs` says, and nothing else beside it."""
    said = [atom for atom in theirs.atoms if atom[0]]
    if mine.mood == "ends" and any(name in theirs.names for _, name in said):  # who Emma was goes with her
        said = [atom for atom in said if atom[1] not in relations()["accompanied"] or atom in mine.atoms]
    turned = {contrary for atom in said for contrary in _contraries(atom, mine) & mine.atoms}
    if not said or not all(_contraries(atom, mine) & mine.atoms and atom not in mine.atoms for atom in said):
        return False
    # "Hates hiking in the rain" leaves hiking as it was.
    parts = {segment.part for segment in mine.segments if segment.atoms & turned}
    beside = {atom for segment in mine.segments if segment.part in parts for atom in segment.atoms - turned}
    # "Dropped one for another" takes the first back, "dropped one in summer" does not.
    signs, stood_in = {sign for sign, _ in turned}, {opposite(name) for name in mine.refused}
    return not any(sign in signs or name in stood_in for sign, name in beside)


def _contraries(atom: Atom, mine: Form) -> frozenset[Atom]:
    """Return what in `mine` takes `atom` back; where many things may be liked, liking another is no refusal."""
    sign, name = atom
    if sign < 0:
        return frozenset({(1, name)})
    instead, opposites, onesided = opposite(name), relations()["opposites"].items(), relations()["onesided"]
    contraries = [(1, one) for one, other in opposites if other == name and one not in onesided]  # meat, of a diet
    excluded = instead and name not in onesided and (name in mine.refused or mine.anew or ":" in name)
    turned = [(1, instead)] if instead and excluded else []
    changed = [(-1, f"<{name}"), *((1, one) for one in relations()["undone"].get(name, ()))] if mine.anew else []
    return frozenset([(-1, name), *contraries, *turned, *changed])


def _filled_anew(mine: Form, theirs: Form) -> bool:
    """Return True where one question with one answer at a time is answered otherwise: where somebody lives."""
    for slot, filler in relations()["slots"].items():
        asked = all((1, slot) in form.atoms for form in (mine, theirs)) and (filler or mine.anew)
        new, old = _answer(mine, filler), _answer(theirs, filler)
        around, before = (
            frozenset(atom for atom in each if atom[0]) for each in (mine.atoms - new, theirs.atoms - old)
        )
        # Where one brother lives takes nothing from where another does: both are told apart by their names.
        kin = any(name in relations()["accompanied"] for _, name in around)
        if asked and new and old and not new <= old and around == before:
            return not kin or bool(new & old) or len(new) == len(old) == 1
    return False


def _stood_in(mine: Form, theirs: Form) -> bool:
    """Return True for "departs from Leeds, not from York": all else is said again, one thing refused for another."""
    refused = {name.removeprefix("<") for sign, name in mine.atoms if sign < 0}
    gone = {(sign, name) for sign, name in theirs.atoms if sign > 0 and name in refused}
    kept = {atom for atom in theirs.atoms - gone if atom[0]}
    instead = {atom for atom in mine.atoms - theirs.atoms if atom[0] > 0}
    return bool(gone and kept and instead) and kept <= mine.atoms


def _answer(form: Form, filler: str) -> frozenset[Atom]:
    """Return what fills a slot: names and words that no lexicon knows, or numbers and months."""
    if filler == "date":
        dated = relations()["dates"]
        return frozenset(atom for atom in form.atoms if atom[0] > 0 and (atom[1][0] == "#" or atom[1] in dated))
    free = form.words | form.names | set(relations()["places"])
    return frozenset(atom for atom in form.atoms if atom[0] > 0 and atom[1] in free)


def _alike_beside(mine: Form, theirs: Form) -> bool:
    """Return True where nothing but the answers to closed questions differs."""
    several = relations()["several"]
    changed = [name for sign, name in mine.atoms ^ theirs.atoms if sign]
    return all(name[0] == "#" or (":" in name and name.partition(":")[0] not in several) for name in changed)


def _answers_anew(mine: Form, theirs: Form) -> bool:
    """Return True when both answer one question of a closed set, or name one measure, with different values."""
    for question in _questions(mine) & _questions(theirs):
        wanted, refused = _values(mine, question)
        before, refused_before = _values(theirs, question)
        if (wanted and before and not wanted & before) or wanted & refused_before or refused & before:
            return True
    counted = all(any(name[0] == "#" for _, name in form.atoms) for form in (mine, theirs))
    return counted and mine.atoms != theirs.atoms and _but_numbers(mine) == _but_numbers(theirs)


def _questions(form: Form) -> set[str]:
    return {name.partition(":")[0] for sign, name in form.atoms if sign and ":" in name and name[0] != "#"}


def _values(form: Form, question: str) -> tuple[set[str], set[str]]:
    own = [(sign, name) for sign, name in form.atoms if name.partition(":")[0] == question and ":" in name]
    return {name for sign, name in own if sign > 0}, {name for sign, name in own if sign < 0}


def _but_numbers(form: Form) -> frozenset[Atom]:
    return frozenset(
        (sign, name) for sign, name in form.atoms if name[0] != "#" and name not in relations()["currencies"]
    )
