"""Decides whether one note covers another, contradicts it, or replaces it, by their canonical forms.

Unknown words count: two statements that differ in one unknown word, number, name or negation are two facts.
"""

from typing import Protocol

from models.offline.notes.meaning.form import Atom, Form, Segment
from models.offline.notes.meaning.lexicon import opposite, relations
from models.offline.notes.meaning.reading import read


class _Note(Protocol):
    """The attributes of a note that comparisons need; `condition` is empty if it always holds."""

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
    """Return whether `one` says everything that `other` says, and perhaps another thing, a detail or a reason.

    A narrower thing does not cover a wider one: "wine tours" does not say "wine".
    """
    if one.text == other.text and (one.scope, one.condition) == (other.scope, other.condition):
        return True
    mine, theirs = _form(one), _form(other)
    if not _same_context(one, other) or (mine.mood == "mentions") != (theirs.mood == "mentions"):
        return False
    if mine.grounds != theirs.grounds and mine.atoms | mine.grounds == theirs.atoms | theirs.grounds:
        return True  # "needs a lift, as she can't climb stairs" says "can't climb stairs and needs a lift"
    if mine.atoms == theirs.atoms:
        return any(sign for sign, _ in mine.atoms) and theirs.reasons <= mine.reasons
    alike = one.topic == other.topic and _kinds(mine) == _kinds(theirs) and any(sign for sign, _ in theirs.atoms)
    if not alike or not (theirs.atoms <= mine.atoms and theirs.reasons <= mine.reasons) or _refills_slot(mine, theirs):
        return False
    return all(_adds(segment, theirs.atoms) for segment in mine.segments)


def replaces(new: _Note, old: _Note) -> bool:
    """Return whether `new` replaces `old`: it reverses the stance, or gives another answer to a single-valued question.

    Scope, condition and subject must be the same. Only a denial or an end replaces a hard constraint. A mere mention
    replaces nothing.
    """
    mine, theirs = _form(new), _form(old)
    if not _same_context(new, old) or "mentions" in (mine.mood, theirs.mood) or covers(new, old):
        return False
    denies = mine.mood == "ends" or mine.anew or any(sign < 0 for sign, _ in mine.atoms)
    if old.hard and not denies:
        return False
    if _reverses(mine, theirs):
        return new.topic == old.topic or len(mine.atoms) == len(theirs.atoms)
    if new.topic != old.topic:
        return False
    if _refills_slot(mine, theirs) or _substitutes(mine, theirs):
        return True
    single = new.topic in relations()["single_valued"] or (mine.anew and _only_answers_differ(mine, theirs))
    return single and not old.hard and _answers_differ(mine, theirs)


def contradict(one: Form, other: Form) -> bool:
    """Return whether both can't hold at once: a stance is reversed, or a question has two answers."""
    if "mentions" in (one.mood, other.mood) or one.subject != other.subject:
        return False
    return _reverses(one, other) or _reverses(other, one) or _answers_differ(one, other)


def _form(note: _Note) -> Form:
    return read(note.text, note.condition, note.topic)


def _same_context(one: _Note, other: _Note) -> bool:
    mine, theirs = _form(one), _form(other)
    return one.scope == other.scope and (mine.condition, mine.subject) == (theirs.condition, theirs.subject)


def _kinds(form: Form) -> frozenset[Atom]:
    """Return the kinds of things that qualities apply to: a cheap hotel is no cheap flight."""
    return frozenset(atom for atom in form.atoms if not atom[0])


def _adds(segment: Segment, known: frozenset[Atom]) -> bool:
    """Return whether the new atoms of `segment` add to the `known` ones without narrowing them."""
    chunks = (segment.head, *segment.details)
    if segment.vague or any(chunk & known and not chunk <= known for chunk in chunks):
        return False
    new = [chunk for chunk in chunks if not chunk & known]
    if not new or len(new) == len(chunks):
        return True
    return segment.head <= known and all(sign > 0 for sign, _ in segment.atoms)


def _reverses(mine: Form, theirs: Form) -> bool:
    """Return whether `mine` says the opposite of everything in `theirs`, and nothing else with it."""
    said = [atom for atom in theirs.atoms if atom[0]]
    if mine.mood == "ends" and any(name in theirs.names for _, name in said):  # who Emma was goes with her
        said = [atom for atom in said if atom[1] not in relations()["accompanied"] or atom in mine.atoms]
    turned = {contrary for atom in said for contrary in _contraries(atom, mine) & mine.atoms}
    if not said or not all(_contraries(atom, mine) & mine.atoms and atom not in mine.atoms for atom in said):
        return False
    # "Hates hiking in the rain" does not reverse "likes hiking".
    parts = {segment.part for segment in mine.segments if segment.atoms & turned}
    beside = {atom for segment in mine.segments if segment.part in parts for atom in segment.atoms - turned}
    # "Dropped one for another" reverses the first, "dropped one in summer" does not.
    signs, stood_in = {sign for sign, _ in turned}, {opposite(name) for name in mine.refused}
    return not any(sign in signs or name in stood_in for sign, name in beside)


