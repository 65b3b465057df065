"""Tells whether claims say all that a statement says: what compares claims alone would lose the rest."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from models.offline.notes.claims.table import concepts
from models.offline.notes.claims.written import written_as
from models.offline.notes.meaning.form import Form
from models.offline.notes.meaning.lexicon import relations

SAFE = frozenset({"allergy", "diet", "mobility", "assistance_animal", "passport", "currency"})
"""What is claimed whatever else a statement says: constraints, and facts that searches need."""
_SAID_ALREADY = frozenset({
    "allergy", "homeairport", "passport", "visa", "expire", "before", "afterwards", "atmost", "atleast", "home", "live",
})  # fmt: skip
_UNITS = frozenset({*relations()["currencies"], "pernight", "perday", "回", "つ星"})
_COUNTED = frozenset({
    "stops", "connection_minutes", "checked_bags", "departure_hour", "arrival_hour", "stars", "night_budget",
    "flight_budget", "car_budget", "passport_expiry",
})  # fmt: skip
_NUMBERED = {
    "stops": frozenset({"stops"}),
    "daypart": frozenset({"departure_hour", "arrival_hour"}),
}
"""Attributes of which the number says more than a word of its kind: "evening" beside "after 6 pm"."""


def says_more(form: Form, said: tuple[str, str], held: Collection[str], found: Sequence[tuple[str, str, int]]) -> bool:
    """Return whether a statement has contents that none of its claims states.

    Args:
        form: The canonical form of the statement.
        said: Its text and topic.
        held: Concepts that are conditions, or companies claimed by their names.
        found: Its claims, as attribute, value and sign.
    """
    attributes = {attribute for attribute, _, _ in found}
    values = {value for _, value, _ in found}
    for sign, written in form.atoms:
        name = written.removeprefix("<").removeprefix("-")
        if not sign or name in held or name in _SAID_ALREADY or name[0] == "@":
            continue
        may_claim = {attribute for _, attribute, _ in concepts().get(name, ())}
        claimed = may_claim & attributes or ("diet" in may_claim and "food" in attributes)
        counted = (name[0] == "#" or name in _UNITS) and attributes & _COUNTED
        numbered = _NUMBERED.get(name.partition(":")[0], frozenset()) & attributes
        if not claimed and not counted and not numbered and written_as(name, *said) not in values:
            return True
    return False
