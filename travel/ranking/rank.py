"""Offers in order, with the reasons: what each one costs, how long it takes, and which wishes it meets.

The score is a sum of points that `Ranked.points` names, so that every place in the list can be explained:

- price: -30 each time that it doubles over the lowest one on offer;
- time (flights): -6 for each hour, there and back, over the fastest;
- stops (flights): -8 each;
- centre (hotels): -3 for each kilometre from the centre; guests (hotels): 4 for each point of their score;
- wishes: the weight of each that is met, less that of each that is missed. What can't be told counts for nothing.

An offer that misses what somebody can't do without comes after all that do not, however good it is.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Literal

from memory.records.notes import Record
from travel.flights import FlightOffer, SeatMap
from travel.offers import HotelOffer
from travel.provider import AnyOffer, TravelProvider
from travel.ranking.fit import Field, field_of, verdicts
from travel.ranking.judges import dollars, needs_seat_map
from travel.ranking.wishes import Wish
from travel.summary import summary

Sort = Literal["best", "cheapest", "fastest", "earliest", "latest", "central", "rating"]
DOUBLED, HOUR, STOP, KILOMETRE, GUEST_POINT = 30.0, 6.0, 8.0, 3.0, 4.0
"""Points, as told above."""
_CENT = Decimal("0.01")
"""What is free counts as nearly so: nothing can be a multiple of it."""
_EXTREMES: Mapping[str, tuple[Sort, ...]] = {
    "flight": ("cheapest", "fastest", "earliest"),
    "hotel": ("cheapest", "central", "rating"),
    "car": ("cheapest",),
    "activity": ("cheapest", "earliest"),
    "insurance": ("cheapest",),
}
_THREE = 3
_ROUNDS = 8
"""A seat map can put an offer behind others, which are looked at then; so often at most."""


class Ranked(Record):
    """One offer with its score (higher is better), what that is made of, and how it stands to each wish."""

    offer: AnyOffer
    score: float
    points: dict[str, float]
    meets: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    """Wishes of which the offer tells nothing."""
    lacking: tuple[str, ...] = ()
    """Of what it misses, that which the traveller can't do without."""
    labels: tuple[Sort, ...] = ()
    """What `three` chose it for."""


def rank(
    offers: Sequence[AnyOffer],
    wishes: Sequence[Wish],
    *,
    sort: Sort = "best",
    seats: Mapping[str, Sequence[SeatMap]] | None = None,
) -> list[Ranked]:
    """Return `offers` in order, the best one first; the same whatever order they come in.

    Args:
        offers: Of one kind.
        wishes: What the traveller asks; those for other kinds of offers are left out.
        sort: What comes first; ties are broken by the score. What an offer has no such thing for goes by the score.
        seats: Seat maps by `FlightOffer.itinerary`; without one, wishes for seats can't be told.

    Raises:
        InvalidInputError: an offer is in a currency that has no rate.
    """
    if not offers:
        return []
    among = field_of(offers, seats or {})
    fastest = min((offer.minutes for offer in offers if isinstance(offer, FlightOffer)), default=0)
    ranked = [_weighed(offer, wishes, among, fastest) for offer in offers]
    return sorted(ranked, key=lambda one: _place(one, sort))


def distinct(ranked: Iterable[Ranked]) -> list[Ranked]:
    """Return the first of each thing: one fare of the same flights, one room of the same hotel."""
    first: dict[str, Ranked] = {}
    for one in ranked:
        first.setdefault(summary(one.offer).thing, one)
    return list(first.values())


