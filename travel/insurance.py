"""Suggest insurance that adds to the cover a traveller already has, and explain why."""

from collections.abc import Sequence

from memory.records.profile import Insurance
from travel.offers import InsuranceOffer
from travel.queries import CoverPart

_NAMES: dict[CoverPart, str] = {
    "medical": "medical costs",
    "cancellation": "cancellation",
    "baggage": "baggage",
    "delay": "delay",
    "car_rental": "damage to a rental car",
}


def fitting_insurance(
    offers: Sequence[InsuranceOffer], cover: Insurance, *, car: bool = False
) -> tuple[list[InsuranceOffer], str]:
    """Return the offers that cover a part which the traveller's `cover` lacks, and a text that explains them.

    Offers that duplicate the fewest parts come first, then those that add the most, then the cheapest. Damage to a
    rental car counts as a missing part only if a `car` is rented.
    """
    # Only the named parts count as covered; the level alone does not say what it covers.
    covers: dict[CoverPart, bool] = {"medical": cover.travel_medical, "car_rental": cover.car_rental}
    covered = [part for part, is_covered in covers.items() if is_covered]
    needed = [part for part in _NAMES if part not in covered and (car or part != "car_rental")]

    def order(offer: InsuranceOffer) -> tuple[int, int, int, str]:
        return len(_covered(covered, offer)), -len(_covered(needed, offer)), offer.price.amount, offer.id

    chosen = sorted((offer for offer in offers if _covered(needed, offer)), key=order)
    level = f" at the level {cover.level}" if cover.level != "none" else ""
    sentences = ["No insurance of the traveller's own is known."]
    if covered:
        sentences = [f"The traveller's own insurance covers {_listed(covered)}{level}."]
    elif level:
        sentences = [f"The traveller has insurance{level}; what it covers is not known."]
    if left_out := [offer.product for offer in offers if offer not in chosen]:
        sentences.append(f"Left out, as they add nothing needed: {', '.join(left_out)}.")
    if chosen:
        added, duplicated = _covered(needed, chosen[0]), _covered(covered, chosen[0])
        missing = [part for part in needed if part not in added]
        again = f", and insures {_listed(duplicated)} a second time" if duplicated else ""
        rest = f"it leaves open {_listed(missing)}" if missing else "nothing is left open"
        sentences.append(f"{chosen[0].product} adds {_listed(added)}{again}; {rest}.")
    return chosen, " ".join(sentences)


def _covered(parts: Sequence[CoverPart], offer: InsuranceOffer) -> list[CoverPart]:
    """Return those of `parts` that the offer covers."""
    covered = {cover.part for cover in offer.covers}
    return [part for part in parts if part in covered]


def _listed(parts: Sequence[CoverPart]) -> str:
    *names, last = [_NAMES[part] for part in parts]
    return f"{', '.join(names)} and {last}" if names else last
