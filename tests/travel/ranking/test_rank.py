"""The ranking of offers can be explained, and three offers differ in a way that matters."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.records.profile import Profile
from tests.samples import SCHEMA, stated
from tests.travel.ledger import BACK, THERE, flights
from travel.flights import FlightOffer
from travel.money import Money
from travel.offers import ActivityOffer, HotelOffer
from travel.provider import AnyOffer
from travel.queries import ActivityQuery, CarQuery, HotelQuery
from travel.ranking.rank import Ranked, Sort, choose, distinct, rank, three
from travel.ranking.wishes import Wish, wishes_of
from travel.sample.world import SampleWorld

NOTES: tuple[tuple[str, str], ...] = (
    ("seat", "Prefers window seats on overnight flights"), ("airline", "Avoids British Airways"),
    ("airline", "Likes Star Alliance"), ("layover", "Only nonstop flights"), ("baggage", "Packs only a carry-on"),
    ("booking", "Never before 9 am"), ("booking", "Refundable rates only"), ("hotel", "Loves Marriott hotels"),
    ("hotel", "Central hotels"), ("room", "High floor, quiet room"), ("budget", "Hotels under $150 a night"),
    ("accessibility", "Uses a wheelchair"), ("activity", "Likes museums"), ("car", "Automatic cars only"),
    ("budget", "Cheap hotels and flights"), ("hotel", "Breakfast included"),
)  # fmt: skip
WISHES = tuple(wishes_of([stated(text, topic) for topic, text in NOTES], Profile(), SCHEMA))
SORTS: tuple[Sort, ...] = ("best", "cheapest", "fastest", "earliest", "latest", "central", "rating")


def wish(text: str, topic: str, **values: Any) -> list[Wish]:
    return wishes_of([stated(text, topic, **values)], Profile(), SCHEMA)


@pytest.fixture(scope="module")
def sold(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[AnyOffer]]:
    """Return offers of each kind, and a flight at all its fares."""

    async def made() -> dict[str, list[AnyOffer]]:
        clock = lambda: datetime(2026, 11, 20, 9, tzinfo=UTC)  # noqa: E731
        with closing(SampleWorld(tmp_path_factory.mktemp("world"), clock=clock)) as world:
            stay = HotelQuery(city="Lisbon", check_in=THERE, check_out=BACK)
            days = ActivityQuery(city="Lisbon", first_day=THERE, last_day=BACK)
            return {
                "flight": [*(await flights(world))],
                "hotel": [*await world.search_hotels(stay)],
                "activity": [*await world.search_activities(days)],
                "car": [*await world.search_cars(CarQuery(city="Lisbon", pick_up=THERE, drop_off=BACK))],
            }

    return asyncio.run(made())


def ids(ranked: Sequence[Ranked]) -> list[str]:
    return [one.offer.id for one in ranked]


KINDS = st.sampled_from(["flight", "hotel", "activity", "car"])
SOME = st.lists(st.sampled_from(WISHES), unique=True, max_size=6)


@given(KINDS, SOME, st.sampled_from(SORTS), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_ranking_does_not_depend_on_the_input_order(
    sold: dict[str, list[AnyOffer]], kind: str, wishes: list[Wish], sort: Sort, chance: random.Random
) -> None:
    offers = sold[kind]
    shuffled = chance.sample(offers, len(offers))
    assert rank(shuffled, wishes[::-1], sort=sort) == rank(offers, wishes, sort=sort)


@given(KINDS, SOME, st.sampled_from(WISHES))
@settings(max_examples=60, deadline=None)
def test_met_wish_never_lowers_an_offer(
    sold: dict[str, list[AnyOffer]], kind: str, wishes: list[Wish], more: Wish
) -> None:
    without = [one for one in wishes if one.family != more.family]
    before = rank(sold[kind], without)
    after = rank(sold[kind], [*without, more])
    for one in after:
        if more.text in one.meets:
            assert ids(after).index(one.offer.id) <= ids(before).index(one.offer.id)


@given(KINDS, SOME)
@settings(max_examples=40, deadline=None)
def test_each_wish_has_one_verdict(sold: dict[str, list[AnyOffer]], kind: str, wishes: list[Wish]) -> None:
    for one in rank(sold[kind], wishes):
        texts = [*one.meets, *one.misses, *one.unknown]
        assert len(set(texts)) == len(texts)
        assert set(texts) <= {each.text for each in wishes if each.kind == kind}
        assert set(one.lacking) <= set(one.misses)


@given(KINDS, SOME)
@settings(max_examples=40, deadline=None)
def test_three_differ_and_begin_with_the_best(sold: dict[str, list[AnyOffer]], kind: str, wishes: list[Wish]) -> None:
    ranked = rank(sold[kind], wishes)
    chosen = three(ranked)
    assert len(chosen) == 3
    assert chosen[0].offer == ranked[0].offer
    assert "best" in chosen[0].labels
    assert len(distinct(chosen)) == 3


def test_no_offers_have_an_empty_ranking() -> None:
    assert rank([], WISHES) == []
    assert three([]) == []


@pytest.mark.parametrize(("sort", "by"), [
    ("cheapest", lambda offer: offer.price.amount),
    ("fastest", lambda offer: offer.minutes),
    ("earliest", lambda offer: offer.outbound.departs.utc),
])  # fmt: skip
def test_flights_are_sorted_as_requested(sold: dict[str, list[AnyOffer]], sort: Sort, by: object) -> None:
    values = [by(one.offer) for one in rank(sold["flight"], [], sort=sort)]  # type: ignore[operator]
    assert values == sorted(values)
    assert len(set(values)) > 1


def test_hotels_are_sorted_as_requested(sold: dict[str, list[AnyOffer]]) -> None:
    central, rated = (rank(sold["hotel"], [], sort=sort) for sort in ("central", "rating"))
    distances = [one.offer.centre_km for one in central if isinstance(one.offer, HotelOffer)]
    scores = [one.offer.guest_score for one in rated if isinstance(one.offer, HotelOffer)]
    assert distances == sorted(distances)
    assert scores == sorted(scores, reverse=True)


def test_hard_needs_precede_everything_else(sold: dict[str, list[AnyOffer]]) -> None:
    needs = wish("Uses a wheelchair", "accessibility")
    for sort in ("best", "cheapest"):
        ranked = rank(sold["activity"], needs, sort=sort)
        free = [one.offer.step_free for one in ranked if isinstance(one.offer, ActivityOffer)]
        assert free == sorted(free, reverse=True)
        assert {False, True} == set(free)
        assert [one.lacking for one in ranked] == [() if step_free else ("step-free",) for step_free in free]
    assert all(one.offer.step_free for one in three(ranked) if isinstance(one.offer, ActivityOffer))


def test_wish_that_offers_do_not_show_is_a_request(sold: dict[str, list[AnyOffer]]) -> None:
    allergy = wish("Allergic to peanuts", "meal", hard=True)
    assert {one.unknown for one in rank(sold["flight"], allergy)} == {("Allergic to peanuts",)}


def test_traveller_with_two_preferred_airlines_misses_neither(sold: dict[str, list[AnyOffer]]) -> None:
    names = sorted({offer.airline for offer in sold["flight"] if isinstance(offer, FlightOffer)})[:2]
    liked = wish(f"Prefers {names[0]} and {names[1]}", "airline")
    for one in rank(sold["flight"], liked):
        assert isinstance(one.offer, FlightOffer)
        expected = {((one.offer.airline,), ())} if one.offer.airline in names else {((), tuple(names))}
        assert {(one.meets, tuple(sorted(one.misses)))} == expected


def test_prices_in_other_currencies_are_compared(sold: dict[str, list[AnyOffer]]) -> None:
    first = sold["hotel"][0]
    dear = first.model_copy(update={"id": "dear", "price": Money.of(first.price.decimal, "GBP")})
    cheap = first.model_copy(update={"id": "cheap", "price": Money.of(first.price.decimal, "JPY")})
    assert ids(rank([first, dear, cheap], [], sort="cheapest")) == ["cheap", first.id, "dear"]


async def test_window_is_wished_for_on_overnight_segments_only(world: SampleWorld) -> None:
    offers = await flights(world, max_stops=0)
    offer = next(
        one for one in offers
        if [segment.overnight for segment in one.segments] == [False, True] and one.fare.family == "standard"
    )  # fmt: skip
    maps = list(await world.seat_map(offer.id))

    def without(number: int, position: str) -> list[object]:
        seats = tuple(seat for seat in maps[number].seats if seat.position != position)
        return [*maps[:number], maps[number].model_copy(update={"seats": seats}), *maps[number + 1 :]]

    wishes = [*wish("Window seats on overnight flights", "seat"), *wish("Prefers aisle seats", "seat")]
    window, aisle = (one.text for one in wishes)
    for seats, meets, misses in (
        (maps, {window, aisle}, set()),
        (without(0, "window"), {window, aisle}, set()),
        (without(1, "window"), {aisle}, {window}),
        (without(0, "aisle"), {window}, {aisle}),
        (without(1, "aisle"), {window, aisle}, set()),
    ):
        (one,) = rank([offer], wishes, seats={offer.itinerary: seats})  # type: ignore[dict-item]
        assert (set(one.meets), set(one.misses)) == (meets, misses)
    (blind,) = rank([offer], wishes)
    assert set(blind.unknown) == {window, aisle}


async def test_seats_are_looked_up_for_the_shown_offers(world: SampleWorld) -> None:
    offers = await flights(world, max_stops=0)
    for one in await choose(world, offers, wish("Prefers aisle seats", "seat")):
        assert isinstance(one.offer, FlightOffer)
        if one.offer.fare.rules.seat_choice == "at check-in":
            assert one.unknown == ("aisle seat",)
        else:
            assert one.meets == ("aisle seat",)


async def test_as_many_offers_are_chosen_as_requested(world: SampleWorld) -> None:
    offers = await flights(world)
    for limit in (1, 3, 5):
        for sort in ("best", "cheapest"):
            chosen = await choose(world, offers, [], sort=sort, limit=limit)
            assert len({one.offer.itinerary for one in chosen if isinstance(one.offer, FlightOffer)}) == limit
