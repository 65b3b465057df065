"""Hotels, cars, activities and insurance."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from config.errors import InvalidInputError, NoServiceError, TravelDateError
from travel.money import Money
from travel.provider import CAPABILITIES, TravelProvider
from travel.queries import ActivityQuery, CarQuery, HotelQuery, InsuranceQuery, Party
from travel.sample import SAMPLE
from travel.sample.world import SampleWorld

FROM, TO = date(2026, 12, 10), date(2026, 12, 14)


async def test_hotels_describe_their_location_and_rooms(world: SampleWorld) -> None:
    offers = await world.search_hotels(HotelQuery(city="Lisbon", check_in=FROM, check_out=TO, guests=2))
    assert len({offer.hotel_id for offer in offers}) >= 8
    assert {"Alfama", "Chiado"} & {offer.neighborhood for offer in offers}
    assert {offer.chain for offer in offers} > {None}
    assert [offer.centre_km for offer in offers] == sorted(offer.centre_km for offer in offers)
    for offer in offers:
        assert offer.source == SAMPLE
        assert 1 <= offer.floor <= offer.floors
        assert offer.high_floor == (offer.floors >= 5 and offer.floor > offer.floors * 2 / 3)
        assert offer.nights == 4
        assert abs(offer.price.amount - 4 * offer.per_night.amount) <= 4
        assert (offer.check_out.day - offer.check_in.day).days == 4
        assert await world.offer(offer.id) == offer


async def test_refundable_rate_costs_more(world: SampleWorld) -> None:
    offers = await world.search_hotels(HotelQuery(city="Rome", check_in=FROM, check_out=TO, limit=40))
    standard = [offer for offer in offers if offer.room == "standard"]
    pairs = [
        (a, b) for a in standard for b in standard if a.hotel_id == b.hotel_id and a.free_cancellation_until is None
    ]
    dearer = [(saver, flexible) for saver, flexible in pairs if flexible.free_cancellation_until is not None]
    assert dearer
    for saver, flexible in dearer:
        assert saver.price.amount < flexible.price.amount
        assert flexible.free_cancellation_until is not None
        assert flexible.free_cancellation_until.day == FROM - timedelta(2)


async def test_two_rooms_cost_twice_as_much(world: SampleWorld) -> None:
    one = await world.search_hotels(HotelQuery(city="Madrid", check_in=FROM, check_out=TO, guests=2, limit=40))
    two = await world.search_hotels(HotelQuery(city="Madrid", check_in=FROM, check_out=TO, guests=4, rooms=2, limit=40))
    single = {(offer.hotel_id, offer.room, offer.free_cancellation_until): offer.price for offer in one}
    for offer in two:
        assert offer.price == single[(offer.hotel_id, offer.room, offer.free_cancellation_until)] * 2
        assert offer.left >= 2


async def test_too_many_guests_are_told_to_take_more_rooms(world: SampleWorld) -> None:
    with pytest.raises(InvalidInputError, match="more rooms"):
        await world.search_hotels(HotelQuery(city="Oslo", check_in=FROM, check_out=TO, guests=9, rooms=2))


async def test_town_known_by_its_airport_has_hotels(world: SampleWorld) -> None:
    offers = await world.search_hotels(HotelQuery(city="Paris, Texas", check_in=FROM, check_out=FROM + timedelta(1)))
    assert {offer.country for offer in offers} == {"US"}


async def test_cars_of_a_category_are_sorted_by_price(world: SampleWorld) -> None:
    offers = await world.search_cars(CarQuery(city="Denver", pick_up=FROM, drop_off=TO))
    suvs = await world.search_cars(CarQuery(city="Denver", pick_up=FROM, drop_off=TO, category="suv"))
    assert [offer.price.amount for offer in offers] == sorted(offer.price.amount for offer in offers)
    assert {offer.category for offer in suvs} == {"suv"}
    assert set(suvs) <= set(offers)
    for offer in offers:
        assert offer.price == offer.per_day * 4
        assert offer.automatic
        assert await world.offer(offer.id) == offer


async def test_activities_match_interests_and_spread_over_the_days(world: SampleWorld) -> None:
    days = ActivityQuery(city="Kyoto", first_day=FROM, last_day=TO, people=2)
    offers = await world.search_activities(days)
    food = await world.search_activities(days.model_copy(update={"interests": ("food",)}))
    assert {offer.interest for offer in food} == {"food"}
    assert len({offer.starts.day for offer in offers}) >= 3
    for offer in (*offers, *food):
        assert FROM <= offer.starts.day <= TO
        assert offer.price == offer.per_person * 2
        assert offer.left >= 2
        assert offer.starts.day not in offer.other_days
        assert await world.offer(offer.id) == offer


async def test_activity_of_another_day_is_found_by_its_day(world: SampleWorld) -> None:
    offers = await world.search_activities(ActivityQuery(city="Kyoto", first_day=FROM, last_day=TO))
    offer = next(offer for offer in offers if offer.other_days)
    day = offer.other_days[0]
    again = await world.search_activities(ActivityQuery(city="Kyoto", first_day=day, last_day=day, limit=100))
    same = [each for each in again if each.title == offer.title]
    assert [each.starts.day for each in same] in ([day], [])


async def test_insurance_covers_the_requested_parts_and_follows_the_cost(world: SampleWorld) -> None:
    query = InsuranceQuery(destination="Lisbon", start=FROM, end=TO, parts=("medical", "cancellation"))
    plain = await world.search_insurance(query)
    cost = Money.of(400_000, "JPY")
    dear = await world.search_insurance(query.model_copy(update={"trip_cost": cost, "party": Party(adults=2)}))
    for offer, other in zip(plain, dear, strict=True):
        assert {"medical", "cancellation"} <= {cover.part for cover in offer.covers}
        assert offer.price.amount < other.price.amount
        assert await world.offer(other.id) == other


async def test_interest_without_an_activity_is_named(world: SampleWorld) -> None:
    query = ActivityQuery(city="Paris, Texas", first_day=FROM, last_day=TO, interests=("architecture",))
    with pytest.raises(NoServiceError, match="nothing for architecture"):
        await world.search_activities(query)


async def test_sample_world_is_a_complete_provider_that_names_itself(world: SampleWorld) -> None:
    provider: TravelProvider = world
    assert provider.capabilities == set(CAPABILITIES)
    assert SAMPLE in provider.name


async def test_stay_that_is_too_long_is_rejected(world: SampleWorld) -> None:
    with pytest.raises(TravelDateError, match="61 days"):
        await world.search_hotels(HotelQuery(city="Rome", check_in=FROM, check_out=FROM + timedelta(61)))
    with pytest.raises(TravelDateError, match="too early"):
        await world.search_hotels(HotelQuery(city="Rome", check_in=FROM, check_out=FROM))
