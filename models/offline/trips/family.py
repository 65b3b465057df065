"""Who the traveller's family is, as far as notes tell how many they are and how old the children."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from models.offline.dialogue.transcript import Memory
from models.offline.notes.meaning.items import items_of
from models.offline.notes.people import aliased, companions_in
from models.offline.notes.statements import about_others
from models.offline.reading import read_values
from models.offline.reading.understanding import Party, ReadingContext
from models.offline.reading.values.people import ADULT, CHILD
from models.offline.trips.frames import Company

_PARTNERS = frozenset({"wife", "husband", "partner", "spouse", "girlfriend", "boyfriend", "fiance"})
_CHILDREN = frozenset({"son", "daughter", "child", "baby", "twins", "toddler"})
_NOTED = ReadingContext(date(2000, 1, 1), trip_open=True)


def family_of(notes: Sequence[Memory]) -> Company | None:
    """Return the family that `notes` tell of; None where they name no child, or not each child's age."""
    names = companions_in(each.text for each in notes)
    texts = [aliased(each.text, names).text for each in notes if not about_others(each.text)]
    people = {text: {item.name for item in items_of(text) if item.role == "person"} for text in texts}
    told = [party for text in texts for party in _children_in(text, people[text])]
    named = {name for name, kin in names if _CHILDREN & {item.name for item in items_of(kin)}}
    count = max([len(named), *(max((each.children or 0) + (each.infants or 0), len(each.ages)) for each in told)])
    ages: Counter[int] = Counter()
    for each in told:
        ages |= Counter(each.ages)
    young = sorted(age for age in ages.elements() if age < ADULT)
    if not count or ages.total() != count:
        return None
    partner = any(_PARTNERS & each for each in people.values())
    infants = sum(age < CHILD for age in young)
    return Company(1 + partner + count - len(young), len(young) - infants, infants, tuple(young))


def names_more(said: Party, known: Company | None) -> bool:
    """Return whether uncounted words for one's family name more than those who are `known` to travel."""
    return bool(said.family) and not (known and (known.children + known.infants or said.adults is None))


def _children_in(text: str, people: set[str]) -> list[Party]:
    said = [clause.party for clause in read_values(text, _NOTED) if clause.party]
    return [each for each in said if each.children or each.infants or (each.ages and people & _CHILDREN)]
