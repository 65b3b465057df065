"""The seats of a leg: how many there are to sell, which ones others have, what one costs, and what its fare allows."""

import math
from collections.abc import Collection, Mapping
from datetime import date
from functools import cache, lru_cache
from typing import Literal

from travel.flights import Fare, FareFamily, FareRules, PassengerPrice, PassengerType, Seat, SeatMap
from travel.queries import Cabin, Party
from travel.sample.chance import Chance
from travel.sample.counter import usd
from travel.sample.flights.fleet import CabinLayout
from travel.sample.flights.timetable import Journey, Leg
from travel.sample.places.airports import atlas, kilometres

CABIN_PRICE: Mapping[Cabin, float] = {"economy": 1.0, "premium_economy": 1.75, "business": 3.4, "first": 5.6}
"""How many times an economy seat one in this cabin costs."""
_CABIN_NAME: Mapping[Cabin, str] = {
    "economy": "Economy", "premium_economy": "Premium Economy", "business": "Business", "first": "First",
}  # fmt: skip
_FAMILY_PRICE: Mapping[FareFamily, float] = {"basic": 0.86, "standard": 1.0, "flex": 1.34}
_KIND_PRICE = {"full": 1.0, "low": 0.68, "feeder": 1.1}
_NORTHERN_SEASON = (0.88, 0.88, 0.95, 1.02, 1.02, 1.14, 1.25, 1.25, 1.02, 0.97, 0.9, 1.15)
_WEEKDAY = (1, 0.95, 0.95, 1, 1.08, 1, 1.08)
_AHEAD = ((3, 1.85), (7, 1.55), (14, 1.3), (21, 1.15), (45, 1.0), (120, 0.95), (400, 1.02))
"""Up to so many days before departure, a seat costs so many times as much."""
_LONG_KM = 3500
_SHARE: Mapping[PassengerType, int] = {"adult": 100, "child": 75, "infant": 10}
"""Hundredths of an adult's price."""


def standard_price(seed: str, journeys: tuple[Journey, ...], cabin: Cabin, asked_on: date) -> float:
    """Return what one adult pays for all directions at the standard fare, in cents."""
    whole = sum(adult_cents(seed, journey, cabin, asked_on) for journey in journeys)
    # Both ways together are a little cheaper than each on its own.
    return whole * (0.94 if len(journeys) > 1 else 1.0)


def adult_cents(seed: str, journey: Journey, cabin: Cabin, asked_on: date) -> int:
    """Return what one adult pays for one direction at the standard fare, in cents."""
    flown = sum(_leg_dollars(seed, leg, cabin) for leg in journey.legs)
    straight = kilometres(journey.legs[0].origin, journey.legs[-1].destination)
    detour = sum(kilometres(leg.origin, leg.destination) for leg in journey.legs) / max(1, straight)
    # Who has to change pays less than for the legs alone, the more so the further out of the way.
    change = 1.0 if len(journey.legs) == 1 else max(0.55, 0.86 / detour)
    ahead = (journey.legs[0].day - asked_on).days
    early = next(factor for days, factor in _AHEAD if ahead <= days)
    return round(100 * flown * change * early * _WEEKDAY[journey.legs[0].day.weekday()] * _season(journey))


def _leg_dollars(seed: str, leg: Leg, cabin: Cabin) -> float:
    seated = leg.aircraft.best_cabin(cabin)
    chance = Chance(seed, "price", leg.flight_number, leg.origin, leg.day)
    demand = (0.85 + 0.4 * load(seed, leg, seated)) * (0.9 + 0.2 * chance.unit())
    dollars = 38 + 0.62 * math.pow(kilometres(leg.origin, leg.destination), 0.8)
    return dollars * CABIN_PRICE[seated] * _KIND_PRICE[leg.airline.kind] * demand


def _season(journey: Journey) -> float:
    month = journey.legs[0].day.month - 1
    southern = atlas().airports[journey.legs[-1].destination].latitude < 0
    return _NORTHERN_SEASON[(month + 6) % 12 if southern else month]


def passenger_prices(standard: float, family: FareFamily, party: Party) -> tuple[PassengerPrice, ...]:
    """Return what each type of traveller pays, where an adult would pay `standard` cents at the standard fare."""
    adult = standard * _FAMILY_PRICE[family]
    counted = zip(_SHARE.items(), (party.adults, party.children, party.infants), strict=True)
    return tuple(
        PassengerPrice(type=kind, count=count, each=usd(round(adult * share / 100)))
        for (kind, share), count in counted
        if count
    )