def leaving_apart(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Return one offer of each outbound flight, then those that differ in the way back alone."""
    first: dict[object, Ranked] = {}
    for one in ranked:
        offer = one.offer
        way = (str(offer.outbound.departs), offer.airline) if isinstance(offer, FlightOffer) else offer.id
        first.setdefault(way, one)
    apart = list(first.values())
    return [*apart, *(one for one in ranked if one not in apart)]


def three(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Return three that differ in a way that matters, labelled with it: the best one, and the extremes beside it.

    Never two fares of the same flights. What lacks something that the traveller can't do without is chosen only
    when nothing else is left.
    """
    best_first = sorted(ranked, key=lambda one: _place(one, "best"))
    suitable = [one for one in best_first if not one.lacking] or best_first
    kinds: tuple[Sort, ...] = ("best", *_EXTREMES[suitable[0].offer.kind]) if suitable else ()
    extremes = {sort: _most(suitable, sort) for sort in kinds}
    chosen = distinct([*extremes.values(), *suitable, *best_first])[:3]
    return [
        one.model_copy(update={"labels": tuple(sort for sort, most in extremes.items() if most.offer == one.offer)})
        for one in chosen
    ]


def _most(ranked: Sequence[Ranked], sort: Sort) -> Ranked:
    return min(ranked, key=lambda one: _place(one, sort))


def _weighed(offer: AnyOffer, wishes: Sequence[Wish], among: Field, fastest: int) -> Ranked:
    found = verdicts(offer, wishes, among)
    times = float(dollars(offer.price) / max(among.lowest, _CENT))
    points = {"price": -DOUBLED * math.log2(max(1.0, times))}
    if isinstance(offer, FlightOffer):
        points["time"] = -HOUR * (offer.minutes - fastest) / 60
        points["stops"] = -STOP * sum(way.stops for way in offer.slices)
    elif isinstance(offer, HotelOffer):
        points["centre"] = -KILOMETRE * offer.centre_km
        points["guests"] = GUEST_POINT * offer.guest_score
    met = sum(wish.weight for wish, verdict in found if verdict == "met")
    points["wishes"] = met - sum(wish.weight for wish, verdict in found if verdict == "missed")
    points = {name: round(value, 2) for name, value in points.items()}
    return Ranked(
        offer=offer,
        score=round(sum(points.values()), 2),
        points=points,
        meets=_texts(wish for wish, verdict in found if verdict == "met"),
        misses=_texts(wish for wish, verdict in found if verdict == "missed"),
        unknown=_texts(wish for wish, verdict in found if verdict == "unknown"),
        lacking=_texts(wish for wish, verdict in found if verdict == "missed" and wish.hard),
    )


def _texts(wishes: Iterable[Wish]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(wish.text for wish in sorted(wishes, key=lambda wish: (-wish.weight, wish.code))))


def _place(one: Ranked, sort: Sort) -> tuple[int, float, float, float, str, str]:
    asked, first_day = _asked_first(one.offer, sort), summary(one.offer).first_day.isoformat()
    return len(one.lacking), asked, -one.score, float(dollars(one.offer.price)), first_day, one.offer.id


def _asked_first(offer: AnyOffer, sort: Sort) -> float:
    """Return what is sorted by, the least first; 0 for all that have no such thing."""
    match sort, offer:
        case "cheapest", _:
            return float(dollars(offer.price))
        case "earliest", _:
            return summary(offer).begins.timestamp()
        case "latest", _:
            return -summary(offer).begins.timestamp()
        case "fastest", FlightOffer():
            return offer.minutes
        case "central", HotelOffer():
            return offer.centre_km
        case "rating", HotelOffer():
            return -offer.guest_score
        case _:
            return 0


async def choose(
    provider: TravelProvider, offers: Sequence[AnyOffer], wishes: Sequence[Wish], *, sort: Sort = "best", limit: int = 3
) -> list[Ranked]:
    """Return the `limit` offers to show, never two of the same thing; three of the best differ in a way that matters.

    Raises:
        InvalidInputError: an offer is in a currency that has no rate.
    """
    seats: dict[str, Sequence[SeatMap]] = {}
    for _ in range(_ROUNDS):
        ranked = rank(offers, wishes, sort=sort, seats=seats)
        if sort == "best" and limit == _THREE:
            chosen = three(ranked)
        else:
            apart = distinct(ranked)
            chosen = (leaving_apart(apart) if sort in ("earliest", "latest") else apart)[:limit]
        unseen = [] if "seat_maps" not in provider.capabilities else _without_map(chosen, wishes, seats)
        if not unseen:
            break
        for offer in unseen:
            seats[offer.itinerary] = await provider.seat_map(offer.id)
    return chosen


def _without_map(
    chosen: Sequence[Ranked], wishes: Sequence[Wish], seats: dict[str, Sequence[SeatMap]]
) -> list[FlightOffer]:
    """Return those of the chosen flights whose seats are wished for and were not looked at."""
    if not any(needs_seat_map(wish) for wish in wishes):
        return []
    flights = [one.offer for one in chosen if isinstance(one.offer, FlightOffer)]
    return [
        offer for offer in flights if offer.itinerary not in seats and offer.fare.rules.seat_choice != "at check-in"
    ]
