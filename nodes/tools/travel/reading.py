"""Defines the travel tools that read: searches, ranked by the traveller's wishes, and offers, bookings and rules."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from config.errors import InvalidInputError, NoServiceError, SetupError
from nodes.tools.call import Call, Carry, faults_of
from nodes.tools.travel.arguments import ActivitySearch, Amount, CarSearch, FlightSearch, HotelSearch, InsuranceSearch
from nodes.tools.travel.known import known_wishes, offer_faults
from nodes.tools.travel.shown import shown_booking, shown_offer
from prompts import reply
from travel.booking import documents
from travel.booking.itinerary import calendar, itinerary
from travel.booking.record import Booking
from travel.flights import SeatMap
from travel.insurance import fitting_insurance
from travel.money import Money, convert, shipped_rates
from travel.offers import Offer
from travel.provider import AnyOffer
from travel.queries import ActivityQuery, CarQuery, FlightQuery, HotelQuery, InsuranceQuery
from travel.ranking.judges import fits
from travel.ranking.rank import Ranked, Sort, choose

_CANDIDATES = 40
"""Maximum number of offers that a search ranks."""
_CARS = 30
_MAX_SEATS = 12
"""Maximum number of free seats listed per position."""

Answer = dict[str, Any]
PolicyTopic = Literal["all", "cancelling", "changing", "approval", "payment"]
"""The argument of `booking_policy`: a tool without any does not get the run's context."""


async def search_flights(call: Call, arguments: FlightSearch) -> Answer:
    """Search flights, and check the traveller's passport for the journey."""
    party = arguments.model_dump(include={"adults", "children", "infants"})
    offers = await _search(call, "search_flights", FlightQuery, arguments, party=party, limit=_CANDIDATES)
    faults = await offer_faults(call, offers[0])
    ranked = await _ranked(offers, call, arguments.sort, arguments.limit)
    return {**ranked, "documents": faults} if faults else ranked


async def search_hotels(call: Call, arguments: HotelSearch) -> Answer:
    """Search rooms that have everything that is needed, within the maximum price."""
    every = await _search(call, "search_hotels", HotelQuery, arguments, limit=_CANDIDATES)
    offers = [offer for offer in every if all(fits(wish, offer) for wish in arguments.needed)]
    if not offers:
        parts = ", ".join(sorted({one.neighborhood for one in every}))
        wanted = ", ".join(wish.text for wish in arguments.needed)
        return _nothing(call, f"No room that is free then has all of this: {wanted}. There are rooms in {parts}.")
    if arguments.max_per_night is not None:
        limit = await _in_user_currency(arguments.max_per_night, call)
        cheapest = min(offers, key=lambda offer: offer.per_night.amount)
        offers = [offer for offer in offers if convert(offer.per_night, limit.currency).result.amount <= limit.amount]
        if not offers:
            return _nothing(call, f"No room costs {limit} a night or less; the cheapest costs {cheapest.per_night}.")
    return await _ranked(offers, call, arguments.sort, arguments.limit)


async def search_cars(call: Call, arguments: CarSearch) -> Answer:
    """Search cars to hire."""
    offers = await _search(call, "search_cars", CarQuery, arguments, limit=_CARS)
    return await _ranked(offers, call, "best", arguments.limit)


async def search_activities(call: Call, arguments: ActivitySearch) -> Answer:
    """Search activities in a city."""
    offers = await _search(call, "search_activities", ActivityQuery, arguments, limit=_CANDIDATES)
    return await _ranked(offers, call, "best", arguments.limit)


async def search_insurance(call: Call, arguments: InsuranceSearch) -> Answer:
    """Search insurance that complements the traveller's cover, with advice on what the trip needs."""
    cost = await _in_user_currency(arguments.trip_cost, call) if arguments.trip_cost else None
    party = arguments.model_dump(include={"adults", "children"})
    offers = await _search(call, "search_insurance", InsuranceQuery, arguments, party=party, trip_cost=cost)
    cover = (await call.run.profile()).insurance
    booked = await call.ledger.all() if call.run.user_id is not None else []
    car = any(one.kind == "car" and one.starts <= arguments.end and arguments.start <= one.ends for one in booked)
    fitting, advice = fitting_insurance(offers, cover, car=car or "car_rental" in arguments.parts)
    listed = [shown_offer(offer) for offer in fitting[: arguments.limit]]
    return {**_answer(call, listed, len(offers)), "advice": advice}


async def offer_details(call: Call, offer_id: str) -> Answer:
    """Show one offer."""
    offer = await call.provider.offer(offer_id)
    return {"source": offer.source, **shown_offer(offer)}


async def seat_map(call: Call, offer_id: str) -> Answer:
    """Show the free seats of a flight."""
    maps = await call.provider.seat_map(offer_id)
    return {"source": call.provider.name, "segments": [_seats(one) for one in maps]}


