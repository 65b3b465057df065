"""Cover that is suggested knows the cover that is there."""

from __future__ import annotations

import pytest

from memory.records.profile import Insurance
from tests.travel.ledger import BACK, THERE
from travel.insurance import fitting_insurance
from travel.queries import InsuranceQuery
from travel.sample.world import SampleWorld


async def advice(world: SampleWorld, *, car: bool = False, **cover: object) -> tuple[list[str], str]:
    offers = await world.search_insurance(InsuranceQuery(destination="Tokyo", start=THERE, end=BACK))
    found, text = fitting_insurance(offers, Insurance.model_validate(cover), car=car)
    return [offer.product for offer in found], text


async def test_without_any_cover_what_leaves_least_open_comes_first(world: SampleWorld) -> None:
    products, text = await advice(world)
    assert products[0] == "Travel Standard"
    assert "nothing is left open" in text
    assert "Car Excess Cover" not in products


async def test_what_is_had_is_not_sold_again(world: SampleWorld) -> None:
    products, text = await advice(world, travel_medical=True, car=True, car_rental=True)
    assert products[0] == "Cancellation Only"
    assert "Car Excess Cover" not in products
    assert "covers medical costs and damage to a rental car" in text


async def test_a_rented_car_opens_a_gap(world: SampleWorld) -> None:
    products, text = await advice(world, car=True, travel_medical=True)
    assert "Car Excess Cover" in products
    assert "damage to a rental car" in text


async def test_what_is_insured_twice_is_said(world: SampleWorld) -> None:
    offers = await world.search_insurance(InsuranceQuery(destination="Tokyo", start=THERE, end=BACK))
    standard = [offer for offer in offers if offer.product == "Travel Standard"]
    _, text = fitting_insurance(standard, Insurance(travel_medical=True))
    assert "insures medical costs a second time" in text


async def test_an_offer_that_adds_nothing_is_left_out(world: SampleWorld) -> None:
    offers = await world.search_insurance(InsuranceQuery(destination="Tokyo", start=THERE, end=BACK))
    car_only = [offer for offer in offers if offer.product == "Car Excess Cover"]
    fitting, text = fitting_insurance(car_only, Insurance(car_rental=True), car=True)
    assert fitting == []
    assert "Left out, as they add nothing needed: Car Excess Cover." in text


@pytest.mark.parametrize("level", ["basic", "standard", "premium"])
async def test_a_level_alone_covers_nothing_for_sure(world: SampleWorld, level: str) -> None:
    _, text = await advice(world, level=level)
    assert "own insurance covers" not in text
    assert f"at the level {level}; what it covers is not known" in text
