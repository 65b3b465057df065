"""Which of the options on the table a message takes: by number, by name, or by time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from models.offline.travel.offers import name_of
from models.offline.travel.request import OfferRequest

_WORD = re.compile(r"[a-z]{3,}|[ァ-ヴー]{2,}|[一-鿿]{2,}")
_CLOCK = re.compile(
    r"(?<![\d:])(?P<hour>[01]?\d|2[0-3])(?::(?P<minute>[0-5]\d)|時(?P<past>[0-5]?\d)?|"
    r" ?(?P<half>[ap])\.?m\b)"
)
_COMMON = frozenset(
    {
        "the", "and", "one", "hotel", "hotels", "inn", "house", "air", "airlines", "airways", "flight", "flights",
        "room", "rooms", "city", "book", "take", "yes", "please", "for", "centre", "center", "suites", "boutique",
    }
)  # fmt: skip
_REFUSES = re.compile(r"\b(?:not|don't|no|without|anything but|except)\b|以外|じゃなく|ではなく|やめ")


def picked(said: str, options: Sequence[Mapping[str, Any] | str], ask: OfferRequest) -> int | None:
    """Place of the option that `said` takes, or None."""
    if ask.choice is not None:
        at = ask.choice if ask.choice >= 0 else len(options) - 1
        return at if at < len(options) else None
    if _REFUSES.search(said.casefold()):
        return None
    for score in (_named, _timed):
        points = [score(said.casefold(), option) for option in options]
        best = max(points, default=0)
        if best and points.count(best) == 1:
            return points.index(best)
    return None


def _named(said: str, option: Mapping[str, Any] | str) -> int:
    """How many telling words of the option `said` has."""
    text = option if isinstance(option, str) else f"{name_of(option)} {option.get('neighborhood') or ''}"
    if isinstance(option, str) and re.search(rf"\b{option.rpartition('(')[2].strip(')').casefold()}\b", said):
        return 9
    own = set(_WORD.findall(text.casefold())) - _COMMON
    return len(own & set(_WORD.findall(said)))


def _timed(said: str, option: Mapping[str, Any] | str) -> int:
    """Whether `said` names the hour at which the option leaves."""
    way = option.get("outbound") if not isinstance(option, str) else None
    leaves = re.search(r" (\d\d):(\d\d)", str(way.get("departs"))) if isinstance(way, Mapping) else None
    named = _CLOCK.search(said)
    if not leaves or not named:
        return 0
    hour = int(named["hour"]) % 12 + (12 if named["half"] == "p" else 0) if named["half"] else int(named["hour"])
    minute = named["minute"] or named["past"]
    if hour != int(leaves[1]):
        return 0
    return 2 if minute and int(minute) == int(leaves[2]) else 0 if minute else 1
