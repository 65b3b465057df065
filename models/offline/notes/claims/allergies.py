"""What somebody is allergic to: what is named with the allergy, and nothing else that the sentence says."""

from collections.abc import Iterator, Sequence

from models.offline.notes.claims.values import concepts, written_as
from models.offline.notes.meaning.form import Form
from models.offline.notes.meaning.items import Item
from models.offline.notes.meaning.lexicon import opposite
from models.offline.notes.meaning.reading import CONTENT
from models.offline.tables import NOTES
from text.words import is_japanese

OVER = 2
"""The sign of what is over: "no longer allergic to eggs"."""
_NAMING = CONTENT | {"list", "comma"}


def allergies(form: Form, items: Sequence[Item], topic: str, text: str) -> Iterator[tuple[str, int]]:
    """Yield what a statement says somebody is allergic to, in its words, with 1, or 2 for what is over."""
    of_allergy = form.refused if (-1, "allergy") in form.atoms else ()
    turned = {opposite(name): name for name in of_allergy}  # "not allergic to nuts" is no diet without nuts
    atoms = ((-1, turned[name]) if name in turned else (sign, name) for sign, name in form.atoms if sign)
    said = [(sign, name.removeprefix("<")) for sign, name in sorted(atoms)]
    known = NOTES.patterns("claims")
    denied = {sign for sign, name in said if name == "allergy"} == {-1}
    allergic = denied or (1, "allergy") in form.atoms
    named = _allergens(items, near=denied)
    ends, reason = denied or (allergic and form.mood == "ends"), "allergy" in form.reasons and not allergic
    if ends or reason:  # "not allergic to nuts any more"; "I'm allergic to nuts, so please check the menu"
        unsaid = sorted(named - {name for _, name in said})
        yield from ((words, OVER if ends else 1) for name in unsaid if (words := written_as(name, text, topic)))
    if not allergic and not (topic == "meal" and known["cannot"].search(text)):
        return
    contrasted = allergic and len({sign for sign, _ in said}) > 1 and form.mood != "ends"
    for sign, name in said:
        if name == "allergy" or name in concepts() or name[0] == "#" or not (allergic or sign < 0):
            continue
        words = written_as(name, text, topic)
        stands = _beside(words, text, name in named) if words and allergic else 1
        if words and stands:
            over = ends or (contrasted and sign < 0) or known["gone"].search(text)
            yield words, OVER if over else stands


def _beside(words: str, text: str, named: bool) -> int:
    """Return 1 for what an allergy is to: `named` with it, in Japanese right beside it; 2 where denied, else 0."""
    if not is_japanese(text):
        return int(named)
    sides, at = NOTES.patterns("claims"), text.find(words)
    before, after = text[:at], text[at + len(words) :]
    if sides["allergy_denied"].match(after):
        return OVER
    return int(bool(sides["allergy_after"].match(after) or sides["allergy_before"].search(before)))


def _allergens(items: Sequence[Item], *, near: bool) -> set[str]:
    """Return what is named with an allergy: right before it ("nut allergy"), after it, else (not `near`) before it."""
    found: set[str] = set()
    for at, item in enumerate(items):
        if item.name == "allergy":
            stops = (place for place in range(at - 1, -1, -1) if items[place].role not in _NAMING)
            beside = items[next(stops, -1) + 1 : at] if at and items[at - 1].role in CONTENT else ()
            found |= _contents(beside) or _contents(_members(items[at + 1 :])) or _contents(() if near else items[:at])
    return found


def _members(items: Sequence[Item]) -> list[Item]:
    """Return the members of a list up to where one says something of its own: "nuts and | my knee is bad"."""
    kept: list[Item] = []
    member: list[Item] = []
    for item in items:
        if item.role in ("stop", "reason"):
            break
        if item.role in ("like", "dislike") or (item.role == "filler" and member):
            return kept or member
        if item.role in ("list", "comma"):
            kept, member = [*kept, *member], []
        else:
            member += [item] if item.role in CONTENT else []
    return [*kept, *member]


def _contents(items: Sequence[Item]) -> set[str]:
    return {item.name for item in items if item.role in CONTENT}
