"""When two notes say the same, when one says more, and when one takes the other's place.

All is decided on canonical forms. Whatever the lexicon does not know counts as said: two statements that differ in
one unknown word, number, name or negation are two facts.
"""

from __future__ import annotations

from models.offline.statements.form import Atom, Form, Segment
from models.offline.statements.lexicon import contraries, opposite, relations
from models.offline.statements.moving import moved_on
from models.offline.statements.note import StatedNote
from models.offline.statements.reading import form_of
from models.offline.statements.spelling import meant


def same_statement(one: StatedNote, other: StatedNote) -> bool:
    """True when both say the same under the same scope and condition."""
    if not _together(one, other):
        return False
    if _plain(one.text) == _plain(other.text) and (one.condition or "") == (other.condition or ""):
        return True
    mine, theirs = _forms(one, other)
    if not _says(mine) or not _alongside(mine, theirs):
        return False
    told = mine.atoms | mine.grounds == theirs.atoms | theirs.grounds
    return told if mine.grounds != theirs.grounds else mine.atoms == theirs.atoms and mine.reasons == theirs.reasons


def says_more(one: StatedNote, other: StatedNote) -> bool:
    """True when `one` holds all that `other` says, and more: another member of an enumeration, a detail, a reason.

    A narrower thing is not more of the wider one: "wine tours" leaves "wine" unsaid.
    """
    if not _together(one, other) or one.topic != other.topic or same_statement(one, other):
        return False
    mine, theirs = _forms(one, other)
    # What a quality is said of stays the same: a cheap hotel is no cheap flight.
    held = (
        _says(theirs) and _kinds(mine) == _kinds(theirs) and _alongside(mine, theirs) and theirs.reasons <= mine.reasons
    )
    if not held or not theirs.atoms <= mine.atoms or _vaguely(mine, theirs.atoms):
        return False
    return all(_adds(segment, theirs.atoms) for segment in mine.segments)


def covers(one: StatedNote, other: StatedNote) -> bool:
    """True when `one` says all that `other` says, and perhaps more."""
    return same_statement(one, other) or says_more(one, other)


def replaces(new: StatedNote, old: StatedNote) -> bool:
    """True when `new` may take the place of `old`: the same question answered differently, or the stance reversed.

    Scope, condition and whom it is about must be the same. In a single-valued topic the notes must answer the same
    question ("window", then "aisle"; not "window", then "near the front"); in any topic, a reversed stance on the
    same thing ("I love hostels", then "I hate hostels") replaces. A hard constraint yields to plain contradiction
    alone. What merely mentions something replaces nothing.
    """
    if not _together(new, old):
        return False
    mine, theirs = _forms(new, old)
    if "mentions" in (mine.mood, theirs.mood) or not _same_ground(mine, theirs):
        return False
    if old.hard and not _contradicts_plainly(mine, theirs):
        return False
    if _reverses(mine, theirs) and (new.topic == old.topic or _size(mine) == _size(theirs) or mine.mood == "ends"):
        return True
    if new.topic != old.topic:
        return False
    if moved_on(mine, theirs):
        return True
    once = new.single_valued or (mine.anew and _alike_beside(mine, theirs))
    return once and not old.hard and _answers_anew(mine, theirs)


def _contradicts_plainly(mine: Form, theirs: Form) -> bool:
    """True when `mine` denies, ends, or says that something changed, or is of what `theirs` excludes by name.

    Liking steak, or a hotel that has stairs, is no such thing.
    """
    if mine.mood == "ends" or mine.anew or any(sign < 0 for sign, _ in mine.atoms):
        return True
    excluded = {one for sign, name in theirs.atoms if sign > 0 for one in contraries(name)}
    return not mine.liking and any(name in excluded for sign, name in mine.atoms if sign > 0)


def concepts(note: StatedNote) -> frozenset[Atom] | None:
    """What `note` wants (1) and refuses (-1), as concepts; None for a mention, and where it holds for others."""
    form = form_of(note)
    plain = form.mood == "states" and not form.condition and not form.subject
    return form.atoms if plain else None


def ends(new: StatedNote, old: StatedNote) -> bool:
    """True when `new` says that `old` no longer holds: its stance reversed, under the same scope and condition."""
    if not _together(new, old):
        return False
    mine, theirs = _forms(new, old)
    return mine.mood != "mentions" and _same_ground(mine, theirs) and _reverses(mine, theirs)


def _together(one: StatedNote, other: StatedNote) -> bool:
    return (one.scope, one.source.workspace) == (other.scope, other.source.workspace)


def _forms(one: StatedNote, other: StatedNote) -> tuple[Form, Form]:
    """Both forms, a slip of spelling in one of them mended by the other."""
    mine, theirs = form_of(one), form_of(other)
    my_own, their_own = mine.words - theirs.words - theirs.names, theirs.words - mine.words - mine.names
    slips = {word: right for word in their_own if (right := meant(word, mine.words - theirs.words))}
    slips |= {right: word for word in my_own if (right := meant(word, theirs.words - mine.words))}
    return mine, theirs.renamed({word: right for word, right in slips.items() if min(len(word), len(right)) > _LONG})


_LONG = 6
"""Letters above which two words that no lexicon knows may be one word and its slip."""


def _alongside(one: Form, other: Form) -> bool:
    return _same_ground(one, other) and (one.mood == "mentions") == (other.mood == "mentions")


def _same_ground(one: Form, other: Form) -> bool:
    return one.condition == other.condition and one.subject == other.subject


def _says(form: Form) -> bool:
    return any(sign for sign, _ in form.atoms)


