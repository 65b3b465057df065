"""Money in minor units, and its conversion by a bundled, dated table of rates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

from config.errors import InvalidInputError
from memory.records.notes import Record
from memory.records.profile import Currency
from travel.sample import SAMPLE
from travel.tables import read_table

_WITHOUT_CENTS = frozenset({"CLP", "ISK", "JPY", "KRW", "VND"})
_THOUSANDTHS = frozenset({"BHD", "JOD", "KWD", "OMR", "TND"})
_SYMBOLS = {
    "AUD": "A$", "BRL": "R$", "CAD": "C$", "CNY": "CN¥", "EUR": "€", "GBP": "£", "HKD": "HK$", "INR": "₹",
    "JPY": "¥", "KRW": "₩", "MXN": "MX$", "NZD": "NZ$", "SGD": "S$", "TWD": "NT$", "USD": "$", "VND": "₫",
}  # fmt: skip


def minor_digits(currency: str) -> int:
    """Return how many digits follow the point: 2 for most, 0 for the yen, 3 for the Kuwaiti dinar (ISO 4217)."""
    return 0 if currency in _WITHOUT_CENTS else 3 if currency in _THOUSANDTHS else 2


class Money(Record):
    """An amount of `currency` in its minor unit: 1999 USD is $19.99, 1999 JPY is ¥1,999. Refunds may be negative."""

    amount: int
    currency: Currency

    def __add__(self, other: Money) -> Money:
        """Return the sum. Raises InvalidInputError when the currencies differ."""
        if other.currency != self.currency:
            raise InvalidInputError(
                f"{self.currency} and {other.currency} can't be added up. Convert one of them first."
            )
        return Money(amount=self.amount + other.amount, currency=self.currency)

    def __sub__(self, other: Money) -> Money:
        """Return the difference. Raises InvalidInputError when the currencies differ."""
        return self + other * -1

    def __mul__(self, times: int) -> Money:
        """Return the amount multiplied by `times`."""
        return Money(amount=self.amount * times, currency=self.currency)

    def __str__(self) -> str:
        """Format the amount as in `$1,234.50`, `¥12,300` or `CHF 80.00`."""
        number = f"{abs(self.decimal):,.{minor_digits(self.currency)}f}"
        symbol = _SYMBOLS.get(self.currency, f"{self.currency} ")
        return f"{'-' if self.amount < 0 else ''}{symbol}{number}"

    @property
    def decimal(self) -> Decimal:
        """The amount in whole units of the currency."""
        return Decimal(self.amount).scaleb(-minor_digits(self.currency))

    @classmethod
    def of(cls, units: Decimal | int | str, currency: str) -> Money:
        """Return `units` of the currency, rounded half up to its minor unit."""
        code = currency.strip().upper()
        minor = Decimal(units).scaleb(minor_digits(code)).quantize(Decimal(1), ROUND_HALF_UP)
        return cls(amount=int(minor), currency=code)


class Conversion(Record):
    """`given` converted to another currency at the rate of `day`; `rate` is the value of one unit of `given`."""

    given: Money
    result: Money
    rate: Decimal
    day: date
    source: str


def convert(money: Money, currency: str) -> Conversion:
    """Return `money` in `currency`, by the bundled table, rounded half up.

    Raises:
        InvalidInputError: if a currency is not in the table.
    """
    day, rates = shipped_rates()
    code = currency.strip().upper()
    if unknown := [each for each in (code, money.currency) if each not in rates]:
        raise InvalidInputError(f"No rate for {unknown[0]!r}. Use one of: {', '.join(sorted(rates))}.")
    rate = rates[code] / rates[money.currency]
    result = money if code == money.currency else Money.of(money.decimal * rate, code)
    return Conversion(given=money, result=result, rate=rate.quantize(Decimal("0.000001")), day=day, source=SAMPLE)


@cache
def shipped_rates() -> tuple[date, Mapping[str, Decimal]]:
    """Return the day of the bundled table, and the value of one US dollar in each currency.

    Sample data: near the real rates, not for settling debts.
    """
    (_, day), *rates = read_table("rates")
    return date.fromisoformat(day), {code: Decimal(rate) for code, rate in rates}
