"""The texts about offers and bookings, in every language."""

from __future__ import annotations

import re
from string import Formatter

from tests.travel.ledger import BACK, THERE, flight, hotel
from travel.queries import InsuranceQuery
from travel.sample.world import SampleWorld
from travel.summary import summary
from travel.tables import labelled, read_table


def test_texts_have_the_same_values_in_both_languages() -> None:
    def values(text: str) -> set[str]:
        return {field for _, field, _, _ in Formatter().parse(text) if field}

    for name, english, japanese in read_table("texts"):
        assert values(english) == values(japanese), name


async def test_title_is_in_the_selected_language(world: SampleWorld) -> None:
    cover = (await world.search_insurance(InsuranceQuery(destination="Tokyo", start=THERE, end=BACK)))[0]
    for offer in (await flight(world), await hotel(world), cover):
        english, japanese = summary(offer).title, summary(offer, "ja").title
        assert str(THERE) in english
        assert str(THERE) in japanese
        assert re.search(r" (to|back) 2026", english), english
        assert not re.search(r"\b(to|back|standard|king|queen|double|twin)\b", japanese), japanese


def test_unknown_value_keeps_its_name() -> None:
    assert labelled("sample data", "ja") == "サンプルデータ"
    assert labelled("Lisbon Walks", "ja") == "Lisbon Walks"
