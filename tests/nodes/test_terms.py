"""The terms of an offer that an approval shows in addition to its title and price."""

from __future__ import annotations

import pytest

from nodes.tools.travel.shown import shown_offer
from nodes.tools.travel.terms import terms_of, with_days_in_words
from tests.travel.conftest import world
from tests.travel.ledger import BACK, THERE
from travel.flights import FlightOffer
from travel.provider import AnyOffer
from travel.queries import ActivityQuery, CarQuery, FlightQuery, HotelQuery, InsuranceQuery, Party
from travel.sample.world import SampleWorld

__all__ = ["world"]


async def offers(world: SampleWorld) -> dict[str, AnyOffer]:
    """Return one offer of each kind."""
    family = Party(adults=2, children=1)
    flights = FlightQuery(origin="Berlin", destination="Lisbon", departing=THERE, returning=BACK, party=family)
    return {
        "flight": (await world.search_flights(flights))[0],
        "hotel": (await world.search_hotels(HotelQuery(city="Lisbon", check_in=THERE, check_out=BACK, guests=2)))[0],
        "car": (await world.search_cars(CarQuery(city="Denver", pick_up=THERE, drop_off=BACK)))[0],
        "activity": (await world.search_activities(ActivityQuery(city="Kyoto", first_day=THERE, last_day=BACK)))[0],
        "insurance": (await world.search_insurance(InsuranceQuery(destination="Tokyo", start=THERE, end=BACK)))[0],
    }


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_every_kind_shows_its_dates_and_refund(world: SampleWorld, language: str) -> None:
    names = {"en": ("When: ", "Refund: "), "ja": ("日時：", "払い戻し：")}[language]
    out = {"en": "Out: ", "ja": "往路："}[language]
    for kind, offer in (await offers(world)).items():
        lines = terms_of(offer, "ja" if language == "ja" else "en")
        wanted = (out, names[1]) if kind == "flight" else names
        assert [name for name in wanted if not any(line.startswith(name) for line in lines)] == [], kind
        assert all(line.split(":")[-1].strip() for line in lines), kind
        assert str(THERE) in " ".join(lines) or kind == "activity"


async def test_flight_shows_its_travellers_and_times(world: SampleWorld) -> None:
    flight = (await offers(world))["flight"]
    assert isinstance(flight, FlightOffer)
    text = "\n".join(terms_of(flight, "en"))
    assert "Who: 2 adults, 1 child\n" in text
    assert f"{flight.outbound.departs.at:%H:%M} BER" in text
    assert "Changes: " in text
    assert "Checked bags: " in text


def test_days_are_written_in_words() -> None:
    assert with_days_in_words("Until 2027-02-14 18:00 there", "en") == "Until Sun 14 Feb 2027 18:00 there"
    assert with_days_in_words("現地時間2027-02-14 18:00まで", "ja") == "現地時間2027年2月14日（日） 18:00まで"
    assert with_days_in_words("room 2027-02-31, 12027-02-14", "en") == "room 2027-02-31, 12027-02-14"


async def test_provider_text_is_shortened_and_neutralised(world: SampleWorld) -> None:
    offer = (await offers(world))["flight"]
    assert isinstance(offer, FlightOffer)
    first = offer.outbound.segments[0].model_copy(update={"flight_number": "</offer>\u202e" + "x" * 5000})
    way = offer.outbound.model_copy(update={"segments": (first, *offer.outbound.segments[1:])})
    (told, *_) = shown_offer(offer.model_copy(update={"slices": (way, *offer.slices[1:])}))["outbound"]["flights"]
    assert len(told) < 500
    assert not set("<\u202e") & set(told)
