from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InvalidInputError
from travel.money import Money, convert, minor_digits, shipped_rates

DAY, RATES = shipped_rates()
CURRENCIES = sorted(RATES)


@pytest.mark.parametrize(
    ("money", "shown"),
    [
        (Money(amount=123450, currency="USD"), "$1,234.50"),
        (Money(amount=12300, currency="JPY"), "¥12,300"),
        (Money(amount=8000, currency="CHF"), "CHF 80.00"),
        (Money(amount=1500, currency="KWD"), "KWD 1.500"),
        (Money(amount=-250, currency="EUR"), "-€2.50"),
    ],
)
def test_money_is_shown_with_the_digits_of_its_currency(money: Money, shown: str) -> None:
    assert str(money) == shown


def test_dollars_are_converted_to_yen_with_the_dated_table() -> None:
    done = convert(Money.of("19.99", "USD"), "jpy")
    assert done.result == Money(amount=round(19.99 * 153.8), currency="JPY")
    assert done.day == DAY
    assert done.rate == Decimal("153.8")


@given(amount=st.integers(0, 10**9), one=st.sampled_from(CURRENCIES), other=st.sampled_from(CURRENCIES))
def test_round_trip_loses_less_than_rounding_does(amount: int, one: str, other: str) -> None:
    money = Money(amount=amount, currency=one)
    back = convert(convert(money, other).result, one).result
    # Half of the other currency's smallest unit, in smallest units of the first, and half a unit more.
    coin = Decimal(1).scaleb(-minor_digits(other)) * RATES[one] / RATES[other]
    assert abs(back.amount - amount) <= coin.scaleb(minor_digits(one)) / 2 + Decimal("0.5")


def test_adding_two_currencies_is_rejected() -> None:
    with pytest.raises(InvalidInputError, match="USD and EUR"):
        Money(amount=1, currency="USD") + Money(amount=1, currency="EUR")


def test_unknown_currency_names_the_supported_ones() -> None:
    with pytest.raises(InvalidInputError, match=r"XXX.*EUR"):
        convert(Money(amount=1, currency="USD"), "XXX")