def fare(cabin: Cabin, family: FareFamily, journeys: tuple[Journey, ...]) -> Fare:
    """Return the fare with its rules, which depend on cabin, family, distance and the kind of airline."""
    far = max(kilometres(leg.origin, leg.destination) for each in journeys for leg in each.legs) > _LONG_KM
    low_cost = any(leg.airline.kind == "low" for each in journeys for leg in each.legs)
    return _fare(cabin, family, far, low_cost)


@cache
def _fare(cabin: Cabin, family: FareFamily, far: bool, low_cost: bool) -> Fare:
    flex, basic, ahead = family == "flex", family == "basic", cabin in ("business", "first")
    change = 0 if flex else (180 if far else 70) if not basic or ahead else None
    refund = 0 if flex else (250 if far else 110) if not basic and not low_cost else None
    rules = FareRules(
        changeable=change is not None, change_fee=None if change is None else usd(100 * change),
        refundable=refund is not None, refund_fee=None if refund is None else usd(100 * refund), grace_hours=24,
        carry_on_bags=2 if ahead else 0 if basic and low_cost else 1, bag_fee=usd(9000 if far else 4500),
        checked_bags=_checked_bags(cabin, family, far, low_cost),
        seat_choice="free" if flex or ahead else "at check-in" if basic and not low_cost else "paid",
        seat_fee=usd(0 if flex or ahead else 4000 if far else 1500),
    )  # fmt: skip
    return Fare(family=family, name=f"{_CABIN_NAME[cabin]} {family.capitalize()}", rules=rules)


def _checked_bags(cabin: Cabin, family: FareFamily, far: bool, low_cost: bool) -> int:
    if cabin in ("business", "first"):
        return 2
    if family == "basic":
        return 1 if cabin == "premium_economy" else 0
    if family == "flex":
        return 2 if cabin == "premium_economy" or far else 1
    return 1 if far or not low_cost else 0


Position = Literal["window", "middle", "aisle"]


def load(seed: str, leg: Leg, cabin: Cabin) -> float:
    """Return the share of the cabin's seats that others took before the sample world begins: 0.35 to 1, seldom full."""
    chance = Chance(seed, "load", leg.flight_number, leg.origin, leg.day, cabin)
    return min(1.0, 0.35 + 0.68 * chance.unit())


def capacity(seed: str, leg: Leg, cabin: Cabin) -> int:
    """Return seats of the cabin that the sample world has to sell."""
    seats = leg.aircraft.cabins[cabin].seats
    return seats - round(seats * load(seed, leg, cabin))


@lru_cache(2000)
def others_seats(seed: str, leg: Leg, cabin: Cabin) -> frozenset[str]:
    """Return the seats that others took before the sample world begins."""
    layout = leg.aircraft.cabins[cabin]
    letters = layout.row.replace("-", "")
    seats = [f"{row}{letter}" for row in range(layout.first, layout.last + 1) for letter in letters]
    seats.sort(key=lambda seat: Chance(seed, "seat", leg.flight_number, leg.origin, leg.day, seat).unit())
    return frozenset(seats[capacity(seed, leg, cabin) :])


def seat_map(seed: str, leg: Leg, cabin: Cabin, number: int, booked: Collection[str]) -> SeatMap:
    """Return the seat map of the leg, which is segment `number` of an offer; `booked` are seats that users chose."""
    layout, taken = leg.aircraft.cabins[cabin], others_seats(seed, leg, cabin).union(booked)
    seats = tuple(
        _seat(layout, row, at, taken)
        for row in range(layout.first, layout.last + 1)
        for at, letter in enumerate(layout.row)
        if letter != "-"
    )
    return SeatMap(segment=number, flight_number=leg.flight_number, seats=seats)


def _seat(layout: CabinLayout, row: int, at: int, taken: Collection[str]) -> Seat:
    third = 3 * (row - layout.first) // (layout.last - layout.first + 1)
    aisle = "-" in (layout.row[at - 1 : at], layout.row[at + 1 : at + 2])
    position: Position = "window" if at in (0, len(layout.row) - 1) else "aisle" if aisle else "middle"
    name = f"{row}{layout.row[at]}"
    part, legroom = ("front", "middle", "back")[third], row in layout.legroom_rows
    return Seat(id=name, row=row, position=position, part=part, extra_legroom=legroom, free=name not in taken)
