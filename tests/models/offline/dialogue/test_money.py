"""Sums of money: what is converted into what, and what is a limit."""

from __future__ import annotations

import pytest

from tests.models.offline.desk import Desk

_TO_PRAGUE = "a hotel in Prague, 8 to 14 December, two adults"
_TO_MARRAKESH = "Warsaw to Marrakesh, 8 to 14 December, two adults"
_TO_TORONTO = "a hotel in Toronto, 8 to 14 December, two adults"


@pytest.mark.parametrize(
    ("trip", "said", "amount", "source", "target"),
    [
        (_TO_PRAGUE, "how much are 150 euros in the crowns of there?", 150, "EUR", "CZK"),
        (_TO_PRAGUE, "what is 2000 crowns in euros?", 2000, "CZK", "EUR"),
        (_TO_PRAGUE, "what's 90 euros in swedish crowns?", 90, "EUR", "SEK"),
        (_TO_PRAGUE, "what is 150 euros in local money?", 150, "EUR", "CZK"),
        (_TO_MARRAKESH, "and 500 euros are how many dirham", 500, "EUR", "MAD"),
        (_TO_TORONTO, "how many dollars do I get for 50 quid?", 50, "GBP", "CAD"),
        (_TO_TORONTO, "what are 80 canadian dollars in dollars?", 80, "CAD", "USD"),
        (_TO_TORONTO, "and how many yen is 500 canadian dollars?", 500, "CAD", "JPY"),
        (_TO_PRAGUE, "whats 1 million dong in euros", 1_000_000, "VND", "EUR"),
        ("12月8日から14日までトロントのホテル、大人2名", "5000円は何ドルですか？", 5000, "JPY", "CAD"),
        ("12月8日から14日までトロントのホテル、大人2名", "300米ドルは何円ですか？", 300, "USD", "JPY"),
        (_TO_PRAGUE, "how much are 900 dollars canadian in pounds?", 900, "CAD", "GBP"),
    ],
)
def test_a_currency_name_of_several_countries_is_that_of_the_destination(
    trip: str, said: str, amount: float, source: str, target: str
) -> None:
    desk = Desk()
    desk.say(trip)
    desk.say(said)
    assert [call["name"] for call in desk.calls] == ["convert_money"]
    assert desk.called("convert_money") == {
        "name": "convert_money", "amount": amount, "source": source, "target": target,
    }  # fmt: skip


def test_the_money_of_home_is_what_the_profile_pays_in() -> None:
    desk = Desk()
    desk.say("a hotel in Istanbul, 8 to 14 December, two adults")
    desk.say("what's 2500 lira in proper money?")
    assert [(call["source"], call["target"]) for call in desk.calls] == [("TRY", "EUR")]


def test_a_sum_is_converted_while_the_trip_still_lacks_something() -> None:
    desk = Desk()
    desk.say("to Prague with at most 900 pounds")
    assert "¥" in desk.say("how many yen is 500 canadian dollars?")
