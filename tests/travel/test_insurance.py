"""Suggestions of insurance consider the cover that the traveller has."""

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


async def test_without_cover_the_most_complete_product_comes_first(world: SampleWorld) -> None:
    products, text = await advice(world)
    assert products[0] == "Travel Standard"
    assert "nothing is left open" in text
    assert "Car Excess Cover" not in products


async def test_existing_cover_is_not_offered_again(world: SampleWorld) -> None:
    products, text = await advice(world, travel_medical=True, car=True, car_rental=True)
    assert products[0] == "Cancellation Only"
    assert "Car Excess Cover" not in products
    assert "covers medical costs and damage to a rental car" in text


async def test_rented_car_leaves_a_gap(world: SampleWorld) -> None:
    products, text = await advice(world, car=True, travel_medical=True)
    assert "Car Excess Cover" in products
    assert "damage to a rental car" in text


async def test_double_cover_is_reported(world: SampleWorld) -> None:
    offers = await world.search_insurance(InsuranceQuery(destination="Tokyo", start=THERE, end=BACK))
    standard = [offer for offer in offers if offer.product == "Travel Standard"]
    _, text = fitting_insurance(standard, Insurance(travel_medical=True))
    assert "insures medical costs a second time" in text


async def test_offer_that_adds_nothing_is_left_out(world: SampleWorld) -> None:
    offers = await world.search_insurance(InsuranceQuery(destination="Tokyo", start=THERE, end=BACK))
    car_only = [offer for offer in offers if offer.product == "Car Excess Cover"]
    fitting, text = fitting_insurance(car_only, Insurance(car_rental=True), car=True)
    assert fitting == []
    assert "Left out, as they add nothing needed: Car Excess Cover." in text


@pytest.mark.parametrize("level", ["basic", "standard", "premium"])
async def test_level_alone_guarantees_no_cover(world: SampleWorld, level: str) -> None:
    _, text = await advice(world, level=level)
    assert "own insurance covers" not in text
    assert f"at the level {level}; what it covers is not known" in text
