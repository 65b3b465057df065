"""The counter for insurance."""

from functools import cache, partial
from typing import Literal, NamedTuple

from config.errors import NoServiceError
from travel.money import Money, convert
from travel.offers import Cover, InsuranceOffer
from travel.queries import CoverPart, InsuranceQuery
from travel.sample.counter import CURRENCY, PLENTY, Counter, Ticket, check_order, read_date, read_party, usd
from travel.sample.places.gazetteer import town_covered, town_of
from travel.tables import Listed, read_rows

_COMPANY = "Sample Assurance"
_EXPENSIVE = frozenset({"US", "CA", "JP", "CH", "SG", "HK"})
"""Countries where medical care costs more."""


class _Product(NamedTuple):
    name: str
    level: Literal["basic", "standard", "premium"]
    parts: Listed[CoverPart]


class _Part(NamedTuple):
    name: CoverPart
    day_cents: int
    basic: int
    standard: int
    premium: int


# By level: price relative to the standard level, price of cancellation cover per trip cost, and excess in dollars.
_LEVELS = {"basic": (0.7, 0.035, 150), "standard": (1.0, 0.045, 100), "premium": (1.6, 0.06, 0)}
_products = cache(partial(read_rows, "insurance", _Product))
_parts = cache(lambda: {part.name: part for part in read_rows("cover", _Part)})


class InsuranceCounter(Counter):
    """Sells insurance. The parts of a ticket: town, product, first and last day, travellers, trip cost in cents."""

    kind = "IN"

    def search(self, query: InsuranceQuery) -> tuple[InsuranceOffer, ...]:
        """See `TravelProvider.search_insurance`."""
        town = town_covered(query.destination)
        self._check_day(query.start, town.zone, "Cover from")
        check_order(query.start, query.end, "The cover")
        cost = convert(query.trip_cost, CURRENCY).result.amount if query.trip_cost else 0
        offers = [
            self._offer(self._ticket(town.code, number, query.start, query.end, query.party, cost), PLENTY)
            for number, product in enumerate(_products())
            if set(query.parts) <= set(product.parts)
        ]
        if not offers:
            raise NoServiceError(f"No product covers {', '.join(query.parts)} together. Ask for fewer parts.")
        return tuple(sorted(offers, key=lambda offer: (offer.price.amount, offer.id)))

    def _offer(self, ticket: Ticket, left: int) -> InsuranceOffer:
        place, number, first, last, who, cost = ticket.parts
        town, product, start, end = town_of(place), _products()[int(number)], read_date(first), read_date(last)
        travellers, (price, share, excess), cents, covers = read_party(who).size, _LEVELS[product.level], 0.0, []
        for name in product.parts:
            part, days = _parts()[name], (end - start).days + 1
            if name == "cancellation":
                cents += max(900.0 * travellers, int(cost) * share)
            else:
                insured = 1 if name == "car_rental" else travellers
                is_expensive = name == "medical" and town.country in _EXPENSIVE
                cents += part.day_cents * days * insured * price * (1.6 if is_expensive else 1)
            limit = Money.of(getattr(part, product.level), CURRENCY)
            covers.append(Cover(part=name, limit=limit, excess=Money.of(excess, CURRENCY)))
        return InsuranceOffer(
            **self._label(ticket, town.zone), left=left, company=_COMPANY, product=product.name, level=product.level,
            covers=tuple(covers), starts=start, ends=end, price=usd(round(cents)), travellers=travellers,
        )  # fmt: skip
