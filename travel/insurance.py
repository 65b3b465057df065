"""Suggest insurance that adds to what a traveller already has, with the reasons."""

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
    """Return those of `offers` that cover something which `cover` does not, and what to say of them.

    Those that insure least a second time come first, then those that leave least open, then the cheapest. Damage to
    a rental car counts as open only when a `car` is rented.
    """
    # Only what is known to be covered counts; a level alone proves nothing.
    held: dict[CoverPart, bool] = {"medical": cover.travel_medical, "car_rental": cover.car_rental}
    had = [part for part, covered in held.items() if covered]
    wanted = [part for part in _NAMES if part not in had and (car or part != "car_rental")]

    def fit(offer: InsuranceOffer) -> tuple[int, int, int, str]:
        return len(_of(had, offer)), -len(_of(wanted, offer)), offer.price.amount, offer.id

    chosen = sorted((offer for offer in offers if _of(wanted, offer)), key=fit)
    level = f" at the level {cover.level}" if cover.level != "none" else ""
    said = ["No insurance of the traveller's own is known."]
    if had:
        said = [f"The traveller's own insurance covers {_listed(had)}{level}."]
    elif level:
        said = [f"The traveller has insurance{level}; what it covers is not known."]
    if left_out := [offer.product for offer in offers if offer not in chosen]:
        said.append(f"Left out, as they add nothing needed: {', '.join(left_out)}.")
    if chosen:
        adds, twice = _of(wanted, chosen[0]), _of(had, chosen[0])
        still = [part for part in wanted if part not in adds]
        again = f", and insures {_listed(twice)} a second time" if twice else ""
        open_ = f"it leaves open {_listed(still)}" if still else "nothing is left open"
        said.append(f"{chosen[0].product} adds {_listed(adds)}{again}; {open_}.")
    return chosen, " ".join(said)


def _of(parts: Sequence[CoverPart], offer: InsuranceOffer) -> list[CoverPart]:
    """Return those of `parts` that an offer covers."""
    covered = {cover.part for cover in offer.covers}
    return [part for part in parts if part in covered]


def _listed(parts: Sequence[CoverPart]) -> str:
    *names, last = [_NAMES[part] for part in parts]
    return f"{', '.join(names)} and {last}" if names else last
