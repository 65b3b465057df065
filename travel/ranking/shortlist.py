"""Choose which of many offers to show, looking up seat maps for those shown and for no others."""

from __future__ import annotations

from collections.abc import Sequence

from travel.flights import FlightOffer, SeatMap
from travel.provider import AnyOffer, TravelProvider
from travel.ranking.fit_flights import needs_seat_map
from travel.ranking.rank import Ranked, Sort, distinct, leaving_apart, rank, three
from travel.ranking.wish import Wish

_THREE = 3
_ROUNDS = 8
"""A seat map can put an offer behind others, which are looked at then; so often at most."""


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
