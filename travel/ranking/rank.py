"""Rank offers by price, travel time and wishes.

The score is a sum of points:

- price: -30 for each doubling of the lowest price;
- time (flights): -6 for each hour, both directions together, above the fastest offer;
- stops (flights): -8 each;
- centre (hotels): -3 for each kilometre from the centre; guests (hotels): 4 for each point of the guest score;
- wishes: plus the weight of each that is met, minus that of each that is missed. Unknown ones count nothing.

Offers that miss a hard wish come after all others, whatever their score.
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
"""Points, as described above."""
_CENT = Decimal("0.01")
"""Lowest price for computing ratios, since a free offer would make them infinite."""
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
"""Sort keys, ascending; 0 for offers without that field."""
_ROUNDS = 8
"""Most rounds of fetching seat maps: one can lower the rank of its offer, and others then need theirs."""


class Ranked(Record):
    """One offer with its score (higher is better) and the texts of the wishes that it meets or misses."""

    offer: AnyOffer
    score: float
    meets: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    """Wishes that can't be judged from the offer."""
    lacking: tuple[str, ...] = ()
    """The hard ones of `misses`."""
    labels: tuple[Sort, ...] = ()
    """The sort orders by which `three` found it to be the first."""


def rank(
    offers: Sequence[AnyOffer],
    wishes: Sequence[Wish],
    *,
    sort: Sort = "best",
    seats: Mapping[str, Sequence[SeatMap]] | None = None,
) -> list[Ranked]:
    """Return `offers` ranked, the best one first; the result does not depend on their order.

    Args:
        offers: Offers of one kind.
        wishes: The traveller's wishes; those for other kinds of offers are ignored.
        sort: The sort order; ties, and offers without such a field, are ordered by score.
        seats: Seat maps by `FlightOffer.itinerary`; without one, wishes for seats are unknown.

    Raises:
        InvalidInputError: if an offer has a currency without a rate.
    """
    areas = frozenset(fold(offer.neighborhood) for offer in offers if isinstance(offer, HotelOffer))
    lowest = min((dollars(offer.price) for offer in offers), default=_CENT)
    among = Field(lowest, areas, seats or {})
    fastest = min((offer.minutes for offer in offers if isinstance(offer, FlightOffer)), default=0)
    return sorted((_scored(offer, wishes, among, fastest) for offer in offers), key=partial(_order, sort=sort))


def distinct(ranked: Iterable[Ranked], *, by_outbound: bool = False) -> list[Ranked]:
    """Return the first fare of the same flights, the first room of the same hotel, and so on.

    With `by_outbound`, flights of one airline with the same departure time count as the same, whatever the return.
    """
    first: dict[object, Ranked] = {}
    for each in ranked:
        offer, thing = each.offer, (summary(each.offer).thing, "")
        if by_outbound and isinstance(offer, FlightOffer):
            thing = (str(offer.outbound.departs), offer.airline)
        first.setdefault(thing, each)
    return list(first.values())


def three(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Return three offers: the best, then extremes such as the cheapest, then the next best; `labels` says why.

    They are never two fares of the same flights. An offer that misses a hard wish is chosen only if no other is left.
    """
    best_first = sorted(ranked, key=partial(_order, sort="best"))
    suitable = [each for each in best_first if not each.lacking] or best_first
    kinds: tuple[Sort, ...] = ("best", *_EXTREMES[suitable[0].offer.kind]) if suitable else ()
    extremes = {sort: min(suitable, key=partial(_order, sort=sort)) for sort in kinds}
    chosen = distinct([*extremes.values(), *suitable, *best_first])[:3]
    return [
        each.model_copy(update={"labels": tuple(sort for sort, first in extremes.items() if first.offer == each.offer)})
        for each in chosen
    ]


def _scored(offer: AnyOffer, wishes: Sequence[Wish], among: Field, fastest: int) -> Ranked:
    judged = verdicts(offer, wishes, among)
    met, missed, unknown = ([wish for wish, verdict in judged if verdict == name] for name in get_args(Verdict))
    ratio = float(dollars(offer.price) / max(among.lowest, _CENT))
    points = [-DOUBLED * math.log2(max(1.0, ratio))]
    if isinstance(offer, FlightOffer):
        points += [-HOUR * (offer.minutes - fastest) / 60, -STOP * sum(each.stops for each in offer.slices)]
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


def _order(ranked: Ranked, sort: Sort) -> tuple[int, float, float, float, str, str]:
    offer = ranked.offer
    key, first_day = _FIRST[sort](offer), summary(offer).first_day.isoformat()
    return len(ranked.lacking), key, -ranked.score, float(dollars(offer.price)), first_day, offer.id


async def choose(
    provider: TravelProvider, offers: Sequence[AnyOffer], wishes: Sequence[Wish], *, sort: Sort = "best", limit: int = 3
) -> list[Ranked]:
    """Return the `limit` offers to show, as `three` or else as `distinct` chooses them; fetch seat maps if needed.

    Raises:
        InvalidInputError: if an offer has a currency without a rate.
    """
    seats: dict[str, Sequence[SeatMap]] = {}
    needs_maps = "seat_maps" in provider.capabilities and any(wish.family in ON_SEAT_MAPS for wish in wishes)
    for _ in range(_ROUNDS):
        ranked = rank(offers, wishes, sort=sort, seats=seats)
        if sort == "best" and limit == 3:
            chosen = three(ranked)
        else:
            different = distinct(ranked)
            if sort in ("earliest", "latest"):  # offers that differ only in the return come last
                first = distinct(different, by_outbound=True)
                different = [*first, *(each for each in different if each not in first)]
            chosen = different[:limit]
        flights = [each.offer for each in chosen if needs_maps and isinstance(each.offer, FlightOffer)]
        missing = [offer for offer in flights if offer.itinerary not in seats and has_seat_map(offer)]
        if not missing:
            break
        for offer in missing:
            seats[offer.itinerary] = await provider.seat_map(offer.id)
    return chosen
