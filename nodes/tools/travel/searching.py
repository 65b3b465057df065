"""Defines the travel tools that search, ranked by the traveller's wishes."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from config.errors import InvalidInputError, NoServiceError, SetupError
from nodes.tools.call import Call, Carry, faults_of
from nodes.tools.travel.arguments import ActivitySearch, CarSearch, FlightSearch, HotelSearch, InsuranceSearch
from nodes.tools.travel.known import known_wishes, offer_faults
from nodes.tools.travel.shown import shown_offer
from travel.insurance import fitting_insurance
from travel.money import Money, convert, shipped_rates
from travel.offers import Offer
from travel.provider import AnyOffer
from travel.queries import ActivityQuery, CarQuery, FlightQuery, HotelQuery, InsuranceQuery
from travel.ranking.judges import fits
from travel.ranking.rank import Ranked, Sort, choose

_CANDIDATES = 40
"""Offers that a search ranks."""
_CARS = 30

Answer = dict[str, Any]


async def _found(call: Call, search: str, query: type[BaseModel], asked: BaseModel, **more: object) -> Sequence[Any]:
    """Return what the provider offers for what was asked, `more` in the place of what is meant otherwise in its query.

    Raises InvalidInputError for what no query may be, SetupError for anything other than offers, NoServiceError for
    nothing.
    """
    given = {name: value for name, value in asked if name in query.model_fields}
    try:
        wanted = query.model_validate({**given, **more})
    except ValidationError as error:
        raise InvalidInputError(f"Nothing was searched. {faults_of(error)}") from error
    found, name = await getattr(call.provider, search)(wanted), call.provider.name
    if not (isinstance(found, list | tuple) and all(isinstance(one, Offer) for one in found)):
        raise SetupError(f"The provider {name} returned something other than a tuple of offers from {search}.")
    if not found:
        raise NoServiceError(f"{name} has nothing on offer for that. Search for something else.")
    return found


async def search_flights(call: Call, asked: FlightSearch) -> Answer:
    """Search flights, and name what speaks against the traveller's passport on that journey."""
    party = asked.model_dump(include={"adults", "children", "infants"})
    found = await _found(call, "search_flights", FlightQuery, asked, party=party, limit=_CANDIDATES)
    faults = await offer_faults(call, found[0])
    ranked = await _ranked(found, call, asked.sort, asked.limit)
    return {**ranked, "documents": faults} if faults else ranked


async def search_hotels(call: Call, asked: HotelSearch) -> Answer:
    """Search rooms that have all that is needed, within the price."""
    every = await _found(call, "search_hotels", HotelQuery, asked, limit=_CANDIDATES)
    found = [one for one in every if all(fits(wish, one) for wish in asked.needed)]
    if not found:
        parts = ", ".join(sorted({one.neighborhood for one in every}))
        wanted = ", ".join(wish.text for wish in asked.needed)
        return _nothing(call, f"No room that is free then has all of this: {wanted}. There are rooms in {parts}.")
    if asked.max_per_night is not None:
        most = await _in_own_currency(asked.max_per_night, call)
        least = min(found, key=lambda one: one.per_night.amount)
        found = [one for one in found if convert(one.per_night, most.currency).result.amount <= most.amount]
        if not found:
            return _nothing(call, f"No room costs {most} a night or less; the cheapest costs {least.per_night}.")
    return await _ranked(found, call, asked.sort, asked.limit)


async def search_cars(call: Call, asked: CarSearch) -> Answer:
    """Search cars to hire."""
    found = await _found(call, "search_cars", CarQuery, asked, limit=_CARS)
    return await _ranked(found, call, "best", asked.limit)


async def search_activities(call: Call, asked: ActivitySearch) -> Answer:
    """Search what there is to do in a city."""
    found = await _found(call, "search_activities", ActivityQuery, asked, limit=_CANDIDATES)
    return await _ranked(found, call, "best", asked.limit)


async def search_insurance(call: Call, asked: InsuranceSearch) -> Answer:
    """Search insurance that adds to the cover the traveller has, with advice on what the journey needs."""
    cost = await _in_own_currency(asked.trip_cost, call) if asked.trip_cost else None
    party = asked.model_dump(include={"adults", "children"})
    found = await _found(call, "search_insurance", InsuranceQuery, asked, party=party, trip_cost=cost)
    cover = (await call.run.profile()).insurance
    booked = await call.ledger.all() if call.run.user_id is not None else []
    car = any(one.kind == "car" and one.starts <= asked.end and asked.start <= one.ends for one in booked)
    fitting, advice = fitting_insurance(found, cover, car=car or "car_rental" in asked.parts)
    listed = [shown_offer(offer) for offer in fitting[: asked.limit]]
    return {**_answer(call, listed, len(found)), "advice": advice}


SEARCHES: tuple[Carry, ...] = (search_flights, search_hotels, search_cars, search_activities, search_insurance)


async def _ranked(found: Sequence[AnyOffer], call: Call, sort: Sort, limit: int) -> Answer:
    wishes = await known_wishes(call, call.language)
    chosen = await choose(call.provider, found, wishes, sort=sort, limit=limit)
    currency = (await call.run.profile()).currency
    return _answer(call, [_shown(one, currency) for one in chosen], len(found))


def _shown(one: Ranked, currency: str | None) -> Answer:
    price, (_, rates) = one.offer.price, shipped_rates()
    is_known = currency != price.currency and currency in rates
    own = {"about": str(convert(price, currency).result)} if currency and is_known else {}
    stands = {"why": one.labels, "meets": one.meets, "misses": one.misses, "ask_for": one.unknown}
    return {**shown_offer(one.offer), **own, **{name: list(texts) for name, texts in stands.items()}}


async def _in_own_currency(amount: float, call: Call) -> Money:
    return Money.of(str(amount), (await call.run.profile()).currency or "USD")


def _answer(call: Call, listed: list[Answer], found: int) -> Answer:
    return {"source": call.provider.name, "results": listed, "left_out": max(0, found - len(listed))}


def _nothing(call: Call, why: str) -> Answer:
    return {"source": call.provider.name, "results": [], "note": why}
