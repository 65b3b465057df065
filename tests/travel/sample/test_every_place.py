"""Every code, city and country of the gazetteer works from the search to the approval and the itinerary."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.store.memory import InMemoryStore

from config.errors import AmbiguousPlaceError, SoldOutError
from memory.records.profile import Profile
from tests.conftest import Clock, Opener
from tests.scripted import calls, scripted
from tests.tables import table
from tests.travel.ledger import ledger
from travel.booking.itinerary import itinerary
from travel.offers import CarOffer, HotelOffer
from travel.queries import ActivityQuery, CarQuery, FlightQuery, HotelQuery, InsuranceQuery
from travel.sample.places.airports import City, atlas
from travel.sample.places.gazetteer import candidates, country_of, gazetteer, meant, town_covered
from travel.sample.world import SampleWorld
from travel.tables import names, read_table

pytestmark = pytest.mark.slow

FIRST, LAST = date(2026, 12, 10), date(2026, 12, 12)
HUB = "FRA"
ALL = sorted(atlas().airports)
AWKWARD = ["CTS", "YUL", "DTW", "KTI", "TXL", "WMI", "USA", "BWI", "SXM", "ANU"]
"""Airports of cities with a code of their own, near a city of the same name, or named like a country."""
SOME = [*AWKWARD, *Random(11).sample(ALL, 30)]
COUNTRIES = [(code, name) for code, *called in read_table("countries") for each in called for name in names(each)]


def _spelling(code: str) -> str:
    """Return the spelling of a code: in brackets if it is also the name of a country ("USA")."""
    return code if code.casefold() not in gazetteer().areas else f"{atlas().airports[code].name} ({code})"


@table("code", ALL)
def test_code_means_its_airport_and_its_country(code: str) -> None:
    place = meant(_spelling(code))
    assert code in place.airports
    # Basel's only airport means Basel, and is in France.
    assert country_of(_spelling(code)) == {"BSL": "CH"}.get(code, atlas().airports[code].country)


@table("code", sorted(gazetteer().by_code))
def test_place_is_found_by_its_full_name(code: str) -> None:
    place = gazetteer().by_code[code]
    assert meant(str(place)) == place


@table("city", list(atlas().cities.values()))
def test_city_is_found_by_each_of_its_names_or_listed_with_its_namesakes(city: City) -> None:
    for name in filter(None, (city.name, city.name_ja, *city.aliases)):
        try:
            places = [meant(name), *candidates(name)]
        except AmbiguousPlaceError as error:
            places = [meant(one) for one in error.candidates]
        assert city.code in {place.code for place in places}, name


@table(("code", "name"), COUNTRIES)
def test_country_is_known_and_names_a_place_or_several(code: str, name: str) -> None:
    try:
        places = [meant(name)]
    except AmbiguousPlaceError as error:
        places = [meant(one) for one in error.candidates]
    assert code in {place.country for place in places}  # "Georgia" lists cities of the state too
    assert country_of(name) == code


@table(("code", "name"), COUNTRIES)
def test_country_can_be_insured(code: str, name: str) -> None:
    assert town_covered(name).country == code


async def _goes_through(code: str, world: SampleWorld, clock: Clock) -> None:
    """Search all kinds of offers by a code, book one of each, and read the itinerary."""
    spelling, book = _spelling(code), ledger(InMemoryStore(), world, clock)
    origin = "JFK" if atlas().airports[code].country == "DE" else HUB  # some airfields are too near for a flight
    asked = FlightQuery(origin=origin, destination=spelling, departing=FIRST, flexible_days=3, limit=1)
    flight = (await world.search_flights(asked))[0]
    offers = [
        flight,
        *await _room_and_car(spelling, world),
        (await world.search_activities(ActivityQuery(city=spelling, first_day=FIRST, last_day=LAST, limit=1)))[0],
        (await world.search_insurance(InsuranceQuery(destination=spelling, start=FIRST, end=LAST)))[0],
    ]
    lands = flight.outbound.segments[-1]
    assert lands.destination_country == atlas().airports[lands.destination].country
    assert lands.destination in meant(spelling).airports
    for number, offer in enumerate(offers):
        assert await world.offer(offer.id) == offer
        await book.book(offer.id, f"{code} {number}", thread_id="t")
    assert lands.destination in str(itinerary(await book.all()))


async def _room_and_car(said: str, world: SampleWorld) -> list[HotelOffer | CarOffer]:
    """Return a room and a car in a town whose few offers may be sold out for some days."""
    for weeks in range(5):
        first, last = FIRST + timedelta(weeks=weeks), LAST + timedelta(weeks=weeks)
        with suppress(SoldOutError):
            rooms = await world.search_hotels(HotelQuery(city=said, check_in=first, check_out=last, limit=1))
            cars = await world.search_cars(CarQuery(city=said, pick_up=first, drop_off=last, limit=1))
            return [rooms[0], cars[0]]
    raise SoldOutError(f"No room and no car in {said} in five weeks.")


@pytest.fixture
def goes_through(world: SampleWorld, clock: Clock) -> Any:
    return lambda code: _goes_through(code, world, clock)


@table("code", SOME)
async def test_place_works_from_search_to_itinerary(code: str, goes_through: Any) -> None:
    await goes_through(code)


@pytest.mark.soak
@table("code", ALL)
async def test_every_place_works_from_search_to_itinerary(code: str, goes_through: Any) -> None:
    await goes_through(code)


def _travelling(messages: Sequence[BaseMessage]) -> AIMessage:
    """Fly wherever the message says: search, book the first offer and show the itinerary."""
    last = messages[-1]
    request = next(str(one.text) for one in reversed(messages) if isinstance(one, HumanMessage))
    if isinstance(last, HumanMessage):
        return calls("search_flights", "search", origin=HUB, destination=request, departing=str(FIRST))
    assert isinstance(last, ToolMessage)
    if last.name == "search_flights":
        offer = json.loads(str(last.text))["results"][0]["offer_id"]
        return calls("book_offer", "book", offer_id=offer)
    return calls("show_itinerary", "show") if last.name == "book_offer" else AIMessage(str(last.text))


NAMES = ["札幌", "Reykjavík", "Detroit, Michigan", "Singapore", "モルディブ", "Portland, Maine", "Amman, Jordan"]


@table("said", [*map(_spelling, AWKWARD), *NAMES, *map(_spelling, Random(7).sample(ALL, 6))])
async def test_place_works_through_the_tools(said: str, concierge_with: Opener) -> None:
    profile = Profile(passport_country="DE", passport_expiry=date(2027, 1, 1))
    async with concierge_with({"agent": scripted(_travelling)}) as concierge:
        await concierge.memory(said).set_profile(profile, step="profile")
        asked = await concierge.send(said, user_id=said, thread_id=said)
        [question] = [one for each in asked.interrupts for one in each["action_requests"]]
        is_abroad = country_of(said) != "DE"
        is_warned = any(word in question["description"] for word in ("passport", "パスポート"))
        assert is_warned is is_abroad, question["description"]
        shown = await concierge.resume("approve", user_id=said, thread_id=said)
        assert [use.outcome for use in shown.tools] == ["ran", "ran", "ran"]
        assert any(airport in shown.text for airport in meant(said).airports)