def _size(form: Form) -> int:
    return sum(bool(sign) for sign, _ in form.atoms)


def _kinds(form: Form) -> frozenset[Atom]:
    return frozenset(atom for atom in form.atoms if not atom[0])


def _vaguely(form: Form, known: frozenset[Atom]) -> bool:
    """True when something known stands beside words of unknown sense: "window seats make me airsick"."""
    parts: dict[int, set[Atom]] = {}
    for segment in form.segments:
        if segment.vague:
            parts.setdefault(segment.part, set()).update(segment.atoms)
    return any(atoms & known and atoms - known for atoms in parts.values())


def _adds(segment: Segment, known: frozenset[Atom]) -> bool:
    """True when what is new in `segment` stands beside what is known, and does not narrow it."""
    chunks = (segment.head, *segment.details)
    if any(chunk & known and not chunk <= known for chunk in chunks):
        return False
    new = [chunk for chunk in chunks if not chunk & known]
    if not new or len(new) == len(chunks):
        return True
    return segment.head <= known and all(sign > 0 for sign, _ in segment.atoms)


def _reverses(mine: Form, theirs: Form) -> bool:
    """True when all that `theirs` says is said by `mine` with the opposite sign, as things of their own."""
    said = [atom for atom in theirs.atoms if atom[0]]
    if mine.mood == "ends":  # who gave up coffee has given up coffee in the morning
        said = [atom for atom in said if not atom[1].startswith(("daypart:", "per"))] or said
        if any(name in theirs.names for _, name in said):  # who Emma was to somebody goes with her
            said = [atom for atom in said if atom[1] not in relations()["accompanied"] or atom in mine.atoms]
    turned = frozenset(contrary for atom in said for contrary in _contraries(atom, mine) & mine.atoms)
    if not said or not all(_contraries(atom, mine) & mine.atoms and atom not in mine.atoms for atom in said):
        return False
    # "Hates hiking in the rain" leaves hiking as it was.
    parts = {segment.part for segment in mine.segments if segment.atoms & turned}
    # "Dropped one for another" takes the first back.
    signs = {sign for sign, _ in turned}
    stood_in = {opposite(name) for name in mine.refused}
    return all(
        atom in turned or (atom[0] not in signs and atom[1] not in stood_in)
        for segment in mine.segments
        if segment.part in parts
        for atom in segment.atoms
    )


def _contraries(atom: Atom, mine: Form) -> frozenset[Atom]:
    """What in `mine` takes `atom` back. Where many things may be liked, liking another is no refusal by itself."""
    sign, name = atom
    if sign < 0:
        return frozenset({(1, name)})
    instead = opposite(name)
    excludes = instead and name not in relations()["onesided"]
    turned = [(1, instead)] if instead and excludes and (name in mine.refused or mine.anew or ":" in name) else []
    changed = [(-1, f"<{name}"), *((1, one) for one in relations()["undone"].get(name, ()))] if mine.anew else []
    return frozenset([(-1, name), *((1, one) for one in contraries(name)), *turned, *changed])


def _answers_anew(mine: Form, theirs: Form) -> bool:
    """True when both answer one question of a closed set, or name one measure, with different values."""
    for question in _questions(mine) & _questions(theirs):
        wanted, refused = _values(mine, question)
        before, refused_before = _values(theirs, question)
        if (wanted and before and not wanted & before) or wanted & refused_before or refused & before:
            return True
    # "From now on at least two hours" answers "45 minutes is fine" too.
    aside = _LIMITS if mine.anew else frozenset()
    alike = _but_numbers(mine) - aside == _but_numbers(theirs) - aside
    return mine.atoms != theirs.atoms and alike and _has_number(mine, theirs)


_LIMITS: frozenset[Atom] = frozenset({(1, "atleast"), (1, "atmost")})


def _alike_beside(mine: Form, theirs: Form) -> bool:
    """True where nothing but the answers to closed questions differs."""
    several = relations()["several"]
    changed = [name for sign, name in mine.atoms ^ theirs.atoms if sign]
    return all(":" in name and name.partition(":")[0] not in several for name in changed)


def _questions(form: Form) -> set[str]:
    return {name.partition(":")[0] for sign, name in form.atoms if sign and ":" in name and name[0] != "#"}


def _values(form: Form, question: str) -> tuple[set[str], set[str]]:
    own = [(sign, name) for sign, name in form.atoms if name.partition(":")[0] == question and ":" in name]
    return {name for sign, name in own if sign > 0}, {name for sign, name in own if sign < 0}


def _but_numbers(form: Form) -> frozenset[Atom]:
    return frozenset(
        (sign, name) for sign, name in form.atoms if name[0] != "#" and name not in relations()["currencies"]
    )


def _has_number(*forms: Form) -> bool:
    return all(any(name[0] == "#" for _, name in form.atoms) for form in forms)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!。！ ")


def contradict(one: Form, other: Form, *, single_valued: bool) -> bool:
    """True when both can't hold at once, conditions aside: one stance reversed, or one question with two answers.

    `single_valued` says that their topic has one value at a time, so that different answers exclude each other.
    """
    if "mentions" in (one.mood, other.mood) or one.subject != other.subject:
        return False
    return _reverses(one, other) or _reverses(other, one) or (single_valued and _answers_anew(one, other))


def answered_in(form: Form, name: str) -> bool:
    """True when the concept `name` answers a closed question that `form` answers too ("side:aisle", a window)."""
    return ":" in name and name[0] != "#" and name.partition(":")[0] in _questions(form)
