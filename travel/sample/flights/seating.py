"""The seats of a leg: their number, the occupied ones, prices, and fare rules."""

import math
from collections.abc import Collection, Mapping
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from travel.flights import Fare, FareFamily, FareRules, PassengerPrice, PassengerType, Seat, SeatMap
from travel.queries import Cabin, Party
from travel.sample.chance import Chance
from travel.sample.counter import usd
from travel.sample.flights.fleet import CabinLayout
from travel.sample.flights.timetable import Journey, Leg
from travel.sample.places.airports import atlas, kilometres

CABIN_PRICE: Mapping[Cabin, float] = {"economy": 1.0, "premium_economy": 1.75, "business": 3.4, "first": 5.6}
"""Price of a seat in each cabin, relative to economy."""
_FAMILY_PRICE: Mapping[FareFamily, float] = {"basic": 0.86, "standard": 1.0, "flex": 1.34}
_KIND_PRICE = {"full": 1.0, "low": 0.68, "feeder": 1.1}
_NORTHERN_SEASON = (0.88, 0.88, 0.95, 1.02, 1.02, 1.14, 1.25, 1.25, 1.02, 0.97, 0.9, 1.15)
_WEEKDAY = (1, 0.95, 0.95, 1, 1.08, 1, 1.08)
_AHEAD = ((3, 1.85), (7, 1.55), (14, 1.3), (21, 1.15), (45, 1.0), (120, 0.95), (400, 1.02))
"""Factors of the price, up to so many days before departure."""
_LONG_KM = 3500
_SHARE: Mapping[PassengerType, int] = {"adult": 100, "child": 75, "infant": 10}
"""Percentages of an adult's price."""


class Sold(NamedTuple):
    """A parsed ticket for flights."""

    journeys: tuple[Journey, ...]
    cabin: Cabin
    family: FareFamily
    party: Party

    @property
    def seated(self) -> list[tuple[Leg, Cabin]]:
        """Each leg with its actual cabin, which is lower if the aircraft lacks the one booked."""
        return [(leg, leg.aircraft.best_cabin(self.cabin)) for journey in self.journeys for leg in journey.legs]


def adult_cents(seed: str, journey: Journey, cabin: Cabin, asked_on: date) -> int:
    """Return the price in cents for one adult, one direction and the standard fare."""
    dollars = sum(_leg_dollars(seed, leg, cabin) for leg in journey.legs)
    direct_km = kilometres(journey.legs[0].origin, journey.legs[-1].destination)
    detour = sum(kilometres(leg.origin, leg.destination) for leg in journey.legs) / max(1, direct_km)
    # A journey with stops costs less than the sum of its legs; the longer the detour, the less.
    discount = 1.0 if len(journey.legs) == 1 else max(0.55, 0.86 / detour)
    day = journey.legs[0].day
    ahead = (day - asked_on).days
    early = next(factor for days, factor in _AHEAD if ahead <= days)
    southern = atlas().airports[journey.legs[-1].destination].latitude < 0
    season = _NORTHERN_SEASON[(day.month - 1 + 6 * southern) % 12]
    return round(100 * dollars * discount * early * _WEEKDAY[day.weekday()] * season)


def _leg_dollars(seed: str, leg: Leg, cabin: Cabin) -> float:
    seated = leg.aircraft.best_cabin(cabin)
    chance = Chance(seed, "price", leg.flight_number, leg.origin, leg.day)
    demand = (0.85 + 0.4 * load(seed, leg, seated)) * (0.9 + 0.2 * chance.unit())
    dollars = 38 + 0.62 * math.pow(kilometres(leg.origin, leg.destination), 0.8)
    return dollars * CABIN_PRICE[seated] * _KIND_PRICE[leg.airline.kind] * demand


