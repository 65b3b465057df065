"""The counter for rental cars."""

from collections.abc import Iterator
from datetime import date, time, timedelta
from functools import cache, partial
from typing import NamedTuple

from typing_extensions import override

from config.errors import SoldOutError
from stores.inventory import Need
from travel.local_time import LocalTime
from travel.offers import CarOffer
from travel.queries import LONGEST_STAY, CarCategory, CarQuery
from travel.sample.chance import Chance
from travel.sample.counter import Counter, Ticket, check_order, days_from, free_until, read_date, usd
from travel.sample.places.airports import Place
from travel.sample.places.gazetteer import town_called, town_of
from travel.tables import read_rows

_COMPANIES = ("Hertz", "Avis", "Sixt", "Europcar", "Enterprise", "Budget")
_LOCAL = {"JP": "Toyota Rent a Car"}
_AUTOMATIC = frozenset({"US", "CA", "JP", "AE", "AU", "NZ", "KR"})
_PICK_UP = time(10)
_PLACES = ("airport", "downtown")
_MAX_CARS, _RANGE = 5, 23
"""The cars of a kind in a place on one day: a random number from 0 to `_RANGE`, capped at `_MAX_CARS`."""


class _Model(NamedTuple):
    category: CarCategory
    name: str
    seats: int
    bags: int
    dollars: float


_models = cache(partial(read_rows, "cars", _Model))


class CarCounter(Counter):
    """Rents out cars. The parts of a ticket: town, company, category, place, first day, days."""

    kind = "CR"

    def search(self, query: CarQuery) -> tuple[CarOffer, ...]:
        """See `TravelProvider.search_cars`."""
        town = town_called(query.city)
        self._check_day(query.pick_up, town.zone, f"A pick-up in {town.name} on")
        check_order(query.pick_up, query.drop_off, "The hire", least_days=1, most_days=LONGEST_STAY)
        days = (query.drop_off - query.pick_up).days
        tickets = [
            self._ticket(town.code, company, category, place, query.pick_up, days)
            for company, category, place in self._fleet(town)
            if query.category in (None, _models()[category].category)
        ]
        offers = [self._offer(ticket, left) for ticket, left in self._available(tickets, 1)]
        if not offers:
            kind = query.category or "car"
            raise SoldOutError(f"No {kind} is left in {town.name} then. Offer other days or another category.")
        return tuple(sorted(offers, key=lambda offer: (offer.price.amount, offer.id))[: query.limit])

    @override
    def needs(self, ticket: Ticket) -> list[Need]:
        town, company, category, place, days = _read(ticket)
        label, needs = f"The {_models()[category].category} of {_company(town, company)}", []
        for day in days:
            parts = "cars", town.code, company, category, place, day
            free = min(_MAX_CARS, Chance(self._seed, *parts).between(0, _RANGE))
            needs.append(Need(self._resource(*parts), 1, free, f"{label} on {day}"))
        return needs

    def _fleet(self, town: Place) -> Iterator[tuple[int, int, int]]:
        """Yield company, category and place of each kind of car that the town has."""
        for company in range(len(_COMPANIES)):
            chance = Chance(self._seed, "fleet", town.code, company)
            for category in range(len(_models())):
                if chance.unit() < 0.3 + 0.12 * town.size:
                    yield company, category, (company + category) % 2 if town.size >= 2 else 0

    def _offer(self, ticket: Ticket, left: int) -> CarOffer:
        town, company, category, place, days = _read(ticket)
        model = _models()[category]
        chance = Chance(self._seed, "car", town.code, company, category, place)
        per_day = round(100 * model.dollars * (0.8 + 0.5 * chance.unit()) * (1.1 if _PLACES[place] == "airport" else 1))
        starts = LocalTime.on(days[0], _PICK_UP, town.zone)
        return CarOffer(
            **self._label(ticket, town.zone), price=usd(per_day * len(days)), left=left,
            company=_company(town, company), category=model.category, model=f"{model.name} or similar",
            city=town.name, place=_PLACES[place], pick_up=starts,
            drop_off=LocalTime.on(days[-1] + timedelta(days=1), _PICK_UP, town.zone), days=len(days),
            per_day=usd(per_day), seats=model.seats, bags=model.bags,
            automatic=town.country in _AUTOMATIC or model.category == "electric" or chance.unit() < 0.5,
            daily_km=None if chance.unit() < 0.6 else 250, collision_cover=chance.unit() < 0.7,
            excess=usd(100 * chance.pick((800, 1000, 1200, 1500))),
            free_cancellation_until=free_until(starts.after(-24 * 60), ticket) if chance.unit() < 0.75 else None,
        )  # fmt: skip


def _company(town: Place, number: int) -> str:
    return _LOCAL.get(town.country, _COMPANIES[0]) if number == 0 else _COMPANIES[number]


def _read(ticket: Ticket) -> tuple[Place, int, int, int, list[date]]:
    place, company, category, where, first, days = ticket.parts
    return town_of(place), int(company), int(category), int(where), days_from(read_date(first), int(days))
