"""What a later statement leaves behind: a move to another town, a renewed passport, a new favourite of one kind."""

from __future__ import annotations

from models.offline.statements.form import Atom, Form
from models.offline.statements.lexicon import relations


def moved_on(mine: Form, theirs: Form) -> bool:
    """True when `mine` fills anew what can be filled once, or says that something else of one kind is done now."""
    swapped = _swapped(mine, theirs) or _new_measure(mine, theirs)
    filled = any(_filled_anew(mine, theirs, slot) for slot in relations()["slots"])
    return filled or _stood_in(mine, theirs) or _new_favorite(mine, theirs) or (mine.anew and swapped)


def _filled_anew(mine: Form, theirs: Form, slot: str) -> bool:
    """True for one question with one answer at a time, where it lives or when it expires, and another answer."""
    asked = all((1, slot) in form.atoms for form in (mine, theirs))
    if not asked or not (relations()["slots"][slot] or mine.anew):
        return False
    new, old = _answer(mine, slot), _answer(theirs, slot)
    around = _around(mine, new)
    # Where one brother lives takes nothing from where another does: both are told apart by their names.
    kin = any(name in relations()["accompanied"] for _, name in around)
    same = not kin or bool(new & old) or len(new) == len(old) == 1
    return bool(new and old) and not new <= old and same and around == _around(theirs, old)


def _answer(form: Form, slot: str) -> frozenset[Atom]:
    """What fills the slot: names and words that no lexicon knows, numbers and months."""
    dated = set(relations()["dates"])
    if relations()["slots"][slot] == "date":
        return frozenset((sign, name) for sign, name in form.atoms if sign > 0 and (name[0] == "#" or name in dated))
    free = form.words | form.names | set(relations()["places"])
    return frozenset((sign, name) for sign, name in form.atoms if sign > 0 and name in free)


def _around(form: Form, answer: frozenset[Atom]) -> frozenset[Atom]:
    return frozenset(atom for atom in form.atoms - answer if atom[0])


def _stood_in(mine: Form, theirs: Form) -> bool:
    """True for "departs from Leeds, not from York": all else is said again, and one thing is refused for another."""
    refused = {name.removeprefix("<") for sign, name in mine.atoms if sign < 0}
    gone = {(sign, name) for sign, name in theirs.atoms if sign > 0 and name in refused}
    kept = {atom for atom in theirs.atoms - gone if atom[0]}
    instead = {atom for atom in mine.atoms - theirs.atoms if atom[0] > 0}
    return bool(gone and kept and instead) and kept <= mine.atoms


def _new_favorite(mine: Form, theirs: Form) -> bool:
    """True for "favourite airline is KLM" and another favourite of the same kind."""
    alike = bool(mine.favorite) and mine.favorite == theirs.favorite
    return alike and len(mine.atoms) == len(theirs.atoms) == 1 and mine.atoms != theirs.atoms


def _new_measure(mine: Form, theirs: Form) -> bool:
    """True where all but the numbers is the same: a child of 7 that is 8 now."""
    new, old = (frozenset(atom for atom in form.atoms if atom[1][0] == "#") for form in (mine, theirs))
    return bool(new and old) and new != old and _around(mine, new) == _around(theirs, old)


def _swapped(mine: Form, theirs: Form) -> bool:
    """True when both want nothing but one of a kind of which a person keeps to one, and not the same."""
    table = relations()
    alone = set(table["alone"])
    company = [(alone, set(table["accompanied"])), (set(table["together"]), alone)]
    return any(_left(mine, theirs, *pair) for pair in (*company, *((set(kind), set(kind)) for kind in table["rivals"])))


def _left(mine: Form, theirs: Form, now: set[str], before: set[str]) -> bool:
    """True when `mine` wants one of `now`, and `theirs` nothing but others, of `before`."""
    new = {name for sign, name in mine.atoms if sign > 0 and name in now}
    old = {name for sign, name in theirs.atoms if sign}
    wanted = all(sign >= 0 for sign, _ in theirs.atoms)
    return bool(new and old) and wanted and old <= before and not new & old