def passenger_prices(seed: str, sold: Sold, asked_on: date) -> tuple[PassengerPrice, ...]:
    """Return the prices by type of traveller."""
    total = sum(adult_cents(seed, journey, sold.cabin, asked_on) for journey in sold.journeys)
    # A return costs a little less than two one-way journeys.
    adult = total * (0.94 if len(sold.journeys) > 1 else 1.0) * _FAMILY_PRICE[sold.family]
    counts = (sold.party.adults, sold.party.children, sold.party.infants)
    return tuple(
        PassengerPrice(type=kind, count=count, each=usd(round(adult * share / 100)))
        for (kind, share), count in zip(_SHARE.items(), counts, strict=True)
        if count
    )


def fare(sold: Sold) -> Fare:
    """Return the fare with its rules, which depend on cabin, family, distance and the kind of airline."""
    legs = [leg for journey in sold.journeys for leg in journey.legs]
    far = max(kilometres(leg.origin, leg.destination) for leg in legs) > _LONG_KM
    low_cost = any(leg.airline.kind == "low" for leg in legs)
    flex, basic = sold.family == "flex", sold.family == "basic"
    ahead, premium = sold.cabin in ("business", "first"), sold.cabin == "premium_economy"
    bags = {"basic": premium, "standard": far or not low_cost, "flex": 1 + (far or premium)}[sold.family]
    change = 0 if flex else (180 if far else 70) if not basic or ahead else None
    refund = 0 if flex else (250 if far else 110) if not basic and not low_cost else None
    rules = FareRules(
        changeable=change is not None, change_fee=None if change is None else usd(100 * change),
        refundable=refund is not None, refund_fee=None if refund is None else usd(100 * refund), grace_hours=24,
        carry_on_bags=2 if ahead else 0 if basic and low_cost else 1, bag_fee=usd(9000 if far else 4500),
        checked_bags=2 if ahead else int(bags),
        seat_choice="free" if flex or ahead else "at check-in" if basic and not low_cost else "paid",
        seat_fee=usd(0 if flex or ahead else 4000 if far else 1500),
    )  # fmt: skip
    return Fare(family=sold.family, name=f"{sold.cabin} {sold.family}".replace("_", " ").title(), rules=rules)


def load(seed: str, leg: Leg, cabin: Cabin) -> float:
    """Return the share of the cabin's seats that are occupied from the start: 0.35 to 1, rarely 1."""
    chance = Chance(seed, "load", leg.flight_number, leg.origin, leg.day, cabin)
    return min(1.0, 0.35 + 0.68 * chance.unit())


def capacity(seed: str, leg: Leg, cabin: Cabin) -> int:
    """Return the number of seats for sale in the cabin."""
    seats = len(leg.aircraft.cabins[cabin].seats)
    return seats - round(seats * load(seed, leg, cabin))


@lru_cache(2000)
def others_seats(seed: str, leg: Leg, cabin: Cabin) -> frozenset[str]:
    """Return the seats that are occupied from the start."""
    flight = (leg.flight_number, leg.origin, leg.day)
    seats = sorted(leg.aircraft.cabins[cabin].seats, key=lambda seat: Chance(seed, "seat", *flight, seat).unit())
    return frozenset(seats[capacity(seed, leg, cabin) :])


def seat_map(seed: str, leg: Leg, cabin: Cabin, number: int, booked: Collection[str]) -> SeatMap:
    """Return the seat map of a leg, which is segment `number` of an offer; `booked` are the seats chosen by users."""
    layout, taken = leg.aircraft.cabins[cabin], others_seats(seed, leg, cabin).union(booked)
    seats = tuple(_seat(layout, name, name not in taken) for name in layout.seats)
    return SeatMap(segment=number, flight_number=leg.flight_number, seats=seats)


def _seat(layout: CabinLayout, name: str, free: bool) -> Seat:
    row, index = int(name[:-1]), layout.row.index(name[-1])
    part = ("front", "middle", "back")[3 * (row - layout.rows.start) // len(layout.rows)]
    aisle = "-" in (layout.row[index - 1 : index], layout.row[index + 1 : index + 2])
    position = "window" if index in (0, len(layout.row) - 1) else "aisle" if aisle else "middle"
    return Seat(id=name, row=row, position=position, part=part, extra_legroom=row in layout.legroom_rows, free=free)