async def list_bookings(call: Call, include_cancelled: bool = False) -> Answer:
    """List the bookings."""
    bookings = await call.ledger.all(cancelled=include_cancelled)
    return {"source": call.provider.name, "bookings": [shown_booking(one, call.language) for one in bookings]}


async def show_itinerary(call: Call, booking: str | None = None) -> Answer:
    """Show the itinerary by day."""
    return {"source": call.provider.name, "itinerary": itinerary(await _bookings(call, booking))}


async def export_calendar(call: Call, booking: str | None = None) -> Answer:
    """Export the bookings as a calendar (iCalendar)."""
    bookings = await _bookings(call, booking)
    return {"source": call.provider.name, "events": len(bookings), "ics": calendar(bookings)}


async def check_documents(call: Call, destination: str, start: date, end: date) -> Answer:
    """Check the traveller's passport against the rules of a destination."""
    country, profile = await call.provider.country(destination), await call.run.profile()
    return documents.check_documents(profile, country, start=start, end=end, today=call.run.now.date()).dump()


async def convert_money(_: Call, amount: Amount, source: str, target: str) -> Answer:
    """Convert an amount of money."""
    converted = convert(Money.of(str(amount), source), target)
    amounts = {"given": str(converted.given), "result": str(converted.result), "rate": str(converted.rate)}
    return {**amounts, "day": converted.day.isoformat(), "source": converted.source}


async def booking_policy(call: Call, topic: PolicyTopic = "all") -> Answer:
    """Show the booking rules."""
    return {"topic": topic, "policy": reply("booking_policy", call.language)}


READS: tuple[Carry, ...] = (
    search_flights, search_hotels, search_cars, search_activities, search_insurance, offer_details, seat_map,
    list_bookings, show_itinerary, export_calendar, check_documents, convert_money, booking_policy,
)  # fmt: skip


async def _search(
    call: Call, method: str, query_type: type[BaseModel], arguments: BaseModel, **overrides: object
) -> Sequence[Any]:
    """Call a search method of the provider with a query made from the arguments and the `overrides`.

    Raises InvalidInputError if that is no valid query, SetupError if the provider returns something other than offers,
    and NoServiceError if it has none.
    """
    shared = {name: value for name, value in arguments if name in query_type.model_fields}
    try:
        query = query_type.model_validate({**shared, **overrides})
    except ValidationError as error:
        raise InvalidInputError(f"Nothing was searched. {faults_of(error)}") from error
    offers, name = await getattr(call.provider, method)(query), call.provider.name
    if not (isinstance(offers, list | tuple) and all(isinstance(offer, Offer) for offer in offers)):
        raise SetupError(f"The provider {name} returned something other than a tuple of offers from {method}.")
    if not offers:
        raise NoServiceError(f"{name} has nothing on offer for that. Search for something else.")
    return offers


async def _ranked(offers: Sequence[AnyOffer], call: Call, sort: Sort, limit: int) -> Answer:
    wishes = await known_wishes(call, call.language)
    chosen = await choose(call.provider, offers, wishes, sort=sort, limit=limit)
    currency = (await call.run.profile()).currency
    return _answer(call, [_shown(one, currency) for one in chosen], len(offers))


def _shown(ranked: Ranked, currency: str | None) -> Answer:
    price, (_, rates) = ranked.offer.price, shipped_rates()
    can_convert = currency != price.currency and currency in rates
    converted = {"about": str(convert(price, currency).result)} if currency and can_convert else {}
    reasons = {"why": ranked.labels, "meets": ranked.meets, "misses": ranked.misses, "ask_for": ranked.unknown}
    return {**shown_offer(ranked.offer), **converted, **{name: list(texts) for name, texts in reasons.items()}}


async def _in_user_currency(amount: float, call: Call) -> Money:
    return Money.of(str(amount), (await call.run.profile()).currency or "USD")


def _answer(call: Call, listed: list[Answer], total: int) -> Answer:
    return {"source": call.provider.name, "results": listed, "left_out": max(0, total - len(listed))}


def _nothing(call: Call, why: str) -> Answer:
    return {"source": call.provider.name, "results": [], "note": why}


async def _bookings(call: Call, name: str | None) -> list[Booking]:
    return [await call.ledger.find(name)] if name else await call.ledger.all()


def _seats(seat_map: SeatMap) -> Answer:
    free = {position: seat_map.free(position) for position in ("window", "aisle", "middle")}
    listed = {
        position: [f"{seat.id}{' (legroom)' if seat.extra_legroom else ''}" for seat in seats[:_MAX_SEATS]]
        for position, seats in free.items()
    }
    counts = {position: len(seats) for position, seats in free.items()}
    return {"segment": seat_map.segment, "flight": seat_map.flight_number, "free": listed, "free_in_all": counts}
