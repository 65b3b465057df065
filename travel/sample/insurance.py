"""The counter for insurance: three products for the journey, and two for a single part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from typing_extensions import override

from config.errors import DateInPastError, NoServiceError
from stores.inventory import Need
from travel.money import Money, convert
from travel.offers import Cover, InsuranceOffer
from travel.queries import CoverPart, InsuranceQuery, Party
from travel.sample.counter import Counter
from travel.sample.dates import check_day, check_order, code, from_code, today_in
from travel.sample.flights.fares import CURRENCY
from travel.sample.ids import Ticket, ticket
from travel.sample.places.towns import Town, town_covered, town_of

_COMPANY = "Sample Assurance"
_DEAR = frozenset({"US", "CA", "JP", "CH", "SG", "HK"})
"""Where a doctor costs more."""
_DAY_CENTS: Mapping[CoverPart, int] = {"medical": 260, "cancellation": 0, "baggage": 70, "delay": 45, "car_rental": 900}
"""For each traveller and day, at the standard level; a car is covered once for all."""
_LEVEL_PRICE = {"basic": 0.7, "standard": 1.0, "premium": 1.6}
_CANCELLATION_SHARE = {"basic": 0.035, "standard": 0.045, "premium": 0.06}
"""Of what the trip costs."""
_LIMITS: Mapping[CoverPart, tuple[int, int, int]] = {
    "medical": (100_000, 500_000, 2_000_000),
    "cancellation": (1_500, 4_000, 10_000),
    "baggage": (800, 1_500, 3_000),
    "delay": (150, 300, 600),
    "car_rental": (2_500, 3_500, 5_000),
}
"""Dollars for each traveller at the basic, standard and premium level."""


@dataclass(frozen=True, slots=True)
class _Product:
    name: str
    level: Literal["basic", "standard", "premium"]
    parts: tuple[CoverPart, ...]


_PRODUCTS = (
    _Product("Travel Basic", "basic", ("medical", "baggage")),
    _Product("Travel Standard", "standard", ("medical", "cancellation", "baggage", "delay")),
    _Product("Travel Premium", "premium", ("medical", "cancellation", "baggage", "delay", "car_rental")),
    _Product("Cancellation Only", "standard", ("cancellation",)),
    _Product("Car Excess Cover", "standard", ("car_rental",)),
)


class InsuranceCounter(Counter[InsuranceOffer]):
    """Sells cover. A ticket's parts: town, product, first and last day, travellers, cost of the trip in cents."""

    kind = "IN"

    def search(self, query: InsuranceQuery) -> tuple[InsuranceOffer, ...]:
        """See `TravelProvider.search_insurance`."""
        town, now = town_covered(query.destination), self._context.clock()
        check_day(query.start, today_in(town.zone, now), "Cover from")
        check_order(query.start, query.end, "The cover")
        cost = convert(query.trip_cost, CURRENCY).result.amount if query.trip_cost else 0
        found = [
            self.offer(
                ticket(self.kind, (town.code, str(number), code(query.start), code(query.end), _written(query.party),
                                   str(cost)), now)
            )
            for number, product in enumerate(_PRODUCTS)
            if set(query.parts) <= set(product.parts)
        ]  # fmt: skip
        if not found:
            raise NoServiceError(f"No product covers {', '.join(query.parts)} together. Ask for fewer parts.")
        return tuple(sorted(found, key=lambda offer: (offer.price.amount, offer.id)))

    @override
    def _offer(self, ticket: Ticket, left: int) -> InsuranceOffer:
        town, product, start, end, party, cost = _read(ticket)
        return InsuranceOffer(
            **self._context.label(ticket, town.zone), left=left, company=_COMPANY, product=product.name,
            level=product.level, covers=tuple(_cover(product, part) for part in product.parts), starts=start, ends=end,
            price=Money(amount=_price(town, product, (end - start).days + 1, party.size, cost), currency=CURRENCY),
            travellers=party.size,
        )  # fmt: skip

    def needs(self, ticket: Ticket) -> list[Need]:
        """Return no needs: cover never runs out."""
        _read(ticket)
        return []

    @override
    def check(self, ticket: Ticket) -> None:
        town, _, start, _, _, _ = _read(ticket)
        if start < today_in(town.zone, self._context.clock()):
            raise DateInPastError(f"Cover from {start} is in the past. Ask for cover from today on.")


def _price(town: Town, product: _Product, days: int, travellers: int, cost: int) -> int:
    dear = 1.6 if town.country in _DEAR else 1.0
    cents = 0.0
    for part in product.parts:
        if part == "cancellation":
            cents += max(900.0 * travellers, cost * _CANCELLATION_SHARE[product.level])
        else:
            heads = 1 if part == "car_rental" else travellers
            cents += _DAY_CENTS[part] * days * heads * _LEVEL_PRICE[product.level] * (dear if part == "medical" else 1)
    return round(cents)


def _cover(product: _Product, part: CoverPart) -> Cover:
    at = ("basic", "standard", "premium").index(product.level)
    excess = {"basic": 150, "standard": 100, "premium": 0}[product.level]
    return Cover(
        part=part,
        limit=Money(amount=100 * _LIMITS[part][at], currency=CURRENCY),
        excess=Money(amount=100 * excess, currency=CURRENCY),
    )


def _written(party: Party) -> str:
    return f"{party.adults}{party.children}{party.infants}"


def _read(given: Ticket) -> tuple[Town, _Product, date, date, Party, int]:
    place, number, start, end, who, cost = given.parts
    adults, children, infants = map(int, who)
    party = Party(adults=adults, children=children, infants=infants)
    return town_of(place), _PRODUCTS[int(number)], from_code(start), from_code(end), party, int(cost)
