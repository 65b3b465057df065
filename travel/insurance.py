"""Suggest insurance that adds to what a traveller already has, with the reasons."""

from collections.abc import Iterable, Sequence

from memory.records.notes import Record
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


class Advice(Record):
    """The products that add something, the best fit first, and what is had, missing and left out, in words."""

    offers: tuple[InsuranceOffer, ...]
    had: tuple[CoverPart, ...]
    missing: tuple[CoverPart, ...]
    text: str


def fitting_insurance(offers: Sequence[InsuranceOffer], cover: Insurance, *, car: bool = False) -> Advice:
    """Return advice on those of `offers` that cover something which `cover` does not.

    Those that insure least a second time come first, then those that leave least open, then the cheapest. Damage to
    a rental car counts as open only when a `car` is rented.
    """
    # What the traveller's own insurance covers, as far as is known; its level alone proves nothing.
    held: dict[CoverPart, bool] = {"medical": cover.travel_medical, "car_rental": cover.car_rental}
    had = tuple(part for part, covered in held.items() if covered)
    wanted = [part for part in _NAMES if part not in had and (car or part != "car_rental")]
    adding = [offer for offer in offers if set(wanted) & _parts(offer)]

    def fit(offer: InsuranceOffer) -> tuple[int, int, int, str]:
        twice, open_ = _parts(offer) & set(had), set(wanted) - _parts(offer)
        return len(twice), len(open_), offer.price.amount, offer.id

    chosen = tuple(sorted(adding, key=fit))
    text = _text(chosen, [offer for offer in offers if offer not in chosen], had, wanted, cover)
    return Advice(offers=chosen, had=had, missing=tuple(wanted), text=text)


def _parts(offer: InsuranceOffer) -> set[CoverPart]:
    return {cover.part for cover in offer.covers}


def _text(
    chosen: Sequence[InsuranceOffer],
    left_out: Sequence[InsuranceOffer],
    had: Sequence[CoverPart],
    wanted: Sequence[CoverPart],
    cover: Insurance,
) -> str:
    level = f" at the level {cover.level}" if cover.level != "none" else ""
    said = "No insurance of the traveller's own is known."
    if had:
        said = f"The traveller's own insurance covers {_listed(had)}{level}."
    elif level:
        said = f"The traveller has insurance{level}; what it covers is not known."
    if left_out:
        said += f" Left out, as they add nothing needed: {', '.join(offer.product for offer in left_out)}."
    if not chosen:
        return said
    best, parts = chosen[0].product, _parts(chosen[0])
    twice, still = [part for part in had if part in parts], [part for part in wanted if part not in parts]
    said += f" {best} adds {_listed(part for part in wanted if part in parts)}"
    said += f", and insures {_listed(twice)} a second time" if twice else ""
    return f"{said}; it leaves open {_listed(still)}." if still else f"{said}; nothing is left open."


def _listed(parts: Iterable[CoverPart]) -> str:
    *names, last = [_NAMES[part] for part in parts]
    return f"{', '.join(names)} and {last}" if names else last
