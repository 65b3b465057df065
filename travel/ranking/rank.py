"""Offers in order, with the reasons: what each one costs, how long it takes, and which wishes it meets.

The score is a sum of points:

- price: -30 each time that it doubles over the lowest one on offer;
- time (flights): -6 for each hour, there and back, over the fastest;
- stops (flights): -8 each;
- centre (hotels): -3 for each kilometre from the centre; guests (hotels): 4 for each point of their score;
- wishes: the weight of each that is met, less that of each that is missed. What can't be told counts for nothing.

An offer that misses what somebody can't do without comes after all that do not, however good it is.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Literal, get_args

from memory.records.notes import Record
from text import fold
from travel.flights import FlightOffer, SeatMap
from travel.offers import HotelOffer
from travel.provider import AnyOffer, TravelProvider
from travel.ranking.fit import Field, Verdict, verdicts
from travel.ranking.judges import ON_SEAT_MAPS, dollars, has_seat_map
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
_FIRST: Mapping[Sort, Callable[[AnyOffer], float]] = {
    "best": lambda _: 0,
    "cheapest": lambda offer: float(dollars(offer.price)),
    "fastest": lambda offer: offer.minutes if isinstance(offer, FlightOffer) else 0,
    "earliest": lambda offer: summary(offer).begins.timestamp(),
    "latest": lambda offer: -summary(offer).begins.timestamp(),
    "central": lambda offer: offer.centre_km if isinstance(offer, HotelOffer) else 0,
    "rating": lambda offer: -offer.guest_score if isinstance(offer, HotelOffer) else 0,
}
"""What is sorted by, the least first; 0 for all that have no such thing."""
_ROUNDS = 8
"""A seat map can put an offer behind others, which are looked at then; so often at most."""


class Ranked(Record):
    """One offer with its score (higher is better) and how it stands to each wish."""

    offer: AnyOffer
    score: float
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
    areas = frozenset(fold(offer.neighborhood) for offer in offers if isinstance(offer, HotelOffer))
    lowest = min((dollars(offer.price) for offer in offers), default=_CENT)
    among = Field(lowest, areas, seats or {})
    fastest = min((offer.minutes for offer in offers if isinstance(offer, FlightOffer)), default=0)
    return sorted((_weighed(offer, wishes, among, fastest) for offer in offers), key=partial(_place, sort=sort))


def distinct(ranked: Iterable[Ranked], *, way_out: bool = False) -> list[Ranked]:
    """Return the first of each thing: one fare of the same flights, one room of the same hotel.

    With `way_out`, flights that leave at the same time with the same airline are one, whatever the way back.
    """
    first: dict[object, Ranked] = {}
    for one in ranked:
        offer, thing = one.offer, (summary(one.offer).thing, "")
        if way_out and isinstance(offer, FlightOffer):
            thing = (str(offer.outbound.departs), offer.airline)
        first.setdefault(thing, one)
    return list(first.values())


def three(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Return three that differ in a way that matters, labelled with it: the best one, and the extremes beside it.

    Never two fares of the same flights. What lacks something that the traveller can't do without is chosen only
    when nothing else is left.
    """
    best_first = sorted(ranked, key=partial(_place, sort="best"))
    suitable = [one for one in best_first if not one.lacking] or best_first
    kinds: tuple[Sort, ...] = ("best", *_EXTREMES[suitable[0].offer.kind]) if suitable else ()
    extremes = {sort: min(suitable, key=partial(_place, sort=sort)) for sort in kinds}
    chosen = distinct([*extremes.values(), *suitable, *best_first])[:3]
    return [
        one.model_copy(update={"labels": tuple(sort for sort, most in extremes.items() if most.offer == one.offer)})
        for one in chosen
    ]


def _weighed(offer: AnyOffer, wishes: Sequence[Wish], among: Field, fastest: int) -> Ranked:
    found = verdicts(offer, wishes, among)
    met, missed, unknown = ([wish for wish, verdict in found if verdict == name] for name in get_args(Verdict))
    times = float(dollars(offer.price) / max(among.lowest, _CENT))
    points = [-DOUBLED * math.log2(max(1.0, times))]
    if isinstance(offer, FlightOffer):
        points += [-HOUR * (offer.minutes - fastest) / 60, -STOP * sum(way.stops for way in offer.slices)]
    elif isinstance(offer, HotelOffer):
        points += [-KILOMETRE * offer.centre_km, GUEST_POINT * offer.guest_score]
    points.append(sum(wish.weight for wish in met) - sum(wish.weight for wish in missed))
    return Ranked(
        offer=offer,
        score=round(sum(round(value, 2) for value in points), 2),
        meets=_texts(met),
        misses=_texts(missed),
        unknown=_texts(unknown),
        lacking=_texts(wish for wish in missed if wish.hard),
    )


def _texts(wishes: Iterable[Wish]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(wish.text for wish in sorted(wishes, key=lambda wish: (-wish.weight, wish.code))))


def _place(one: Ranked, sort: Sort) -> tuple[int, float, float, float, str, str]:
    asked, first_day = _FIRST[sort](one.offer), summary(one.offer).first_day.isoformat()
    return len(one.lacking), asked, -one.score, float(dollars(one.offer.price)), first_day, one.offer.id


async def choose(
    provider: TravelProvider, offers: Sequence[AnyOffer], wishes: Sequence[Wish], *, sort: Sort = "best", limit: int = 3
) -> list[Ranked]:
    """Return the `limit` offers to show, never two of the same thing; three of the best differ in a way that matters.

    Raises:
        InvalidInputError: an offer is in a currency that has no rate.
    """
    seats: dict[str, Sequence[SeatMap]] = {}
    looks = "seat_maps" in provider.capabilities and any(wish.family in ON_SEAT_MAPS for wish in wishes)
    for _ in range(_ROUNDS):
        ranked = rank(offers, wishes, sort=sort, seats=seats)
        if sort == "best" and limit == 3:
            chosen = three(ranked)
        else:
            apart = distinct(ranked)
            if sort in ("earliest", "latest"):  # what differs in the way back alone comes after all other ways out
                first = distinct(apart, way_out=True)
                apart = [*first, *(one for one in apart if one not in first)]
            chosen = apart[:limit]
        flights = [one.offer for one in chosen if looks and isinstance(one.offer, FlightOffer)]
        unseen = [one for one in flights if one.itinerary not in seats and has_seat_map(one)]
        if not unseen:
            break
        for offer in unseen:
            seats[offer.itinerary] = await provider.seat_map(offer.id)
    return chosen