def _contraries(atom: Atom, mine: Form) -> frozenset[Atom]:
    """Return the atoms that would reverse `atom` in `mine`; if several may be liked, liking another does not."""
    sign, name = atom
    if sign < 0:
        return frozenset({(1, name)})
    instead, opposites, onesided = opposite(name), relations()["opposites"].items(), relations()["onesided"]
    contraries = [(1, one) for one, other in opposites if other == name and one not in onesided]  # meat, of a diet
    excluded = instead and name not in onesided and (name in mine.refused or mine.anew or ":" in name)
    turned = [(1, instead)] if instead and excluded else []
    changed = [(-1, f"<{name}"), *((1, one) for one in relations()["undone"].get(name, ()))] if mine.anew else []
    return frozenset([(-1, name), *contraries, *turned, *changed])


def _refills_slot(mine: Form, theirs: Form) -> bool:
    """Return whether a single-valued slot, such as somebody's home, has different values in the two forms."""
    for slot, filler in relations()["slots"].items():
        asked = all((1, slot) in form.atoms for form in (mine, theirs)) and (filler or mine.anew)
        new, old = _answer(mine, filler), _answer(theirs, filler)
        others = (mine.atoms - new, theirs.atoms - old)
        around, before = (frozenset(atom for atom in each if atom[0]) for each in others)
        # The home of one brother does not replace that of another; their names distinguish them.
        kin = any(name in relations()["accompanied"] for _, name in around)
        if asked and new and old and not new <= old and around == before:
            return not kin or bool(new & old) or len(new) == len(old) == 1
    return False


def _substitutes(mine: Form, theirs: Form) -> bool:
    """Return whether one thing is refused for another and all else repeated: "departs from Leeds, not from York"."""
    refused = {name.removeprefix("<") for sign, name in mine.atoms if sign < 0}
    gone = {(sign, name) for sign, name in theirs.atoms if sign > 0 and name in refused}
    kept = {atom for atom in theirs.atoms - gone if atom[0]}
    instead = {atom for atom in mine.atoms - theirs.atoms if atom[0] > 0}
    return bool(gone and kept and instead) and kept <= mine.atoms


def _answer(form: Form, filler: str) -> frozenset[Atom]:
    """Return the atoms that fill a slot: numbers and months for a date, else names, places and unknown words."""
    if filler == "date":
        dated = relations()["dates"]
        return frozenset(atom for atom in form.atoms if atom[0] > 0 and (atom[1][0] == "#" or atom[1] in dated))
    free = form.words | form.names | set(relations()["places"])
    return frozenset(atom for atom in form.atoms if atom[0] > 0 and atom[1] in free)


def _only_answers_differ(mine: Form, theirs: Form) -> bool:
    """Return whether only the answers to closed questions differ."""
    several = relations()["several"]
    changed = [name for sign, name in mine.atoms ^ theirs.atoms if sign]
    return all(name[0] == "#" or (":" in name and name.partition(":")[0] not in several) for name in changed)


def _answers_differ(mine: Form, theirs: Form) -> bool:
    """Return whether both answer the same closed question, or give the same measure, with different values."""
    for question in _questions(mine) & _questions(theirs):
        wanted, refused = _values(mine, question)
        before, refused_before = _values(theirs, question)
        if (wanted and before and not wanted & before) or wanted & refused_before or refused & before:
            return True
    counted = all(any(name[0] == "#" for _, name in form.atoms) for form in (mine, theirs))
    return counted and mine.atoms != theirs.atoms and _without_numbers(mine) == _without_numbers(theirs)


def _questions(form: Form) -> set[str]:
    return {name.partition(":")[0] for sign, name in form.atoms if sign and ":" in name and name[0] != "#"}


def _values(form: Form, question: str) -> tuple[set[str], set[str]]:
    own = [(sign, name) for sign, name in form.atoms if name.partition(":")[0] == question and ":" in name]
    return {name for sign, name in own if sign > 0}, {name for sign, name in own if sign < 0}


def _without_numbers(form: Form) -> frozenset[Atom]:
    return frozenset(
        (sign, name) for sign, name in form.atoms if name[0] != "#" and name not in relations()["currencies"]
    )
