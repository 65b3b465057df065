"""Amounts, times of day and counts in what notes ask: what is under a price, after an hour, of so many stars."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from models.offline.statements import Form, Item
from travel.money import Money

_NUMBER = re.compile(r"#(\d+(?:\.\d+)?)$")
_COINS = ("usd", "eur", "gbp", "jpy", "chf", "cad", "aud")
_FLIGHT_WORDS = frozenset({"航空券", "fare", "fares", "airfare", "airfares"})
_CLOCK = re.compile(
    r"\b(?P<side>before|until|by|earlier than|after|from|later than)\s+(?:(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?"
    r"\s*(?P<half>[ap]\.?m\b\.?)?|(?P<noon>noon))",
    re.IGNORECASE,
)
_CLOCK_JA = re.compile(
    r"(?P<half>午前|午後)?(?:(?P<hour>\d{1,2})時(?P<minute>半)?|(?P<noon>正午))(?P<side>より前|以前|前|まで|以降|過ぎ|より後|以後)"
)
_EARLIER = frozenset({"before", "until", "by", "earlier than", "より前", "以前", "前", "まで"})
_LANDING = re.compile(r"\b(arriv\w*|land(s|ing|ed)?)\b|到着|着く|着き", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limit:
    """The most that something may cost: a room's night, a day of a car, or one traveller's flights."""

    kind: Literal["hotel", "car", "flight"]
    each: Literal["night", "day", "person"]
    most: Money


@dataclass(frozen=True, slots=True)
class Hours:
    """Only what leaves (or lands) before or after a minute of the day."""

    at: Literal["departs", "arrives"]
    side: Literal["before", "after"]
    minute: int

    @property
    def clock(self) -> str:
        """As in "09:30"."""
        return f"{self.minute // 60:02d}:{self.minute % 60:02d}"


def limit_of(form: Form, items: Sequence[Item], currency: str | None) -> Limit | None:
    """Return the limit that a note on money sets, in `currency` where it names none; None when it sets none."""
    names = {name for sign, name in form.atoms if sign > 0}
    amounts = [match.group(1) for name in names if (match := _NUMBER.match(name))]
    coin = next((coin for coin in _COINS if coin in names), currency)
    kind = _kind(names, {item.name for item in items})
    if len(amounts) != 1 or coin is None or kind is None or "atleast" in names or "pertrip" in names:
        return None
    return Limit(*kind, Money.of(Decimal(amounts[0]), coin.upper()))


def _kind(
    names: set[str], said: set[str]
) -> tuple[Literal["hotel", "car", "flight"], Literal["night", "day", "person"]] | None:
    if "car" in said:
        return "car", "day"
    if "flight" in said or _FLIGHT_WORDS & said:
        return "flight", "person"
    if "pernight" in names or {"hotel", "room"} & said:
        return "hotel", "night"
    return None


def hours_of(text: str, form: Form) -> Iterator[Hours]:
    """Yield the hours that a note on flights names; "never before nine" is after nine."""
    at: Literal["departs", "arrives"] = "arrives" if is_landing(text) else "departs"
    matches = [*_CLOCK.finditer(text), *_CLOCK_JA.finditer(text)]
    for match in matches:
        minute = _minute(match)
        if minute is not None:
            yield Hours(at, _side(match["side"], form, alone=len(matches) == 1), minute)


def is_landing(text: str) -> bool:
    """Return True when `text` speaks of when a flight lands."""
    return bool(_LANDING.search(text))


def _side(written: str, form: Form, *, alone: bool) -> Literal["before", "after"]:
    """Return the side of a time of day that is wanted: the form of the note has turned round what is refused."""
    said = {name: sign for sign, name in form.atoms if sign and name in ("before", "afterwards")}
    if alone and len(said) == 1:
        ((name, sign),) = said.items()
        return "before" if (name == "before") == (sign > 0) else "after"
    refused = not said and any(sign < 0 for sign, _ in form.atoms)
    return "before" if (written.casefold() in _EARLIER) != refused else "after"


def _minute(match: re.Match[str]) -> int | None:
    if match["noon"]:
        return 12 * 60
    hour, half = int(match["hour"]), (match["half"] or "").casefold()
    if half.startswith(("p", "午後")) and hour < 12:
        hour += 12
    elif half.startswith(("a", "午前")) and hour == 12:
        hour = 0
    minute = 30 if match["minute"] == "半" else int(match["minute"] or 0)
    return 60 * hour + minute if hour < 24 and minute < 60 else None


def count_in(form: Form) -> int | None:
    """Return the one whole number that a note names, as in two checked bags or four stars."""
    found = [match.group(1) for _, name in form.atoms if (match := _NUMBER.match(name))]
    return int(found[0]) if len(found) == 1 and found[0].isdigit() else None


def minutes_in(form: Form) -> int | None:
    """Return the one span of minutes that a note names."""
    found = [match.group(1) for _, name in form.atoms if (match := re.match(r"#(\d+)min$", name))]
    return int(found[0]) if len(found) == 1 else None
