"""Offers that are invalid, whoever sells them."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from travel.money import Money
from travel.offers import HotelOffer
from travel.queries import HotelQuery
from travel.sample.world import SampleWorld


async def test_offer_with_a_negative_price_is_rejected(world: SampleWorld) -> None:
    query = HotelQuery.model_validate({"city": "Lisbon", "check_in": "2026-12-14", "check_out": "2026-12-16"})
    offer = (await world.search_hotels(query))[0]
    below = Money(amount=-1, currency="EUR")
    for name in ("price", "per_night"):
        with pytest.raises(ValidationError, match="A price is 0 or more"):
            HotelOffer.model_validate({**dict(offer), name: below})
    assert HotelOffer.model_validate({**dict(offer), "price": Money(amount=0, currency="EUR")}).price.amount == 0
